/* exec_fault - what a kernel did wrong, and where. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "exec/exec_run.h"

static size_t used(const struct exec_run *r, int n)
{
    return n < 0 ? 0u : (size_t)n < r->size ? (size_t)n : r->size;
}

static size_t put_cta(struct exec_run *r)
{
    return used(r, snprintf(r->message, r->size, "%s: CTA (%u,%u,%u)", r->function->name,
                            r->at[0], r->at[1], r->at[2]));
}

static size_t put_thread(struct exec_run *r, size_t n, uint32_t thread)
{
    const uint32_t *const block = r->launch->block;
    return n
           + used(r, snprintf(r->message + n, r->size - n, ", thread (%u,%u,%u)",
                              thread % block[0], thread / block[0] % block[1],
                              thread / block[0] / block[1]));
}

static size_t clamp(const struct exec_run *r, size_t n)
{
    return n < r->size ? n : r->size;
}

bool exec_fault(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                uint32_t lanes, const char *format, ...)
{
    va_list arguments;
    const uint32_t lane = lanes == 0u ? 0u : lowest_lane(lanes);
    size_t n = clamp(r, put_thread(r, put_cta(r), w->number * WARP_SIZE + lane));
    n += used(r, snprintf(r->message + n, r->size - n, ": %s:%u: ", r->launch->module->file,
                          s->inst->line));
    n = clamp(r, n);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    (void)vsnprintf(r->message + n, r->size - n, format, arguments);
    va_end(arguments);
    return false;
}

void exec_locate(const struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                 uint32_t lane, const char *what, char *text, size_t size)
{
    struct exec_run other = *r;
    other.message = text;
    other.size = size;
    (void)exec_fault(&other, w, s, 1u << lane, "%s", what);
}

bool exec_fault_cta(struct exec_run *r, const char *format, ...)
{
    va_list arguments;
    size_t n = put_cta(r);
    n = clamp(r, n + used(r, snprintf(r->message + n, r->size - n, ": ")));
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    (void)vsnprintf(r->message + n, r->size - n, format, arguments);
    va_end(arguments);
    return false;
}

static const char *name_of(enum ptx_space space)
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
                      access_of(s->inst), s->total, name_of(space), address, where);
}
