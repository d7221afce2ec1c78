/* ptx_fuzz - any bytes as PTX: the reader and the analysis accept them or refuse them with a
 * located message, and what they accept can be put into another order; none of them crashes or
 * leaks. `make fuzz` */

#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fault fault;
    struct ptx_module *const module =
        ptx_load_text("fuzz.ptx", (const char *)data, size, &fault);
    if (module == NULL && strncmp(fault_text(&fault), "fuzz.ptx:", 9u) != 0) {
        abort(); /* refused without saying where */
    }
    const struct ptx_order order = { .registers = 32u, .granule = 8u };
    if (module != NULL && !ptx_reorder(module, &order, &fault)) {
        abort();
    }
    ptx_free(module);
    return 0;
}
