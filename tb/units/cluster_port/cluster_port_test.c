/*
 * Tests of the cluster port's golden model by examples: what its two parts do for each other,
 * and what merge, keep, fifo, flush and alone do to both, as docs/units/cluster_port.md says.
 */

#include "cluster_port_oracle.h"

enum { A = 0x5A, B = 0x33, C = 0x0F };

static struct cluster_port of(uint32_t n_entry, uint32_t n_line)
{
    struct cluster_port unit;
    const struct cluster_port_config config = { n_entry, n_line, 5u, 41u };

    assert_int_equal(cluster_port_init(&unit, &config), cluster_port_ok);
    return unit;
}

/* One whole cycle. Returns the outputs, and checks what always holds of them. */
static struct cluster_port_out cycle(struct cluster_port *unit, struct cluster_port_in in)
{
    struct cluster_port_out out;
    struct cluster_port_next next;

    cluster_port_eval(unit, &in, &out, &next);
    cluster_port_tick(unit, &next);
    assert_int_equal(out.request_hit + out.request_merge + out.request_send, out.request_taken);
    assert_true(out.request_hit || out.request_way == 0u);
    assert_true(out.reply_keep || out.reply_way == 0u);
    return out;
}

/* Nothing asked and nothing answered, with table and cache in use. */
static const struct cluster_port_in idle = { .merge = true, .keep = true };

static struct cluster_port_in read_of(uint32_t sm, uint64_t line)
{
    struct cluster_port_in in = idle;

    in.request_valid = true;
    in.request_line = line;
    in.request_sm = sm;
    in.request_ready = true;
    return in;
}

static struct cluster_port_in write_of(uint32_t sm, uint64_t line)
{
    struct cluster_port_in in = read_of(sm, line);

    in.request_write = true;
    return in;
}

static struct cluster_port_in answer_of(uint64_t line)
{
    struct cluster_port_in in = idle;

    in.reply_valid = true;
    in.reply_line = line;
    in.reply_tracked = true;
    return in;
}

/* What becomes of a request, in a word. */
enum fate { WAITS, HITS, MERGES, IS_SENT, IS_TRACKED };

static enum fate fate_of(struct cluster_port_out out)
{
    return out.request_hit     ? HITS
           : out.request_merge ? MERGES
           : out.request_track ? IS_TRACKED
           : out.request_send  ? IS_SENT
                               : WAITS;
}

/* Two SMs ask for a line and get it, and it is kept. Returns its way. */
static uint32_t share(struct cluster_port *unit, uint64_t line)
{
    assert_int_equal(fate_of(cycle(unit, read_of(0u, line))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(unit, read_of(1u, line))), MERGES);
    const struct cluster_port_out out = cycle(unit, answer_of(line));
    assert_true(out.reply_keep);
    return out.reply_way;
}

/* Looks without a trace: eval, and no clock. */
static bool keeps(const struct cluster_port *unit, uint64_t line)
{
    const struct cluster_port_in in = read_of(0u, line);
    struct cluster_port_out out;
    struct cluster_port_next next;

    cluster_port_eval(unit, &in, &out, &next);
    return out.request_hit;
}

/* ---- Table and cache together: section 6 --------------------------------------------- */

static void a_line_that_two_sms_asked_for_is_kept_and_answers_a_third(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    const uint32_t way = share(&unit, A);
    const struct cluster_port_out out = cycle(&unit, read_of(2u, A));

    assert_int_equal(fate_of(out), HITS);
    assert_int_equal(out.request_way, way);
    assert_int_equal(unit.table.q.list[0], 0u); /* a hit cancels the table's action */
}

static void a_line_that_came_for_one_sm_is_not_kept(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);

    (void)cycle(&unit, read_of(3u, A));
    const struct cluster_port_out out = cycle(&unit, answer_of(A));
    assert_int_equal(out.reply_sms.word[0], 0x08u);
    assert_false(out.reply_keep);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, A))), IS_TRACKED);
}

