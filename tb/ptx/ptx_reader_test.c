/*
 * Tests of the PTX reader: what each directive, operand and family of instructions becomes, and
 * how files are read. No kernel runs here.
 */

#include "tb/ptx/ptx_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ptx/ptx.h"
#include "ptx/read/ptx_relocation.h"

/* ---- Instructions -------------------------------------------------------------------- */

struct decoded {
    const char *line;
    struct ptx_inst inst; /* op to lut are compared; vector 0 counts as 1 */
};

static void expect_decoded(const struct decoded *d)
{
    struct ptx_module *const module = load_line(d->line);
    const struct ptx_inst *const i = &module->function[0].inst[0];
    const struct ptx_inst *const e = &d->inst;
    const uint8_t vector = e->vector == 0u ? 1u : e->vector;
    const uint8_t source = e->source_type == PTX_NONE ? e->type : e->source_type;

    if (i->op != e->op || i->type != e->type || i->source_type != source || i->space != e->space
        || i->round != e->round || i->compare != e->compare || i->boolean != e->boolean
        || i->mode != e->mode || i->flags != e->flags || i->vector != vector
        || i->n_dst != e->n_dst || i->n_src != e->n_src || i->lut != e->lut) {
        ptx_free(module);
        fail_msg("%s: other fields", d->line);
    }
    assert_int_equal(i->line, 10u);
    assert_int_equal(i->guard, PTX_NO_REGISTER);
    ptx_free(module);
}

#define ROW(text, o, t, d, s, ...)                                                  \
    {                                                                               \
        text,                                                                       \
        {                                                                           \
            .op = PTX_##o, .type = PTX_##t, .n_dst = (d), .n_src = (s), __VA_ARGS__ \
        }                                                                           \
    }

