/*
 * Tests of ptx_order: the order of a list scheduler, by hand for small blocks, and for random
 * ones that nothing passes what it depends on, by the definition: every pair of instructions is
 * looked at.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ptx/ptx_text.h"

enum { PLENTY = 255, FIRST_LINE = 10 };

static struct ptx_module *reorder(struct ptx_module *m, uint32_t registers)
{
    const struct ptx_order order = order_of(registers);
    struct fault fault;

    if (!ptx_reorder(m, &order, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return m;
}

static struct ptx_module *ordered(const char *body, uint32_t registers)
{
    return reorder(load_line(body), registers);
}

/* ---- By hand ------------------------------------------------------------------------- */

/* Bodies of an instruction a line, and their order: a is the first line. */
static const struct {
    const char *body, *order;
    uint32_t registers;
} blocks[] = {
    /* loads go before what waits for the first of them */
    { "ld.global.f32 %f1, [%d1];\nadd.f32 %f2, %f1, %f1;\nld.global.f32 %f3, [%d1+4];\n"
      "add.f32 %f4, %f3, %f3;\n",
      "acbd", PLENTY },
    /* the longest way first */
    { "add.f32 %f1, %f2, %f2;\nrsqrt.approx.f32 %f3, %f2;\nadd.f32 %f4, %f3, %f1;\n", "bac",
      PLENTY },
    { "add.s32 %r1, %r2, 1;\nmul.lo.s32 %r3, %r2, %r2;\nadd.s32 %r4, %r3, %r1;\n", "bac",
      PLENTY },
    /* as long: the order of PTX */
    { "add.f32 %f1, %f2, %f2;\nadd.f32 %f3, %f2, %f2;\nadd.f32 %f4, %f3, %f1;\n", "abc",
      PLENTY },
    /* a result is there later: another instruction in between */
    { "add.f32 %f1, %f2, %f2;\nadd.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f2, %f2;\n", "acb",
      PLENTY },
    /* what reads a register goes before what writes it again */
    { "add.f32 %f1, %f2, %f2;\nld.global.f32 %f2, [%d1];\nadd.f32 %f3, %f2, %f2;\n", "abc",
      PLENTY },
    { "add.f32 %f1, %f2, %f2;\nrsqrt.approx.f32 %f1, %f3;\n", "ab", PLENTY },
    /* a write waits for the result of another; its guard is read */
    { "add.f32 %f1, %f2, %f2;\n@%p1 rsqrt.approx.f32 %f1, %f3;\n", "ab", PLENTY },
    { "rsqrt.approx.f32 %f1, %f2;\nadd.f32 %f1, %f3, %f3;\nadd.f32 %f4, %f3, %f3;\n", "acb",
      PLENTY },
    { "add.f32 %f4, %f4, %f2;\nsetp.lt.f32 %p1, %f2, %f3;\n@%p1 rsqrt.approx.f32 %f1, %f3;\n",
      "bac", PLENTY },
    /* memory */
    { "st.global.f32 [%d1], %f1;\nld.global.f32 %f2, [%d2];\nadd.f32 %f3, %f2, %f2;\n", "abc",
      PLENTY },
    { "st.shared.f32 [s], %f1;\nld.global.f32 %f2, [%d2];\nadd.f32 %f3, %f2, %f2;\n", "bac",
      PLENTY },
    { "st.global.f32 [%d1], %f1;\nld.global.nc.f32 %f2, [%d2];\nadd.f32 %f3, %f2, %f2;\n",
      "bac", PLENTY },
    { "st.f32 [%d1], %f1;\nld.shared.f32 %f2, [s];\nadd.f32 %f3, %f2, %f2;\n", "abc", PLENTY },
    { "st.local.f32 [l], %f1;\nld.f32 %f2, [%d2];\nadd.f32 %f3, %f2, %f2;\n", "abc", PLENTY },
    { "ld.shared.f32 %f1, [s];\nst.shared.f32 [s], %f2;\nst.shared.f32 [s+4], %f3;\n", "abc",
      PLENTY },
    /* the carry */
    { "add.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r2, %r3;\nadd.cc.u32 %r5, %r2, %r3;\n"
      "addc.u32 %r6, %r5, %r3;\n",
      "abcd", PLENTY },
    /* what stays where it is */
    { "add.f32 %f1, %f2, %f2;\nbar.sync 0;\nld.global.f32 %f3, [%d1];\nadd.f32 %f4, %f3, "
      "%f3;\n",
      "abcd", PLENTY },
    { "add.f32 %f1, %f2, %f2;\natom.global.add.u32 %r1, [%d1], 1;\nld.global.f32 %f3, [%d1];\n"
      "add.f32 %f4, %f3, %f3;\n",
      "abcd", PLENTY },
    { "add.f32 %f1, %f2, %f2;\nld.volatile.global.f32 %f3, [%d1];\nadd.f32 %f4, %f3, %f3;\n",
      "abc", PLENTY },
    { "add.f32 %f1, %f2, %f2;\nmov.u32 %r1, %clock;\nrsqrt.approx.f32 %f3, %f2;\n"
      "add.f32 %f4, %f3, %f3;\n",
      "abcd", PLENTY },
    { "add.f32 %f1, %f2, %f2;\nvote.sync.any.pred %p1, %p2, -1;\nrsqrt.approx.f32 %f3, %f2;\n"
      "add.f32 %f4, %f3, %f3;\n",
      "abcd", PLENTY },
    { "add.f32 %f1, %f2, %f2;\n@%p1 bra L;\nrsqrt.approx.f32 %f3, %f2;\nL:\n", "abc", PLENTY },
    /* a destination that is named twice */
    { "ld.global.v2.u32 {%r1, %r1}, [%d1];\nadd.u32 %r2, %r1, 1;\n", "ab", PLENTY },
    { "setp.lt.u32 %p1|%p1, %r1, %r2;\nadd.u32 %r3, %r1, 1;\n", "ab", PLENTY },
    /* a constant that is an operand takes no time */
    { "add.f32 %f1, %f2, %f2;\nld.param.u32 %r1, [b];\nadd.s32 %r2, %r1, 1;\n", "abc", PLENTY },
};