static void a_hit_does_not_join_the_entry_that_its_line_has_too(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(3u, A);

    (void)share(&unit, A);
    in.keep = false; /* the cache does not see it, so it takes an entry */
    assert_int_equal(fate_of(cycle(&unit, in)), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(4u, A))), HITS);
    assert_int_equal(cycle(&unit, answer_of(A)).reply_sms.word[0], 0x08u);
}

static void a_read_that_joins_in_the_cycle_of_the_answer_makes_it_kept(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = answer_of(A);

    (void)cycle(&unit, read_of(0u, A));
    in.request_valid = true;
    in.request_line = A;
    in.request_sm = 4u;
    const struct cluster_port_out out = cycle(&unit, in);
    assert_int_equal(fate_of(out), MERGES);
    assert_int_equal(out.reply_sms.word[0], 0x11u);
    assert_true(out.reply_keep && keeps(&unit, A));
}

/* ---- The network --------------------------------------------------------------------- */

static void a_request_that_must_be_sent_waits_for_the_network_and_others_do_not(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(2u, B);

    (void)share(&unit, A);
    (void)cycle(&unit, read_of(0u, C));
    in.request_ready = false;
    assert_int_equal(fate_of(cycle(&unit, in)), WAITS);
    assert_int_equal(unit.table.q.list[1], 0u); /* and has no entry */
    in.request_line = A;
    assert_int_equal(fate_of(cycle(&unit, in)), HITS);
    in.request_line = C;
    assert_int_equal(fate_of(cycle(&unit, in)), MERGES);
    in.request_write = true;
    assert_int_equal(fate_of(cycle(&unit, in)), WAITS);
}

static void a_write_acts_on_table_and_cache_as_soon_as_it_is_offered(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = write_of(2u, A);

    (void)share(&unit, A);
    in.request_ready = false;
    assert_int_equal(fate_of(cycle(&unit, in)), WAITS);
    assert_false(keeps(&unit, A));
    (void)cycle(&unit, read_of(0u, B));
    in.request_line = B;
    (void)cycle(&unit, in);
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, B))), IS_SENT); /* closed */
}

/* ---- Writes -------------------------------------------------------------------------- */

static void after_a_write_no_read_gets_what_was_read_before(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);

    (void)share(&unit, A);
    assert_int_equal(fate_of(cycle(&unit, write_of(0u, A))), IS_SENT);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, write_of(1u, A))), IS_SENT);
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, A))), IS_SENT);
    assert_false(cycle(&unit, answer_of(A)).reply_keep);
}

static void a_write_in_the_cycle_of_its_lines_answer_keeps_it_out_of_the_cache(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = answer_of(A);

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    in.request_valid = in.request_write = in.request_ready = true;
    in.request_line = A;
    const struct cluster_port_out out = cycle(&unit, in);
    assert_int_equal(out.reply_sms.word[0], 0x03u);
    assert_false(out.reply_keep || keeps(&unit, A));
}

/* ---- merge, keep, fifo, flush, alone ------------------------------------------------- */

static void without_merge_no_request_reaches_the_table_but_answers_do(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(2u, A);

    (void)cycle(&unit, read_of(0u, A));
    (void)cycle(&unit, read_of(1u, A));
    in.merge = false;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* it does not join, */
    in.request_line = B;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* it takes no entry, */
    in = write_of(2u, A);
    in.merge = false;
    (void)cycle(&unit, in); /* and a write closes none */
    in = answer_of(A);
    in.merge = false;
    const struct cluster_port_out out = cycle(&unit, in);
    assert_int_equal(out.reply_sms.word[0], 0x03u);
    assert_true(out.reply_keep); /* which is why merge changes only after a flush */
    assert_int_equal(unit.table.q.list[0], 0u);
}

static void without_merge_the_cache_is_looked_up_and_written_all_the_same(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(2u, A);

    (void)share(&unit, A);
    in.merge = false;
    assert_int_equal(fate_of(cycle(&unit, in)), HITS);
    in = write_of(2u, A);
    in.merge = false;
    (void)cycle(&unit, in);
    assert_false(keeps(&unit, A));
}

