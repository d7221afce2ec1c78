/* bfs_nested, host part: a random graph without direction, with a few nodes of many edges. */

#include "workloads/workload_kit.h"

enum { BLOCK = 128, CHOICES = 4 };

static const uint32_t sizes[] = {
    [SIZE_SMALL] = 2000, [SIZE_MEDIUM] = 40000, [SIZE_PAPER] = 65536
};

struct graph {
    size_t count;
    int32_t *nodes; /* first edge and number of edges, in turn */
    int32_t *edges;
};

/* The lower a number, the more often it is chosen: the least of three. */
static uint32_t choose(struct kit *kit, size_t count)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t other = kit_random(kit) % (uint32_t)count;
        least = other < least ? other : least;
    }
    return (uint32_t)((uint64_t)least * least / count);
}

/* Every node chooses others; both ends get the edge. */
static void make(struct kit *kit, struct graph *g)
{
    const size_t pairs = g->count * CHOICES;
    uint32_t *chosen = kit_host(kit, pairs * sizeof(uint32_t));
    int32_t *next = kit_host(kit, g->count * sizeof(int32_t));
    g->nodes = kit_host(kit, 2 * g->count * sizeof(int32_t));
    g->edges = kit_host(kit, 2 * pairs * sizeof(int32_t));
    for (size_t i = 0; i < pairs; i++) {
        chosen[i] = choose(kit, g->count);
        g->nodes[2 * (i / CHOICES) + 1]++;
        g->nodes[2 * chosen[i] + 1]++;
    }
    for (size_t i = 1; i < g->count; i++) {
        next[i] = g->nodes[2 * i] = g->nodes[2 * i - 2] + g->nodes[2 * i - 1];
    }
    for (size_t i = 0; i < pairs; i++) {
        g->edges[next[i / CHOICES]++] = (int32_t)chosen[i];
        g->edges[next[chosen[i]]++] = (int32_t)(i / CHOICES);
    }
}

/* With a queue, from the node of the highest number. */
static void search(struct kit *kit, const struct graph *g, int32_t *cost)
{
    int32_t *queue = kit_host(kit, g->count * sizeof(int32_t));
    size_t in = 0;
    for (size_t i = 0; i < g->count; i++) {
        cost[i] = -1;
    }
    queue[in++] = (int32_t)g->count - 1;
    cost[g->count - 1] = 0;
    for (size_t out = 0; out < in; out++) {
        const int32_t *node = g->nodes + 2 * (size_t)queue[out];
        for (int32_t e = node[0]; e < node[0] + node[1]; e++) {
            if (cost[g->edges[e]] < 0) {
                cost[g->edges[e]] = cost[queue[out]] + 1;
                queue[in++] = g->edges[e];
            }
        }
    }
}

static gsp_pointer search_on_device(struct kit *kit, const struct graph *g)
{
    const size_t last = g->count - 1;
    gsp_pointer nodes = kit_alloc_copy(kit, g->nodes, 2 * g->count * sizeof(int32_t));
    gsp_pointer edges = kit_alloc_copy(kit, g->edges, 2 * g->count * CHOICES * sizeof(int32_t));
    gsp_pointer frontier = kit_alloc(kit, g->count), found = kit_alloc(kit, g->count);
    gsp_pointer visited = kit_alloc(kit, g->count);
    gsp_pointer cost = kit_alloc(kit, g->count * sizeof(int32_t));
    gsp_pointer again = kit_alloc(kit, sizeof(int32_t));
    int32_t count = (int32_t)g->count, more = 1;
    kit_set(kit, cost, 0xff, g->count * sizeof(int32_t)); /* -1 */
    kit_set(kit, cost + last * sizeof(int32_t), 0, sizeof(int32_t));
    kit_set(kit, frontier, 0, g->count);
    kit_set(kit, found, 0, g->count);
    kit_set(kit, visited, 0, g->count);
    kit_set(kit, frontier + last, 1, 1);
    kit_set(kit, visited + last, 1, 1);

    const struct gsp_dim grid = { ((uint32_t)g->count + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    while (more) {
        kit_set(kit, again, 0, sizeof(more));
        KIT_LAUNCH(kit, "nested_expand", grid, block, &nodes, &edges, &frontier, &found,
                   &visited, &cost, &count);
        KIT_LAUNCH(kit, "nested_advance", grid, block, &frontier, &found, &visited, &again,
                   &count);
        kit_copy_out(kit, &more, again, sizeof(more));
    }
    return cost;
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct graph g = { .count = sizes[size] };
    make(kit, &g);
    const size_t bytes = g.count * sizeof(int32_t);
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, search_on_device(kit, &g), bytes);
    search(kit, &g, expected);
    return kit_check_ints(kit, "level", got, expected, g.count);
}

const struct cuda_workload workload_bfs_nested = {
    .name = "bfs_nested",
    .title = "breadth-first search whose nodes of many edges launch kernels",
    .source = "LaPerm Table II (BFS); graph and kernels are ours",
    .check = "the level of every node, exactly",
    .run = run,
};
