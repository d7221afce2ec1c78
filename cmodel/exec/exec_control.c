/* exec_control - a warp's steps: guards, branches, exits. */

#include "exec/exec_run.h"

/* ---- Steps --------------------------------------------------------------------------- */

static void branch(const struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                   uint32_t jump)
{
    struct path *const top = &w->path[w->depth - 1u];
    const struct ptx_inst *const i = s->inst;
    if (jump == 0u || i->target == top->pc + 1u) {
        top->pc++;
    } else {
        if (r->streams) {
            exec_last(w)->flags |= TAKEN;
        }
        if (jump == top->lanes) {
            top->pc = i->target;
        } else {
            exec_diverge(w, i, jump);
        }
    }
    exec_settle(w);
}

/* The last lanes' exit ends the stream; earlier ones are to the timing model branches that
 * are not taken. */
static void leave(struct exec_run *r, struct run_warp *w, uint32_t lanes)
{
    const bool last = lanes == w->alive;
    if (r->streams) {
        exec_last(w)->op = last ? OP_EXIT : OP_BRANCH;
    }
    w->path[w->depth - 1u].pc++; /* of the lanes that stay */
    exec_retire(w, lanes);
    if (last) {
        w->state = WARP_ENDED;
        exec_bar_ended(r);
    }
}

bool exec_step_other(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     uint32_t lanes)
{
    switch (s->kind) {
    case STEP_BRANCH:
        branch(r, w, s, lanes);
        return true;
    case STEP_EXIT:
        leave(r, w, lanes);
        return true;
    case STEP_BARRIER:
        return exec_bar(r, w, s, lanes);
    case STEP_CLOCK:
        exec_tick(r, w);
        s->handler(&w->w, s->inst, lanes);
        break;
    case STEP_ACTION:
        if (lanes != 0u && !s->action(r, w, s, lanes)) {
            return false;
        }
        break;
    default:
        break;
    }
    w->path[w->depth - 1u].pc++;
    exec_settle(w);
    if (s->ordered && w->polls != 0u && w->depth > 1u
        && r->launch->module->target >= INDEPENDENT) {
        exec_yield(w);
    }
    return true;
}

/* ---- Turns --------------------------------------------------------------------------- */

/* An ordering point is recorded, with what it will access; it is executed when it is issued. */
static bool put_off(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                    uint32_t lanes)
{
    struct exec_access a;
    w->due = s;
    w->due_lanes = lanes;
    if (s->fence && r->launch->fences) {
        exec_last(w)->op = OP_FENCE;
    }
    return s->total == 0u || exec_resolve(r, w, s, lanes, &a);
}

/* The window holds as many words of accesses as instructions. */
static bool full(const struct exec_run *r, const struct run_warp *w)
{
    return r->streams && w->list->n_access >= r->launch->ahead;
}

bool exec_turn(struct exec_run *r, struct run_warp *w, uint64_t most)
{
    const struct exec_step *const steps = r->step;
    const bool streams = r->streams;
    uint64_t left = most;
    bool good = true;

    while (good && left > 0u && w->state == WARP_RUNS) {
        struct path *const top = &w->path[w->depth - 1u];
        const struct exec_step *const s = &steps[top->pc];
        uint32_t lanes = top->lanes;
        if (s->guarded) {
            lanes &=
                *(const uint32_t *)(const void *)(w->w.rows + s->guard_row) ^ s->guard_flip;
        }
        left--;
        w->executed++;
        if (streams && !exec_record(r, w, s, lanes)) {
            return false;
        }
        if (s->kind == STEP_ALU) {
            if (lanes != 0u) {
                s->handler(&w->w, s->inst, lanes);
            }
            if (++top->pc == top->end) {
                exec_settle(w);
            }
        } else if (streams && s->ordered && lanes != 0u) {
            good = put_off(r, w, s, lanes);
            break;
        } else {
            good = exec_step_other(r, w, s, lanes);
            if (s->kind == STEP_BARRIER || full(r, w) || (s->ordered && exec_polls(w))) {
                break; /* who opens a barrier goes on in turn, after the warps before it */
            }
        }
    }
    r->executed += most - left;
    return good;
}
