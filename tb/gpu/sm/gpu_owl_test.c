/*
 * Tests of the warp policy owl: which groups of CTAs there are, when a group has its turn, and
 * in what the order differs from that of two levels and of GTO.
 */

#include "gpu_marks.h"

static struct program a, b, d;

static struct gpu_config owl_config(uint32_t group_ctas)
{
    struct gpu_config c = marked_config(WARP_OWL);
    c.warp.group_ctas = group_ctas;
    return c;
}

/* ---- Groups -------------------------------------------------------------------------- */

/* Four CTAs of two warps make marks, long enough for all of them to come. Those of a group mix
 * with each other, and with no others. */
static void check_groups(const char *expected)
{
    char got[] = "0000";
    uint32_t first[4], last[4];
    for (uint32_t n = n_marks; n-- > 0u;) {
        first[marks[n].cta] = n;
        last[marks[n_marks - 1u - n].cta] = n_marks - 1u - n;
    }
    for (uint32_t k = 1u; k < 4u; k++) {
        got[k] = (char)(got[k - 1u] + (first[k] > last[k - 1u] ? 1 : 0));
        assert_true(first[k] > first[k - 1u]);
    }
    assert_string_equal(got, expected);
}

static void a_group_is_closed_by_its_ctas_or_by_its_warps(void **state)
{
    static const struct {
        uint32_t group_ctas, ready_queue;
        const char *groups;
    } row[] = {
        { 1u, 48u, "0123" }, { 2u, 1u, "0011" }, { 3u, 1u, "0001" }, { 4u, 1u, "0000" },
        { 32u, 1u, "0000" }, { 0u, 1u, "0123" }, { 0u, 2u, "0123" }, { 0u, 3u, "0011" },
        { 0u, 4u, "0011" },  { 0u, 5u, "0001" }, { 0u, 7u, "0000" }, { 0u, 48u, "0000" },
    };
    (void)state;
    make_marks(&a, 50u, false, 0u);
    for (size_t i = 0u; i < sizeof row / sizeof row[0]; i++) {
        struct gpu_config c = owl_config(row[i].group_ctas);
        struct hand_kernel k = kernel_of(&a, 4u, 2u);
        c.warp.ready_queue = row[i].ready_queue;
        run_marked(&c, &k);
        check_groups(row[i].groups);
    }
}

/* The fourth CTA gets the slots of the first one, and is the last all the same. */
static void groups_are_in_the_order_in_which_ctas_came(void **state)
{
    (void)state;
    struct gpu_config c = owl_config(1u);
    c.sm.cta_slots = 3u;
    make_marks(&a, 1u, false, 0u);
    make_marks(&b, 200u, false, 0u);
    struct hand_kernel k = kernel_of(&b, 4u, 1u);
    k.special = &a;
    k.special_cta = 0u;
    run_marked(&c, &k);
    assert_int_equal(n_marks, 601u);
    for (uint32_t n = 0u; n < n_marks; n++) {
        assert_int_equal(marks[n].cta, (n + 199u) / 200u);
    }
}

/* 50 marks, with chains of additions between them: slow enough for all CTAs to come. */
static void make_slow_marks(struct program *p)
{
    *p = (struct program){ .length = 0u };
    for (uint32_t n = 0u; n < 50u; n++) {
        emit_chain(p, OP_INTEGER, 5u, 0u);
        emit_marks(p, 1u);
    }
    emit_exit(p);
}

/* Two CTAs a group, and the first one ends early: the third moves up to the second. */
static void when_a_cta_ends_later_ones_move_up(void **state)
{
    (void)state;
    const struct gpu_config c = owl_config(2u);
    make_slow_marks(&b);
    struct hand_kernel k = kernel_of(&b, 4u, 1u);
    k.special = &a;
    k.special_cta = 0u;
    a = (struct program){ .length = 0u };
    emit_chain(&a, OP_INTEGER, 50u, 0u);
    emit_exit(&a);
    run_marked(&c, &k);
    assert_int_equal(n_marks, 150u);
    uint32_t third = 0u;
    while (marks[third].cta != 2u) {
        third++;
    }
    assert_in_range(third, 5u, 45u); /* not the second one's end, after 50 marks */
    assert_true(marks[third].issued > 50u * c.integer.latency);
    assert_int_equal(marks[third + 1u].cta, 1u);
    uint32_t fourth = n_marks;
    while (marks[fourth - 1u].cta != 1u) {
        fourth--;
        assert_in_range(marks[fourth].cta, 2u, 3u);
    }
    for (uint32_t n = 0u; n < fourth; n++) {
        assert_int_not_equal(marks[n].cta, 3u); /* it moves up when the second one ends */
    }
}

/* ---- Turns --------------------------------------------------------------------------- */

/* CTA 0: a warp waits for shared memory, and makes a mark. The others run b. */
static void wait_and_mark(struct hand_kernel *k, enum warp_policy policy)
{
    struct gpu_config c = owl_config(1u);
    c.warp.policy = policy;
    c.warp.ready_queue = 2u;
    c.ldst.shared_latency = 100u;
    a = (struct program){ .length = 0u };
    (void)emit(&a, OP_SHARED, R, REGISTER_NONE, 1u);
    emit_marks(&a, 1u);
    emit_exit(&a);
    k->special = &a;
    k->special_cta = 0u;
    run_marked(&c, k);
}

static uint64_t last_of_the_first_cta(uint32_t *place)
{
    *place = n_marks;
    while (marks[--*place].cta != 0u) {
    }
    return marks[*place].issued;
}

