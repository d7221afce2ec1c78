/* ports - the port table of a unit, printed for its readers; see ports.h. */

#include "unit/ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit/bench.h"

const char ports_formats[] =
    "text, markdown, rtl, paths, module, bench, transactions-bench, systemverilog, dpi-bench, "
    "defines, derived or file";

static const char *const group_name[UNIT_GROUPS] = { "input", "output", "register", "memory" };

/* ---- For people ---------------------------------------------------------------------- */

static void size_text(const struct unit_port *port, char *text, size_t size)
{
    if (port->group == UNIT_MEM) {
        snprintf(text, size, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, port->words, port->count,
                 port->width);
    } else if (port->count > 1u && port->width > 1u) {
        snprintf(text, size, "%" PRIu32 " x %" PRIu32, port->count, port->width);
    } else {
        snprintf(text, size, "%" PRIu32, unit_port_bits(port));
    }
}

/* A row for a person. Of an array of parts there is one for all elements: "g_counter[*]...". */
static const char *row_name(const struct unit_port *port, char text[UNIT_PORT_NAME])
{
    unit_port_name(port, text);
    if (port->elements > 0u) {
        snprintf(text, UNIT_PORT_NAME, "g_%s[*].u_%s.%s%s", port->part, port->part, port->name,
                 unit_suffix(port));
    }
    return text;
}

/* "full", or "u_table: full" in a part. */
static const char *event_text(const struct unit_event *event, char text[UNIT_PORT_NAME])
{
    snprintf(text, UNIT_PORT_NAME, "%s%s%s%s", event->part == NULL ? "" : "u_",
             event->part == NULL ? "" : event->part, event->part == NULL ? "" : ": ",
             event->name);
    return text;
}

/* What kind of row it is. */
static const char *kind_of(const struct unit *unit, uint32_t i)
{
    return i < unit->n_port ? group_name[unit->ports[i].group] : "derived";
}

static void print_text(const struct unit *unit)
{
    char title[UNIT_TITLE];
    char name[UNIT_PORT_NAME];
    char bits[48];

    printf("%s\n\n%-9s %-18s %12s  %s\n", unit_title(unit, title), "", "name", "bits",
           "meaning");
    for (uint32_t i = 0u; i < unit->n_port + unit->type->n_derived; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->element > 0u) {
            continue;
        }
        size_text(port, bits, sizeof bits);
        printf("%-9s %-18s %12s  %s\n", kind_of(unit, i), row_name(port, name), bits,
               port->meaning);
    }
    for (uint32_t i = 0u; i < unit->type->n_event; i++) {
        const struct unit_event event = unit_event(unit->type, i);
        printf("%-9s %-18s %12s  %s\n", "event", event_text(&event, name), "", event.meaning);
    }
}

static void print_markdown_params(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    printf("| parameter | standard | range | meaning |\n|---|---|---|---|\n");
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        const struct unit_param *const param = &unit->type->params[i];
        printf("| `%s` | %" PRIu32 " | %" PRIu32 " to %" PRIu32 " | %s |\n",
               unit_upper(param->name, upper), param->standard, param->lowest, param->highest,
               param->meaning);
    }
    printf("\n| constant | value | standard | meaning |\n|---|---|---|---|\n");
    for (uint32_t i = 0u; i < unit->type->n_const; i++) {
        const struct unit_const *const constant = &unit->constants[i];
        printf("| `%s` | `%s` | %" PRIu32 " | %s |\n", unit_upper(constant->name, upper),
               constant->text, constant->value, constant->meaning);
    }
}

static void print_markdown(const struct unit *unit)
{
    char bits[48];
    char name[UNIT_PORT_NAME];

    print_markdown_params(unit);
    printf("\n| kind | name | shape | bits | meaning |\n|---|---|---|---|---|\n");
    for (uint32_t i = 0u; i < unit->n_port + unit->type->n_derived; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->element > 0u) {
            continue;
        }
        size_text(port, bits, sizeof bits);
        printf("| %s | `%s` | `%s` | %s | %s |\n", group_name[port->group],
               row_name(port, name), port->text, bits, port->meaning);
    }
    printf("\nBits are those of the standard parameters. In their own cycle ");
    for (const struct unit_path *path = unit->type->paths; path->in != NULL; path++) {
        printf("%s`%s_i` reaches `%s_o`", path == unit->type->paths ? "" : ", ", path->in,
               path->out);
    }
    printf("%s.\n", unit->type->paths->in == NULL ? "no input reaches an output"
                                                  : "; no other input reaches any output");
    if (unit->type->n_event > 0u) {
        printf("\n| event | meaning |\n|---|---|\n");
    }
    for (uint32_t i = 0u; i < unit->type->n_event; i++) {
        const struct unit_event event = unit_event(unit->type, i);
        printf("| `%s` | %s |\n", event_text(&event, name), event.meaning);
    }
}

