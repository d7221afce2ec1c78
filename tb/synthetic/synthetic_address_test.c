/* synthetic_address_test - which lines described kernels access. */

#include "synthetic_open.h"

/* ---- Addresses ----------------------------------------------------------------------- */

/* Coalesces `lanes` accesses that are `stride` bytes apart. */
static uint32_t coalesce_stride(uint64_t base, uint32_t lanes, uint32_t element,
                                uint32_t stride, uint32_t *word)
{
    uint64_t address[WARP_SIZE];

    for (uint32_t i = 0u; i < lanes; i++) {
        address[i] = base + i * stride;
    }
    return coalesce(address, lanes, element, 128u, word);
}

static void accesses_of_a_warp_are_coalesced_as_by_hand(void **state)
{
    uint32_t word[2 * WARP_SIZE];

    (void)state;
    assert_int_equal(coalesce_stride(1280u, 32u, 4u, 4u, word), 1u);
    assert_int_equal(word[0], ACCESS(10u, 15u));
    assert_int_equal(coalesce_stride(0u, 32u, 4u, 8u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 15u));
    assert_int_equal(word[1], ACCESS(1u, 15u));
    assert_int_equal(coalesce_stride(96u, 32u, 4u, 128u, word), 32u);
    for (uint32_t i = 0u; i < 32u; i++) {
        assert_int_equal(word[i], ACCESS(i, 8u));
    }
    assert_int_equal(coalesce_stride(0u, 32u, 8u, 8u, word), 2u);
    assert_int_equal(coalesce_stride(0u, 32u, 16u, 16u, word), 4u);
    assert_int_equal(word[3], ACCESS(3u, 15u));
    /* From byte 64: half a line, and half of the next. */
    assert_int_equal(coalesce_stride(64u, 32u, 4u, 4u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 12u));
    assert_int_equal(word[1], ACCESS(1u, 3u));
    assert_int_equal(coalesce_stride(4u, 8u, 4u, 4u, word), 1u);
    assert_int_equal(word[0], ACCESS(0u, 3u));
    /* An element across two lines touches both. */
    assert_int_equal(coalesce_stride(120u, 1u, 16u, 0u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 8u));
    assert_int_equal(word[1], ACCESS(1u, 1u));
    assert_int_equal(coalesce_stride(40u, 32u, 4u, 0u, word), 1u);
    assert_int_equal(word[0], ACCESS(0u, 2u));
}

static void bank_conflicts_take_as_many_passes_as_by_hand(void **state)
{
    static const uint32_t cases[][5] = {
        /* lanes, element, stride, banks, passes */
        { 32, 4, 4, 32, 1 },   { 32, 4, 8, 32, 2 },   { 32, 4, 12, 32, 1 },
        { 32, 4, 16, 32, 4 },  { 32, 4, 64, 32, 16 }, { 32, 4, 128, 32, 32 },
        { 32, 4, 132, 32, 1 }, { 32, 4, 0, 32, 1 },   { 32, 8, 8, 32, 2 },
        { 32, 16, 16, 32, 4 }, { 32, 1, 1, 32, 1 },   { 8, 4, 128, 32, 8 },
        { 32, 4, 4, 16, 2 },   { 16, 4, 8, 32, 1 },   { 0, 4, 4, 32, 1 },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t *const c = cases[i];
        assert_int_equal(bank_passes(c[0], c[1], c[2], c[3]), c[4]);
    }
}

/* The words of a regular pattern's templates are those of its addresses, at any line size,
 * stride and offset: one by one against the coalescer. */
static void check_regular(uint32_t line, uint32_t element, uint32_t stride, uint32_t offset)
{
    const struct pattern_shape shape = {
        .kind = PATTERN_STRIDE,
        .line = line,
        .region = 3u,
        .element = element,
        .stride = stride,
        .offset = offset,
        .lanes = 32u,
    };
    const uint32_t span = stride * WARP_SIZE;
    const bool parts = line % span == 0u && offset + 31u * stride + element <= span;
    const uint32_t block = parts ? span : (span + line - 1u) / line * line;
    struct pattern pattern;

    assert_true(pattern_init(&pattern, &shape));
    for (uint32_t number = 0u; number < 9u; number++) {
        const struct place place = { .warps = 9u, .all = 9u, .global = number };
        uint64_t address[WARP_SIZE];
        uint32_t expected[MAX_ACCESSES];
        uint32_t word[MAX_ACCESSES];
        for (uint32_t i = 0u; i < WARP_SIZE; i++) {
            address[i] =
                3u * (uint64_t)REGION_BYTES + (2u * 9u + number) * block + offset + i * stride;
        }
        const uint32_t n = coalesce(address, WARP_SIZE, element, line, expected);
        assert_int_equal(pattern_words(&pattern, &place, 2u, 4u, word), n);
        assert_memory_equal(word, expected, n * sizeof word[0]);
    }
    pattern_free(&pattern);
}

