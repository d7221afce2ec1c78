/*
 * ptx_flow - basic blocks, and immediate post-dominators: where the lanes of a branch meet.
 *
 * A virtual end, numbered n_block, follows every block that ends the thread; blocks that cannot
 * reach it (endless loops) count as followed by it. Blocks from which every way ends in a trap
 * do not count: a trap ends the run, and nobody waits for the lanes that go there.
 */

#include "ptx/analyse/ptx_analysis.h"
#include "ptx/read/ptx_build.h"

/* ---- Blocks -------------------------------------------------------------------------- */

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

/* ---- Predecessors -------------------------------------------------------------------- */

static bool find_predecessors(const struct ptx_function *f, struct ptx_predecessors *before,
                              struct ptx_scratch *scratch)
{
    const uint32_t n = f->n_block;
    before->first = ptx_scratch(scratch, n + 3u, sizeof *before->first);
    before->list = ptx_scratch(scratch, 2u * (size_t)n + 1u, sizeof *before->list);
    if (scratch->failed) {
        return false;
    }
    uint32_t *const end = before->first + 1; /* where the next of a block goes, first counted */
    for (uint32_t k = 0u; k < 2u * n; k++) {
        const uint32_t to = f->block[k / 2u].successor[k % 2u];
        if (to != PTX_NO_BLOCK) {
            end[to + 1u]++;
        }
    }
    for (uint32_t b = 0u; b <= n; b++) {
        end[b + 1u] += end[b];
    }
    for (uint32_t k = 0u; k < 2u * n; k++) {
        const uint32_t to = f->block[k / 2u].successor[k % 2u];
        if (to != PTX_NO_BLOCK) {
            before->list[end[to]++] = k / 2u;
        }
    }
    return true;
}

/* ---- Traps --------------------------------------------------------------------------- */

static uint32_t ways_of(const struct ptx_block *b)
{
    return (b->successor[0] != PTX_NO_BLOCK ? 1u : 0u)
           + (b->successor[1] != PTX_NO_BLOCK ? 1u : 0u);
}

/* Those from which every way ends in a trap. */
static bool mark_lost(const struct ptx_function *f, const struct ptx_predecessors *before,
                      bool *lost, struct ptx_scratch *scratch)
{
    uint32_t *const ways = ptx_scratch(scratch, f->n_block + 1u, sizeof *ways);
    uint32_t *const stack = ptx_scratch(scratch, f->n_block + 1u, sizeof *stack);
    uint32_t n = 0u;
    if (scratch->failed) {
        return false;
    }
    for (uint32_t b = 0u; b < f->n_block; b++) {
        ways[b] = ways_of(&f->block[b]);
        if (ways[b] == 0u) {
            stack[n++] = b;
        }
    }
    while (n > 0u) {
        const uint32_t b = stack[--n];
        lost[b] = true;
        for (uint32_t k = before->first[b]; k < before->first[b + 1u]; k++) {
            if (--ways[before->list[k]] == 0u) {
                stack[n++] = before->list[k];
            }
        }
    }
    return true;
}

bool ptx_flow(struct ptx_module *module, struct ptx_function *f,
              struct ptx_predecessors *before, struct ptx_scratch *scratch)
{
    if (!make_blocks(module, f, scratch) || !find_predecessors(f, before, scratch)) {
        return false;
    }
    bool *const lost = ptx_scratch(scratch, f->n_block + 1u, sizeof *lost);
    uint32_t *const meet = ptx_scratch(scratch, f->n_block + 1u, sizeof *meet);
    if (scratch->failed || !mark_lost(f, before, lost, scratch)
        || !ptx_dominance(f, before, lost, meet, scratch)) {
        return false;
    }
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        const uint32_t meeting = meet[f->inst[k].block];
        f->inst[k].reconverge = meeting == f->n_block || meeting == PTX_NO_BLOCK
                                    ? f->n_inst
                                    : f->block[meeting].first;
    }
    return true;
}
