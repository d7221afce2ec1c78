/* seed - the random numbers of tests: from where they start, which is printed to repeat a run,
 * and small draws. */

#ifndef SEED_H
#define SEED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random_bits.h"

/* A number of the environment, or a standard one. Printed. */
uint64_t printed_number(const char *name, uint64_t standard);
/* SEED of the environment, or 1. Printed. */
uint64_t printed_seed(void);

/* A number of so many bits, 1 to 32. */
uint32_t some_number(uint64_t *random, uint32_t width);
/* From 1 to n. */
uint32_t some(uint64_t *random, uint32_t n);
bool one_in(uint64_t *random, uint32_t n);

#endif