static void warps_access_consecutive_blocks_of_their_region(void **state)
{
    (void)state;
    for (uint32_t line = 32u; line <= 256u; line *= 2u) {
        for (uint32_t element = 1u; element <= 16u; element *= 2u) {
            for (uint32_t times = 1u; times <= 9u; times += 2u) {
                check_regular(line, element, element * times, 0u);
                check_regular(line, element, element * times, 16u);
                check_regular(line, element, element * times, 64u);
            }
        }
    }
}

/* The words of the first access of warp w, of a CTA of the body's only kernel. */
static void first_access(struct synthetic *synthetic, uint32_t cta, uint32_t w, uint32_t n,
                         uint32_t *word)
{
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), cta);

    assert_int_equal(opened.warp[w].instruction[0].accesses, n);
    memcpy(word, opened.warp[w].access, n * sizeof *word);
    free_cta(&opened);
}

static void a_tile_is_shared_by_the_ctas_of_its_group_and_no_others(void **state)
{
    struct synthetic *const synthetic =
        load_body("[12, 1, 1]", "[64, 1, 1]", "      - {op: load, pattern: tile, group: 4}\n");
    uint32_t line[12][2];

    (void)state;
    for (uint32_t cta = 0u; cta < 12u; cta++) {
        first_access(synthetic, cta, 0u, 1u, &line[cta][0]);
        first_access(synthetic, cta, 1u, 1u, &line[cta][1]);
        assert_int_not_equal(line[cta][0], line[cta][1]);
        for (uint32_t other = 0u; other < cta; other++) {
            assert_int_equal(line[cta][0] == line[other][0], cta / 4u == other / 4u);
        }
    }
    synthetic_free(synthetic);
}

