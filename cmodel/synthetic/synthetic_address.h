/*
 * synthetic_address - which lines a warp's accesses touch.
 *
 * Addresses lie in regions of 256 MiB, of which there are 32: lines stay below 2^28 at any
 * size of line. Offsets wrap in their region, or in a smaller footprint.
 *
 * A pattern of regular lane addresses moves in blocks: what the 32 lanes of a full warp
 * span. A block is a part of a line (a half, a quarter, ...) or some whole lines, so that
 * all blocks take the same number of words; these are coalesced once, as a template.
 */

#ifndef SYNTHETIC_ADDRESS_H
#define SYNTHETIC_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"

enum {
    REGIONS = 32,
    REGION_BYTES = 1 << 28,
    STRIDE_MOST = 1 << 16, /* so that a block is far smaller than a region */
};

/* Counter-based: the same seed and counter give the same number, in any order. */
static inline uint64_t synthetic_hash(uint64_t seed, uint64_t counter)
{
    uint64_t x = (seed ^ 0x6a09e667f3bcc909u) + (counter + 1u) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* A number below n from the upper half of a hash. */
static inline uint32_t hash_below(uint64_t hash, uint32_t n)
{
    return (uint32_t)((hash >> 32) * n >> 32);
}

/* The words of `lanes` accesses of `element` bytes: one for each line touched, in the order
 * of the first lane that does, with the quarters touched by all. Returns their number, at
 * most 2 * lanes. */
uint32_t coalesce(const uint64_t *address, uint32_t lanes, uint32_t element, uint32_t line,
                  uint32_t *word);

/* Passes over the banks for accesses of `element` bytes, `stride` bytes apart: the most
 * different 4-byte words of one bank; at least 1. */
uint32_t bank_passes(uint32_t lanes, uint32_t element, uint32_t stride, uint32_t banks);

#define PATTERNS(X)             \
    X(PATTERN_STREAM, "stream") \
    X(PATTERN_STRIDE, "stride") \
    X(PATTERN_TILE, "tile")     \
    X(PATTERN_RANDOM, "random") \
    X(PATTERN_CHASE, "chase")   \
    X(PATTERN_SAME, "same")

enum pattern_kind {
#define PATTERN_ENUMERATOR(identifier, name) identifier,
    PATTERNS(PATTERN_ENUMERATOR)
#undef PATTERN_ENUMERATOR
        PATTERN_COUNT
};

struct pattern_shape {
    enum pattern_kind kind;
    uint32_t line;      /* bytes of the cache's lines */
    uint32_t region;    /* below REGIONS */
    uint32_t moved;     /* bytes from the region to the pattern: jitter */
    uint32_t element;   /* bytes of a lane's access */
    uint32_t stride;    /* bytes between lanes */
    uint32_t offset;    /* bytes from the beginning of the block */
    uint32_t footprint; /* bytes, 0: the region */
    uint32_t group;     /* CTAs that share a tile */
    uint32_t lanes;     /* active */
    bool scattered;     /* random for each lane, not for the warp */
    bool turns;         /* of atomics: its words are followed by as many turns */
    uint64_t seed;
};

/* One pattern, for one number of lanes. */
struct pattern {
    struct pattern_shape shape;
    uint32_t words;       /* of each access, without turns */
    uint32_t base;        /* first line */
    uint32_t blocks;      /* before it wraps; of a chase and of random lanes, lines */
    uint32_t block_lines; /* of a block of whole lines */
    uint32_t parts;       /* blocks of a line, otherwise 1 */
    uint32_t *template;   /* words, for each of the parts */
    uint32_t meet;        /* of a template: the lanes that meet at each address */
    uint32_t *order;      /* of a chase: the lines as they are visited */
};

/* Who accesses. */
struct place {
    uint32_t cta;
    uint32_t warp;   /* of the CTA */
    uint32_t warps;  /* of a CTA */
    uint64_t global; /* number of the warp in the grid */
    uint64_t all;    /* warps of the grid */
};

/* The fewest bytes of a footprint of this shape. */
uint32_t pattern_least(const struct pattern_shape *shape);

/* Makes a pattern, of a shape that has been checked. Returns false if there is no memory. */
bool pattern_init(struct pattern *pattern, const struct pattern_shape *shape);
void pattern_free(struct pattern *pattern);

/* Writes the words of a place's access. `execution` counts those of the step in the
 * kernel's text, of which there are `executions`. Returns the number of words. */
uint32_t pattern_words(const struct pattern *pattern, const struct place *place,
                       uint32_t execution, uint32_t executions, uint32_t *word);

#endif
