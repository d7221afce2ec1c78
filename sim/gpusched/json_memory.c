/* json_memory - memory for JSON; see json_memory.h. */

#include "json_memory.h"

#include <jansson.h>
#include <stdlib.h>

static bool lost;

static void *take(size_t size)
{
    void *const taken = malloc(size);

    lost = lost || taken == NULL;
    return taken;
}

void json_memory_watch(void)
{
    json_set_alloc_funcs(take, free);
}

bool json_memory_lost(void)
{
    return lost;
}
