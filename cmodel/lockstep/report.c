/* report - a difference between model and RTL, for a person to read; see report.h. */

#include "lockstep/report.h"

#include <inttypes.h>
#include <string.h>

/* ---- What differs -------------------------------------------------------------------- */

static void element_name(const struct unit_difference *difference, char *text, size_t size)
{
    const struct unit_port *const port = difference->port;
    const uint32_t word = difference->element / port->count;
    const uint32_t element = difference->element % port->count;
    char own[UNIT_PORT_NAME];
    size_t at = (size_t)snprintf(text, size, "%s", unit_port_name(port, own));

    if (port->group == UNIT_MEM) {
        at += (size_t)snprintf(text + at, size - at, "[%" PRIu32 "]", word);
    }
    if (port->count > 1u) {
        snprintf(text + at, size - at, "[%" PRIu32 "]", element);
    }
}

void report_differences(FILE *to, const struct unit_difference *differences, uint32_t n)
{
    char name[UNIT_PORT_NAME + 24];

    fprintf(to, "  %-28s %20s %20s\n", "port[element]", "expected", "got");
    for (uint32_t i = 0u; i < n; i++) {
        element_name(&differences[i], name, sizeof name);
        fprintf(to, "  %-28s %20" PRIu64 " %20" PRIu64 "\n", name, differences[i].expected,
                differences[i].got);
    }
    if (n == REPORT_DIFFERENCES) {
        fprintf(to, "  (and perhaps more)\n");
    }
}

/* ---- Inputs -------------------------------------------------------------------------- */

/* Columns of an input: hexadecimal; of wide ports, only the lowest 64 bits. */
static int column(const struct unit_port *port)
{
    const int digits = ((int)unit_port_bits(port) + 3) / 4;
    const int shown = digits <= 16 ? digits : 18;
    const int name = (int)strlen(port->name) + 2;

    return shown > name ? shown : name;
}

void report_input_names(FILE *to, const struct unit *unit)
{
    fprintf(to, "  %12s rst_i", "cycle");
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN) {
            fprintf(to, " %*s_i", column(port) - 2, port->name);
        }
    }
    fprintf(to, "\n");
}

static void input_text(const struct unit_port *port, const void *in, char *text, size_t size)
{
    const uint32_t bits = unit_port_bits(port);
    uint64_t low = 0u;

    for (uint32_t k = 0u; k < port->count && k * port->width < 64u; k++) {
        low |= unit_get(port, in, k) << (k * port->width);
    }
    if (bits > 64u) {
        snprintf(text, size, "..%016" PRIx64, low);
    } else {
        snprintf(text, size, "%0*" PRIx64, ((int)bits + 3) / 4, low);
    }
}

void report_inputs(FILE *to, const struct unit *unit, uint64_t cycle, bool reset)
{
    char text[24];

    fprintf(to, "  %12" PRIu64 " %5d", cycle, reset);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        if (port->group == UNIT_IN) {
            input_text(port, unit->in, text, sizeof text);
            fprintf(to, " %*s", column(port), text);
        }
    }
    fprintf(to, "\n");
}
