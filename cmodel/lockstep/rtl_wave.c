/* rtl_wave - waveforms of a loaded RTL, with the model beside it; see rtl.h. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/rtl_parts.h"

/* Each output, register and memory word of the model becomes a signal. */
static bool add_signals(struct rtl *rtl, const struct row *row)
{
    const struct unit_port *const port = row->port;
    const uint32_t stride = unit_words(unit_port_bits(port));
    char name[UNIT_PORT_NAME];

    for (uint32_t k = 0u; k < port->words; k++) {
        struct rtl_signal *const signal = &rtl->signals[rtl->n_signal++];
        snprintf(signal->name, sizeof signal->name, port->group == UNIT_MEM ? "%s[%u]" : "%s",
                 unit_port_name(port, name), k);
        signal->bits = unit_port_bits(port);
        signal->words = port->group == UNIT_MEM ? row->image + (size_t)k * stride
                                                : calloc(stride, sizeof *signal->words);
        if (signal->words == NULL) {
            return false;
        }
    }
    return true;
}

bool rtl_trace(struct rtl *rtl, const char *file)
{
    uint32_t n = 0u;
    bool ok = true;

    for (uint32_t i = 0u; i < rtl->unit->n_port; i++) {
        n += rtl->rows[i].port->words;
    }
    rtl->signals = calloc(n + 1u, sizeof *rtl->signals);
    ok = rtl->signals != NULL;
    for (uint32_t i = 0u; ok && i < rtl->unit->n_port; i++) {
        ok = rtl->rows[i].port->group == UNIT_IN || add_signals(rtl, &rtl->rows[i]);
    }
    if (!ok) {
        fprintf(stderr, "%s: no memory for the waveform\n", file);
    } else if (!output_file_open(&rtl->wave, file)) {
        fprintf(stderr, "%s: cannot be written: %s\n", file, strerror(errno));
        ok = false;
    } else {
        /* Verilator opens files by their names alone. */
        const char *const name = rtl->wave.partial != NULL ? rtl->wave.partial : file;
        rtl->ops->trace(rtl->instance, name, rtl->signals, rtl->n_signal);
    }
    return ok;
}

void rtl_dump(struct rtl *rtl, uint64_t time)
{
    const struct unit *const unit = rtl->unit;
    const void *const group[UNIT_IMAGES] = { NULL, unit->out, unit_state(unit) };
    uint32_t s = 0u;

    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = rtl->rows[i].port;
        if (port->group == UNIT_OUT || port->group == UNIT_REG) {
            unit_pack(port, group[port->group], rtl->signals[s].words);
        }
        s += port->group == UNIT_IN ? 0u : port->words;
    }
    rtl->ops->dump(rtl->instance, time);
}

void rtl_free_signals(struct rtl *rtl)
{
    uint32_t s = 0u;

    if (rtl->wave.to != NULL && !output_file_name(&rtl->wave)) {
        fprintf(stderr, "%s: cannot be written: %s\n", rtl->wave.path, strerror(errno));
        output_file_abandon(&rtl->wave);
    }
    for (uint32_t i = 0u; s < rtl->n_signal; i++) {
        const struct unit_port *const port = rtl->rows[i].port;
        if (port->group == UNIT_OUT || port->group == UNIT_REG) {
            free(rtl->signals[s].words);
        }
        s += port->group == UNIT_IN ? 0u : port->words;
    }
    free(rtl->signals);
}
