/* exec_fault - what a kernel did wrong, and where. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "exec/exec_run.h"

/* Begins a fault with what was executed. */
static void begin(const struct exec_run *r, struct fault *fault)
{
    fault_set(fault, "%s: CTA (%u,%u,%u)", r->function->name, r->at[0], r->at[1], r->at[2]);
}

static void begin_thread(const struct exec_run *r, const struct run_warp *w,
                         const struct exec_step *s, uint32_t lane, struct fault *fault)
{
    const uint32_t *const block = r->launch->block;
    const uint32_t thread = w->number * WARP_SIZE + lane;

    begin(r, fault);
    fault_add(fault, ", thread (%u,%u,%u): %s:%u: ", thread % block[0],
              thread / block[0] % block[1], thread / block[0] / block[1],
              r->launch->module->file, s->inst->line);
}

bool exec_fault(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                uint32_t lanes, const char *format, ...)
{
    va_list arguments;

    begin_thread(r, w, s, lanes == 0u ? 0u : lowest_lane(lanes), r->fault);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_add_list(r->fault, format, arguments);
    va_end(arguments);
    return false;
}

bool exec_fault_memory(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       size_t n, const char *what)
{
    exec_fault(r, w, s, 1u, "no memory for %zu %s", n, what);
    return fault_by(r->fault, FAULT_SURROUNDINGS);
}

bool exec_fault_footprint(struct exec_run *r, const struct run_warp *w,
                          const struct exec_step *s, uint32_t lanes, uint64_t bytes)
{
    exec_fault(r, w, s, lanes, "no memory for footprints, which may take %" PRIu64 " bytes",
               bytes);
    return fault_by(r->fault, FAULT_SURROUNDINGS);
}

bool exec_fault_warps(struct exec_run *r)
{
    begin(r, r->fault);
    fault_add(r->fault, ": no memory for its %u warps", r->warps);
    return fault_by(r->fault, FAULT_SURROUNDINGS);
}

void exec_locate(const struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                 uint32_t lane, const char *what, char *text, size_t size)
{
    struct fault place;

    begin_thread(r, w, s, lane, &place);
    (void)snprintf(text, size, "%s%s", fault_text(&place), what);
}

const char *exec_space_name(enum ptx_space space)
{
    static const char *const name[] = { "generic",  "global", "shared",
                                        "constant", "local",  "parameter" };
    return name[space];
}

static const char *access_of(const struct ptx_inst *i)
{
    return i->op == PTX_ST ? "store" : i->op == PTX_LD || i->op == PTX_LDU ? "load" : "atomic";
}

/* How much memory there is, or why it is not enough. */
static void describe(const struct exec_run *r, const struct ptx_inst *i, enum ptx_space space,
                     uint64_t address, char *text, size_t size)
{
    const struct ptx_function *const f = r->function;
    if (space == SPACE_CONST && i->op != PTX_LD && i->op != PTX_LDU) {
        (void)snprintf(text, size, "constants are only read");
        return;
    }
    if (address - PTX_ENTRY_BASE < PTX_WINDOW) {
        (void)snprintf(text, size, "addresses of kernels are only launched");
        return;
    }
    if (space == SPACE_GLOBAL || space == SPACE_GENERIC) {
        device_describe(r->launch->memory, address, text, size);
        return;
    }
    const uint64_t bytes = space == SPACE_SHARED  ? r->shared_bytes
                           : space == SPACE_LOCAL ? f->local_bytes
                           : space == SPACE_PARAM ? f->param_bytes
                                                  : r->launch->module->const_bytes;
    (void)snprintf(text, size, "there are %" PRIu64 " bytes", bytes);
}

bool exec_fault_access(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       uint32_t lane, enum ptx_space space, uint64_t address)
{
    char where[160];
    describe(r, s->inst, space, address, where, sizeof where);
    const bool misaligned = (address & (s->total - 1u)) != 0u;
    const bool null = space == SPACE_GLOBAL && address < 4096u;
    return exec_fault(r, w, s, 1u << lane, "%s%s of %u bytes at %s address 0x%" PRIx64 ": %s",
                      misaligned ? "misaligned "
                      : null     ? "null "
                                 : "illegal ",
                      access_of(s->inst), s->total, exec_space_name(space), address, where);
}
