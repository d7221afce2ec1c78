/*
 * exec_turns - whose turn it is: pieces of the streams of warps, which the timing model asks
 * for, and CTAs without timing, which take turns among themselves.
 */

#include <inttypes.h>

#include "exec/exec_run.h"

/* ---- What ends a kernel -------------------------------------------------------------- */

/* The warps that have not ended wait at barriers that will not open. */
static bool stuck(struct exec_run *r)
{
    uint32_t k = 0u;
    while (r->warp[k].state != WARP_WAITS) {
        k++;
    }
    const struct run_warp *const w = &r->warp[k];
    const struct run_barrier *const b = &r->barrier[w->barrier];
    uint32_t alive = 0u;
    for (k = 0u; k < r->warps; k++) {
        alive += r->warp[k].state != WARP_ENDED ? 1u : 0u;
    }
    return exec_fault(r, w, w->waits, w->wait_lanes,
                      "this barrier (%u) never opens: %u of %u warps are there, and no other "
                      "will come",
                      w->barrier, b->arrived, b->expected != 0u ? b->expected : alive);
}

static bool over_limit(struct exec_run *r, const struct run_warp *w)
{
    const struct exec_tree *const tree = r->launch->tree;
    const struct exec_step *const s = &r->step[w->path[w->depth - 1u].pc];

    if (tree == NULL || tree->kernels == 1u) {
        return exec_fault(r, w, s, w->w.active,
                          "the kernel has executed %" PRIu64 " warp instructions, its limit",
                          r->launch->executed);
    }
    return exec_fault(r, w, s, w->w.active,
                      "%.100s of the host and all that it has led to (launches: %" PRIu64
                      ") have executed %" PRIu64 " warp instructions, their limit",
                      tree->name, tree->kernels - 1u, tree->executed);
}

/* Warp instructions that the warp may execute now. */
static uint64_t allowed(const struct exec_run *r, uint64_t most)
{
    const struct exec_launch *const g = r->launch;
    const uint64_t executed = g->tree == NULL ? g->executed : g->tree->executed;
    const uint64_t left = g->limit == 0u ? UINT64_MAX : g->limit - executed;
    return left < most ? left : most;
}

static bool turn(struct exec_run *r, struct run_warp *w, uint64_t most)
{
    const uint64_t n = allowed(r, most);
    if (n == 0u) {
        return over_limit(r, w);
    }
    r->executed = 0u;
    const bool good = exec_turn(r, w, n);
    r->launch->executed += r->executed;
    if (r->launch->tree != NULL) {
        r->launch->tree->executed += r->executed;
    }
    r->exec->executed += r->executed;
    return good;
}

/* Could any warp go on by itself? */
static bool moves(const struct exec_run *r, bool *waits)
{
    bool runs = false;
    *waits = false;
    for (uint32_t k = 0u; k < r->warps; k++) {
        runs = runs || r->warp[k].state == WARP_RUNS;
        *waits = *waits || r->warp[k].state == WARP_WAITS;
    }
    return runs;
}

/* ---- Pieces of streams --------------------------------------------------------------- */

static bool piece(struct exec_run *r, struct run_warp *w, struct warp_stream *stream)
{
    static const uint32_t none; /* of a warp that has accessed nothing */
    struct record_list *const l = w->list;
    bool good = true;
    bool waits;
    l->n_instruction = l->n_access = 0u;
    do { /* a warp that turns to other lanes in front of a barrier has not executed it */
        good = turn(r, w, r->launch->ahead);
    } while (good && l->n_instruction == 0u);
    if (good && w->state != WARP_RUNS && !moves(r, &waits) && waits) {
        return stuck(r);
    }
    *stream = (struct warp_stream){ .instruction = l->instruction,
                                    .access = l->access != NULL ? l->access : &none,
                                    .n = (uint32_t)l->n_instruction,
                                    .polls = exec_polls(w) };
    return good;
}

/* In place of a piece: the warp waits for what its CTA has launched. */
static void wait_for_children(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                              struct warp_stream *stream)
{
    static const uint32_t none;
    struct instruction *const i = w->list->instruction; /* there is room for what called */

    r->waits = false;
    *i = (struct instruction){ .op = OP_EXIT, .flags = CHILDREN, .pc = s->timing.pc };
    *stream = (struct warp_stream){ .instruction = i, .access = &none, .n = 1u };
}

bool exec_cta(struct exec *exec, struct exec_launch *launch, uint32_t cta,
              struct warp_stream *warp, void **handle, struct fault *fault)
{
    struct exec_run *const r = exec_take(exec, launch, cta, fault);
    *handle = NULL;
    for (uint32_t k = 0u; r != NULL && k < r->warps; k++) {
        if (!piece(r, &r->warp[k], &warp[k])) {
            exec_give(r);
            return false;
        }
    }
    *handle = r;
    return r != NULL;
}

