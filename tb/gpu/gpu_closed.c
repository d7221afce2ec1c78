/* gpu_closed - see gpu_closed.h. */

#include "tb/gpu/gpu_closed.h"

uint64_t start_of(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u + c->fetch.latency;
}

struct gpu_config wide_config(void)
{
    struct gpu_config c = small_config();
    c.fetch.warps = 4u;
    c.fetch.width = 8u;
    c.fetch.groups = 2u;
    return c;
}

void finish_free(struct program *p, enum op_class op, uint32_t n)
{
    *p = (struct program){ .length = 0u };
    emit_free(p, op, n);
    emit_exit(p);
}

static struct program text; /* too large for the stack of every test */

uint64_t free_cycles(const struct gpu_config *c, enum op_class op, uint32_t n, uint32_t warps)
{
    finish_free(&text, op, n);
    return cycles_of(c, &text, warps);
}
