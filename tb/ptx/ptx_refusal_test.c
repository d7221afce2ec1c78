/* Tests of the PTX reader: where and how wrong text is refused. */

#include "tb/ptx/ptx_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void wrong_instructions_are_refused_with_what_is_allowed(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        { "frob.u32 %r1, %r2;", "frob.u32: an unsupported instruction; allowed: abs" },
        { "mma.sync.aligned.m8n8k4 %r1;", "unsupported instruction" },
        { "cp.async.ca.shared.global [%d1], [%d2], 4;", "unsupported instruction" },
        { "add.b32 %r1, %r2, %r3;",
          "unsupported type; allowed: .u16 .u32 .u64 .s16 .s32 .s64 .f16" },
        { "add %r1, %r2, %r3;", "unsupported type" },
        { "add.u8 %r1, %r2, %r3;", "unsupported type" },
        { "mul.u32 %r1, %r2, %r3;", "unsupported mode; allowed: .lo .hi .wide" },
        { "mul.wide.u64 %d1, %d2, %d3;", "unsupported mode; allowed: .lo .hi" },
        { "fma.f32 %f1, %f2, %f3, %f4;", "unsupported rounding; allowed: .rn .rz .rm .rp" },
        { "div.f32 %f1, %f2, %f3;", ".approx .full" },
        { "add.sat.u32 %r1, %r2, %r3;", "unsupported modifier; allowed: .cc" },
        { "add.rn.rz.f32 %f1, %f2, %f3;", ".rz is one too many" },
        { "add.u32.u32.u32 %r1, %r2, %r3;", "too many types" },
        { "add.relu.f16 %h1, %h2, %h3;", ".relu is not supported here" },
        { "add.u32 %r1, %r2;", "2 operands; allowed: 3" },
        { "add.u32 %r1, %r2, %h1;", "%h1 is .b16; allowed: .u32" },
        { "add.u32 %d1, %r2, %r3;", "%d1 is .b64" },
        { "add.u32 %r1, %r9, %r3;", "nothing is called %r9" },
        { "add.u32 %r1, %r01, %r3;", "nothing is called %r01" },
        { "add.u32 5, %r2, %r3;", "no register to write" },
        { "add.u32 %r1, !%r2, %r3;", "a negated %r2" },
        { "add.u32 %r1, s, 1;", "no value: s" },
        { "add.f32 %f1, %f2, 1;", "a number of another kind" },
        { "add.u32 %r1, %r2, 1.5;", "allowed for .u32: integers" },
        { "add.u32 %r1, %r2, 0f3f80;", "0f3f80 is no number" },
        { "add.u32 %r1, %r2, 99999999999999999999;", "is no number" },
        { "add.u32 %r1, %r2, (1 / 0);", "a division by zero" },
        { "cvt.f32.s32 %f1, %r1;", "unsupported rounding; allowed: .rn .rz .rm .rp" },
        { "cvt.s32.f32 %r1, %f1;", "allowed: .rni .rzi" },
        { "cvt.rn.f64.f32 %e1, %f1;", "unsupported rounding; allowed: none" },
        { "cvt.rna.tf32.f32 %r1, %f1;", ".rna is not supported" },
        { "setp.s32 %p1, %r1, %r2;", "no comparison" },
        { "setp.lt.b32 %p1, %r1, %r2;", "unsupported comparison; allowed: .eq .ne" },
        { "setp.lo.s32 %p1, %r1, %r2;", "unsupported comparison" },
        { "setp.ltu.u32 %p1, %r1, %r2;", "unsupported comparison" },
        { "selp.b32 %r1, %r2, %r3, %r4;", "%r4 is .b32; allowed: .pred" },
        { "ld.global.v3.u32 {%r1,%r2,%r3}, [%d1];", ".v3 is not supported" },
        { "ld.global.v4.u64 {%d1,%d2,%d3,%d4}, [%d1];", "too large a vector; allowed: 16" },
        { "ld.global.v2.u32 %r1, [%d1];", "one register" },
        { "ld.global.v2.u32 {%r1}, [%d1];", "too few elements" },
        { "ld.global.u32 {%r1,%r2}, [%d1];", "a vector" },
        { "ld.global.u64 %r1, [%d1];", "%r1 is .b32; allowed: .u64 and wider" },
        { "ld.global.u32 %r1, [%r2];", "an address in %r2; allowed: 64-bit" },
        { "ld.global.u32 %r1, [s];", "another space than that of s" },
        { "ld.global.u32 %r1, %d1;", "no address" },
        { "ld.shared.nc.u32 %r1, [s];", ".nc of another space" },
        { "st.const.u32 [%d1], %r1;", "unsupported state space" },
        { "st.param.u32 [b], %r1;", "st.param to b of an entry" },
        { "ld.param.u64 %d1, [b];", "outside of b" },
        { "atom.global.add.b32 %r1, [%d1], 1;",
          "unsupported mode; allowed: .and .or .xor .exch .cas" },
        { "atom.global.inc.u64 %d1, [%d1], 1;", "unsupported mode; allowed: .add .min .max" },
        { "red.exch.b32 [%d1], 1;", "unsupported mode" },
        { "atom.u32 %r1, [%d1], 1;", "unsupported mode; allowed: .add" },
        { "cvta.param.u64 %d1, %d2;",
          "unsupported state space; allowed: .global .shared .local .const" },
        { "shfl.sync.bfly.b32 %r1, %r2, 1, 31;", "no mask of lanes" },
        { "shfl.bfly.b32 %r1, %r2, 1, 31, -1;", "a mask of lanes" },
        { "vote.sync.ballot.pred %p1, %p2, -1;", "unsupported mode; allowed: .all .any .uni" },
        { "mov.b64 %d1, {%r1, %h1};", "%h1 is .b16; allowed: .b32" },
        { "mov.b64 %d1, {%r1, %r2, %r3};", "another vector" },
        { "mov.u32 %r1, %envreg3;", "nothing is called %envreg3" },
        { "bra M;", "no label M" },
        { "bra s;", "no label s" },
        { "brx.idx %r1, t;", "brx.idx: no .branchtargets t" },
        { "L: brx.idx %r1, L;", "brx.idx: no .branchtargets L" },
        { "t: .branchtargets M; brx.idx %r1, t;", "no label M" },
        { "t: .branchtargets t; brx.idx %r1, t;", "no label t" },
        { "t: .branchtargets M; t: ret;", "t is declared twice" },
        { "t: .branchtargets M; bra t;", "no label t" },
        { "t: .branchtargets ;", "unexpected \";\"; allowed: name" },
        { ".branchtargets M;", "unexpected \".branchtargets\"" },
        { "L: brx %r1, t;", "brx: unsupported mode; allowed: .idx" },
        { "L: brx.idx %d1, t;", "%d1 is .b64; allowed: .u32" },
        { "L: brx.idx %r1;", "no targets; allowed: an index, the name" },
        { "L: brx.idx;", "no targets" },
        { "L: brx.idx %r1, t, t;", "no targets" },
        { "@%r1 bra M;", "@%r1 is no predicate" },
        { "call f, (%r1);", "call of f, which is no function" },
        { "call (%r1), %d1, (%r1), proto;", "an indirect call through proto" },
        { "call k;", "call of k, which is an entry" },
        { "call cudaGraphLaunch, (%d1, %d1);",
          "call of cudaGraphLaunch, which is no function; allowed: functions of this file, "
          "called "
          "by name, and of the device runtime: cudaGetParameterBuffer" },
        { "mov.u32 %r1, k;", "no value: k" },
        { "mov.u64 %d1, k+4;", "a sum with k" },
        { "cvta.global.u64 %d1, k;", "no value: k" },
        { "add.u64 %d1, k, %d2;", "no value: k" },
        { "ld.global.u32 %r1, [k];", "no address: k" },
        { "add.u32 %r1, %r2, %r3", "unexpected \"ret\"" },
        { "add.u32 %r1, [%r2, %r3;", "unexpected \",\"" },
        { "lop3.b32 %r1, %r2, %r3, %r4, %r5;",
          "an operand of another kind; allowed: a number" },
        { "T: .calltargets k;", ".calltargets is not supported" },
        { ".reg .v2 .b32 %v;", "register %v is a vector" },
        { ".reg .u32 %r<3>;", "%r is declared twice" },
        { ".local .b8 m[];", "m has no size" },
        { ".local .b8 m[65536][65536];", "too many bytes" },
        { ".local .b8 m[16777217]; mov.u64 %d1, m;", "too much local memory" },
        { ".local .pred m;", "m has no type of a variable" },
        { "\x01", "unexpected \"?\"" },
    };

    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[4096];
        const bool later = strstr(wrong[i][1], "unexpected \"ret\"") != NULL;
        snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, wrong[i][0]);
        expect_refused(text, later ? "test.ptx:11: " : "test.ptx:10: ", wrong[i][1]);
    }
    expect_line_refused("add.u32 %r1, \"a\";", "unexpected \"\"a\"\"");
}

