/* Tests of sm_counter's golden model: its promises, and random traffic against a recount. */

#include "tb/base/unit_check.h"
#include "units/sm_counter.h"

enum { CLASSES = SM_CYCLES - 1 };

static struct sm_counter counter_of(uint32_t n_scheduler, uint32_t count_w)
{
    const struct sm_counter_config config = { n_scheduler, count_w };
    struct sm_counter unit;

    assert_int_equal(sm_counter_init(&unit, &config), sm_counter_ok);
    return unit;
}

/* One cycle; what it showed. */
static struct sm_counter_out cycle(struct sm_counter *unit, const struct sm_counter_in *in)
{
    struct sm_counter_out out;
    struct sm_counter_next next;

    sm_counter_eval(unit, in, &out, &next);
    sm_counter_tick(unit, &next);
    return out;
}

static struct sm_counter_out shown(struct sm_counter *unit)
{
    return cycle(unit, &(struct sm_counter_in){ .clear = false });
}

/* ---- What is counted --------------------------------------------------------------------- */

static void each_scheduler_counts_the_class_of_its_own_cycle(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(4u, 32u);
    const struct sm_counter_in stalled = {
        .cycle = { SM_CYCLE_ACTIVE, SM_CYCLE_PIPELINE_MEMORY, SM_CYCLE_PIPELINE_MEMORY,
                   SM_CYCLE_SCOREBOARD_ALU },
    };
    const struct sm_counter_in paused = {
        .cycle = { SM_CYCLE_PAUSED, SM_CYCLE_PAUSED, SM_CYCLE_PAUSED, SM_CYCLE_PAUSED },
    };

    cycle(&unit, &stalled);
    cycle(&unit, &stalled);
    cycle(&unit, &paused);
    const struct sm_counter_out out = shown(&unit);
    const uint32_t expected[CLASSES] = { 2, 0, 2, 0, 0, 4, 4 };
    assert_memory_equal(out.cycles, expected, sizeof expected);
}

static void what_happens_in_a_cycle_is_shown_in_the_next(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(1u, 8u);
    const struct sm_counter_in in = { .cycle = { SM_CYCLE_IDLE }, .issued = 1u };

    assert_int_equal(cycle(&unit, &in).cycles[SM_CYCLE_IDLE - 1], 0u);
    assert_int_equal(shown(&unit).cycles[SM_CYCLE_IDLE - 1], 1u);
}

static void a_scheduler_that_is_off_counts_nowhere(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(4u, 32u);
    const struct sm_counter_in in = { .cycle = { 0u, SM_CYCLE_ACTIVE } };
    uint32_t all = 0u;

    for (int n = 0; n < 10; n++) {
        cycle(&unit, &in);
    }
    const struct sm_counter_out out = shown(&unit);
    for (uint32_t c = 0u; c < CLASSES; c++) {
        all += out.cycles[c];
    }
    assert_int_equal(all, 10u);
    assert_int_equal(out.cycles[SM_CYCLE_ACTIVE - 1], 10u);
}

static void instructions_and_ctas_have_counts_of_their_own(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(2u, 32u);

    cycle(&unit, &(struct sm_counter_in){ .issued = 4u, .started = 7u });
    cycle(&unit, &(struct sm_counter_in){ .issued = 1u, .ended = 2u });
    const struct sm_counter_out out = shown(&unit);
    assert_int_equal(out.instructions, 5u);
    assert_int_equal(out.starts, 7u);
    assert_int_equal(out.ends, 2u);
}

/* ---- Clear, wrap and reset --------------------------------------------------------------- */

static void each_cycle_belongs_to_one_period(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(1u, 32u);
    struct sm_counter_in in = { .cycle = { SM_CYCLE_ACTIVE }, .issued = 1u, .started = 1u };
    uint32_t active = 0u, starts = 0u;

    for (uint32_t n = 0u; n < 1000u; n++) {
        in.clear = n % 7u == 6u || n == 999u;
        const struct sm_counter_out out = cycle(&unit, &in);
        active += in.clear ? out.cycles[SM_CYCLE_ACTIVE - 1] : 0u;
        starts += in.clear ? out.starts : 0u;
    }
    assert_int_equal(active, 999u); /* the last one is of the period that has just begun */
    assert_int_equal(starts, 999u);
    assert_int_equal(shown(&unit).instructions, 1u);
}

static void a_full_count_begins_again_at_zero_and_differences_stay_right(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(3u, 5u);
    const struct sm_counter_in in = {
        .cycle = { SM_CYCLE_IDLE, SM_CYCLE_IDLE, SM_CYCLE_IDLE },
    };
    uint32_t before = 0u;

    for (int n = 0; n < 100; n++) {
        cycle(&unit, &in);
        const uint32_t now = unit.q.cycles[SM_CYCLE_IDLE - 1];
        assert_int_equal((now - before) & 31u, 3u);
        before = now;
    }
    assert_int_equal(before, 300u % 32u);
}

