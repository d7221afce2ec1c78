/* Tests of what streams say of accesses: lines, quarters and passes, against counts by hand and
 * against the synthetic source's way to compute them. */

#include "exec/exec_run.h"
#include "exec_kernel.h"
#include "synthetic/synthetic_address.h"

/* ---- Lines and banks ----------------------------------------------------------------- */

static void lines_are_those_of_the_synthetic_source(void **state)
{
    static const uint32_t bytes[] = { 1u, 2u, 4u, 8u, 16u };
    static const uint32_t lines[] = { 32u, 64u, 128u, 256u };
    (void)state;
    for (uint32_t n = 0u; n < 20000u; n++) {
        const uint32_t element = bytes[n % 5u];
        const uint32_t line = lines[n / 5u % 4u];
        const uint32_t span = 1u << (6u + n / 20u % 12u);
        uint64_t address[WARP_SIZE];
        uint32_t got[MAX_ACCESSES], wanted[MAX_ACCESSES];
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            const uint64_t hash = synthetic_hash(7u, n * (uint64_t)WARP_SIZE + lane);
            address[lane] = DEVICE_BASE + (uint64_t)(hash_below(hash, span) & ~(element - 1u));
        }
        const uint32_t count = exec_coalesce(address, UINT32_MAX, element, line, got);
        assert_int_equal(count, coalesce(address, WARP_SIZE, element, line, wanted));
        assert_memory_equal(got, wanted, count * sizeof *got);
    }
}

static uint32_t passes_of(uint32_t lanes, uint32_t bytes, uint32_t stride)
{
    uint64_t address[WARP_SIZE];
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        address[lane] = (uint64_t)lane * stride;
    }
    return exec_passes(address, lanes, bytes, 32u, true);
}

static void passes_are_the_most_words_of_a_bank(void **state)
{
    (void)state;
    assert_int_equal(passes_of(UINT32_MAX, 4u, 4u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 4u, 0u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 1u, 1u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 4u, 8u), 2u);
    assert_int_equal(passes_of(UINT32_MAX, 4u, 12u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 4u, 128u), 32u);
    assert_int_equal(passes_of(UINT32_MAX, 4u, 132u), 1u);
    assert_int_equal(passes_of(0xffu, 4u, 128u), 8u);
    assert_int_equal(passes_of(1u, 16u, 128u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 8u, 8u), 2u);
    assert_int_equal(passes_of(UINT32_MAX, 8u, 16u), 4u);
    assert_int_equal(passes_of(0xffffu, 8u, 8u), 1u);
    assert_int_equal(passes_of(UINT32_MAX, 8u, 0u), 2u);
    assert_int_equal(passes_of(UINT32_MAX, 16u, 16u), 4u);
    assert_int_equal(passes_of(UINT32_MAX, 16u, 128u), 32u);
}

static void atomics_share_nothing(void **state)
{
    uint64_t address[WARP_SIZE] = { 0u };
    (void)state;
    assert_int_equal(exec_passes(address, UINT32_MAX, 4u, 32u, false), 32u);
    assert_int_equal(exec_passes(address, 7u, 4u, 32u, false), 3u);
    address[0] = 4u;
    address[1] = 128u;
    assert_int_equal(exec_passes(address, 7u, 4u, 32u, false), 2u);
}

/* ---- Records ------------------------------------------------------------------------- */

static void a_load_names_its_lines_in_the_order_of_its_lanes(void **state)
{
    struct bench b;
    const uint32_t *access = NULL;
    (void)state;
    bench_once(&b,
               KERNEL("sub.u64 %d4, %d1, %d2;\nld.global.u32 %r2, [%d4+188];\n"
                      "setp.lt.u32 %p1, %r1, 9;\n@%p1 ld.global.u32 %r2, [%d3+32];\n"
                      "setp.gt.u32 %p1, %r1, 99;\n@%p1 ld.global.u32 %r2, [%d3+32];\n"),
               32u);
    const uint32_t line = (uint32_t)(b.out / 128u);
    const struct instruction *i = record_of(&b, 0u, OP_LOAD, 0u, &access);
    assert_int_equal(i->accesses, 2u);
    assert_int_equal(access[0], ACCESS(line + 1u, 3u));
    assert_int_equal(access[1], ACCESS(line, 12u));
    i = record_of(&b, 0u, OP_LOAD, 1u, &access);
    assert_int_equal(i->lanes, 9u);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(line, 6u));
    i = record_of(&b, 0u, OP_LOAD, 2u, &access);
    assert_int_equal(i->lanes, 0u);
    assert_int_equal(i->accesses, 0u);
    i = record_of(&b, 0u, OP_STORE, 0u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(line, 15u));
    bench_close(&b);
}