static void wrong_declarations_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *start, *words;
    } wrong[] = {
        { ".version 20.0\n", "test.ptx:1: ", ".version 20.0; allowed" },
        { ".version 7.0\n.target sm_100\n", "test.ptx:2: ", ".target sm_100; allowed: sm_20" },
        { ".address_size 32\n", "test.ptx:1: ", "allowed: 64" },
        { "\n.global .u32 a; .global .u32 a;", "test.ptx:2: ", "a is declared twice" },
        { ".global .u32 a[2] = {1, 2, 3};", "test.ptx:1: ", "more first values than elements" },
        { ".global .u32 a[2][2] = {{1, 2, 3}};", "test.ptx:1: ", "more first values" },
        { ".global .u32 a = {{1}};", "test.ptx:1: ", "too deep a {" },
        { ".global .u32 a = 1.5;", "test.ptx:1: ", "a first value of another kind" },
        { ".global .f32 a = 1;", "test.ptx:1: ", "allowed: of type f32" },
        { ".global .u64 a = b;", "test.ptx:1: ", "b as a first value" },
        { ".entry e(); .global .u32 a = e;",
          "test.ptx:1: ", "the address of entry e in another type" },
        { ".entry e(); .global .u64 a = e+8;", "test.ptx:1: ", "in a sum; allowed: alone" },
        { ".entry e();\n.global .u64 a = e;", "test.ptx:2: ", "of e, which has no body here" },
        { ".entry e();\n.entry k() { .reg .b64 d; mov.u64 d, e; ret; }",
          "test.ptx:2: ", "of e, which has no body here" },
        { ".func f(); .global .u64 a = f;", "test.ptx:1: ", "f as a first value" },
        { ".extern .func (.param .b32 e) cudaLaunchDeviceV2 (.param .b64 b);", "test.ptx:1: ",
          "cudaLaunchDeviceV2 of the device runtime with another prototype; allowed: b32 from "
          "parameters b64 b64" },
        { ".extern .func (.param .b32 e) __cudaCDP2EventRecord_ptsz (.param .b64 b, .reg .b64 "
          "c);",
          "test.ptx:1: ", "__cudaCDP2EventRecord_ptsz of the device runtime" },
        { ".extern .func (.param .b64 e) free (.param .b64 b);",
          "test.ptx:1: ", "allowed: parameters b64" },
        { ".shared .u32 a = 1;", "test.ptx:1: ", "allowed: of .global and .const" },
        { ".global .align 3 .u32 a;", "test.ptx:1: ", "allowed: powers of two" },
        { ".global .b8 a[2147483648][2147483648][4];", "test.ptx:1: ", "too many bytes" },
        { ".global .u32 a[];", "test.ptx:1: ", "a has no size" },
        { ".global .u32 a[0];", "test.ptx:1: ", "an array of no elements" },
        { ".global .bf16 a;", "test.ptx:1: ", ".bf16 in a declaration" },
        { ".local .u32 a;", "test.ptx:1: ", "outside of a function" },
        { ".reg .u32 a;", "test.ptx:1: ", "register a outside" },
        { ".tex .u64 t;", "test.ptx:1: ", ".tex is not supported; allowed: .version" },
        { ".entry k() {\n", "test.ptx:2: ", "unexpected end of the file" },
        { ".entry k() { } .entry k() { }", "test.ptx:1: ", "k has two bodies" },
        { ".entry k(.reg .u32 a) { }", "test.ptx:1: ", "in a register" },
        { ".entry k(.param .b8 a[40000]) { }", "test.ptx:1: ", "another size of parameter a" },
        { ".entry k() .maxntid 2048 { }", "test.ptx:1: ", "allowed: 1 to 1024" },
        { ".entry k() .reqnctapercluster 2 { }", "test.ptx:1: ", "is not supported" },
        { ".extern .func f;\n.entry k() { call f; }",
          "test.ptx:2: ", "which is not defined here" },
        { ".func f { call f; }\n.entry k() { call f; }", "test.ptx:1: ", "recursion" },
        { ".func f(.param .u32 a) { }\n.entry k() { call f; }",
          "test.ptx:2: ", "0 parameters; allowed: 0, 1" },
        { ".extern .global .u32 e;\n.entry k() { .reg .u64 d; mov.u64 d, e; }",
          "test.ptx:2: ", "e is .extern" },
        { "/* no end\n", "test.ptx:2: ", "unexpected" },
        { ".section .debug {\n", "test.ptx:2: ", "in .section" },
    };

    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect_refused(wrong[i].text, wrong[i].start, wrong[i].words);
    }
}

static void nesting_and_growth_are_bounded(void **state)
{
    (void)state;
    static char text[200000];
    char *end = text + sprintf(text, ".entry k() {");

    memset(end, '{', 1000u);
    end[1000] = '\0';
    expect_refused(text, "test.ptx:1: ", "too deep a { }");
    end = text + sprintf(text, ".global .u32 a = ");
    memset(end, '(', 100000u);
    end[100000] = '\0';
    expect_refused(text, "test.ptx:1: ", "allowed: less nesting");
    /* Each function calls the one before twice: 2^40 copies. */
    end = text + sprintf(text, ".func f0 { }\n");
    for (int i = 1; i <= 40; i++) {
        end += sprintf(end, ".func f%d { call f%d; call f%d; }\n", i, i - 1, i - 1);
    }
    sprintf(end, ".entry k() { call f40; }\n");
    expect_refused(text, "test.ptx:", "too many calls in k");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_instructions_are_refused_with_what_is_allowed),
        cmocka_unit_test(wrong_declarations_are_refused_with_their_line),
        cmocka_unit_test(nesting_and_growth_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
