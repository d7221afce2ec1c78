/* gpu_random_hooks - scheduling units that do anything, but the same when told the same. */

#ifndef GPU_RANDOM_HOOKS_H
#define GPU_RANDOM_HOOKS_H

#include "tb/gpu/gpu_log.h"

enum { MOST_KERNELS = 3 };

uint64_t hash(uint64_t a, uint64_t b);

/* Any ready warp, by its note; one time in eight none. */
int32_t any_warp(void *self, uint32_t sm, uint32_t scheduler, uint64_t ready,
                 const uint16_t note_of[64], uint64_t cycle);

/* A limiter of CTAs an SM, of each kernel another number, and a CTA scheduler that picks any.
 */
struct placer {
    uint64_t seed, issued;
    uint32_t on[MOST_KERNELS][GPU_MAX_SM];
};

void placer_mask(void *self, uint32_t kernel, struct bits *room);
int32_t placer_pick(void *self, uint32_t kernel, const struct bits *room);
void placer_issued(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);
void placer_ended(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);

/* Pauses, drains and gates SMs, and in the end lets all of them run. */
struct controller {
    struct log *log;
    uint64_t seed;
    uint32_t calls;
};

uint64_t control(void *self, struct gpu *g, uint64_t cycle);

#endif
