/*
 * Tests that the stimulus of the CTA scheduler makes it do all it can, at sizes of every class:
 * a stimulus that never steals, say, would let every defect of stealing pass.
 */

#include "tb/units/dispatch_stimulus.h"

/* What a dispatch was, and where it went. */
static void see_dispatch(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                         const struct cta_scheduler_out *out, struct events *events)
{
    static const char *const policies[] = { "global RR", "two-level RR", "greedy clustering",
                                            "distributed" };
    static const char *const blocks[] = { "blocks of one", "blocks of two", "blocks of four" };
    const struct cta_scheduler_config *const config = &unit->config;
    const uint32_t k = out->dispatch_kernel, cluster = cluster_of(config, out->dispatch_sm);
    const uint32_t pool = pool_of_cta(unit, k, out->dispatch_cta);
    const uint32_t end = out->dispatch_cta + out->dispatch_count;
    const bool many = config->n_cluster > 1u && config->n_sm > 1u,
               stolen = out->dispatch_stolen,
               homeless =
                   pool < config->n_cluster && unit->mem.homeless[pool_at(unit, k, pool)] != 0u;

    for (uint32_t i = 0u; i < 4u; i++) {
        note_happened(events, i, policies[i], true, unit->mem.policy[k] == i);
    }
    for (uint32_t i = 0u; i < 3u; i++) {
        note_happened(events, 4u + i, blocks[i], config->cta_w > i,
                      unit->mem.block[k] == i && out->dispatch_count == 1u << i);
    }
    note_happened(events, 7u, "tail of a pool", config->cta_w > 1u,
                  out->dispatch_count < 1u << unit->mem.block[k]);
    note_happened(events, 8u, "stolen from a cluster with SMs", many, stolen && !homeless);
    note_happened(events, 9u, "adopted from a cluster without SMs", many, stolen && homeless);
    note_happened(events, 10u, "drawn on a pool of a lower number", many,
                  stolen && pool < cluster);
    note_happened(events, 11u, "of slot 4 or above", config->n_kernel > 4u, k >= 4u);
    note_happened(events, 12u, "of the last slot", true, k == config->n_kernel - 1u);
    note_happened(events, 13u, "to the last SM", true, out->dispatch_sm == config->n_sm - 1u);
    note_happened(events, 14u, "to the second SM of a short last cluster",
                  short_cluster(config) > 1u,
                  out->dispatch_sm == config->n_sm - short_cluster(config) + 1u);
    note_happened(events, 15u, "a CTA of number 65,536 or above",
                  config->n_cluster * UINT64_C(65536) >> config->cta_w == 0u && many,
                  out->dispatch_cta >= 65536u);
    note_happened(events, 16u, "over a multiple of 65,536",
                  config->n_cluster * UINT64_C(65536) >> config->cta_w == 0u && many,
                  (out->dispatch_cta ^ end) >> 16u != 0u);
    note_happened(events, 17u, "the last CTAs of a grid of more than 255", config->cta_w > 8u,
                  left_of_slot(unit, k) == out->dispatch_count && end > 255u);
    note_happened(events, 18u, "while a launch is under way", config->n_kernel > 1u,
                  unit->q.busy);
    note_happened(events, 19u, "in the cycle of its slot's launch", true,
                  in->launch_valid && out->launch_ready && in->launch_kernel == k);
    note_happened(events, 20u, "into the last place of the order", config->n_sm > 1u,
                  unit->mem.policy[k] < 2u
                      && place_of(config, (uint32_t)unit->mem.policy[k], out->dispatch_sm)
                             == config->n_sm - 1u);
}

/* There are CTAs for a cluster. */
static bool draws(const struct cta_scheduler *unit, uint32_t slot, uint32_t cluster)
{
    const uint64_t *const left = &unit->mem.left[pool_at(unit, slot, 0u)];

    if (unit->mem.policy[slot] != CTA_DISTRIBUTED) {
        return left[0] != 0u;
    }
    return drawn_pool(unit->config.n_cluster, cluster, left,
                      &unit->mem.homeless[pool_at(unit, slot, 0u)], unit->mem.steal[slot] != 0u)
           < unit->config.n_cluster;
}

/* Why nothing is picked, or not elsewhere. */
static void see_refusals(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                         struct events *events)
{
    const struct cta_scheduler_config *const config = &unit->config;
    bool limited = false, outside = false, crowded = false, all = true, some = false;

    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        const bool offered = draws(unit, in->kernel, cluster_of(config, sm));
        const bool may = offered && unit->mem.sms[in->kernel * config->n_sm + sm] != 0u;
        limited |= may && bits_has(in->room, sm) && !bits_has(in->limit, sm);
        crowded |= may && !bits_has(in->room, sm);
        outside |= offered && !may && bits_has(in->room, sm) && bits_has(in->limit, sm);
        all &= may && bits_has(in->room, sm) && bits_has(in->limit, sm);
        some |= may && bits_has(in->room, sm) && bits_has(in->limit, sm);
    }
    note_happened(events, 21u, "an SM with room that a limiter refuses", true, limited);
    note_happened(events, 22u, "an SM without room", true, crowded);
    note_happened(events, 23u, "an SM with room that is not of the launch", config->n_sm > 1u,
                  outside);
    note_happened(events, 24u, "every SM a candidate", true, all);
    note_happened(events, 25u, "CTAs left and no candidate", true,
                  left_of_slot(unit, in->kernel) != 0u && !some);
}

