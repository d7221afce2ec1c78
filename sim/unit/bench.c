/* bench - the bench that replays vectors, in Verilog-2005; see bench.h. */

#include "unit/bench.h"
#include "unit/expression.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void bench_expression(const char *text)
{
    expression_print(piece_of(text), "");
}

void bench_bits(const struct unit_port *port)
{
    expression_bits(port, "");
}

void bench_argument(const struct unit_port *port, uint32_t k)
{
    expression_operand(expression_argument(port->text, k), "");
}

/* What the names of a port's table have before them: TABLE_ in the part u_table. */
enum { PREFIX = UNIT_NAME_SIZE + 1 };
static const char *prefix_of(const char *part, char text[PREFIX])
{
    char upper[UNIT_NAME_SIZE];

    text[0] = '\0';
    if (part != NULL) {
        snprintf(text, PREFIX, "%s_", unit_upper(part, upper));
    }
    return text;
}

void bench_width(const struct unit_port *port)
{
    char prefix[PREFIX];

    if (port->shape == UNIT_FLAG || port->shape == UNIT_SET) {
        printf("1");
    } else {
        expression_operand(expression_argument(port->text, 0u), prefix_of(port->part, prefix));
    }
}

void bench_count(const struct unit_port *port)
{
    char prefix[PREFIX];

    if (port->shape == UNIT_SET || port->shape == UNIT_ARRAY) {
        expression_operand(expression_argument(port->text, port->shape == UNIT_ARRAY),
                           prefix_of(port->part, prefix));
    } else {
        printf("1");
    }
}

/* The net of the bench that holds a port; that of a part's register carries the part's name. */
static void print_net(const struct unit_port *port)
{
    printf("%s%s%s%s", port->part == NULL ? "" : port->part, port->part == NULL ? "" : "_",
           port->name, unit_suffix(port));
}

/* How many of a part there are, in Verilog; NULL if it is no array. */
static const char *number_of(const struct unit *unit, const struct unit_port *port)
{
    const struct unit_part *part = unit->type->parts;

    if (port->elements == 0u) {
        return NULL;
    }
    while (part->name != NULL && strcmp(part->name, port->part) != 0) {
        part++;
    }
    return part->number;
}

/* Bits of a port; of a register of an array of parts, those of all elements. */
static void print_all_bits(const struct unit *unit, const struct unit_port *port)
{
    const char *const number = number_of(unit, port);
    char prefix[PREFIX];

    if (number != NULL) {
        expression_operand(piece_of(number), "");
        printf(" * ");
    }
    expression_bits(port, prefix_of(port->part, prefix));
}

static void declare_net(const struct unit *unit, const struct unit_port *port)
{
    printf("    wire ");
    if (port->shape != UNIT_FLAG || port->elements > 0u) {
        printf("[");
        print_all_bits(unit, port);
        printf("-1:0] ");
    }
    print_net(port);
}

/* ---- Parts of the bench -------------------------------------------------------------- */

/* The constants that follow from the parameters, of the unit or of a part. */
static void print_constants(const struct unit_type *type, const struct unit_const *constants,
                            const char *prefix)
{
    char upper[UNIT_NAME_SIZE];

    for (uint32_t i = 0u; i < type->n_const; i++) {
        const struct piece text = { constants[i].text, strlen(constants[i].text) };
        printf("    localparam integer %s%s = ", prefix, unit_upper(constants[i].name, upper));
        expression_print(text, prefix);
        printf(";\n");
    }
}

/* A part's parameters, from ".n_core = n_sm, .n_pool = ..."; then its constants. */
static void print_part(const struct unit_part *part)
{
    struct fault fault;
    char prefix[PREFIX];
    struct unit *const unit = unit_open(part->type->name, (const char *[]){ NULL }, &fault);
    struct piece name, value;

    prefix_of(part->name, prefix);
    for (const char *at = part->params; expression_parameter(&at, &name, &value);) {
        printf("    localparam integer ");
        expression_name(name, prefix);
        printf(" = ");
        expression_print(value, "");
        printf(";\n");
    }
    if (unit != NULL) { /* not without memory; the bench then does not compile */
        print_constants(part->type, unit->constants, prefix);
    }
    unit_close(unit);
}

