/*
 * Tests of the coalesced cache's golden model by examples: section 6.3 of the paper, and what
 * docs/units/coalesced_cache.md adds where the paper is silent. All reachable states of small
 * caches are in coalesced_cache_states_test.c, traffic at every size in
 * coalesced_cache_random_test.c.
 */

#include "coalesced_cache_oracle.h"

enum { A = 0x5A, B = 0x33, C = 0x0F, D = 0x71, E = 0x2B };

static struct coalesced_cache of(uint32_t n_line)
{
    struct coalesced_cache unit;

    assert_int_equal(
        coalesced_cache_init(&unit, &(struct coalesced_cache_config){ n_line, 41u }),
        coalesced_cache_ok);
    return unit;
}

/* One whole cycle. Returns the outputs. */
static struct coalesced_cache_out cycle(struct coalesced_cache *unit,
                                        struct coalesced_cache_in in)
{
    struct coalesced_cache_out out;
    struct coalesced_cache_next next;

    coalesced_cache_eval(unit, &in, &out, &next);
    coalesced_cache_tick(unit, &next);
    return out;
}

static struct coalesced_cache_in read_of(uint64_t line)
{
    return (struct coalesced_cache_in){ .lookup_valid = true, .lookup_line = line };
}

static struct coalesced_cache_in write_of(uint64_t line)
{
    struct coalesced_cache_in in = read_of(line);

    in.lookup_write = true;
    return in;
}

/* The lookup of in, and an insert. */
static struct coalesced_cache_in with_insert(struct coalesced_cache_in in, uint64_t line)
{
    in.insert_valid = true;
    in.insert_line = line;
    return in;
}

static uint32_t insert(struct coalesced_cache *unit, uint64_t line)
{
    return cycle(unit, with_insert((struct coalesced_cache_in){ .fifo = false }, line))
        .insert_way;
}

/* With FIFO, so that to look leaves the order alone. */
static bool has(struct coalesced_cache *unit, uint64_t line)
{
    struct coalesced_cache_in in = read_of(line);

    in.fifo = true;
    const struct coalesced_cache_out out = cycle(unit, in);
    assert_true(out.lookup_hit || out.lookup_way == 0u);
    return out.lookup_hit;
}

/* Three ways: A in way 2, B in way 1, C in way 0, which is in front. */
static struct coalesced_cache with_abc(void)
{
    struct coalesced_cache unit = of(3u);

    assert_int_equal(insert(&unit, A), 2u);
    assert_int_equal(insert(&unit, B), 1u);
    assert_int_equal(insert(&unit, C), 0u);
    return unit;
}

/* ---- Section 6.3: found, or not ------------------------------------------------------ */

static void a_line_is_found_in_the_way_where_it_was_put_and_no_other_line_is(void **state)
{
    (void)state;
    struct coalesced_cache unit = of(24u);

    assert_false(cycle(&unit, read_of(A)).lookup_hit);
    const uint32_t way = insert(&unit, A);
    const struct coalesced_cache_out out = cycle(&unit, read_of(A));
    assert_true(out.lookup_hit);
    assert_int_equal(out.lookup_way, way);
    for (uint32_t bit = 0u; bit < 41u; bit++) {
        assert_false(cycle(&unit, read_of(A ^ UINT64_C(1) << bit)).lookup_hit);
    }
    assert_false(cycle(&unit, (struct coalesced_cache_in){ .lookup_line = A }).lookup_hit);
}

static void the_standard_cache_costs_the_3195_bytes_of_the_paper(void **state)
{
    (void)state;
    struct unit_rows rows;
    const struct coalesced_cache_config config = { 24u, 41u };
    uint32_t bits = 24u * 128u * 8u; /* the data array, which is outside */

    rows_of(&rows, &coalesced_cache_type, &config);
    for (uint32_t i = 0u; i < rows.unit.n_port; i++) {
        if (strcmp(rows.port[i].name, "tag") == 0) {
            bits += unit_port_bits(&rows.port[i]) * rows.port[i].words;
        }
    }
    assert_int_equal(bits, 3195u * 8u);
}

