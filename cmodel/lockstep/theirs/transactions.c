/* transactions - the same transfers in the same order; see transactions.h. */

#include "lockstep/theirs/transactions.h"

#include <inttypes.h>
#include <stdio.h>

#include "lockstep/report.h"
#include "lockstep/rtl.h"
#include "lockstep/theirs/transactions_model.h"
#include "lockstep/theirs/transactions_report.h"

enum { PATH = 1024 };

struct run {
    const struct lockstep_options *options;
    struct transactions_model golden;
    struct unit *other; /* whose inputs and outputs are the RTL's */
    struct rtl *rtl;
    char library[PATH];
    uint64_t cycle;  /* of the RTL */
    uint64_t random; /* of its receivers */
};

/* ---- Differences --------------------------------------------------------------------- */

static struct transactions_place place(const struct run *run)
{
    return (struct transactions_place){
        .unit = run->golden.unit,
        .library = run->library,
        .source = rtl_source(run->rtl),
        .kind = run->options->kind,
        .seed = run->options->seed,
        .step = run->golden.steps,
        .model_cycle = run->golden.cycle,
        .rtl_cycle = run->cycle,
    };
}

/* Compares what the RTL transfers with the first that is expected. */
static bool payload_equal(const struct run *run, const struct channel *channel)
{
    struct unit_difference found[REPORT_DIFFERENCES];
    const struct transactions_place at = place(run);
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < run->golden.unit->n_port; i++) {
        const struct unit_port *const port = &run->golden.unit->ports[i];
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

/* ---- The RTL's side ------------------------------------------------------------------ */

/* The transfers of one cycle. False if one differs. */
static bool check_transfers(struct run *run, bool *given)
{
    for (uint32_t c = 0u; c < run->golden.channels.n; c++) {
        struct channel *const channel = &run->golden.channels.channel[c];
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
    for (uint32_t c = 0u; c < run->golden.channels.n; c++) {
        const struct channel *const channel = &run->golden.channels.channel[c];
        if (channel->matched < channel->transfers) {
            return channel;
        }
    }
    return NULL;
}

/* One cycle, with receivers as random says, or all ready without. False at a difference. */
static bool rtl_cycle(struct run *run, bool *given, uint64_t *random)
{
    transactions_inputs(&run->golden, run->other, *given, random);
    rtl_eval(run->rtl, false);
    rtl_outputs(run->rtl, run->other->out);
    if (!check_transfers(run, given)) {
        return false;
    }
    *given = *given || run->golden.offer == NULL;
    rtl_tick(run->rtl, true); /* without a note of memories, which are not compared */
    run->cycle++;
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
        if (!rtl_cycle(run, &given, &run->random)) {
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
                    run->golden.offer != NULL ? TRANSACTIONS_REST : TRANSACTIONS_QUIET);
}

/* ---- Running ------------------------------------------------------------------------- */

static void reset_both(struct run *run)
{
    transactions_reset(&run->golden);
    transactions_inputs(&run->golden, run->other, false, &run->random);
    rtl_eval(run->rtl, true);
    rtl_tick(run->rtl, true);
    run->cycle++;
}

static int run_all(struct run *run)
{
    while (run->cycle < run->options->cycles) {
        if (transactions_draw(&run->golden)) {
            reset_both(run);
            continue;
        }
        if (!transactions_step(&run->golden)) {
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

    for (uint32_t c = 0u; c < run->golden.channels.n; c++) {
        all = all && run->golden.channels.channel[c].matched != 0u;
    }
    printf("%s %-56s %s, seed %" PRIu64 ", %" PRIu64 " steps, transactions",
           all ? "equal " : "INCOMPLETE", unit_title(run->golden.unit, title),
           run->options->kind, run->options->seed, run->golden.steps);
    for (uint32_t c = 0u; c < run->golden.channels.n; c++) {
        const struct channel *const channel = &run->golden.channels.channel[c];
        printf(" %s %" PRIu64 ",", channel->name, channel->matched);
    }
    printf(" %" PRIu64 " cycles of the model, %" PRIu64 " of the RTL; RTL %s\n",
           run->golden.cycle, run->cycle, rtl_source(run->rtl));
    return all ? 0 : 1;
}

/* ---- Opening ------------------------------------------------------------------------- */

static bool open_run(struct run *run, struct unit *unit)
{
    const struct lockstep_options *const options = run->options;
    struct fault fault;

    if (!transactions_model_open(&run->golden, unit, options->kind, options->seed,
                                 options->stretch)
        || !rtl_find(unit, options->library, run->library, sizeof run->library)) {
        return false;
    }
    run->other = unit_open_config(unit->type->name, unit->config, &fault);
    if (run->other == NULL) {
        fputs("no memory for the transactions\n", stderr);
        return false;
    }
    run->rtl = rtl_open(run->other, run->library);
    return run->rtl != NULL;
}

int transactions_run(struct unit *unit, const struct lockstep_options *options)
{
    struct run run = { .options = options, .random = ~options->seed };
    int status = 2;

    if (open_run(&run, unit)) {
        status = run_all(&run);
        status = status != 0 ? status : summarize(&run);
    }
    rtl_close(run.rtl);
    transactions_model_close(&run.golden);
    unit_close(run.other);
    return status;
}
