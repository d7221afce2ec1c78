/*
 * Tests of the merge table's golden model by examples: what section 6 of the paper says, step
 * by step, and what docs/units/icc.md adds where the paper is silent. What meets in one cycle,
 * and what an instance does not take part in, is in icc_order_test.c. All reachable states of
 * small tables are in icc_states_test.c, traffic at every size in icc_random_test.c.
 */

#include "icc_examples.h"

/* ---- Section 6.1: hit, miss, full, reply --------------------------------------------- */

static void reads_of_one_line_are_sent_once_and_answered_together(void **state)
{
    (void)state;
    struct icc unit = standard();

    assert_int_equal(fate_of(cycle(&unit, read_of(3u, A))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), MERGES);
    assert_int_equal(fate_of(cycle(&unit, read_of(4u, A))), MERGES);
    assert_int_equal(n_used(&unit), 1u);
    check_reply(cycle(&unit, answer_of(A)), 0x19u, true);
    assert_int_equal(n_used(&unit), 0u);
}

static void an_entry_is_used_again_once_it_has_been_answered(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(3u, A));
    check_reply(cycle(&unit, answer_of(A)), 0x08u, false);
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, A))), IS_TRACKED);
    check_reply(cycle(&unit, answer_of(A)), 0x02u, false);
}

static void a_read_that_finds_the_table_full_passes_and_its_answer_goes_to_its_sm(void **state)
{
    (void)state;
    struct icc unit = standard();

    for (uint64_t line = 0u; line < 48u; line++) {
        assert_int_equal(fate_of(cycle(&unit, read_of(1u, line))), IS_TRACKED);
    }
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, 1000u))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, 47u))), MERGES);
    check_reply(cycle(&unit, untracked_of(1000u, 2u)), 0x04u, false);
    assert_int_equal(n_used(&unit), 48u);
}

static void requests_of_other_spaces_pass_and_change_nothing(void **state)
{
    (void)state;
    struct icc unit = standard();

    for (int write = 0; write < 2; write++) {
        struct icc_in in = write != 0 ? write_of(2u, A) : read_of(2u, A);
        in.request_alone = true;
        assert_int_equal(fate_of(cycle(&unit, in)), PASSES); /* without an entry, */
        assert_int_equal(n_used(&unit), (uint32_t)write);
        (void)cycle(&unit, read_of(1u, A));
        assert_int_equal(fate_of(cycle(&unit, in)), PASSES); /* and with one */
        assert_int_equal(unit.q.list[0], 0x02u);
        assert_false(bits_any(unit.q.closed));
    }
}

static void the_standard_table_costs_the_276_bytes_of_the_paper(void **state)
{
    (void)state;
    struct unit_rows rows;
    const struct icc_config config = { 48u, 5u, 41u };
    uint32_t bits = 0u;

    rows_of(&rows, &icc_type, &config);
    for (uint32_t i = 0u; i < rows.unit.n_port; i++) {
        if (strcmp(rows.port[i].name, "list") == 0 || strcmp(rows.port[i].name, "line") == 0) {
            bits += unit_port_bits(&rows.port[i]) * rows.port[i].words;
        }
    }
    assert_int_equal(bits, 276u * 8u);
}

static void every_entry_of_every_table_of_the_paper_is_filled_joined_and_answered(void **state)
{
    (void)state;
    static const struct icc_config configs[] = {
        { 40u, 4u, 41u },  { 48u, 5u, 41u },   { 60u, 6u, 41u }, { 96u, 10u, 41u },
        { 160u, 5u, 41u }, { 160u, 16u, 45u }, { 33u, 2u, 7u },  { 64u, 3u, 6u },
        { 1u, 1u, 1u },    { 159u, 1u, 8u },
    };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct icc unit;
        const uint32_t n = configs[i].n_entry, last = configs[i].n_sm - 1u;
        assert_int_equal(icc_init(&unit, &configs[i]), icc_ok);
        for (uint32_t entry = 0u; entry < n; entry++) {
            assert_int_equal(fate_of(cycle(&unit, read_of(0u, entry))), IS_TRACKED);
            assert_int_equal(unit.q.list[entry], 1u);
            assert_int_equal(unit.mem.line[entry], entry);
        }
        for (uint32_t entry = n; entry-- > 0u;) {
            assert_int_equal(fate_of(cycle(&unit, read_of(last, entry))), MERGES);
        }
        (void)cycle(&unit, write_of(0u, n - 1u));
        for (uint32_t entry = n; entry-- > 0u;) {
            check_reply(cycle(&unit, answer_of(entry)), UINT64_C(1) | UINT64_C(1) << last,
                        last > 0u && entry != n - 1u);
        }
        assert_int_equal(n_used(&unit), 0u);
        assert_false(bits_any(unit.q.closed));
    }
}

