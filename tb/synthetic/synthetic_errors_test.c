/* synthetic_errors_test - workload files with something wrong. */

#include "synthetic_open.h"

/* ---- Errors -------------------------------------------------------------------------- */

/* The step that stands on line 7 is refused with this, and at this line and key. */
static void check_refused(const char *step, uint32_t line, const char *key, const char *why)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    char text[1024];
    struct fault fault;
    char place[128];

    snprintf(text, sizeof text,
             "kernels:\n  - name: k\n    grid: [2, 1, 1]\n    block: [64, 1, 1]\n"
             "    registers: 20\n    body:\n      - %s\n",
             step);
    char *const path = write_text(text);
    snprintf(place, sizeof place, "%s:%u: %s: ", path, line, key);
    assert_false(synthetic_load(path, &config, &synthetic, &fault));
    if (strncmp(fault_text(&fault), place, strlen(place)) != 0
        || strstr(fault_text(&fault), why) == NULL) {
        fail_msg("%s\n  gives    %s\n  expected %s... %s", step, fault_text(&fault), place,
                 why);
    }
    unlink(path);
    free(path);
}

static void a_bad_value_is_refused_with_its_line_key_and_what_is_allowed(void **state)
{
#define STEP "kernels.0.body.0"
    static const char *const cases[][3] = {
        { "{op: jump}", STEP ".op", "integer, fp32" },
        { "{op: exit}", STEP ".op", "barrier are allowed" },
        { "{count: 2}", STEP, "one of op, repeat and mix" },
        { "{op: integer, repeat: 2}", STEP, "one of op, repeat and mix" },
        { "{op: integer, pattern: stream}", STEP ".pattern", "may have: count, words" },
        { "{op: store, dst: r1}", STEP ".dst", "may have" },
        { "{op: integer, count: 0}", STEP ".count", "from 1 to 1048576" },
        { "{op: integer, lanes: 33}", STEP ".lanes", "from 0 to 32" },
        { "{op: integer, words: 9}", STEP ".words", "from 1 to 8" },
        { "{op: integer, dst: x1}", STEP ".dst", "r0 to r19" },
        { "{op: integer, dst: r20}", STEP ".dst", "r0 to r19" },
        { "{op: integer, dst: r19, words: 2}", STEP ".dst", "20 registers" },
        { "{op: integer, src: [r0, r20]}", STEP ".src", "r0 to r19" },
        { "{op: integer, src: [r0, r0, r0, r0, r0]}", STEP ".src", "at most 4" },
        { "{op: integer, depends: 33}", STEP ".depends", "1 to 32" },
        { "{op: integer, depends: 5..2}", STEP ".depends", "1 to 32" },
        { "{op: load, element: 3}", STEP ".element", "1, 2, 4, 8 or 16" },
        { "{op: load, pattern: spiral}", STEP ".pattern", "stream, stride" },
        { "{op: load, pattern: stride}", STEP ".stride", "needed" },
        { "{op: load, pattern: stride, stride: 6}", STEP ".stride", "multiple" },
        { "{op: load, pattern: random}", STEP ".footprint", "needed" },
        { "{op: load, pattern: random, footprint: 4095}", STEP ".footprint", "4096 bytes" },
        { "{op: load, pattern: tile}", STEP ".group", "tile" },
        { "{op: load, group: 2}", STEP ".group", "tile" },
        { "{op: load, per: lane}", STEP ".per", "random" },
        { "{op: load, read: never}", STEP ".read", "volatile" },
        { "{op: integer, kind: divide}", STEP ".kind", "divide with op: fp64 and op: sfu" },
        { "{op: fp64, kind: integer-divide}", STEP ".kind", "integer-divide with op: sfu" },
        { "{op: fp32, kind: multiply}", STEP ".kind",
          "multiply, multiply-add, convert, simple and min-max with op: integer" },
        { "{op: sfu, kind: quick}", STEP ".kind", "quick: allowed are multiply" },
        { "{op: load, kind: multiply}", STEP ".kind", "this step may have" },
        { "{op: store, read: volatile}", STEP ".read", "this step may have" },
        { "{op: load, region: 32}", STEP ".region", "from 0 to 31" },
        { "{op: load, offset: 2}", STEP ".offset", "multiple" },
        { "{op: store, pattern: chase, footprint: 4096}", STEP ".pattern", "load" },
        { "{op: shared, passes: 33}", STEP ".passes", "from 1 to 32" },
        { "{op: shared, passes: 3, stride: 4}", STEP ".passes", "either" },
        { "{op: branch, taken: 1.5}", STEP ".taken", "from 0 to 1" },
        { "{op: branch, body: [{op: barrier}]}", STEP ".body.0.op", "not all warps" },
        { "{op: integer, diverge: {probability: 2, lanes: 1}}", STEP ".diverge.probability",
          "from 0 to 1" },
        { "{mix: {exit: 1}}", STEP ".mix.exit", "ends with" },
        { "{mix: {load: 0}}", STEP ".mix", "sum" },
        { "{repeat: 3}", STEP ".repeat", "body" },
        { "{repeat: 1000, body: [{op: integer, count: 2000}]}", STEP ".body.0.count",
          "1048576 instructions" },
        { "{op: load, count: 100000, pattern: stride, stride: 128}", "kernels.0.body",
          "access words" },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        const bool whole = strcmp(cases[i][1], "kernels.0.body") == 0;
        check_refused(cases[i][0], whole ? 6u : 7u, cases[i][1], cases[i][2]);
    }
    check_refused("{op: integer, depends: 30}", 5u, "kernels.0.registers", "at least 31");
#undef STEP
}

static void a_key_that_does_not_exist_is_refused(void **state)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    struct fault fault;

    (void)state;
    assert_false(synthetic_load("no-such-workload", &config, &synthetic, &fault));
    assert_non_null(strstr(fault_text(&fault), "configs/workloads/no-such-workload.yaml"));
    check_refused("{op: integer, colour: 3}", 7u, "kernels.0.body.0.colour", "");
    check_refused("{op: integer, count: -1}", 7u, "kernels.0.body.0.count", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_value_is_refused_with_its_line_key_and_what_is_allowed),
        cmocka_unit_test(a_key_that_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests_name("synthetic_errors", tests, NULL, NULL);
}
