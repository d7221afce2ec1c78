/* long_division - two bits a cycle, as units divide that may take their time. */

#ifndef LONG_DIVISION_H
#define LONG_DIVISION_H

#include <stdint.h>

/*
 * Long division in base 4. The digits of the dividend brought down so far are the number
 * quotient * divisor + remainder; one more digit makes the next number, which is divided anew.
 * The quotient so far stands in the low digits of `held`, so the digits not brought down yet
 * are those above it.
 */
struct long_division {
    uint64_t held; /* at first the dividend, in the end the quotient */
    uint64_t remainder;
};

/* A step. width: of held, even; taken: bits of it brought down before; divisor > 0. */
static inline struct long_division long_division_step(struct long_division d, uint64_t divisor,
                                                      uint32_t width, uint32_t taken)
{
    const uint64_t quotient = d.held & ((UINT64_C(1) << taken) - 1u);
    const uint64_t digit = d.held >> (width - 2u);
    const uint64_t down = 4u * (quotient * divisor + d.remainder) + digit;
    const uint64_t waiting = (d.held ^ digit << (width - 2u)) >> taken; /* digits, at 0 */

    return (struct long_division){ waiting << (taken + 2u) | down / divisor, down % divisor };
}

#endif
