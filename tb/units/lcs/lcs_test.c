/* Tests of lcs's golden model: the slides' example, every small division, and each rule. */

#include "lcs_oracle.h"

enum { DOWN, UP, UP_AND_ONE };

/* A unit, and the oracle beside it. */
struct bench {
    struct lcs unit;
    struct lcs_oracle oracle;
    struct lcs_in in;
    struct lcs_out out;
};

static void bench_open(struct bench *bench, struct lcs_config config)
{
    memset(bench, 0, sizeof *bench);
    assert_int_equal(lcs_init(&bench->unit, &config), lcs_ok);
    bench->oracle.config = config;
    bench->in.rounding = UP;
}

static void cycle(struct bench *bench)
{
    const uint32_t rounding = bench->in.rounding;

    bench->out = lcs_oracle_beside(&bench->oracle, &bench->unit, &bench->in);
    memset(&bench->in, 0, sizeof bench->in);
    bench->in.rounding = rounding;
}

/* A kernel of which the SM holds n_max CTAs; so many of them start, in the first slots. */
static void begin(struct bench *bench, uint32_t n_max, uint32_t ctas)
{
    bench->in.restart = true;
    bench->in.n_max = n_max;
    cycle(bench);
    bench->in.started = bits_below(ctas);
    cycle(bench);
}

static void issue(struct bench *bench, uint32_t slot, uint32_t n)
{
    for (; n != 0u; n--) {
        bench->in.issued[0] = 1u;
        bench->in.issued_slot[0] = slot;
        cycle(bench);
    }
}

static void end(struct bench *bench, uint64_t slots)
{
    bench->in.ended.word[0] = slots;
    cycle(bench);
    assert_true(bench->out.hold);
}

/* Cycles until the SM may get a CTA again, and Tnew. */
static uint32_t wait(struct bench *bench, uint32_t *n_new)
{
    uint32_t n = 0u;

    do {
        cycle(bench);
        n++;
    } while (bench->out.hold);
    assert_int_equal(bench->out.phase, 2u);
    *n_new = bench->out.limit;
    return n;
}

/* ---- The slides ---------------------------------------------------------------------- */

/* Four CTAs that issue 4, 3, 2 and 1 instructions; the first one ends. */
static uint32_t example(uint32_t rounding)
{
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    bench.in.rounding = rounding;
    begin(&bench, 4u, 4u);
    for (uint32_t slot = 0u; slot < 4u; slot++) {
        issue(&bench, slot, 4u - slot);
    }
    assert_int_equal(bench.out.limit, 4u);
    end(&bench, 1u);
    wait(&bench, &n_new);
    return n_new;
}

static void ten_instructions_of_which_the_first_cta_has_four_are_three_ctas(void **state)
{
    (void)state;
    assert_int_equal(example(UP), 3u);
}

static void rounding_down_they_are_two_and_up_and_one_more_four(void **state)
{
    (void)state;
    assert_int_equal(example(DOWN), 2u);
    assert_int_equal(example(UP_AND_ONE), 4u);
    assert_int_equal(example(3u), 4u);
}

/* Round robin: all CTAs have issued about as much. */
static void ctas_that_advance_together_are_tmax(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 6u, 6u);
    for (uint32_t slot = 0u; slot < 6u; slot++) {
        issue(&bench, slot, 10u);
    }
    end(&bench, 1u << 2);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 6u);
}

/* ---- Every small division ------------------------------------------------------------ */

static uint32_t expected(uint32_t total, uint32_t first, uint32_t n_max, uint32_t rounding)
{
    uint32_t n = total / first + (rounding != DOWN && total % first != 0u);

    n += rounding == UP_AND_ONE;
    return n < n_max ? n : n_max;
}

/* The first CTA has issued `first` instructions, the others the rest. */
static void divide(uint32_t total, uint32_t first, uint32_t n_max, uint32_t rounding)
{
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    bench.in.rounding = rounding;
    begin(&bench, n_max, n_max);
    issue(&bench, 0u, first);
    for (uint32_t rest = total - first; rest != 0u; rest--) {
        issue(&bench, n_max > 1u ? 1u + rest % (n_max - 1u) : 0u, 1u);
    }
    end(&bench, 1u);
    assert_in_range(wait(&bench, &n_new), 3u, n_max + 2u);
    assert_int_equal(n_new, expected(total, n_max > 1u ? first : total, n_max, rounding));
}

