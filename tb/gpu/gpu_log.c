/* gpu_log - all that can be seen of a run; see gpu_log.h. */

#include "tb/gpu/gpu_log.h"

/* ---- Words --------------------------------------------------------------------------- */

void note(struct log *l, uint64_t word)
{
    if (l->n == l->capacity) {
        l->capacity = l->capacity * 2u + 1024u;
        l->word = realloc(l->word, l->capacity * sizeof *l->word);
        assert_non_null(l->word);
    }
    l->word[l->n++] = word;
}

void note_event(struct log *l, uint64_t kind, uint64_t a, uint64_t b, uint64_t c,
                uint64_t cycle)
{
    note(l, kind << 60 | a << 40 | b << 16 | c);
    note(l, cycle);
}

void note_stats(struct log *l, const struct gpu_stats *s)
{
    note(l, s->cycles);
    note(l, s->noc_cycles);
    note(l, s->l2_cycles);
    note(l, s->dram_cycles);
    NOTE_ROWS(l, gpu_sm_counts, s->sm, s->n_sm)
    NOTE_ROWS(l, gpu_cluster_counts, s->cluster, s->n_cluster)
    NOTE_ROWS(l, gpu_noc_counts, s->noc, 2u)
    NOTE_ROWS(l, gpu_l2_counts, s->l2, s->n_l2)
    NOTE_ROWS(l, gpu_dram_counts, s->dram, s->n_dram)
    for (uint32_t k = 0u; k < s->n_kernel; k++) {
        note(l, s->kernel[k].first_cta);
        note(l, s->kernel[k].ended);
        note(l, s->kernel[k].warp_instructions);
    }
}

void note_shares(struct log *l, const struct gpu *g, uint32_t kernels)
{
    struct fault fault = { .kind = FAULT_NONE };
    for (uint32_t k = 0u; k <= kernels; k++) {
        struct gpu_share share;
        uint64_t energy;
        gpu_share(g, k, &share);
        NOTE_ROWS(l, gpu_sm_counts, &share.sm, 1u)
        NOTE_ROWS(l, gpu_cluster_counts, &share.cluster, 1u)
        NOTE_ROWS(l, gpu_noc_counts, share.noc, 2u)
        NOTE_ROWS(l, gpu_l2_counts, &share.l2, 1u)
        NOTE_ROWS(l, gpu_dram_counts, &share.dram, 1u)
        memcpy(&energy, &share.energy.total, sizeof energy);
        note(l, energy);
    }
    if (!gpu_shares_whole(g, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
}

void on_kernel_started(void *self, uint32_t kernel, uint64_t cycle)
{
    note_event(self, NOTE_STARTED, kernel, 0u, 0u, cycle);
}

void on_kernel_ended(void *self, uint32_t kernel, uint64_t cycle)
{
    note_event(self, NOTE_ENDED, kernel, 0u, 0u, cycle);
}

void on_cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                    uint64_t cycle)
{
    note_event(self, NOTE_CTA, kernel, cta, sm << 8 | slot, cycle);
}

void on_cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                  uint64_t cycle)
{
    note_event(self, NOTE_CTA_END, kernel, cta, sm << 8 | slot, cycle);
}

void on_dram(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
             uint32_t row, uint32_t bytes, uint64_t cycle)
{
    note_event(self, NOTE_DRAM, partition << 8 | command, row, bytes << 8 | bank, cycle);
}

void on_sample(void *self, struct gpu *g, uint64_t cycle)
{
    note_event(self, NOTE_SAMPLE, 0u, 0u, 0u, cycle);
    assert_int_equal(gpu_cycle(g), cycle);
    const struct gpu_stats *const s = gpu_stats(g);
    note_stats(self, s);
    note_shares(self, g, s->n_kernel);
    for (uint32_t i = 0u; i < s->n_sm; i++) {
        uint64_t count[GPU_WARP_STATES] = { 0u };
        gpu_warp_states(g, i, count);
        for (uint32_t k = 0u; k < GPU_WARP_STATES; k++) {
            note(self, count[k]);
        }
    }
}

void on_record(void *self, struct gpu *g, uint64_t cycle)
{
    const struct gpu_record *const r = gpu_record(g);
    assert_true(r->cycle <= cycle);
    if (r->cycle != cycle) {
        return; /* it was jumped over */
    }
    for (uint32_t i = 0u; i < r->n_started; i++) {
        const struct gpu_cta_event *const e = &r->started[i];
        note_event(self, NOTE_RECORD, e->kernel, e->cta, e->sm << 8 | e->slot, cycle);
    }
    for (uint32_t i = 0u; i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        note_event(self, NOTE_RECORD, e->kernel, e->cta, e->sm << 8 | e->slot, cycle);
    }
    for (uint32_t i = 0u; i < r->n_kernel; i++) {
        note_event(self, NOTE_RECORD, r->kernel[i].kernel, r->kernel[i].step, 0u, cycle);
    }
    for (uint32_t i = 0u; i < r->n_class; i++) {
        const struct gpu_class_event *const e = &r->class_of[i];
        note_event(self, NOTE_RECORD, e->sm, e->scheduler, e->class_now, cycle);
    }
}
