/* dpi_bench - the bench that asks the golden model by DPI, in SystemVerilog; see bench.h. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit/bench.h"

/* A row of the unit's own in one of these groups; parts have DPI functions of their own. */
static bool is_own(const struct unit_port *port, bool in, bool out, bool reg)
{
    return port->part == NULL
           && ((port->group == UNIT_IN && in) || (port->group == UNIT_OUT && out)
               || (port->group == UNIT_REG && reg));
}

static uint32_t count_rows(const struct unit *unit, enum unit_group group)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < unit->n_port; i++) {
        n += unit->ports[i].group == group && unit->ports[i].part == NULL;
    }
    return n;
}

static void print_range(const struct unit_port *port)
{
    if (port->shape != UNIT_FLAG) {
        printf("[%" PRIu32 ":0] ", unit_port_bits(port) - 1u);
    }
}

/* ---- Declarations -------------------------------------------------------------------- */

static const char head[] =
    "// %s_dpi_tb - random inputs for a module %s and for its golden model, called by DPI.\n"
    "// Outputs are compared in every cycle; with REGISTERS defined, the registers too, and at "
    "the\n"
    "// end the memories, which needs a module with registers of the same names. A run may "
    "take\n"
    "// +seed=N and +cycles=N. Inputs keep no protocol, but are often as a protocol has them: "
    "for 64\n"
    "// cycles at a time each one is low, rare, small, full or held, as it is drawn.\n"
    "// gpusched-unit ports %s --format=dpi-bench has written this file.\n"
    "\n"
    "module %s_dpi_tb;\n"
    "\n"
    "    import %s_dpi::*;\n"
    "\n";

static void print_declarations(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];
    uint32_t widest = 64u;

    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        printf("    localparam integer %s = %" PRIu32 ";\n",
               unit_upper(unit->type->params[i].name, upper), unit_param(unit, i));
    }
    printf("\n    bit clk;\n    bit rst;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const char *const suffix = unit_suffix(port);
        if (is_own(port, true, true, false)) {
            printf("    %s ", port->group == UNIT_IN ? "bit" : "wire");
            print_range(port);
            printf("%s%s;\n", port->name, suffix);
        }
        if (is_own(port, false, true, true)) {
            printf("    bit ");
            print_range(port);
            printf("golden_%s%s;\n", port->name, suffix);
        }
        if (port->group == UNIT_IN && unit_port_bits(port) > widest) {
            widest = unit_port_bits(port);
        }
    }
    printf("\n    typedef bit [%" PRIu32 ":0] value;\n"
           "    chandle golden;\n"
           "    int seed = 1;\n"
           "    int cycles = 50000;\n"
           "    int cycle;\n"
           "    int resets;\n"
           "    int ways [%" PRIu32 "];\n"
           "    bit [%" PRIu32 ":0] low; // outputs that were 0, and those that were not\n"
           "    bit [%" PRIu32 ":0] high;\n",
           widest - 1u, count_rows(unit, UNIT_IN) + 1u, count_rows(unit, UNIT_OUT),
           count_rows(unit, UNIT_OUT));
}

/* ---- Inputs -------------------------------------------------------------------------- */

static const char drawing[] =
    "\n"
    "    // One input's next value; way: how it behaves at present.\n"
    "    function automatic value draw(input int way, input int width, input value held);\n"
    "        value full;\n"
    "        value more;\n"
    "        for (int bits = 0; bits < $bits(value); bits += 32) begin\n"
    "            full = (full << 32) | value'($urandom);\n"
    "            more = (more << 32) | value'($urandom);\n"
    "        end\n"
    "        if (width == 1) begin\n"
    "            case (way)\n"
    "                0: return '0;\n"
    "                1, 2: return value'($urandom %% 16 == 0);\n"
    "                3, 4: return value'($urandom %% 16 != 0);\n"
    "                default: return full;\n"
    "            endcase\n"
    "        end\n"
    "        case (way)\n"
    "            0, 1, 2: return full %% 4;\n"
    "            3: return full & more;\n"
    "            4: return full | more;\n"
    "            5: return held;\n"
    "            6: return ~value'(0);\n"
    "            default: return full;\n"
    "        endcase\n"
    "    endfunction\n"
    "\n"
    "    task draw_inputs;\n"
    "        if (cycle %% 64 == 0) foreach (ways[k]) ways[k] = $urandom %% 8;\n"
    "        rst = cycle == 0 || $urandom %% 512 == 0;\n";

static void print_inputs(const struct unit *unit)
{
    uint32_t k = 0u;

    printf(drawing);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (is_own(port, true, false, false)) {
            const uint32_t bits = unit_port_bits(port);
            printf("        %s_i = %" PRIu32 "'(draw(ways[%" PRIu32 "], %" PRIu32
                   ", value'(%s_i)));\n"
                   "        %s_dpi_set_%s_i(golden, %s_i);\n",
                   port->name, bits, k++, bits, port->name, unit->type->name, port->name,
                   port->name);
        }
    }
    printf("        %s_dpi_eval(golden);\n    endtask\n", unit->type->name);
}

/* ---- Comparison ---------------------------------------------------------------------- */

/* What the golden model answers, and which outputs have been 0 and other than 0. */
static void print_answers(const struct unit *unit)
{
    uint32_t k = 0u;

    printf("\n    task take_answers;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const char *const suffix = unit_suffix(port);
        if (is_own(port, false, true, true)) {
            printf("        %s_dpi_get_%s%s(golden, golden_%s%s);\n", unit->type->name,
                   port->name, suffix, port->name, suffix);
        }
        if (port->group == UNIT_OUT) {
            printf("        if (golden_%s_o == '0) low[%" PRIu32 "] = 1'b1;\n"
                   "        else high[%" PRIu32 "] = 1'b1;\n",
                   port->name, k, k);
            k++;
        }
    }
    printf("    endtask\n");
}

