/* Tests of graph_file: both forms, what is wrong in them, and a program on such a graph. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/driver.h"
#include "workloads/graph_file.h"
#include "workloads/graph_inputs.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

static struct graph_file graph;
static struct fault fault;

/* What a file with this text gives. The fault's file is cut off. */
static bool read_text(const char *text)
{
    char path[] = "/tmp/graph_file_test_XXXXXX";
    const int handle = mkstemp(path);

    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(handle), 0);
    const bool good = graph_file_read(&graph, path, &fault);
    assert_int_equal(unlink(path), 0);
    if (!good) {
        assert_int_equal(strncmp(fault.text, path, strlen(path)), 0);
        memmove(fault.text, fault.text + strlen(path), strlen(fault.text + strlen(path)) + 1u);
    }
    return good;
}

static void check_pairs(size_t nodes, const uint32_t *ends, size_t count)
{
    assert_int_equal(graph.nodes, nodes);
    assert_int_equal(graph.count, count);
    assert_memory_equal(graph.ends, ends, 2u * count * sizeof *ends);
    graph_file_free(&graph);
}

static void a_matrix_has_rows_from_1_on_and_any_values(void **state)
{
    static const uint32_t ends[] = { 0u, 1u, 4u, 2u, 3u, 3u };

    (void)state;
    assert_true(read_text("%%MatrixMarket matrix coordinate real general\n% by hand\n\n"
                          "5 5 3\n1 2 -0.5e3\n5\t3\n  4 4 1 2\n"));
    check_pairs(5u, ends, 3u);
    assert_true(read_text("%%matrixmarket MATRIX Coordinate pattern symmetric\r\n"
                          "5 5 3\r\n1 2\r\n5 3\r\n4 4"));
    check_pairs(5u, ends, 3u);
}

static void edges_have_nodes_from_0_on_as_many_as_the_highest_says(void **state)
{
    static const uint32_t ends[] = { 0u, 1u, 9u, 2u, 2u, 2u, 3u, 4u };

    (void)state;
    assert_true(read_text("# nodes: any\n0\t1\n% and\n9 2 weight\n2,2\n3, 4\n"));
    check_pairs(10u, ends, 4u);
}

static void more_edges_than_are_read_at_once(void **state)
{
    static char text[5000 * 12];
    size_t at = 0u;

    (void)state;
    for (uint32_t i = 0u; i < 5000u; i++) {
        at += (size_t)sprintf(text + at, "%u %u\n", i, i + 1u);
    }
    assert_true(read_text(text));
    assert_int_equal(graph.count, 5000u);
    assert_int_equal(graph.ends[2u * 4999u + 1u], 5000u);
    graph_file_free(&graph);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {
        { "", ": no edge between two nodes" },
        { "3 3\n", ": no edge between two nodes" },
        { "0\n", ":1: a number from 0 to 67108863 is needed here" },
        { "0 1\n1 -1\n", ":2: -1: a number from 0 to 67108863 is needed here" },
        { "0 67108864\n", ":1: 67108864: a number from 0 to 67108863 is needed here" },
        { "99999999999999999999 1\n",
          ":1: 99999999999999999999: a number from 0 to 67108863 is needed here" },
        { "0 1x\n", ":1: 1x: a number from 0 to 67108863 is needed here" },
        { "%%MatrixMarket matrix array real general\n2 2\n",
          ":1: of Matrix Market's forms only \"matrix coordinate\" is read" },
        { "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 2\n",
          ":2: 2 rows and 3 columns; a graph has as many of both" },
        { "%%MatrixMarket matrix coordinate real general\n1 1 1\n",
          ":2: 1: a number from 2 to 67108864 is needed here" },
        { "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n",
          ":3: 3: a number from 1 to 2 is needed here" },
        { "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
          ":3: 0: a number from 1 to 2 is needed here" },
        { "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n",
          ": 1 entries; its line of sizes says 2" },
        { "%%MatrixMarket matrix coordinate real general\n", ": no edge between two nodes" },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(read_text(wrong[i].text));
        assert_string_equal(fault.text, wrong[i].said);
        assert_int_equal(fault.kind, FAULT_INPUT);
        assert_null(graph.ends);
    }
    assert_false(graph_file_read(&graph, "/nowhere/graph", &fault));
    assert_string_equal(fault_text(&fault), "/nowhere/graph: No such file or directory");
}

/* Directions, loops and edges that stand twice do not count. */
static bool check_made(struct kit *kit, enum workload_size size)
{
    static const int32_t nodes[] = { 0, 1, 1, 2, 3, 1, 4, 0 }, edges[] = { 1, 0, 2, 1 };
    struct graph g;

    (void)size;
    graph_make(kit, GRAPH_CITATION, 1000u, &g);
    assert_int_equal(g.count, 4u);
    assert_int_equal(g.n_edges, 4u);
    assert_memory_equal(g.nodes, nodes, sizeof nodes);
    assert_memory_equal(g.edges, edges, sizeof edges);
    return true;
}

static void run(const struct cuda_workload *workload)
{
    struct gsp_context *context = NULL;
    struct kit_outcome outcome;

    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .config = NULL }), GSP_OK);
    kit_run(workload, SIZE_SMALL, &graph, context, &outcome);
    gsp_close(context);
    if (outcome.end != KIT_RIGHT) {
        fail_msg("%s: %s", workload->name, fault_text(&outcome.fault));
    }
}

static void every_program_on_graphs_runs_on_it_to_its_right_end(void **state)
{
    const struct cuda_workload made = { .name = "graph", .run = check_made };
    size_t programs = 0u;

    (void)state;
    assert_true(read_text("%%MatrixMarket matrix coordinate pattern general\n"
                          "4 4 5\n1 2\n2 1\n2 3\n3 3\n2 3\n"));
    run(&made);
    for (size_t i = 0u; cuda_workloads[i] != NULL; i++) {
        if (cuda_workloads[i]->graph) {
            run(cuda_workloads[i]);
            programs++;
        }
    }
    assert_int_equal(programs, 1u + 3u * 3u * 2u);
    graph_file_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_has_rows_from_1_on_and_any_values),
        cmocka_unit_test(edges_have_nodes_from_0_on_as_many_as_the_highest_says),
        cmocka_unit_test(more_edges_than_are_read_at_once),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(every_program_on_graphs_runs_on_it_to_its_right_end),
    };
    return cmocka_run_group_tests_name("graph_file", tests, NULL, NULL);
}
