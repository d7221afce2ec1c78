/*
 * Tests that the stimulus of the work distributor makes its parts do together all they can, at
 * sizes of every class. What the scheduler does by itself is tested in
 * cta_scheduler_stimulus_test.c.
 */

#include "tb/units/dispatch_stimulus.h"
#include "units/work_distributor.h"

/* A block that goes out: what it pays. */
static void see_dispatch(const struct work_distributor *unit,
                         const struct work_distributor_out *out, struct events *events)
{
    static const char *const policies[] = { "paid under global RR", "paid under two-level RR",
                                            "paid under greedy clustering",
                                            "paid under distributed" };
    static const char *const blocks[] = { "a paid block of one", "a paid block of two",
                                          "a paid block of four" };
    const struct cta_scheduler_config *const config = &unit->scheduler.config;
    const uint32_t k = out->dispatch_kernel, sm = out->dispatch_sm,
                   cluster = cluster_of(config, sm);
    const uint32_t pool = pool_of_cta(&unit->scheduler, k, out->dispatch_cta);
    const bool split = unit->scheduler.mem.policy[k] == CTA_DISTRIBUTED;
    const bool many = config->n_cluster > 1u && config->n_sm > 1u;
    const bool credited = bits_has(unit->q.credited, k), stolen = split && pool != cluster;
    const bool homeless =
        stolen && unit->scheduler.mem.homeless[pool_at(&unit->scheduler, k, pool)];
    const bool paid = credited && !stolen;
    const uint64_t local = claso_local(&unit->credits, k, sm);
    const uint64_t band = claso_band(&unit->credits, k, split ? cluster : 0u);

    for (uint32_t i = 0u; i < 4u; i++) {
        note_happened(events, i, policies[i], true, paid && unit->scheduler.mem.policy[k] == i);
    }
    for (uint32_t i = 0u; i < 3u; i++) {
        note_happened(events, 4u + i, blocks[i], config->cta_w > i,
                      paid && unit->scheduler.mem.block[k] == i
                          && out->dispatch_count == 1u << i);
    }
    note_happened(events, 7u, "a paid tail", config->cta_w > 1u,
                  paid && out->dispatch_count < 1u << unit->scheduler.mem.block[k]);
    note_happened(events, 8u, "without credits", true, !credited);
    note_happened(events, 9u, "stolen, which is free", many, credited && stolen && !homeless);
    note_happened(events, 10u, "adopted, which is free", many, credited && homeless);
    note_happened(events, 11u, "stolen without credits", many, !credited && stolen);
    note_happened(events, 12u, "paid by slot 4 or above", config->n_kernel > 4u,
                  paid && k >= 4u);
    note_happened(events, 13u, "paid by the last SM", true, paid && sm == config->n_sm - 1u);
    note_happened(events, 14u, "paid from the pool of a short last cluster",
                  short_cluster(config) > 1u,
                  paid && split && sm >= config->n_sm - short_cluster(config));
    note_happened(events, 15u, "paid with a global credit", true, paid && local <= band);
    note_happened(events, 16u, "paid with a local credit alone", config->cta_w > 2u,
                  paid && local > band);
    note_happened(events, 17u, "the last of a grid with credits", config->cta_w > 1u,
                  paid && left_of_slot(&unit->scheduler, k) == out->dispatch_count);
    note_happened(events, 18u, "paid while a launch is under way", config->n_kernel > 1u,
                  paid && unit->scheduler.q.busy);
}

/* SMs that would be served but for one thing. */
static void see_refusals(const struct work_distributor *unit,
                         const struct work_distributor_in *in, struct events *events)
{
    const struct cta_scheduler *const scheduler = &unit->scheduler;
    const uint32_t k = in->kernel, n = unit->config.n_sm;
    const bool split = scheduler->mem.policy[k] == CTA_DISTRIBUTED;
    static struct claso_next scratch;
    const struct claso_in ask = { .kernel = k };
    struct claso_out allowed;
    bool empty = false, band = false, limited = false;

    claso_eval(&unit->credits, &ask, &allowed, &scratch);
    for (uint32_t sm = 0u; sm < n; sm++) {
        const uint32_t cluster = cluster_of(&scheduler->config, sm);
        const bool may = scheduler->mem.left[pool_at(scheduler, k, split ? cluster : 0u)] != 0u
                         && scheduler->mem.sms[k * n + sm] != 0u && bits_has(in->room, sm);
        const bool refused = bits_has(unit->q.credited, k) && bits_has(unit->credits.q.valid, k)
                             && !bits_has(allowed.allow, sm);
        const bool has = claso_local(&unit->credits, k, sm) != 0u;
        empty |= may && bits_has(in->limit, sm) && refused && !has;
        band |= may && bits_has(in->limit, sm) && refused && has;
        limited |= may && !bits_has(in->limit, sm) && !refused;
    }
    note_happened(events, 19u, "refused for want of local credits", n > 1u, empty);
    note_happened(events, 20u, "refused for want of a global credit",
                  n > 1u && unit->config.cta_w > 2u, band);
    note_happened(events, 21u, "allowed by the credits, and limited", true, limited);
    note_happened(events, 22u, "ready, and its credits are not", true,
                  bits_has(unit->q.credited, k) && !bits_has(unit->credits.q.valid, k)
                      && left_of_slot(scheduler, k) != 0u);
}

