/* random_bits - reproducible random numbers for tests and for the jitter of runs, not for what
 * a model decides. */

#ifndef RANDOM_BITS_H
#define RANDOM_BITS_H

#include <stdint.h>

/*
 * Returns the next 64 random bits and advances *state, which may be anything. The
 * same start gives the same numbers on every machine.
 *
 * Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014.
 */
static inline uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A number from 0 to n - 1; n from 1 to 2^32. */
static inline uint32_t random_below(uint64_t *state, uint64_t n)
{
    return (uint32_t)((random_bits(state) >> 32) * n >> 32);
}

#endif
