/*
 * Tests of the CLASO golden model against the paper: Algorithm 1, and what follows from the
 * formulas for every small kernel. The paper's case study is in claso_case_test.c, and what the
 * header adds to the paper in claso_contract_test.c.
 */

#include "claso_cycle.h"

/* ---- Algorithm 1 to the letter ------------------------------------------------------- */

enum { SWEEP_CORES = 15 };

/* Credits are taken before the test, so refusals take them below 0: down to lowest. */
struct algorithm {
    int64_t local[SWEEP_CORES];
    int64_t global;
    int64_t band;
    int64_t lowest;
};

static struct algorithm algorithm_of(struct kernel kernel, bool floor, int64_t lowest)
{
    const struct formulas formulas = formulas_of(kernel);
    const uint64_t share = floor ? kernel.n_cta / formulas.n_core : formulas.share;
    struct algorithm algorithm = {
        .global = (int64_t)formulas.global,
        .band = (int64_t)formulas.band,
        .lowest = lowest,
    };

    for (uint32_t core = 0u; core < formulas.n_core; core++) {
        algorithm.local[core] = (int64_t)share + kernel.loose;
    }
    return algorithm;
}

static bool by_algorithm(void *credits, uint32_t core)
{
    struct algorithm *const algorithm = credits;
    int64_t *const local = &algorithm->local[core];

    *local = *local > algorithm->lowest ? *local - 1 : *local;
    if (*local >= algorithm->band) {
        return true;
    }
    if (*local < 0) {
        return false;
    }
    if (algorithm->global > algorithm->lowest) {
        algorithm->global--;
    }
    return algorithm->global >= 0;
}

/* All cores ask in turn, until each was refused in one turn. Returns the allowances. */
static uint64_t ask_in_turn(answer *allows, void *credits, uint32_t n_core)
{
    uint64_t total = 0u;
    uint64_t before;

    do {
        before = total;
        for (uint32_t core = 0u; core < n_core; core++) {
            total += allows(credits, core);
        }
    } while (total != before);
    return total;
}

static void a_floor_in_line_2_would_strand_4_of_17_ctas(void **state)
{
    (void)state;
    const struct kernel kernel = { 17u, bits_below(4u), 1u, 0u };
    struct algorithm floored = algorithm_of(kernel, true, INT64_MIN);
    struct algorithm built = algorithm_of(kernel, false, INT64_MIN);
    struct claso unit;

    claso_make(&unit, (struct claso_config){ 4u, 1u, 1u, 5u, 1u });
    claso_launch(&unit, 0u, kernel);
    assert_int_equal(ask_in_turn(by_algorithm, &floored, 4u), 13);
    assert_int_equal(ask_in_turn(by_algorithm, &built, 4u), 17);
    assert_int_equal(ask_in_turn(by_unit, &unit, 4u), 17);
}

/* ---- Every small kernel -------------------------------------------------------------- */

typedef void check_kernel(struct claso *unit, const struct kernel *kernel, uint64_t *random);

/* Launches each in turn, and checks it. */
static void for_every_kernel(check_kernel *check)
{
    static const uint32_t n_cores[] = { 1, 2, 3, 4, 14, SWEEP_CORES };
    static struct claso unit;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof n_cores / sizeof n_cores[0]; i++) {
        const struct bits cores = bits_below(n_cores[i]);
        claso_make(&unit, (struct claso_config){ n_cores[i], 1u, 1u, 7u, 3u });
        for (uint32_t n_cta = 1u; n_cta < 120u; n_cta++) {
            for (uint32_t levels = 0u; levels < 4u * 3u; levels++) {
                const struct kernel kernel = { n_cta, cores, levels / 3u + 1u, levels % 3u };
                claso_launch(&unit, 0u, kernel);
                assert_false(unit.q.launch_error);
                check(&unit, &kernel, &random);
            }
        }
    }
}

/* Fails with the kernel unless what is true of it is. */
static void expect(bool true_of, const struct kernel *kernel, const char *what)
{
    if (!true_of) {
        fail_msg("not so with n_cta = %" PRIu32 ", n_core = %" PRIu32 ", p_A = %" PRIu32
                 ", p_L = %" PRIu32 ": %s",
                 kernel->n_cta, bits_count(kernel->cores, BITS_MAX), kernel->active,
                 kernel->loose, what);
    }
}

