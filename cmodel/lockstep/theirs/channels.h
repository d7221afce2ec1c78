/*
 * channels - the handshakes of a unit, by the names of its ports, and what was transferred.
 *
 * An output NAME_valid with an input NAME_ready is an output channel; what it transfers are the
 * outputs NAME_*. An input NAME_valid with an output NAME_ready is an input channel, which
 * transfers the inputs NAME_*. A transfer is a cycle in which both are high. Other inputs
 * NAME_* of an output channel answer what it shows. All other inputs are level inputs; other
 * outputs belong to no channel.
 */

#ifndef CHANNELS_H
#define CHANNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/unit.h"

enum { CHANNELS = 8 };

/* A transfer that is expected: its cycle in the model, and all outputs. */
struct transfer {
    uint64_t cycle;
    void *out;
};

struct channel {
    char name[UNIT_NAME_SIZE];
    const struct unit_port *valid;
    const struct unit_port *ready;
    bool output;
    uint64_t transfers;        /* so far, of the model */
    uint64_t matched;          /* of these, by the RTL */
    struct transfer *expected; /* those that are not yet matched, of an output channel */
    uint32_t n, capacity;
};

struct channels {
    uint32_t n;
    uint32_t n_output;
    bool more; /* than there is room for */
    struct channel channel[CHANNELS];
};

/* In the order of the port table. */
void channels_find(struct channels *channels, const struct unit *unit);
void channels_free(struct channels *channels);

/* The units that have an output channel, a blank before each, and a newline. */
void channels_list(FILE *to);

/* What a channel transfers: an output or input NAME_* other than its valid and ready. */
bool channel_has(const struct channel *channel, const struct unit_port *port);

/* An input that belongs to no channel, by its name. */
bool channels_is_level(const struct channels *channels, const struct unit_port *port);

/* Both of its sides are high. */
bool channel_transfers(const struct channel *channel, const struct unit *unit);

/* Adds the outputs that a unit has now. False if there is no memory. */
bool channel_expect(struct channel *channel, const struct unit *unit, uint64_t cycle);

/* Drops the first of those that are expected. */
void channel_match(struct channel *channel);

#endif