/* One line a row. */
/* clang-format off */
static const struct decoded arithmetic[] = {
    ROW("abs.s32 %r1, %r2;", ABS, S32, 1, 1, .lut = 0),
    ROW("add.sat.s32 %r1, %r2, -1;", ADD, S32, 1, 2, .flags = FLAG_SAT),
    ROW("add.cc.u32 %r1, %r2, 1;", ADD, U32, 1, 2, .flags = FLAG_CC),
    ROW("addc.cc.u32 %r1, %r2, 1;", ADDC, U32, 1, 2, .flags = FLAG_CC),
    ROW("add.rz.ftz.f32 %f1, %f2, 0f3f800000;", ADD, F32, 1, 2, .round = ROUND_RZ, .flags = FLAG_FTZ),
    ROW("add.f64 %e1, %e2, 0d3ff0000000000000;", ADD, F64, 1, 2, .lut = 0),
    ROW("add.f16 %h1, %h2, %h3;", ADD, F16, 1, 2, .lut = 0),
    ROW("fma.rn.f16x2 %r1, %r2, %r3, %r4;", FMA, F16X2, 1, 3, .round = ROUND_RN),
    ROW("mul.wide.s32 %d1, %r1, 4;", MUL, S32, 1, 2, .mode = MODE_WIDE),
    ROW("mul.hi.u64 %d1, %d2, %d3;", MUL, U64, 1, 2, .mode = MODE_HI),
    ROW("mad.lo.s32 %r1, %r2, %r3, %r4;", MAD, S32, 1, 3, .mode = MODE_LO),
    ROW("mad.wide.u16 %r1, %h1, %h2, %r4;", MAD, U16, 1, 3, .mode = MODE_WIDE),
    ROW("madc.hi.u32 %r1, %r2, %r3, %r4;", MADC, U32, 1, 3, .mode = MODE_HI),
    ROW("mul24.lo.u32 %r1, %r2, %r3;", MUL24, U32, 1, 2, .mode = MODE_LO),
    ROW("div.rn.f32 %f1, %f2, %f3;", DIV, F32, 1, 2, .round = ROUND_RN),
    ROW("div.full.ftz.f32 %f1, %f2, %f3;", DIV, F32, 1, 2, .round = ROUND_FULL, .flags = FLAG_FTZ),
    ROW("rem.s64 %d1, %d2, %d3;", REM, S64, 1, 2, .lut = 0),
    ROW("rcp.approx.ftz.f64 %e1, %e2;", RCP, F64, 1, 1, .round = ROUND_APPROX, .flags = FLAG_FTZ),
    ROW("sqrt.rn.f64 %e1, %e2;", SQRT, F64, 1, 1, .round = ROUND_RN),
    ROW("rsqrt.approx.f32 %f1, %f2;", RSQRT, F32, 1, 1, .round = ROUND_APPROX),
    ROW("ex2.approx.ftz.f32 %f1, %f2;", EX2, F32, 1, 1, .round = ROUND_APPROX, .flags = FLAG_FTZ),
    ROW("min.ftz.f32 %f1, %f2, %f3;", MIN, F32, 1, 2, .flags = FLAG_FTZ),
    ROW("sad.u32 %r1, %r2, %r3, %r4;", SAD, U32, 1, 3, .lut = 0),
    ROW("popc.b64 %r1, %d1;", POPC, B64, 1, 1, .lut = 0),
    ROW("clz.b32 %r1, %r2;", CLZ, B32, 1, 1, .lut = 0),
    ROW("bfind.shiftamt.u64 %r1, %d1;", BFIND, U64, 1, 1, .flags = FLAG_SHIFTAMT),
    ROW("bfe.s64 %d1, %d2, 3, %r1;", BFE, S64, 1, 3, .lut = 0),
    ROW("bfi.b32 %r1, %r2, %r3, 4, 5;", BFI, B32, 1, 4, .lut = 0),
    ROW("bmsk.clamp.b32 %r1, %r2, 3;", BMSK, B32, 1, 2, .mode = MODE_CLAMP),
    ROW("bmsk.wrap.b32 %r1, 4, %r3;", BMSK, B32, 1, 2, .mode = MODE_WRAP),
    ROW("szext.wrap.s32 %r1, %r2, %r3;", SZEXT, S32, 1, 2, .mode = MODE_WRAP),
    ROW("szext.clamp.u32 %r1, %r2, 7;", SZEXT, U32, 1, 2, .mode = MODE_CLAMP),
    ROW("lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", LOP3, B32, 1, 4, .lut = 0xe8),
    ROW("shf.r.clamp.b32 %r1, %r2, %r3, 4;", SHF, B32, 1, 3, .mode = MODE_R, .flags = FLAG_CLAMP),
    ROW("shf.l.wrap.b32 %r1, %r2, %r3, 4;", SHF, B32, 1, 3, .mode = MODE_L),
    ROW("shl.b64 %d1, %d2, 3;", SHL, B64, 1, 2, .lut = 0),
    ROW("shr.s16 %h1, %h2, %r1;", SHR, S16, 1, 2, .lut = 0),
    ROW("prmt.b32.rc8 %r1, %r2, %r3, %r4;", PRMT, B32, 1, 3, .mode = MODE_RC8),
    ROW("dp4a.s32.u32 %r1, %r2, %r3, %r4;", DP4A, S32, 1, 3, .source_type = PTX_U32),
    ROW("not.pred %p1, %p2;", NOT, PRED, 1, 1, .lut = 0),
    ROW("xor.b16 %h1, %h2, 7;", XOR, B16, 1, 2, .lut = 0),
    ROW("testp.subnormal.f32 %p1, %f1;", TESTP, F32, 1, 1, .mode = MODE_SUBNORMAL),
    ROW("copysign.f64 %e1, %e2, %e3;", COPYSIGN, F64, 1, 2, .lut = 0),
    ROW("tanh.approx.f32 %f1, %f2;", TANH, F32, 1, 1, .round = ROUND_APPROX),
};
static const struct decoded others[] = {
    ROW("setp.lt.s32 %p1, %r1, 5;", SETP, S32, 1, 2, .compare = CMP_LT),
    ROW("setp.hi.or.u32 %p1|%p2, %r1, %r2, !%p3;", SETP, U32, 2, 3, .compare = CMP_HI, .boolean = BOOL_OR),
    ROW("setp.neu.ftz.f32 %p1, %f1, %f2;", SETP, F32, 1, 2, .compare = CMP_NEU, .flags = FLAG_FTZ),
    ROW("set.gt.u32.f32 %r1, %f1, %f2;", SET, U32, 1, 2, .source_type = PTX_F32, .compare = CMP_GT),
    ROW("selp.f64 %e1, %e2, %e3, %p1;", SELP, F64, 1, 3, .lut = 0),
    ROW("slct.u64.f32 %d1, %d2, %d3, %f1;", SLCT, U64, 1, 3, .source_type = PTX_F32),
    ROW("cvt.rzi.s32.f32 %r1, %f1;", CVT, S32, 1, 1, .source_type = PTX_F32, .round = ROUND_RZI),
    ROW("cvt.rn.f16.f32 %h1, %f1;", CVT, F16, 1, 1, .source_type = PTX_F32, .round = ROUND_RN),
    ROW("cvt.rpi.f32.f32 %f1, %f1;", CVT, F32, 1, 1, .source_type = PTX_F32, .round = ROUND_RPI),
    ROW("cvt.sat.u8.s32 %r1, %r2;", CVT, U8, 1, 1, .source_type = PTX_S32, .flags = FLAG_SAT),
    ROW("cvt.u64.u16 %d1, %h1;", CVT, U64, 1, 1, .source_type = PTX_U16),
    ROW("mov.u32 %r1, %tid.x;", MOV, U32, 1, 1, .lut = 0),
    ROW("mov.u64 %d1, %clock64;", MOV, U64, 1, 1, .lut = 0),
    ROW("mov.u64 %d1, %gridid;", CVT, U64, 1, 1, .source_type = PTX_U32),
    ROW("mov.u64 %d1, s;", MOV, U64, 1, 1, .space = SPACE_SHARED),
    ROW("mov.b64 %d1, {%r1, %r2};", MOV, B64, 1, 2, .vector = 2),
    ROW("mov.b32 {%h1, _}, %r1;", MOV, B32, 2, 1, .vector = 2),
    ROW("mov.b64 {%h0, %h1, %h2, %h3}, %d1;", MOV, B64, 4, 1, .vector = 4),
    ROW("cvta.to.shared.u64 %d1, %d2;", CVTA, U64, 1, 1, .space = SPACE_SHARED, .flags = FLAG_TO),
    ROW("cvta.const.u64 %d1, %d2;", CVTA, U64, 1, 1, .space = SPACE_CONST),
    ROW("isspacep.local %p1, %d2;", ISSPACEP, NONE, 1, 1, .space = SPACE_LOCAL),
    ROW("ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%d1+16];", LD, F32, 4, 1, .space = SPACE_GLOBAL, .vector = 4, .flags = FLAG_NC),
    ROW("ld.volatile.shared.u8 %h1, [s+3];", LD, U8, 1, 1, .space = SPACE_SHARED, .flags = FLAG_VOLATILE),
    ROW("ld.relaxed.gpu.global.L1::no_allocate.L2::128B.u64 %d1, [%d2+-8];", LD, U64, 1, 1, .space = SPACE_GLOBAL, .flags = FLAG_UNCACHED | FLAG_ORDERED),
    ROW("ld.u32 %d1, [%d2];", LD, U32, 1, 1, .space = SPACE_GENERIC),
    ROW("ld.param.u32 %r1, [b];", LD, U32, 1, 1, .space = SPACE_PARAM),
    ROW("st.local.v2.b64 [l+16], {%d1, 7};", ST, B64, 0, 3, .space = SPACE_LOCAL, .vector = 2),
    ROW("st.global.wt.f64 [%d1], %e1;", ST, F64, 0, 2, .space = SPACE_GLOBAL, .flags = FLAG_ORDERED),
    ROW("atom.global.add.f32 %f1, [%d1], 0f3f800000;", ATOM, F32, 1, 2, .space = SPACE_GLOBAL, .mode = MODE_ADD),
    ROW("atom.shared.acq_rel.cta.cas.b32 _, [s], 0, 1;", ATOM, B32, 1, 3, .space = SPACE_SHARED, .mode = MODE_CAS),
    ROW("red.max.s64 [%d1], %d2;", RED, S64, 0, 2, .mode = MODE_MAX),
    ROW("bar.sync 0;", BAR, NONE, 0, 1, .mode = MODE_SYNC),
    ROW("barrier.sync.aligned %r1, 64;", BAR, NONE, 0, 2, .mode = MODE_SYNC),
    ROW("bar.arrive 1, 64;", BAR, NONE, 0, 2, .mode = MODE_ARRIVE),
    ROW("bar.warp.sync -1;", BAR, NONE, 0, 1, .mode = MODE_WARP_SYNC),
    ROW("bar.red.and.pred %p1, 0, !%p2;", BAR, PRED, 1, 3, .mode = MODE_RED_AND),
    ROW("bar.red.popc.u32 %r1, 0, 32, %p2;", BAR, U32, 1, 3, .mode = MODE_RED_POPC),
    ROW("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;", SHFL, B32, 2, 4, .mode = MODE_DOWN),
    ROW("shfl.idx.b32 %r1, %r2, %r3, 31;", SHFL, B32, 1, 3, .mode = MODE_IDX),
    ROW("vote.sync.ballot.b32 %r1, %p1, -1;", VOTE, B32, 1, 2, .mode = MODE_BALLOT),
    ROW("vote.all.pred %p1, !%p2;", VOTE, PRED, 1, 1, .mode = MODE_ALL),
    ROW("match.all.sync.b64 %r1|%p1, %d1, -1;", MATCH, B64, 2, 2, .mode = MODE_ALL),
    ROW("activemask.b32 %r1;", ACTIVEMASK, B32, 1, 0, .lut = 0),
    ROW("membar.gl;", MEMBAR, NONE, 0, 0, .lut = 0),
    ROW("fence.acq_rel.sys;", FENCE, NONE, 0, 0, .lut = 0),
    ROW("prefetch.global.L2 [%d1];", PREFETCH, NONE, 0, 1, .space = SPACE_GLOBAL),
    ROW("nanosleep.u32 100;", NANOSLEEP, U32, 0, 1, .lut = 0),
    ROW("exit;", EXIT, NONE, 0, 0, .lut = 0),
    ROW("trap;", TRAP, NONE, 0, 0, .lut = 0),
};
/* clang-format on */

