/* transactions - the same transfers in the same order; see transactions.h. */

#include "lockstep/theirs/transactions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "lockstep/report.h"
#include "lockstep/rtl.h"
#include "lockstep/stimulus.h"
#include "lockstep/theirs/channels.h"
#include "lockstep/theirs/transactions_report.h"

enum { MODEL_LIMIT = 1000000, PATH = 1024 };

/* The inputs of a step: the offer's channel, or none. */
struct step {
    struct channel *offer;
    void *in;
};

struct run {
    const struct lockstep_options *options;
    struct unit *model;
    struct unit *other; /* whose inputs and outputs are the RTL's */
    struct rtl *rtl;
    char library[PATH];
    struct stimulus *stimulus;
    struct channels channels;
    struct step step;
    uint64_t steps;
    uint64_t model_cycle, rtl_cycle;
    uint64_t model_random, rtl_random; /* of the receivers */
    bool lost;                         /* no memory, or a model that does not come to rest */
};

/* ---- Differences --------------------------------------------------------------------- */

static struct transactions_place place(const struct run *run)
{
    return (struct transactions_place){
        .unit = run->model,
        .library = run->library,
        .source = rtl_source(run->rtl),
        .kind = run->options->kind,
        .seed = run->options->seed,
        .step = run->steps,
        .model_cycle = run->model_cycle,
        .rtl_cycle = run->rtl_cycle,
    };
}

/* Compares what the RTL transfers with the first that is expected. */
static bool payload_equal(const struct run *run, const struct channel *channel)
{
    struct unit_difference found[REPORT_DIFFERENCES];
    const struct transactions_place at = place(run);
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < run->model->n_port; i++) {
        const struct unit_port *const port = &run->model->ports[i];
        for (uint32_t k = 0u; channel_has(channel, port) && k < port->count; k++) {
            const uint64_t want = unit_get(port, channel->expected[0].out, k);
            const uint64_t got = unit_get(port, run->other->out, k);
            if (want != got && n < REPORT_DIFFERENCES) {
                found[n++] = (struct unit_difference){ port, k, want, got };
            }
        }
    }
    if (n > 0u) {
        transactions_report_other(&at, channel, found, n);
    }
    return n == 0u;
}

/* ---- The inputs of a step ------------------------------------------------------------ */

/* Draws a step from the next random inputs. Returns whether it is a reset. */
static bool draw_step(struct run *run)
{
    struct unit *const model = run->model;
    const bool reset = stimulus_next(run->stimulus);
    const size_t size = model->type->group_size[UNIT_IN];

    run->step.offer = NULL;
    memset(run->step.in, 0, size);
    for (uint32_t c = 0u; c < run->channels.n && run->step.offer == NULL && !reset; c++) {
        struct channel *const channel = &run->channels.channel[c];
        if (!channel->output && unit_get(channel->valid, model->in, 0u) != 0u) {
            run->step.offer = channel;
        }
    }
    for (uint32_t i = 0u; i < model->n_port && !reset; i++) {
        const struct unit_port *const port = &model->ports[i];
        const bool given = run->step.offer != NULL ? port == run->step.offer->valid
                                                         || channel_has(run->step.offer, port)
                                                   : channels_is_level(&run->channels, port);
        for (uint32_t k = 0u; given && k < port->count; k++) {
            unit_set(port, run->step.in, k, unit_get(port, model->in, k));
        }
    }
    return reset;
}

/*
 * The inputs of one cycle: of the step, until it is given, and receivers that are ready in
 * three of four cycles. In that of the levels all are, and all are if there is nothing to draw
 * from.
 */
static void give_inputs(const struct run *run, struct unit *unit, bool given, uint64_t *random)
{
    const bool levels = run->step.offer == NULL && !given;

    memset(unit->in, 0, unit->type->group_size[UNIT_IN]);
    if (!given) {
        memcpy(unit->in, run->step.in, unit->type->group_size[UNIT_IN]);
    }
    for (uint32_t c = 0u; c < run->channels.n; c++) {
        const struct channel *const channel = &run->channels.channel[c];
        if (channel->output) {
            unit_set(channel->ready, unit->in, 0u,
                     levels || random == NULL || random_below(random, 4u) != 0u);
        }
    }
}

