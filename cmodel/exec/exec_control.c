/* exec_control - a warp's steps: guards, branches on a stack of paths, exits. */

#include <assert.h>

#include "exec/exec_run.h"

/* ---- Paths --------------------------------------------------------------------------- */

void exec_start(struct run_warp *w, uint32_t lanes)
{
    w->depth = 1u;
    w->path[0] = (struct path){ .pc = 0u, .end = UINT32_MAX, .lanes = lanes };
    w->executed = 0u;
    w->alive = lanes;
    w->w.active = lanes;
    w->state = WARP_RUNS;
}

/* Paths that have come to their end, or have no lanes, are left. */
void exec_settle(struct run_warp *w)
{
    while (w->depth > 0u) {
        const struct path *const top = &w->path[w->depth - 1u];
        if (top->lanes != 0u && top->pc != top->end) {
            w->w.active = top->lanes;
            return;
        }
        w->depth--;
    }
    w->w.active = 0u;
}

void exec_retire(struct run_warp *w, uint32_t lanes)
{
    w->alive &= ~lanes;
    for (uint32_t k = 0u; k < w->depth; k++) {
        w->path[k].lanes &= ~lanes;
    }
    exec_settle(w);
}

static void push(struct run_warp *w, uint32_t pc, uint32_t end, uint32_t lanes)
{
    if (pc != end) {
        assert(w->depth < MAX_PATHS);
        w->path[w->depth++] = (struct path){ .pc = pc, .end = end, .lanes = lanes };
    }
}

/* A path that would wait at its own end for those above it needs no place of its own: loops
 * do not make the stack grow. */
static void diverge(struct run_warp *w, const struct ptx_inst *i, uint32_t jump)
{
    struct path *const top = &w->path[w->depth - 1u];
    const uint32_t next = top->pc + 1u;
    const uint32_t stay = top->lanes & ~jump;
    const uint32_t meet = i->reconverge;
    if (meet == top->end) {
        w->depth--;
    } else {
        top->pc = meet;
    }
    push(w, next, meet, stay);
    push(w, i->target, meet, jump);
}

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
            diverge(w, i, jump);
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

/* ---- Turns --------------------------------------------------------------------------- */

/* A clock counts the warp's own instructions. */
static void tick(struct exec_run *r, struct run_warp *w)
{
    static const uint8_t clocks[] = { SREG_CLOCK, SREG_CLOCK64, SREG_GLOBALTIMER };
    for (uint32_t k = 0u; k < 3u; k++) {
        const uint32_t row = r->function->special_row[clocks[k]];
        for (uint32_t lane = 0u; row != UINT32_MAX && lane < WARP_SIZE; lane++) {
            if (clocks[k] == SREG_CLOCK) {
                ((uint32_t *)(void *)(w->w.rows + row))[lane] = (uint32_t)w->executed;
            } else {
                ((uint64_t *)(void *)(w->w.rows + row))[lane] = w->executed;
            }
        }
    }
}

static bool step_other(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
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
        tick(r, w);
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
    return true;
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
        } else {
            good = step_other(r, w, s, lanes);
            if (s->kind == STEP_BARRIER) {
                break; /* who opens it goes on in turn, after the warps before it */
            }
        }
    }
    r->executed += most - left;
    return good;
}
