/*
 * exec_poll - warps that wait for a value: what they look for, and who wrote it last.
 *
 * A warp polls if an ordered load, or an atomic that changed nothing, has found what it found
 * the last time, and the warp has since stored nothing and arrived at no barrier. If all warps
 * poll, nobody will ever write what they wait for.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec_run.h"

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static uint64_t value_at(const uint8_t *at, uint32_t bytes)
{
    uint64_t value = 0u;
    memcpy(&value, at, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

static uint64_t hash_of(const struct exec_step *s, const struct exec_access *a, uint32_t lanes)
{
    uint64_t hash = lanes;
    EACH_LANE(lane, lanes)
    {
        hash = mix(hash ^ a->address[lane]);
        for (uint32_t k = 0u; k < s->total; k += 8u) {
            hash = mix(hash ^ value_at(a->at[lane] + k, s->total - k));
        }
    }
    return hash;
}

void exec_poll_found(const struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     const struct exec_access *a, uint32_t lanes)
{
    const uint32_t lane = lowest_lane(lanes);
    struct poll *const poll = &w->poll[((size_t)(s - r->step) + lane) % POLLS];
    const uint64_t hash = hash_of(s, a, lanes);
    if (!w->looked) {
        memset(w->poll, 0, sizeof w->poll);
        w->looked = true;
    }
    w->polls = poll->step == s && poll->hash == hash ? w->polls + 1u : 0u;
    *poll = (struct poll){ s, hash };
    w->found =
        (struct found){ s, lane, a->space, a->address[lane], value_at(a->at[lane], s->total) };
}

static struct writer *writer_of(const struct exec *exec, uint64_t address)
{
    return &exec->writer[mix(address >> 2) % WRITERS];
}

/* Of many lanes the first ones: flags and locks are written by one. */
void exec_poll_wrote(const struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     const struct exec_access *a, uint32_t lanes)
{
    struct exec *const exec = r->exec;
    uint32_t n = 0u;
    exec_poll_done(w);
    if (a->space != SPACE_GLOBAL) {
        return;
    }
    if (exec->writer == NULL) {
        exec->writer = calloc(WRITERS, sizeof *exec->writer);
    }
    EACH_LANE(lane, lanes)
    {
        if (exec->writer == NULL || n++ == 4u) {
            return; /* without memory a report says less */
        }
        *writer_of(exec, a->address[lane]) =
            (struct writer){ .address = a->address[lane],
                             .step = s,
                             .program = r->program,
                             .cta = r->cta,
                             .thread = w->number * WARP_SIZE + lane };
    }
}

static void describe_writer(const struct exec_run *r, uint64_t address, struct fault *fault)
{
    const struct writer *const by =
        r->exec->writer == NULL ? NULL : writer_of(r->exec, address);
    if (by != NULL && by->step != NULL && by->address == address) {
        fault_add(fault, "; last written by %s: CTA %" PRIu32 ", thread %" PRIu32 ": line %u",
                  by->program->function->name, by->cta, by->thread, by->step->inst->line);
    } else {
        fault_add(fault, "; no atomic or ordered store of a kernel has written it");
    }
}

void exec_poll_describe(const struct exec_run *r, const struct run_warp *w, struct fault *fault)
{
    const struct found *const found = &w->found;
    char text[512];
    exec_locate(r, w, found->step, found->lane, "", text, sizeof text);
    fault_add(fault,
              "\n  %swarp %" PRIu32 " polls %s address 0x%" PRIx64 ", where 0x%" PRIx64 " is",
              text, w->number, exec_space_name(found->space), found->address, found->value);
    if (found->space == SPACE_GLOBAL) {
        describe_writer(r, found->address, fault);
    }
    if (w->depth > 1u && r->launch->module->target < INDEPENDENT) {
        fault_add(fault, "; before sm_70 the lanes of a warp cannot wait for each other");
    }
}
