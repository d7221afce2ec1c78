/*
 * ptx_dominance - immediate post-dominators, by the algorithm of Lengauer and Tarjan over the
 * reversed graph (ACM TOPLAS 1, 1979; the simple version): a function of twice the blocks takes
 * little more than twice the time.
 */

#include "ptx/analyse/ptx_analysis.h"

struct node {
    uint32_t order;           /* in which the search came to it, from 1; 0: not yet */
    uint32_t parent;          /* in the tree of the search */
    uint32_t edge;            /* the next of its predecessors to look at */
    uint32_t semi;            /* order of its semidominator */
    uint32_t ancestor, label; /* in the forest of those that are done; PTX_NO_BLOCK: a root */
    uint32_t bucket, next;    /* lists of nodes by their semidominator, number + 1 */
};

struct search {
    const struct ptx_function *f;
    const struct ptx_predecessors *before;
    const bool *lost;
    uint32_t *dominator;
    struct node *node;  /* blocks, and the end */
    uint32_t *by_order; /* from 1 */
    uint32_t *stack;
    bool *ends; /* in an endless loop, and taken to end here as well */
    uint32_t n; /* nodes with an order */
};

/* ---- The search ---------------------------------------------------------------------- */

static void reach(struct search *s, uint32_t block, uint32_t parent)
{
    const uint32_t order = ++s->n;

    s->node[block] = (struct node){ .order = order,
                                    .parent = parent,
                                    .edge = s->before->first[block],
                                    .semi = order,
                                    .ancestor = PTX_NO_BLOCK,
                                    .label = block };
    s->by_order[order] = block;
}

/* Depth first, from the end against the order of execution. Of blocks that cannot come to the
 * end, the last in the text counts as ending there, then the last of those that still cannot.
 */
static void search(struct search *s)
{
    const uint32_t end = s->f->n_block;
    uint32_t unseen = end; /* all from here on have been reached */
    uint32_t at = end;
    reach(s, end, end);
    while (true) {
        struct node *const node = &s->node[at];
        if (node->edge < s->before->first[at + 1u]) {
            const uint32_t block = s->before->list[node->edge++];
            if (!s->lost[block] && s->node[block].order == 0u) {
                reach(s, block, at);
                at = block;
            }
        } else if (at != end) {
            at = node->parent;
        } else {
            while (unseen > 0u && (s->lost[unseen - 1u] || s->node[unseen - 1u].order != 0u)) {
                unseen--;
            }
            if (unseen == 0u) {
                return;
            }
            at = unseen - 1u;
            s->ends[at] = true;
            reach(s, at, end);
        }
    }
}

/* ---- Dominators ---------------------------------------------------------------------- */

/* The node with the least semidominator on the way to the root of its tree; ways become short.
 */
static uint32_t best(struct search *s, uint32_t block)
{
    struct node *const node = s->node;
    uint32_t n = 0u;
    if (node[block].ancestor == PTX_NO_BLOCK) {
        return block;
    }
    for (uint32_t at = block; node[node[at].ancestor].ancestor != PTX_NO_BLOCK;
         at = node[at].ancestor) {
        s->stack[n++] = at;
    }
    while (n > 0u) {
        struct node *const one = &node[s->stack[--n]];
        const struct node *const above = &node[one->ancestor];
        if (node[above->label].semi < node[one->label].semi) {
            one->label = above->label;
        }
        one->ancestor = above->ancestor;
    }
    return node[block].label;
}

static void try_edge(struct search *s, struct node *w, uint32_t from)
{
    const uint32_t semi = s->node[best(s, from)].semi;
    w->semi = semi < w->semi ? semi : w->semi;
}

static void find_semidominator(struct search *s, uint32_t block)
{
    struct node *const w = &s->node[block];
    for (uint32_t k = 0u; k < 2u; k++) {
        const uint32_t to = s->f->block[block].successor[k];
        if (to != PTX_NO_BLOCK && !s->lost[to]) {
            try_edge(s, w, to);
        }
    }
    if (s->ends[block]) {
        try_edge(s, w, s->f->n_block);
    }
}

static void find_dominators(struct search *s)
{
    for (uint32_t k = s->n; k > 1u; k--) {
        const uint32_t block = s->by_order[k];
        struct node *const w = &s->node[block];
        find_semidominator(s, block);
        struct node *const semi = &s->node[s->by_order[w->semi]];
        w->next = semi->bucket;
        semi->bucket = block + 1u;
        w->ancestor = w->parent;
        struct node *const parent = &s->node[w->parent];
        for (uint32_t b = parent->bucket; b != 0u; b = s->node[b - 1u].next) {
            const uint32_t u = best(s, b - 1u);
            s->dominator[b - 1u] = s->node[u].semi < s->node[b - 1u].semi ? u : w->parent;
        }
        parent->bucket = 0u;
    }
    for (uint32_t k = 2u; k <= s->n; k++) {
        const uint32_t block = s->by_order[k];
        if (s->dominator[block] != s->by_order[s->node[block].semi]) {
            s->dominator[block] = s->dominator[s->dominator[block]];
        }
    }
}

bool ptx_dominance(const struct ptx_function *f, const struct ptx_predecessors *before,
                   const bool *lost, uint32_t *dominator, struct ptx_scratch *scratch)
{
    const uint32_t n = f->n_block + 1u;
    struct search s = { .f = f, .before = before, .lost = lost, .dominator = dominator };
    s.node = ptx_scratch(scratch, n, sizeof *s.node);
    s.by_order = ptx_scratch(scratch, n + 1u, sizeof *s.by_order);
    s.stack = ptx_scratch(scratch, n, sizeof *s.stack);
    s.ends = ptx_scratch(scratch, n, sizeof *s.ends);
    if (scratch->failed) {
        return false;
    }
    for (uint32_t b = 0u; b < n; b++) {
        dominator[b] = PTX_NO_BLOCK;
    }
    search(&s);
    find_dominators(&s);
    return true;
}