static void counts_of_32_bits_wrap_after_all_of_them(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(4u, 32u);
    const struct sm_counter_in in = {
        .cycle = { SM_CYCLE_PAUSED, SM_CYCLE_PAUSED, SM_CYCLE_PAUSED, SM_CYCLE_PAUSED },
    };

    sm_counter_advance(&unit, &in, (UINT64_C(1) << 30) - 1u);
    assert_int_equal(shown(&unit).cycles[SM_CYCLE_PAUSED - 1], UINT32_MAX - 3u);
    cycle(&unit, &in);
    assert_int_equal(shown(&unit).cycles[SM_CYCLE_PAUSED - 1], 0u);
    sm_counter_advance(&unit, &in, UINT64_C(1) << 40 | 5u);
    assert_int_equal(shown(&unit).cycles[SM_CYCLE_PAUSED - 1], 20u);
}

static void a_reset_clears_every_count(void **state)
{
    (void)state;
    struct sm_counter unit = counter_of(2u, 32u);
    const struct sm_counter_in in = { { SM_CYCLE_IDLE, SM_CYCLE_ACTIVE }, 3u, 4u, 5u, false };
    const struct sm_counter_out none = { .starts = 0u };

    cycle(&unit, &in);
    sm_counter_reset(&unit);
    const struct sm_counter_out out = shown(&unit);
    check_outputs(&sm_counter_type, &unit.config, &in, &none, &out);
}

/* ---- Random traffic, recounted ----------------------------------------------------------- */

enum { HISTORY = 4096 };

/* What the counts must be: all cycles since the last clear, counted once more. */
static struct sm_counter_out recount(const struct sm_counter_config *config,
                                     const struct sm_counter_in *history, uint32_t n)
{
    uint64_t of_class[SM_CYCLES] = { 0u }, instructions = 0u, starts = 0u, ends = 0u;
    const uint64_t modulus = UINT64_C(1) << config->count_w;
    struct sm_counter_out out;
    uint32_t from = n;

    while (from > 0u && !history[from - 1u].clear) {
        from--;
    }
    for (uint32_t i = from > 0u ? from - 1u : 0u; i < n; i++) {
        for (uint32_t k = 0u; k < config->n_scheduler; k++) {
            of_class[history[i].cycle[k]]++;
        }
        instructions += history[i].issued;
        starts += history[i].started;
        ends += history[i].ended;
    }
    for (uint32_t c = 0u; c < CLASSES; c++) {
        out.cycles[c] = (uint32_t)(of_class[c + 1u] % modulus);
    }
    out.instructions = (uint32_t)(instructions % modulus);
    out.starts = (uint32_t)(starts % modulus);
    out.ends = (uint32_t)(ends % modulus);
    return out;
}

static void random_traffic_counts_as_a_recount_does(void **state)
{
    (void)state;
    static const struct sm_counter_config sizes[] = { { 1u, 1u }, { 4u, 2u },  { 2u, 3u },
                                                      { 3u, 5u }, { 2u, 32u }, { 4u, 32u } };
    static struct sm_counter_in history[HISTORY];
    uint64_t random = printed_seed();

    for (size_t s = 0u; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct sm_counter unit = counter_of(sizes[s].n_scheduler, sizes[s].count_w);
        for (uint32_t n = 0u; n < HISTORY; n++) {
            struct sm_counter_in *const in = &history[n];
            for (uint32_t k = 0u; k < sizes[s].n_scheduler; k++) {
                in->cycle[k] = random_below(&random, SM_CYCLES);
            }
            in->issued = random_below(&random, 2u * sizes[s].n_scheduler + 1u);
            in->started = random_below(&random, 8u);
            in->ended = random_below(&random, 8u);
            in->clear = random_below(&random, 50u) == 0u;
            const struct sm_counter_out expected = recount(&sizes[s], history, n);
            const struct sm_counter_out got = cycle(&unit, in);
            check_outputs(&sm_counter_type, &sizes[s], in, &expected, &got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scheduler_counts_the_class_of_its_own_cycle),
        cmocka_unit_test(what_happens_in_a_cycle_is_shown_in_the_next),
        cmocka_unit_test(a_scheduler_that_is_off_counts_nowhere),
        cmocka_unit_test(instructions_and_ctas_have_counts_of_their_own),
        cmocka_unit_test(each_cycle_belongs_to_one_period),
        cmocka_unit_test(a_full_count_begins_again_at_zero_and_differences_stay_right),
        cmocka_unit_test(counts_of_32_bits_wrap_after_all_of_them),
        cmocka_unit_test(a_reset_clears_every_count),
        cmocka_unit_test(random_traffic_counts_as_a_recount_does),
    };
    return cmocka_run_group_tests_name("sm_counter", tests, NULL, NULL);
}
