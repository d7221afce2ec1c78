/* Tests of sm_contexts's golden model: worked examples, all small cases, and random traffic
 * against a division of what is left by what a CTA needs. */

#include "tb/base/unit_check.h"
#include "units/sm_contexts.h"

/* An SM, and the inputs of its cycles, of which started, ended and recount are for one. */
struct bench {
    struct sm_contexts unit;
    struct sm_contexts_in in;
};

static struct bench bench_of(struct sm_contexts_config config)
{
    struct bench bench = { .in.block = 1u };

    assert_int_equal(sm_contexts_init(&bench.unit, &config), sm_contexts_ok);
    return bench;
}

/* Fermi: 32768 registers, 48 KB, 48 warps, 8 CTAs. */
static struct bench fermi(void)
{
    struct bench bench = bench_of((struct sm_contexts_config){ 4u, 17u, 16u, 7u, 6u });

    bench.in.have_registers = 32768u;
    bench.in.have_shared = 49152u;
    bench.in.have_warps = 48u;
    bench.in.have_ctas = 8u;
    return bench;
}

static void needs(struct bench *bench, uint32_t slot, uint32_t registers, uint32_t shared,
                  uint32_t warps)
{
    bench->in.need_registers[slot] = registers;
    bench->in.need_shared[slot] = shared;
    bench->in.need_warps[slot] = warps;
    bench->in.recount = true;
}

/* A cycle; the room it showed. */
static bool cycle(struct bench *bench)
{
    struct sm_contexts_out out;
    struct sm_contexts_next next;

    sm_contexts_eval(&bench->unit, &bench->in, &out, &next);
    sm_contexts_tick(&bench->unit, &next);
    bench->in.recount = false;
    bench->in.started = bench->in.ended = 0u;
    return out.room;
}

/* Cycles until nothing changes any more. */
static uint32_t settle(struct bench *bench)
{
    uint32_t n = 0u;

    while (!sm_contexts_quiet(&bench->unit, &bench->in)) {
        (void)cycle(bench);
        assert_true(++n < 300u);
    }
    return n;
}

static uint32_t contexts(struct bench *bench)
{
    (void)settle(bench);
    return bench->unit.q.contexts;
}

static bool start(struct bench *bench, uint32_t slot, uint32_t ctas)
{
    bench->in.started_kernel = slot;
    bench->in.started = ctas;
    return cycle(bench);
}

static bool end(struct bench *bench, uint32_t slot, uint32_t ctas)
{
    bench->in.ended_kernel = slot;
    bench->in.ended = ctas;
    return cycle(bench);
}

/* ---- How many fit ------------------------------------------------------------------------ */

static void the_scarcest_resource_says_how_many_ctas_fit(void **state)
{
    (void)state;
    static const struct {
        uint32_t registers, shared, warps, ctas;
    } kernels[] = {
        { 4096u, 0u, 2u, 8u },     /* all eight */
        { 2048u, 1024u, 2u, 8u },  /* CTA slots */
        { 5120u, 0u, 4u, 6u },     /* registers */
        { 1024u, 16384u, 4u, 3u }, /* shared memory */
        { 1024u, 16385u, 4u, 2u }, /* a byte more */
        { 1024u, 0u, 12u, 4u },    /* warps */
        { 32769u, 0u, 1u, 0u },    /* none */
        { 0u, 0u, 0u, 8u },
    };

    for (size_t k = 0u; k < sizeof kernels / sizeof kernels[0]; k++) {
        struct bench bench = fermi();
        needs(&bench, 0u, kernels[k].registers, kernels[k].shared, kernels[k].warps);
        assert_int_equal(contexts(&bench), kernels[k].ctas);
        assert_true(cycle(&bench) == (kernels[k].ctas != 0u));
    }
}

static void ctas_take_contexts_and_give_them_back_in_their_own_cycle(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 16384u, 0u, 1u); /* two fit */
    assert_int_equal(contexts(&bench), 2u);
    assert_true(start(&bench, 0u, 1u));
    assert_false(start(&bench, 0u, 1u));
    assert_false(cycle(&bench));
    assert_true(end(&bench, 0u, 1u));
    assert_true(cycle(&bench));
    bench.in.started = 1u; /* in one cycle a CTA ends and another one starts */
    bench.in.started_kernel = 0u;
    assert_true(end(&bench, 0u, 1u));
    assert_int_equal(bench.unit.q.resident[0], 1u);
    assert_int_equal(bench.unit.q.contexts, 1u);
}

