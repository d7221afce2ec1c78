/* Tests of the table and the CSV of an experiment. */

#include "experiment_open.h"

#include <string.h>

static char *printed(struct opened *opened, struct store *store,
                     void (*print)(const struct report *report, FILE *to))
{
    struct report report;
    struct fault fault;
    char *text = NULL;
    size_t length;
    FILE *const to = open_memstream(&text, &length);

    assert_non_null(to);
    assert_true(report_open(&report, store, &opened->grid, &opened->figures, &fault));
    print(&report, to);
    report_free(&report);
    fclose(to);
    return text;
}

static void print_table(const struct report *report, FILE *to)
{
    report_table(report, 0u, to);
}

static void a_table_compares_with_the_baseline(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    keep_run(store, &opened, 0u, 1000u); /* mix, gto */
    keep_run(store, &opened, 2u, 500u);  /* mix, lrr: twice as fast */
    keep_run(store, &opened, 4u, 300u);  /* dependent, gto */
    keep_run(store, &opened, 6u, 2400u); /* dependent, lrr: an eighth as fast */
    keep_run(store, &opened, 1u, 1000u); /* with 4 CTAs, mix, gto alone */
    char *const text = printed(&opened, store, print_table);
    assert_string_equal(text, "speedup: cycles of gto / cycles\n"
                              "\n"
                              "m2090, ctas 8\n"
                              "                    gto    lrr\n"
                              "  mix             1.000  2.000\n"
                              "  dependent       1.000  0.125\n"
                              "  geometric mean  1.000  0.500\n"
                              "\n"
                              "m2090, ctas 4\n"
                              "                                gto      lrr\n"
                              "  mix                         1.000  pending\n"
                              "  dependent                 pending  pending\n"
                              "  geometric mean of 0 of 2        -        -\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void a_table_compares_times_where_clocks_differ(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened,
                    "gpus: [m2090, {name: c2050, settings: {clock.core: 2600}}]\n"
                    "workloads: [mix]\n"
                    "variants: {slow: {warp.policy: oldest}, fast: {clock.core: 2600}}\n"
                    "baseline: slow\n"
                    "figures: [cycles, ipc]\n");
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    keep_run(store, &opened, 0u, 1000u);
    keep_run(store, &opened, 1u, 1600u); /* of half the length */
    keep_run(store, &opened, 2u, 1000u);
    keep_run(store, &opened, 3u, 1600u); /* of the same */
    char *const text = printed(&opened, store, print_table);
    assert_string_equal(text, "speedup: time of slow / time; time: cycles / clock.core\n"
                              "\n"
                              "m2090\n"
                              "                   slow   fast\n"
                              "  mix             1.000  1.250\n"
                              "  geometric mean  1.000  1.250\n"
                              "\n"
                              "c2050\n"
                              "                   slow   fast\n"
                              "  mix             1.000  0.625\n"
                              "  geometric mean  1.000  0.625\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void csv_quotes_what_it_must(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "variants: {\"a,b\": , 'say \"c\"': {sm.cta_slots: 2}}\n"
                             "figures: [cycles, seconds, ipc]\n");
    struct store *const store = open_store();
    keep_run(store, &opened, 0u, 9u);
    char *const text = printed(&opened, store, report_csv);
    assert_string_equal(text, "run,gpu,workload,size,variant,status,error,cycles,seconds,ipc\n"
                              "1,m2090,mix,,\"a,b\",done,,9,,1.25\n"
                              "2,m2090,mix,,\"say \"\"c\"\"\",pending,,,,\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

/* A variant's names, and how the file has them. */
static void csv_has_no_formulas(void **state)
{
    struct opened opened;
    char tab[] = "\tx";
    char line[] = "\rx";
    const struct experiment_outcome outcomes[] = { { .status = RUN_FAILED, .error = tab },
                                                   { .status = RUN_FAILED, .error = line } };

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "variants: {\"=1+1\": , \"+a\": {sm.cta_slots: 2}, \"-2+3\": , "
                             "\"@SUM(A1)\": , \"-\": , \"-1.5e3\": , \"+7\": , \"a=1\": , "
                             "\"=a,\\\"b\": }\n"
                             "figures: [cycles]\n");
    struct store *const store = open_store();
    for (uint32_t i = 0u; i < 2u; i++) {
        assert_true(
            store_put(store, &opened.grid.keys[i], "text", &outcomes[i], &opened.figures));
    }
    char *const text = printed(&opened, store, report_csv);
    assert_string_equal(text, "run,gpu,workload,size,variant,status,error,cycles\n"
                              "1,m2090,mix,,\"'=1+1\",failed,\"'\tx\",\n"
                              "2,m2090,mix,,\"'+a\",failed,\"'\rx\",\n"
                              "3,m2090,mix,,\"'-2+3\",failed,\"'\tx\",\n"
                              "4,m2090,mix,,\"'@SUM(A1)\",failed,\"'\tx\",\n"
                              "5,m2090,mix,,\"'-\",failed,\"'\tx\",\n"
                              "6,m2090,mix,,-1.5e3,failed,\"'\tx\",\n"
                              "7,m2090,mix,,+7,failed,\"'\tx\",\n"
                              "8,m2090,mix,,a=1,failed,\"'\tx\",\n"
                              "9,m2090,mix,,\"'=a,\"\"b\",failed,\"'\tx\",\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_table_compares_with_the_baseline),
        TEST(a_table_compares_times_where_clocks_differ),
        TEST(csv_quotes_what_it_must),
        TEST(csv_has_no_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