static void the_free_entry_with_the_lowest_number_is_taken(void **state)
{
    (void)state;
    struct icc unit = standard();

    for (uint64_t line = 0u; line < 40u; line++) {
        (void)cycle(&unit, read_of(0u, line));
    }
    (void)cycle(&unit, answer_of(37u));
    (void)cycle(&unit, answer_of(2u));
    (void)cycle(&unit, answer_of(33u));
    (void)cycle(&unit, read_of(0u, 100u));
    (void)cycle(&unit, read_of(0u, 101u));
    (void)cycle(&unit, read_of(0u, 102u));
    (void)cycle(&unit, read_of(0u, 103u));
    assert_int_equal(unit.mem.line[2], 100u);
    assert_int_equal(unit.mem.line[33], 101u);
    assert_int_equal(unit.mem.line[37], 102u);
    assert_int_equal(unit.mem.line[40], 103u);
}

/* ---- Tracked and untracked answers --------------------------------------------------- */

/* By the paper's text the first answer would go to SM 2 and free its entry, and SM 1 would wait
 * for ever. */
static void untracked_requests_and_later_entries_get_their_own_answers(void **state)
{
    (void)state;
    struct icc unit;

    assert_int_equal(icc_init(&unit, &(struct icc_config){ 1u, 3u, 8u }), icc_ok);
    (void)cycle(&unit, read_of(0u, B));
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, A))), PASSES); /* the table is full */
    check_reply(cycle(&unit, answer_of(B)), 0x1u, false);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, A))), IS_TRACKED);
    check_reply(cycle(&unit, untracked_of(A, 1u)), 0x2u, false);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), MERGES); /* the entry stands */
    check_reply(cycle(&unit, answer_of(A)), 0x5u, true);
}

static void a_tracked_answer_whose_line_has_no_entry_is_as_one_that_is_not_tracked(void **state)
{
    (void)state;
    struct icc unit = standard();
    struct icc_in in = answer_of(A);

    in.reply_sm = 4u;
    check_reply(cycle(&unit, in), 0x10u, false);
    /* Also when the request of its cycle takes an entry for the line: that one stays. */
    in = with_answer(read_of(1u, A), A);
    in.reply_sm = 3u;
    const struct icc_out out = cycle(&unit, in);
    assert_int_equal(fate_of(out), IS_TRACKED);
    check_reply(out, 0x08u, false);
    assert_int_equal(unit.q.list[0], 0x02u);
}

static void without_an_answer_nobody_gets_one(void **state)
{
    (void)state;
    struct icc unit = standard();
    struct icc_in in = { .reply_line = A, .reply_sm = 2u, .reply_tracked = true };

    (void)cycle(&unit, read_of(1u, A));
    check_reply(cycle(&unit, in), 0u, false);
    in.reply_tracked = false;
    check_reply(cycle(&unit, in), 0u, false);
    assert_int_equal(n_used(&unit), 1u);
}

/* ---- Writes -------------------------------------------------------------------------- */

static void a_closed_entry_is_answered_but_neither_joined_nor_kept(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    assert_int_equal(fate_of(cycle(&unit, write_of(2u, A))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, A))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), PASSES); /* also of a waiting SM */
    assert_int_equal(n_used(&unit), 1u); /* a line never has a second entry */
    check_reply(cycle(&unit, answer_of(A)), 0x03u, false);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, A))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(4u, A))), MERGES); /* a new entry is open */
    check_reply(cycle(&unit, answer_of(A)), 0x18u, true);
}

static void a_write_closes_its_own_lines_entry_alone(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(0u, B));
    (void)cycle(&unit, write_of(0u, C));
    (void)cycle(&unit, write_of(1u, B));
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, A))), MERGES);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, B))), PASSES);
    assert_int_equal(n_used(&unit), 2u); /* a write takes no entry */
}