static void arithmetic_is_decoded_to_op_types_and_modifiers(void **state)
{
    (void)state;
    for (size_t i = 0u; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        expect_decoded(&arithmetic[i]);
    }
}

static void comparisons_moves_memory_and_warp_operations_are_decoded(void **state)
{
    (void)state;
    for (size_t i = 0u; i < sizeof others / sizeof others[0]; i++) {
        expect_decoded(&others[i]);
    }
}

/* The bits that the first instruction's source 1 has. */
static void expect_number(const char *line, uint64_t bits)
{
    struct ptx_module *const module = load_line(line);
    const struct ptx_operand o = module->function[0].inst[0].src[1];

    if (o.kind != OPERAND_IMMEDIATE || o.value != bits) {
        ptx_free(module);
        fail_msg("%s: 0x%llx, not 0x%llx", line, (unsigned long long)o.value,
                 (unsigned long long)bits);
    }
    ptx_free(module);
}

static void numbers_are_the_bits_of_their_type(void **state)
{
    (void)state;
    expect_number("add.u32 %r1, %r2, 12;", 12u);
    expect_number("add.u32 %r1, %r2, 0x1fU;", 31u);
    expect_number("add.u32 %r1, %r2, 017;", 15u);
    expect_number("add.u32 %r1, %r2, 0b101;", 5u);
    expect_number("add.s32 %r1, %r2, -1;", 0xffffffffu);
    expect_number("add.s16 %h1, %h2, -2;", 0xfffeu);
    expect_number("add.s64 %d1, %d2, -1;", UINT64_MAX);
    expect_number("add.s32 %r1, %r2, WARP_SZ;", 32u);
    expect_number("add.s32 %r1, %r2, (1 << 4) + 6 / 2 - ~0;", 20u);
    expect_number("add.s32 %r1, %r2, (-7 / 2) * 3 % 5;", 0xfffffffcu);
    expect_number("add.s64 %d1, %d2, (0x8000000000000000 >> 63);", 1u);
    expect_number("add.s64 %d1, %d2, (-1 >> 63);", UINT64_MAX);
    expect_number("add.s64 %d1, %d2, (-1 / -1);", 1u);
    expect_number("add.f32 %f1, %f2, 0f3F800000;", 0x3f800000u);
    expect_number("add.f32 %f1, %f2, -0f3F800000;", 0xbf800000u);
    expect_number("add.f32 %f1, %f2, 0d3ff8000000000000;", 0x3fc00000u);
    expect_number("add.f32 %f1, %f2, 1.5;", 0x3fc00000u);
    expect_number("add.f64 %e1, %e2, 0f3fc00000;", UINT64_C(0x3ff8000000000000));
    expect_number("add.f64 %e1, %e2, 25.0e-1;", UINT64_C(0x4004000000000000));
    expect_number("and.b32 %r1, %r2, 0f3fc00000;", 0x3fc00000u);
}

