/* Tests of graph_inputs: what the graphs of the graph programs are like. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "workloads/graph_inputs.h"
#include "workloads/kit_run.h"

enum { NODES = 1 << 14 };

/* Graphs are a kit's, and end with its run: so each test is the run of a workload. */
static void with_kit(bool (*run)(struct kit *kit, enum workload_size size))
{
    const struct cuda_workload workload = { .name = "graphs", .run = run };
    struct gsp_context *context = NULL;
    struct kit_outcome outcome;

    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .config = NULL }), GSP_OK);
    kit_run(&workload, SIZE_SMALL, NULL, context, &outcome);
    gsp_close(context);
    if (outcome.end != KIT_RIGHT) {
        fail_msg("%s", fault_text(&outcome.fault));
    }
}

static const int32_t *edges_of(const struct graph *g, size_t i)
{
    return g->edges + g->nodes[2 * i];
}

static size_t n_edges_of(const struct graph *g, size_t i)
{
    return (size_t)g->nodes[2 * i + 1];
}

static int by_number(const void *one, const void *other)
{
    const int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static bool check_ends(struct kit *kit, enum workload_size size)
{
    (void)size;
    for (enum graph_input input = GRAPH_CITATION; input <= GRAPH_CAGE15; input++) {
        struct graph g;
        size_t edges = 0;
        graph_make(kit, input, NODES, &g);
        for (size_t i = 0; i < g.count; i++) {
            const int32_t own = (int32_t)i;
            edges += n_edges_of(&g, i);
            for (size_t e = 0; e < n_edges_of(&g, i); e++) {
                const size_t other = (size_t)edges_of(&g, i)[e];
                if (other == i || (e > 0 && edges_of(&g, i)[e - 1] >= (int32_t)other)
                    || bsearch(&own, edges_of(&g, other), n_edges_of(&g, other),
                               sizeof(int32_t), by_number)
                           == NULL) {
                    return kit_fail(kit, "graph %d: edge %zu of node %zu", (int)input, e, i);
                }
            }
        }
        if (edges != g.n_edges || n_edges_of(&g, graph_source(&g)) == 0) {
            return kit_fail(kit, "graph %d: %zu edges of %zu", (int)input, edges, g.n_edges);
        }
    }
    return true;
}

static void edges_have_two_ends_and_stand_once_and_in_order(void **state)
{
    (void)state;
    with_kit(check_ends);
}

static bool check_same(struct kit *kit, enum workload_size size)
{
    struct graph one, other;
    (void)size;
    for (enum graph_input input = GRAPH_CITATION; input <= GRAPH_CAGE15; input++) {
        graph_make(kit, input, NODES, &one);
        (void)kit_random(kit);
        graph_make(kit, input, NODES, &other);
        if (one.n_edges != other.n_edges
            || memcmp(one.edges, other.edges, one.n_edges * sizeof(int32_t)) != 0) {
            return kit_fail(kit, "graph %d is another the second time", (int)input);
        }
    }
    return true;
}

static void a_graph_is_the_same_whatever_was_drawn_before(void **state)
{
    (void)state;
    with_kit(check_same);
}

/* Shares are of 1000. */
struct shape {
    size_t per_node, most; /* edges */
    size_t of_first;       /* edges at the first half of the nodes */
    size_t of_many;        /* edges at the hundredth of the nodes that have most */
    size_t near, farthest; /* edges that go less than 1,024 nodes far; the longest one */
};

static struct shape shape_of(struct kit *kit, enum graph_input input)
{
    struct graph g;
    struct shape s = { 0 };
    size_t many = 0;
    graph_make(kit, input, NODES, &g);
    int32_t *degree = kit_host(kit, g.count * sizeof(int32_t));
    for (size_t i = 0; i < g.count; i++) {
        degree[i] = (int32_t)n_edges_of(&g, i);
        s.of_first += i < g.count / 2 ? n_edges_of(&g, i) : 0;
        for (size_t e = 0; e < n_edges_of(&g, i); e++) {
            const size_t away = (size_t)labs((long)edges_of(&g, i)[e] - (long)i);
            s.near += away < 1024;
            s.farthest = away > s.farthest ? away : s.farthest;
        }
    }
    qsort(degree, g.count, sizeof(int32_t), by_number);
    for (size_t i = g.count - g.count / 100; i < g.count; i++) {
        many += (size_t)degree[i];
    }
    s.per_node = g.n_edges / g.count;
    s.most = (size_t)degree[g.count - 1];
    s.of_first = 1000 * s.of_first / g.n_edges;
    s.of_many = 1000 * many / g.n_edges;
    s.near = 1000 * s.near / g.n_edges;
    print_message("%zu edges per node, at most %zu; of 1000 %zu at the first half, %zu at a "
                  "hundredth, %zu near; farthest %zu\n",
                  s.per_node, s.most, s.of_first, s.of_many, s.near, s.farthest);
    return s;
}

static bool check_citation(struct kit *kit, enum workload_size size)
{
    const struct shape s = shape_of(kit, GRAPH_CITATION);
    (void)size;
    assert_in_range(s.per_node, 7, 9); /* citationCiteseer has 8.6 */
    assert_in_range(s.most, 20 * s.per_node, NODES);
    assert_in_range(s.near, 500, 900);
    return true;
}

static void in_a_citation_graph_most_edges_are_short_and_few_nodes_have_many(void **state)
{
    (void)state;
    with_kit(check_citation);
}

static bool check_graph500(struct kit *kit, enum workload_size size)
{
    const struct shape s = shape_of(kit, GRAPH_GRAPH500);
    (void)size;
    assert_in_range(s.per_node, 16, 32);
    assert_in_range(s.of_many, 200, 500);
    assert_in_range(s.of_first, 400, 600); /* those with many stand anywhere */
    assert_in_range(s.near, 50, 250);      /* by chance 1024 / NODES * 2 */
    return true;
}

static void in_a_graph500_graph_a_hundredth_of_the_nodes_has_a_fifth_of_the_edges(void **state)
{
    (void)state;
    with_kit(check_graph500);
}

static bool check_cage15(struct kit *kit, enum workload_size size)
{
    const struct shape s = shape_of(kit, GRAPH_CAGE15);
    (void)size;
    assert_in_range(s.per_node, 16, 19); /* cage15 has 18.2 beside its diagonal */
    assert_in_range(s.most, 24, 60);
    assert_in_range(s.farthest, NODES / 32, NODES / 16);
    assert_in_range(s.near, 999, 1000);
    return true;
}

static void a_cage15_graph_has_a_band_and_no_node_with_very_many_edges(void **state)
{
    (void)state;
    with_kit(check_cage15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_have_two_ends_and_stand_once_and_in_order),
        cmocka_unit_test(a_graph_is_the_same_whatever_was_drawn_before),
        cmocka_unit_test(in_a_citation_graph_most_edges_are_short_and_few_nodes_have_many),
        cmocka_unit_test(in_a_graph500_graph_a_hundredth_of_the_nodes_has_a_fifth_of_the_edges),
        cmocka_unit_test(a_cage15_graph_has_a_band_and_no_node_with_very_many_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
