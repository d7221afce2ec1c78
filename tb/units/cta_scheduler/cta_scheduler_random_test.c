/*
 * Random traffic on the CTA scheduler's golden model, legal and illegal, beside a second model:
 * all outputs and registers in every cycle, and now and then the memories.
 */

#include "cta_scheduler_shadow.h"

static void check_pointers(const struct shadow *shadow, const struct cta_scheduler *unit,
                           uint32_t slot)
{
    const struct pointers pointers = pointers_of(unit, slot);
    const struct pointers *const expected = &shadow->slot[slot].pointers;

    assert_int_equal(pointers.turn, expected->turn);
    assert_int_equal(pointers.cluster_turn, expected->cluster_turn);
    assert_memory_equal(pointers.rank, expected->rank, sizeof pointers.rank);
}

/* Of an empty pool, next means nothing. */
static void check_memories(const struct shadow *shadow, const struct cta_scheduler *unit)
{
    for (uint32_t k = 0u; k < shadow->config.n_kernel; k++) {
        const struct shadow_slot *const slot = &shadow->slot[k];
        assert_int_equal(unit->mem.policy[k], slot->policy);
        assert_int_equal(unit->mem.block[k], slot->block);
        assert_int_equal(unit->mem.steal[k], slot->steal);
        for (uint32_t sm = 0u; sm < shadow->config.n_sm; sm++) {
            assert_int_equal(unit->mem.sms[k * shadow->config.n_sm + sm],
                             bits_has(slot->sms, sm));
        }
        check_pointers(shadow, unit, k);
        for (uint32_t c = 0u; c < shadow->config.n_cluster; c++) {
            const struct shadow_pool *const pool = &slot->pool[c];
            const uint32_t at = pool_at(unit, k, c);
            assert_int_equal(unit->mem.left[at], pool->end - pool->front);
            assert_int_equal(unit->mem.homeless[at], pool->homeless);
            assert_true(pool->front == pool->end || unit->mem.next[at] == pool->front);
        }
    }
}

/* ---- Traffic ------------------------------------------------------------------------- */

static void check_alike(const struct unit_rows *rows, enum unit_group group,
                        const void *expected, const void *got, uint32_t i)
{
    struct unit_difference found;

    if (unit_compare(&rows->unit, group, expected, got, &found, 1u) != 0u) {
        fail_msg("cycle %" PRIu32 ": %s[%" PRIu32 "] is %" PRIu64 ", not %" PRIu64, i,
                 found.port->name, found.element, found.got, found.expected);
    }
}

static void run_shadowed(struct shadow *shadow, struct cta_scheduler *unit, uint64_t *random)
{
    const uint32_t n_cycle = unit->config.n_sm < 32u ? 40000u : 15000u;
    static struct unit_rows rows;

    rows_of(&rows, &cta_scheduler_type, &unit->config);
    for (uint32_t i = 0u; i < n_cycle; i++) {
        const struct cta_scheduler_in in = some_inputs(random, unit);
        const struct cta_scheduler_out expected = shadow_out(shadow, &in);
        const struct cta_scheduler_out got = cycle(unit, in);

        check_alike(&rows, UNIT_OUT, &expected, &got, i);
        shadow_edge(shadow, &in);
        if (one_in(random, 1500u)) {
            cta_scheduler_reset(unit);
            shadow_reset(shadow);
        }
        const struct cta_scheduler_state q = shadow_registers(shadow, unit);
        check_alike(&rows, UNIT_REG, &q, &unit->q, i);
        if (i % 50u == 0u) {
            check_memories(shadow, unit);
        }
    }
}

/* It has seen all kinds of cycles that there are in this size. */
static void check_seen(const struct shadow *shadow)
{
    const struct shadow_counts *const seen = &shadow->seen;

    assert_true(seen->dispatches > 50u && seen->waits > 20u && seen->refusals > 5u);
    assert_true(seen->tails > 20u);
    assert_true(seen->stolen > 5u || shadow->config.n_cluster == 1u
                || shadow->config.n_sm == 1u);
}

static void at_random_the_unit_does_what_the_header_says(void **state)
{
    (void)state;
    static const struct cta_scheduler_config configs[] = {
        { 1, 1, 1, 1 },      { 1, 3, 2, 2 },   { 2, 1, 5, 2 },    { 4, 2, 1, 4 },
        { 5, 3, 3, 7 },      { 5, 4, 2, 9 },   { 3, 7, 2, 5 },    { 14, 14, 2, 31 },
        { 13, 5, 7, 11 },    { 15, 3, 4, 32 }, { 60, 12, 2, 20 }, { 65, 33, 3, 9 },
        { 192, 64, 32, 16 },
    };
    static struct cta_scheduler unit;
    static struct shadow shadow;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        memset(&shadow, 0, sizeof shadow);
        shadow.config = configs[i];
        make(&unit, configs[i]);
        print_message("N_SM=%" PRIu32 " N_CLUSTER=%" PRIu32 "\n", unit.config.n_sm,
                      unit.config.n_cluster);
        run_shadowed(&shadow, &unit, &random);
        check_seen(&shadow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_the_unit_does_what_the_header_says),
    };
    return cmocka_run_group_tests_name("cta_scheduler random", tests, NULL, NULL);
}