/* ---- The model's side ---------------------------------------------------------------- */

/* The edge changes nothing, and no output channel waits: so it stays under these inputs. */
static bool model_rests(struct run *run)
{
    struct unit *const model = run->model;
    bool rests = model->type->holds(model->model, model->next);

    for (uint32_t c = 0u; c < run->channels.n; c++) {
        const struct channel *const channel = &run->channels.channel[c];
        rests = rests && !(channel->output && unit_get(channel->valid, model->out, 0u) != 0u);
    }
    unit_edge(model, false);
    return rests;
}

/* One cycle; given: the inputs of the step have been. Returns whether the model rests. */
static bool model_cycle(struct run *run, bool *given)
{
    struct unit *const model = run->model;
    const bool levels = run->step.offer == NULL;

    give_inputs(run, model, *given, &run->model_random);
    unit_eval(model);
    for (uint32_t c = 0u; c < run->channels.n; c++) {
        struct channel *const channel = &run->channels.channel[c];
        if (!channel_transfers(channel, model)) {
            continue;
        }
        if (!channel->output) {
            channel->transfers++;
            *given = true;
        } else if (!channel_expect(channel, model, run->model_cycle)) {
            fputs("no memory for the transactions\n", stderr);
            run->lost = true;
        }
    }
    *given = *given || levels;
    run->model_cycle++;
    return model_rests(run) && *given;
}

static void model_step(struct run *run)
{
    const uint64_t end = run->model_cycle + MODEL_LIMIT;
    bool given = false;

    while (!model_cycle(run, &given) && !run->lost) {
        if (run->model_cycle == end) {
            fprintf(stderr, "%s: the golden model does not come to rest\n",
                    run->model->type->name);
            run->lost = true;
        }
    }
}

/* ---- The RTL's side ------------------------------------------------------------------ */

/* The transfers of one cycle. False if one differs. */
static bool check_transfers(struct run *run, bool *given)
{
    for (uint32_t c = 0u; c < run->channels.n; c++) {
        struct channel *const channel = &run->channels.channel[c];
        if (!channel_transfers(channel, run->other)) {
            continue;
        }
        if (!channel->output) {
            channel->matched++;
            *given = true;
        } else if (channel->n == 0u) {
            const struct transactions_place at = place(run);
            transactions_report_extra(&at, channel, run->other->out);
            return false;
        } else if (!payload_equal(run, channel)) {
            return false;
        } else {
            channel_match(channel);
        }
    }
    return true;
}

/* The channel whose transfer is missing; NULL if none is. */
static const struct channel *missing(const struct run *run)
{
    for (uint32_t c = 0u; c < run->channels.n; c++) {
        const struct channel *const channel = &run->channels.channel[c];
        if (channel->matched < channel->transfers) {
            return channel;
        }
    }
    return NULL;
}

/* One cycle, with receivers as random says, or all ready without. False at a difference. */
static bool rtl_cycle(struct run *run, bool *given, uint64_t *random)
{
    give_inputs(run, run->other, *given, random);
    rtl_eval(run->rtl, false);
    rtl_outputs(run->rtl, run->other->out);
    if (!check_transfers(run, given)) {
        return false;
    }
    *given = *given || run->step.offer == NULL;
    rtl_tick(run->rtl, true); /* without a note of memories, which are not compared */
    run->rtl_cycle++;
    return true;
}

/* Until an edge changes nothing in the RTL, or for so many cycles: what is under way ends. */
static bool rtl_rest(struct run *run, bool given, uint32_t most)
{
    bool rests = false;

    for (uint32_t i = 0u; i < most && !rests; i++) {
        if (!rtl_cycle(run, &given, NULL)) {
            return false;
        }
        rests = rtl_settled(run->rtl) && i > 0u;
    }
    return true;
}