static void addresses_are_register_and_offset(void **state)
{
    (void)state;
    struct ptx_module *const module =
        load_line("ld.global.u32 %r1, [%d1+-8]; ld.local.u32 %r1, [l+8]; @!%p1 bra L;\n"
                  "ld.shared.u32 %r1, [s+4-8+12]; ld.shared.u32 %r1, [%r2+4];\n"
                  "ld.global.u32 %r1, [4096]; L: st.shared.u32 [32], -1;");
    const struct ptx_inst *const i = module->function[0].inst;

    assert_int_equal((int64_t)i[0].src[0].value, -8);
    assert_int_equal(i[0].src[0].reg, 1u);
    assert_int_equal(i[1].src[0].reg, PTX_NO_REGISTER);
    assert_int_equal(i[1].src[0].value, 8u);
    assert_true(i[2].guard_negate);
    assert_int_equal(i[2].target, 6u);
    assert_int_equal(i[3].src[0].value, 8u);
    /* A 32-bit register is read as it is, and a plain number has none: one instruction each. */
    assert_int_equal(i[4].op, PTX_LD);
    assert_int_equal(module->function[0].reg[i[4].src[0].reg].class, CLASS_32);
    assert_int_equal(i[4].src[0].value, 4u);
    assert_int_equal(i[5].src[0].kind, OPERAND_IMMEDIATE);
    assert_int_equal(i[5].src[0].reg, PTX_NO_REGISTER);
    assert_int_equal(i[5].src[0].value, 4096u);
    assert_int_equal(i[6].src[0].value, 32u);
    ptx_free(module);
}

