/* exec_alu_run - one instruction on rows made by hand, in all the ways that it must not matter.
 */

#ifndef EXEC_ALU_RUN_H
#define EXEC_ALU_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "exec/exec_warp.h"
#include "ptx/analyse/ptx_analysis.h"

enum { ALU_ROW = 256, ALU_ROWS = 8, ALU_RESULT = 7, ALU_SOURCES = 4 };

struct alu_case {
    uint64_t a, b, c, expected;
};

void alu_put(uint8_t *rows, uint32_t row, enum ptx_class class, uint32_t lane, uint64_t value);
uint64_t alu_get(const uint8_t *rows, uint32_t row, enum ptx_class class, uint32_t lane);
exec_handler *alu_handler(const struct ptx_inst *i);

/* Up to 32 cases, a lane each, in the lanes of `lanes`; the result in the row of source
 * `alias`, if that is one. */
void alu_run_lanes(struct ptx_inst i, const struct alu_case *cases, uint32_t count,
                   uint32_t lanes, uint32_t alias);

/* Any number of cases: all lanes, some, none; in each place that the result may have. */
void alu_run(struct ptx_inst i, const struct alu_case *cases, size_t count);

#define I(...) ((struct ptx_inst){ __VA_ARGS__ })
#define RUN(instruction, ...)                                     \
    do {                                                          \
        static const struct alu_case list[] = { __VA_ARGS__ };    \
        alu_run(instruction, list, sizeof list / sizeof list[0]); \
    } while (0)

#endif
