/* Tests of ensembles as a page has them: medians, what has none, and what is not done. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/report/data/report_seeds.h"
#include "tool/memory_watch.h"

enum { SEEDS = 6 };

static const char *const reasons[SEEDS] = { "a", "b", "c", "d", "e", "f" };

/* One ensemble. Each seed is limited by something else. */
static void open_ensemble(struct report_data *data)
{
    static const double cycles[SEEDS] = { 30.0, 10.0, 60.0, 20.0, 50.0, 40.0 };

    memset(data, 0, sizeof *data);
    data->n = SEEDS;
    data->n_axis = 1u;
    data->axes[0] = memory_copy("seed");
    data->runs = memory_take(SEEDS, sizeof *data->runs);
    assert_non_null(data->runs);
    for (uint32_t i = 0u; i < SEEDS; i++) {
        struct report_run *const run = &data->runs[i];
        run->id = run->status_of = i + 1u;
        run->status = RUN_DONE;
        run->values.value[VALUE_CYCLES] = cycles[i];
        run->values.limit.kind = i % 2u == 0u ? LIMIT_MEMORY : LIMIT_PIPES;
        run->values.limit.busiest = i % 2u == 0u ? PART_DRAM : PART_REQUESTS;
        run->values.limit.lost = cycles[i] / 100.0;
        run->values.limit.ldst = reasons[i];
    }
}

static void numbers_have_medians_and_a_verdict_is_the_first(void **state)
{
    struct report_data data;

    (void)state;
    open_ensemble(&data);
    assert_true(report_seeds_join(&data, SEEDS));
    const struct report_run *const run = &data.runs[0];
    assert_int_equal(data.n, 1);
    assert_true(fabs(run->values.value[VALUE_CYCLES] - 35.0) < 1e-9);
    assert_true(fabs(run->each[2] - 60.0) < 1e-9);
    assert_int_equal(run->values.limit.kind, LIMIT_MEMORY);
    assert_int_equal(run->values.limit.busiest, PART_DRAM);
    assert_true(fabs(run->values.limit.lost - 0.3) < 1e-9);
    assert_ptr_equal(run->values.limit.ldst, reasons[0]);
    report_data_free(&data);
}

static void what_has_failed_is_not_behind_what_is_not_run(void **state)
{
    struct report_data data;

    (void)state;
    open_ensemble(&data);
    data.runs[1].status = RUN_PENDING;
    data.runs[3].status = RUN_FAILED;
    data.runs[3].error = memory_copy("why");
    data.runs[4].status = RUN_FAILED;
    data.runs[4].error = memory_copy("why not");
    for (uint32_t i = 1u; i < SEEDS; i += i == 1u ? 2u : SEEDS) {
        data.runs[i].values.value[VALUE_CYCLES] = (double)NAN;
    }
    assert_true(report_seeds_join(&data, SEEDS));
    const struct report_run *const run = &data.runs[0];
    assert_int_equal(run->id, 1);
    assert_int_equal(run->status, RUN_FAILED);
    assert_int_equal(run->status_of, 4);
    assert_string_equal(run->error, "why");
    assert_true(isnan(run->values.value[VALUE_CYCLES]));
    assert_int_equal(run->values.limit.kind, LIMIT_UNKNOWN);
    report_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_medians_and_a_verdict_is_the_first),
        cmocka_unit_test(what_has_failed_is_not_behind_what_is_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
