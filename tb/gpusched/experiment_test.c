/*
 * Tests of experiments without a run: the grid that a file describes, what tells runs apart,
 * and names of figures.
 */

#include "experiment_open.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/grid/experiment_key.h"

static void the_last_axis_changes_fastest(void **state)
{
    struct opened opened;
    struct experiment_point point;

    (void)state;
    open_experiment(&opened, two_policies);
    assert_int_equal(opened.grid.n, 8);
    for (uint32_t i = 0u; i < opened.grid.n; i++) {
        experiment_grid_point(&opened.grid, i, &point);
        assert_string_equal(point.gpu_label, "m2090");
        assert_string_equal(point.workload_label, i < 4u ? "mix" : "dependent");
        assert_int_equal(point.config.warp.policy, i / 2u % 2u == 0u ? WARP_GTO : WARP_LRR);
        assert_int_equal(point.config.sm.cta_slots, i % 2u == 0u ? 8 : 4);
        assert_int_equal(experiment_grid_index(&opened.grid, point.at), i);
    }
    close_experiment(&opened);
}

static void common_settings_come_before_those_of_the_variant(void **state)
{
    struct opened opened;
    struct experiment_point point;

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "settings: {warp.policy: lrr, sm.cta_slots: 4}\n"
                             "variants: {a: , b: {warp.policy: oldest}}\n");
    experiment_grid_point(&opened.grid, 0u, &point);
    assert_int_equal(point.config.warp.policy, WARP_LRR);
    experiment_grid_point(&opened.grid, 1u, &point);
    assert_int_equal(point.config.warp.policy, WARP_OLDEST);
    assert_int_equal(point.config.sm.cta_slots, 4);
    close_experiment(&opened);
}

static void a_scheduler_comes_before_the_keys_beside_it(void **state)
{
    struct opened opened;
    struct experiment_point point;

    (void)state;
    open_experiment(&opened,
                    "gpus: [{name: icc, settings: {scheduler: lrr}}]\nworkloads: [mix]\n"
                    "settings: {warp.ready_queue: 4}\n"
                    "variants:\n  a:\n"
                    "  b: {icc.lines: 8, scheduler: \"gto,db-claso-icc\"}\n");
    experiment_grid_point(&opened.grid, 0u, &point);
    assert_int_equal(point.config.warp.policy, WARP_LRR);
    assert_int_equal(point.config.icc.entries, 0);
    experiment_grid_point(&opened.grid, 1u, &point);
    assert_int_equal(point.config.warp.policy, WARP_GTO);
    assert_int_equal(point.config.warp.ready_queue, 4);
    assert_int_equal(point.config.icc.entries, 48);
    assert_int_equal(point.config.icc.lines, 8);
    assert_int_equal(point.config.dispatch.policy, DISPATCH_DISTRIBUTED_BLOCK);
    close_experiment(&opened);
}

static void schedulers_may_be_an_axis(void **state)
{
    struct opened opened;
    struct experiment_point point;

    (void)state;
    open_experiment(&opened, "gpus: [icc]\nworkloads: [mix]\n"
                             "axes: {s: {key: scheduler, values: [distributed, claso]}}\n");
    assert_int_equal(opened.grid.n, 2);
    experiment_grid_point(&opened.grid, 0u, &point);
    assert_int_equal(point.config.dispatch.policy, DISPATCH_DISTRIBUTED);
    assert_int_equal(point.config.claso.active_levels, 0);
    experiment_grid_point(&opened.grid, 1u, &point);
    assert_int_equal(point.config.dispatch.policy, DISPATCH_TWO_LEVEL_RR);
    assert_int_equal(point.config.claso.active_levels, 1);
    close_experiment(&opened);
}

static void a_scheduler_is_read_once(void **state)
{
    struct opened opened;
    struct experiment_point point;
    char text[256];

    (void)state;
    write_file("mine.yaml", "claso: {active_levels: 3}\n");
    snprintf(text, sizeof text, "gpus: [icc]\nworkloads: [mix]\nsettings: {scheduler: %s}\n",
             path_of("mine.yaml"));
    open_experiment(&opened, text);
    write_file("mine.yaml", "claso: {active_levels: 4}\n");
    experiment_grid_point(&opened.grid, 0u, &point);
    assert_int_equal(point.config.claso.active_levels, 3);
    close_experiment(&opened);
}

/* ---- Keys ---------------------------------------------------------------------------- */

static struct experiment_key key_of(const char *yaml)
{
    struct opened opened;

    open_experiment(&opened, yaml);
    const struct experiment_key key = opened.grid.keys[0];
    close_experiment(&opened);
    return key;
}