static void every_way_of_every_size_is_filled_found_and_replaced(void **state)
{
    (void)state;
    static const uint32_t sizes[] = { 1u, 2u, 3u, 8u, 9u, 24u, 33u, 48u, 63u, 64u };

    for (size_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct coalesced_cache unit = of(sizes[i]);
        const uint32_t n = sizes[i];
        for (uint32_t k = 0u; k < n; k++) {
            assert_int_equal(insert(&unit, 100u + k), n - 1u - k);
        }
        for (uint32_t k = n;
             k-- > 0u;) { /* from the latest to the first, which is then in front */
            const struct coalesced_cache_out out = cycle(&unit, read_of(100u + k));
            assert_true(out.lookup_hit);
            assert_int_equal(out.lookup_way, n - 1u - k);
        }
        for (uint32_t k = 0u; k < n; k++) { /* so the latest goes first */
            assert_int_equal(insert(&unit, 200u + k), k);
            assert_false(has(&unit, 100u + n - 1u - k));
            assert_true(has(&unit, 200u));
        }
    }
}

/* ---- Replacement --------------------------------------------------------------------- */

static void with_lru_the_line_that_was_not_used_for_longest_goes(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();

    (void)cycle(&unit, read_of(A));
    assert_int_equal(insert(&unit, D), 1u); /* B's: A was read since */
    assert_true(has(&unit, A) && !has(&unit, B) && has(&unit, C) && has(&unit, D));
    assert_int_equal(insert(&unit, E), 0u); /* then C's */
    assert_int_equal(insert(&unit, B), 2u); /* then A's */
}

static void with_fifo_the_line_that_came_first_goes_whatever_was_read(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();
    struct coalesced_cache_in in = read_of(A);

    in.fifo = true;
    assert_true(cycle(&unit, in).lookup_hit);
    assert_int_equal(cycle(&unit, with_insert(in, D)).insert_way, 2u); /* also in its cycle */
    assert_true(!has(&unit, A) && has(&unit, B) && has(&unit, C) && has(&unit, D));
}

static void a_read_that_misses_changes_nothing(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();
    const struct coalesced_cache before = unit;

    (void)cycle(&unit, read_of(D));
    (void)cycle(&unit, write_of(D));
    assert_memory_equal(&unit, &before, sizeof unit);
}

static void a_line_that_is_here_already_is_put_into_its_own_way(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();

    assert_int_equal(insert(&unit, B), 1u);
    assert_true(has(&unit, A) && has(&unit, B) && has(&unit, C));
    assert_int_equal(insert(&unit, D), 2u); /* B is in front now */
    assert_int_equal(insert(&unit, E), 0u);
    assert_true(has(&unit, B));
}

/* ---- Lookup and insert in one cycle -------------------------------------------------- */

static void the_lookup_comes_before_the_insert_of_its_cycle(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();

    assert_false(cycle(&unit, with_insert(read_of(D), D)).lookup_hit);
    assert_true(has(&unit, D) && !has(&unit, A));
    /* The last one is read just when it would be replaced, so another goes. */
    unit = with_abc();
    assert_int_equal(cycle(&unit, with_insert(read_of(A), D)).insert_way, 1u);
    assert_true(has(&unit, A) && !has(&unit, B));
    assert_int_equal(unit.q.place[1], 0u); /* what was inserted is before what was read */
    assert_int_equal(unit.q.place[2], 1u);
}

static void with_one_line_it_may_hit_and_be_replaced_in_one_cycle(void **state)
{
    (void)state;
    struct coalesced_cache unit = of(1u);

    (void)insert(&unit, A);
    assert_true(cycle(&unit, with_insert(read_of(A), B)).lookup_hit);
    assert_true(!has(&unit, A) && has(&unit, B));
}

/* ---- Writes, flush and reset --------------------------------------------------------- */