static void a_write_in_the_cycle_of_the_answer_comes_first_so_the_line_is_not_kept(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    check_reply(cycle(&unit, with_answer(write_of(2u, A), A)), 0x03u, false);
    assert_int_equal(n_used(&unit), 0u);
    assert_false(bits_any(unit.q.closed)); /* nothing of it stays */
    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    check_reply(cycle(&unit, with_answer(write_of(2u, B), A)), 0x03u, true);
}

/* ---- Flush and reset ----------------------------------------------------------------- */

static void a_flush_closes_all_entries_and_what_is_waited_for_still_comes(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    (void)cycle(&unit, read_of(2u, B));
    (void)cycle(&unit, flush);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, A))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, B))), PASSES);
    assert_int_equal(fate_of(cycle(&unit, read_of(3u, C))), IS_TRACKED); /* after it: open */
    assert_int_equal(fate_of(cycle(&unit, read_of(4u, C))), MERGES);
    check_reply(cycle(&unit, answer_of(A)), 0x03u, false);
    check_reply(cycle(&unit, answer_of(B)), 0x04u, false);
    check_reply(cycle(&unit, answer_of(C)), 0x18u, true);
}

static void a_flush_comes_after_the_request_and_the_answer_of_its_cycle(void **state)
{
    (void)state;
    struct icc unit = standard();
    struct icc_in in = with_answer(read_of(3u, A), A);

    (void)cycle(&unit, read_of(0u, A));
    in.flush = true;
    const struct icc_out out = cycle(&unit, in); /* it joins, and is shared */
    assert_int_equal(fate_of(out), MERGES);
    check_reply(out, 0x09u, true);
    assert_false(bits_any(unit.q.closed)); /* a free entry is not closed */
    in = read_of(3u, B);
    in.flush = true;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(4u, B))), PASSES); /* its entry is */
}

static void a_reset_frees_all_entries(void **state)
{
    (void)state;
    struct icc unit = standard();

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(0u, B));
    (void)cycle(&unit, write_of(0u, B));
    icc_reset(&unit);
    assert_int_equal(n_used(&unit), 0u);
    assert_false(bits_any(unit.q.closed));
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, B))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, B))), MERGES);
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    struct icc unit;

    assert_int_equal(icc_init(&unit, &(struct icc_config){ 0u, 5u, 41u }), icc_bad_n_entry);
    assert_int_equal(icc_init(&unit, &(struct icc_config){ 161u, 5u, 41u }), icc_bad_n_entry);
    assert_int_equal(icc_init(&unit, &(struct icc_config){ 48u, 17u, 41u }), icc_bad_n_sm);
    assert_int_equal(icc_init(&unit, &(struct icc_config){ 48u, 5u, 46u }), icc_bad_line_w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_one_line_are_sent_once_and_answered_together),
        cmocka_unit_test(an_entry_is_used_again_once_it_has_been_answered),
        cmocka_unit_test(a_read_that_finds_the_table_full_passes_and_its_answer_goes_to_its_sm),
        cmocka_unit_test(requests_of_other_spaces_pass_and_change_nothing),
        cmocka_unit_test(the_standard_table_costs_the_276_bytes_of_the_paper),
        cmocka_unit_test(every_entry_of_every_table_of_the_paper_is_filled_joined_and_answered),
        cmocka_unit_test(the_free_entry_with_the_lowest_number_is_taken),
        cmocka_unit_test(untracked_requests_and_later_entries_get_their_own_answers),
        cmocka_unit_test(
            a_tracked_answer_whose_line_has_no_entry_is_as_one_that_is_not_tracked),
        cmocka_unit_test(without_an_answer_nobody_gets_one),
        cmocka_unit_test(a_closed_entry_is_answered_but_neither_joined_nor_kept),
        cmocka_unit_test(a_write_closes_its_own_lines_entry_alone),
        cmocka_unit_test(
            a_write_in_the_cycle_of_the_answer_comes_first_so_the_line_is_not_kept),
        cmocka_unit_test(a_flush_closes_all_entries_and_what_is_waited_for_still_comes),
        cmocka_unit_test(a_flush_comes_after_the_request_and_the_answer_of_its_cycle),
        cmocka_unit_test(a_reset_frees_all_entries),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("icc", tests, NULL, NULL);
}
