/* skeleton - a module to begin with, in Verilog-2005, from a unit's port table; see bench.h. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit/bench.h"
#include "unit/expression.h"

/* Rows of the unit's own: they come before those of its parts. */
static uint32_t n_own(const struct unit *unit)
{
    uint32_t n = 0u;

    while (n < unit->n_port && unit->ports[n].part == NULL) {
        n++;
    }
    return n;
}

/* Registers and memories of the unit's own, then registers that only the RTL has; NULL behind
 * the last. */
static const struct unit_port *state_row(const struct unit *unit, uint32_t i)
{
    const uint32_t own = n_own(unit);

    return i < own                           ? &unit->ports[i]
           : i < own + unit->type->n_derived ? &unit->ports[unit->n_port + i - own]
                                             : NULL;
}

/* "[w-1:0] ", or nothing for one bit. */
static void print_range(const struct unit_port *port)
{
    if (port->shape != UNIT_FLAG) {
        printf("[");
        bench_bits(port);
        printf("-1:0] ");
    }
}

/* The same of one element, or of a word of a memory. */
static void print_word(const struct unit_port *port)
{
    if (port->shape == UNIT_FLAG) {
        return;
    }
    printf("[");
    bench_argument(port, 0u);
    if (port->group == UNIT_MEM) {
        printf(" * ");
        bench_argument(port, 1u);
    }
    printf("-1:0] ");
}

static void print_head(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    printf("// %s - TODO: what it is, in a sentence.\n"
           "//\n// Purpose\n//   TODO\n"
           "//\n// Timing\n//   TODO: latency in cycles; throughput.\n"
           "//\n// Twin     %s.c: equal outputs, registers and memories in every cycle after "
           "the first\n"
           "//          reset edge.\n"
           "\n`default_nettype none\n\nmodule %s #(\n",
           unit->type->name, unit->type->name, unit->type->name);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        printf("    parameter integer %s = %" PRIu32 "%s\n",
               unit_upper(unit->type->params[i].name, upper), unit_param(unit, i),
               i + 1u < unit->type->n_param + unit->type->n_const ? "," : "");
    }
    for (uint32_t i = 0u; i < unit->type->n_const; i++) {
        printf("    parameter integer %s = ", unit_upper(unit->constants[i].name, upper));
        bench_expression(unit->constants[i].text);
        printf("%s // derived, never overridden\n", i + 1u < unit->type->n_const ? "," : "");
    }
    printf(") (\n    input  wire clk,\n    input  wire rst_i");
}

static void print_ports(const struct unit *unit)
{
    for (uint32_t i = 0u; i < n_own(unit); i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN || port->group == UNIT_OUT) {
            printf(",\n    %s wire ", port->group == UNIT_IN ? "input " : "output");
            print_range(port);
            printf("%s%s", port->name, unit_suffix(port));
        }
    }
    printf("\n);\n");
}

/* Verilog-2005 has no error of its own for a parameter that is out of range. */
static void print_limits(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    if (unit->type->n_param == 0u) {
        return;
    }
    printf("\n    // A bad value instantiates a module that does not exist; its name is the "
           "message.\n"
           "    generate\n        if (");
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        const struct unit_param *const param = &unit->type->params[i];
        unit_upper(param->name, upper);
        printf("%s%s < %" PRIu32 " || %s > %" PRIu32, i == 0u ? "" : "\n            || ", upper,
               param->lowest, upper, param->highest);
    }
    printf(") begin : g_check\n            %s_needs", unit->type->name);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        const struct unit_param *const param = &unit->type->params[i];
        printf("_%s_%" PRIu32 "_to_%" PRIu32, unit_upper(param->name, upper), param->lowest,
               param->highest);
    }
    printf(" u_stop ();\n        end\n    endgenerate\n");
}

/* Registers and memories. */
static void print_state(const struct unit *unit)
{
    printf("\n    // ---- State "
           "-------------------------------------------------------------\n\n");
    for (uint32_t i = 0u; state_row(unit, i) != NULL; i++) {
        const struct unit_port *const port = state_row(unit, i);
        if (port->group == UNIT_REG || port->group == UNIT_MEM) {
            printf("    reg ");
            print_word(port);
            printf("%s_q", port->name);
            if (port->shape == UNIT_ARRAY || port->group == UNIT_MEM) {
                printf(" [0:");
                bench_argument(port, port->group == UNIT_MEM ? 2u : 1u);
                printf("-1]");
            }
            printf("; // %s\n", port->meaning);
        }
    }
}

/* The instances of one part, with nothing at their ports. */
static void print_part(const struct unit_part *part)
{
    const bool array = part->number != NULL;
    struct fault fault;
    struct unit *const unit = unit_open(part->type->name, (const char *[]){ NULL }, &fault);
    const char *before = "\n        ";
    struct piece name, value;

    if (array) {
        printf("    genvar %s_k;\n    generate\n        for (%s_k = 0; %s_k < ", part->name,
               part->name, part->name);
        expression_operand(piece_of(part->number), "");
        printf("; %s_k = %s_k + 1) begin : g_%s\n", part->name, part->name, part->name);
    }
    printf("    %s #(", part->type->name);
    for (const char *at = part->params; expression_parameter(&at, &name, &value);) {
        printf("%s.", before);
        expression_name(name, "");
        printf("(");
        expression_print(value, "");
        printf(")");
        before = ",\n        ";
    }
    printf("\n    ) u_%s (\n        .clk(clk),\n        .rst_i(rst_i)", part->name);
    for (uint32_t i = 0u; unit != NULL && i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN || port->group == UNIT_OUT) {
            printf(",\n        .%s%s(%s)", port->name, unit_suffix(port),
                   port->group == UNIT_IN ? "0" : "");
        }
    }
    printf("\n    ); // TODO: what is at its ports\n%s",
           array ? "        end\n    endgenerate\n" : "");
    unit_close(unit);
}