static void a_block_goes_out_when_any_two_contexts_are_free(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 6000u, 0u, 1u); /* five fit */
    bench.in.block = 2u;
    assert_int_equal(contexts(&bench), 5u);
    assert_true(start(&bench, 0u, 2u));
    assert_false(start(&bench, 0u, 2u)); /* the fifth is alone */
    assert_false(cycle(&bench));
    assert_true(end(&bench, 0u, 1u));
    assert_false(start(&bench, 0u, 2u));
    assert_int_equal(bench.unit.q.resident[0], 5u);
}

static void an_sm_of_one_context_takes_single_ctas_alone(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 20000u, 0u, 1u);
    bench.in.block = 2u;
    assert_int_equal(contexts(&bench), 1u);
    assert_false(cycle(&bench));
    bench.in.block = 1u;
    assert_true(cycle(&bench));
}

/* ---- Several kernels --------------------------------------------------------------------- */

static void a_later_kernel_is_given_what_the_earlier_ones_leave(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 8192u, 0u, 16u);
    needs(&bench, 2u, 4096u, 8192u, 4u);
    (void)settle(&bench);
    (void)start(&bench, 0u, 2u);
    bench.in.kernel = 2u; /* 16384 registers and 16 warps are left */
    assert_int_equal(contexts(&bench), 4u);
    (void)start(&bench, 2u, 3u);
    assert_int_equal(contexts(&bench), 1u);
    (void)end(&bench, 0u, 2u); /* shared memory holds six, of which three are there */
    assert_int_equal(contexts(&bench), 3u);
}

static void a_count_takes_a_cycle_for_each_cta_that_is_there_and_is_to_come(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 1u, 1u, 1u);
    needs(&bench, 1u, 1u, 1u, 1u);
    assert_int_equal(settle(&bench), 1u + 1u + 8u);
    (void)start(&bench, 0u, 3u);
    (void)start(&bench, 0u, 1u);
    bench.in.kernel = 1u; /* four of one slot, then four contexts */
    assert_int_equal(settle(&bench), 1u + 1u + 4u + 1u + 4u);
    (void)start(&bench, 1u, 2u);
    bench.in.recount =
        true; /* four and two, of two slots; the first context in cycle 3 + 6 + 2 */
    for (uint32_t t = 0u; t < 11u; t++) {
        assert_false(cycle(&bench));
    }
    assert_true(cycle(&bench));
}

static void no_room_is_shown_for_a_kernel_that_is_not_counted_yet(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 1u, 0u, 1u);
    needs(&bench, 3u, 32768u, 0u, 1u);
    (void)settle(&bench);
    bench.in.kernel = 3u;
    assert_false(cycle(&bench));
    for (uint32_t t = 0u; t < 2u; t++) {
        assert_false(cycle(&bench));
    }
    assert_true(cycle(&bench));
    assert_false(start(&bench, 0u, 1u)); /* nor when another kernel's CTA comes late */
    (void)settle(&bench);
    assert_false(cycle(&bench));
}

/* ---- What cannot be ---------------------------------------------------------------------- */

static void ctas_that_are_not_there_cannot_end(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 16384u, 0u, 1u);
    (void)settle(&bench);
    (void)start(&bench, 0u, 2u);
    assert_false(end(&bench, 0u, 3u));
    assert_int_equal(bench.unit.q.resident[0], 2u);
    assert_false(end(&bench, 1u, 1u));
    assert_false(cycle(&bench));
    assert_true(end(&bench, 0u, 1u));
}

