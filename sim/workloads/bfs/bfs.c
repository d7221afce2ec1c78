/* bfs, host part: a random graph without direction, whose nodes have six edges on average. */

#include "workloads/workload_kit.h"

enum { BLOCK = 512, CHOICES = 3 };

/* Two kernels a level: CLASO's twenty are ten levels, which the search from node 0 has not. */
static const struct {
    uint32_t nodes, source;
} sizes[] = {
    [SIZE_SMALL] = { 1000, 0 },  [SIZE_MEDIUM] = { 40000, 0 }, [SIZE_PAPER] = { 65536, 0 },
    [SIZE_CLASO] = { 65536, 2 }, [SIZE_ICC] = { 65536, 0 },
};

struct graph {
    size_t count;
    int32_t *nodes; /* first edge and number of edges, in turn */
    int32_t *edges;
};

/* Every node chooses others; both ends get the edge. */
static void make(struct kit *kit, struct graph *g)
{
    const size_t pairs = g->count * CHOICES;
    uint32_t *chosen = kit_host(kit, pairs * sizeof(uint32_t));
    g->nodes = kit_host(kit, 2 * g->count * sizeof(int32_t));
    g->edges = kit_host(kit, 2 * pairs * sizeof(int32_t));
    for (size_t i = 0; i < pairs; i++) {
        chosen[i] = kit_random(kit) % (uint32_t)g->count;
        g->nodes[2 * (i / CHOICES) + 1]++;
        g->nodes[2 * chosen[i] + 1]++;
    }
    for (size_t i = 1; i < g->count; i++) {
        g->nodes[2 * i] = g->nodes[2 * i - 2] + g->nodes[2 * i - 1];
    }
    int32_t *next = kit_host(kit, g->count * sizeof(int32_t));
    for (size_t i = 0; i < g->count; i++) {
        next[i] = g->nodes[2 * i];
    }
    for (size_t i = 0; i < pairs; i++) {
        g->edges[next[i / CHOICES]++] = (int32_t)chosen[i];
        g->edges[next[chosen[i]]++] = (int32_t)(i / CHOICES);
    }
}

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

static gsp_pointer search_on_device(struct kit *kit, const struct graph *g, uint32_t source)
{
    gsp_pointer nodes = kit_alloc_copy(kit, g->nodes, 2 * g->count * sizeof(int32_t));
    gsp_pointer edges = kit_alloc_copy(kit, g->edges, sizeof(int32_t) * g->count * 2 * CHOICES);
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

    const struct gsp_dim grid = { ((uint32_t)g->count + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    while (more) {
        kit_set(kit, again, 0, sizeof(more));
        KIT_LAUNCH(kit, "bfs_expand", grid, block, &nodes, &edges, &frontier, &found, &visited,
                   &cost, &count);
        KIT_LAUNCH(kit, "bfs_advance", grid, block, &frontier, &found, &visited, &again,
                   &count);
        kit_copy_out(kit, &more, again, sizeof(more));
    }
    return cost;
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct graph g = { .count = sizes[size].nodes };
    make(kit, &g);
    const size_t bytes = g.count * sizeof(int32_t);
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, search_on_device(kit, &g, sizes[size].source), bytes);
    search(kit, &g, (int32_t)sizes[size].source, expected);
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
};