static uint64_t lower(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A core asks until it is refused. Returns its allowances. */
static uint64_t ask_until_refused(struct claso *unit, uint32_t core)
{
    uint64_t count = 0u;

    while (ask(unit, 0u, core)) {
        count++;
    }
    return count;
}

/*
 * If p_A exceeds the share, all credits are in the band, and as many are allowed as there
 * are of them or of the globals, whichever are fewer: n_cta or more.
 */
static uint64_t allowances(const struct kernel *kernel)
{
    const struct formulas formulas = formulas_of(*kernel);
    return formulas.share >= kernel->active
               ? kernel->n_cta
               : lower(formulas.global, formulas.n_core * formulas.local);
}

static void check_turns(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    (void)random;
    const uint64_t total = ask_in_turn(by_unit, unit, unit->config.n_core);

    expect(total >= kernel->n_cta, kernel, "no CTA is stranded");
    expect(total == allowances(kernel), kernel, "allowances in turn");
}

static void in_turn_every_cta_is_allowed_and_no_more_unless_active_exceeds_share(void **state)
{
    (void)state;
    for_every_kernel(check_turns);
}

/* One core after the other takes all it is allowed: the most unfair order. */
static void check_greed(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    const struct formulas formulas = formulas_of(*kernel);
    const uint32_t n_core = unit->config.n_core;
    const uint32_t first = random_below(random, n_core);
    uint64_t total = 0u;

    for (uint32_t i = 0u; i < n_core; i++) {
        const uint64_t left = unit->mem.global[0];
        const uint64_t count = ask_until_refused(unit, (first + i) % n_core);

        expect(count == lower(formulas.local, formulas.free + left), kernel,
               "what is free, and as much of the band as there are globals");
        expect(count <= formulas.share + kernel->loose, kernel, "the most for a core");
        expect(count >= formulas.free, kernel, "the least for a core");
        total += count;
    }
    expect(total == allowances(kernel), kernel, "allowances one core after the other");
    expect(!bits_any(claso_look(unit, 0u).allow), kernel, "then all are refused");
}

static void a_greedy_core_leaves_the_others_what_is_free(void **state)
{
    (void)state;
    for_every_kernel(check_greed);
}

static void check_no_globals(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    (void)random;
    const struct formulas formulas = formulas_of(*kernel);

    set_global(unit, 0u, 0u);
    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        expect(ask_until_refused(unit, core) == formulas.free, kernel, "the guaranteed least");
    }
}

static void without_globals_a_core_gets_exactly_share_less_active(void **state)
{
    (void)state;
    for_every_kernel(check_no_globals);
}

static void check_plenty(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    (void)random;
    const struct formulas formulas = formulas_of(*kernel);

    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        set_global(unit, 0u, formulas.band);
        expect(ask_until_refused(unit, core) == formulas.share + kernel->loose, kernel,
               "the most for a core");
    }
}

static void with_globals_to_spare_a_core_gets_its_share_and_the_loose_levels(void **state)
{
    (void)state;
    for_every_kernel(check_plenty);
}

static void check_refusals(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    struct claso_out before = claso_look(unit, 0u);
    uint64_t total = 0u;

    while (bits_any(before.allow)) {
        total += ask(unit, 0u, random_below(random, unit->config.n_core));
        const struct claso_out now = claso_look(unit, 0u);
        expect(is_within(now.allow, before.allow), kernel, "a refusal lasts");
        before = now;
    }
    expect(total == allowances(kernel), kernel, "allowances in any order");
}

static void a_refused_core_is_refused_for_the_rest_of_the_kernel(void **state)
{
    (void)state;
    for_every_kernel(check_refusals);
}

static void more_active_levels_than_a_share_are_legal(void **state)
{
    (void)state;
    struct claso unit;
    const struct kernel kernel = { 1u, bits_below(4u), 4u, 0u };

    claso_make(&unit, (struct claso_config){ 4u, 1u, 1u, 1u, 3u });
    claso_launch(&unit, 0u, kernel);
    assert_false(unit.q.launch_error);
    assert_int_equal(unit.mem.global[0], 13);
    for (uint32_t core = 0u; core < 4u; core++) {
        assert_int_equal(local_of(&unit, 0u, core), 1);
    }
    /* The cap of a core is all that is left of the rules. */
    for (uint32_t core = 0u; core < 4u; core++) {
        assert_int_equal(ask_until_refused(&unit, core), 1);
    }
}

/* ---- Algorithm 1 and requests of all kinds ------------------------------------------- */