/* ---- Declarations -------------------------------------------------------------------- */

static const char module_text[] =
    "// comment\n/* of two\nlines */ .version 8.2\n.target sm_80, debug\n.address_size 64\n"
    ".file 1 \"a.cu\"\n"
    ".global .align 1 .b8 text[5] = {104, 105, 33, 10, 0};\n"
    ".global .align 8 .u64 table[4] = {generic(text), text+2, generic(text)+3, 0};\n"
    ".const .align 4 .f32 grid[2][2] = {{0f3F800000}, {1.5, -2.0}};\n"
    ".visible .global .v2 .u16 pair = {1, 0xffff};\n"
    ".global .s32 list[] = {1, -1, (3*4)};\n"
    ".shared .align 8 .b8 first[12];\n"
    ".shared .f64 unused[100];\n"
    ".extern .shared .align 4 .b8 dynamic[];\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u8 q,\n"
    " .param .align 8 .b8 r[12], .param .f32 s)\n"
    ".maxntid 16, 8, 2\n.minnctapersm 2\n.maxnreg 32\n"
    "{\n.loc 1 5 3, function_name $L, inlined_at 1 2 3\n"
    ".reg .b64 %rd<3>; .reg .b32 x, %r0, %r1_<4>;\n"
    ".local .align 16 .b8 depot[20];\n.local .u32 more;\n.shared .u16 second;\n"
    ".pragma \"nounroll\";\n"
    "mov.u64 %rd0, first; mov.u64 %rd0, second; mov.u64 %rd0, dynamic+4;\n"
    "mov.u64 %rd1, depot; mov.u64 %rd1, more; mov.u64 %rd2, grid+4; mov.u64 %rd2, list;\n"
    "ld.param.u64 %rd0, [p]; ld.param.u8 x, [q]; ld.param.u32 %r1_3, [r+8]; ld.param.f32 %r0, "
    "[s];\n"
    "}\n.section .debug_str { .b8 1, 2 \"}\" // }\n { } }\n";

