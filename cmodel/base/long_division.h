/* long_division - a few bits a cycle, as units divide that may take their time. */

#ifndef LONG_DIVISION_H
#define LONG_DIVISION_H

#include <stdint.h>

/*
 * Long division in base 2, 4, ...: digits of some bits. The digits of the dividend brought down
 * so far are the number quotient * divisor + remainder; one more digit makes the next number,
 * which is divided anew. The quotient so far stands in the low digits of `held`, so the digits
 * not brought down yet are those above it.
 */
struct long_division {
    uint64_t held; /* at first the dividend, in the end the quotient */
    uint64_t remainder;
};

/* A step. bits: of a digit; width: of held, whole digits; taken: bits of it brought down
 * before; divisor > 0. */
static inline struct long_division long_division_step(struct long_division d, uint64_t divisor,
                                                      uint32_t bits, uint32_t width,
                                                      uint32_t taken)
{
    const uint64_t quotient = d.held & ((UINT64_C(1) << taken) - 1u);
    const uint64_t digit = d.held >> (width - bits);
    const uint64_t down = ((quotient * divisor + d.remainder) << bits) + digit;
    const uint64_t waiting = (d.held ^ digit << (width - bits)) >> taken; /* digits, at 0 */

    return (struct long_division){ waiting << (taken + bits) | down / divisor, down % divisor };
}

#endif