static void check_load(const struct bench *b, uint32_t n, uint32_t words, uint32_t first,
                       uint32_t last)
{
    const uint32_t *access = NULL;
    const struct instruction *const i = record_of(b, 0u, OP_LOAD, n, &access);
    assert_int_equal(i->accesses, words);
    assert_int_equal(access[0], first);
    assert_int_equal(access[words - 1u], last);
}

static void lanes_side_by_side_and_at_one_place(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("cvt.u64.u32 %d4, %r1;\nadd.u64 %d5, %d1, %d4;\nshl.b64 %d6, %d4, 4;\n"
                      "add.u64 %d6, %d6, %d1;\nld.global.u32 %r2, [%d3+32];\n"
                      "ld.global.u8 %r2, [%d5+64];\nld.global.u32 %r2, [%d1+96];\n"
                      "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d6+64];\n"
                      "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d1+16];\n"),
               32u);
    const uint32_t line = (uint32_t)(b.out / 128u);
    check_load(&b, 0u, 2u, ACCESS(line, 14u), ACCESS(line + 1u, 1u));
    check_load(&b, 1u, 1u, ACCESS(line, 4u), ACCESS(line, 4u));
    check_load(&b, 2u, 1u, ACCESS(line, 8u), ACCESS(line, 8u));
    check_load(&b, 3u, 5u, ACCESS(line, 12u), ACCESS(line + 4u, 3u));
    check_load(&b, 4u, 1u, ACCESS(line, 1u), ACCESS(line, 1u));
    bench_close(&b);
}

static void each_cache_has_its_own_lines(void **state)
{
    struct bench b;
    const uint32_t *access = NULL;
    (void)state;
    bench_once(&b,
               HEADER ".const .align 4 .b8 c[256];\n" ENTRY
                      "ld.global.nc.u32 %r2, [%d3];\nld.const.u32 %r3, [c+64];\n"
                      "ld.const.u32 %r4, [%d2];\nld.param.u32 %r5, [n];\n" STORE END,
               32u);
    const struct instruction *i = record_of(&b, 0u, OP_TEXTURE, 0u, &access);
    assert_int_equal(i->accesses, 4u);
    assert_int_equal(access[3], ACCESS(b.out / 32u + 3u, 15u));
    i = record_of(&b, 0u, OP_CONSTANT, 0u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(PARAM_AT / 64u, 1u));
    i = record_of(&b, 0u, OP_CONSTANT, 1u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(CONST_AT / 64u + 1u, 1u));
    i = record_of(&b, 0u, OP_CONSTANT, 2u, &access);
    assert_int_equal(i->accesses, 2u);
    i = record_of(&b, 0u, OP_CONSTANT, 3u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(PARAM_AT / 64u, 1u));
    bench_close(&b);
}

/* Reads side by side, of two lanes at each address, of all at one, and across lines. */
static void constants_take_a_turn_for_each_address(void **state)
{
    static const uint32_t turns[2][5] = { { 1u, 2u, 1u, 1u, 3u }, { 1u, 32u, 16u, 1u, 32u } };
    (void)state;
    for (uint32_t by_address = 0u; by_address < 2u; by_address++) {
        struct bench b;
        const uint32_t *access = NULL;
        bench_open(&b,
                   HEADER ".const .align 8 .b8 c[256];\n" ENTRY
                          "mov.u64 %d4, c;\nadd.u64 %d5, %d4, %d2;\nshr.u32 %r6, %r1, 1;\n"
                          "mul.wide.u32 %d6, %r6, 4;\nadd.u64 %d6, %d6, %d4;\n"
                          "ld.const.u32 %r3, [%d5];\nld.const.u32 %r3, [%d6];\n"
                          "ld.const.u32 %r3, [%d4];\nld.const.u32 %r3, [%d5+32];\n" STORE END,
                   32u);
        b.launch.constant_by_address = by_address != 0u;
        bench_run(&b);
        for (uint32_t n = 0u; n < 5u; n++) {
            const struct instruction *const i = record_of(&b, 0u, OP_CONSTANT, n, &access);
            assert_int_equal(i->accesses, turns[by_address][n]);
            for (uint32_t k = 1u; k < i->accesses; k++) {
                const uint32_t step = access_line(access[k]) - access_line(access[k - 1u]);
                assert_true(step <= 1u && (by_address != 0u || step == 1u));
            }
        }
        bench_close(&b);
    }
}