static void variables_have_addresses_sizes_and_first_values(void **state)
{
    (void)state;
    struct ptx_module *const module = load_ptx(module_text);
    const struct ptx_variable *const v = module->variable;
    static const uint8_t grid[] = { 0, 0, 0x80, 0x3f, 0, 0, 0, 0,
                                    0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0 };
    static const uint8_t pair[] = { 1, 0, 0xff, 0xff };
    uint32_t count;
    uint64_t word;

    assert_int_equal(module->n_variable, 5u);
    assert_string_equal(v[0].name, "text");
    assert_int_equal(v[0].bytes, 5u);
    assert_memory_equal(v[0].init, "hi!\n", 5u);
    assert_int_equal(v[1].address, 8u);
    memcpy(&word, v[1].init + 8, sizeof word);
    assert_int_equal(word, 2u);
    assert_memory_equal(v[2].init, grid, sizeof grid);
    assert_int_equal(v[2].space, SPACE_CONST);
    assert_memory_equal(v[3].init, pair, sizeof pair);
    assert_int_equal(v[4].bytes, 12u);
    assert_int_equal(module->const_bytes, 16u);
    assert_int_equal(module->global_bytes, 56u);
    const struct ptx_relocation *const r = ptx_relocations(module, &count);
    assert_int_equal(count, 3u);
    assert_ptr_equal(r[2].in, &v[1]);
    assert_int_equal(r[2].offset, 16u);
    ptx_free(module);
}

static void an_entry_has_parameters_and_memory_of_its_own(void **state)
{
    (void)state;
    struct ptx_module *const module = load_ptx(module_text);
    const struct ptx_function *const f = ptx_entry(module, "k");
    static const uint64_t addresses[] = { 0, 12, 20, 0, 32, 4, 44, 0, 8, 24, 28 };

    assert_non_null(f);
    assert_null(ptx_entry(module, "other"));
    assert_int_equal(f->n_param, 4u);
    assert_int_equal(f->param_bytes, 32u);
    assert_int_equal(f->param[2].address, 16u);
    assert_int_equal(f->param[2].bytes, 12u);
    assert_int_equal(f->max_threads, 256u);
    assert_int_equal(f->local_bytes, 32u);
    assert_int_equal(f->shared_bytes, 16u);
    assert_int_equal(f->n_inst, 12u);
    assert_int_equal(f->inst[11].op, PTX_RET);
    for (uint32_t i = 0u; i < 11u; i++) {
        const uint64_t expected = i == 2u ? 20u : i == 4u ? 20u : addresses[i];
        if (f->inst[i].src[0].value != expected) {
            const unsigned long long is = f->inst[i].src[0].value;
            ptx_free(module);
            fail_msg("address %u: %llu", i, is);
        }
    }
    ptx_free(module);
}