static void print_parts(const struct unit *unit)
{
    if (unit->type->parts->name != NULL) {
        printf("\n    // ---- Parts "
               "-------------------------------------------------------------\n\n");
    }
    for (const struct unit_part *part = unit->type->parts; part->name != NULL; part++) {
        print_part(part);
    }
}

/* 0, in the bits of a register's word. */
static void print_zero(const struct unit_port *port)
{
    printf("{");
    if (port->shape == UNIT_FLAG) {
        printf("1");
    } else {
        bench_argument(port, 0u);
    }
    printf("{1'b0}}");
}

static void print_edge(const struct unit *unit)
{
    bool arrays = false;

    for (uint32_t i = 0u; state_row(unit, i) != NULL; i++) {
        const struct unit_port *const port = state_row(unit, i);
        arrays = arrays || (port->group == UNIT_REG && port->shape == UNIT_ARRAY);
    }
    printf("\n%s    always @(posedge clk) begin\n        if (rst_i) begin\n",
           arrays ? "    integer k;\n" : "");
    for (uint32_t i = 0u; state_row(unit, i) != NULL; i++) {
        const struct unit_port *const port = state_row(unit, i);
        if (port->group != UNIT_REG) {
            continue;
        }
        printf("            ");
        if (port->shape == UNIT_ARRAY) {
            printf("for (k = 0; k < ");
            bench_argument(port, 1u);
            printf("; k = k + 1) ");
        }
        printf("%s_q%s <= ", port->name, port->shape == UNIT_ARRAY ? "[k]" : "");
        print_zero(port);
        printf(";\n");
    }
    for (uint32_t i = 0u; state_row(unit, i) != NULL; i++) {
        const char *const name = state_row(unit, i)->name;
        if (state_row(unit, i)->group == UNIT_MEM) { /* a memory is one that is written */
            printf("        end\n        if (!rst_i) begin\n            %s_q[0] <= %s_q[0]; // "
                   "TODO\n",
                   name, name);
        }
    }
    printf("        end // TODO: else, what the edge does\n    end\n");
}

static void print_outputs(const struct unit *unit)
{
    printf("\n    // ---- Outputs "
           "-----------------------------------------------------------\n\n");
    for (uint32_t i = 0u; i < n_own(unit); i++) {
        if (unit->ports[i].group == UNIT_OUT) {
            printf("    assign %s_o = {(", unit->ports[i].name);
            bench_bits(&unit->ports[i]);
            printf("){1'b0}}; // TODO\n");
        }
    }
    printf("\n    // TODO: what is used is taken out of this list, and at last the list.\n"
           "    wire unused = &{1'b0");
    for (uint32_t i = 0u; i < n_own(unit); i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group != UNIT_OUT) {
            const bool words = port->group == UNIT_MEM
                               || (port->group == UNIT_REG && port->shape == UNIT_ARRAY);
            printf(",\n        %s%s%s", port->name, unit_suffix(port), words ? "[0]" : "");
        }
    }
    printf("};\n");
}

/* What any unit promises, as an assertion to begin with. */
static void print_properties(const struct unit *unit)
{
    printf(
        "\n    // ---- Properties, proved by induction -----------------------------------\n\n"
        "`ifdef FORMAL\n"
        "    reg f_started = 1'b0; // at least one rising edge has passed\n"
        "    reg f_reset   = 1'b0; // the last one was a reset\n"
        "    always @(posedge clk) begin\n"
        "        f_started <= 1'b1;\n"
        "        f_reset   <= rst_i;\n"
        "    end\n"
        "    always @* begin\n"
        "        if (!f_started) assume (rst_i);\n"
        "        if (f_started && f_reset) begin\n");
    for (uint32_t i = 0u; state_row(unit, i) != NULL; i++) {
        const struct unit_port *const port = state_row(unit, i);
        if (port->group == UNIT_REG && port->shape != UNIT_ARRAY) {
            printf("            a_reset_%s: assert (%s_q == 0);\n", port->name, port->name);
        }
    }
    printf("        end\n");
    for (uint32_t i = 0u; i < unit->type->n_derived; i++) {
        const struct unit_port *const port = &unit->ports[unit->n_port + i];
        printf("        if (f_started) // TODO: which function of the other registers it is\n"
               "            a_derived_%s: assert (%s_q%s == (f_reset && 0));\n",
               port->name, port->name, port->shape == UNIT_ARRAY ? "[0]" : "");
    }
    printf("    end\n`endif\n");
}

void skeleton_print(const struct unit *unit)
{
    print_head(unit);
    print_ports(unit);
    print_limits(unit);
    print_state(unit);
    print_parts(unit);
    print_edge(unit);
    print_outputs(unit);
    print_properties(unit);
    printf("\nendmodule\n\n`default_nettype wire\n");
}