static void ctas_that_do_not_fit_close_the_sm_until_enough_have_ended(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 16384u, 0u, 1u); /* two fit, four come */
    (void)settle(&bench);
    (void)start(&bench, 0u, 4u);
    assert_int_equal(contexts(&bench), 0u);
    assert_true(bench.unit.q.crowded);
    for (uint32_t n = 0u; n < 2u; n++) {
        assert_false(end(&bench, 0u, 1u));
        assert_int_equal(contexts(&bench), 0u);
    }
    assert_false(bench.unit.q.crowded);
    assert_true(end(&bench, 0u, 1u));
    assert_int_equal(contexts(&bench), 1u);
}

static void a_counter_that_is_full_takes_no_more(void **state)
{
    (void)state;
    struct bench bench = bench_of((struct sm_contexts_config){ 3u, 4u, 4u, 4u, 2u });

    bench.in.have_ctas = 3u;
    (void)start(&bench, 1u, 2u);
    (void)start(&bench, 1u, 2u);
    assert_int_equal(bench.unit.q.resident[1], 2u);
    (void)start(&bench, 1u, 1u);
    (void)start(&bench, 3u, 1u); /* there is no such slot */
    (void)end(&bench, 3u, 1u);
    assert_int_equal(bench.unit.q.resident[1], 3u);
    bench.in.kernel = 3u;
    assert_false(cycle(&bench));
    assert_int_equal(bench.unit.q.kernel, 0u);
}

static void after_a_reset_an_sm_is_empty_and_has_no_contexts(void **state)
{
    (void)state;
    struct bench bench = fermi();

    needs(&bench, 0u, 1u, 1u, 1u);
    (void)settle(&bench);
    (void)start(&bench, 0u, 2u);
    sm_contexts_reset(&bench.unit);
    assert_int_equal(contexts(&bench), 0u);
    assert_false(cycle(&bench));
    bench.in.recount = true;
    (void)cycle(&bench);
    assert_int_equal(contexts(&bench), 8u);
}

/* ---- Against a division ------------------------------------------------------------------ */

static uint32_t fit(uint64_t have, uint64_t used, uint64_t need, uint32_t most)
{
    const uint64_t n = used > have ? 0u : need == 0u ? most : (have - used) / need;

    return n < most ? (uint32_t)n : most;
}

/* CTAs of the kernel that fit beside the resident ones; over: those do not fit themselves. */
static uint32_t divided(const struct bench *bench, uint32_t slot)
{
    const struct sm_contexts_in *const in = &bench->in;
    uint64_t registers = 0u, shared = 0u, warps = 0u, ctas = 0u;

    for (uint32_t k = 0u; k < bench->unit.config.n_kernel; k++) {
        const uint64_t n = bench->unit.q.resident[k];
        registers += n * in->need_registers[k];
        shared += n * in->need_shared[k];
        warps += n * in->need_warps[k];
        ctas += n;
    }
    uint32_t n = fit(in->have_ctas, ctas, 1u, 63u);
    n = fit(in->have_registers, registers, in->need_registers[slot], n);
    n = fit(in->have_shared, shared, in->need_shared[slot], n);
    return fit(in->have_warps, warps, in->need_warps[slot], n);
}

/* All needs of two slots and all numbers of their CTAs, with two bits of each resource. */
static void in_every_small_case_as_many_fit_as_a_division_says(void **state)
{
    (void)state;
    for (uint32_t all = 0u; all < 1u << 16; all++) {
        struct bench bench = bench_of((struct sm_contexts_config){ 2u, 2u, 2u, 2u, 2u });
        uint32_t *const need[6] = { &bench.in.need_registers[0], &bench.in.need_shared[0],
                                    &bench.in.need_warps[0],     &bench.in.need_registers[1],
                                    &bench.in.need_shared[1],    &bench.in.need_warps[1] };
        for (uint32_t i = 0u; i < 6u; i++) {
            *need[i] = all >> 2u * i & 3u;
        }
        bench.in.have_registers = bench.in.have_warps = 3u;
        bench.in.have_shared = bench.in.have_ctas = 3u;
        (void)start(&bench, 0u, all >> 12 & 3u);
        (void)start(&bench, 1u, all >> 14 & 3u);
        bench.in.kernel = 1u;
        bench.in.recount = true;
        assert_int_equal(contexts(&bench), divided(&bench, 1u));
    }
}

/* A block that is shown room fits, by the division, once the cycle's CTAs have come and gone.
 */
