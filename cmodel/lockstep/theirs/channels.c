/* channels - a unit's handshakes; see channels.h. */

#include "lockstep/theirs/channels.h"

#include <stdlib.h>
#include <string.h>

/* The port of a group whose name is that of a channel with an ending. */
static const struct unit_port *find(const struct unit *unit, enum unit_group group,
                                    const char *channel, const char *ending)
{
    char name[2 * UNIT_NAME_SIZE];

    snprintf(name, sizeof name, "%s%s", channel, ending);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == group && strcmp(unit->ports[i].name, name) == 0) {
            return &unit->ports[i];
        }
    }
    return NULL;
}

void channels_find(struct channels *channels, const struct unit *unit)
{
    static const char ending[] = "_valid";

    *channels = (struct channels){ .n = 0u };
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        struct channel *const channel = &channels->channel[channels->n];
        const size_t length = strlen(port->name);
        const size_t stem = length - (sizeof ending - 1u);
        if ((port->group != UNIT_IN && port->group != UNIT_OUT) || length < sizeof ending
            || strcmp(port->name + stem, ending) != 0) {
            continue;
        }
        if (channels->n == CHANNELS) {
            channels->more = true;
            return;
        }
        *channel = (struct channel){ .valid = port, .output = port->group == UNIT_OUT };
        snprintf(channel->name, sizeof channel->name, "%.*s", (int)stem, port->name);
        channel->ready =
            find(unit, channel->output ? UNIT_IN : UNIT_OUT, channel->name, "_ready");
        channels->n += channel->ready != NULL;
        channels->n_output += channel->ready != NULL && channel->output;
    }
}

void channels_free(struct channels *channels)
{
    for (uint32_t c = 0u; c < channels->n; c++) {
        struct channel *const channel = &channels->channel[c];
        for (uint32_t i = 0u; i < channel->capacity; i++) {
            free(channel->expected[i].out);
        }
        free(channel->expected);
    }
}

void channels_list(FILE *to)
{
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        struct fault fault;
        struct channels channels;
        struct unit *const unit = unit_open_text((*type)->name, "", &fault);
        if (unit == NULL) {
            continue; /* no memory for a longer message */
        }
        channels_find(&channels, unit);
        fprintf(to, "%s%s", channels.n_output != 0u ? " " : "",
                channels.n_output != 0u ? (*type)->name : "");
        unit_close(unit);
    }
    fputc('\n', to);
}

/* An input or output NAME_* of the channel. */
static bool is_named(const struct channel *channel, const struct unit_port *port)
{
    const size_t length = strlen(channel->name);

    return strncmp(port->name, channel->name, length) == 0 && port->name[length] == '_';
}

bool channel_has(const struct channel *channel, const struct unit_port *port)
{
    return port->group == (channel->output ? UNIT_OUT : UNIT_IN) && port != channel->valid
           && is_named(channel, port);
}

bool channels_is_level(const struct channels *channels, const struct unit_port *port)
{
    bool level = port->group == UNIT_IN;

    for (uint32_t c = 0u; c < channels->n; c++) {
        level = level && !is_named(&channels->channel[c], port);
    }
    return level;
}

bool channel_transfers(const struct channel *channel, const struct unit *unit)
{
    const void *const valid = channel->output ? unit->out : unit->in;
    const void *const ready = channel->output ? unit->in : unit->out;

    return unit_get(channel->valid, valid, 0u) != 0u
           && unit_get(channel->ready, ready, 0u) != 0u;
}

bool channel_expect(struct channel *channel, const struct unit *unit, uint64_t cycle)
{
    const size_t size = unit->type->group_size[UNIT_OUT];

    if (channel->n == channel->capacity) {
        const uint32_t capacity = channel->capacity + 1u;
        struct transfer *const more =
            realloc(channel->expected, capacity * sizeof *channel->expected);
        if (more == NULL) {
            return false;
        }
        channel->expected = more;
        more[channel->n].out = malloc(size);
        if (more[channel->n].out == NULL) {
            return false;
        }
        channel->capacity = capacity;
    }
    channel->expected[channel->n].cycle = cycle;
    memcpy(channel->expected[channel->n].out, unit->out, size);
    channel->n++;
    channel->transfers++;
    return true;
}

void channel_match(struct channel *channel)
{
    const struct transfer first = channel->expected[0];

    channel->n--;
    memmove(channel->expected, channel->expected + 1, channel->n * sizeof first);
    channel->expected[channel->n] = first; /* its memory is used again */
    channel->matched++;
}
