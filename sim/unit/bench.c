/* bench - the bench that replays vectors, in Verilog-2005; see bench.h. */

#include "unit/bench.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Expressions of the table, in Verilog -------------------------------------------- */

/* A piece of a row's text. */
struct piece {
    const char *text;
    size_t n;
};

/* Argument k of a text such as "ARRAY(w, n, max)". */
static struct piece argument(const char *text, uint32_t k)
{
    struct piece found = { strchr(text, '(') + 1, 0u };
    uint32_t depth = 0u;

    for (;; found.n++) {
        const char c = found.text[found.n];
        if (depth == 0u && (c == ')' || (c == ',' && k == 0u))) {
            return found;
        }
        if (depth == 0u && c == ',') {
            found.text += found.n + 1u;
            found.text += strspn(found.text, " ");
            found.n = 0u;
            k--;
        }
        depth += found.text[found.n] == '(';
        depth -= found.text[found.n] == ')';
    }
}

/* A name of the table: upper-case, behind its part's prefix. */
static void print_name(struct piece name, const char *prefix)
{
    printf("%s", prefix);
    for (size_t i = 0u; i < name.n; i++) {
        putchar(toupper((unsigned char)name.text[i]));
    }
}

/* The word at the text's beginning; empty if there is none. */
static struct piece first_word(struct piece text)
{
    struct piece word = { text.text, 0u };

    while (word.n < text.n
           && (isalnum((unsigned char)word.text[word.n]) || word.text[word.n] == '_')) {
        word.n++;
    }
    return word;
}

/* The word at the text's beginning, or one character. Returns its length. */
static size_t print_word(struct piece text, const char *prefix)
{
    const struct piece word = first_word(text);

    if (word.n == 0u) {
        putchar(text.text[0]);
        return 1u;
    }
    if (isdigit((unsigned char)word.text[0])) {
        printf("%.*s", (int)strspn(word.text, "0123456789"), word.text); /* no 1u */
    } else {
        print_name(word, prefix);
    }
    return word.n;
}

static void print_words(struct piece text, const char *prefix)
{
    for (size_t i = 0u; i < text.n;) {
        i += print_word((struct piece){ text.text + i, text.n - i }, prefix);
    }
}

/* index_width(n), from its name on, as the modules have it; there is none in n. Returns its
 * length. */
static size_t print_index_width(const char *text, const char *prefix)
{
    const struct piece n = argument(text, 0u);

    printf("((");
    print_words(n, prefix);
    printf(") > 1 ? $clog2(");
    print_words(n, prefix);
    printf(") : 1)");
    return (size_t)(n.text - text) + n.n + 1u;
}

/* A C expression in parameters and constants; all operators that tables use are Verilog's. */
static void print_expression(struct piece text, const char *prefix)
{
    static const char function[] = "index_width";

    for (size_t i = 0u; i < text.n;) {
        const struct piece rest = { text.text + i, text.n - i };
        const struct piece word = first_word(rest);
        if (word.n == strlen(function) && memcmp(word.text, function, word.n) == 0) {
            i += print_index_width(word.text, prefix);
        } else {
            i += print_word(rest, prefix);
        }
    }
}

/* The same, in brackets if it is more than a name or a number. */
static void print_operand(struct piece text, const char *prefix)
{
    bool alone = true;

    for (size_t i = 0u; i < text.n; i++) {
        alone = alone && (isalnum((unsigned char)text.text[i]) || text.text[i] == '_');
    }
    printf("%s", alone ? "" : "(");
    print_expression(text, prefix);
    printf("%s", alone ? "" : ")");
}

/* Bits of a port. */
static void print_bits(const struct unit_port *port, const char *prefix)
{
    if (port->shape == UNIT_FLAG) {
        printf("1");
        return;
    }
    print_operand(argument(port->text, 0u), prefix);
    if (port->shape == UNIT_ARRAY) {
        printf(" * ");
        print_operand(argument(port->text, 1u), prefix);
    }
}

void bench_expression(const char *text)
{
    print_expression((struct piece){ text, strlen(text) }, "");
}

void bench_bits(const struct unit_port *port)
{
    print_bits(port, "");
}

