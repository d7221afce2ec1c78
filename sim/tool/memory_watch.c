/* memory_watch - allocations that must not fail unseen; see memory_watch.h. */

#include "tool/memory_watch.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool lost;

static void *take(size_t size)
{
    void *const taken = malloc(size);

    lost = lost || taken == NULL;
    return taken;
}

void memory_watch(void)
{
    json_set_alloc_funcs(take, free);
}

void *memory_take(size_t n, size_t size)
{
    void *const taken = calloc(n, size);

    lost = lost || taken == NULL;
    return taken;
}

char *memory_copy(const char *text)
{
    const size_t n = strlen(text) + 1u;
    char *const copy = memory_take(n, 1u);

    return copy == NULL ? NULL : memcpy(copy, text, n);
}

bool memory_lost(void)
{
    return lost;
}
