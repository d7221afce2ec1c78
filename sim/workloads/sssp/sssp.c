/* sssp, host part: edges are 1 to 64 long, and may be longer in one direction than in the
 * other. */

#include "workloads/graph_inputs.h"

enum { BLOCK = 128, LONGEST = 64, FAR = INT32_MAX };

/* Dijkstra's, with a ring of stacks: one for each distance that is in reach of the least. */
static void find(struct kit *kit, const struct graph *g, const int32_t *lengths, size_t source,
                 int32_t *distances)
{
    int32_t top[LONGEST + 1];
    int32_t *nodes = kit_host(kit, g->n_edges * sizeof(int32_t));
    int32_t *below = kit_host(kit, g->n_edges * sizeof(int32_t));
    int32_t used = 0;
    for (size_t i = 0; i < g->count; i++) {
        distances[i] = FAR;
    }
    for (size_t i = 0; i <= LONGEST; i++) {
        top[i] = -1;
    }
    distances[source] = 0;
    nodes[used] = (int32_t)source;
    below[used] = -1;
    top[0] = used++;
    for (int32_t now = 0, idle = 0; idle <= LONGEST; now++) {
        int32_t *stack = &top[now % (LONGEST + 1)];
        idle = *stack < 0 ? idle + 1 : 0;
        while (*stack >= 0) {
            const int32_t node = nodes[*stack];
            const int32_t *at = g->nodes + 2 * (size_t)node;
            *stack = below[*stack];
            for (int32_t e = at[0]; distances[node] == now && e < at[0] + at[1]; e++) {
                const int32_t other = g->edges[e], distance = now + lengths[e];
                if (distance < distances[other]) {
                    distances[other] = distance;
                    nodes[used] = other;
                    below[used] = top[distance % (LONGEST + 1)];
                    top[distance % (LONGEST + 1)] = used++;
                }
            }
        }
    }
}

static gsp_pointer find_on_device(struct kit *kit, const struct graph *g,
                                  const int32_t *lengths_of, size_t source)
{
    const size_t bytes = g->count * sizeof(int32_t);
    struct device_graph graph = graph_copy(kit, g);
    gsp_pointer lengths = kit_alloc_copy(kit, lengths_of, g->n_edges * sizeof(int32_t));
    gsp_pointer distances = kit_alloc(kit, bytes), offered = kit_alloc(kit, bytes);
    gsp_pointer shorter = kit_alloc(kit, g->count), again = kit_alloc(kit, sizeof(int32_t));
    int32_t count = (int32_t)g->count, more = 1;
    int32_t *far = kit_host(kit, bytes);
    for (size_t i = 0; i < g->count; i++) {
        far[i] = i == source ? 0 : FAR;
    }
    kit_copy_in(kit, distances, far, bytes);
    kit_copy_in(kit, offered, far, bytes);
    kit_set(kit, shorter, 0, g->count);
    kit_set(kit, shorter + source, 1, 1);

    const struct gsp_dim grid = { ((uint32_t)g->count + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    while (more) {
        kit_set(kit, again, 0, sizeof(more));
        KIT_LAUNCH(kit, kit_workload(kit)->nested ? "sssp_relax_nested" : "sssp_relax", grid,
                   block, &graph.nodes, &graph.edges, &lengths, &shorter, &distances, &offered,
                   &count);
        KIT_LAUNCH(kit, "sssp_settle", grid, block, &shorter, &distances, &offered, &again,
                   &count);
        kit_copy_out(kit, &more, again, sizeof(more));
    }
    return distances;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const enum graph_input input = kit_workload(kit)->input;
    struct graph g;
    graph_make(kit, input, graph_nodes(input, size), &g);
    const size_t bytes = g.count * sizeof(int32_t), source = graph_source(&g);
    int32_t *lengths = kit_host(kit, g.n_edges * sizeof(int32_t));
    for (size_t e = 0; e < g.n_edges; e++) {
        lengths[e] = 1 + (int32_t)(kit_random(kit) % LONGEST);
    }
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, find_on_device(kit, &g, lengths, source), bytes);
    find(kit, &g, lengths, source, expected);
    return kit_check_ints(kit, "distance", got, expected, g.count);
}

#define TITLE "shortest paths from a node of the graph "
#define SHARED(of)                                                                      \
    .source = "LaPerm Table II (SSSP)", .check = "the distance of every node, exactly", \
    .run = run, .papers = SIZE_BIT(LAPERM), .folder = "sssp", .graph = true,            \
    .input = GRAPH_##of
const struct cuda_workload workload_sssp_citation = GRAPH_NESTED("sssp", "citation", CITATION);
const struct cuda_workload workload_sssp_citation_flat =
    GRAPH_FLAT("sssp", "citation", CITATION);
const struct cuda_workload workload_sssp_graph500 = GRAPH_NESTED("sssp", "graph500", GRAPH500);
const struct cuda_workload workload_sssp_graph500_flat =
    GRAPH_FLAT("sssp", "graph500", GRAPH500);
const struct cuda_workload workload_sssp_cage15 = GRAPH_NESTED("sssp", "cage15", CAGE15);
const struct cuda_workload workload_sssp_cage15_flat = GRAPH_FLAT("sssp", "cage15", CAGE15);