void bench_argument(const struct unit_port *port, uint32_t k)
{
    print_operand(argument(port->text, k), "");
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

/* The net of the bench that holds a port; that of a part's register carries the part's name. */
static void print_net(const struct unit_port *port)
{
    printf("%s%s%s%s", port->part == NULL ? "" : port->part, port->part == NULL ? "" : "_",
           port->name, unit_suffix(port));
}

static void declare_net(const struct unit_port *port)
{
    char prefix[PREFIX];

    printf("    wire ");
    if (port->shape != UNIT_FLAG) {
        printf("[");
        print_bits(port, prefix_of(port->part, prefix));
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
        print_expression(text, prefix);
        printf(";\n");
    }
}

/* A part's parameters, from ".n_core = n_sm, .n_pool = ..."; then its constants. */
static void print_part(const struct unit_part *part)
{
    struct fault fault;
    char prefix[PREFIX];
    struct unit *const unit = unit_open(part->type->name, (const char *[]){ NULL }, &fault);

    prefix_of(part->name, prefix);
    for (const char *at = strchr(part->params, '.'); at != NULL; at = strchr(at, '.')) {
        const char *const equals = strchr(at, '=');
        struct piece name = { at + 1, 0u };
        struct piece value = { equals + 1 + strspn(equals + 1, " "), 0u };
        name.n = strcspn(name.text, " =");
        at = strstr(value.text, ", .");
        at = at != NULL ? at : value.text + strlen(value.text);
        value.n = (size_t)(at - value.text);
        printf("    localparam integer ");
        print_name(name, prefix);
        printf(" = ");
        print_expression(value, "");
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
    for (uint32_t i = 0u; i < unit->type->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN || port->group == UNIT_OUT) {
            printf(",\n        .%s%s(%s%s)", port->name, unit_suffix(port), port->name,
                   unit_suffix(port));
        }
    }
    printf("\n    );\n");
}

/* How many bits a group has, as a constant. */
static void print_group_bits(const struct unit *unit, enum unit_group group, const char *name)
{
    char prefix[PREFIX];
    const char *plus = "";

    printf("    localparam integer %s = ", name);
    for (uint32_t i = 0u; i < unit->type->n_port; i++) {
        if (unit->ports[i].group == group) {
            printf("%s", plus);
            print_bits(&unit->ports[i], prefix_of(unit->ports[i].part, prefix));
            plus = "\n        + ";
        }
    }
    printf("%s;\n", plus[0] == '\0' ? "1" : "");
}

/* A group's ports one above the other, as in the vectors: the first one is lowest. */
static void print_group(const struct unit *unit, enum unit_group group, const char *none)
{
    const char *before = "{";

    for (uint32_t i = unit->type->n_port; i-- > 0u;) {
        if (unit->ports[i].group == group) {
            printf("%s", before);
            print_net(&unit->ports[i]);
            before = ",\n            ";
        }
    }
    printf("%s", before[0] == '{' ? none : "}");
}

/* The net of one register, and what it is connected to. */
static void print_register(const struct unit_port *port)
{
    char prefix[PREFIX];
    char name[UNIT_PORT_NAME];

    prefix_of(port->part, prefix);
    unit_port_name(port, name);
    declare_net(port);
    if (port->shape != UNIT_ARRAY) {
        printf(" = u_dut.%s;\n", name);
        return;
    }
    printf(";\n    generate\n        for (k = 0; k < ");
    print_operand(argument(port->text, 1u), prefix);
    printf("; k = k + 1) begin : g_");
    print_net(port);
    printf("\n            assign ");
    print_net(port);
    printf("[k * ");
    print_operand(argument(port->text, 0u), prefix);
    printf(" +: ");
    print_operand(argument(port->text, 0u), prefix);
    printf("] = u_dut.%s[k];\n        end\n    endgenerate\n", name);
}

static void print_registers(const struct unit *unit)
{
    printf("\n`ifdef REGISTERS\n"
           "    localparam integer CHECK_REGS = 1;\n"
           "    genvar k;\n");
    for (uint32_t i = 0u; i < unit->type->n_port; i++) {
        if (unit->ports[i].group == UNIT_REG) {
            print_register(&unit->ports[i]);
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

static void print_header(const struct unit *unit)
{
    const char *const name = unit->type->name;

    printf("// %s_tb - replays a vector file against a module %s with the ports of our unit.\n"
           "//\n"
           "//   iverilog -g2005 -s %s_tb -P%s_tb.PARAMETER=VALUE ... -o bench \\\n"
           "//       %s_tb.v replay.v YOUR_%s.v\n"
           "//   vvp -N bench +vectors=FILE.vec\n"
           "//\n"
           "// The parameters are those in the file's header. With REGISTERS defined, the "
           "registers\n"
           "// are compared as well, which needs a module with registers of the same names.\n"
           "// gpusched-unit ports %s --format=bench has written this file.\n"
           "\n`default_nettype none\n\nmodule %s_tb;\n\n",
           name, name, name, name, name, name, name, name);
}

void bench_print(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    print_header(unit);
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
    for (uint32_t i = 0u; i < unit->type->n_port; i++) {
        if (unit->ports[i].group == UNIT_IN || unit->ports[i].group == UNIT_OUT) {
            declare_net(&unit->ports[i]);
            printf(";\n");
        }
    }
    bench_instance(unit);
    printf("\n");
    print_group_bits(unit, UNIT_IN, "IN_W");
    print_group_bits(unit, UNIT_OUT, "OUT_W");
    print_group_bits(unit, UNIT_REG, "REG_W");
    print_registers(unit);
    printf("\n    replay #(.IN_W(IN_W), .OUT_W(OUT_W), .REG_W(REG_W), .CHECK_REGS(CHECK_REGS)) "
           "u_replay (\n        .clk(clk),\n        .rst(rst),\n        .in(");
    print_group(unit, UNIT_IN, "");
    printf("),\n        .out(");
    print_group(unit, UNIT_OUT, "1'b0");
    printf("),\n        .regs(regs)\n    );\n\nendmodule\n\n`default_nettype wire\n");
}
