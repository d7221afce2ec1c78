/*
 * Random traffic on the work distributor's golden model, legal and illegal, beside a second one
 * that is composed of the parts as the header says; and, without credits, beside a scheduler.
 */

#include "work_distributor_cycle.h"

static struct cta_scheduler_in scheduler_in(const struct work_distributor_in *in)
{
    return (struct cta_scheduler_in){
        .launch_valid = in->launch_valid,
        .launch_kernel = in->launch_kernel,
        .launch_keep = in->launch_keep,
        .launch_ctas = in->launch_ctas,
        .launch_sms = in->launch_sms,
        .launch_policy = in->launch_policy,
        .launch_block = in->launch_block,
        .launch_steal = in->launch_steal,
        .kernel = in->kernel,
        .room = in->room,
        .dispatch_ready = in->dispatch_ready,
    };
}

struct composed_counts {
    uint32_t credited, free, stolen, refused, waits, withdrawn;
};

/* What the credits are asked for; a dispatch that shows, is not stolen and whose slot has
 * credits costs one. */
static struct claso_in credits_in(const struct work_distributor *unit,
                                  const struct work_distributor_in *in,
                                  const struct cta_scheduler_out *out, bool costs)
{
    return (struct claso_in){
        .launch_valid = out->pool_valid && unit->q.active != 0u,
        .launch_kernel = out->pool_kernel,
        .launch_ctas = out->pool_blocks,
        .launch_split = out->pool_split,
        .launch_pool = out->pool_number,
        .launch_cores = out->pool_sms,
        .launch_active = unit->q.active,
        .launch_loose = unit->q.loose,
        .kernel = in->kernel,
        .consume_valid = costs && in->dispatch_ready,
        .consume_kernel = out->dispatch_kernel,
        .consume_core = out->dispatch_sm,
    };
}

/* The SMs that the input limit and the credits, of the slot that is looked at, let pass. */
static struct bits passing(const struct work_distributor *unit,
                           const struct work_distributor_in *in, struct bits stolen,
                           struct bits allowed)
{
    struct bits passes = { { 0u } };

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const bool unlimited = !bits_has(unit->q.credited, in->kernel)
                               || bits_has(stolen, cluster_of(&unit->scheduler.config, sm));
        if (bits_has(in->limit, sm) && (unlimited || bits_has(allowed, sm))) {
            bits_add(&passes, sm);
        }
    }
    return passes;
}

static void count(const struct work_distributor *unit, const struct work_distributor_in *in,
                  const struct cta_scheduler_out *out, struct bits passes,
                  struct composed_counts *counts)
{
    const bool taken = out->dispatch_valid && in->dispatch_ready;
    const bool credited = bits_has(unit->q.credited, out->dispatch_kernel);

    counts->credited += taken && credited && !out->dispatch_stolen;
    counts->free += taken && !credited;
    counts->stolen += taken && credited && out->dispatch_stolen;
    counts->refused += bits_any(in->limit) && !bits_any(passes);
    counts->waits += out->pool_valid && unit->credits.q.busy;
}

/* A cycle of a distributor that the test composes of the two parts in it. */
static struct work_distributor_out composed(struct work_distributor *unit,
                                            const struct work_distributor_in *in,
                                            struct composed_counts *counts)
{
    static struct cta_scheduler_next scheduler;
    static struct claso_next credits;
    struct cta_scheduler_out shown, out;
    struct cta_scheduler_in to_scheduler = scheduler_in(in);
    struct claso_out credit;

    cta_scheduler_eval(&unit->scheduler, &to_scheduler, &shown, &scheduler);
    const bool costs = shown.dispatch_valid && !shown.dispatch_stolen
                       && bits_has(unit->q.credited, shown.dispatch_kernel);
    struct claso_in to_credits = credits_in(unit, in, &shown, costs);
    claso_eval(&unit->credits, &to_credits, &credit, &credits);
    to_scheduler.dispatch_withdraw = costs && !credit.consume_allowed;
    counts->withdrawn += to_scheduler.dispatch_withdraw;
    if (to_scheduler.dispatch_withdraw) { /* nothing is paid, and nothing refused */
        to_credits.consume_valid = false;
        claso_eval(&unit->credits, &to_credits, &credit, &credits);
    }
    to_scheduler.limit = passing(unit, in, shown.stolen, credit.allow);
    to_scheduler.pool_ready = unit->q.active == 0u || credit.launch_ready;
    cta_scheduler_eval(&unit->scheduler, &to_scheduler, &out, &scheduler);
    count(unit, in, &out, to_scheduler.limit, counts);