static void a_write_takes_the_line_away_and_its_way_is_the_next_to_be_filled(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();
    const struct coalesced_cache_out out = cycle(&unit, write_of(B));

    assert_false(out.lookup_hit);
    assert_int_equal(out.lookup_way, 0u);
    assert_true(has(&unit, A) && !has(&unit, B) && has(&unit, C));
    assert_int_equal(insert(&unit, D), 1u);
    assert_true(has(&unit, A) && has(&unit, C) && has(&unit, D));
    (void)cycle(&unit, write_of(A)); /* of several, the one that went last is filled first */
    (void)cycle(&unit, write_of(C));
    assert_int_equal(insert(&unit, E), 0u);
    assert_int_equal(insert(&unit, B), 2u);
}

static void a_line_that_goes_and_comes_in_one_cycle_is_here(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();

    assert_int_equal(cycle(&unit, with_insert(write_of(B), B)).insert_way, 1u);
    assert_true(has(&unit, A) && has(&unit, B) && has(&unit, C));
    assert_int_equal(cycle(&unit, with_insert(write_of(C), D)).insert_way, 0u);
    assert_true(has(&unit, A) && has(&unit, B) && !has(&unit, C) && has(&unit, D));
}

static void a_flush_takes_all_lines_away_also_the_one_that_comes_in_its_cycle(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();
    struct coalesced_cache_in in = with_insert(read_of(A), D);

    in.flush = true;
    const struct coalesced_cache_out out = cycle(&unit, in);
    assert_true(out.lookup_hit); /* it shows in the next cycle */
    assert_int_equal(out.insert_way, 1u);
    assert_true(!has(&unit, A) && !has(&unit, B) && !has(&unit, C) && !has(&unit, D));
    assert_int_equal(insert(&unit, E), 0u); /* the order is as without it: D, A, C */
    assert_int_equal(insert(&unit, B), 2u);
    assert_int_equal(insert(&unit, C), 1u);
}

static void a_reset_empties_the_cache_and_the_last_way_is_filled_first(void **state)
{
    (void)state;
    struct coalesced_cache unit = with_abc();

    (void)cycle(&unit, read_of(A));
    coalesced_cache_reset(&unit);
    assert_true(!has(&unit, A) && !has(&unit, B) && !has(&unit, C));
    assert_int_equal(insert(&unit, D), 2u);
    assert_int_equal(insert(&unit, E), 1u);
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    struct coalesced_cache unit;

    assert_int_equal(coalesced_cache_init(&unit, &(struct coalesced_cache_config){ 0u, 41u }),
                     coalesced_cache_bad_n_line);
    assert_int_equal(coalesced_cache_init(&unit, &(struct coalesced_cache_config){ 65u, 41u }),
                     coalesced_cache_bad_n_line);
    assert_int_equal(coalesced_cache_init(&unit, &(struct coalesced_cache_config){ 24u, 46u }),
                     coalesced_cache_bad_line_w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found_in_the_way_where_it_was_put_and_no_other_line_is),
        cmocka_unit_test(the_standard_cache_costs_the_3195_bytes_of_the_paper),
        cmocka_unit_test(every_way_of_every_size_is_filled_found_and_replaced),
        cmocka_unit_test(with_lru_the_line_that_was_not_used_for_longest_goes),
        cmocka_unit_test(with_fifo_the_line_that_came_first_goes_whatever_was_read),
        cmocka_unit_test(a_read_that_misses_changes_nothing),
        cmocka_unit_test(a_line_that_is_here_already_is_put_into_its_own_way),
        cmocka_unit_test(the_lookup_comes_before_the_insert_of_its_cycle),
        cmocka_unit_test(with_one_line_it_may_hit_and_be_replaced_in_one_cycle),
        cmocka_unit_test(a_write_takes_the_line_away_and_its_way_is_the_next_to_be_filled),
        cmocka_unit_test(a_line_that_goes_and_comes_in_one_cycle_is_here),
        cmocka_unit_test(a_flush_takes_all_lines_away_also_the_one_that_comes_in_its_cycle),
        cmocka_unit_test(a_reset_empties_the_cache_and_the_last_way_is_filled_first),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("coalesced_cache", tests, NULL, NULL);
}
