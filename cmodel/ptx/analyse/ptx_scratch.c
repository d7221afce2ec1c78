/* ptx_scratch - memory for the steps of an analysis, which is freed at its end. */

#include <stdlib.h>

#include "ptx/analyse/ptx_analysis.h"

void *ptx_scratch(struct ptx_scratch *scratch, size_t n, size_t size)
{
    void *const memory =
        scratch->n < sizeof scratch->block / sizeof *scratch->block ? calloc(n, size) : NULL;
    if (memory == NULL) {
        scratch->failed = true;
        return NULL;
    }
    scratch->block[scratch->n++] = memory;
    return memory;
}

void ptx_scratch_free(struct ptx_scratch *scratch)
{
    for (uint32_t k = 0u; k < scratch->n; k++) {
        free(scratch->block[k]);
    }
    scratch->n = 0u;
}