void bench_instance(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    printf("\n    %s", unit->type->name);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        unit_upper(unit->type->params[i].name, upper);
        printf("%s.%s(%s)%s", i == 0u ? " #(\n        " : ", ", upper, upper,
               i + 1u == unit->type->n_param ? "\n    )" : "");
    }
    printf(" u_dut (\n        .clk(clk),\n        .rst_i(rst)");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN || port->group == UNIT_OUT) {
            printf(",\n        .%s%s(%s%s)", port->name, unit_suffix(port), port->name,
                   unit_suffix(port));
        }
    }
    printf("\n    );\n");
}

/* An array of parts has a net for all its elements, which its first one stands for. */
static bool is_net(const struct unit_port *port, enum unit_group group)
{
    return port->group == group && port->element == 0u;
}

/* How many bits a group has, as a constant. */
static void print_group_bits(const struct unit *unit, enum unit_group group, const char *name)
{
    const char *plus = "";

    printf("    localparam integer %s = ", name);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (is_net(&unit->ports[i], group)) {
            printf("%s", plus);
            print_all_bits(unit, &unit->ports[i]);
            plus = "\n        + ";
        }
    }
    printf("%s;\n", plus[0] == '\0' ? "1" : "");
}

/* A group's ports one above the other, as in the vectors: the first one is lowest. */
static void print_group(const struct unit *unit, enum unit_group group, const char *none)
{
    const char *before = "{";

    for (uint32_t i = unit->n_port; i-- > 0u;) {
        if (is_net(&unit->ports[i], group)) {
            printf("%s", before);
            print_net(&unit->ports[i]);
            before = ",\n            ";
        }
    }
    printf("%s", before[0] == '{' ? none : "}");
}

/* The beginning of a loop over n elements, and of the block of its own that it needs. */
static void print_loop(const struct unit_port *port, const char *index, struct piece n,
                       const char *prefix)
{
    printf("        for (%s = 0; %s < ", index, index);
    expression_operand(n, prefix);
    printf("; %s = %s + 1) begin : g_", index, index);
    print_net(port);
    printf("_%s\n", index);
}

/* The net's bits of one element, of each array that the register is in. */
static void print_slice(const struct unit_port *port, const char *prefix)
{
    const bool array = port->shape == UNIT_ARRAY, part = port->elements > 0u;

    printf("[");
    if (array && part) {
        printf("(e * ");
        expression_operand(expression_argument(port->text, 1u), prefix);
        printf(" + k)");
    } else {
        printf("%s", array ? "k" : "e");
    }
    printf(" * ");
    if (port->shape == UNIT_FLAG) {
        printf("1 +: 1]");
        return;
    }
    expression_operand(expression_argument(port->text, 0u), prefix);
    printf(" +: ");
    expression_operand(expression_argument(port->text, 0u), prefix);
    printf("]");
}

/* The net of one register, and what it is connected to: e is an element of an array of parts,
 * k one of an array. */
static void print_register(const struct unit *unit, const struct unit_port *port)
{
    const bool array = port->shape == UNIT_ARRAY, part = port->elements > 0u;
    const char *const number = number_of(unit, port);
    char prefix[PREFIX];
    char name[UNIT_PORT_NAME];

    prefix_of(port->part, prefix);
    declare_net(unit, port);
    if (!array && !part) {
        printf(" = u_dut.%s;\n", unit_port_name(port, name));
        return;
    }
    printf(";\n    generate\n");
    if (part) {
        print_loop(port, "e", piece_of(number), "");
    }
    if (array) {
        print_loop(port, "k", expression_argument(port->text, 1u), prefix);
    }
    printf("            assign ");
    print_net(port);
    print_slice(port, prefix);
    if (part) {
        printf(" = u_dut.g_%s[e].u_%s.%s_q", port->part, port->part, port->name);
    } else {
        printf(" = u_dut.%s", unit_port_name(port, name));
    }
    printf("%s;\n%s%s    endgenerate\n", array ? "[k]" : "", array ? "        end\n" : "",
           part ? "        end\n" : "");
}

