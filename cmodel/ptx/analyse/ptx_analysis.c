/* ptx_analysis - what the executor and the timing model need to know of a function beyond its
 * text: see the steps in ptx_analysis.h. */

#include "ptx/analyse/ptx_analysis.h"

#include <stdio.h>

bool ptx_analyse(struct ptx_module *module, struct ptx_function *f, char *message, size_t size)
{
    struct ptx_scratch scratch = { .n = 0u };
    const char *problem = "out of memory";
    struct ptx_places places = { .row = NULL };
    struct ptx_predecessors before = { .first = NULL };
    bool good = ptx_flow(module, f, &before, &scratch);
    if (good && !ptx_allocate(f, &before, &places, &scratch)) {
        good = false;
        problem =
            scratch.failed ? problem : "too many registers are alive at once; allowed: 2048";
    }
    good = good && ptx_rows(module, f, &places, &scratch);
    ptx_scratch_free(&scratch);
    if (!good) {
        (void)snprintf(message, size, "%s:%u: %s: %s", module->file, f->line, f->name, problem);
    }
    return good;
}
