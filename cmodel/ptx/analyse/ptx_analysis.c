/* ptx_analysis - what the executor and the timing model need to know of a function beyond its
 * text: see the steps in ptx_analysis.h. */

#include "ptx/analyse/ptx_analysis.h"

bool ptx_analyse(struct ptx_module *module, struct ptx_function *f, struct fault *fault)
{
    struct ptx_scratch scratch = { .n = 0u };
    bool crowded = false;
    struct ptx_places places = { .row = NULL };
    struct ptx_predecessors before = { .first = NULL };
    bool good = ptx_flow(module, f, &before, &scratch);
    if (good && !ptx_allocate(f, &before, &places, &scratch)) {
        good = false;
        crowded = !scratch.failed;
    }
    good = good && ptx_rows(module, f, &places, &scratch) && ptx_constants(f, &scratch);
    ptx_scratch_free(&scratch);
    if (!good) {
        fault_at(fault, module->file, f->line, "%s: %s", f->name,
                 crowded ? "too many registers are alive at once; allowed: 2048"
                         : "out of memory");
        fault_by(fault, crowded ? FAULT_INPUT : FAULT_SURROUNDINGS);
    }
    return good;
}
