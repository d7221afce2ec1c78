/*
 * Tests of the merge table's golden model by examples: a request and an answer in one cycle, a
 * network that does not take what is sent, answers from elsewhere, and SMs that do not exist.
 */

#include "icc_examples.h"

/* ---- Request and answer in one cycle ------------------------------------------------- */

static void a_read_in_the_cycle_of_its_lines_answer_joins_it(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    const struct icc_out out = cycle(&unit, with_answer(read_of(3u, A), A));
    assert_int_equal(fate_of(out), MERGES);
    check_reply(out, 0x09u, true); /* two SMs, so the line is shared */
    assert_int_equal(n_used(&unit), 0u);
}

static void an_entry_that_an_answer_frees_is_not_free_for_the_request_of_its_cycle(void **state)
{
    (void)state;
    struct icc unit;

    assert_int_equal(icc_init(&unit, &(struct icc_config){ 2u, 3u, 8u }), icc_ok);
    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(0u, B));
    assert_int_equal(fate_of(cycle(&unit, with_answer(read_of(1u, C), A))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, with_answer(read_of(1u, C), B))), IS_TRACKED);
    assert_int_equal(unit.mem.line[0], C);
    assert_int_equal(n_used(&unit), 1u);
}

static void a_read_of_a_closed_line_passes_in_the_cycle_of_its_answer_too(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, write_of(1u, A));
    const struct icc_out out = cycle(&unit, with_answer(read_of(3u, A), A));
    assert_int_equal(fate_of(out), PASSES);
    check_reply(out, 0x01u, false);
    assert_int_equal(n_used(&unit), 0u);
}

/* ---- The network, other answers, and SMs that do not exist --------------------------- */

static void to_take_an_entry_and_to_send_are_one_step(void **state)
{
    (void)state;
    struct icc unit = standard();
    struct icc_in in = read_of(1u, A);

    in.request_ready = false;
    assert_int_equal(fate_of(cycle(&unit, in)), PASSES);
    assert_int_equal(n_used(&unit), 0u);
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, A))), IS_TRACKED);
    in.request_sm = 2u; /* nothing is sent for one that joins */
    assert_int_equal(fate_of(cycle(&unit, in)), MERGES);
    in.request_write = true; /* and a write closes as soon as it is offered */
    (void)cycle(&unit, in);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, A))), PASSES);
}

static void a_request_that_the_cache_has_answered_does_nothing(void **state)
{
    (void)state;
    struct icc unit = standard();
    struct icc_in in = read_of(2u, A);

    in.request_hit = true;
    assert_int_equal(fate_of(cycle(&unit, in)), PASSES);
    (void)cycle(&unit, read_of(1u, A));
    assert_int_equal(fate_of(cycle(&unit, in)), PASSES);
    check_reply(cycle(&unit, with_answer(in, A)), 0x02u, false);
    assert_int_equal(n_used(&unit), 0u);
}

static void an_sm_that_waits_already_joins_to_no_effect(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(2u, A));
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, A))), MERGES);
    check_reply(cycle(&unit, with_answer(read_of(2u, A), A)), 0x04u, false);
}

static void sms_of_number_n_sm_and_up_take_no_part(void **state)
{
    (void)state;
    struct icc unit = standard(); /* of 5 SMs, with numbers of 3 bits */

    for (uint32_t sm = 5u; sm < 8u; sm++) {
        assert_int_equal(fate_of(cycle(&unit, read_of(sm, A))), PASSES);
        assert_int_equal(n_used(&unit), 0u);
        check_reply(cycle(&unit, untracked_of(A, sm)), 0u, false);
    }
    (void)cycle(&unit, read_of(4u, A));
    assert_int_equal(fate_of(cycle(&unit, read_of(5u, A))), PASSES);
    check_reply(cycle(&unit, with_answer(read_of(6u, A), A)), 0x10u, false);
    /* But a write is a write. */
    (void)cycle(&unit, read_of(4u, A));
    (void)cycle(&unit, write_of(7u, A));
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), PASSES);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_in_the_cycle_of_its_lines_answer_joins_it),
        cmocka_unit_test(
            an_entry_that_an_answer_frees_is_not_free_for_the_request_of_its_cycle),
        cmocka_unit_test(a_read_of_a_closed_line_passes_in_the_cycle_of_its_answer_too),
        cmocka_unit_test(to_take_an_entry_and_to_send_are_one_step),
        cmocka_unit_test(a_request_that_the_cache_has_answered_does_nothing),
        cmocka_unit_test(an_sm_that_waits_already_joins_to_no_effect),
        cmocka_unit_test(sms_of_number_n_sm_and_up_take_no_part),
    };

    return cmocka_run_group_tests_name("icc_order", tests, NULL, NULL);
}