static void a_run_is_known_by_what_determines_it_and_not_by_names(void **state)
{
    static const char plain[] = "gpus: [m2090]\nworkloads: [mix]\n";
    static const char kernel[] = "kernels: [{name: k, grid: [1, 1, 1], block: [32, 1, 1],"
                                 " registers: 8, body: [{op: fp32}]}]\n";
    char named[256];
    const struct experiment_key key = key_of(plain);

    (void)state;
    assert_int_equal(strlen(key.text), 32);
    /* m2090 has gto as it is. */
    assert_string_equal(
        key.text,
        key_of("gpus: [m2090]\nworkloads: [mix]\nvariants: {x: {warp.policy: gto}}\n").text);
    assert_string_not_equal(
        key.text,
        key_of("gpus: [m2090]\nworkloads: [mix]\nvariants: {x: {warp.policy: lrr}}\n").text);
    assert_string_equal(
        key_of("gpus: [icc]\nworkloads: [mix]\nvariants: {x: {claso.active_levels: 1}}\n").text,
        key_of("gpus: [icc]\nworkloads: [mix]\nvariants: {y: {scheduler: claso}}\n").text);
    assert_string_not_equal(key.text, key_of("gpus: [icc]\nworkloads: [mix]\n").text);
    assert_string_not_equal(key.text, key_of("gpus: [m2090]\nworkloads: [tile]\n").text);

    snprintf(named, sizeof named, "gpus: [m2090]\nworkloads: [%s]\n", path_of("kernel.yaml"));
    write_file("kernel.yaml", kernel);
    const struct experiment_key before = key_of(named);
    assert_string_equal(before.text, key_of(named).text);
    write_file("kernel.yaml", "seed: 1\n");
    FILE *const to = fopen(path_of("kernel.yaml"), "a");
    assert_non_null(to);
    fputs(kernel, to);
    fclose(to);
    assert_string_not_equal(before.text, key_of(named).text);
}

/* The text of the key of point 0; to be freed. */
static char *key_text_of(const char *yaml)
{
    struct opened opened;
    struct experiment_point point;
    struct experiment_key key;
    struct fault fault;
    char *text = NULL;

    open_experiment(&opened, yaml);
    experiment_grid_point(&opened.grid, 0u, &point);
    assert_true(experiment_key_make(&point, NULL, &key, &text, &fault));
    assert_string_equal(key.text, opened.grid.keys[0].text);
    close_experiment(&opened);
    return text;
}

/* Results that were kept before there was the parameter are found again. */
static void a_parameter_that_came_later_is_in_a_key_unless_it_has_its_default(void **state)
{
    static const char line[] = "constant.by_address: true\n", name[] = "constant.by_address";
    char *const on = key_text_of("gpus: [m2090]\nworkloads: [mix]\n"
                                 "variants: {x: {constant.by_address: true}}\n");
    char *const off = key_text_of("gpus: [m2090]\nworkloads: [mix]\n");
    const char *const at = strstr(on, line);

    (void)state;
    assert_non_null(at);
    assert_null(strstr(off, name));
    /* and nothing else is missing */
    assert_memory_equal(on, off, (size_t)(at - on));
    assert_string_equal(at + strlen(line), off + (at - on));
    free(on);
    free(off);
}

static void runs_that_come_to_the_same_are_one(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "variants: {a: {sm.cta_slots: 8}, b: {sm.cta_slots: 4},"
                             " c: {sm.cta_slots: 8}}\n");
    assert_int_equal(opened.grid.same[0], 0);
    assert_int_equal(opened.grid.same[1], 1);
    assert_int_equal(opened.grid.same[2], 0);
    close_experiment(&opened);
}

/* ---- Figures ------------------------------------------------------------------------- */

static void a_figure_has_one_meaning(void **state)
{
    static const struct {
        const char *name, *path; /* path NULL: refused with a message that has `word` */
        const char *word;
    } rows[] = {
        { "cycles", "cycles.core", NULL },
        { "ipc", "derived.ipc", NULL },
        { "no_cta", "sm.total.no_cta", NULL },
        { "sm.idle", "sm.total.idle", NULL },
        { "l2.idle", "l2.total.idle", NULL },
        { "idle", NULL, "sm.idle, l2.idle" },
        { "resident_warps", NULL, "derived.resident_warps, sm.resident_warps" },
        { "derived.resident_warps", "derived.resident_warps", NULL },
        { "energy.total", "energy.total", NULL },
        { "kernels.12.ended", "kernels.12.ended", NULL },
        { "sm.each.no_cta.3", "sm.each.no_cta.3", NULL },
        { "configuration.sm.count", "configuration.sm.count", NULL },
        { "verified", "verified", NULL },
        { "kernels.12", NULL, "no such figure" },
        { "kernels.0.end", NULL, "no such figure" },
        { "sm.total", NULL, "no such figure" },
        { "ipd", NULL, "the nearest is ipc" },
        { "", NULL, "no such figure" },
        { ".", NULL, "no such figure" },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        char path[TREE_TEXT];
        struct fault fault;
        const bool good = experiment_figure_path(rows[i].name, path, &fault);
        assert_int_equal(good, rows[i].path != NULL);
        if (good) {
            assert_string_equal(path, rows[i].path);
        } else if (strstr(fault_text(&fault), rows[i].word) == NULL) {
            fail_msg("%s: %s", rows[i].name, fault_text(&fault));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_last_axis_changes_fastest),
        TEST(common_settings_come_before_those_of_the_variant),
        TEST(a_scheduler_comes_before_the_keys_beside_it),
        TEST(schedulers_may_be_an_axis),
        TEST(a_scheduler_is_read_once),
        TEST(a_run_is_known_by_what_determines_it_and_not_by_names),
        TEST(a_parameter_that_came_later_is_in_a_key_unless_it_has_its_default),
        TEST(runs_that_come_to_the_same_are_one),
        TEST(a_figure_has_one_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