/* Compares two expressions; name: what they are, with an element's number k if it has one. */
static void print_check(const char *indent, const char *name, const char *got, const char *want)
{
    printf(
        "%sif (%s !== %s)\n"
        "%s    $fatal(1, \"cycle %%0d, seed %%0d: %s is %%h, golden model %%h\", cycle, seed,\n"
        "%s           %s, %s);\n",
        indent, got, want, indent, name, indent, got, want);
}

enum { TEXT = 2 * UNIT_PORT_NAME };

/* An output, or a register; the elements of an array are compared one by one. */
static void print_port_check(const struct unit_port *port)
{
    char name[UNIT_PORT_NAME];
    char got[TEXT];
    char want[TEXT];
    const bool reg = port->group == UNIT_REG;

    snprintf(name, sizeof name, "%s%s", port->name, unit_suffix(port));
    if (reg && port->shape == UNIT_ARRAY) {
        snprintf(got, sizeof got, "u_dut.%s[k]", name);
        snprintf(want, sizeof want, "golden_%s[k * %" PRIu32 " +: %" PRIu32 "]", name,
                 port->width, port->width);
        printf("        for (int k = 0; k < %" PRIu32 "; k++)\n", port->count);
        print_check("            ", name, got, want);
        return;
    }
    snprintf(got, sizeof got, "%s%s", reg ? "u_dut." : "", name);
    snprintf(want, sizeof want, "golden_%s", name);
    print_check("        ", name, got, want);
}

/* Every element of a memory, of which the golden model has zeros until it is written. */
static void print_memory_check(const struct unit *unit, const struct unit_port *port)
{
    char name[UNIT_PORT_NAME];
    char got[TEXT];
    char want[TEXT];

    snprintf(name, sizeof name, "an element of %s_q", port->name);
    if (port->count == 1u) {
        snprintf(got, sizeof got, "u_dut.%s_q[k]", port->name);
    } else {
        snprintf(got, sizeof got,
                 "u_dut.%s_q[k / %" PRIu32 "][k %% %" PRIu32 " * %" PRIu32 " +: %" PRIu32 "]",
                 port->name, port->count, port->count, port->width, port->width);
    }
    snprintf(want, sizeof want, "%" PRIu32 "'(%s_dpi_get_%s_q(golden, k))", port->width,
             unit->type->name, port->name);
    printf("        for (int k = 0; k < %" PRIu32 "; k++)\n", port->count * port->words);
    print_check("            ", name, got, want);
}

static void print_comparison(const struct unit *unit)
{
    printf("\n    task compare;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (is_own(&unit->ports[i], false, true, false)) {
            print_port_check(&unit->ports[i]);
        }
    }
    printf("`ifdef REGISTERS\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (is_own(&unit->ports[i], false, false, true)) {
            print_port_check(&unit->ports[i]);
        }
    }
    printf("`endif\n    endtask\n\n    task compare_memories;\n`ifdef REGISTERS\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == UNIT_MEM && unit->ports[i].part == NULL) {
            print_memory_check(unit, &unit->ports[i]);
        }
    }
    printf("`endif\n    endtask\n");
}

/* ---- The run ------------------------------------------------------------------------- */

static void print_start(const struct unit *unit)
{
    char title[UNIT_TITLE];

    printf("\n    initial begin\n"
           "        void'($value$plusargs(\"seed=%%d\", seed));\n"
           "        void'($value$plusargs(\"cycles=%%d\", cycles));\n"
           "        void'($urandom(seed * 32'h9e3779b1)); // neighbours begin far apart\n"
           "        golden = %s_dpi_open(\"%s\");\n"
           "        if (golden == null) $fatal(1, \"no golden model\");\n",
           unit->type->name, unit_title(unit, title) + strlen(unit->type->name) + 1u);
}

static void print_cycles(const struct unit *unit)
{
    const char *const name = unit->type->name;
    const uint32_t n_out = count_rows(unit, UNIT_OUT);

    printf("        for (cycle = 0; cycle < cycles; cycle++) begin\n"
           "            draw_inputs;\n"
           "            take_answers;\n"
           "            #4;\n"
           "            if (cycle > 0) compare; // until the first reset the state is unknown\n"
           "            #1 clk = 1'b1;\n"
           "            if (rst) %s_dpi_reset(golden);\n"
           "            else %s_dpi_tick(golden);\n"
           "            resets += 32'(rst);\n"
           "            #5 clk = 1'b0;\n"
           "        end\n"
           "        compare_memories;\n",
           name, name);
    if (n_out > 0u) {
        printf(
            "        if ((low & high) == '0)\n"
            "            $fatal(1, \"seed %%0d: no output has changed: nothing was checked\", "
            "seed);\n");
    }
    printf("        $display(\"PASS %%0d cycles, seed %%0d, %%0d resets, %%0d of %" PRIu32
           " outputs have changed\",\n"
           "                 cycles, seed, resets, $countones(low & high));\n"
           "        %s_dpi_close(golden);\n"
           "        $finish;\n"
           "    end\n"
           "\n"
           "endmodule\n",
           n_out, name);
}

void bench_print_dpi(const struct unit *unit)
{
    const char *const name = unit->type->name;

    printf(head, name, name, name, name, name);
    print_declarations(unit);
    bench_instance(unit);
    print_inputs(unit);
    print_answers(unit);
    print_comparison(unit);
    print_start(unit);
    print_cycles(unit);
}
