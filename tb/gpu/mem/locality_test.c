/*
 * Tests of the measure of intra-cluster locality: by hand, and random requests against a search
 * through all earlier ones.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/random_bits.h"
#include "gpu/mem/locality.h"

enum { REQUESTS = 6000, LINES = 40, SMS = 5 };

struct request {
    uint64_t line, t;
    uint32_t quarters, sm;
};

/* ---- By hand ------------------------------------------------------------------------- */

static void each_window_counts_what_lies_in_it(void **state)
{
    (void)state;
    static const struct {
        uint64_t age;
        uint32_t windows; /* in which it is redundant: the last of the four */
    } cases[] = { { 1u, 4u },    { 500u, 4u },  { 501u, 3u },  { 1000u, 3u }, { 1001u, 2u },
                  { 1500u, 2u }, { 1501u, 1u }, { 2000u, 1u }, { 2001u, 0u }, { 9999u, 0u } };

    for (size_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        struct locality *const l = locality_open();
        struct locality_counts of = { { 0u }, { 0u }, { 0u } };
        locality_request(l, 7u, 15u, 0u, 100u, &of);
        locality_request(l, 7u, 15u, 1u, 100u + cases[i].age, &of);
        for (uint32_t w = 0u; w < LOCALITY_WINDOWS; w++) {
            assert_int_equal(locality_counts(l)->data[w],
                             w + cases[i].windows >= LOCALITY_WINDOWS);
            assert_int_equal(locality_counts(l)->line[w], 0u);
        }
        locality_close(l);
    }
}

static void quarters_tell_data_from_line_and_sms_own_from_others(void **state)
{
    (void)state;
    struct locality *const l = locality_open();
    const struct locality_counts *const counts = locality_counts(l);
    struct locality_counts of = { { 0u }, { 0u }, { 0u } };

    locality_request(l, 1u, 3u, 2u, 10u, &of);
    locality_request(l, 1u, 12u, 3u, 20u, &of); /* the other half of the line, of another SM */
    assert_int_equal(counts->line[0], 1u);
    assert_int_equal(counts->data[0], 0u);
    locality_request(l, 1u, 2u, 3u, 30u, &of); /* what the first asked for */
    assert_int_equal(counts->data[0], 1u);
    assert_int_equal(counts->own[0], 0u);
    locality_request(l, 1u, 4u, 3u, 515u, &of); /* within 500 cycles only its own request */
    assert_int_equal(counts->data[0], 2u);
    assert_int_equal(counts->own[0], 1u);
    assert_int_equal(counts->own[1], 0u);
    locality_request(l, 2u, 15u, 3u, 516u, &of); /* another line */
    assert_int_equal(counts->line[3] + counts->data[3], 3u);
    locality_close(l);
}

/* ---- Against a search through all requests ------------------------------------------- */

static void expect(const struct request *list, uint32_t n, struct locality_counts *counts)
{
    const struct request *const p = &list[n];

    for (uint32_t w = 0u; w < LOCALITY_WINDOWS; w++) {
        bool line = false, data = false, other = false;
        for (uint32_t i = n; i > 0u && p->t - list[i - 1u].t <= 500u * (w + 1u); i--) {
            const struct request *const q = &list[i - 1u];
            line = line || q->line == p->line;
            data = data || (q->line == p->line && (q->quarters & p->quarters) != 0u);
            other = other || (q->line == p->line && q->sm != p->sm);
        }
        counts->data[w] += data;
        counts->line[w] += line && !data;
        counts->own[w] += line && !other;
    }
}

static void random_requests_are_counted_as_by_a_search(void **state)
{
    (void)state;
    const char *const text = getenv("SEED");
    uint64_t random = text != NULL ? strtoull(text, NULL, 0) : 1u;
    print_message("SEED=%" PRIu64 "\n", random);
    static struct request list[REQUESTS];

    /* From a request in each cycle, which fills the memory, to few. */
    for (uint32_t gap = 1u; gap <= 1000u; gap *= 10u) {
        struct locality *const l = locality_open();
        struct locality_counts expected = { { 0u }, { 0u }, { 0u } };
        struct locality_counts of[2] = { expected,
                                         expected }; /* of even numbers of quarters, and odd */
        uint64_t t = 0u;
        for (uint32_t n = 0u; n < REQUESTS; n++) {
            t += 1u + random_below(&random, gap);
            list[n] = (struct request){ .line = random_below(&random, LINES) << 9,
                                        .t = t,
                                        .quarters = 1u + random_below(&random, 15u),
                                        .sm = random_below(&random, SMS) };
            /* Rare lines are last seen far back. */
            list[n].line <<= random_below(&random, 20u);
            locality_request(l, list[n].line, list[n].quarters, list[n].sm, t,
                             &of[list[n].quarters % 2u]);
            expect(list, n, &expected);
        }
        assert_memory_equal(locality_counts(l), &expected, sizeof expected);
        for (uint32_t w = 0u; w < LOCALITY_WINDOWS; w++) {
            assert_int_equal(of[0].line[w] + of[1].line[w], expected.line[w]);
            assert_int_equal(of[0].data[w] + of[1].data[w], expected.data[w]);
            assert_int_equal(of[0].own[w] + of[1].own[w], expected.own[w]);
        }
        assert_true(expected.line[3] > 0u && expected.data[3] > 0u && expected.own[3] > 0u);
        locality_close(l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_window_counts_what_lies_in_it),
        cmocka_unit_test(quarters_tell_data_from_line_and_sms_own_from_others),
        cmocka_unit_test(random_requests_are_counted_as_by_a_search),
    };
    return cmocka_run_group_tests_name("locality", tests, NULL, NULL);
}
