/* Tests of CTAs as bars of a picture. */

#include "gpusched/report/chart/report_ctas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 16000 };

static bool read_text(struct report_ctas *ctas, const char *list)
{
    char text[512];

    snprintf(text, sizeof text, "{\"kernels\": [\"k\"], \"ctas\": %s}", list);
    json_t *const value = json_loads(text, 0u, NULL);
    const bool good = report_ctas_read(ctas, value);
    json_decref(value);
    return good;
}

/* The bars of these CTAs over 1000 cycles: "sm.slot from-to shade; ..." */
static const char *bars_of(const char *list)
{
    static char text[512];
    struct report_ctas ctas;
    uint32_t n;
    size_t at = 0u;

    assert_true(read_text(&ctas, list));
    struct cta_bar *const bars = report_cta_bars(&ctas, 1000.0, MANY, &n);
    text[0] = '\0';
    for (uint32_t i = 0u; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%u.%u %u-%u %u; ", bars[i].sm,
                               bars[i].slot, bars[i].from, bars[i].to, bars[i].shade);
    }
    free(bars);
    report_ctas_free(&ctas);
    return text;
}

static void a_slots_ctas_are_told_apart_by_a_gap(void **state)
{
    (void)state;
    assert_string_equal(bars_of("[[0, 1, 0, 0, 500, 1000], [0, 0, 0, 0, 0, 500]]"),
                        "0.0 0-499 0; 0.0 500-1000 0; ");
}

static void launches_are_told_apart_by_their_shade(void **state)
{
    (void)state;
    assert_string_equal(bars_of("[[2, 0, 0, 0, 0, 500], [3, 0, 0, 0, 500, 1000]]"),
                        "0.0 0-500 0; 0.0 500-1000 1; ");
}

static void bars_are_in_the_order_of_sms_and_slots(void **state)
{
    (void)state;
    assert_string_equal(bars_of("[[0, 0, 1, 0, 0, 9], [0, 1, 0, 1, 1, 9], [0, 2, 0, 0, 2, 9]]"),
                        "0.0 2-9 0; 0.1 1-9 0; 1.0 0-9 0; ");
}

static void idle_time_stays_empty(void **state)
{
    (void)state;
    assert_string_equal(
        bars_of("[[0, 0, 0, 0, 0, 3], [0, 1, 0, 0, 5, 8], [0, 2, 0, 0, 8, 10]]"),
        "0.0 0-3 0; 0.0 5-10 0; ");
}

/* The CTAs of one slot, back to back, of launches in turn. */
static struct report_ctas chain(uint32_t n, uint32_t launches)
{
    struct report_ctas ctas = {
        .list = calloc(n, sizeof *ctas.list), .n = n, .sms = 1u, .slots = 1u, .end = n
    };

    assert_non_null(ctas.list);
    for (uint32_t i = 0u; i < n; i++) {
        ctas.list[i] =
            (struct report_cta){ .kernel = i % launches, .started = i, .ended = i + 1u };
    }
    return ctas;
}

static void ctas_that_are_too_short_are_one_bar(void **state)
{
    struct report_ctas ctas = chain(10000u, 1u);
    uint32_t n;
    struct cta_bar *const bars = report_cta_bars(&ctas, ctas.end, MANY, &n);

    (void)state;
    assert_int_equal(n, 1);
    assert_int_equal(bars[0].from, 0);
    assert_int_equal(bars[0].to, CTA_WIDTH);
    free(bars);
    report_ctas_free(&ctas);
}

static void there_are_no_more_bars_than_wanted(void **state)
{
    (void)state;
    for (uint32_t launches = 1u; launches <= 2u; launches++) {
        struct report_ctas ctas = chain(200u, launches);
        uint32_t n;
        free(report_cta_bars(&ctas, ctas.end, MANY, &n));
        assert_int_equal(n, 200);
        free(report_cta_bars(&ctas, ctas.end, 20u, &n));
        assert_in_range(n, 1, 20);
        report_ctas_free(&ctas);
    }
}

static void what_is_no_list_of_ctas_is_refused(void **state)
{
    static const char *const bad[] = {
        "[]",
        "[[0, 0, 0, 0, 0]]",
        "[[0, 0, 0, 0, 5, 4]]",
        "[[0, 0, -1, 0, 0, 1]]",
        "[[0, 0, 0, 256, 0, 1]]",
        "[[0, 0, \"0\", 0, 0, 1]]",
        "[[0, 0, 0, 0, 0, 1], 1]",
        "{}",
    };
    struct report_ctas ctas;

    (void)state;
    for (size_t i = 0u; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(read_text(&ctas, bad[i]));
    }
    assert_true(read_text(&ctas, "[[0, 0, 7, 3, 0, 1]]"));
    assert_int_equal(ctas.sms, 8);
    assert_int_equal(ctas.slots, 4);
    report_ctas_free(&ctas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slots_ctas_are_told_apart_by_a_gap),
        cmocka_unit_test(launches_are_told_apart_by_their_shade),
        cmocka_unit_test(bars_are_in_the_order_of_sms_and_slots),
        cmocka_unit_test(idle_time_stays_empty),
        cmocka_unit_test(ctas_that_are_too_short_are_one_bar),
        cmocka_unit_test(there_are_no_more_bars_than_wanted),
        cmocka_unit_test(what_is_no_list_of_ctas_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
