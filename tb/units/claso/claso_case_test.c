/*
 * The case study of the CLASO paper on the golden model: Figs 9 and 10, request by request.
 */

#include "claso_cycle.h"

/* ---- Case study: 17 CTAs on four cores of three CTAs each ---------------------------- */

enum { CASE_CTAS = 17, CASE_CORES = 4, CASE_FILL = 12, NOBODY = CASE_CTAS };

static const struct kernel case_kernel = { CASE_CTAS, { { 0xFu, 0u } }, 1u, 0u };

/*
 * The cores in the order in which they finish the CTAs of the first fill. That core 2 is
 * before core 1 follows from the paper's starving core 1.
 */
static const uint32_t finishing[] = { 3, 3, 3, 0, 0, 0, 2, 2, 2, 1, 1, 1 };

struct placement {
    uint32_t next; /* CTA */
    uint32_t count[CASE_CORES];
    uint32_t ctas[CASE_CORES][CASE_CTAS];
};

static void request(struct placement *placement, uint32_t core, answer *allows, void *credits)
{
    if (placement->next < CASE_CTAS && allows(credits, core)) {
        placement->ctas[core][placement->count[core]++] = placement->next++;
    }
}

/* The scheduler of both figures: a fill in round robin, then a CTA for each that ends. */
static struct placement play(answer *allows, void *credits)
{
    struct placement placement = { 0 };

    for (uint32_t i = 0u; i < CASE_FILL; i++) {
        request(&placement, i % CASE_CORES, allows, credits);
    }
    for (uint32_t i = 0u; i < CASE_FILL; i++) {
        request(&placement, finishing[i], allows, credits);
    }
    return placement;
}

/* Each core's CTAs, ended by NOBODY. */
static void check_placement(const struct placement *placement,
                            const uint32_t expected[CASE_CORES][8])
{
    for (uint32_t core = 0u; core < CASE_CORES; core++) {
        uint32_t count = 0u;
        while (expected[core][count] != NOBODY) {
            assert_int_equal(placement->ctas[core][count], expected[core][count]);
            count++;
        }
        assert_int_equal(placement->count[core], count);
    }
}

static bool greedy(void *credits, uint32_t core)
{
    (void)credits;
    (void)core;
    return true;
}

static bool by_local_credits_alone(void *credits, uint32_t core)
{
    uint64_t *const local = credits;

    if (local[core] == 0u) {
        return false;
    }
    local[core]--;
    return true;
}

static void make_case(struct claso *unit)
{
    claso_make(
        unit,
        (struct claso_config){
            .n_core = CASE_CORES, .n_pool = 1u, .n_kernel = 1u, .cta_w = 5u, .level_w = 1u });
    claso_launch(unit, 0u, case_kernel);
}

static void without_claso_the_fast_cores_take_the_last_ctas_as_in_fig_9(void **state)
{
    (void)state;
    static const uint32_t expected[CASE_CORES][8] = {
        { 0, 4, 8, 15, 16, NOBODY },
        { 1, 5, 9, NOBODY },
        { 2, 6, 10, NOBODY },
        { 3, 7, 11, 12, 13, 14, NOBODY },
    };
    const struct placement placement = play(greedy, NULL);
    check_placement(&placement, expected);
}

static void with_claso_the_loads_differ_by_one_cta_as_in_fig_10(void **state)
{
    (void)state;
    static const uint32_t expected[CASE_CORES][8] = {
        { 0, 4, 8, 14, NOBODY },
        { 1, 5, 9, 16, NOBODY },
        { 2, 6, 10, 15, NOBODY },
        { 3, 7, 11, 12, 13, NOBODY },
    };
    struct claso unit;

    make_case(&unit);
    const struct placement placement = play(by_unit, &unit);
    check_placement(&placement, expected);
}

static void check_credits(struct claso *unit, const uint64_t local[CASE_CORES], uint64_t global)
{
    for (uint32_t core = 0u; core < CASE_CORES; core++) {
        assert_int_equal(local_of(unit, 0u, core), local[core]);
    }
    assert_int_equal(unit->mem.global[0], global);
}

static void every_request_of_fig_10_takes_the_credits_the_paper_says(void **state)
{
    (void)state;
    static const struct {
        uint32_t core;
        bool allowed;
        uint64_t local[CASE_CORES];
        uint64_t global;
    } then[] = {
        { 3, true, { 2, 2, 2, 1 }, 1 },  /* CTA7 ended; CTA12 */
        { 3, true, { 2, 2, 2, 0 }, 0 },  /* CTA11 ended; CTA13 */
        { 3, false, { 2, 2, 2, 0 }, 0 }, /* CTA3 ended; no local credit */
        { 0, true, { 1, 2, 2, 0 }, 0 },  /* CTA4 ended; CTA14 */
        { 0, false, { 1, 2, 2, 0 }, 0 }, /* CTA0 ended; no global credit */
        { 0, false, { 1, 2, 2, 0 }, 0 }, /* and its last: refused again */
        { 2, true, { 1, 2, 1, 0 }, 0 },  /* CTA15 */
        { 2, false, { 1, 2, 1, 0 }, 0 }, { 2, false, { 1, 2, 1, 0 }, 0 },
        { 1, true, { 1, 1, 1, 0 }, 0 }, /* CTA16, the last */
        { 1, false, { 1, 1, 1, 0 }, 0 }, { 1, false, { 1, 1, 1, 0 }, 0 },
        { 3, false, { 1, 1, 1, 0 }, 0 }, { 0, false, { 1, 1, 1, 0 }, 0 },
        { 2, false, { 1, 1, 1, 0 }, 0 }, { 1, false, { 1, 1, 1, 0 }, 0 },
    };
    uint64_t local[CASE_CORES] = { 5, 5, 5, 5 };
    struct claso unit;

    make_case(&unit);
    check_credits(&unit, local, 1u);
    for (uint32_t i = 0u; i < CASE_FILL; i++) {
        assert_true(ask(&unit, 0u, i % CASE_CORES));
        local[i % CASE_CORES]--;
        check_credits(&unit, local, 1u);
    }
    for (size_t i = 0u; i < sizeof then / sizeof then[0]; i++) {
        assert_int_equal(ask(&unit, 0u, then[i].core), then[i].allowed);
        check_credits(&unit, then[i].local, then[i].global);
    }
}

static void without_global_credits_core_1_starves(void **state)
{
    (void)state;
    static const uint32_t counts[CASE_CORES] = { 5, 3, 4, 5 };
    uint64_t local[CASE_CORES];
    struct claso unit;

    make_case(&unit);
    for (uint32_t core = 0u; core < CASE_CORES; core++) {
        local[core] = local_of(&unit, 0u, core);
    }
    const struct placement placement = play(by_local_credits_alone, local);
    for (uint32_t core = 0u; core < CASE_CORES; core++) {
        assert_int_equal(placement.count[core], counts[core]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_claso_the_fast_cores_take_the_last_ctas_as_in_fig_9),
        cmocka_unit_test(with_claso_the_loads_differ_by_one_cta_as_in_fig_10),
        cmocka_unit_test(every_request_of_fig_10_takes_the_credits_the_paper_says),
        cmocka_unit_test(without_global_credits_core_1_starves),
    };
    return cmocka_run_group_tests_name("claso_case", tests, NULL, NULL);
}
