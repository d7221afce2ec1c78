/* seed - the random numbers of tests; see seed.h. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "tb/base/seed.h"

uint64_t printed_number(const char *name, uint64_t standard)
{
    const char *const text = getenv(name);
    const uint64_t number = text != NULL ? strtoull(text, NULL, 0) : standard;

    print_message("%s=%" PRIu64 "\n", name, number);
    return number;
}

uint64_t printed_seed(void)
{
    return printed_number("SEED", 1u);
}

uint32_t some_number(uint64_t *random, uint32_t width)
{
    return (uint32_t)(random_bits(random) >> (64u - width));
}

uint32_t some(uint64_t *random, uint32_t n)
{
    return 1u + random_below(random, n);
}

bool one_in(uint64_t *random, uint32_t n)
{
    return random_below(random, n) == 0u;
}
