/* Tests of sm_free's golden model: worked examples, what cannot be, and all small cases. Random
 * traffic is in sm_free_random_test.c. */

#include "tb/units/sm_free/sm_free_bench.h"

static struct sm_free_bench bench;

/* Fermi: 32768 registers, 48 KB, 48 warps, 8 CTAs; the first cycle is over. */
static void fermi(uint32_t n_sm)
{
    sm_free_bench_open(&bench, (struct sm_free_config){ n_sm, 4u, 17u, 16u, 7u, 6u });
    bench.in.have_registers = 32768u;
    bench.in.have_shared = 49152u;
    bench.in.have_warps = 48u;
    bench.in.have_ctas = 8u;
    sm_free_bench_cycle(&bench);
}

/* The room of the first 64 SMs for a CTA of a slot, in the next cycle. */
static uint64_t room(uint32_t slot)
{
    bench.in.kernel = slot;
    sm_free_bench_cycle(&bench);
    return bench.out.room.word[0];
}

/* ---- Worked examples --------------------------------------------------------------------- */

static void as_many_ctas_fit_as_the_scarcest_resource_holds(void **state)
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
        uint32_t ctas = 0u;
        fermi(1u);
        sm_free_bench_launch(&bench, 0u, kernels[k].registers, kernels[k].shared,
                             kernels[k].warps);
        while (room(0u) != 0u && ctas < 64u) {
            sm_free_bench_start(&bench, 0u, 0u);
            sm_free_bench_cycle(&bench);
            ctas++;
        }
        assert_int_equal(ctas, kernels[k].ctas);
    }
}

static void room_is_answered_for_another_kernel_in_each_cycle(void **state)
{
    (void)state;
    fermi(13u);
    sm_free_bench_launch(&bench, 0u, 32768u, 0u, 1u);
    sm_free_bench_launch(&bench, 1u, 1u, 40000u, 1u);
    sm_free_bench_launch(&bench, 2u, 32769u, 0u, 1u);
    sm_free_bench_start(&bench, 3u, 0u);
    sm_free_bench_cycle(&bench);
    sm_free_bench_start(&bench, 12u, 1u);
    sm_free_bench_cycle(&bench);
    for (uint32_t n = 0u; n < 2u; n++) {
        assert_int_equal(room(0u), 0x0FF7u); /* not beside one of its own, nor of slot 1 */
        assert_int_equal(room(1u), 0x0FF7u); /* 3 has no registers left */
        assert_int_equal(room(2u), 0u);
        assert_int_equal(room(3u), 0x1FFFu); /* that needs nothing */
    }
}

static void what_a_cta_takes_comes_back_in_the_cycle_after_its_end(void **state)
{
    (void)state;
    fermi(2u);
    sm_free_bench_launch(&bench, 1u, 20000u, 100u, 30u);
    sm_free_bench_start(&bench, 1u, 1u);
    assert_int_equal(room(1u), 1u); /* in its own cycle */
    assert_int_equal(bench.unit.q.registers[1], 12768u);
    assert_int_equal(bench.unit.q.shared[1], 49052u);
    assert_int_equal(bench.unit.q.warps[1], 18u);
    assert_int_equal(bench.unit.q.ctas[1], 7u);
    assert_int_equal(room(1u), 1u);
    sm_free_bench_end(&bench, 1u, 1u);
    assert_int_equal(room(1u), 1u); /* not yet */
    assert_int_equal(room(1u), 3u);
    assert_int_equal(bench.unit.q.ctas[1], 8u);
}

static void an_sm_shows_no_room_in_the_cycle_of_a_start(void **state)
{
    (void)state;
    fermi(2u);
    sm_free_bench_launch(&bench, 0u, 1u, 0u, 1u);
    sm_free_bench_launch(&bench, 1u, 1u, 0u, 1u);
    sm_free_bench_start(&bench, 0u, 1u); /* of whatever slot */
    assert_int_equal(room(0u), 2u);
    assert_int_equal(room(0u), 3u);
}

static void an_end_and_a_start_in_one_cycle_are_both_counted(void **state)
{
    (void)state;
    fermi(3u);
    sm_free_bench_launch(&bench, 0u, 10000u, 0u, 10u);
    sm_free_bench_launch(&bench, 1u, 3000u, 500u, 1u);
    sm_free_bench_start(&bench, 2u, 0u);
    sm_free_bench_cycle(&bench);
    sm_free_bench_start(&bench, 2u, 1u);
    sm_free_bench_end(&bench, 2u, 0u);
    sm_free_bench_cycle(&bench);
    assert_int_equal(bench.unit.q.registers[2], 29768u);
    assert_int_equal(bench.unit.q.shared[2], 48652u);
    assert_int_equal(bench.unit.q.warps[2], 47u);
    assert_int_equal(bench.unit.q.ctas[2], 7u);
}

static void a_launch_counts_from_the_next_cycle_on(void **state)
{
    (void)state;
    fermi(1u);
    sm_free_bench_launch(&bench, 0u, 32769u, 0u, 1u);
    bench.in.kernel = 0u;
    sm_free_bench_launch(&bench, 0u, 32768u, 0u, 1u);
    assert_int_equal(bench.out.room.word[0], 0u);
    assert_int_equal(room(0u), 1u);
}