static void check_room(struct bench *bench, bool room)
{
    const uint32_t slot = bench->in.kernel;

    if (room) {
        assert_true(slot < bench->unit.config.n_kernel);
        assert_true(divided(bench, slot) >= bench->in.block);
    }
}

static void draw_needs(struct bench *bench, uint64_t *random)
{
    const struct sm_contexts_config *const c = &bench->unit.config;

    for (uint32_t k = 0u; k < c->n_kernel; k++) {
        needs(bench, k, random_below(random, (1u << c->register_w) / 4u + 1u),
              random_below(random, (1u << c->shared_w) / 4u + 1u),
              random_below(random, (1u << c->warp_w) / 4u + 1u));
    }
    bench->in.have_registers = random_below(random, 1u << c->register_w);
    bench->in.have_shared = random_below(random, 1u << c->shared_w);
    bench->in.have_warps = random_below(random, 1u << c->warp_w);
    bench->in.have_ctas = random_below(random, 1u << c->cta_w);
}

static void random_traffic(struct bench *bench, uint64_t *random)
{
    const uint32_t n = bench->unit.config.n_kernel;
    bool room;

    bench->in.block = 1u + random_below(random, 4u);
    bench->in.kernel =
        random_below(random, 8u) == 0u ? random_below(random, n) : bench->in.kernel;
    bench->in.started_kernel = random_below(random, n);
    bench->in.ended_kernel = random_below(random, n);
    bench->in.started = random_below(random, 4u) == 0u ? random_below(random, 5u) : 0u;
    bench->in.ended = random_below(random, 4u) == 0u ? random_below(random, 3u) : 0u;
    room = cycle(bench);
    check_room(bench, room);
    if (random_below(random, 4u) == 0u) {
        for (uint32_t t = random_below(random, 40u); t > 0u; t--) {
            check_room(bench, cycle(bench));
        }
    }
}

static void under_random_traffic_room_is_never_shown_for_what_does_not_fit(void **state)
{
    (void)state;
    static const struct sm_contexts_config sizes[] = { { 1u, 1u, 1u, 1u, 1u },
                                                       { 3u, 4u, 3u, 5u, 3u },
                                                       { 5u, 8u, 9u, 7u, 5u },
                                                       { 4u, 17u, 16u, 7u, 6u },
                                                       { 32u, 21u, 21u, 7u, 6u } };
    uint64_t random = printed_seed();

    for (size_t s = 0u; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (uint32_t round = 0u; round < 100u; round++) {
            struct bench bench = bench_of(sizes[s]);
            draw_needs(&bench, &random);
            (void)cycle(&bench);
            for (uint32_t n = 0u; n < 60u; n++) {
                random_traffic(&bench, &random);
                if (n % 10u == 9u) {
                    assert_int_equal(contexts(&bench), divided(&bench, bench.in.kernel));
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scarcest_resource_says_how_many_ctas_fit),
        cmocka_unit_test(ctas_take_contexts_and_give_them_back_in_their_own_cycle),
        cmocka_unit_test(a_block_goes_out_when_any_two_contexts_are_free),
        cmocka_unit_test(an_sm_of_one_context_takes_single_ctas_alone),
        cmocka_unit_test(a_later_kernel_is_given_what_the_earlier_ones_leave),
        cmocka_unit_test(a_count_takes_a_cycle_for_each_cta_that_is_there_and_is_to_come),
        cmocka_unit_test(no_room_is_shown_for_a_kernel_that_is_not_counted_yet),
        cmocka_unit_test(ctas_that_are_not_there_cannot_end),
        cmocka_unit_test(ctas_that_do_not_fit_close_the_sm_until_enough_have_ended),
        cmocka_unit_test(a_counter_that_is_full_takes_no_more),
        cmocka_unit_test(after_a_reset_an_sm_is_empty_and_has_no_contexts),
        cmocka_unit_test(in_every_small_case_as_many_fit_as_a_division_says),
        cmocka_unit_test(under_random_traffic_room_is_never_shown_for_what_does_not_fit),
    };
    return cmocka_run_group_tests_name("sm_contexts", tests, NULL, NULL);
}
