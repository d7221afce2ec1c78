/* driver_lines - lines for the drivers of the units between L1s and network. */

#ifndef DRIVER_LINES_H
#define DRIVER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random_bits.h"

/* Line k: different ones for different k, as far as there are so many. */
static inline uint64_t driver_line(uint32_t line_w, uint64_t k)
{
    return k * UINT64_C(0x9E3779B97F4A7C15) & (UINT64_MAX >> (64u - line_w));
}

/* A line that differs from another of these in one bit or two. */
static inline uint64_t driver_one_bit(uint32_t line_w, uint64_t *random)
{
    return UINT64_C(1) << random_below(random, line_w);
}

/*
 * Whether a merge table is to be emptied. Drivers remember nothing, and a table whose requests
 * and answers are drawn alike is never full; so the line of its first entry decides, which
 * stays as long as that entry is not answered.
 */
static inline bool driver_drains(uint64_t first_line)
{
    return first_line * UINT64_C(0xD1B54A32D192ED03) >> 63 != 0u;
}

#endif