static void a_cta_gives_back_what_it_took_when_its_slot_is_launched_in_that_cycle(void **state)
{
    (void)state;
    fermi(1u);
    sm_free_bench_launch(&bench, 0u, 1000u, 100u, 10u);
    sm_free_bench_start(&bench, 0u, 0u);
    sm_free_bench_cycle(&bench);
    sm_free_bench_end(&bench, 0u, 0u);
    sm_free_bench_launch(&bench, 0u, 2000u, 200u, 20u);
    assert_int_equal(bench.unit.q.registers[0], 32768u);
    assert_int_equal(bench.unit.q.shared[0], 49152u);
    assert_int_equal(bench.unit.q.warps[0], 48u);
}

static void the_ctas_of_the_first_cycle_are_ignored(void **state)
{
    (void)state;
    sm_free_bench_open(&bench, (struct sm_free_config){ 2u, 1u, 4u, 4u, 4u, 3u });
    bench.in.have_registers = bench.in.have_shared = bench.in.have_warps = 9u;
    bench.in.have_ctas = 5u;
    sm_free_bench_start(&bench, 1u, 0u);
    sm_free_bench_end(&bench, 0u, 0u);
    bench.in.launch_valid = true; /* its launch counts */
    bench.in.launch_registers = 9u;
    sm_free_bench_cycle(&bench);
    assert_false(bits_any(bench.out.room));
    for (uint32_t sm = 0u; sm < 2u; sm++) {
        assert_int_equal(bench.unit.q.registers[sm], 9u);
        assert_int_equal(bench.unit.q.ctas[sm], 5u);
    }
    bench.in.have_registers = 1u; /* read once */
    sm_free_bench_start(&bench, 1u, 0u);
    sm_free_bench_cycle(&bench);
    assert_int_equal(room(0u), 1u);
}

static void after_a_reset_no_sm_has_room_before_what_they_have_is_read(void **state)
{
    (void)state;
    const struct sm_free_state zero = { .begun = false };

    fermi(5u);
    sm_free_bench_launch(&bench, 0u, 1u, 1u, 1u);
    sm_free_bench_start(&bench, 4u, 0u);
    sm_free_bench_cycle(&bench);
    sm_free_reset(&bench.unit);
    assert_memory_equal(&bench.unit.q, &zero, sizeof zero);
    bench.in.have_ctas = 1u;
    assert_int_equal(room(0u), 0u);
    assert_int_equal(room(0u), 31u);
    sm_free_bench_start(&bench, 4u, 0u);
    sm_free_bench_cycle(&bench);
    assert_int_equal(room(0u), 15u);
}

/* ---- What cannot be ---------------------------------------------------------------------- */

static void what_names_no_slot_and_no_sm_is_ignored(void **state)
{
    (void)state;
    sm_free_bench_open(&bench, (struct sm_free_config){ 3u, 3u, 6u, 6u, 6u, 3u });
    bench.in.have_registers = bench.in.have_shared = bench.in.have_warps = 63u;
    bench.in.have_ctas = 7u;
    sm_free_bench_cycle(&bench);
    for (uint32_t slot = 0u; slot < 3u; slot++) {
        sm_free_bench_launch(&bench, slot, 5u, 5u, 5u);
    }
    const struct sm_free_state before = bench.unit.q;
    sm_free_bench_launch(&bench, 3u, 1u, 1u, 1u);
    sm_free_bench_start(&bench, 3u, 0u);
    sm_free_bench_cycle(&bench);
    sm_free_bench_start(&bench, 1u, 3u);
    assert_int_equal(room(0u), 5u); /* it is a start all the same */
    sm_free_bench_end(&bench, 2u, 3u);
    sm_free_bench_cycle(&bench);
    assert_memory_equal(&bench.unit.q, &before, sizeof before);
    assert_int_equal(room(3u), 0u);
    assert_int_equal(room(2u), 7u);
}

static void what_wraps_comes_back_with_as_many_ends_as_starts(void **state)
{
    (void)state;
    sm_free_bench_open(&bench, (struct sm_free_config){ 1u, 2u, 4u, 4u, 4u, 2u });
    bench.in.have_registers = bench.in.have_shared = bench.in.have_warps = 8u;
    bench.in.have_ctas = 2u;
    sm_free_bench_cycle(&bench);
    sm_free_bench_launch(&bench, 0u, 7u, 3u, 1u);
    sm_free_bench_launch(&bench, 1u, 0u, 0u, 0u);
    const struct sm_free_state before = bench.unit.q;
    for (uint32_t n = 0u; n < 3u; n++) { /* one fits */
        sm_free_bench_start(&bench, 0u, 0u);
        sm_free_bench_cycle(&bench);
    }
    assert_int_equal(bench.unit.q.registers[0], 3u); /* 8 - 21 + 16 */
    assert_int_equal(bench.unit.q.shared[0], 15u);
    assert_int_equal(bench.unit.q.ctas[0], 3u);
    for (uint32_t n = 0u; n < 5u; n++) {
        sm_free_bench_end(&bench, 0u, 0u);
        sm_free_bench_cycle(&bench);
    }
    assert_int_equal(bench.unit.q.registers[0], 6u); /* 8 + 14 - 16 */
    assert_int_equal(bench.unit.q.ctas[0], 0u);
    assert_int_equal(room(1u), 0u);
    for (uint32_t n = 0u; n < 2u; n++) {
        sm_free_bench_start(&bench, 0u, 0u);
        sm_free_bench_cycle(&bench);
    }
    assert_memory_equal(&bench.unit.q, &before, sizeof before);
    assert_int_equal(room(0u), 1u);
}

