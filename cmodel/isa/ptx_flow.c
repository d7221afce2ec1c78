/*
 * ptx_flow - basic blocks, and immediate post-dominators: where the lanes of a branch meet.
 *
 * Post-dominators by the iteration of Cooper, Harvey and Kennedy over the reversed graph. A
 * virtual exit, numbered n_block, follows every block that ends the thread; blocks that cannot
 * reach it (endless loops) count as followed by it. Blocks from which every way ends in a trap
 * do not count: a trap ends the run, and nobody waits for the lanes that go there.
 */

#include <string.h>

#include "ptx_analysis.h"
#include "ptx_build.h"

/* ---- Blocks ------------------------------------------------------------------------------ */

static void mark_leaders(const struct ptx_function *f, bool *leader)
{
    leader[0] = true;
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        if (f->inst[k].op == PTX_BRA) {
            leader[f->inst[k].target] = true;
        }
        if (ptx_ends_block(&f->inst[k])) {
            leader[k + 1u] = true;
        }
    }
}

static void connect(struct ptx_function *f, struct ptx_block *b)
{
    const struct ptx_inst *const last = &f->inst[b->end - 1u];
    const bool falls = !ptx_ends_block(last) || last->guard != PTX_NO_REGISTER;
    const uint32_t next = b->end < f->n_inst ? f->inst[b->end].block : f->n_block;
    const bool ends = ptx_ends_block(last) && last->op != PTX_TRAP;
    b->successor[0] = last->op == PTX_BRA ? f->inst[last->target].block
                      : ends              ? f->n_block
                                          : PTX_NO_BLOCK;
    b->successor[1] = falls ? next : PTX_NO_BLOCK;
}

static bool make_blocks(struct ptx_module *module, struct ptx_function *f,
                        struct ptx_scratch *scratch)
{
    bool *const leader = ptx_scratch(scratch, f->n_inst + 1u, sizeof *leader);
    if (leader == NULL) {
        return false;
    }
    mark_leaders(f, leader);
    f->n_block = 0u;
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        f->n_block += leader[k] ? 1u : 0u;
    }
    f->block = ptx_alloc(module->arena, f->n_block * sizeof *f->block);
    if (f->block == NULL) {
        return false;
    }
    uint32_t n = 0u;
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        if (leader[k]) {
            f->block[n++].first = k;
        }
        f->inst[k].block = n - 1u;
        f->block[n - 1u].end = k + 1u;
    }
    for (uint32_t b = 0u; b < f->n_block; b++) {
        connect(f, &f->block[b]);
    }
    return true;
}

/* ---- Post-dominators ------------------------------------------------------------------------
 */

struct dominance {
    const struct ptx_function *f;
    uint32_t
        *order;     /* postorder number of each block in the reversed graph; exit is the last */
    uint32_t *list; /* blocks by that number */
    uint32_t *parent; /* immediate post-dominator; PTX_NO_BLOCK: not known yet */
    bool *ends;       /* in an endless loop, and taken to end here as well */
    uint32_t n;
};

static bool all_lost(const struct ptx_block *b, const bool *lost)
{
    bool all = true;
    for (uint32_t k = 0u; k < 2u; k++) {
        all = all && (b->successor[k] == PTX_NO_BLOCK || lost[b->successor[k]]);
    }
    return all;
}

/* Those from which every way ends in a trap. */
static void mark_lost(const struct ptx_function *f, bool *lost)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = f->n_block; b-- > 0u;) {
            const bool now = all_lost(&f->block[b], lost);
            changed = changed || now != lost[b];
            lost[b] = now;
        }
    }
}

