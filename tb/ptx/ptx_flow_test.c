/* Tests of ptx_flow: where lanes meet, against the definition, for random graphs. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"

enum { MOST = 14, TEXT = 4096 };

static uint64_t seed = 1u;
static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static struct ptx_module *random_graph(uint32_t n)
{
    char text[TEXT];
    struct fault fault;
    int at = snprintf(text, sizeof text,
                      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n"
                      "{\n.reg .pred %%p<2>;\n.reg .u32 %%r<2>;\n");
    for (uint32_t b = 0u; b < n; b++) {
        static const char *const ends[] = { "ret;", "@%p1 ret;", "trap;", "@%p1 trap;", "" };
        const uint32_t end = draw(12u);
        char last[64];
        if (end < 8u) {
            (void)snprintf(last, sizeof last, "%s L%u;", end < 2u ? "bra" : "@%p1 bra",
                           draw(n));
        } else {
            (void)snprintf(last, sizeof last, "%s", ends[draw(5u)]);
        }
        at += snprintf(text + at, sizeof text - (size_t)at, "L%u: add.u32 %%r1, %%r1, 1;\n%s\n",
                       b, last);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "ret;\n}\n");
    struct ptx_module *const m = ptx_load_text("random.ptx", text, strlen(text), &fault);
    if (m == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return m;
}

/* The graph as the definition has it: bit k of next[b] is a way from b to k; bit n is the end.
 */
struct graph {
    uint32_t n;
    uint64_t next[2 * MOST + 4];
    uint64_t lost;
};

static uint64_t reached_by(const struct graph *g, uint32_t from, uint64_t without)
{
    uint64_t seen = UINT64_C(1) << from, before = 0u;
    while (seen != before) {
        before = seen;
        for (uint32_t b = 0u; b < g->n; b++) {
            seen |= (seen >> b & 1u) != 0u ? g->next[b] & ~without : 0u;
        }
    }
    return seen;
}

static struct graph graph_of(const struct ptx_function *f)
{
    struct graph g = { .n = f->n_block };
    for (uint32_t b = 0u; b < g.n; b++) {
        for (uint32_t k = 0u; k < 2u; k++) {
            const uint32_t to = f->block[b].successor[k];
            g.next[b] |= to == PTX_NO_BLOCK ? 0u : UINT64_C(1) << to;
        }
    }
    for (uint64_t before = 1u; before != g.lost;) {
        before = g.lost;
        for (uint32_t b = 0u; b < g.n; b++) {
            g.lost |= (g.next[b] & ~g.lost) == 0u ? UINT64_C(1) << b : 0u;
        }
    }
    for (uint32_t b = 0u; b < g.n; b++) {
        g.next[b] = (g.lost >> b & 1u) != 0u ? 0u : g.next[b] & ~g.lost;
    }
    for (uint32_t b = g.n; b-- > 0u;) { /* endless: as if the last could end */
        if ((g.lost >> b & 1u) == 0u && (reached_by(&g, b, 0u) >> g.n & 1u) == 0u) {
            g.next[b] |= UINT64_C(1) << g.n;
        }
    }
    return g;
}

/* Blocks through which all ways from b to the end go. */
static uint64_t on_all_ways(const struct graph *g, uint32_t b)
{
    uint64_t set = UINT64_C(1) << g->n;
    for (uint32_t d = 0u; d < g->n; d++) {
        const bool all = d != b && (reached_by(g, b, UINT64_C(1) << d) >> g->n & 1u) == 0u;
        set |= all ? UINT64_C(1) << d : 0u;
    }
    return b == g->n ? 0u : set;
}

static uint32_t nearest(const struct graph *g, uint32_t b)
{
    const uint64_t set = on_all_ways(g, b);
    for (uint32_t d = 0u; d < g->n; d++) {
        if ((set >> d & 1u) != 0u && on_all_ways(g, d) == (set & ~(UINT64_C(1) << d))) {
            return d;
        }
    }
    return g->n;
}

static void lanes_meet_at_the_nearest_block_on_all_ways(void **state)
{
    (void)state;
    uint32_t inner = 0u;
    for (uint32_t turn = 0u; turn < 3000u; turn++) {
        struct ptx_module *const m = random_graph(2u + draw(MOST - 2u));
        const struct ptx_function *const f = &m->function[0];
        const struct graph g = graph_of(f);
        for (uint32_t b = 0u; b < f->n_block; b++) {
            const struct ptx_inst *const last = &f->inst[f->block[b].end - 1u];
            const uint32_t meet = nearest(&g, b);
            const uint32_t wanted =
                (g.lost >> b & 1u) != 0u || meet == g.n ? f->n_inst : f->block[meet].first;
            if (last->reconverge != wanted) {
                fail_msg("graph %u: lanes of block %u meet at %u, not at %u", turn, b,
                         last->reconverge, wanted);
            }
            inner += wanted != f->n_inst ? 1u : 0u;
        }
        ptx_free(m);
    }
    assert_true(inner > 3000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet_at_the_nearest_block_on_all_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