/* The whole step. False at a difference. */
static bool rtl_step(struct run *run)
{
    uint32_t silent = 0u;
    bool given = false;

    for (const struct channel *waits = missing(run); waits != NULL; waits = missing(run)) {
        const uint64_t matched = waits->matched;
        if (!rtl_cycle(run, &given, &run->rtl_random)) {
            return false;
        }
        silent = waits->matched != matched ? 0u : silent + 1u;
        if (silent == TRANSACTIONS_LIMIT) {
            const struct transactions_place at = place(run);
            transactions_report_missing(&at, waits);
            return false;
        }
    }
    return rtl_rest(run, given,
                    run->step.offer != NULL ? TRANSACTIONS_REST : TRANSACTIONS_QUIET);
}

/* ---- Running ------------------------------------------------------------------------- */

static void reset_both(struct run *run)
{
    give_inputs(run, run->model, false, &run->model_random);
    unit_eval(run->model);
    unit_edge(run->model, true);
    unit_eval(run->model);
    run->model_cycle++;
    give_inputs(run, run->other, false, &run->rtl_random);
    rtl_eval(run->rtl, true);
    rtl_tick(run->rtl, true);
    run->rtl_cycle++;
}

static int run_all(struct run *run)
{
    while (run->rtl_cycle < run->options->cycles) {
        run->steps++;
        if (draw_step(run)) {
            reset_both(run);
            continue;
        }
        model_step(run);
        if (run->lost) {
            return 2;
        }
        if (!rtl_step(run)) {
            return 1;
        }
    }
    return 0;
}

static int summarize(const struct run *run)
{
    char title[UNIT_TITLE];
    bool all = true;

    for (uint32_t c = 0u; c < run->channels.n; c++) {
        all = all && run->channels.channel[c].matched != 0u;
    }
    printf("%s %-56s %s, seed %" PRIu64 ", %" PRIu64 " steps, transactions",
           all ? "equal " : "INCOMPLETE", unit_title(run->model, title), run->options->kind,
           run->options->seed, run->steps);
    for (uint32_t c = 0u; c < run->channels.n; c++) {
        const struct channel *const channel = &run->channels.channel[c];
        printf(" %s %" PRIu64 ",", channel->name, channel->matched);
    }
    printf(" %" PRIu64 " cycles of the model, %" PRIu64 " of the RTL; RTL %s\n",
           run->model_cycle, run->rtl_cycle, rtl_source(run->rtl));
    return all ? 0 : 1;
}

/* ---- Opening ------------------------------------------------------------------------- */

static bool can_run(const struct run *run)
{
    const char *const kind = run->options->kind;

    if (run->channels.n_output == 0u) {
        fprintf(stderr,
                "%s: no output has a handshake, so its answers belong to cycles; allowed with "
                "--transactions:",
                run->model->type->name);
        channels_list(stderr);
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

static bool open_run(struct run *run)
{
    struct unit *const model = run->model;
    struct fault fault;

    channels_find(&run->channels, model);
    if (!can_run(run)
        || !rtl_find(model, run->options->library, run->library, sizeof run->library)) {
        return false;
    }
    run->other = unit_open_config(model->type->name, model->config, &fault);
    run->stimulus = stimulus_open(model, run->options->kind, run->options->seed);
    run->step.in = calloc(1u, model->type->group_size[UNIT_IN]);
    if (run->other == NULL || run->stimulus == NULL || run->step.in == NULL) {
        fputs("no memory for the transactions\n", stderr);
        return false;
    }
    stimulus_stretch(run->stimulus, run->options->stretch);
    run->rtl = rtl_open(run->other, run->library);
    return run->rtl != NULL;
}

int transactions_run(struct unit *unit, const struct lockstep_options *options)
{
    struct run run = {
        .options = options,
        .model = unit,
        .model_random = options->seed,
        .rtl_random = ~options->seed,
    };
    int status = 2;

    if (open_run(&run)) {
        status = run_all(&run);
        status = status != 0 ? status : summarize(&run);
    }
    rtl_close(run.rtl);
    channels_free(&run.channels);
    stimulus_close(run.stimulus);
    unit_close(run.other);
    free(run.step.in);
    return status;
}