/* Letters of the lines, in the order of the instructions, but for the return. */
static void letters_of(const struct ptx_function *f, char *letters)
{
    for (uint32_t k = 0u; k + 1u < f->n_inst; k++) {
        *letters++ = (char)('a' + f->inst[k].line - FIRST_LINE);
    }
    *letters = '\0';
}

static void blocks_have_the_order_of_a_list_scheduler(void **state)
{
    (void)state;
    for (size_t k = 0u; k < sizeof blocks / sizeof blocks[0]; k++) {
        struct ptx_module *const m = ordered(blocks[k].body, blocks[k].registers);
        char letters[32];
        letters_of(&m->function[0], letters);
        if (strcmp(letters, blocks[k].order) != 0) {
            fail_msg("%s, not %s:\n%s", letters, blocks[k].order, blocks[k].body);
        }
        ptx_free(m);
    }
}

/* ---- Registers ----------------------------------------------------------------------- */

enum { LOADS = 24 };
/* Loads, each of which is added to a sum at once. */
static void sums(char *body, size_t size)
{
    size_t at = (size_t)snprintf(body, size, "{ .reg .f32 %%x<%d>;\n", LOADS);

    for (uint32_t k = 0u; k < LOADS; k++) {
        at += (size_t)snprintf(body + at, size - at,
                               "ld.global.f32 %%x%u, [%%d1+%u];\nadd.f32 %%f1, %%f1, %%x%u;\n",
                               k, 4u * k, k);
    }
    (void)snprintf(body + at, size - at, "}\nst.global.f32 [%%d1], %%f1;\n");
}

/* Loads that come before the first addition. */
static uint32_t loads_ahead(const struct ptx_function *f)
{
    uint32_t n = 0u;

    while (f->inst[n].op == PTX_LD) {
        n++;
    }
    return n;
}