bool exec_more(void *handle, uint32_t warp, uint64_t cycle, struct warp_stream *stream,
               struct fault *fault)
{
    struct exec_run *const r = handle;
    r->fault = fault;
    if (!exec_wake(r)) {
        return false;
    }
    struct run_warp *const w = &r->warp[warp];
    const struct exec_step *const s = w->due;
    r->cycle = cycle;
    if (w->state != WARP_RUNS) {
        return exec_fault(r, w, w->waits, w->wait_lanes,
                          "warps have passed barrier %u in another order than they reach it",
                          w->barrier);
    }
    if (s != NULL) {
        w->due = NULL;
        r->performs = true;
        const bool good = exec_step_other(r, w, s, w->due_lanes);
        r->performs = false;
        if (!good) {
            return false;
        }
        if (r->waits) {
            wait_for_children(r, w, s, stream);
            return true;
        }
    }
    return piece(r, w, stream);
}

bool exec_describe(void *handle, uint32_t warp, struct fault *fault)
{
    const struct exec_run *const r = handle;
    const bool polls = r->rested == NULL && exec_polls(&r->warp[warp]);
    if (polls) {
        exec_poll_describe(r, &r->warp[warp], fault);
    }
    return polls;
}

/* ---- Without timing ------------------------------------------------------------------ */

/* Each warp in turn executes until it waits, for a barrier or a value, or has had its turn.
 * *moved: some warp did not only look for a value again. */
static bool round_of_warps(struct exec_run *r, bool *moved)
{
    for (uint32_t k = 0u; k < r->warps; k++) {
        struct run_warp *const w = &r->warp[k];
        if (w->state == WARP_RUNS) {
            if (!turn(r, w, TURN)) {
                return false;
            }
            *moved = *moved || !exec_polls(w);
        }
    }
    return true;
}

enum outcome { OUT_FAULT, OUT_ENDED, OUT_OPEN };

/* A CTA's turn: to its end, until its warps only wait for others, or for a number of rounds. */
static enum outcome turn_of_cta(struct exec_run *r, bool *moved)
{
    const uint64_t end = r->exec->executed + (uint64_t)TURN * r->warps;
    bool on = true;
    bool waits;
    while (on && r->exec->executed < end) {
        on = false;
        if (!round_of_warps(r, &on)) {
            return OUT_FAULT;
        }
        *moved = *moved || on;
        if (!moves(r, &waits)) {
            return !waits ? OUT_ENDED : stuck(r) ? OUT_ENDED : OUT_FAULT;
        }
    }
    return OUT_OPEN;
}

/* Every CTA is open, and every warp waits for a value that none will write. */
static enum exec_end hung(const struct exec_run *first, struct fault *fault)
{
    enum { MOST = 4 };
    uint32_t n = 0u;
    fault_set(fault, "%s hangs: each of its warps waits for a value that none will write",
              first->function->name);
    for (const struct exec_run *r = first; r != NULL; r = r->next) {
        for (uint32_t k = 0u; k < r->warps && n < MOST; k++) {
            if (r->warp[k].state == WARP_RUNS) {
                exec_poll_describe(r, &r->warp[k], fault);
                n++;
            }
        }
    }
    return EXEC_HUNG;
}

/* One CTA more is open, behind the others. */
static bool open_next(struct exec *exec, struct exec_launch *launch, uint32_t cta,
                      struct exec_run **open, struct fault *fault)
{
    struct exec_run *const r = exec_take(exec, launch, cta, fault);
    while (*open != NULL) {
        open = &(*open)->next;
    }
    *open = r;
    if (r != NULL) {
        r->next = NULL;
    }
    return r != NULL;
}

static void give_all(struct exec_run *r)
{
    while (r != NULL) {
        struct exec_run *const next = r->next;
        exec_give(r);
        r = next;
    }
}

/* A turn for each CTA that is open. */
static bool round_of_ctas(struct exec_run **open, bool *moved)
{
    struct exec_run **at = open;
    while (*at != NULL) {
        struct exec_run *const r = *at;
        const enum outcome outcome = turn_of_cta(r, moved);
        if (outcome == OUT_FAULT) {
            return false;
        }
        if (outcome == OUT_ENDED) {
            *moved = true;
            *at = r->next;
            exec_give(r);
        } else {
            at = &r->next;
        }
    }
    return true;
}

enum exec_end exec_grid(struct exec *exec, struct exec_launch *launch, struct fault *fault)
{
    const uint32_t ctas = launch->grid[0] * launch->grid[1] * launch->grid[2];
    struct exec_run *open = NULL;
    uint32_t next = 0u;
    enum exec_end end = EXEC_DONE;
    while (end == EXEC_DONE && (open != NULL || next < ctas)) {
        const bool all = next == ctas;
        bool moved = false;
        if ((!all && !open_next(exec, launch, next++, &open, fault))
            || !round_of_ctas(&open, &moved)) {
            end = EXEC_ILLEGAL;
        } else if (!moved && all) {
            end = hung(open, fault);
        }
    }
    give_all(open);
    return end;
}
