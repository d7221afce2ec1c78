/*
 * Tests of schedulers: what a file changes, in which order several count, that it holds no keys
 * but those of scheduling, and the files of configs/schedulers.
 */

#include "gpu_config_folder.h"

#include "base/places.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_config_names.h"
#include "gpu/config/gpu_scheduler.h"

static struct gpu_config load(const char *gpu, const char *scheduler)
{
    struct gpu_config config;
    struct fault fault;

    if (!gpu_config_load(gpu, &config, &fault)
        || !gpu_config_schedule(&config, scheduler, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return config;
}

static void refuses(const char *names, const char *begin, const char *words)
{
    struct gpu_config config = gpu_config_standard();
    struct fault fault;

    if (gpu_config_schedule(&config, names, &fault)) {
        fail_msg("%s was taken", names);
    }
    expect_message(fault_text(&fault), begin, words);
}

/* "section.key=value ..." of what differs, in the order of the table. */
static void differences(const struct gpu_config *a, const struct gpu_config *b, char text[512])
{
    text[0] = '\0';
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char one[64];
        char other[64];
        gpu_config_value(a, &gpu_keys[i], one, sizeof one);
        gpu_config_value(b, &gpu_keys[i], other, sizeof other);
        if (strcmp(one, other) != 0) {
            const size_t length = strlen(text);
            snprintf(text + length, 512u - length, "%s%s.%s=%s", length == 0u ? "" : " ",
                     gpu_keys[i].section, gpu_keys[i].key, other);
        }
    }
}

static void expect_changes(const char *gpu, const char *scheduler, const char *expected)
{
    const struct gpu_config before = load(gpu, NULL);
    const struct gpu_config after = load(gpu, scheduler);
    char text[512];

    differences(&before, &after, text);
    if (strcmp(text, expected) != 0) {
        fail_msg("%s on %s changes \"%s\", not \"%s\"", scheduler, gpu, text, expected);
    }
}

/* ---- What they change ---------------------------------------------------------------- */

static void a_scheduler_changes_its_keys_alone(void **state)
{
    put(*state, "mine.yaml",
        "title: mine\nwarp: {policy: lrr, ready_queue: 4}\nicc: {entries: 8}\n"
        "dispatch: {block: 2, steal: true}\nclaso: {loose_levels: 3}\n");
    expect_changes("m2090", "./mine.yaml",
                   "warp.policy=lrr warp.ready_queue=4 icc.entries=8 dispatch.block=2 "
                   "dispatch.steal=true claso.loose_levels=3");
    expect_changes("icc", NULL, "");
}

static void of_several_schedulers_the_later_ones_count(void **state)
{
    put(*state, "a.yaml", "claso: {active_levels: 1, loose_levels: 1}\n");
    put(*state, "b.yaml", "claso: {active_levels: 2}\nwarp: {policy: oldest}\n");
    expect_changes("m2090", "./a.yaml,b.yaml",
                   "warp.policy=oldest claso.active_levels=2 claso.loose_levels=1");
    expect_changes("m2090", "b.yaml,a.yaml",
                   "warp.policy=oldest claso.active_levels=1 claso.loose_levels=1");
    expect_changes("m2090", "lrr,a.yaml,distributed",
                   "warp.policy=lrr dispatch.policy=distributed claso.active_levels=1 "
                   "claso.loose_levels=1");
}

/* As the experiments have set them, key by key. */
static const struct {
    const char *name;
    const char *changes;
} shipped[] = {
    { "claso", "claso.active_levels=1" },
    { "claso20", "claso.active_levels=2" },
    { "db-claso-icc", "icc.entries=48 icc.lines=24 dispatch.policy=distributed-block "
                      "claso.active_levels=1" },
    { "distributed", "dispatch.policy=distributed" },
    { "distributed-block", "dispatch.policy=distributed-block" },
    { "dyncta", "dyncta.on=true" },
    { "global", "dispatch.policy=global-rr" },
    { "greedy-cluster", "dispatch.policy=greedy-cluster" },
    { "gto", "" }, /* icc's own */
    { "icc", "icc.entries=48" },
    { "icc-cc", "icc.entries=48 icc.lines=24" },
    { "laperm", "dispatch.policy=global-rr laperm.mode=adaptive-bind" },
    { "laperm-rr", "dispatch.policy=global-rr laperm.mode=rr" },
    { "laperm-smx-bind", "dispatch.policy=global-rr laperm.mode=smx-bind" },
    { "laperm-tb-pri", "dispatch.policy=global-rr laperm.mode=tb-pri" },
    { "lcs", "lcs.on=true" },
    { "lrr", "warp.policy=lrr" },
    { "onac", "onac.mode=onac" },
    { "owl", "warp.policy=owl" },
    { "perf-sat", "perf_sat.on=true" }, /* and icc's own policy */
    { "seq-det", "onac.mode=seq-det" },
    { "two-level", "" }, /* icc's own */
    { "two-level-warps", "warp.policy=two-level-rr" },
};
enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

static void the_shipped_schedulers_are_these(void **state)
{
    (void)state;
    char names[1024];
    char expected[1024] = "";

    for (size_t i = 0u; i < SHIPPED; i++) {
        strcat(strcat(expected, i == 0u ? "" : ", "), shipped[i].name);
        expect_changes("icc", shipped[i].name, shipped[i].changes);
    }
    expect_changes("icc", "lrr,gto", "");
    expect_changes("c2050", "gto", "warp.policy=gto");
    expect_changes("c2050", "two-level", "dispatch.policy=two-level-rr");
    gpu_scheduler_names(names, sizeof names);
    assert_string_equal(names, expected);
}

static void every_shipped_scheduler_has_a_title_and_sources(void **state)
{
    (void)state;

    for (size_t i = 0u; i < SHIPPED; i++) {
        char path[PLACES_PATH];
        struct fault fault;
        char line[256];
        struct gpu_scheduler *const scheduler = gpu_scheduler_load(shipped[i].name, &fault);
        assert_non_null(scheduler);
        assert_string_not_equal(gpu_scheduler_title(scheduler), "");
        gpu_scheduler_free(scheduler);
        assert_true(config_find(CONFIG_SCHEDULER, shipped[i].name, path, &fault));
        FILE *const file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file) != NULL) {
            if (line[0] == ' ' && strstr(line, " # ICC ") == NULL
                && strstr(line, " # CLASO ") == NULL && strstr(line, " # TH ") == NULL
                && strstr(line, " # Lee et al.") == NULL && strstr(line, " # LP ") == NULL
                && strstr(line, " # assumed: ") == NULL) {
                fail_msg("%s has no source: %s", path, line);
            }
        }
        assert_int_equal(fclose(file), 0);
    }
}

