/*
 * exec_barrier - bar.sync, bar.arrive and bar.red.
 *
 * Warps arrive, as on GPUs before Volta: all lanes of a warp that have not exited, together.
 * A lane that has left the others for the exit, and waits there, counts as exited; lanes that
 * could still come along another path are run first. Without a number of threads a barrier
 * waits for all warps that have not ended.
 *
 * A barrier that no lane executes is to the timing model an integer instruction.
 */

#include "exec/exec_run.h"

/* ---- Diverged warps ------------------------------------------------------------------ */

static bool ends_thread(const struct exec_run *r, uint32_t pc)
{
    const struct exec_step *s = &r->step[pc];
    for (uint32_t k = 0u; k < 8u && s->kind == STEP_BRANCH && !s->guarded; k++) {
        s = &r->step[s->inst->target];
    }
    return s->kind == STEP_EXIT && !s->guarded;
}

/* The uppermost path below the top in which some of the lanes are. */
static uint32_t path_of(const struct run_warp *w, uint32_t lanes)
{
    uint32_t k = w->depth - 1u;
    while (k > 0u && (w->path[k - 1u].lanes & lanes) == 0u) {
        k--;
    }
    return k - 1u;
}

enum meeting { MEET_ALL, MEET_LATER, MEET_NEVER };

/* Lanes that a yield has parted from these wait at the same barrier: they are one path again.
 */
static bool join(const struct exec_step *s, struct run_warp *w, uint32_t below, uint32_t *lanes)
{
    struct path *const top = &w->path[w->depth - 1u];
    const struct path other = w->path[below];
    if (other.pc != top->pc || other.end != top->end || s->guarded) {
        return false;
    }
    top->lanes |= other.lanes;
    *lanes |= other.lanes;
    exec_remove(w, below);
    return true;
}

/* Another path goes on, in which some of the missing lanes are. */
static enum meeting turn_to(const struct exec_run *r, struct run_warp *w, uint32_t below)
{
    const struct path *const top = &w->path[w->depth - 1u];
    const struct path *const other = &w->path[below];
    const bool independent = r->launch->module->target >= INDEPENDENT;
    if ((other->lanes & top->lanes) != 0u || r->step[other->pc].kind == STEP_BARRIER
        || (other->end != top->end && !independent)) {
        return MEET_NEVER;
    }
    exec_lift(w, below);
    exec_settle(w);
    return MEET_LATER;
}

/* Do all lanes that have not exited arrive? MEET_LATER: another path was put on top. */
static enum meeting meet(const struct exec_run *r, struct run_warp *w,
                         const struct exec_step *s, uint32_t *lanes)
{
    while (w->alive != *lanes) {
        const uint32_t missing = w->alive & ~*lanes;
        if ((missing & w->path[w->depth - 1u].lanes) != 0u) { /* switched off by the guard */
            return MEET_NEVER;
        }
        const uint32_t below = path_of(w, missing);
        if (ends_thread(r, w->path[below].pc)) {
            exec_retire(w, missing & w->path[below].lanes);
        } else if (!join(s, w, below, lanes)) {
            return turn_to(r, w, below);
        }
    }
    return MEET_ALL;
}

/* ---- Arrivals ------------------------------------------------------------------------ */

static uint32_t alive_warps(const struct exec_run *r)
{
    uint32_t n = 0u;
    for (uint32_t k = 0u; k < r->warps; k++) {
        n += r->warp[k].state != WARP_ENDED ? 1u : 0u;
    }
    return n;
}

static bool reduces(const struct ptx_inst *i)
{
    return i->mode == MODE_RED_AND || i->mode == MODE_RED_OR || i->mode == MODE_RED_POPC;
}

static void give_result(const struct run_barrier *b, struct run_warp *w)
{
    const struct ptx_inst *const i = w->waits->inst;
    if (!reduces(i) || i->dst[0].kind != OPERAND_REGISTER) {
        return;
    }
    uint32_t *const to = exec_destination(&w->w, &i->dst[0]);
    if (i->mode == MODE_RED_POPC) {
        EACH_LANE(lane, w->wait_lanes)
        {
            to[lane] = b->trues;
        }
        return;
    }
    const bool result = i->mode == MODE_RED_AND ? b->trues == b->count : b->trues != 0u;
    *to = (*to & ~w->wait_lanes) | (result ? w->wait_lanes : 0u);
}

