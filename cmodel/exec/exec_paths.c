/*
 * exec_paths - lanes that diverge, on a stack of paths.
 *
 * A path has its next instruction, and the one at which it ends because the paths below go on
 * there: the immediate post-dominator of the branch. The uppermost path executes. A branch's
 * jumping lanes go first, and the switch to others costs the timing model nothing but the
 * branch.
 *
 * Any path that none above will come back to may be the uppermost: its order among those does
 * not matter. That is how lanes wait for each other (exec_yield).
 */

#include <assert.h>

#include "exec/exec_run.h"

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
    uint32_t n = 0u;
    w->alive &= ~lanes;
    for (uint32_t k = 0u; k < w->depth; k++) {
        w->path[n] = w->path[k];
        w->path[n].lanes &= ~lanes;
        n += w->path[n].lanes != 0u ? 1u : 0u;
    }
    w->depth = n;
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
void exec_diverge(struct run_warp *w, const struct ptx_inst *i, uint32_t jump)
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

/* ---- Lanes that wait for others ------------------------------------------------------ */

void exec_remove(struct run_warp *w, uint32_t k)
{
    for (w->depth--; k < w->depth; k++) {
        w->path[k] = w->path[k + 1u];
    }
}

void exec_lift(struct run_warp *w, uint32_t k)
{
    const struct path chosen = w->path[k];
    exec_remove(w, k);
    w->path[w->depth++] = chosen;
}

/* The lowest path with lanes that wait for none above it, but for time, goes on; those lanes
 * alone, if it is where others will meet it. So all have their turn. */
void exec_yield(struct run_warp *w)
{
    uint32_t above = 0u, from = 0u, free = 0u;
    for (uint32_t k = w->depth; k-- > 0u;) {
        const uint32_t lanes = w->path[k].lanes & ~above;
        above |= w->path[k].lanes;
        if (lanes != 0u) {
            from = k;
            free = lanes;
        }
    }
    if (from + 1u >= w->depth || w->depth > MAX_PATHS / 2u) {
        return; /* there are no others, or too many paths to leave room for branches */
    }
    if (free == w->path[from].lanes) {
        exec_lift(w, from);
    } else {
        w->path[from].lanes &= ~free;
        push(w, w->path[from].pc, w->path[from].end, free);
    }
    exec_settle(w);
}