static void every_total_and_first_come_to_their_quotient(void **state)
{
    (void)state;

    for (uint32_t n_max = 1u; n_max <= 8u; n_max++) {
        for (uint32_t first = 1u; first <= 7u; first++) {
            for (uint32_t total = first; total <= (n_max + 1u) * first + 1u; total++) {
                divide(total, first, n_max, DOWN);
                divide(total, first, n_max, UP);
                divide(total, first, n_max, UP_AND_ONE);
            }
        }
    }
}

static void large_counts_come_to_their_quotient(void **state)
{
    (void)state;
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < 2000u; i++) {
        struct bench bench;
        const uint32_t n_max = 1u + random_below(&random, 32u);
        const uint32_t rounding = random_below(&random, 3u);
        const uint32_t total = 1u + random_below(&random, 1u << 30);
        const uint32_t share = 1u + random_below(&random, 40u);
        const uint32_t first = share < total ? total / share : total;
        uint32_t n_new;
        bench_open(&bench, (struct lcs_config){ 32u, 4u, 32u });
        bench.in.rounding = rounding;
        begin(&bench, n_max, n_max);
        bench.unit.q.total = total; /* as if so many had been issued */
        bench.unit.q.count[0] = first;
        bench.oracle.total = total;
        bench.oracle.issued[0] = first;
        end(&bench, 1u);
        assert_in_range(wait(&bench, &n_new), 3u, n_max + 2u);
        assert_int_equal(n_new, expected(total, first, n_max, rounding));
    }
}

/* ---- The phases ---------------------------------------------------------------------- */

static void no_cta_comes_from_the_first_end_until_tnew_is_known(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 8u, 8u);
    assert_false(bench.out.hold);
    for (uint32_t slot = 0u; slot < 8u; slot++) {
        issue(&bench, slot, slot == 5u ? 3u : 1u);
    }
    assert_false(bench.out.hold);
    end(&bench, 1u << 5);
    assert_int_equal(wait(&bench, &n_new), 4u + 2u); /* 10 / 3 */
    assert_int_equal(n_new, 4u);
    bench.in.ended.word[0] = 0xdfu;
    cycle(&bench);
    assert_false(bench.out.hold);
    cycle(&bench);
    assert_int_equal(bench.out.limit, 4u);
}

static void of_two_that_end_first_together_the_lower_slot_counts(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 4u, 4u);
    issue(&bench, 1u, 6u);
    issue(&bench, 2u, 3u);
    end(&bench, 6u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 2u);
}

static void the_instructions_of_the_cycle_of_the_end_are_counted(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 4u, 4u);
    issue(&bench, 1u, 4u);
    issue(&bench, 0u, 1u);
    bench.in.issued[1] = 3u;
    end(&bench, 1u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 2u); /* 8 / 4 */
}

static void ctas_of_an_earlier_kernel_are_neither_counted_nor_first(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 8u, 6u);
    issue(&bench, 0u, 5u);
    bench.in.restart = true;
    bench.in.n_max = 4u;
    cycle(&bench);
    bench.in.started.word[0] = 0xc0u;
    cycle(&bench);
    issue(&bench, 0u, 50u);
    bench.in.ended.word[0] = 1u;
    cycle(&bench);
    assert_false(bench.out.hold);
    assert_int_equal(bench.out.limit, 4u);
    bench.in.started.word[0] = 1u; /* one of the kernel, in the slot that is free now */
    cycle(&bench);
    issue(&bench, 7u, 4u);
    issue(&bench, 0u, 2u);
    issue(&bench, 6u, 1u);
    end(&bench, 1u << 7);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 2u); /* 7 / 4 */
}

static void a_restart_begins_again_in_any_phase(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    for (uint32_t after = 0u; after < 8u; after++) {
        begin(&bench, 5u, 5u);
        issue(&bench, 3u, 2u);
        issue(&bench, 4u, 3u);
        end(&bench, 1u << 3);
        for (uint32_t n = 0u; n < after; n++) {
            cycle(&bench);
        }
        begin(&bench, 7u, 7u);
        assert_int_equal(bench.out.phase, 0u);
        assert_int_equal(bench.out.limit, 7u);
        issue(&bench, 3u, 1u);
        end(&bench, 1u << 3);
        wait(&bench, &n_new);
        assert_int_equal(n_new, 1u);
    }
}

