/* gpu_log - all that can be seen of a run, as a list of words: events, samples, statistics. */

#ifndef GPU_LOG_H
#define GPU_LOG_H

#include "tb/gpu/gpu_kernel.h"

/* ---- Words --------------------------------------------------------------------------- */

struct log {
    uint64_t *word;
    size_t n, capacity;
};

void note(struct log *l, uint64_t word);

enum {
    NOTE_STARTED,
    NOTE_ENDED,
    NOTE_CTA,
    NOTE_CTA_END,
    NOTE_DRAM,
    NOTE_SAMPLE,
    NOTE_PAUSED,
    NOTE_RECORD
};

void note_event(struct log *l, uint64_t kind, uint64_t a, uint64_t b, uint64_t c,
                uint64_t cycle);

#define NOTE_ROWS(l, counts, member, n)                                             \
    for (uint32_t i_ = 0u; i_ < (n); i_++) {                                        \
        for (const struct gpu_count *row_ = (counts); row_->name != NULL; row_++) { \
            note((l), gpu_count_of(row_, &(member)[i_]));                           \
        }                                                                           \
    }

void note_stats(struct log *l, const struct gpu_stats *s);
/* The same of each kernel, and of what belongs to none, after gpu_stats; they must come to the
 * whole. */
void note_shares(struct log *l, const struct gpu *g, uint32_t kernels);
void on_kernel_started(void *self, uint32_t kernel, uint64_t cycle);
void on_kernel_ended(void *self, uint32_t kernel, uint64_t cycle);
void on_cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                    uint64_t cycle);
void on_cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                  uint64_t cycle);
void on_dram(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
             uint32_t row, uint32_t bytes, uint64_t cycle);
void on_sample(void *self, struct gpu *g, uint64_t cycle);
/* What the record of the cycle holds. */
void on_record(void *self, struct gpu *g, uint64_t cycle);

#endif