/* ---- Calls --------------------------------------------------------------------------- */

#define CALL_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char call_text[] = CALL_HEAD
    ".func (.param .b32 out) square(.param .b32 in, .param .align 4 .b8 by[4])\n{\n"
    ".reg .f32 %f<3>; .reg .pred %p; .reg .b16 %h;\n"
    "ld.param.f32 %f1, [in]; ld.param.s8 %h, [by+1];\n"
    "setp.lt.f32 %p, %f1, 0f00000000; @%p bra L;\n"
    "mul.f32 %f2, %f1, %f1; st.param.f32 [out+0], %f2; ret;\n"
    "L: st.param.f32 [out], %f1; ret;\n}\n"
    ".visible .entry k() {\n.reg .f32 %f<3>; .reg .b16 %h;\nmov.f32 %f1, 0f40000000;\n"
    "{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b32 param0;\n"
    "st.param.f32 [param0+0], %f1;\n.param .align 4 .b8 param1[4];\nst.param.b8 [param1+1], "
    "%h;\n"
    ".param .b32 retval0;\ncall.uni (retval0),\nsquare,\n(\nparam0,\nparam1\n);\n"
    "ld.param.f32 %f2, [retval0+0];\n} // callseq 0\nL: ret;\n}\n";

static void a_call_becomes_moves_and_the_function_s_instructions(void **state)
{
    (void)state;
    static const uint8_t ops[] = { PTX_MOV,  PTX_MOV, PTX_CVT, PTX_MOV, PTX_CVT,
                                   PTX_SETP, PTX_BRA, PTX_MUL, PTX_MOV, PTX_BRA,
                                   PTX_MOV,  PTX_MOV, PTX_RET };
    struct ptx_module *const module = load_ptx(call_text);
    const struct ptx_function *const f = ptx_entry(module, "k");

    assert_int_equal(module->n_function, 1u);
    assert_int_equal(f->n_inst, sizeof ops);
    for (uint32_t i = 0u; i < sizeof ops; i++) {
        assert_int_equal(f->inst[i].op, ops[i]);
    }
    assert_int_equal(f->inst[4].type, PTX_S16);
    assert_int_equal(f->inst[4].source_type, PTX_S8);
    assert_int_equal(f->inst[6].target, 10u);
    assert_int_equal(f->inst[9].target, 11u);
    assert_int_equal(f->inst[11].src[0].reg, f->inst[8].dst[0].reg);
    assert_int_equal(f->local_bytes, 0u);
    ptx_free(module);
}

static void a_parameter_reached_in_two_ways_is_in_local_memory(void **state)
{
    (void)state;
    struct ptx_module *const module = load_ptx(
        CALL_HEAD ".func f(.param .align 8 .b8 s[8]) {\n.reg .b32 r; .local .b32 l;\n"
                  "ld.param.u32 r, [s+4]; st.local.u32 [l], r; }\n"
                  ".visible .entry k() {\n.reg .b64 d; .reg .b32 r; .param .align 8 .b8 p[8];\n"
                  "st.param.b64 [p], d; call f, (p); call f, (p);\n}\n");
    const struct ptx_function *const f = ptx_entry(module, "k");

    assert_int_equal(f->n_inst, 6u);
    assert_int_equal(f->inst[0].op, PTX_ST);
    assert_int_equal(f->inst[0].space, SPACE_LOCAL);
    assert_int_equal(f->inst[1].op, PTX_LD);
    assert_int_equal(f->inst[1].src[0].value, f->inst[0].src[0].value + 4u);
    /* Both copies' local variables share a place that is the caller's no more. */
    assert_int_equal(f->inst[2].src[0].value, 16u);
    assert_int_equal(f->inst[4].src[0].value, 16u);
    assert_int_equal(f->local_bytes, 32u);
    ptx_free(module);
}