/* ---- Schedulers that are wrong ------------------------------------------------------- */

static const struct {
    const char *text;
    const char *where; /* ":LINE: KEY: " */
    const char *words;
} wrong[] = {
    { "sm:\n  count: 3\n", ":1: sm: ",
      "no such key; allowed: title, warp, icc, dispatch, claso, dyncta, perf_sat, lcs, onac, "
      "laperm" },
    { "warp:\n  policy: lrr\n  interval: 2\n",
      ":3: warp.interval: ", "no such key; allowed: policy, ready_queue, group_ctas" },
    { "cluster:\n  locality: true\n", ":1: cluster: ", "no such key" },
    { "base: gto\n", ":1: base: ", "no such key; allowed: title, warp" },
    { "claso:\n  active_levels: 16\n", ":2: claso.active_levels: ", "allowed: 0 to 15 levels" },
    { "warp:\n  policy: fifo\n", ":2: warp.policy: ", "fifo is given; allowed: lrr, gto" },
    { "dispatch:\n  polcy: 1\n", ":2: dispatch.polcy: ", "the nearest is policy" },
    { "title: [a]\n", ":1: title: ", "a list is given; allowed: a single value" },
    { "", ":1: ", "the file is empty" },
};

static void a_scheduler_holds_no_keys_but_those_of_scheduling(void **state)
{
    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        char where[64];
        put(*state, "wrong.yaml", wrong[i].text);
        snprintf(where, sizeof where, "./wrong.yaml%s", wrong[i].where);
        refuses("./wrong.yaml", where, wrong[i].words);
        refuses("gto,./wrong.yaml", where, wrong[i].words);
    }
}

static void a_scheduler_that_is_missing_is_named(void **state)
{
    (void)state;
    refuses("clasp",
            "clasp: no such scheduler; allowed: a file (with a / or .yaml), or one of ",
            "claso, claso20, db-claso-icc,");
    refuses("claso,m2090", "m2090: no such scheduler", "");
    refuses("./none.yaml", "./none.yaml: No such file or directory", "");
    refuses("", ": an empty name; allowed: NAME or NAME,NAME", "");
    refuses("claso,", "claso,: an empty name; allowed: ", "");
    refuses("gto,,lrr", "gto,,lrr: an empty name; allowed: ", "");
    refuses("gto,gto,gto,gto,gto,gto,gto,gto,lrr", "lrr: too many schedulers; ", "at most 8");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_scheduler_changes_its_keys_alone),
        TEST(of_several_schedulers_the_later_ones_count),
        TEST(the_shipped_schedulers_are_these),
        TEST(every_shipped_scheduler_has_a_title_and_sources),
        TEST(a_scheduler_holds_no_keys_but_those_of_scheduling),
        TEST(a_scheduler_that_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