static void check_algorithm(struct claso *unit, const struct kernel *kernel, uint64_t *random)
{
    struct algorithm unbounded = algorithm_of(*kernel, false, INT64_MIN);
    struct algorithm saturating = algorithm_of(*kernel, false, -1);
    const uint32_t n_core = unit->config.n_core;
    const uint32_t n_request = 2u * kernel->n_cta + 4u * n_core; /* many of them refused */

    for (uint32_t i = 0u; i < n_request; i++) {
        /* Two draws make the low cores ask more. */
        const uint32_t core = random_below(random, 1u + random_below(random, n_core));
        const bool allowed = ask(unit, 0u, core);
        expect(by_algorithm(&unbounded, core) == allowed, kernel, "the decision");
        expect(by_algorithm(&saturating, core) == allowed, kernel, "the decision, saturating");
    }
}

static void algorithm_1_to_the_letter_decides_alike(void **state)
{
    (void)state;
    for_every_kernel(check_algorithm);
}

/* Each cycle one of those that stand is on the consume port, whether allowed or not. */
static void serve_standing(struct claso *unit, uint32_t standing[SWEEP_CORES],
                           uint32_t count[SWEEP_CORES])
{
    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        if (standing[core] > 0u
            && bits_has(claso_cycle(unit, consume_of(0u, core)).allow, core)) {
            standing[core]--;
            count[core]++;
        }
    }
}

static void check_standing(struct claso *level, const struct kernel *kernel, uint64_t *random)
{
    static struct claso event;
    const uint32_t n_core = level->config.n_core;
    uint32_t standing[SWEEP_CORES] = { 0u };
    uint32_t count[2][SWEEP_CORES] = { { 0u } };

    claso_make(&event, level->config);
    claso_launch(&event, 0u, *kernel);
    for (uint32_t i = 0u; i < kernel->n_cta + 2u * n_core; i++) {
        const uint32_t core = random_below(random, n_core);
        count[0][core] += ask(&event, 0u, core);
        standing[core]++;
        serve_standing(level, standing, count[1]);

        expect(level->mem.global[0] == event.mem.global[0], kernel, "the same globals");
        for (uint32_t c = 0u; c < n_core; c++) {
            expect(local_of(level, 0u, c) == local_of(&event, 0u, c), kernel,
                   "the same locals");
            expect(count[1][c] == count[0][c], kernel, "the same CTAs");
        }
    }
}

static void requests_that_stand_until_allowed_get_what_those_asked_once_get(void **state)
{
    (void)state;
    for_every_kernel(check_standing);
}

/* ---- All slots ----------------------------------------------------------------------- */

/* A kernel a slot, of other numbers each; the cores of all ask in turn. */
static void each_of_32_slots_pays_for_its_own_kernel(void **state)
{
    (void)state;
    enum { SLOTS = 32, CORES = 5 };
    static struct claso unit;
    struct kernel kernels[SLOTS];
    uint64_t total[SLOTS] = { 0u };

    claso_make(&unit, (struct claso_config){ CORES, 2u, SLOTS, 7u, 3u });
    for (uint32_t slot = 0u; slot < SLOTS; slot++) {
        kernels[slot] =
            (struct kernel){ 2u * slot + 9u, bits_below(CORES), slot % 2u + 1u, slot % 3u };
        claso_launch(&unit, slot, kernels[slot]);
    }
    for (uint32_t i = 0u; i < SLOTS * CORES * 24u; i++) {
        const uint32_t slot = i * 7u % SLOTS, core = i / SLOTS % CORES;
        const uint64_t had = local_of(&unit, slot, core);
        const bool allowed = ask(&unit, slot, core);
        assert_int_equal(local_of(&unit, slot, core), had - allowed);
        total[slot] += allowed;
    }
    for (uint32_t slot = 0u; slot < SLOTS; slot++) {
        expect(total[slot] == kernels[slot].n_cta, &kernels[slot], "each CTA is paid for once");
        expect(!bits_any(claso_look(&unit, slot).allow), &kernels[slot],
               "then all are refused");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_in_line_2_would_strand_4_of_17_ctas),
        cmocka_unit_test(in_turn_every_cta_is_allowed_and_no_more_unless_active_exceeds_share),
        cmocka_unit_test(a_greedy_core_leaves_the_others_what_is_free),
        cmocka_unit_test(without_globals_a_core_gets_exactly_share_less_active),
        cmocka_unit_test(with_globals_to_spare_a_core_gets_its_share_and_the_loose_levels),
        cmocka_unit_test(a_refused_core_is_refused_for_the_rest_of_the_kernel),
        cmocka_unit_test(more_active_levels_than_a_share_are_legal),
        cmocka_unit_test(algorithm_1_to_the_letter_decides_alike),
        cmocka_unit_test(requests_that_stand_until_allowed_get_what_those_asked_once_get),
        cmocka_unit_test(each_of_32_slots_pays_for_its_own_kernel),
    };
    return cmocka_run_group_tests_name("claso", tests, NULL, NULL);
}
