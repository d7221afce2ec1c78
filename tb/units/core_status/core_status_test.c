/* Tests of the core status table's golden model: what docs/units/core_status.md says, and
 * random traffic beside a recount of all cycles since the last clear. */

#include "tb/base/unit_check.h"
#include "units/core_status.h"

enum { CORES = 5, CYCLES = SANITIZED ? 2000 : 20000 };

static struct core_status table;

static struct core_status_out cycle(struct core_status_in in)
{
    struct core_status_out out;
    struct core_status_next next;

    core_status_eval(&table, &in, &out, &next);
    core_status_tick(&table, &next);
    return out;
}

static void open_table(uint32_t sample_w)
{
    assert_int_equal(core_status_init(&table, &(struct core_status_config){ CORES, sample_w }),
                     core_status_ok);
}

static struct core_status_in write_of(uint64_t active, uint64_t paused)
{
    return (struct core_status_in){
        .write = true,
        .write_active = { { active } },
        .write_paused = { { paused } },
    };
}

static const struct core_status_in nothing = { .write = false };

static void after_a_reset_ctas_go_to_all_cores(void **state)
{
    (void)state;
    open_table(32u);
    assert_int_equal(cycle(nothing).open.word[0], 0x1Fu);
    assert_int_equal(cycle(nothing).active.word[0], 0x1Fu);
}

static void ctas_go_to_cores_that_are_active_and_not_paused(void **state)
{
    (void)state;
    open_table(32u);
    assert_int_equal(cycle(write_of(0x0Fu, 0x1Cu)).open.word[0], 0x1Fu); /* in the next cycle */
    assert_int_equal(cycle(nothing).open.word[0], 0x03u);
    assert_int_equal(cycle(write_of(0x03u, 0u)).open.word[0], 0x03u);
    assert_int_equal(cycle(nothing).active.word[0], 0x03u);
    assert_int_equal(cycle(nothing).paused.word[0], 0u);
}

/* Each core issues its number and 1 more. */
static struct core_status_in issue_all(bool window)
{
    struct core_status_in in = { .window = window };

    for (uint32_t core = 0u; core < CORES; core++) {
        in.issued[core] = core + 1u;
    }
    return in;
}

static void a_sample_counts_open_cores_while_the_window_is_open(void **state)
{
    (void)state;
    open_table(32u);
    (void)cycle(write_of(0x0Fu, 0x01u));
    (void)cycle(issue_all(false));
    (void)cycle(issue_all(true));
    (void)cycle(issue_all(true));
    assert_int_equal(table.q.samples[0], 0u); /* paused */
    assert_int_equal(table.q.samples[1], 4u);
    assert_int_equal(table.q.samples[3], 8u);
    assert_int_equal(table.q.samples[4], 0u); /* not active */
}

static void a_sample_stops_at_the_highest_number(void **state)
{
    (void)state;
    open_table(3u);
    for (uint32_t i = 0u; i < 4u; i++) {
        (void)cycle(issue_all(true));
    }
    assert_int_equal(table.q.samples[0], 4u);
    assert_int_equal(table.q.samples[1], 7u);
    assert_int_equal(table.q.samples[4], 7u);
}

static void a_sample_is_read_in_the_next_cycle_and_no_core_has_0(void **state)
{
    (void)state;
    struct core_status_in in = issue_all(true);

    open_table(32u);
    (void)cycle(in);
    in.read = 2u;
    (void)cycle(in); /* what it counts itself is not in it */
    assert_int_equal(cycle(nothing).sample, 3u);
    in.read = 7u;
    (void)cycle(in);
    assert_int_equal(cycle(nothing).sample, 0u);
}

static void a_clear_leaves_out_what_its_own_cycle_issues(void **state)
{
    (void)state;
    struct core_status_in in = issue_all(true);

    open_table(32u);
    (void)cycle(in);
    in.clear = true;
    (void)cycle(in);
    for (uint32_t core = 0u; core < CORES; core++) {
        assert_int_equal(table.q.samples[core], 0u);
    }
}

static void random_traffic_is_counted_as_a_recount_says(void **state)
{
    (void)state;
    uint64_t random = printed_seed(), counted[CORES] = { 0u };
    uint64_t open = 0x1Fu, last_read = 0u;

    open_table(8u);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        struct core_status_in in = { .window = random_below(&random, 2u) == 0u,
                                     .clear = random_below(&random, 64u) == 0u,
                                     .write = random_below(&random, 16u) == 0u,
                                     .read = random_below(&random, 8u) };
        in.write_active.word[0] = random_below(&random, 32u);
        in.write_paused.word[0] = random_below(&random, 32u);
        for (uint32_t core = 0u; core < CORES; core++) {
            in.issued[core] = random_below(&random, 16u);
        }
        const struct core_status_out out = cycle(in);
        assert_int_equal(out.open.word[0], open);
        assert_int_equal(out.sample, last_read);
        last_read = in.read >= CORES ? 0u : counted[in.read] > 255u ? 255u : counted[in.read];
        for (uint32_t core = 0u; core < CORES; core++) {
            counted[core] += in.window && (open >> core & 1u) != 0u ? in.issued[core] : 0u;
            counted[core] = in.clear ? 0u : counted[core];
        }
        open = in.write ? in.write_active.word[0] & ~in.write_paused.word[0] : open;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_reset_ctas_go_to_all_cores),
        cmocka_unit_test(ctas_go_to_cores_that_are_active_and_not_paused),
        cmocka_unit_test(a_sample_counts_open_cores_while_the_window_is_open),
        cmocka_unit_test(a_sample_stops_at_the_highest_number),
        cmocka_unit_test(a_sample_is_read_in_the_next_cycle_and_no_core_has_0),
        cmocka_unit_test(a_clear_leaves_out_what_its_own_cycle_issues),
        cmocka_unit_test(random_traffic_is_counted_as_a_recount_says),
    };
    return cmocka_run_group_tests_name("core_status", tests, NULL, NULL);
}