static void parameters_of_functions_may_be_registers(void **state)
{
    (void)state;
    struct ptx_module *const module =
        load_ptx(CALL_HEAD ".func (.reg .b32 o) f(.reg .b32 a, .param .b32 b) {\n.reg .b32 r;\n"
                           "ld.param.u32 r, [b]; add.u32 o, a, r; }\n"
                           ".visible .entry k() {\n.reg .b32 %r<3>; .reg .pred %p<2>;\n"
                           "@%p1 call (%r1), f, (7, %r2);\n}\n");
    const struct ptx_function *const f = ptx_entry(module, "k");

    assert_int_equal(f->n_inst, 7u);
    assert_int_equal(f->inst[0].op, PTX_BRA);
    assert_true(f->inst[0].guard_negate);
    assert_int_equal(f->inst[0].target, 6u);
    assert_int_equal(f->inst[1].src[0].value, 7u);
    assert_int_equal(f->inst[4].op, PTX_ADD);
    assert_int_equal(f->inst[5].src[0].reg, f->inst[4].dst[0].reg);
    ptx_free(module);
}

static void inner_names_hide_outer_ones(void **state)
{
    (void)state;
    struct ptx_module *const module =
        load_line("mov.u32 %r1, 1; {.reg .b32 %r<5>; .reg .pred p; mov.u32 %r1, 2;\n"
                  "@p bra L; mov.u32 %r1, 3; L: } mov.u32 %r1, 4; L:");
    const struct ptx_inst *const i = module->function[0].inst;

    assert_int_equal(i[4].dst[0].reg, i[0].dst[0].reg);
    assert_int_equal(i[3].dst[0].reg, i[1].dst[0].reg);
    assert_int_not_equal(i[1].dst[0].reg, i[0].dst[0].reg);
    assert_int_equal(i[2].target, 4u);
    ptx_free(module);
}

/* ---- Files --------------------------------------------------------------------------- */

static void a_file_is_read_or_refused_by_its_name(void **state)
{
    (void)state;
    struct fault fault;
    char path[] = "/tmp/ptx_reader_XXXXXX";
    const int descriptor = mkstemp(path);

    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, call_text, strlen(call_text)), strlen(call_text));
    assert_int_equal(close(descriptor), 0);
    struct ptx_module *const module = ptx_load(path, &fault);
    assert_non_null(module);
    assert_string_equal(module->file, path);
    ptx_free(module);
    assert_int_equal(unlink(path), 0);
    assert_null(ptx_load(path, &fault));
    assert_non_null(strstr(fault_text(&fault), "cannot be opened"));
    assert_null(ptx_load("/", &fault));
    assert_non_null(strstr(fault_text(&fault), "cannot be read"));
    ptx_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_decoded_to_op_types_and_modifiers),
        cmocka_unit_test(comparisons_moves_memory_and_warp_operations_are_decoded),
        cmocka_unit_test(numbers_are_the_bits_of_their_type),
        cmocka_unit_test(addresses_are_register_and_offset),
        cmocka_unit_test(variables_have_addresses_sizes_and_first_values),
        cmocka_unit_test(an_entry_has_parameters_and_memory_of_its_own),
        cmocka_unit_test(a_call_becomes_moves_and_the_function_s_instructions),
        cmocka_unit_test(a_parameter_reached_in_two_ways_is_in_local_memory),
        cmocka_unit_test(parameters_of_functions_may_be_registers),
        cmocka_unit_test(inner_names_hide_outer_ones),
        cmocka_unit_test(a_file_is_read_or_refused_by_its_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