static void open_if_complete(struct exec_run *r, uint32_t id)
{
    struct run_barrier *const b = &r->barrier[id];
    const uint32_t expected = b->expected != 0u ? b->expected : alive_warps(r);
    if (b->arrived == 0u || b->arrived < expected) {
        return;
    }
    if (r->check != NULL) {
        exec_check_leave(r, id);
    }
    for (uint32_t k = 0u; k < r->warps; k++) {
        struct run_warp *const w = &r->warp[k];
        if (w->state == WARP_WAITS && w->barrier == id) {
            give_result(b, w);
            w->state = WARP_RUNS;
        }
    }
    *b = (struct run_barrier){ .arrived = 0u };
}

void exec_bar_ended(struct exec_run *r)
{
    for (uint32_t id = 0u; id < BARRIERS; id++) {
        if (r->barrier[id].arrived != 0u && r->barrier[id].expected == 0u) {
            open_if_complete(r, id);
        }
    }
}

static uint32_t value_of(const struct run_warp *w, const struct ptx_operand *o, uint32_t lanes)
{
    return ((const uint32_t *)exec_source(&w->w, o))[lowest_lane(lanes)];
}

/* The operand with the number of threads; NULL if it was left out. */
static const struct ptx_operand *threads_operand(const struct ptx_inst *i)
{
    const uint32_t without = reduces(i) ? 2u : 1u;
    return i->n_src > without && i->src[1].kind != OPERAND_NONE ? &i->src[1] : NULL;
}

static bool arrive(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                   uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    const struct ptx_operand *const o = threads_operand(i);
    const uint32_t id = value_of(w, &i->src[0], lanes);
    const uint32_t threads = o == NULL ? 0u : value_of(w, o, lanes);
    if (id >= BARRIERS) {
        return exec_fault(r, w, s, lanes, "barrier %u; there are 0 to 15", id);
    }
    if (o != NULL && (threads == 0u || threads % WARP_SIZE != 0u)) {
        return exec_fault(r, w, s, lanes, "barrier %u for %u threads; allowed: multiples of 32",
                          id, threads);
    }
    struct run_barrier *const b = &r->barrier[id];
    if (b->arrived != 0u && b->expected != threads / WARP_SIZE) {
        return exec_fault(r, w, s, lanes,
                          "barrier %u for %u threads, but others wait there for %u", id,
                          threads, b->expected * WARP_SIZE);
    }
    b->expected = threads / WARP_SIZE;
    b->arrived++;
    exec_poll_done(w);
    if (r->check != NULL) {
        exec_check_arrive(r, w->number, id);
    }
    if (reduces(i)) {
        b->count += count_lanes(lanes);
        b->trues += count_lanes(lanes & exec_predicate(&w->w, &i->src[i->n_src - 1u]));
    }
    if (i->mode != MODE_ARRIVE) {
        w->state = WARP_WAITS;
        w->waits = s;
        w->barrier = id;
        w->wait_lanes = lanes;
    }
    if (r->streams) {
        exec_last(w)->accesses = (uint8_t)(threads / WARP_SIZE);
        exec_last(w)->flags = (uint8_t)BARRIER_FLAGS(id, i->mode == MODE_ARRIVE);
    }
    open_if_complete(r, id);
    return true;
}

bool exec_bar(struct exec_run *r, struct run_warp *w, const struct exec_step *s, uint32_t lanes)
{
    if (lanes == 0u) { /* nobody arrives */
        if (r->streams) {
            exec_last(w)->op = OP_INTEGER;
        }
    } else {
        switch (meet(r, w, s, &lanes)) {
        case MEET_LATER: /* has not executed yet */
            r->executed--;
            w->executed--;
            if (r->streams) {
                w->list->n_instruction--;
            }
            return true;
        case MEET_NEVER:
            return exec_fault(r, w, s, w->alive & ~lanes,
                              "a barrier that this thread does not reach with its warp: lanes "
                              "%08x of %08x do",
                              lanes, w->alive);
        default:
            if (r->streams) {
                exec_last(w)->lanes = (uint8_t)count_lanes(lanes);
            }
            if (!arrive(r, w, s, lanes)) {
                return false;
            }
        }
    }
    w->path[w->depth - 1u].pc++;
    exec_settle(w);
    return true;
}
