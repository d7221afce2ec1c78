/* Tests of sm_room's golden model: each SM has the room that counters of its own say. */

#include "tb/base/unit_check.h"
#include "units/sm_room.h"

/* Of all SMs; too large for the stack of some systems. */
struct bench {
    struct sm_room unit;
    struct sm_contexts alone[sm_room_max_n_sm]; /* SM s, by itself */
    struct sm_contexts_in shown;                /* what all of those are shown alike */
    struct sm_room_in in;
    struct sm_room_out out;
    struct sm_room_next next;
};

static struct bench *bench_of(struct sm_room_config c)
{
    struct bench *const bench = calloc(1u, sizeof *bench);
    const struct sm_contexts_config one = { c.n_kernel, c.register_w, c.shared_w, c.warp_w,
                                            c.cta_w };

    assert_non_null(bench);
    assert_int_equal(sm_room_init(&bench->unit, &c), sm_room_ok);
    for (uint32_t sm = 0u; sm < c.n_sm; sm++) {
        assert_int_equal(sm_contexts_init(&bench->alone[sm], &one), sm_contexts_ok);
    }
    bench->in.have_registers = bench->shown.have_registers = (1u << c.register_w) - 1u;
    bench->in.have_shared = bench->shown.have_shared = (1u << c.shared_w) - 1u;
    bench->in.have_warps = bench->shown.have_warps = (1u << c.warp_w) - 1u;
    bench->in.have_ctas = bench->shown.have_ctas = (1u << c.cta_w) / 2u;
    bench->in.block = 1u;
    return bench;
}

static void cycle(struct bench *bench)
{
    sm_room_eval(&bench->unit, &bench->in, &bench->out, &bench->next);
    sm_room_tick(&bench->unit, &bench->next);
    bench->in.launch_valid = false;
    bench->in.started = 0u;
    memset(bench->in.ended, 0, sizeof bench->in.ended);
}

static void cycles(struct bench *bench, uint32_t n)
{
    while (n-- > 0u) {
        cycle(bench);
    }
}

static void launch(struct bench *bench, uint32_t slot, uint32_t registers, uint32_t warps)
{
    bench->in.launch_valid = true;
    bench->in.launch_kernel = slot;
    bench->in.launch_registers = registers;
    bench->in.launch_shared = 0u;
    bench->in.launch_warps = warps;
}

/* ---- Each SM by itself ------------------------------------------------------------------- */

/* The cycle of an SM's counters by themselves, before the unit's. */
static bool room_alone(struct bench *bench, uint32_t sm)
{
    struct sm_contexts_in in = bench->shown;
    struct sm_contexts_out out;
    struct sm_contexts_next next;

    in.kernel = bench->in.kernel;
    in.block = bench->in.block;
    in.started = bench->in.started_sm == sm ? bench->in.started : 0u;
    in.started_kernel = bench->in.started_kernel;
    in.ended = bench->in.ended[sm];
    in.ended_kernel = bench->in.ended_kernel[sm];
    sm_contexts_eval(&bench->alone[sm], &in, &out, &next);
    sm_contexts_tick(&bench->alone[sm], &next);
    return out.room;
}

/* What the counters are shown in the next cycle, of a launch in this one. */
static void launch_alone(struct bench *bench)
{
    const struct sm_room_in *const in = &bench->in;

    bench->shown.recount = in->launch_valid && in->launch_kernel < bench->unit.config.n_kernel;
    if (bench->shown.recount) {
        bench->shown.need_registers[in->launch_kernel] = in->launch_registers;
        bench->shown.need_shared[in->launch_kernel] = in->launch_shared;
        bench->shown.need_warps[in->launch_kernel] = in->launch_warps;
    }
}

static void draw(struct bench *bench, uint64_t *random)
{
    const struct sm_room_config *const c = &bench->unit.config;
    struct sm_room_in *const in = &bench->in;

    in->launch_valid = random_below(random, 60u) == 0u;
    in->launch_kernel = random_below(random, c->n_kernel);
    in->launch_registers = random_below(random, 1u << c->register_w) / 4u;
    in->launch_shared = random_below(random, 1u << c->shared_w) / 4u;
    in->launch_warps = random_below(random, 1u << c->warp_w) / 4u;
    in->kernel =
        random_below(random, 30u) == 0u ? random_below(random, c->n_kernel) : in->kernel;
    in->block = 1u + random_below(random, 2u);
    in->started = random_below(random, 3u);
    in->started_sm = random_below(random, c->n_sm);
    in->started_kernel =
        random_below(random, 8u) == 0u ? random_below(random, c->n_kernel) : in->kernel;
    for (uint32_t sm = 0u; sm < c->n_sm; sm++) {
        in->ended[sm] = random_below(random, 12u) == 0u ? random_below(random, 3u) : 0u;
        in->ended_kernel[sm] = random_below(random, c->n_kernel);
    }
}

