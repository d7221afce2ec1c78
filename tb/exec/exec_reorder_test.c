/*
 * A kernel in the order of a list scheduler computes what it computes in that of its text:
 * random programs with loads, stores, guards, carries and vectors, executed both ways.
 */

#include "tb/exec/exec_kernel.h"

#include "tb/base/seed.h"
#include "tb/ptx/ptx_text.h"

enum { THREADS = 64, OWN = 16, ROUNDS = 400, MOST = 60, SIZE = 8192 };

/* Registers 4 to 11 are drawn; %d4 and %d5 are the thread's words of global and shared memory.
 */
static const char head[] = HEADER ".shared .align 16 .b8 s[4096];\n" ENTRY
                                  "mul.wide.u32 %d2, %r1, 64;\nadd.u64 %d4, %d1, %d2;\n"
                                  "mov.u64 %d5, s;\nadd.u64 %d5, %d5, %d2;\n"
                                  "cvta.shared.u64 %d6, %d5;\n";

static size_t one_line(uint64_t *random, char *text, size_t size)
{
    static const char *const forms[] = {
        "add.u32 %%r%u, %%r%u, %%r%u;\n",        "mad.lo.u32 %%r%u, %%r%u, %%r%u, %%r4;\n",
        "add.cc.u32 %%r%u, %%r%u, %%r%u;\n",     "addc.u32 %%r%u, %%r%u, %%r%u;\n",
        "subc.cc.u32 %%r%u, %%r%u, %%r%u;\n",    "@%%p1 xor.b32 %%r%u, %%r%u, %%r%u;\n",
        "@!%%p2 sub.u32 %%r%u, %%r%u, %%r%u;\n",
    };
    const uint32_t a = 4u + random_below(random, 8u), b = 4u + random_below(random, 8u);
    const uint32_t c = 4u + random_below(random, 8u), at = 4u * random_below(random, OWN);
    const uint32_t at16 = at / 16u * 16u, which = random_below(random, 16u);

    switch (which) {
    case 0:
        return (size_t)snprintf(text, size, "ld.global.u32 %%r%u, [%%d4+%u];\n", a, at);
    case 1:
        return (size_t)snprintf(text, size, "st.global.u32 [%%d4+%u], %%r%u;\n", at, a);
    case 2:
        return (size_t)snprintf(text, size, "ld.shared.u32 %%r%u, [%%d5+%u];\n", a, at);
    case 3:
        return (size_t)snprintf(text, size, "st.shared.u32 [%%d5+%u], %%r%u;\n", at, a);
    case 4:
        return (size_t)snprintf(text, size, "@%%p1 st.u32 [%%d6+%u], %%r%u;\n", at, a);
    case 5:
        return (size_t)snprintf(text, size, "ld.global.v2.u32 {%%r%u, %%r%u}, [%%d4+%u];\n", a,
                                b, at16);
    case 6:
        return (size_t)snprintf(text, size, "setp.lt.u32 %%p1|%%p2, %%r%u, %%r%u;\n", a, b);
    case 7:
        return (size_t)snprintf(text, size, "ld.u32 %%r%u, [%%d6+%u];\n", a, at);
    case 8:
        return (size_t)snprintf(text, size,
                                "st.global.v4.u32 [%%d4+%u], {%%r4, %%r%u, %%r%u, %%r5};\n",
                                at16, a, b);
    default:
        return (size_t)snprintf(text, size, forms[(which - 9u) % 7u], a, b, c);
    }
}

static void make(uint64_t *random, char *text)
{
    const uint32_t n = 5u + random_below(random, MOST);
    size_t at = (size_t)snprintf(text, SIZE, "%s", head);

    for (uint32_t r = 4u; r < 12u; r++) {
        at += (size_t)snprintf(text + at, SIZE - at, "mul.lo.u32 %%r%u, %%r1, %u;\n", r,
                               random_below(random, 1u << 30));
    }
    at += (size_t)snprintf(text + at, SIZE - at,
                           "setp.ne.u32 %%p1, %%r4, %%r5;\nsetp.lt.u32 %%p2, %%r6, %%r7;\n");
    for (uint32_t k = 0u; k < n; k++) {
        at += one_line(random, text + at, SIZE - at);
    }
    for (uint32_t r = 4u; r < 12u; r++) {
        at += (size_t)snprintf(text + at, SIZE - at, "st.global.u32 [%%d4+%u], %%r%u;\n",
                               4u * (r - 4u), r);
    }
    (void)snprintf(text + at, SIZE - at, END);
}

/* The words after a run; registers 0: in the order of the text. The instructions that moved. */
static uint32_t words_of(const char *text, uint32_t registers, uint32_t *words)
{
    struct bench b;
    uint32_t moved = 0u;

    bench_open(&b, text, THREADS);
    if (registers != 0u) {
        const struct ptx_order order = order_of(registers);
        assert_true(ptx_reorder(b.module, &order, &b.fault));
        for (uint32_t k = 1u; k < b.launch.function->n_inst; k++) {
            moved += b.launch.function->inst[k].line < b.launch.function->inst[k - 1u].line;
        }
    }
    for (uint32_t k = 0u; k < THREADS * OWN; k++) {
        b.word[k] = k * 0x9e3779b9u;
    }
    bench_run(&b);
    memcpy(words, b.word, THREADS * OWN * sizeof *words);
    bench_close(&b);
    return moved;
}

static void the_order_of_a_compiler_computes_the_same(void **state)
{
    static uint32_t plain[THREADS * OWN], ordered[THREADS * OWN];
    uint64_t random = printed_seed();
    uint32_t moved = 0u;

    (void)state;
    for (uint32_t round = 0u; round < ROUNDS; round++) {
        char text[SIZE];
        make(&random, text);
        words_of(text, 0u, plain);
        moved += words_of(text, round % 2u == 0u ? 255u : 12u, ordered);
        if (memcmp(plain, ordered, sizeof plain) != 0) {
            fail_msg("round %u:\n%s", round, text);
        }
    }
    assert_true(moved > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_a_compiler_computes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
