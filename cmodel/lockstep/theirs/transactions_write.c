/* transactions_write - files of transactions, for any simulator; see transactions.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/theirs/transactions.h"
#include "lockstep/theirs/transactions_model.h"
#include "lockstep/vectors.h"
#include "lockstep/vectors_writer.h"

struct write {
    struct transactions_model golden;
    struct vector_writer *writer;
    void *out; /* outputs, of which only what a channel transfers is not 0 */
};

/* What a channel transfers of outputs; of NULL, its highest values. */
static const void *payload(const struct write *write, const struct channel *channel,
                           const void *out)
{
    const struct unit *const unit = write->golden.unit;

    memset(write->out, 0, unit->type->group_size[UNIT_OUT]);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const bool has = channel->output && channel_has(channel, port);
        for (uint32_t k = 0u; has && k < port->count; k++) {
            unit_set(port, write->out, k,
                     out != NULL ? unit_get(port, out, k) : UINT64_MAX >> (64u - port->width));
        }
    }
    return write->out;
}

/* A line's beginning is in writer->line; a group's digits follow. */
static void put_image(struct write *write, int length, enum unit_group group, const void *from)
{
    struct vector_writer *const writer = write->writer;

    memcpy(vectors_put_group(writer, writer->line + length, group, from), "\n", 2u);
    vectors_end_line(writer);
}

static void put_channels(struct write *write)
{
    const struct channels *const channels = &write->golden.channels;
    struct vector_writer *const writer = write->writer;

    for (uint32_t c = 0u; c < channels->n; c++) {
        const struct channel *const channel = &channels->channel[c];
        const int length = sprintf(writer->line, "channel %" PRIu32 " %s %s %u %u ", c,
                                   channel->output ? "out" : "in", channel->name,
                                   channel->valid->bit, channel->ready->bit);
        put_image(write, length, UNIT_OUT, payload(write, channel, NULL));
    }
    vectors_put_line(writer, "steps\n");
}

/* What the golden model transfers in a step, a channel after the other. */
static void put_expected(struct write *write)
{
    struct channels *const channels = &write->golden.channels;

    for (uint32_t c = 0u; c < channels->n; c++) {
        struct channel *const channel = &channels->channel[c];
        while (channel->n > 0u) {
            const int length = sprintf(write->writer->line, "expect %" PRIu32 " ", c);
            put_image(write, length, UNIT_OUT,
                      payload(write, channel, channel->expected[0].out));
            channel_match(channel);
        }
    }
}

static bool put_step(struct write *write)
{
    struct transactions_model *const golden = &write->golden;
    struct vector_writer *const writer = write->writer;

    writer->count++;
    if (transactions_draw(golden)) {
        transactions_reset(golden);
        vectors_put_line(writer, "reset 0 0\n");
        return true;
    }
    const int length = golden->offer != NULL ? sprintf(writer->line, "offer %td ",
                                                       golden->offer - golden->channels.channel)
                                             : sprintf(writer->line, "levels 0 ");
    put_image(write, length, UNIT_IN, golden->in);
    if (!transactions_step(golden)) {
        return false;
    }
    put_expected(write);
    return true;
}

static bool put_all(struct write *write, const char *file, uint64_t cycles)
{
    struct unit *const unit = write->golden.unit;
    bool ok = true;

    write->out = malloc(unit->type->group_size[UNIT_OUT]);
    if (write->out == NULL) {
        fputs("no memory for the transactions\n", stderr);
        return false;
    }
    write->writer = vectors_begin(unit, file, "gpusched-transactions 1\n");
    if (write->writer == NULL) {
        return false;
    }
    vectors_put_ports(write->writer, UNIT_REG);
    put_channels(write);
    while (ok && write->golden.cycle < cycles) {
        ok = put_step(write);
    }
    if (!ok) {
        vector_writer_abandon(write->writer);
        return false;
    }
    return vector_writer_close(write->writer);
}

bool transactions_write(struct unit *unit, const struct lockstep_options *options,
                        const char *file)
{
    struct write write = { .out = NULL };
    const bool written = transactions_model_open(&write.golden, unit, options->kind,
                                                 options->seed, options->stretch)
                         && put_all(&write, file, options->cycles);

    transactions_model_close(&write.golden);
    free(write.out);
    return written;
}
