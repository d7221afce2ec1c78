/* Tests of the executor's vectors, predicates, bytes, and second results. */

#include "exec_alu_run.h"

static void the_modes_of_prmt_select_as_the_manual_says(void **state)
{
    (void)state;
    static const uint32_t expected[][4] = {
        { 0x33221100, 0x44332211, 0x55443322, 0x66554433 },
        { 0x55667700, 0x66770011, 0x77001122, 0x00112233 },
        { 0x00000000, 0x11111111, 0x22222222, 0x33333333 },
        { 0x33221100, 0x33221111, 0x33222222, 0x33333333 },
        { 0x00000000, 0x11111100, 0x22221100, 0x33221100 },
        { 0x11001100, 0x33223322, 0x11001100, 0x33223322 },
    };
    for (uint8_t mode = MODE_F4E; mode <= MODE_RC16; mode++) {
        for (uint32_t c = 0u; c < 4u; c++) {
            const struct alu_case one = { 0x33221100, 0x77665544, c,
                                          expected[mode - MODE_F4E][c] };
            alu_run(I(.op = PTX_PRMT, .type = PTX_B32, .mode = mode), &one, 1u);
        }
    }
}

static void dot_products_extend_by_each_type(void **state)
{
    (void)state;
    RUN(I(.op = PTX_DP4A, .type = PTX_U32), { 0x01020304, 0xff010101, 10, 10 + 255 + 9 });
    RUN(I(.op = PTX_DP4A, .type = PTX_S32), { 0xff020304, 0xff010101, 10, 10 + 1 + 9 });
    RUN(I(.op = PTX_DP4A, .type = PTX_U32, .source_type = PTX_S32),
        { 0xff000000, 0xff000000, 0, 0xffffff01 });
    RUN(I(.op = PTX_DP2A, .type = PTX_S32, .mode = MODE_LO),
        { 0xffff0002, 0x05060708, 0, 2 * 8 - 7 });
    RUN(I(.op = PTX_DP2A, .type = PTX_S32, .mode = MODE_HI),
        { 0xffff0002, 0x05060708, 0, 2 * 6 - 5 });
}

static void vectors_are_packed_and_unpacked_from_the_lowest(void **state)
{
    (void)state;
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    struct exec_warp w = { .rows = rows };
    struct ptx_inst pack =
        I(.op = PTX_MOV, .type = PTX_B64, .vector = 2, .n_src = 2, .n_dst = 1);
    struct ptx_inst part =
        I(.op = PTX_MOV, .type = PTX_B64, .vector = 4, .n_src = 1, .n_dst = 4);
    alu_put(rows, 0u, CLASS_32, 3u, 0x11112222u);
    alu_put(rows, 1u, CLASS_32, 3u, 0x33334444u);
    for (uint32_t k = 0u; k < 4u; k++) {
        pack.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
        part.dst[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    pack.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * 5u };
    part.src[0] = pack.dst[0];
    part.dst[2].kind = OPERAND_SINK;
    alu_handler (&pack)(&w, &pack, 8u);
    assert_true(alu_get(rows, 5u, CLASS_64, 3u) == UINT64_C(0x3333444411112222));
    assert_true(alu_get(rows, 5u, CLASS_64, 2u) == 0u);
    alu_handler (&part)(&w, &part, 8u);
    assert_int_equal(alu_get(rows, 0u, CLASS_32, 3u), 0x2222u);
    assert_int_equal(alu_get(rows, 1u, CLASS_32, 3u), 0x1111u);
    assert_int_equal(alu_get(rows, 2u, CLASS_32, 3u), 0u);
    assert_int_equal(alu_get(rows, 3u, CLASS_32, 3u), 0x3333u);
}

static void the_second_predicate_is_of_the_opposite_comparison(void **state)
{
    (void)state;
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    struct exec_warp w = { .rows = rows };
    struct ptx_inst i =
        I(.op = PTX_SETP, .type = PTX_U32, .compare = CMP_EQ, .boolean = BOOL_AND, .n_dst = 2);
    for (uint32_t k = 0u; k < 3u; k++) {
        i.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    i.src[2].negate = 1u;
    i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * 2u };
    i.dst[1] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * 4u };
    alu_put(rows, 0u, CLASS_32, 1u, 5u);
    const uint32_t third = 0xf0u, second = UINT32_MAX;
    memcpy(rows + ALU_ROW * 2, &third, 4u);
    memcpy(rows + ALU_ROW * 4, &second, 4u);
    alu_handler (&i)(&w, &i, 0xffu);
    uint32_t got[2];
    memcpy(&got[0], rows + ALU_ROW * 2, 4u);
    memcpy(&got[1], rows + ALU_ROW * 4, 4u);
    assert_int_equal(got[0], 0x0du);
    assert_int_equal(got[1], 0xffffff02u);
}

static void predicates_are_combined_bit_by_bit(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        uint8_t truth; /* bit 2 b + a: the result */
    } of[] = {
        { PTX_AND, 8 }, { PTX_OR, 14 }, { PTX_XOR, 6 }, { PTX_NOT, 5 }, { PTX_MOV, 10 }
    };
    for (uint32_t k = 0u; k < sizeof of / sizeof of[0]; k++) {
        struct alu_case cases[4];
        const struct ptx_inst i = I(.op = of[k].op, .type = PTX_PRED, .source_type = PTX_PRED);
        for (uint32_t n = 0u; n < 4u; n++) {
            cases[n] = (struct alu_case){ n & 1u, n >> 1, 0u, of[k].truth >> n & 1u };
        }
        alu_run(i, cases, 4u);
        /* The result may be one of the sources. */
        for (uint32_t alias = 0u; alias < 2u; alias++) {
            alu_run_lanes(i, cases, 4u, UINT32_MAX, alias);
            alu_run_lanes(i, cases, 4u, 0x0ff0a53cu, alias);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_modes_of_prmt_select_as_the_manual_says),
        cmocka_unit_test(dot_products_extend_by_each_type),
        cmocka_unit_test(vectors_are_packed_and_unpacked_from_the_lowest),
        cmocka_unit_test(the_second_predicate_is_of_the_opposite_comparison),
        cmocka_unit_test(predicates_are_combined_bit_by_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