static void print_registers(const struct unit *unit)
{
    printf("\n`ifdef REGISTERS\n"
           "    localparam integer CHECK_REGS = 1;\n"
           "    genvar e, k;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (is_net(&unit->ports[i], UNIT_REG)) {
            print_register(unit, &unit->ports[i]);
        }
    }
    printf("    wire [REG_W-1:0] regs = ");
    print_group(unit, UNIT_REG, "1'b0");
    printf(";\n"
           "`else\n"
           "    localparam integer CHECK_REGS = 0;\n"
           "    wire [REG_W-1:0] regs = {REG_W{1'b0}};\n"
           "`endif\n");
}

/* What a bench replays, and with what. */
struct replayer {
    const char *module, *files, *what, *format;
    bool registers; /* are compared, where asked for */
};

static void print_header(const struct unit *unit, const struct replayer *by)
{
    static const char with_registers[] =
        " With REGISTERS defined, the registers\n"
        "// are compared as well, which needs a module with registers of the same names.";
    const char *const name = unit->type->name;

    printf("// %s_tb - replays a file of %s against a module %s with the ports of our unit.\n"
           "//\n"
           "//   iverilog -g2005 -s %s_tb -P%s_tb.PARAMETER=VALUE ... -o bench \\\n"
           "//       %s_tb.v %s YOUR_%s.v\n"
           "//   vvp -N bench +vectors=FILE.vec\n"
           "//\n"
           "// The parameters are those in the file's header.%s\n"
           "// gpusched-unit ports %s --format=%s has written this file.\n"
           "\n`default_nettype none\n\nmodule %s_tb;\n\n",
           name, by->what, name, name, name, name, by->files, name,
           by->registers ? with_registers : "", name, by->format, name);
}

static void print_bench(const struct unit *unit, const struct replayer *by)
{
    char upper[UNIT_NAME_SIZE];

    print_header(unit, by);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        printf("    parameter integer %s = %" PRIu32 ";\n",
               unit_upper(unit->type->params[i].name, upper), unit_param(unit, i));
    }
    printf("\n");
    print_constants(unit->type, unit->constants, "");
    for (const struct unit_part *part = unit->type->parts; part->name != NULL; part++) {
        print_part(part);
    }
    printf("\n    wire clk;\n    wire rst;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == UNIT_IN || unit->ports[i].group == UNIT_OUT) {
            declare_net(unit, &unit->ports[i]);
            printf(";\n");
        }
    }
    bench_instance(unit);
    printf("\n");
    print_group_bits(unit, UNIT_IN, "IN_W");
    print_group_bits(unit, UNIT_OUT, "OUT_W");
    print_group_bits(unit, UNIT_REG, "REG_W");
    if (by->registers) {
        print_registers(unit);
    } else {
        printf("    localparam integer CHECK_REGS = 0;\n"
               "    wire [REG_W-1:0] regs = {REG_W{1'b0}};\n");
    }
    printf("    wire [OUT_W-1:0] outs = ");
    print_group(unit, UNIT_OUT, "1'b0");
    printf(";\n");
    bench_print_names(unit);
    printf("\n    %s #(.IN_W(IN_W), .OUT_W(OUT_W), .REG_W(REG_W), .CHECK_REGS(CHECK_REGS)) "
           "u_replay (\n        .clk(clk),\n        .rst(rst),\n        .in(",
           by->module);
    print_group(unit, UNIT_IN, "");
    printf("),\n        .out(outs),\n        .regs(regs),\n        .want_out(want_out),\n"
           "        .want_regs(want_regs),\n        .cycle(cycle),\n        .differs(differs)\n"
           "    );\n\nendmodule\n\n`default_nettype wire\n");
}

void bench_print(const struct unit *unit)
{
    print_bench(unit, &(struct replayer){ "replay", "replay.v", "vectors", "bench", true });
}

void bench_print_transactions(const struct unit *unit)
{
    print_bench(unit, &(struct replayer){
                          .module = "replay_transactions",
                          .files = "replay.v replay_transactions.v",
                          .what = "transactions",
                          .format = "transactions-bench",
                      });
}
