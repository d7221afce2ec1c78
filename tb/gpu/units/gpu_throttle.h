/*
 * gpu_throttle - what tests of throttles in the running GPU share: kernels of loads and
 * arithmetic, SMs that are paused, drained and gated meanwhile, and all ways to run.
 */

#ifndef GPU_THROTTLE_H
#define GPU_THROTTLE_H

#include "tb/gpu/gpu_log.h"

#include "gpu/machine.h"

enum { THROTTLE_MODES = 4 };
extern const unsigned throttle_modes[THROTTLE_MODES];

/* For a hand_kernel's `access`: lines that no other warp reads. */
uint32_t own_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i);
/* Loads, each followed by so much arithmetic that depends on it. */
struct program text_of(uint32_t loads, uint32_t arithmetic);

/* n such kernels in two streams, one of eight cooperative; text and kernel stay with the GPU.
 */
void launch_random(struct gpu *g, uint64_t *random, uint32_t n, struct program text[],
                   struct hand_kernel kernel[]);

/* Called after each cycle: of 2048, SM 1 is paused for 400, and SM 2 drained for 800 and gated
 * meanwhile. */
void disturb_sms(struct gpu *g, uint64_t cycle);

/* The last limits of all SMs are of `low` to `high`, and come to the sum that is counted. */
void check_sms_at(const struct gpu_throttle_stats *s, uint32_t low, uint32_t high);

/* run: a random run, whose log must be the same in all modes; returns the periods judged, of
 * which there must be more than `least` in all of twelve. */
void check_modes(uint64_t (*run)(uint64_t random, unsigned mode, struct log *log),
                 uint64_t least);

#endif
