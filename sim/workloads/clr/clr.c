/* clr, host part. */

#include <stdlib.h>

#include "workloads/graph_inputs.h"

enum { BLOCK = 128 };

static gsp_pointer colour_on_device(struct kit *kit, const struct graph *g)
{
    struct device_graph graph = graph_copy(kit, g);
    gsp_pointer colours = kit_alloc(kit, g->count * sizeof(int32_t));
    gsp_pointer waits = kit_alloc(kit, g->count), again = kit_alloc(kit, sizeof(int32_t));
    int32_t count = (int32_t)g->count, more = 1;
    kit_set(kit, colours, 0, g->count * sizeof(int32_t));
    kit_set(kit, waits, 0, g->count);

    const struct gsp_dim grid = { ((uint32_t)g->count + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    for (int32_t round = 1; more; round++) {
        kit_set(kit, again, 0, sizeof(more));
        KIT_LAUNCH(kit, kit_workload(kit)->nested ? "clr_compare_nested" : "clr_compare", grid,
                   block, &graph.nodes, &graph.edges, &colours, &waits, &count);
        KIT_LAUNCH(kit, "clr_settle", grid, block, &colours, &waits, &again, &round, &count);
        kit_copy_out(kit, &more, again, sizeof(more));
    }
    return colours;
}

static uint32_t rank_of(uint32_t node)
{
    node *= 0x9e3779b1u;
    node ^= node >> 15;
    node *= 0x85ebca6bu;
    return node ^ node >> 13;
}

static int by_rank(const void *one, const void *other)
{
    const uint32_t a = rank_of(*(const uint32_t *)one), b = rank_of(*(const uint32_t *)other);
    return (a < b) - (a > b);
}

/* By falling rank: a node's colour follows the last one of its neighbours that have one. */
static void colour(struct kit *kit, const struct graph *g, int32_t *colours)
{
    uint32_t *order = kit_host(kit, g->count * sizeof(uint32_t));
    for (uint32_t i = 0; i < g->count; i++) {
        order[i] = i;
    }
    qsort(order, g->count, sizeof(uint32_t), by_rank);
    for (size_t i = 0; i < g->count; i++) {
        const int32_t *node = g->nodes + 2 * (size_t)order[i];
        int32_t last = 0;
        for (int32_t e = node[0]; e < node[0] + node[1]; e++) {
            const int32_t other = colours[g->edges[e]];
            last = other > last ? other : last;
        }
        colours[order[i]] = last + 1;
    }
}

static bool differ(struct kit *kit, const struct graph *g, const int32_t *colours)
{
    for (size_t i = 0; i < g->count; i++) {
        const int32_t *node = g->nodes + 2 * i;
        for (int32_t e = node[0]; e < node[0] + node[1]; e++) {
            if (colours[g->edges[e]] == colours[i]) {
                return kit_fail(kit, "nodes %zu and %d have an edge and the same colour, %d", i,
                                (int)g->edges[e], (int)colours[i]);
            }
        }
    }
    return true;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const enum graph_input input = kit_workload(kit)->input;
    /* There are many more rounds than levels of a search. */
    const size_t part = size == SIZE_MEDIUM || size == SIZE_LAPERM ? 8 : 1;
    struct graph g;
    graph_make(kit, input, graph_nodes(input, size) / part, &g);
    const size_t bytes = g.count * sizeof(int32_t);
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, colour_on_device(kit, &g), bytes);
    colour(kit, &g, expected);
    return kit_check_ints(kit, "colour", got, expected, g.count) && differ(kit, &g, got);
}

#define TITLE "a colour for each node of the graph "
#define SHARED(of)                                                                \
    .source = "LaPerm Table II (CLR)",                                            \
    .check = "every colour exactly, and that neighbours have others", .run = run, \
    .papers = SIZE_BIT(LAPERM), .folder = "clr", .graph = true, .input = GRAPH_##of
const struct cuda_workload workload_clr_citation = GRAPH_NESTED("clr", "citation", CITATION);
const struct cuda_workload workload_clr_citation_flat = GRAPH_FLAT("clr", "citation", CITATION);
const struct cuda_workload workload_clr_graph500 = GRAPH_NESTED("clr", "graph500", GRAPH500);
const struct cuda_workload workload_clr_graph500_flat = GRAPH_FLAT("clr", "graph500", GRAPH500);
const struct cuda_workload workload_clr_cage15 = GRAPH_NESTED("clr", "cage15", CAGE15);
const struct cuda_workload workload_clr_cage15_flat = GRAPH_FLAT("clr", "cage15", CAGE15);