/* The first CTA issues as if it were alone. The others wait for arithmetic now and then, so
 * that no mark is held on its way. */
static void the_first_group_takes_its_turn_back_when_it_is_ready(void **state)
{
    (void)state;
    struct hand_kernel alone = kernel_of(&a, 1u, 2u), all = kernel_of(&b, 3u, 2u);
    uint32_t place;
    make_slow_marks(&b);
    wait_and_mark(&alone, WARP_OWL);
    const uint64_t issued = last_of_the_first_cta(&place);
    wait_and_mark(&all, WARP_OWL);
    assert_int_equal(last_of_the_first_cta(&place), issued);
    assert_in_range(place, 5u, 90u); /* the second one has begun, and not ended */
    assert_int_equal(marks[place + 1u].cta, 1u);
    assert_int_equal(marks[n_marks - 1u].cta, 2u);
}

/* With two levels it waits for all that are in the ready queue or before it in the active one,
 * and with GTO for the warp that has begun. */
static void two_levels_and_gto_return_later(void **state)
{
    (void)state;
    static const struct {
        enum warp_policy policy;
        uint32_t least, most;
    } row[] = { { WARP_OWL, 40u, 190u },
                { WARP_GTO, 201u, 201u },
                { WARP_TWO_LEVEL_RR, 801u, 801u } };
    make_marks(&b, 200u, false, 0u);
    for (size_t i = 0u; i < sizeof row / sizeof row[0]; i++) {
        struct hand_kernel k = kernel_of(&b, 3u, 2u);
        uint32_t place;
        wait_and_mark(&k, row[i].policy);
        (void)last_of_the_first_cta(&place);
        assert_int_equal(n_marks, 802u);
        assert_in_range(place, row[i].least, row[i].most);
    }
}

/* A warp that waits for an addition keeps the turn for its group; one at a barrier does not. */
static void a_group_keeps_its_turn_until_all_its_warps_are_pending(void **state)
{
    (void)state;
    const struct gpu_config c = owl_config(1u);
    make_marks(&b, 4u, false, 0u);
    a = (struct program){ .length = 0u };
    emit_chain(&a, OP_INTEGER, 50u, 0u);
    emit_marks(&a, 1u);
    emit_exit(&a);
    struct hand_kernel k = kernel_of(&b, 2u, 1u);
    k.special = &a;
    k.special_cta = 0u;
    run_marked(&c, &k);
    check_ctas("01111");
    /* Its other warp is at the barrier all along, and the chain keeps the turn; then both wait,
     * for a load. */
    struct program chain = a;
    a = (struct program){ .length = 0u };
    (void)emit(&a, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_marks(&a, 1u);
    emit_exit(&a);
    chain.length -= 2u;
    chain.accesses = 0u;
    (void)emit(&chain, OP_LOAD, R, REGISTER_NONE, 1u);
    (void)emit(&chain, OP_INTEGER, R, R, 0u);
    (void)emit(&chain, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_exit(&chain);
    struct hand_kernel two = kernel_of(&a, 2u, 2u);
    two.program[1] = &chain;
    two.special = &b;
    two.special_cta = 1u;
    run_marked(&c, &two);
    check_ctas("111111110");
    assert_true(marks[0].issued > 50u * c.integer.latency);
}

static const struct program *program_of_three(uint32_t cta)
{
    return cta == 0u ? &a : cta == 1u ? &b : &d;
}

/* CTA 1 loads and branches, and while its next instruction comes, CTA 0 takes its turn back.
 * The instruction needs the load: so when CTA 0 waits again, CTA 2 has the turn. */
static void a_warp_that_begins_to_wait_without_the_turn_is_pending_too(void **state)
{
    (void)state;
    struct gpu_config c = owl_config(1u);
    c.ldst.shared_latency = 100u;
    c.fetch.branch_latency = 30u;
    a = (struct program){ .length = 0u };
    for (uint32_t n = 0u; n < 2u; n++) {
        (void)emit(&a, OP_SHARED, R, REGISTER_NONE, 1u);
        emit_chain(&a, OP_INTEGER, 10u, 0u);
    }
    emit_marks(&a, 1u);
    emit_exit(&a);
    b = (struct program){ .length = 0u };
    emit_chain(&b, OP_INTEGER, 20u, 0u);
    (void)emit(&b, OP_SHARED, R, REGISTER_NONE, 1u);
    emit_branches(&b, 1u, true);
    emit_marks(&b, 5u);
    emit_exit(&b);
    make_marks(&d, 5u, false, 0u);
    struct hand_kernel k = kernel_of(&a, 3u, 1u);
    k.of_cta = program_of_three;
    run_marked(&c, &k);
    check_ctas("22222111110");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_is_closed_by_its_ctas_or_by_its_warps),
        cmocka_unit_test(groups_are_in_the_order_in_which_ctas_came),
        cmocka_unit_test(when_a_cta_ends_later_ones_move_up),
        cmocka_unit_test(the_first_group_takes_its_turn_back_when_it_is_ready),
        cmocka_unit_test(two_levels_and_gto_return_later),
        cmocka_unit_test(a_group_keeps_its_turn_until_all_its_warps_are_pending),
        cmocka_unit_test(a_warp_that_begins_to_wait_without_the_turn_is_pending_too),
    };
    return cmocka_run_group_tests_name("gpu_owl", tests, NULL, NULL);
}
