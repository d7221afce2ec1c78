/* Tests of ptx_rows: which pipe an instruction takes, and which kind of operation it is. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "tb/ptx/ptx_text.h"

static const struct {
    const char *line;
    enum op_class op;
    enum operation_kind kind;
} lines[] = {
    { "add.s32 %r1, %r2, %r3;", OP_INTEGER, KIND_PLAIN },
    { "mul.lo.s32 %r1, %r2, %r3;", OP_INTEGER, KIND_MULTIPLY },
    { "mul.wide.u32 %d1, %r2, %r3;", OP_INTEGER, KIND_MULTIPLY },
    { "mad.lo.s32 %r1, %r2, %r3, %r4;", OP_INTEGER, KIND_MULTIPLY_ADD },
    { "mad24.lo.s32 %r1, %r2, %r3, %r4;", OP_INTEGER, KIND_MULTIPLY_ADD },
    { "dp4a.s32.s32 %r1, %r2, %r3, %r4;", OP_INTEGER, KIND_MULTIPLY_ADD },
    { "cvt.u64.u32 %d1, %r2;", OP_INTEGER, KIND_SIMPLE },
    { "cvt.rn.f32.s32 %f1, %r2;", OP_INTEGER, KIND_CONVERT },
    { "cvt.rzi.s32.f64 %r1, %e2;", OP_INTEGER, KIND_CONVERT },
    { "cvt.f64.f32 %e1, %f2;", OP_INTEGER, KIND_CONVERT },
    { "add.f32 %f1, %f2, %f3;", OP_FP32, KIND_PLAIN },
    { "mul.f32 %f1, %f2, %f3;", OP_FP32, KIND_PLAIN },
    { "fma.rn.f32 %f1, %f2, %f3, %f4;", OP_FP32, KIND_FUSED },
    { "mad.rn.f32 %f1, %f2, %f3, %f4;", OP_FP32, KIND_FUSED },
    { "fma.rn.f64 %e1, %e2, %e3, %e2;", OP_FP64, KIND_FUSED },
    { "sub.s32 %r1, %r2, %r3;", OP_INTEGER, KIND_PLAIN },
    { "mov.u32 %r1, %r2;", OP_INTEGER, KIND_SIMPLE },
    { "mov.f32 %f1, %f2;", OP_INTEGER, KIND_SIMPLE },
    { "xor.b32 %r1, %r2, %r3;", OP_INTEGER, KIND_SIMPLE },
    { "shl.b32 %r1, %r2, 3;", OP_INTEGER, KIND_SIMPLE },
    { "neg.s32 %r1, %r2;", OP_INTEGER, KIND_SIMPLE },
    { "neg.f32 %f1, %f2;", OP_FP32, KIND_SIMPLE },
    { "abs.f64 %e1, %e2;", OP_FP64, KIND_SIMPLE },
    { "min.u32 %r1, %r2, %r3;", OP_INTEGER, KIND_MIN_MAX },
    { "max.f32 %f1, %f2, %f3;", OP_FP32, KIND_MIN_MAX },
    { "min.f64 %e1, %e2, %e3;", OP_FP64, KIND_MIN_MAX },
    { "mul.f64 %e1, %e2, %e3;", OP_FP64, KIND_PLAIN },
    { "div.rn.f64 %e1, %e2, %e3;", OP_FP64, KIND_DIVIDE },
    { "sqrt.rn.f64 %e1, %e2;", OP_FP64, KIND_DIVIDE },
    { "div.rn.f32 %f1, %f2, %f3;", OP_SFU, KIND_DIVIDE },
    { "rsqrt.approx.f32 %f1, %f2;", OP_SFU, KIND_PLAIN },
    { "sin.approx.f32 %f1, %f2;", OP_SFU, KIND_PLAIN },
    { "div.s32 %r1, %r2, %r3;", OP_SFU, KIND_INTEGER_DIVIDE },
    { "rem.u64 %d1, %d2, %d3;", OP_SFU, KIND_INTEGER_DIVIDE },
};

static void an_instruction_has_the_kind_of_its_operation(void **state)
{
    (void)state;
    for (size_t k = 0u; k < sizeof lines / sizeof *lines; k++) {
        struct ptx_module *const module = load_line(lines[k].line);
        const struct instruction *const timing = &module->function[0].inst[0].timing;
        if (timing->op != lines[k].op || timing->flags != lines[k].kind) {
            fail_msg("%s class %u and kind %u instead of %u and %u", lines[k].line,
                     (unsigned)timing->op, (unsigned)timing->flags, (unsigned)lines[k].op,
                     (unsigned)lines[k].kind);
        }
        ptx_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instruction_has_the_kind_of_its_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
