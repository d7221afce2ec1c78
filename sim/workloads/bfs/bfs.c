/* bfs, host part: a graph without direction, searched from one node. */

#include "workloads/graph_inputs.h"

/* Of the random graph. Two kernels a level: CLASO's twenty are ten levels, which the search
 * from node 0 has not. */
static const struct {
    uint32_t nodes, source;
} sizes[] = {
    [SIZE_SMALL] = { 1000, 0 },  [SIZE_MEDIUM] = { 40000, 0 }, [SIZE_PAPER] = { 65536, 0 },
    [SIZE_CLASO] = { 65536, 2 }, [SIZE_ICC] = { 65536, 0 },
};

/* With a queue. */
static void search(struct kit *kit, const struct graph *g, int32_t source, int32_t *cost)
{
    int32_t *queue = kit_host(kit, g->count * sizeof(int32_t));
    for (size_t i = 0; i < g->count; i++) {
        cost[i] = -1;
    }
    size_t in = 0;
    queue[in++] = source;
    cost[source] = 0;
    for (size_t out = 0; out < in; out++) {
        const int32_t *node = g->nodes + (size_t)2 * (size_t)queue[out];
        for (int32_t e = node[0]; e < node[0] + node[1]; e++) {
            const int32_t other = g->edges[e];
            if (cost[other] < 0) {
                cost[other] = cost[queue[out]] + 1;
                queue[in++] = other;
            }
        }
    }
}

static gsp_pointer search_on_device(struct kit *kit, const struct graph *g, size_t source)
{
    const bool random = kit_workload(kit)->input == GRAPH_RANDOM;
    struct device_graph graph = graph_copy(kit, g);
    gsp_pointer frontier = kit_alloc(kit, g->count), found = kit_alloc(kit, g->count);
    gsp_pointer visited = kit_alloc(kit, g->count);
    gsp_pointer cost = kit_alloc(kit, g->count * sizeof(int32_t));
    gsp_pointer again = kit_alloc(kit, sizeof(int32_t));
    int32_t count = (int32_t)g->count, more = 1;
    kit_set(kit, cost, 0xff, g->count * sizeof(int32_t)); /* -1 */
    kit_set(kit, cost + source * sizeof(int32_t), 0, sizeof(int32_t));
    kit_set(kit, frontier, 0, g->count);
    kit_set(kit, found, 0, g->count);
    kit_set(kit, visited, 0, g->count);
    kit_set(kit, frontier + source, 1, 1);
    kit_set(kit, visited + source, 1, 1);

    const struct gsp_dim block = { random ? 512 : 128, 1, 1 };
    const struct gsp_dim grid = { ((uint32_t)g->count + block.x - 1) / block.x, 1, 1 };
    while (more) {
        kit_set(kit, again, 0, sizeof(more));
        KIT_LAUNCH(kit, kit_workload(kit)->nested ? "bfs_expand_nested" : "bfs_expand", grid,
                   block, &graph.nodes, &graph.edges, &frontier, &found, &visited, &cost,
                   &count);
        KIT_LAUNCH(kit, "bfs_advance", grid, block, &frontier, &found, &visited, &again,
                   &count);
        kit_copy_out(kit, &more, again, sizeof(more));
    }
    return cost;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const enum graph_input input = kit_workload(kit)->input;
    const bool random = input == GRAPH_RANDOM;
    struct graph g;
    graph_make(kit, input, random ? sizes[size].nodes : graph_nodes(input, size), &g);
    const bool own = random && kit_graph(kit) == NULL;
    const size_t source = own ? sizes[size].source : graph_source(&g);
    const size_t bytes = g.count * sizeof(int32_t);
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, search_on_device(kit, &g, source), bytes);
    search(kit, &g, (int32_t)source, expected);
    return kit_check_ints(kit, "level", got, expected, g.count);
}

static const struct kit_registers registers[] = {
    { "bfs_expand", 20, "CLASO Table 2: 3 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_bfs = {
    .name = "bfs",
    .title = "breadth-first search of a random graph",
    .source = "CLASO Table 2 (BFS), ICC Table 3 (BFS)",
    .check = "the level of every node, exactly",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(ICC),
    .registers = registers,
    .graph = true,
};

#define TITLE "breadth-first search of the graph "
#define SHARED(of)                                                                  \
    .source = "LaPerm Table II (BFS)", .check = "the level of every node, exactly", \
    .run = run, .papers = SIZE_BIT(LAPERM), .folder = "bfs", .graph = true,         \
    .input = GRAPH_##of
const struct cuda_workload workload_bfs_citation = GRAPH_NESTED("bfs", "citation", CITATION);
const struct cuda_workload workload_bfs_citation_flat = GRAPH_FLAT("bfs", "citation", CITATION);
const struct cuda_workload workload_bfs_graph500 = GRAPH_NESTED("bfs", "graph500", GRAPH500);
const struct cuda_workload workload_bfs_graph500_flat = GRAPH_FLAT("bfs", "graph500", GRAPH500);
const struct cuda_workload workload_bfs_cage15 = GRAPH_NESTED("bfs", "cage15", CAGE15);
const struct cuda_workload workload_bfs_cage15_flat = GRAPH_FLAT("bfs", "cage15", CAGE15);
