/* exec_runtime - calls of the device runtime, lane by lane; see exec.h. */

#include <string.h>

#include "exec/exec_run.h"

struct caller {
    struct exec_run *run;
    uint32_t warp, lane;
};

bool exec_call_store(const struct exec_call *call, uint64_t address, const void *from,
                     uint32_t bytes)
{
    const struct caller *const by = call->caller;
    const enum ptx_space space = exec_window(&address);
    uint8_t *const at = space == SPACE_CONST
                            ? NULL
                            : exec_host_at(by->run, by->warp, by->lane, space, address, bytes);

    if (at == NULL) {
        return false;
    }
    memcpy(at, from, bytes);
    if (by->run->check != NULL) {
        exec_check_wrote(by->run, by->warp, by->lane, space, address, bytes);
    }
    return true;
}

/* The words of a lane; those of 32 bits without a sign. */
static void gather(const struct run_warp *w, const struct exec_run *r, const struct ptx_inst *i,
                   uint32_t lane, uint64_t *argument)
{
    for (uint32_t k = 0u; k < i->n_src; k++) {
        const void *const row = exec_source(&w->w, &i->src[k]);
        const bool wide = r->function->reg[i->src[k].reg].class == CLASS_64;
        argument[k] = wide ? ((const uint64_t *)row)[lane] : ((const uint32_t *)row)[lane];
    }
}

static void put_result(struct run_warp *w, const struct exec_run *r, const struct ptx_inst *i,
                       uint32_t lane, uint64_t result)
{
    if (i->n_dst == 0u) {
        return;
    }
    void *const row = exec_destination(&w->w, &i->dst[0]);
    if (r->function->reg[i->dst[0].reg].class == CLASS_64) {
        ((uint64_t *)row)[lane] = result;
    } else {
        ((uint32_t *)row)[lane] = (uint32_t)result;
    }
}

/* The fault says what was wrong; unless it says where, too, that is told first. */
static bool refuse(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                   const struct exec_call *call, uint32_t lane)
{
    if (call->located) {
        return false;
    }
    const struct fault why = *r->fault;
    exec_fault(r, w, s, 1u << lane, "%s: %s", ptx_runtime_name(call->function),
               fault_text(&why));
    return fault_by(r->fault, why.kind);
}

bool exec_call_runtime(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                       uint32_t lanes)
{
    const struct exec_runtime *const runtime = r->launch->runtime;
    const struct ptx_inst *const i = s->inst;
    exec_poll_done(w);
    EACH_LANE(lane, lanes)
    {
        uint64_t argument[PTX_MAX_SOURCES] = { 0u };
        const struct caller caller = { r, w->number, lane };
        struct exec_call call = { .function = (enum ptx_runtime)i->target,
                                  .argument = argument,
                                  .launch = r->launch,
                                  .cta = r->cta,
                                  .thread = w->number * WARP_SIZE + lane,
                                  .lanes = count_lanes(lanes),
                                  .cycle = r->cycle,
                                  .of_cta = &r->of_cta,
                                  .footprint = r->footprint,
                                  .caller = &caller,
                                  .fault = r->fault };
        gather(w, r, i, lane, argument);
        if (runtime == NULL) {
            fault_set(r->fault, "there is no device runtime here");
            return refuse(r, w, s, &call, lane);
        }
        if (!runtime->call(runtime->self, &call)) {
            return refuse(r, w, s, &call, lane);
        }
        put_result(w, r, i, lane, call.result);
        r->waits = r->waits || call.waits;
    }
    return true;
}