static void the_same_local_word_of_all_lanes_is_one_line(void **state)
{
    struct bench b;
    const uint32_t *access = NULL;
    (void)state;
    bench_open(&b,
               KERNEL(".local .align 16 .b8 l[32];\nst.local.u32 [l+4], %r1;\n"
                      "ld.local.u32 %r2, [l+4];\nst.local.v4.u32 [l+16], {%r1,%r1,%r1,%r1};\n"),
               64u);
    b.launch.grid[0] = 4u;
    assert_true(bench_try(&b, 3u));
    const uint32_t line = (uint32_t)(LOCAL_AT / 128u) + (3u * 2u + 1u) * 8u;
    const struct instruction *i = record_of(&b, 1u, OP_STORE, 0u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(line + 1u, 15u));
    i = record_of(&b, 1u, OP_LOAD, 0u, &access);
    assert_int_equal(i->accesses, 1u);
    assert_int_equal(access[0], ACCESS(line + 1u, 15u));
    i = record_of(&b, 1u, OP_STORE, 1u, &access);
    assert_int_equal(i->accesses, 4u);
    assert_int_equal(access[3], ACCESS(line + 7u, 15u));
    assert_int_equal(b.word[63], 63u);
    bench_close(&b);
}

/* Whatever the other words, a load of global space passes the caches if it is volatile or
 * strong, or its cache operator says so. */
static void volatile_loads_pass_the_caches_and_local_ones_the_cluster(void **state)
{
    static const struct {
        const char *load;
        uint8_t flags;
    } loads[] = {
        { "ld.global.u32 %r2, [%d3];", 0u },
        { "ld.global.ca.u32 %r2, [%d3];", 0u },
        { "ld.global.cs.u32 %r2, [%d3];", 0u },
        { "ld.global.lu.u32 %r2, [%d3];", 0u },
        { "ldu.global.u32 %r2, [%d3];", 0u },
        { "ld.volatile.global.u32 %r2, [%d3];", UNCACHED },
        { "ld.volatile.u32 %r2, [%d3];", UNCACHED },
        { "ld.relaxed.gpu.global.u32 %r2, [%d3];", UNCACHED },
        { "ld.acquire.sys.global.u32 %r2, [%d3];", UNCACHED },
        { "ld.relaxed.cta.global.u32 %r2, [%d3];", UNCACHED },
        { "ld.global.cg.u32 %r2, [%d3];", UNCACHED },
        { "ld.global.cv.u32 %r2, [%d3];", UNCACHED },
        { "ld.local.u32 %r2, [l];", LOCAL },
        { "ld.volatile.local.u32 %r2, [l];", LOCAL },
        { "mov.u64 %d4, l;\ncvta.local.u64 %d4, %d4;\nld.volatile.u32 %r2, [%d4];", LOCAL },
    };
    (void)state;
    for (size_t n = 0u; n < sizeof loads / sizeof loads[0]; n++) {
        struct bench b;
        char text[2048];
        const uint32_t *access = NULL;
        snprintf(text, sizeof text, "%s%s\n%s", HEADER ENTRY ".local .align 4 .b8 l[4];\n",
                 loads[n].load, STORE END);
        bench_once(&b, text, 32u);
        const struct instruction *const i = record_of(&b, 0u, OP_LOAD, 0u, &access);
        if (i->flags != loads[n].flags || i->accesses != 1u) {
            fail_msg("%s: flags %u", loads[n].load, i->flags);
        }
        bench_close(&b);
    }
}

static void shared_accesses_count_passes(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(".shared .align 16 .b8 s[4096];\nshl.b32 %r3, %r1, 7;\n"
                      "mov.u64 %d4, s;\ncvta.shared.u64 %d4, %d4;\nadd.u64 %d4, %d4, %d2;\n"
                      "st.shared.u32 [%r3], %r1;\nld.shared.u32 %r2, [%d2];\n"
                      "ld.u32 %r2, [%d4];\n"),
               32u);
    assert_int_equal(record_of(&b, 0u, OP_SHARED, 0u, NULL)->accesses, 32u);
    assert_int_equal(record_of(&b, 0u, OP_SHARED, 1u, NULL)->accesses, 1u);
    /* a generic access is of the space it reaches */
    assert_int_equal(record_of(&b, 0u, OP_SHARED, 2u, NULL)->accesses, 1u);
    bench_close(&b);
}

/* All lanes at one address, each at its own, three at each of 11 addresses in two lines, and
 * nine at one. */
