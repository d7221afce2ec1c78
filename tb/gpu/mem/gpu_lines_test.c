/*
 * Tests of the numbers of lines in the L2: whatever a machine has, and wherever something lies,
 * the number is below LINES, since a slice would wait without an end for a line that no tag can
 * hold. That code, records and the rest do not meet is asserted where they are compiled
 * (l2_lines.h).
 */

#include "exec/device_memory.h"
#include "exec/exec_run.h"
#include "gpu/machine.h"
#include "tb/gpu/gpu_kernel.h"

static void what_ctas_have_that_wait_is_in_lines_that_a_tag_holds(void **state)
{
    static const uint32_t lines[] = { 32u, 64u, 128u, 256u };
    static const uint32_t registers[] = { 64u, 1000u, 32768u, 65536u, 1048576u };

    (void)state;
    for (uint32_t k = 0u; k < 20u; k++) {
        struct gpu_config c = small_config();
        c.l1.line = c.constant.line = c.texture.line = c.icache.line = c.l2.line =
            lines[k % 4u];
        c.l2.interleave = 256u;
        c.sm.registers = registers[k / 4u];
        struct gpu *const g = open_gpu(&c, NULL, 0u);
        const uint32_t most = swaps_line(g, 1u, 0u) - SWAP_LINE; /* of a place */
        const uint32_t places = SWAP_LINES / most;
        assert_true((uint64_t)most * c.l2.line >= 4u * c.sm.registers + c.sm.shared_bytes);
        assert_int_equal(swaps_line(g, 0u, 0u), SWAP_LINE);
        assert_in_range(swaps_line(g, places - 1u, most - 1u), LINES - 2u * most, LINES - 1);
        assert_int_equal(swaps_line(g, places, 0u), SWAP_LINE); /* from there on they share */
        assert_in_range(swaps_line(g, UINT32_MAX - 1u, most - 1u), SWAP_LINE, LINES - 1);
        gpu_close(g);
    }
}

/* Also if it is above what is given out: threads' own memory is there. */
static void data_is_in_lines_below_those_of_code(void **state)
{
    static const uint64_t at[] = { DEVICE_BASE, UINT64_C(1) << 33, DEVICE_LIMIT - 4u,
                                   UINT64_C(1) << 35, UINT64_MAX - 3u };
    uint32_t word[MAX_ACCESSES] = { 0u };

    (void)state;
    for (uint32_t k = 0u; k < sizeof at / sizeof at[0]; k++) {
        for (uint32_t line = 32u; line <= 256u; line *= 2u) {
            assert_int_equal(exec_coalesce(&at[k], 1u, 4u, line, word), 1);
            assert_true(access_line(word[0]) < CODE_LINE);
            assert_int_equal(access_line(word[0]), at[k] / line % CODE_LINE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ctas_have_that_wait_is_in_lines_that_a_tag_holds),
        cmocka_unit_test(data_is_in_lines_below_those_of_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
