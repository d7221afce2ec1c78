/* Tests of ptx_constants: which loads of constants machine code has as operands. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "tb/ptx/ptx_text.h"

#define CONSTANTS                                         \
    ".version 7.0\n.target sm_70\n.address_size 64\n"     \
    ".const .align 16 .b8 c[64];\n"                       \
    ".visible .entry k(.param .u64 a, .param .u32 b) {\n" \
    ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n"               \
    ".reg .b64 %d<9>;\n.reg .f32 %f<9>;\n"

/* Loads, in their order: an o for each that is an operand, and an l for each other one. */
static const struct {
    const char *body, *loads;
} kernels[] = {
    /* addresses */
    { "ld.const.f32 %f1, [c+8];\nadd.f32 %f2, %f1, %f3;\n", "o" },
    { "ld.param.u32 %r1, [b];\nadd.s32 %r2, %r1, %r3;\n", "o" },
    { "ld.param.u64 %d1, [a];\ncvta.to.global.u64 %d2, %d1;\nst.global.u64 [%d2], %d3;\n",
      "o" },
    { "mov.u64 %d1, c;\nld.const.f32 %f1, [%d1+8];\nadd.f32 %f2, %f1, %f3;\n", "l" },
    /* a load of another space */
    { "ld.param.u64 %d1, [a];\nadd.s64 %d2, %d1, 8;\nld.global.u32 %r1, [%d2];\n"
      "add.s32 %r2, %r1, 1;\n",
      "ol" },
    /* who uses it */
    { "ld.param.u32 %r1, [b];\nmov.u32 %r2, %r1;\n", "o" },
    { "ld.param.u32 %r1, [b];\nsetp.ge.s32 %p1, %r2, %r1;\n", "o" },
    { "ld.param.u64 %d1, [a];\nld.global.u32 %r1, [%d1];\n", "ll" },
    { "ld.param.u64 %d1, [a];\nst.global.u32 [%d1], %r1;\n", "l" },
    { "ld.param.u32 %r1, [b];\nst.global.u32 [%d1], %r1;\n", "l" },
    { "ld.param.u32 %r1, [b];\nadd.s32 %r2, %r1, 1;\nst.global.u32 [%d1], %r1;\n", "l" },
    { "ld.param.u32 %r1, [b];\nshfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n", "l" },
    { "ld.param.u32 %r1, [b];\nmatch.any.sync.b32 %r2, %r1, -1;\n", "l" },
    { "ld.param.u32 %r1, [b];\n", "l" },
    /* one operand for an instruction */
    { "ld.const.f32 %f1, [c];\nld.const.f32 %f2, [c+4];\nadd.f32 %f3, %f1, %f2;\n", "ol" },
    { "ld.const.f32 %f1, [c];\nmul.f32 %f3, %f1, %f1;\n", "o" },
    { "ld.const.f32 %f1, [c];\nld.const.f32 %f2, [c+4];\nadd.f32 %f3, %f1, %f4;\n"
      "add.f32 %f5, %f2, %f4;\n",
      "oo" },
    /* guards, and registers that are written elsewhere */
    { "@%p1 ld.param.u32 %r1, [b];\nadd.s32 %r2, %r1, 1;\n", "l" },
    { "ld.param.u32 %r1, [b];\nadd.s32 %r2, %r1, 1;\nmov.u32 %r1, 3;\n", "l" },
    { "ld.param.u32 %r1, [b];\n@%p1 add.s32 %r2, %r1, 1;\n", "o" },
    /* vectors: all elements, or none */
    { "ld.const.v2.f32 {%f1, %f2}, [c];\nadd.f32 %f3, %f1, %f5;\nadd.f32 %f4, %f2, %f5;\n",
      "o" },
    { "ld.const.v2.f32 {%f1, %f2}, [c];\nadd.f32 %f3, %f1, %f5;\nst.global.f32 [%d1], %f2;\n",
      "l" },
    { "ld.const.v2.f64 {%d1, %d2}, [c];\nadd.f64 %d3, %d1, %d4;\nadd.f64 %d5, %d2, %d4;\n",
      "o" },
};

static void a_load_is_an_operand_if_address_and_uses_allow_it(void **state)
{
    (void)state;
    for (size_t k = 0u; k < sizeof kernels / sizeof *kernels; k++) {
        char text[4096];
        const char *expected = kernels[k].loads;
        snprintf(text, sizeof text, "%s%sret;\n}\n", CONSTANTS, kernels[k].body);
        struct ptx_module *const module = load_ptx(text);
        const struct ptx_function *const f = &module->function[0];
        for (uint32_t i = 0u; i < f->n_inst; i++) {
            if (f->inst[i].op != PTX_LD) {
                assert_false(f->inst[i].timing.op == OP_CONSTANT);
                continue;
            }
            const bool operand = f->inst[i].timing.op == OP_CONSTANT
                                 && (f->inst[i].timing.flags & OPERAND) != 0u;
            if (operand != (*expected == 'o')) {
                fail_msg("instruction %u is %s operand in:\n%s", (unsigned)i,
                         operand ? "an" : "no", kernels[k].body);
            }
            expected++;
        }
        assert_int_equal(*expected, '\0');
        ptx_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_is_an_operand_if_address_and_uses_allow_it),
    };
    return cmocka_run_group_tests_name("ptx_constants", tests, NULL, NULL);
}