static void without_keep_the_cache_sees_no_request_and_no_answer(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(2u, A);

    (void)share(&unit, A);
    in.keep = false;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_TRACKED); /* the read does not hit, */
    in.request_sm = 3u;
    assert_int_equal(fate_of(cycle(&unit, in)), MERGES);
    in = answer_of(A);
    in.keep = false;
    assert_false(cycle(&unit, in).reply_keep); /* the answer is not inserted, */
    in = write_of(2u, A);
    in.keep = false;
    (void)cycle(&unit, in);
    assert_true(keeps(&unit, A)); /* and a write takes nothing away */
}

static void without_keep_the_table_works_all_the_same(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(0u, A);

    in.keep = false;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_TRACKED);
    in.request_sm = 1u;
    assert_int_equal(fate_of(cycle(&unit, in)), MERGES);
    in.request_write = true;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT);
    in.request_write = false;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* closed */
    in = answer_of(A);
    in.keep = false;
    assert_int_equal(cycle(&unit, in).reply_sms.word[0], 0x03u);
}

/* Which of two lines goes, after the older one was read with fifo or without. */
static bool the_older_goes(bool fifo)
{
    struct cluster_port unit = of(48u, 2u);
    struct cluster_port_in in = read_of(0u, A);

    (void)share(&unit, A);
    (void)share(&unit, B);
    in.fifo = fifo;
    assert_int_equal(fate_of(cycle(&unit, in)), HITS);
    (void)share(&unit, C);
    assert_true(keeps(&unit, A) != keeps(&unit, B));
    return keeps(&unit, B);
}

static void fifo_is_for_the_cache_whose_order_reads_then_leave_alone(void **state)
{
    (void)state;
    assert_true(the_older_goes(true));
    assert_false(the_older_goes(false));
}

/* fifo, of the cycle in which a line comes and the one that would go for it is read. */
static void fifo_counts_in_the_cycle_of_an_answer_too(void **state)
{
    (void)state;
    for (int fifo = 0; fifo < 2; fifo++) {
        struct cluster_port unit = of(48u, 2u);
        const uint32_t way_a = share(&unit, A), way_b = share(&unit, B);
        (void)cycle(&unit, read_of(0u, C));
        (void)cycle(&unit, read_of(1u, C));
        struct cluster_port_in in = read_of(2u, A);
        in.reply_valid = in.reply_tracked = true;
        in.reply_line = C;
        in.fifo = fifo != 0;
        const struct cluster_port_out out = cycle(&unit, in);
        assert_int_equal(fate_of(out), HITS);
        assert_int_equal(out.reply_way, fifo != 0 ? way_a : way_b);
    }
}

static void a_flush_empties_the_cache_and_closes_the_entries(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = idle;

    (void)share(&unit, A);
    (void)cycle(&unit, read_of(0u, B));
    (void)cycle(&unit, read_of(1u, B));
    in.flush = true;
    (void)cycle(&unit, in);
    assert_false(keeps(&unit, A));
    assert_int_equal(fate_of(cycle(&unit, read_of(2u, B))), IS_SENT);
    const struct cluster_port_out out = cycle(&unit, answer_of(B));
    assert_int_equal(out.reply_sms.word[0], 0x03u); /* what is waited for still comes */
    assert_false(out.reply_keep);
}

static void a_flush_reaches_both_whatever_is_in_use(void **state)
{
    (void)state;
    for (int use = 0; use < 4; use++) {
        struct cluster_port unit = of(48u, 24u);
        const struct cluster_port_in in = { .flush = true,
                                            .merge = (use & 1) != 0,
                                            .keep = (use & 2) != 0 };
        (void)share(&unit, A);
        (void)cycle(&unit, read_of(0u, B));
        (void)cycle(&unit, in);
        assert_false(keeps(&unit, A));
        assert_int_equal(fate_of(cycle(&unit, read_of(2u, B))), IS_SENT);
    }
}

