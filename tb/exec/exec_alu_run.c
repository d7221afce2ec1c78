/* exec_alu_run - one instruction on rows made by hand; see exec_alu_run.h. */

#include "tb/exec/exec_alu_run.h"

static enum ptx_class alu_result_class(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_SETP:
    case PTX_TESTP:
    case PTX_ISSPACEP:
        return CLASS_PREDICATE;
    case PTX_POPC:
    case PTX_CLZ:
    case PTX_BFIND:
        return CLASS_32;
    default:
        return i->mode == MODE_WIDE && ptx_type_bytes(i->type) == 4u ? CLASS_64
                                                                     : ptx_type_class(i->type);
    }
}

void alu_put(uint8_t *rows, uint32_t row, enum ptx_class class, uint32_t lane, uint64_t value)
{
    const uint32_t word = (uint32_t)value;
    if (class == CLASS_64) {
        memcpy(rows + ALU_ROW * row + 8u * lane, &value, 8u);
    } else if (class == CLASS_32) {
        memcpy(rows + ALU_ROW * row + 4u * lane, &word, 4u);
    } else {
        uint32_t bits;
        memcpy(&bits, rows + ALU_ROW * row, 4u);
        bits = (bits & ~(1u << lane)) | (uint32_t)(value & 1u) << lane;
        memcpy(rows + ALU_ROW * row, &bits, 4u);
    }
}

uint64_t alu_get(const uint8_t *rows, uint32_t row, enum ptx_class class, uint32_t lane)
{
    uint64_t value = 0u;
    if (class == CLASS_64) {
        memcpy(&value, rows + ALU_ROW * row + 8u * lane, 8u);
    } else if (class == CLASS_32) {
        memcpy(&value, rows + ALU_ROW * row + 4u * lane, 4u);
    } else {
        memcpy(&value, rows + ALU_ROW * row, 4u);
        value = value >> lane & 1u;
    }
    return value;
}

exec_handler *alu_handler(const struct ptx_inst *i)
{
    const char *why = "?";
    exec_handler *const handler = exec_alu_handler(i, &why);
    if (handler == NULL) {
        fail_msg("op %d, type %s: refused; %s", i->op, ptx_type_name(i->type), why);
    }
    return handler;
}

void alu_run_lanes(struct ptx_inst i, const struct alu_case *cases, uint32_t count,
                   uint32_t lanes, uint32_t alias)
{
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    const enum ptx_class class = alu_result_class(&i);
    const uint32_t result = alias < ALU_SOURCES ? alias : ALU_RESULT;
    uint64_t before[WARP_SIZE];
    for (uint32_t k = 0u; k < ALU_SOURCES; k++) {
        i.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * result };
    i.n_dst = 1u;
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const struct alu_case *const one = &cases[l % count];
        const uint64_t source[] = { one->a, one->b, one->c };
        alu_put(rows, ALU_RESULT, class, l, UINT64_C(0x5a5a5a5a5a5a5a5b));
        for (uint32_t k = 0u; k < 3u; k++) {
            alu_put(rows, k, ptx_source_class(&i, k), l, source[k]);
        }
        before[l] = alu_get(rows, result, class, l);
    }
    struct exec_warp w = { .rows = rows, .constant_rows = rows };
    alu_handler (&i)(&w, &i, lanes);
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const struct alu_case *const one = &cases[l % count];
        const uint64_t got = alu_get(rows, result, class, l);
        const uint64_t want = (lanes >> l & 1u) != 0u ? one->expected : before[l];
        if (got != want) {
            fail_msg("op %d.%s.%s round %d compare %d mode %d flags %d, lane %u of %08x: "
                     "%llx, %llx, %llx give %llx, not %llx",
                     i.op, ptx_type_name(i.type), ptx_type_name(i.source_type), i.round,
                     i.compare, i.mode, i.flags, l, lanes, (unsigned long long)one->a,
                     (unsigned long long)one->b, (unsigned long long)one->c,
                     (unsigned long long)got, (unsigned long long)want);
        }
    }
}

void alu_run(struct ptx_inst i, const struct alu_case *cases, size_t count)
{
    if (i.source_type == PTX_NONE) {
        i.source_type = i.type;
    }
    for (size_t k = 0u; k < count; k += WARP_SIZE) {
        const uint32_t n = (uint32_t)(count - k < WARP_SIZE ? count - k : WARP_SIZE);
        alu_run_lanes(i, cases + k, n, UINT32_MAX, ALU_RESULT);
        alu_run_lanes(i, cases + k, n, 0xa5f0330fu, ALU_RESULT);
        alu_run_lanes(i, cases + k, n, 0x5a0fccf0u, ALU_RESULT);
        alu_run_lanes(i, cases + k, n, 0u, ALU_RESULT);
        for (uint32_t s = 0u; s < 3u; s++) {
            const enum ptx_class class = alu_result_class(&i);
            if (class != CLASS_PREDICATE && ptx_source_class(&i, s) == class) {
                alu_run_lanes(i, cases + k, n, UINT32_MAX, s);
                alu_run_lanes(i, cases + k, n, 0x0ff0a53cu, s);
            }
        }
    }
}