static void a_thread_needs_no_more_registers_than_leave_all_warps(void **state)
{
    char body[4096];
    uint32_t before = UINT32_MAX;

    (void)state;
    sums(body, sizeof body);
    for (uint32_t limit = 64u; limit > 0u; limit /= 2u) {
        struct ptx_module *const m = ordered(body, limit);
        const struct ptx_function *const f = &m->function[0];
        struct ptx_module *const plain = load_line(body);
        const uint32_t own = plain->function[0].registers;
        const uint32_t given = limit > own ? limit : own;
        assert_true(f->registers
                    <= (given + ORDER_GRANULE - 1u) / ORDER_GRANULE * ORDER_GRANULE);
        assert_true(loads_ahead(f) <= before);
        before = loads_ahead(f);
        assert_true(limit != 64u || before == LOADS);
        assert_true(limit < 8u || before > 1u);
        assert_true(limit > 16u || before < LOADS);
        ptx_free(plain);
        ptx_free(m);
    }
    assert_int_equal(before, 1);
}

/* Each load is used at once, but together they need more rows than there are. */
static void a_window_in_which_too_much_is_alive_is_left(void **state)
{
    enum { VECTORS = 680, SIZE = 1 << 17 };
    char *const body = malloc(SIZE);
    size_t at = 0u;

    (void)state;
    assert_non_null(body);
    at += (size_t)snprintf(body, SIZE, "%s.reg .f32 %%x<%u>;\n", HEAD, 4u * VECTORS);
    for (uint32_t k = 0u; k < VECTORS; k++) {
        const uint32_t x = 4u * k;
        at += (size_t)snprintf(body + at, SIZE - at,
                               "ld.global.v4.f32 {%%x%u, %%x%u, %%x%u, %%x%u}, [%%d1+%u];\n"
                               "fma.rn.f32 %%f1, %%x%u, %%x%u, %%f1;\n"
                               "fma.rn.f32 %%f1, %%x%u, %%x%u, %%f1;\n",
                               x, x + 1u, x + 2u, x + 3u, 16u * k, x, x + 1u, x + 2u, x + 3u);
    }
    (void)snprintf(body + at, SIZE - at, "st.global.f32 [%%d1], %%f1;\nret;\n}\n");
    for (uint32_t limit = 8u; limit < 4096u; limit *= 8u) {
        struct ptx_module *const m = reorder(load_ptx(body), limit);
        assert_true(m->function[0].registers <= limit + ORDER_GRANULE);
        ptx_free(m);
    }
    free(body);
}

/* ---- At random ----------------------------------------------------------------------- */

static uint64_t seed = 1u;
static uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static size_t random_line(char *text, size_t size)
{
    const uint32_t a = draw(6u), b = draw(6u), c = draw(6u), at = 4u * draw(4u);
    const char *const guard = draw(6u) == 0u ? "@%p1 " : "";

    switch (draw(12u)) {
    case 0:
        return (size_t)snprintf(text, size, "%sld.global.f32 %%f%u, [%%d1+%u];\n", guard, a,
                                at);
    case 1:
        return (size_t)snprintf(text, size, "%sst.global.f32 [%%d1+%u], %%f%u;\n", guard, at,
                                a);
    case 2:
        return (size_t)snprintf(text, size, "%sld.shared.f32 %%f%u, [s+%u];\n", guard, a, at);
    case 3:
        return (size_t)snprintf(text, size, "%sst.shared.f32 [s+%u], %%f%u;\n", guard, at, a);
    case 4:
        return (size_t)snprintf(text, size, "%srsqrt.approx.f32 %%f%u, %%f%u;\n", guard, a, b);
    case 5:
        return (size_t)snprintf(text, size, "setp.lt.f32 %%p1, %%f%u, %%f%u;\n", a, b);
    case 6:
        return (size_t)snprintf(text, size, draw(4u) == 0u ? "bar.sync 0;\n" : "ret;\n");
    case 7:
        return (size_t)snprintf(text, size, "%sst.f32 [%%d2], %%f%u;\n", guard, a);
    case 8:
        return (size_t)snprintf(text, size, "add.cc.u32 %%r%u, %%r%u, %%r%u;\n", a, b, c);
    case 9:
        return (size_t)snprintf(text, size, "addc.u32 %%r%u, %%r%u, %%r%u;\n", a, b, c);
    default:
        return (size_t)snprintf(text, size, "%sadd.f32 %%f%u, %%f%u, %%f%u;\n", guard, a, b, c);
    }
}