static void see_launch(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                       const struct cta_scheduler_out *out,
                       const struct cta_scheduler_next *next, struct events *events)
{
    const bool taken = in->launch_valid && out->launch_ready && !next->q.launch_error;
    const bool again = taken && bits_has(unit->q.known, in->launch_kernel);
    uint32_t sms = 0u;

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        sms += bits_has(in->launch_sms, sm);
    }
    note_happened(events, 26u, "a launch", true, taken);
    note_happened(events, 27u, "a launch that is refused", true, next->q.launch_error);
    note_happened(events, 28u, "a launch that waits", true,
                  in->launch_valid && !out->launch_ready);
    note_happened(events, 29u, "a launch of a slot again", true, again && !in->launch_keep);
    note_happened(events, 30u, "a slot that is kept", true, taken && in->launch_keep);
    note_happened(events, 31u, "over all SMs", true, taken && sms == unit->config.n_sm);
    note_happened(events, 32u, "over one SM", true, taken && sms == 1u);
    note_happened(events, 33u, "a pool that waits", true, out->pool_valid && !in->pool_ready);
    note_happened(events, 34u, "a pool that is seen", true, out->pool_valid && in->pool_ready);
    note_happened(events, 35u, "a launch of slot 4 or above", unit->config.n_kernel > 4u,
                  taken && in->launch_kernel >= 4u);
}

static void see(const struct unit *any, struct events *events)
{
    const struct cta_scheduler *const unit = any->model;
    const struct cta_scheduler_in *const in = any->in;
    const struct cta_scheduler_out *const out = any->out;

    see_launch(unit, in, out, any->next, events);
    note_happened(events, 36u, "a dispatch that is not taken", true,
                  out->dispatch_valid && !in->dispatch_ready);
    if (in->kernel < unit->config.n_kernel && bits_has(unit->q.ready, in->kernel)) {
        see_refusals(unit, in, events);
    } else {
        note_happened(events, 37u, "a kernel that is unknown or not ready", true, true);
    }
    if (out->dispatch_valid && in->dispatch_ready && !in->dispatch_withdraw) {
        see_dispatch(unit, in, out, events);
    }
}

/* Small and large, clusters of one SM and of many, short last ones and empty ones, few slots
 * and many. */
static const char *const sizes[] = {
    "N_SM=1 N_CLUSTER=1 N_KERNEL=1 CTA_W=1",    "N_SM=8 N_CLUSTER=3 N_KERNEL=5 CTA_W=18",
    "N_SM=3 N_CLUSTER=7 N_KERNEL=2 CTA_W=5",    "N_SM=15 N_CLUSTER=3 N_KERNEL=4 CTA_W=32",
    "N_SM=14 N_CLUSTER=14 N_KERNEL=2 CTA_W=31", "N_SM=23 N_CLUSTER=2 N_KERNEL=6 CTA_W=24",
    "N_SM=60 N_CLUSTER=12 N_KERNEL=2 CTA_W=20",
};
enum { SIZES = sizeof sizes / sizeof sizes[0], CYCLES = 240000 };

static void mixed_stimulus_makes_the_scheduler_do_all_it_can_at_every_size(void **state)
{
    (void)state;
    static struct events events;
    uint32_t n = 0u;

    for (size_t i = 0u; i < SIZES; i++) {
        run_stimulus("cta_scheduler", sizes[i], CYCLES, NULL, see, &events);
        n += missing(&events, sizes[i]);
    }
    assert_int_equal(n, 0);
}

/* ---- The test above can fail --------------------------------------------------------- */

static void no_steal(void *in)
{
    ((struct cta_scheduler_in *)in)->launch_steal = false;
}

static void no_keep(void *in)
{
    ((struct cta_scheduler_in *)in)->launch_keep = false;
}

static void always_ready(void *in)
{
    ((struct cta_scheduler_in *)in)->dispatch_ready = true;
    ((struct cta_scheduler_in *)in)->pool_ready = true;
}

static void no_limit(void *in)
{
    ((struct cta_scheduler_in *)in)->limit = bits_below(8u);
}

static void four_slots(void *in)
{
    ((struct cta_scheduler_in *)in)->launch_kernel &= 3u;
}

static void narrow(void *in)
{
    ((struct cta_scheduler_in *)in)->launch_ctas &= 0xFFu;
}

static void one_policy(void *in)
{
    ((struct cta_scheduler_in *)in)->launch_policy = CTA_GLOBAL_RR;
}

static void what_an_input_that_is_tied_off_prevents_is_missed(void **state)
{
    (void)state;
    static const struct {
        void (*tie)(void *in);
        const char *missed;
    } rows[] = {
        { no_steal, "stolen from a cluster with SMs" },
        { no_keep, "a slot that is kept" },
        { no_keep, "adopted from a cluster without SMs" },
        { always_ready, "a dispatch that is not taken" },
        { always_ready, "a pool that waits" },
        { no_limit, "an SM with room that a limiter refuses" },
        { four_slots, "of slot 4 or above" },
        { narrow, "a CTA of number 65,536 or above" },
        { narrow, "the last CTAs of a grid of more than 255" },
        { one_policy, "greedy clustering" },
    };
    static struct events events;

    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        run_stimulus("cta_scheduler", sizes[1], CYCLES, rows[i].tie, see, &events);
        assert_int_equal(count_of(&events, rows[i].missed), 0);
        assert_in_range(missing(&events, "tied off, as it should be"), 1, MOST_EVENTS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_stimulus_makes_the_scheduler_do_all_it_can_at_every_size),
        cmocka_unit_test(what_an_input_that_is_tied_off_prevents_is_missed),
    };
    return cmocka_run_group_tests_name("cta_scheduler stimulus", tests, NULL, NULL);
}