static void a_flush_shows_in_the_next_cycle(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = answer_of(B);

    (void)share(&unit, A);
    (void)cycle(&unit, read_of(0u, B));
    (void)cycle(&unit, read_of(1u, B));
    in.request_valid = true;
    in.request_line = A;
    in.flush = true;
    const struct cluster_port_out out = cycle(&unit, in);
    assert_true(out.request_hit && out.reply_keep);
    assert_false(keeps(&unit, A) || keeps(&unit, B));
}

static void a_request_of_another_space_meets_neither_table_nor_cache(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);
    struct cluster_port_in in = read_of(2u, A);

    (void)share(&unit, A);
    (void)cycle(&unit, read_of(0u, B));
    in.request_alone = true;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* the read does not hit, */
    in.request_line = B;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* nor join, */
    in.request_line = C;
    assert_int_equal(fate_of(cycle(&unit, in)), IS_SENT); /* nor take an entry; */
    in.request_write = true;
    in.request_line = A;
    (void)cycle(&unit, in);
    assert_true(keeps(&unit, A)); /* a write takes nothing away, */
    in.request_line = B;
    (void)cycle(&unit, in);
    assert_int_equal(fate_of(cycle(&unit, read_of(1u, B))), MERGES); /* and closes nothing */
    in.request_ready = false;
    assert_int_equal(fate_of(cycle(&unit, in)), WAITS);
}

static void a_read_of_an_sm_that_there_is_not_may_hit_but_takes_no_entry(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);

    assert_int_equal(fate_of(cycle(&unit, read_of(5u, A))), IS_SENT);
    (void)share(&unit, A);
    assert_int_equal(fate_of(cycle(&unit, read_of(7u, A))), HITS);
    (void)cycle(&unit, read_of(0u, B));
    assert_int_equal(fate_of(cycle(&unit, read_of(6u, B))), IS_SENT);
}

static void a_reset_empties_both(void **state)
{
    (void)state;
    struct cluster_port unit = of(48u, 24u);

    (void)share(&unit, A);
    (void)cycle(&unit, read_of(0u, B));
    cluster_port_reset(&unit);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, A))), IS_TRACKED);
    assert_int_equal(fate_of(cycle(&unit, read_of(0u, B))), IS_TRACKED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_two_sms_asked_for_is_kept_and_answers_a_third),
        cmocka_unit_test(a_line_that_came_for_one_sm_is_not_kept),
        cmocka_unit_test(a_hit_does_not_join_the_entry_that_its_line_has_too),
        cmocka_unit_test(a_read_that_joins_in_the_cycle_of_the_answer_makes_it_kept),
        cmocka_unit_test(a_request_that_must_be_sent_waits_for_the_network_and_others_do_not),
        cmocka_unit_test(a_write_acts_on_table_and_cache_as_soon_as_it_is_offered),
        cmocka_unit_test(after_a_write_no_read_gets_what_was_read_before),
        cmocka_unit_test(a_write_in_the_cycle_of_its_lines_answer_keeps_it_out_of_the_cache),
        cmocka_unit_test(without_merge_no_request_reaches_the_table_but_answers_do),
        cmocka_unit_test(without_merge_the_cache_is_looked_up_and_written_all_the_same),
        cmocka_unit_test(without_keep_the_cache_sees_no_request_and_no_answer),
        cmocka_unit_test(without_keep_the_table_works_all_the_same),
        cmocka_unit_test(fifo_is_for_the_cache_whose_order_reads_then_leave_alone),
        cmocka_unit_test(fifo_counts_in_the_cycle_of_an_answer_too),
        cmocka_unit_test(a_flush_empties_the_cache_and_closes_the_entries),
        cmocka_unit_test(a_flush_reaches_both_whatever_is_in_use),
        cmocka_unit_test(a_flush_shows_in_the_next_cycle),
        cmocka_unit_test(a_request_of_another_space_meets_neither_table_nor_cache),
        cmocka_unit_test(a_read_of_an_sm_that_there_is_not_may_hit_but_takes_no_entry),
        cmocka_unit_test(a_reset_empties_both),
    };
    return cmocka_run_group_tests_name("cluster_port", tests, NULL, NULL);
}