/* ---- For the comparison with the module ---------------------------------------------- */

static void print_rtl(const struct unit *unit)
{
    char upper[UNIT_NAME_SIZE];

    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        printf("parameter %s %" PRIu32 "\n", unit_upper(unit->type->params[i].name, upper),
               unit_param(unit, i));
    }
    for (uint32_t i = 0u; i < unit->n_port + unit->type->n_derived; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const bool array = port->group == UNIT_REG && port->shape == UNIT_ARRAY;

        if (port->part != NULL) {
            continue; /* of another module, which has its own table */
        }
        if (port->group == UNIT_MEM) {
            printf("register %s_q %" PRIu32 "x%" PRIu32 "\n", port->name, unit_port_bits(port),
                   port->words);
        } else if (array) {
            printf("register %s_q %" PRIu32 "x%" PRIu32 "\n", port->name, port->width,
                   port->count);
        } else {
            printf("%s %s%s %" PRIu32 "\n", group_name[port->group], port->name,
                   unit_suffix(port), unit_port_bits(port));
        }
    }
}

/* Registers that the module must prove to be functions of the others. */
static void print_derived(const struct unit *unit)
{
    for (uint32_t i = 0u; i < unit->type->n_derived; i++) {
        printf("%s_q\n", unit->ports[unit->n_port + i].name);
    }
}

static void print_paths(const struct unit *unit)
{
    for (const struct unit_path *path = unit->type->paths; path->in != NULL; path++) {
        printf("%s_i %s_o\n", path->in, path->out);
    }
}

/* ---- For other programs -------------------------------------------------------------- */

/* A port as a SystemVerilog argument: a bit, or a vector. */
static void print_argument(const struct unit_port *port)
{
    if (port->shape == UNIT_FLAG) {
        printf("bit value");
    } else {
        printf("bit [%" PRIu32 ":0] value", unit_port_bits(port) - 1u);
    }
}

static void print_systemverilog(const struct unit *unit)
{
    const char *const name = unit->type->name;
    char title[UNIT_TITLE];

    printf("// The golden model of %s, for SystemVerilog; see tb/dpi/unit_dpi.c.\n"
           "package %s_dpi;\n",
           unit_title(unit, title), name);
    printf("    import \"DPI-C\" function chandle %s_dpi_open(input string params);\n", name);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const bool in = port->group == UNIT_IN;
        if (port->part != NULL) {
            continue;
        }
        if (port->group == UNIT_MEM) {
            printf("    import \"DPI-C\" function longint %s_dpi_get_%s_q("
                   "input chandle unit, input int element);\n",
                   name, port->name);
        } else {
            printf("    import \"DPI-C\" function void %s_dpi_%s_%s%s(input chandle unit, %s ",
                   name, in ? "set" : "get", port->name, unit_suffix(port),
                   in ? "input" : "output");
            print_argument(port);
            printf(");\n");
        }
    }
    for (const char *const *verb =
             (const char *const[]){ "eval", "tick", "reset", "close", NULL };
         *verb != NULL; verb++) {
        printf("    import \"DPI-C\" function void %s_dpi_%s(input chandle unit);\n", name,
               *verb);
    }
    printf("endpackage\n");
}

static void print_defines(const struct unit *unit)
{
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        printf("-DPARAM_%s=%" PRIu32 "u%s", unit->type->params[i].name, unit_param(unit, i),
               i + 1u == unit->type->n_param ? "\n" : " ");
    }
}

/* The name that files of these parameters have. */
static void print_file(const struct unit *unit)
{
    char name[UNIT_TITLE];

    printf("%s\n", unit_file_name(unit, name));
}

static const struct {
    const char *name;
    void (*print)(const struct unit *unit);
} formats[PORTS_FORMATS] = {
    [PORTS_TEXT] = { "text", print_text },
    [PORTS_MARKDOWN] = { "markdown", print_markdown },
    [PORTS_RTL] = { "rtl", print_rtl },
    [PORTS_PATHS] = { "paths", print_paths },
    [PORTS_DERIVED] = { "derived", print_derived },
    [PORTS_DEFINES] = { "defines", print_defines },
    [PORTS_SYSTEMVERILOG] = { "systemverilog", print_systemverilog },
    [PORTS_FILE] = { "file", print_file },
    [PORTS_BENCH] = { "bench", bench_print },
    [PORTS_TRANSACTIONS] = { "transactions-bench", bench_print_transactions },
    [PORTS_DPI_BENCH] = { "dpi-bench", bench_print_dpi },
    [PORTS_MODULE] = { "module", skeleton_print },
};

bool ports_format_of(const char *name, enum ports_format *format)
{
    for (int i = 0; i < PORTS_FORMATS; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = (enum ports_format)i;
            return true;
        }
    }
    return false;
}

void ports_print(const struct unit *unit, enum ports_format format)
{
    formats[format].print(unit);
}