/* Whether the second may not go before the first, by their operands alone. */
static bool names(const struct ptx_operand *o, uint32_t n, uint16_t reg)
{
    bool has = false;

    for (uint32_t k = 0u; k < n; k++) {
        has = has
              || ((o[k].kind == OPERAND_REGISTER || o[k].kind == OPERAND_ADDRESS)
                  && o[k].reg == reg);
    }
    return has;
}

static bool writes_what_it_names(const struct ptx_inst *a, const struct ptx_inst *b)
{
    bool has = false;

    for (uint32_t d = 0u; d < a->n_dst; d++) {
        const uint16_t reg = a->dst[d].reg;
        has = has
              || (a->dst[d].kind == OPERAND_REGISTER
                  && (b->guard == reg || names(b->src, b->n_src, reg)
                      || names(b->dst, b->n_dst, reg)));
    }
    return has;
}

static bool accesses(const struct ptx_inst *i)
{
    return i->op == PTX_LD || i->op == PTX_ST;
}

static bool uses_carry(const struct ptx_inst *i)
{
    return i->op == PTX_ADDC || (i->flags & FLAG_CC) != 0u;
}

static bool must_stay(const struct ptx_inst *a, const struct ptx_inst *b)
{
    const bool spaces =
        a->space == b->space || a->space == SPACE_GENERIC || b->space == SPACE_GENERIC;
    const bool memory =
        accesses(a) && accesses(b) && spaces && (a->op == PTX_ST || b->op == PTX_ST);
    const bool fixed = a->op == PTX_BAR || b->op == PTX_BAR || a->op == PTX_RET;

    return memory || fixed || writes_what_it_names(a, b) || writes_what_it_names(b, a)
           || (uses_carry(a) && uses_carry(b)
               && ((a->flags & FLAG_CC) != 0u || (b->flags & FLAG_CC) != 0u));
}

/* Where the instruction of each line is. */
static void check_order(const struct ptx_function *plain, const struct ptx_function *f,
                        uint32_t *moved)
{
    uint32_t at[256];

    assert_int_equal(f->n_inst, plain->n_inst);
    memset(at, 0xff, sizeof at);
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        uint32_t *const place = &at[f->inst[k].line - FIRST_LINE];
        assert_int_equal(*place, UINT32_MAX);
        *place = k;
        *moved += f->inst[k].line != plain->inst[k].line;
        assert_int_equal(f->inst[k].block, plain->inst[k].block);
        assert_int_equal(f->inst[k].timing.pc, k);
    }
    for (uint32_t b = 0u; b < plain->n_inst; b++) {
        for (uint32_t a = 0u; a < b; a++) {
            if (must_stay(&plain->inst[a], &plain->inst[b])
                && at[plain->inst[a].line - FIRST_LINE]
                       > at[plain->inst[b].line - FIRST_LINE]) {
                fail_msg("line %u goes before line %u", plain->inst[b].line,
                         plain->inst[a].line);
            }
        }
    }
}

static void nothing_passes_what_it_depends_on(void **state)
{
    uint32_t moved = 0u;

    (void)state;
    for (uint32_t round = 0u; round < 2000u; round++) {
        char body[4000];
        size_t at = 0u;
        const uint32_t n = 2u + draw(60u);
        for (uint32_t k = 0u; k < n; k++) {
            at += random_line(body + at, sizeof body - at);
        }
        struct ptx_module *const plain = load_line(body);
        struct ptx_module *const m = ordered(body, draw(2u) == 0u ? PLENTY : 8u);
        check_order(&plain->function[0], &m->function[0], &moved);
        ptx_free(plain);
        ptx_free(m);
    }
    assert_true(moved > 10000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_have_the_order_of_a_list_scheduler),
        cmocka_unit_test(a_thread_needs_no_more_registers_than_leave_all_warps),
        cmocka_unit_test(a_window_in_which_too_much_is_alive_is_left),
        cmocka_unit_test(nothing_passes_what_it_depends_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