static void see_launch(const struct work_distributor *unit,
                       const struct work_distributor_in *in,
                       const struct work_distributor_out *out,
                       const struct work_distributor_next *next, struct events *events)
{
    const struct cta_scheduler_state *const q = &unit->scheduler.q;
    const bool taken = in->launch_valid && out->launch_ready && !next->scheduler.q.launch_error;
    const bool pools = q->busy && next->scheduler.q.busy && next->scheduler.q.pool == q->pool
                       && next->scheduler.q.step == q->step;
    const bool kept = taken && in->launch_keep;
    const bool had = taken && bits_has(unit->q.credited, in->launch_kernel);

    note_happened(events, 23u, "launched with credits", true, taken && in->launch_active != 0u);
    note_happened(events, 24u, "launched without", true, taken && in->launch_active == 0u);
    note_happened(events, 25u, "launched with loose levels", true,
                  taken && in->launch_loose != 0u);
    note_happened(events, 26u, "refused", true, next->scheduler.q.launch_error);
    note_happened(events, 27u, "waits", true, in->launch_valid && !out->launch_ready);
    note_happened(events, 28u, "a pool waits for the credits", unit->config.n_cluster > 1u,
                  pools);
    note_happened(events, 29u, "kept with credits", true,
                  kept && had && in->launch_active != 0u);
    note_happened(events, 30u, "kept, and gets credits", true,
                  kept && !had && in->launch_active != 0u);
    note_happened(events, 31u, "kept, and loses credits", true,
                  kept && had && in->launch_active == 0u);
}

static void see(const struct unit *any, struct events *events)
{
    const struct work_distributor *const unit = any->model;
    const struct work_distributor_in *const in = any->in;
    const struct work_distributor_out *const out = any->out;

    see_launch(unit, in, out, any->next, events);
    note_happened(events, 32u, "not taken", true, out->dispatch_valid && !in->dispatch_ready);
    if (in->kernel < unit->config.n_kernel && bits_has(unit->scheduler.q.ready, in->kernel)) {
        see_refusals(unit, in, events);
    }
    if (out->dispatch_valid && in->dispatch_ready) {
        see_dispatch(unit, out, events);
    }
}

static const char *const sizes[] = {
    "N_SM=1 N_CLUSTER=1 N_KERNEL=1 CTA_W=1 LEVEL_W=1",
    "N_SM=8 N_CLUSTER=3 N_KERNEL=5 CTA_W=9 LEVEL_W=4",
    "N_SM=3 N_CLUSTER=7 N_KERNEL=2 CTA_W=5 LEVEL_W=3",
    "N_SM=15 N_CLUSTER=3 N_KERNEL=4 CTA_W=32 LEVEL_W=4",
    "N_SM=14 N_CLUSTER=14 N_KERNEL=2 CTA_W=31 LEVEL_W=4",
    "N_SM=23 N_CLUSTER=2 N_KERNEL=6 CTA_W=24 LEVEL_W=3",
    "N_SM=60 N_CLUSTER=12 N_KERNEL=2 CTA_W=20 LEVEL_W=4",
};
enum { SIZES = sizeof sizes / sizeof sizes[0], CYCLES = 240000 };

static void mixed_stimulus_makes_the_distributor_do_all_it_can_at_every_size(void **state)
{
    (void)state;
    static struct events events;
    uint32_t n = 0u;

    for (size_t i = 0u; i < SIZES; i++) {
        run_stimulus("work_distributor", sizes[i], CYCLES, NULL, see, &events);
        n += missing(&events, sizes[i]);
    }
    assert_int_equal(n, 0);
}

/* ---- The test above can fail --------------------------------------------------------- */

static void no_steal(void *in)
{
    ((struct work_distributor_in *)in)->launch_steal = false;
}

static void no_keep(void *in)
{
    ((struct work_distributor_in *)in)->launch_keep = false;
}

static void no_credits(void *in)
{
    ((struct work_distributor_in *)in)->launch_active = 0u;
}

static void no_loose(void *in)
{
    ((struct work_distributor_in *)in)->launch_loose = 0u;
}

static void always_ready(void *in)
{
    ((struct work_distributor_in *)in)->dispatch_ready = true;
}

static void no_limit(void *in)
{
    ((struct work_distributor_in *)in)->limit = bits_below(8u);
}

static void four_slots(void *in)
{
    ((struct work_distributor_in *)in)->launch_kernel &= 3u;
}

static void what_an_input_that_is_tied_off_prevents_is_missed(void **state)
{
    (void)state;
    static const struct {
        void (*tie)(void *in);
        const char *missed;
    } rows[] = {
        { no_steal, "stolen, which is free" },
        { no_keep, "adopted, which is free" },
        { no_credits, "paid under distributed" },
        { no_credits, "refused for want of a global credit" },
        { no_loose, "launched with loose levels" },
        { always_ready, "not taken" },
        { no_limit, "allowed by the credits, and limited" },
        { four_slots, "paid by slot 4 or above" },
    };
    static struct events events;

    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        run_stimulus("work_distributor", sizes[1], CYCLES / 4, rows[i].tie, see, &events);
        assert_int_equal(count_of(&events, rows[i].missed), 0);
        assert_in_range(missing(&events, "tied off, as it should be"), 1, MOST_EVENTS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_stimulus_makes_the_distributor_do_all_it_can_at_every_size),
        cmocka_unit_test(what_an_input_that_is_tied_off_prevents_is_missed),
    };
    return cmocka_run_group_tests_name("work_distributor stimulus", tests, NULL, NULL);
}
