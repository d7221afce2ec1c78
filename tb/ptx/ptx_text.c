/* ptx_text - PTX in a string; see ptx_text.h. */

#include "tb/ptx/ptx_text.h"

#include <stdio.h>
#include <string.h>

struct ptx_module *load_ptx(const char *text)
{
    struct fault fault;
    struct ptx_module *const module = ptx_load_text("test.ptx", text, strlen(text), &fault);

    if (module == NULL) {
        fail_msg("%s\nin:\n%s", fault_text(&fault), text);
    }
    return module;
}

void expect_refused(const char *text, const char *start, const char *words)
{
    struct fault fault;
    struct ptx_module *const module = ptx_load_text("test.ptx", text, strlen(text), &fault);

    if (module != NULL) {
        ptx_free(module);
        fail_msg("not refused:\n%s", text);
    }
    if (strncmp(fault_text(&fault), start, strlen(start)) != 0
        || strstr(fault_text(&fault), words) == NULL
        || strstr(fault_text(&fault), "allowed") == NULL) {
        fail_msg("\"%s\" is not \"%s...%s...allowed\"; text:\n%s", fault_text(&fault), start,
                 words, text);
    }
}

struct ptx_module *load_line(const char *line)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, line);
    return load_ptx(text);
}

void expect_line_refused(const char *line, const char *words)
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, line);
    expect_refused(text, "test.ptx:10: ", words);
}

struct ptx_order order_of(uint32_t registers)
{
    struct ptx_order order = { .operands = true,
                               .registers = registers,
                               .granule = ORDER_GRANULE };

    for (uint32_t op = 0u; op < OP_ALL; op++) {
        for (uint32_t kind = 0u; kind < OPERATION_KINDS; kind++) {
            order.cycles[op][kind] = op == OP_SFU ? 17u : op < OP_LOAD ? 4u : 1u;
        }
    }
    order.cycles[OP_INTEGER][KIND_MULTIPLY] = 6u;
    order.cycles[OP_LOAD][KIND_PLAIN] = 30u;
    order.cycles[OP_SHARED][KIND_PLAIN] = 20u;
    order.cycles[OP_CONSTANT][KIND_PLAIN] = 16u;
    return order;
}
