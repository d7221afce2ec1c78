/* bench_names - what differs, by the names of ports; see bench.h. */

#include <stdbool.h>
#include <stdio.h>

#include "unit/bench.h"

enum { SHOWN = 16 };

/* Says an element of a port; each: element `which` of several. */
static void print_say(const struct unit_port *port, const char *want, const char *got,
                      bool each)
{
    const char *const indent = each ? "            " : "        ";
    char name[UNIT_PORT_NAME];

    printf("%ssay(\"%s\", ", indent, unit_port_name(port, name));
    if (each) {
        bench_count(port);
        printf(" > 1 ? which : -1");
    } else {
        printf("-1");
    }
    printf(", %s[at +: ", want);
    bench_width(port);
    printf("], %s[at +: ", got);
    bench_width(port);
    printf("]);\n%sat = at + ", indent);
    bench_width(port);
    printf(";\n");
}

/* Compares the elements of a port, from bit `at` of the group's images on. */
static void print_compare(const struct unit_port *port, const char *want, const char *got)
{
    if (port->shape == UNIT_SET || port->shape == UNIT_ARRAY) {
        printf("        for (which = 0; which < ");
        bench_count(port);
        printf("; which = which + 1) begin\n");
        print_say(port, want, got, true);
        printf("        end\n");
    } else {
        print_say(port, want, got, false);
    }
}

static void print_group_names(const struct unit *unit, enum unit_group group, const char *want,
                              const char *got)
{
    printf("        at = 0;\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == group) {
            print_compare(&unit->ports[i], want, got);
        }
    }
}

static void print_inputs(const struct unit *unit)
{
    char name[UNIT_PORT_NAME];

    printf("        $display(\"  inputs of the cycle, hexadecimal\");\n");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == UNIT_IN) {
            unit_port_name(&unit->ports[i], name);
            printf("        $display(\"  %%-24s %%0h\", \"%s\", %s);\n", name, name);
        }
    }
}

void bench_print_names(const struct unit *unit)
{
    printf(
        "\n    wire [OUT_W-1:0] want_out;\n"
        "    wire [REG_W-1:0] want_regs;\n"
        "    wire [31:0]      cycle;\n"
        "    wire             differs;\n"
        "    integer          at;\n"
        "    integer          which;\n"
        "    integer          said;\n"
        "\n"
        "    // One element; the first %d that differ are shown.\n"
        "    task say(input [8*%d-1:0] name, input integer element, input [63:0] expected,\n"
        "             input [63:0] got);\n"
        "        if (got !== expected) begin\n"
        "            said = said + 1;\n"
        "            if (said <= %d && element < 0)\n"
        "                $display(\"cycle %%0d: %%0s: expected %%0d, got %%0d\", cycle, name,\n"
        "                         expected, got);\n"
        "            else if (said <= %d)\n"
        "                $display(\"cycle %%0d: %%0s[%%0d]: expected %%0d, got %%0d\", cycle, "
        "name,\n"
        "                         element, expected, got);\n"
        "        end\n"
        "    endtask\n"
        "\n"
        "    always @(posedge differs) begin : p_names\n"
        "        said = 0;\n",
        SHOWN, UNIT_PORT_NAME, SHOWN, SHOWN);
    print_group_names(unit, UNIT_OUT, "want_out", "outs");
    printf("`ifdef REGISTERS\n");
    print_group_names(unit, UNIT_REG, "want_regs", "regs");
    printf(
        "`endif\n"
        "        if (said > %d) $display(\"cycle %%0d: and %%0d more\", cycle, said - %d);\n",
        SHOWN, SHOWN);
    print_inputs(unit);
    printf("    end\n");
}
