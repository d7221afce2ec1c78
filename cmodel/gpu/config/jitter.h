/*
 * jitter - small moves of a run in time and in memory, which mean nothing to its program. The
 * runs of an ensemble differ by their seeds alone, so what their figures spread over is noise.
 */

#ifndef JITTER_H
#define JITTER_H

#include <stdint.h>

#include "base/random_bits.h"
#include "gpu/config/gpu_config.h"

/* A buffer moves by steps of so many bytes: two lines of 128, so that it stays as aligned as an
 * allocation of CUDA is. */
enum { JITTER_STEP = 256 };

enum jitter_of { JITTER_LAUNCH, JITTER_BUFFER };

/* A number from 0 to `most` for the n-th launch or buffer; 0 without a seed. */
static inline uint32_t jitter(const struct gpu_config *config, enum jitter_of what, uint32_t n,
                              uint32_t most)
{
    uint64_t state = (uint64_t)config->jitter.seed << 33 | (uint64_t)what << 32 | n;

    return config->jitter.seed == 0u ? 0u : random_below(&state, (uint64_t)most + 1u);
}

/* Cycles by which the launch begins later. */
static inline uint32_t jitter_launch(const struct gpu_config *config, uint32_t kernel)
{
    return jitter(config, JITTER_LAUNCH, kernel, config->jitter.launch);
}

/* Bytes by which the buffer begins later. */
static inline uint32_t jitter_buffer(const struct gpu_config *config, uint32_t buffer)
{
    return jitter(config, JITTER_BUFFER, buffer, config->jitter.address) * JITTER_STEP;
}

#endif
