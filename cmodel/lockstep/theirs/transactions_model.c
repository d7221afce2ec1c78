/* transactions_model - the golden model's side of transactions; see transactions_model.h. */

#include "lockstep/theirs/transactions_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"

enum { MODEL_LIMIT = 1000000 };

/* ---- Opening ------------------------------------------------------------------------- */

static bool can_run(const struct transactions_model *model)
{
    const char *const kind = model->kind;

    if (model->channels.n_output == 0u) {
        fprintf(stderr,
                "%s: no output has a handshake, so its answers belong to cycles; allowed with "
                "--transactions:",
                model->unit->type->name);
        channels_list(stderr);
        return false;
    }
    if (model->channels.more) {
        fprintf(stderr,
                "%s: more than %d handshakes; at most so many are allowed with "
                "--transactions\n",
                model->unit->type->name, CHANNELS);
        return false;
    }
    if (strcmp(kind, "idle") != 0 && strcmp(kind, "bursty") != 0
        && strcmp(kind, "pressed") != 0) {
        fprintf(stderr, "--mode=%s: idle, bursty or pressed is allowed with --transactions\n",
                kind);
        return false;
    }
    return true;
}

bool transactions_model_open(struct transactions_model *model, struct unit *unit,
                             const char *kind, uint64_t seed, uint64_t stretch)
{
    *model =
        (struct transactions_model){ .unit = unit, .kind = kind, .seed = seed, .random = seed };
    channels_find(&model->channels, unit);
    if (!can_run(model)) {
        return false;
    }
    model->stimulus = stimulus_open(unit, kind, seed);
    model->in = calloc(1u, unit->type->group_size[UNIT_IN]);
    if (model->stimulus == NULL || model->in == NULL) {
        fputs("no memory for the transactions\n", stderr);
        return false;
    }
    stimulus_stretch(model->stimulus, stretch);
    return true;
}

void transactions_model_close(struct transactions_model *model)
{
    channels_free(&model->channels);
    stimulus_close(model->stimulus);
    free(model->in);
}

/* ---- The inputs of a step ------------------------------------------------------------ */

bool transactions_draw(struct transactions_model *model)
{
    struct unit *const unit = model->unit;
    const bool reset = stimulus_next(model->stimulus);

    model->steps++;
    model->offer = NULL;
    memset(model->in, 0, unit->type->group_size[UNIT_IN]);
    for (uint32_t c = 0u; c < model->channels.n && model->offer == NULL && !reset; c++) {
        struct channel *const channel = &model->channels.channel[c];
        if (!channel->output && unit_get(channel->valid, unit->in, 0u) != 0u) {
            model->offer = channel;
        }
    }
    for (uint32_t i = 0u; i < unit->n_port && !reset; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const bool given = model->offer != NULL
                               ? port == model->offer->valid || channel_has(model->offer, port)
                               : channels_is_level(&model->channels, port);
        for (uint32_t k = 0u; given && k < port->count; k++) {
            unit_set(port, model->in, k, unit_get(port, unit->in, k));
        }
    }
    return reset;
}

void transactions_inputs(const struct transactions_model *model, struct unit *side, bool given,
                         uint64_t *random)
{
    const bool levels = model->offer == NULL && !given;

    memset(side->in, 0, side->type->group_size[UNIT_IN]);
    if (!given) {
        memcpy(side->in, model->in, side->type->group_size[UNIT_IN]);
    }
    for (uint32_t c = 0u; c < model->channels.n; c++) {
        const struct channel *const channel = &model->channels.channel[c];
        if (channel->output) {
            unit_set(channel->ready, side->in, 0u,
                     levels || random == NULL || random_below(random, 4u) != 0u);
        }
    }
}

/* ---- What the model does ------------------------------------------------------------- */

void transactions_reset(struct transactions_model *model)
{
    transactions_inputs(model, model->unit, false, &model->random);
    unit_eval(model->unit);
    unit_edge(model->unit, true);
    unit_eval(model->unit);
    model->cycle++;
}

/* The edge changes nothing, and no output channel waits: so it stays under these inputs. */
static bool rests(const struct transactions_model *model)
{
    struct unit *const unit = model->unit;
    bool rests = unit->type->holds(unit->model, unit->next);

    for (uint32_t c = 0u; c < model->channels.n; c++) {
        const struct channel *const channel = &model->channels.channel[c];
        rests = rests && !(channel->output && unit_get(channel->valid, unit->out, 0u) != 0u);
    }
    unit_edge(unit, false);
    return rests;
}

/* The transfers of this cycle; given: an input channel's is the step's. False without memory.
 */
static bool note_transfers(struct transactions_model *model, bool *given)
{
    for (uint32_t c = 0u; c < model->channels.n; c++) {
        struct channel *const channel = &model->channels.channel[c];
        if (!channel_transfers(channel, model->unit)) {
            continue;
        }
        if (!channel->output) {
            channel->transfers++;
            *given = true;
        } else if (!channel_expect(channel, model->unit, model->cycle)) {
            fputs("no memory for the transactions\n", stderr);
            return false;
        }
    }
    return true;
}

bool transactions_step(struct transactions_model *model)
{
    const uint64_t end = model->cycle + MODEL_LIMIT;
    bool given = false;

    while (model->cycle < end) {
        transactions_inputs(model, model->unit, given, &model->random);
        unit_eval(model->unit);
        if (!note_transfers(model, &given)) {
            return false;
        }
        given = given || model->offer == NULL;
        model->cycle++;
        if (rests(model) && given) {
            return true;
        }
    }
    fprintf(stderr, "%s: the golden model does not come to rest\n", model->unit->type->name);
    return false;
}