/* Numbers the blocks that reach the exit; predecessors in the reversed graph are successors. */
static bool number_blocks(struct dominance *d, struct ptx_scratch *scratch)
{
    const uint32_t n = d->f->n_block;
    uint32_t *const queue = ptx_scratch(scratch, n + 1u, sizeof *queue);
    bool *const seen = ptx_scratch(scratch, n + 1u, sizeof *seen);
    if (queue == NULL || seen == NULL) {
        return false;
    }
    mark_lost(d->f, seen);
    /* Breadth first from the exit is an order in which a block comes after one of its
     * successors; the iteration below needs no more than that to end. */
    uint32_t head = 0u, tail = 0u;
    queue[tail++] = n;
    seen[n] = true;
    while (head < tail) {
        const uint32_t to = queue[head++];
        for (uint32_t b = 0u; b < n; b++) {
            const struct ptx_block *const block = &d->f->block[b];
            if (!seen[b] && (block->successor[0] == to || block->successor[1] == to)) {
                seen[b] = true;
                queue[tail++] = b;
            }
        }
        for (uint32_t b = n; head == tail && b > 0u; b--) {
            if (!seen[b - 1u]) { /* an endless loop: as if it could end here */
                seen[b - 1u] = true;
                d->parent[b - 1u] = n;
                d->ends[b - 1u] = true;
                queue[tail++] = b - 1u;
                break;
            }
        }
    }
    for (uint32_t k = 0u; k < tail; k++) {
        d->list[k] = queue[k];
        d->order[queue[k]] = tail - 1u - k;
    }
    d->n = tail;
    return true;
}

static uint32_t depth(const struct dominance *d, uint32_t block)
{
    uint32_t steps = 0u;
    while (block != d->f->n_block) {
        block = d->parent[block];
        steps++;
    }
    return steps;
}

/* The nearest common post-dominator, along the tree so far. */
static uint32_t meet(const struct dominance *d, uint32_t a, uint32_t b)
{
    uint32_t da = depth(d, a), db = depth(d, b);
    while (a != b) {
        if (da >= db) {
            a = d->parent[a];
            da--;
        } else {
            b = d->parent[b];
            db--;
        }
    }
    return a;
}

static bool improve(struct dominance *d, uint32_t block)
{
    const struct ptx_block *const b = &d->f->block[block];
    uint32_t best = PTX_NO_BLOCK;
    if (d->ends[block]) {
        return false; /* only the exit comes after it on all ways */
    }
    for (uint32_t k = 0u; k < 2u; k++) {
        const uint32_t s = b->successor[k];
        if (s == PTX_NO_BLOCK || (s != d->f->n_block && d->parent[s] == PTX_NO_BLOCK)) {
            continue;
        }
        best = best == PTX_NO_BLOCK ? s : meet(d, best, s);
    }
    if (best == PTX_NO_BLOCK || best == d->parent[block]) {
        return false;
    }
    d->parent[block] = best;
    return true;
}

static bool post_dominators(struct dominance *d, struct ptx_scratch *scratch)
{
    const uint32_t n = d->f->n_block;
    d->order = ptx_scratch(scratch, n + 1u, sizeof *d->order);
    d->list = ptx_scratch(scratch, n + 1u, sizeof *d->list);
    d->parent = ptx_scratch(scratch, n + 1u, sizeof *d->parent);
    d->ends = ptx_scratch(scratch, n + 1u, sizeof *d->ends);
    if (scratch->failed) {
        return false;
    }
    memset(d->parent, 0xff, (n + 1u) * sizeof *d->parent);
    if (!number_blocks(d, scratch)) {
        return false;
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t k = 0u; k < d->n; k++) {
            changed |= d->list[k] != n && improve(d, d->list[k]);
        }
    }
    return true;
}

bool ptx_flow(struct ptx_module *module, struct ptx_function *f, struct ptx_scratch *scratch)
{
    struct dominance d = { .f = f };
    if (!make_blocks(module, f, scratch) || !post_dominators(&d, scratch)) {
        return false;
    }
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        const uint32_t meeting = d.parent[f->inst[k].block];
        f->inst[k].reconverge = meeting == f->n_block || meeting == PTX_NO_BLOCK
                                    ? f->n_inst
                                    : f->block[meeting].first;
    }
    return true;
}
