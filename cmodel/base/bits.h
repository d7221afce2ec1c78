/* bits - a set of numbers below 192, by value: one bit an SM. */

#ifndef BITS_H
#define BITS_H

#include <stdbool.h>
#include <stdint.h>

enum { BITS_MAX = 192 };

/* Number k is in the set when bit k % 64 of word[k / 64] is one. */
struct bits {
    uint64_t word[BITS_MAX / 64];
};

static inline bool bits_has(struct bits set, uint32_t k)
{
    return (set.word[k / 64u] >> (k % 64u)) & 1u;
}

static inline void bits_add(struct bits *set, uint32_t k)
{
    set->word[k / 64u] |= UINT64_C(1) << (k % 64u);
}

static inline void bits_remove(struct bits *set, uint32_t k)
{
    set->word[k / 64u] &= ~(UINT64_C(1) << (k % 64u));
}

static inline bool bits_any(struct bits set)
{
    return (set.word[0] | set.word[1] | set.word[2]) != 0u;
}

static inline bool bits_equal(struct bits a, struct bits b)
{
    return a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.word[2] == b.word[2];
}

/* How many numbers below n are in the set. */
static inline struct bits bits_and(struct bits a, struct bits b)
{
    const struct bits both = { { a.word[0] & b.word[0], a.word[1] & b.word[1],
                                 a.word[2] & b.word[2] } };
    return both;
}
static inline uint32_t bits_count(struct bits set, uint32_t n)
{
    uint32_t count = 0u;
    for (uint32_t k = 0u; n > 0u; k++) {
        const uint32_t here = n < 64u ? n : 64u;
        count += (uint32_t)__builtin_popcountll(set.word[k] << (64u - here));
        n -= here;
    }
    return count;
}

/* All numbers below n; n <= BITS_MAX. */
static inline struct bits bits_below(uint32_t n)
{
    struct bits set;

    for (uint32_t k = 0u; k < BITS_MAX / 64u; k++) {
        const uint32_t below = n > 64u * k ? n - 64u * k : 0u;
        set.word[k] = below >= 64u ? UINT64_MAX : (UINT64_C(1) << below) - 1u;
    }
    return set;
}

#endif