static void each_sm_has_the_room_that_counters_of_its_own_say(void **state)
{
    (void)state;
    static const struct sm_room_config sizes[] = { { 1u, 1u, 1u, 1u, 1u, 1u },
                                                   { 5u, 3u, 6u, 5u, 4u, 3u },
                                                   { 15u, 4u, 17u, 16u, 7u, 6u },
                                                   { 192u, 32u, 21u, 21u, 7u, 6u } };
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct bench *const bench = bench_of(sizes[i]);
        uint32_t rooms = 0u;
        for (uint32_t n = 0u; n < 1000u; n++) {
            struct bits expected = { { 0u } };
            draw(bench, &random);
            for (uint32_t sm = 0u; sm < sizes[i].n_sm; sm++) {
                if (room_alone(bench, sm)) {
                    bits_add(&expected, sm);
                }
            }
            launch_alone(bench);
            cycle(bench);
            assert_true(bits_equal(bench->out.room, expected));
            rooms += bits_any(expected);
        }
        assert_true(rooms != 0u || sizes[i].cta_w == 1u);
        free(bench);
    }
}

/* ---- Examples ---------------------------------------------------------------------------- */

static struct bench *three_sms(void)
{
    return bench_of((struct sm_room_config){ 3u, 2u, 6u, 6u, 6u, 3u });
}

static void ctas_take_room_from_the_sm_that_they_go_to(void **state)
{
    (void)state;
    struct bench *const bench = three_sms();

    launch(bench, 0u, 32u, 1u); /* one CTA an SM */
    cycles(bench, 10u);
    assert_int_equal(bench->out.room.word[0], 7u);
    bench->in.started = 1u;
    bench->in.started_sm = 1u;
    cycle(bench);
    assert_int_equal(bench->out.room.word[0], 5u);
    cycle(bench);
    assert_int_equal(bench->out.room.word[0], 5u);
    bench->in.ended[1] = 1u;
    cycle(bench);
    assert_int_equal(bench->out.room.word[0], 7u);
    free(bench);
}

static void a_launch_is_room_four_cycles_later(void **state)
{
    (void)state;
    struct bench *const bench = three_sms();

    launch(bench, 0u, 1u, 1u);
    for (uint32_t n = 0u; n < 4u; n++) {
        cycle(bench);
        assert_int_equal(bench->out.room.word[0], 0u);
    }
    cycle(bench);
    assert_int_equal(bench->out.room.word[0], 7u);
    free(bench);
}

static void a_slot_that_gets_another_kernel_has_its_needs(void **state)
{
    (void)state;
    struct bench *const bench = three_sms();

    launch(bench, 1u, 1u, 1u);
    bench->in.kernel = 1u;
    cycles(bench, 10u);
    assert_int_equal(bench->unit.contexts[2].q.contexts, 4u);
    launch(bench, 1u, 31u, 1u);
    cycles(bench, 10u);
    assert_int_equal(bench->unit.contexts[2].q.contexts, 2u);
    launch(bench, 0u, 63u, 1u);
    cycles(bench, 10u);
    assert_int_equal(bench->unit.contexts[2].q.contexts, 2u);
    free(bench);
}

static void what_names_no_sm_and_no_slot_is_ignored(void **state)
{
    (void)state;
    struct bench *const bench = bench_of((struct sm_room_config){ 3u, 3u, 6u, 6u, 6u, 3u });

    launch(bench, 0u, 1u, 1u);
    cycles(bench, 10u);
    assert_true(sm_room_quiet(&bench->unit, &bench->in));
    launch(bench, 3u, 1u, 1u);
    assert_true(sm_room_quiet(&bench->unit, &bench->in));
    bench->in.started = 1u;
    bench->in.started_sm = 3u;
    assert_true(sm_room_quiet(&bench->unit, &bench->in));
    cycle(bench);
    assert_int_equal(bench->out.room.word[0], 7u);
    bench->in.started = 1u;
    bench->in.started_sm = 2u;
    assert_false(sm_room_quiet(&bench->unit, &bench->in));
    free(bench);
}

static void after_a_reset_no_sm_has_room_before_a_launch(void **state)
{
    (void)state;
    struct bench *const bench = three_sms();

    launch(bench, 0u, 1u, 1u);
    cycles(bench, 10u);
    sm_room_reset(&bench->unit);
    cycles(bench, 10u);
    assert_false(bits_any(bench->out.room));
    free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sm_has_the_room_that_counters_of_its_own_say),
        cmocka_unit_test(ctas_take_room_from_the_sm_that_they_go_to),
        cmocka_unit_test(a_launch_is_room_four_cycles_later),
        cmocka_unit_test(a_slot_that_gets_another_kernel_has_its_needs),
        cmocka_unit_test(what_names_no_sm_and_no_slot_is_ignored),
        cmocka_unit_test(after_a_reset_no_sm_has_room_before_a_launch),
    };
    return cmocka_run_group_tests_name("sm_room", tests, NULL, NULL);
}