static void fewer_ctas_than_tmax_are_those_that_there_are(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 8u, 2u);
    issue(&bench, 0u, 5u);
    issue(&bench, 1u, 4u);
    end(&bench, 1u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 2u);
}

/* ---- What is not usual --------------------------------------------------------------- */

static void counting_stops_at_a_quarter_of_what_the_bits_hold(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 4u, 1u, 6u });
    begin(&bench, 4u, 4u);
    issue(&bench, 0u, 10u);
    issue(&bench, 1u, 6u);
    assert_int_equal(bench.unit.q.total, 16u);
    assert_true(lcs_quiet(&bench.unit, &bench.in));
    issue(&bench, 1u, 40u);
    assert_int_equal(bench.unit.q.total, 16u);
    end(&bench, 2u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 3u); /* 16 / 6 */
}

static void a_first_cta_without_instructions_is_tmax(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 8u, 2u, 32u });
    begin(&bench, 5u, 5u);
    issue(&bench, 0u, 1u);
    end(&bench, 2u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 5u);
    begin(&bench, 5u, 5u);
    end(&bench, 2u);
    wait(&bench, &n_new);
    assert_int_equal(n_new, 1u); /* nor of any other */
}

static void a_tmax_that_no_sm_has_is_brought_into_range(void **state)
{
    (void)state;
    struct bench bench;

    bench_open(&bench, (struct lcs_config){ 5u, 2u, 32u });
    begin(&bench, 0u, 1u);
    assert_int_equal(bench.out.limit, 1u);
    begin(&bench, 7u, 1u);
    assert_int_equal(bench.out.limit, 5u);
}

static void without_a_kernel_nothing_may_come(void **state)
{
    (void)state;
    struct bench bench;

    bench_open(&bench, (struct lcs_config){ 5u, 2u, 32u });
    cycle(&bench);
    assert_int_equal(bench.out.limit, 0u);
    bench.in.started.word[0] = 1u;
    cycle(&bench);
    end(&bench, 1u);
    for (uint32_t n = 0u; n < 5u; n++) {
        cycle(&bench);
    }
    assert_int_equal(bench.out.limit, 0u);
}

static void in_lazy_nothing_changes_but_by_a_restart(void **state)
{
    (void)state;
    struct bench bench;
    uint32_t n_new;

    bench_open(&bench, (struct lcs_config){ 5u, 2u, 32u });
    begin(&bench, 5u, 5u);
    assert_true(lcs_quiet(&bench.unit, &bench.in));
    issue(&bench, 0u, 1u);
    bench.in.ended.word[0] = 1u;
    assert_false(lcs_quiet(&bench.unit, &bench.in));
    end(&bench, 1u);
    assert_false(lcs_quiet(&bench.unit, &bench.in));
    wait(&bench, &n_new);
    bench.in.started = bench.in.ended = bits_below(5u);
    bench.in.issued[1] = 3u;
    assert_true(lcs_quiet(&bench.unit, &bench.in));
    bench.in.restart = true;
    assert_false(lcs_quiet(&bench.unit, &bench.in));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_instructions_of_which_the_first_cta_has_four_are_three_ctas),
        cmocka_unit_test(rounding_down_they_are_two_and_up_and_one_more_four),
        cmocka_unit_test(ctas_that_advance_together_are_tmax),
        cmocka_unit_test(every_total_and_first_come_to_their_quotient),
        cmocka_unit_test(large_counts_come_to_their_quotient),
        cmocka_unit_test(no_cta_comes_from_the_first_end_until_tnew_is_known),
        cmocka_unit_test(of_two_that_end_first_together_the_lower_slot_counts),
        cmocka_unit_test(the_instructions_of_the_cycle_of_the_end_are_counted),
        cmocka_unit_test(ctas_of_an_earlier_kernel_are_neither_counted_nor_first),
        cmocka_unit_test(a_restart_begins_again_in_any_phase),
        cmocka_unit_test(fewer_ctas_than_tmax_are_those_that_there_are),
        cmocka_unit_test(counting_stops_at_a_quarter_of_what_the_bits_hold),
        cmocka_unit_test(a_first_cta_without_instructions_is_tmax),
        cmocka_unit_test(a_tmax_that_no_sm_has_is_brought_into_range),
        cmocka_unit_test(without_a_kernel_nothing_may_come),
        cmocka_unit_test(in_lazy_nothing_changes_but_by_a_restart),
    };
    return cmocka_run_group_tests_name("lcs", tests, NULL, NULL);
}