static void regions_overlap_only_when_they_are_the_same(void **state)
{
    struct synthetic *const synthetic = load_body(
        "[2, 1, 1]", "[32, 1, 1]",
        "      - {op: load, pattern: stream, region: 3}\n"
        "      - {op: store, pattern: stream, region: 3}\n"
        "      - {op: store, pattern: stream, region: 4}\n"
        "      - {op: store, pattern: random, footprint: 4096, per: warp, seed: 5}\n"
        "      - {op: load, pattern: random, footprint: 4096, per: warp, seed: 5}\n"
        "      - {op: load, pattern: random, footprint: 1048576, per: warp, count: 2}\n"
        "      - {op: load, pattern: random, footprint: 1048576, per: warp}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 1u);
    const uint32_t *const word = opened.warp[0].access;

    (void)state;
    assert_int_equal(word[0], ACCESS(3u * (REGION_BYTES / 128u) + 1u, 15u));
    assert_int_equal(word[1], word[0]);
    assert_int_equal(word[2], ACCESS(4u * (REGION_BYTES / 128u) + 1u, 15u));
    assert_true(access_line(word[3]) < 4096u / 128u);
    assert_int_equal(word[3], word[4]);
    /* Without a seed, neither steps nor executions draw the same. */
    assert_int_not_equal(word[5], word[6]);
    assert_int_not_equal(word[5], word[7]);
    free_cta(&opened);
    synthetic_free(synthetic);
}

static void random_lanes_reach_all_of_their_footprint_and_nothing_else(void **state)
{
    enum { LINES = 64 };
    struct synthetic *const synthetic =
        load_body("[200, 1, 1]", "[32, 1, 1]",
                  "      - {op: load, pattern: random, footprint: 8192, region: 1}\n");
    uint32_t seen[LINES] = { 0u };

    (void)state;
    for (uint32_t cta = 0u; cta < 200u; cta++) {
        uint32_t word[WARP_SIZE];
        first_access(synthetic, cta, 0u, WARP_SIZE, word);
        for (uint32_t i = 0u; i < WARP_SIZE; i++) {
            const uint32_t line = access_line(word[i]) - REGION_BYTES / 128u;
            assert_true(line < LINES);
            seen[line]++;
        }
    }
    for (uint32_t line = 0u; line < LINES; line++) { /* 100 each are expected */
        assert_in_range(seen[line], 60u, 140u);
    }
    synthetic_free(synthetic);
}

static void a_chase_comes_to_every_line_of_its_footprint_once(void **state)
{
    enum { LINES = 100 };
    struct synthetic *const synthetic =
        load_body("[1, 1, 1]", "[64, 1, 1]",
                  "      - {op: load, count: 100, pattern: chase, footprint: 12800}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 0u);
    uint32_t next[LINES] = { 0u };
    uint32_t consecutive = 0u;

    (void)state;
    for (uint32_t i = 0u; i < LINES; i++) {
        const struct instruction *const in = &opened.warp[0].instruction[i];
        const uint32_t line = access_line(opened.warp[0].access[i]);
        const uint32_t after = access_line(opened.warp[0].access[(i + 1u) % LINES]);
        assert_true(line < LINES);
        assert_int_equal(next[line], 0u); /* not seen before */
        next[line] = after + 1u;
        consecutive += after == line + 1u;
        assert_int_equal(in->src[0], in->dst);
    }
    assert_true(consecutive < 10u);
    /* Another warp follows the same pointers. */
    for (uint32_t i = 0u; i + 1u < LINES; i++) {
        assert_int_equal(access_line(opened.warp[1].access[i + 1u]) + 1u,
                         next[access_line(opened.warp[1].access[i])]);
    }
    free_cta(&opened);
    synthetic_free(synthetic);
}

/* A jittered pattern keeps its shape, begins later, and stays in its region. */
static void jitter_moves_a_pattern_within_its_region(void **state)
{
    (void)state;
    for (uint32_t line = 32u; line <= 256u; line *= 2u) {
        struct pattern_shape shape = { .kind = PATTERN_STRIDE,
                                       .line = line,
                                       .region = 31u,
                                       .element = 4u,
                                       .stride = 4u,
                                       .lanes = 32u };
        struct pattern plain, moved;
        uint32_t word[2][MAX_ACCESSES];
        assert_true(pattern_init(&plain, &shape));
        shape.moved = 15u * 256u;
        assert_true(pattern_init(&moved, &shape));
        for (uint64_t number = 0u; number < 9u; number++) {
            const struct place place = { .warps = 1u, .all = 1u, .global = number };
            const uint32_t n = pattern_words(&plain, &place, 0u, 1u, word[0]);
            assert_int_equal(pattern_words(&moved, &place, 0u, 1u, word[1]), n);
            for (uint32_t i = 0u; i < n; i++) {
                assert_int_equal(word[1][i] - word[0][i], ACCESS(15u * 256u / line, 0u));
            }
        }
        const uint64_t end =
            moved.base + (uint64_t)moved.blocks / moved.parts * moved.block_lines;
        assert_true(moved.parts > 1u || end <= UINT64_C(32) * REGION_BYTES / line);
        pattern_free(&plain);
        pattern_free(&moved);
    }
}

/* Lanes of an atomic take turns only where their addresses are one. Its lines have equal shares
 * of them. */
static void words_of_atomics_are_followed_by_their_turns(void **state)
{
    (void)state;
    for (uint32_t lanes = 1u; lanes <= 32u; lanes++) {
        for (uint32_t stride = 0u; stride <= 128u; stride += 4u) {
            struct pattern_shape shape = { .kind = stride == 0u ? PATTERN_SAME : PATTERN_STRIDE,
                                           .line = 128u,
                                           .element = 4u,
                                           .stride = stride,
                                           .lanes = lanes };
            const struct place place = { .warps = 1u, .all = 1u };
            struct pattern plain, atomic;
            uint32_t word[2][MAX_ACCESSES];
            assert_true(pattern_init(&plain, &shape));
            shape.turns = true;
            assert_true(pattern_init(&atomic, &shape));
            const uint32_t n = pattern_words(&plain, &place, 0u, 1u, word[0]);
            assert_int_equal(pattern_words(&atomic, &place, 0u, 1u, word[1]), 2u * n);
            assert_memory_equal(word[1], word[0], n * sizeof word[0][0]);
            uint32_t all = 0u;
            for (uint32_t i = 0u; i < n; i++) {
                assert_int_equal(turns_meet(word[1][n + i]), stride == 0u ? lanes : 1u);
                assert_in_range(turns_lanes(word[1][n + i]), lanes / n, lanes / n + 1u);
                all += turns_lanes(word[1][n + i]);
            }
            assert_int_equal(all, lanes);
            pattern_free(&plain);
            pattern_free(&atomic);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_of_a_warp_are_coalesced_as_by_hand),
        cmocka_unit_test(bank_conflicts_take_as_many_passes_as_by_hand),
        cmocka_unit_test(warps_access_consecutive_blocks_of_their_region),
        cmocka_unit_test(a_tile_is_shared_by_the_ctas_of_its_group_and_no_others),
        cmocka_unit_test(regions_overlap_only_when_they_are_the_same),
        cmocka_unit_test(random_lanes_reach_all_of_their_footprint_and_nothing_else),
        cmocka_unit_test(a_chase_comes_to_every_line_of_its_footprint_once),
        cmocka_unit_test(jitter_moves_a_pattern_within_its_region),
        cmocka_unit_test(words_of_atomics_are_followed_by_their_turns),
    };
    return cmocka_run_group_tests_name("synthetic_address", tests, NULL, NULL);
}