static void atomics_name_the_most_lanes_that_meet_at_an_address_of_each_line(void **state)
{
    struct bench b;
    const uint32_t *access = NULL;
    (void)state;
    bench_once(&b,
               KERNEL("red.global.add.u32 [%d1+4], %r1;\nred.global.add.u32 [%d3], %r1;\n"
                      "mul.hi.u32 %r3, %r1, 1431655766;\nmul.wide.u32 %d4, %r3, 16;\n"
                      "add.u64 %d4, %d4, %d1;\natom.global.add.u32 %r2, [%d4], 1;\n"
                      "setp.lt.u32 %p1, %r1, 9;\n@%p1 red.global.add.u32 [%d1], 1;\n"),
               32u);
    const uint32_t line = (uint32_t)(b.out / 128u);
    const struct instruction *i = record_of(&b, 0u, OP_ATOMIC, 0u, &access);
    assert_int_equal(i->accesses, 2u);
    assert_int_equal(access[0], ACCESS(line, 1u));
    assert_int_equal(access[1], ATOMIC_TURNS(32u, 32u));
    i = record_of(&b, 0u, OP_ATOMIC, 1u, &access);
    assert_int_equal(i->accesses, 2u);
    assert_int_equal(access[0], ACCESS(line, 15u));
    assert_int_equal(access[1], ATOMIC_TURNS(1u, 32u));
    i = record_of(&b, 0u, OP_ATOMIC, 2u, &access);
    assert_int_equal(i->accesses, 4u);
    assert_int_equal(access[0], ACCESS(line, 15u));
    assert_int_equal(access[1], ACCESS(line + 1u, 3u));
    assert_int_equal(access[2], ATOMIC_TURNS(3u, 24u)); /* eight addresses, and three */
    assert_int_equal(access[3], ATOMIC_TURNS(3u, 8u));
    i = record_of(&b, 0u, OP_ATOMIC, 3u, &access);
    assert_int_equal(i->lanes, 9u);
    assert_int_equal(access[1], ATOMIC_TURNS(9u, 9u));
    bench_close(&b);
}

/* The timing model counts its way along the list even where nothing is. */
static void a_stream_without_accesses_has_a_list_of_none(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               HEADER ".visible .entry k(.param .u64 out)\n{\n.reg .u32 %r<2>;\n"
                      ".reg .pred %p<2>;\n@%p1 ld.param.u32 %r1, [out];\nret;\n}\n",
               64u);
    assert_non_null(b.warp[0].access);
    assert_non_null(b.warp[1].access);
    bench_close(&b);
}

/* ---- Fences -------------------------------------------------------------------------- */

/* Where stores are answered, fences wait whose scope is wider than a CTA. */
static void fences_of_more_than_a_cta_wait_for_memory(void **state)
{
    (void)state;
    for (uint32_t fences = 0u; fences < 2u; fences++) {
        struct bench b;
        bench_open(&b,
                   KERNEL("membar.gl;\nmembar.cta;\nmembar.sys;\nfence.acq_rel.gpu;\n"
                          "fence.sc.cta;\nfence.sc.sys;\nmov.u32 %r2, 7;\n"),
                   WARP_SIZE);
        b.launch.fences = fences != 0u;
        bench_run(&b);
        uint32_t waiting = 0u, others = 0u;
        for (const struct instruction *i = b.warp[0].instruction; i->op != OP_EXIT; i++) {
            const bool fence = i->pc >= 4u && i->pc < 10u;
            waiting |= i->op == OP_FENCE ? 1u << (i->pc - 4u) : 0u;
            others |= fence && i->op == OP_INTEGER ? 1u << (i->pc - 4u) : 0u;
        }
        assert_int_equal(waiting, fences != 0u ? 0x2du : 0u);
        assert_int_equal(others, 0x3fu & ~waiting);
        assert_int_equal(b.word[3], 7u);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_the_synthetic_source),
        cmocka_unit_test(passes_are_the_most_words_of_a_bank),
        cmocka_unit_test(atomics_share_nothing),
        cmocka_unit_test(a_load_names_its_lines_in_the_order_of_its_lanes),
        cmocka_unit_test(lanes_side_by_side_and_at_one_place),
        cmocka_unit_test(each_cache_has_its_own_lines),
        cmocka_unit_test(constants_take_a_turn_for_each_address),
        cmocka_unit_test(the_same_local_word_of_all_lanes_is_one_line),
        cmocka_unit_test(volatile_loads_pass_the_caches_and_local_ones_the_cluster),
        cmocka_unit_test(shared_accesses_count_passes),
        cmocka_unit_test(atomics_name_the_most_lanes_that_meet_at_an_address_of_each_line),
        cmocka_unit_test(a_stream_without_accesses_has_a_list_of_none),
        cmocka_unit_test(fences_of_more_than_a_cta_wait_for_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