static void it_is_quiet_unless_something_is_launched_starts_or_ends(void **state)
{
    (void)state;
    sm_free_bench_open(&bench, (struct sm_free_config){ 3u, 2u, 4u, 4u, 4u, 2u });
    assert_false(sm_free_quiet(&bench.unit, &bench.in)); /* what the SMs have is to be read */
    sm_free_bench_cycle(&bench);
    assert_true(sm_free_quiet(&bench.unit, &bench.in));
    bench.in.launch_valid = true;
    assert_false(sm_free_quiet(&bench.unit, &bench.in));
    sm_free_bench_cycle(&bench);
    sm_free_bench_start(&bench, 1u, 0u);
    assert_false(sm_free_quiet(&bench.unit, &bench.in));
    sm_free_bench_cycle(&bench);
    sm_free_bench_end(&bench, 2u, 1u);
    assert_false(sm_free_quiet(&bench.unit, &bench.in));
    sm_free_bench_cycle(&bench);
    assert_true(sm_free_quiet(&bench.unit, &bench.in));
}

/* ---- Beside a product -------------------------------------------------------------------- */

static uint32_t rest(uint32_t have, uint32_t ctas, uint32_t need, uint32_t w)
{
    return (uint32_t)(((UINT64_C(1) << 32u) + have - (uint64_t)ctas * need)
                      % (UINT64_C(1) << w));
}

/* All needs of a slot and all that an SM may have left, of two bits each. */
static void in_every_small_case_a_cta_fits_if_each_resource_holds_it(void **state)
{
    (void)state;
    for (uint32_t all = 0u; all < 1u << 14; all++) {
        const uint32_t left[4] = { all & 3u, all >> 2 & 3u, all >> 4 & 3u, all >> 6 & 3u };
        const uint32_t need[3] = { all >> 8 & 3u, all >> 10 & 3u, all >> 12 & 3u };
        const bool fits =
            left[0] >= need[0] && left[1] >= need[1] && left[2] >= need[2] && left[3] >= 1u;
        sm_free_bench_open(&bench, (struct sm_free_config){ 1u, 2u, 2u, 2u, 2u, 2u });
        bench.in.have_registers = left[0];
        bench.in.have_shared = left[1];
        bench.in.have_warps = left[2];
        bench.in.have_ctas = left[3];
        sm_free_bench_cycle(&bench);
        sm_free_bench_launch(&bench, 1u, need[0], need[1], need[2]);
        assert_int_equal(room(1u), fits);
        for (uint32_t ctas = 0u; ctas < 5u; ctas++) {
            assert_int_equal(bench.unit.q.registers[0], rest(left[0], ctas, need[0], 2u));
            assert_int_equal(bench.unit.q.shared[0], rest(left[1], ctas, need[1], 2u));
            assert_int_equal(bench.unit.q.warps[0], rest(left[2], ctas, need[2], 2u));
            assert_int_equal(bench.unit.q.ctas[0], rest(left[3], ctas, 1u, 2u));
            sm_free_bench_start(&bench, 0u, 1u);
            sm_free_bench_cycle(&bench);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_ctas_fit_as_the_scarcest_resource_holds),
        cmocka_unit_test(room_is_answered_for_another_kernel_in_each_cycle),
        cmocka_unit_test(what_a_cta_takes_comes_back_in_the_cycle_after_its_end),
        cmocka_unit_test(an_sm_shows_no_room_in_the_cycle_of_a_start),
        cmocka_unit_test(an_end_and_a_start_in_one_cycle_are_both_counted),
        cmocka_unit_test(a_launch_counts_from_the_next_cycle_on),
        cmocka_unit_test(a_cta_gives_back_what_it_took_when_its_slot_is_launched_in_that_cycle),
        cmocka_unit_test(the_ctas_of_the_first_cycle_are_ignored),
        cmocka_unit_test(after_a_reset_no_sm_has_room_before_what_they_have_is_read),
        cmocka_unit_test(what_names_no_slot_and_no_sm_is_ignored),
        cmocka_unit_test(what_wraps_comes_back_with_as_many_ends_as_starts),
        cmocka_unit_test(it_is_quiet_unless_something_is_launched_starts_or_ends),
        cmocka_unit_test(in_every_small_case_a_cta_fits_if_each_resource_holds_it),
    };
    return cmocka_run_group_tests_name("sm_free", tests, NULL, NULL);
}