    cta_scheduler_tick(&unit->scheduler, &scheduler);
    claso_tick(&unit->credits, &credits);
    if (out.pool_valid) {
        bits_remove(&unit->q.credited, out.pool_kernel);
        if (unit->q.active != 0u) {
            bits_add(&unit->q.credited, out.pool_kernel);
        }
    }
    if (in->launch_valid && out.launch_ready) {
        unit->q.active = in->launch_active;
        unit->q.loose = in->launch_loose;
    }
    if (to_scheduler.dispatch_withdraw) {
        out.dispatch_valid = false;
        out.dispatch_kernel = out.dispatch_sm = out.dispatch_cta = out.dispatch_count = 0u;
    }
    return (struct work_distributor_out){
        .launch_ready = out.launch_ready,
        .launch_error = out.launch_error,
        .dispatch_valid = out.dispatch_valid,
        .dispatch_kernel = out.dispatch_kernel,
        .dispatch_sm = out.dispatch_sm,
        .dispatch_cta = out.dispatch_cta,
        .dispatch_count = out.dispatch_count,
        .credit_error = credit.launch_error || credit.consume_error,
    };
}

static void check_alike(const struct unit_rows *rows, enum unit_group group,
                        const void *expected, const void *got, uint32_t i)
{
    struct unit_difference found;

    if (unit_compare(&rows->unit, group, expected, got, &found, 1u) != 0u) {
        fail_msg("cycle %" PRIu32 ": %s.%s[%" PRIu32 "] is %" PRIu64 ", not %" PRIu64, i,
                 found.port->part != NULL ? found.port->part : "", found.port->name,
                 found.element, found.got, found.expected);
    }
}

static void run_composed(struct work_distributor_config config, uint64_t *random,
                         struct composed_counts *counts)
{
    static struct work_distributor unit;
    static struct work_distributor expected;
    static struct unit_rows rows;

    make_distributor(&unit, config);
    make_distributor(&expected, config);
    rows_of(&rows, &work_distributor_type, &config);
    for (uint32_t i = 0u; i < 20000u; i++) {
        const struct work_distributor_in in = some_work(random, &unit);
        const struct work_distributor_out out = composed(&expected, &in, counts);
        const struct work_distributor_out got = run_cycle(&unit, in); /* no credit_error */
        check_alike(&rows, UNIT_OUT, &out, &got, i);
        if (one_in(random, 1000u)) {
            work_distributor_reset(&unit);
            cta_scheduler_reset(&expected.scheduler);
            claso_reset(&expected.credits);
            memset(&expected.q, 0, sizeof expected.q);
        }
        check_alike(&rows, UNIT_REG, &expected.q, &unit.q, i);
        if (i % 100u == 0u) {
            check_alike(&rows, UNIT_MEM, &expected.mem, &unit.mem, i);
        }
    }
}

static void at_random_it_does_what_its_parts_do_and_credits_refuse_nothing(void **state)
{
    (void)state;
    static const struct work_distributor_config configs[] = {
        { 1, 1, 1, 1, 1 },   { 5, 3, 3, 7, 2 },    { 3, 7, 2, 5, 3 },     { 15, 3, 4, 32, 4 },
        { 14, 14, 2, 9, 1 }, { 60, 12, 2, 20, 4 }, { 192, 64, 4, 12, 8 },
    };
    uint64_t random = printed_seed();
    struct composed_counts counts = { 0 };

    for (uint32_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run_composed(configs[i], &random, &counts);
    }
    assert_true(counts.credited > 1000u && counts.free > 1000u && counts.stolen > 100u);
    print_message("refused %" PRIu32 ", waits %" PRIu32 ", withdrawn %" PRIu32 "\n",
                  counts.refused, counts.waits, counts.withdrawn);
    assert_true(counts.refused > 1000u && counts.waits > 1000u && counts.withdrawn > 0u);
}

static void without_credits_it_is_the_bare_scheduler(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct cta_scheduler bare;
    uint64_t random = printed_seed();

    make_distributor(&unit, (struct work_distributor_config){ 5u, 3u, 3u, 6u, 2u });
    make(&bare, unit.scheduler.config);
    for (uint32_t i = 0u; i < 20000u; i++) {
        struct work_distributor_in in = some_work(&random, &unit);
        in.launch_active = 0u;
        struct cta_scheduler_in to_bare = scheduler_in(&in);
        to_bare.limit = in.limit;
        to_bare.pool_ready = true;
        const struct cta_scheduler_out expected = cycle(&bare, to_bare);
        const struct work_distributor_out got = run_cycle(&unit, in);
        assert_int_equal(got.launch_ready, expected.launch_ready);
        assert_int_equal(got.launch_error, expected.launch_error);
        assert_int_equal(got.dispatch_valid, expected.dispatch_valid);
        assert_int_equal(got.dispatch_kernel, expected.dispatch_kernel);
        assert_int_equal(got.dispatch_sm, expected.dispatch_sm);
        assert_int_equal(got.dispatch_cta, expected.dispatch_cta);
        assert_int_equal(got.dispatch_count, expected.dispatch_count);
        assert_false(unit.credits.q.busy || bits_any(unit.q.credited));
        if (i % 16u == 0u) {
            check_same(&bare, &unit.scheduler);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_it_does_what_its_parts_do_and_credits_refuse_nothing),
        cmocka_unit_test(without_credits_it_is_the_bare_scheduler),
    };
    return cmocka_run_group_tests_name("work_distributor random", tests, NULL, NULL);
}
