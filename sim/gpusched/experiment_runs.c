/* experiment_runs - runs in parallel; see experiment_runs.h. */

#include "experiment_runs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiment_child.h"
#include "experiment_libraries.h"
#include "experiment_progress.h"
#include "progress.h"

struct slot {
    struct experiment_child child;
    uint32_t run;
};

struct runs {
    struct store *store;
    struct experiment_grid *grid;
    const struct experiment_figures *figures;
    const struct experiment_options *options;
    struct runs_progress progress;
    bool *wanted;    /* of each run that is the first of its key */
    uint32_t next;   /* runs before it have been started */
    uint32_t active; /* slots with a child */
    struct slot *slots;
    sigset_t signals; /* that it waits for */
    bool stopped;     /* by one of them, but SIGCHLD */
    char *message;
    size_t size;
};

bool experiment_count(struct store *store, const struct experiment_grid *grid,
                      struct experiment_counts *counts)
{
    *counts = (struct experiment_counts){ .all = grid->n };
    for (uint32_t i = 0u; i < grid->n; i++) {
        enum experiment_status status;
        bool foreign;
        if (!store_find(store, &grid->keys[i], &status, &foreign)) {
            return false;
        }
        counts->done += status == RUN_DONE;
        counts->failed += status == RUN_FAILED;
        counts->foreign += foreign;
    }
    return true;
}

/* ---- What is to be done ------------------------------------------------------------------ */

static bool plan(struct runs *runs)
{
    const struct experiment_options *const options = runs->options;

    for (uint32_t i = 0u; i < runs->grid->n; i++) {
        const uint32_t first = runs->grid->same[i];
        enum experiment_status status;
        bool foreign;
        if (!store_find(runs->store, &runs->grid->keys[i], &status, &foreign)) {
            snprintf(runs->message, runs->size, "%s", store_message(runs->store));
            return false;
        }
        runs->wanted[first] = status == RUN_PENDING || (status == RUN_FAILED && options->retry)
                              || (foreign && options->refresh);
        runs->progress.all++;
        if (!runs->wanted[first]) {
            runs->progress.done += status == RUN_DONE;
            runs->progress.failed += status == RUN_FAILED;
        }
    }
    return true;
}

static bool more(struct runs *runs)
{
    while (runs->next < runs->grid->n
           && (runs->grid->same[runs->next] != runs->next || !runs->wanted[runs->next])) {
        runs->next++;
    }
    return runs->next < runs->grid->n;
}

/* ---- Children ---------------------------------------------------------------------------- */

static void forget(void *self)
{
    store_forget(self);
}

static bool start(struct runs *runs, struct slot *slot)
{
    struct experiment_point point;

    slot->run = runs->next++;
    experiment_grid_point(runs->grid, slot->run, &point);
    slot->child.limit = runs->options->timeout;
    if (!child_start(&slot->child, &point, &runs->grid->keys[slot->run], forget, runs->store,
                     runs->message, runs->size)) {
        return false;
    }
    runs->active++;
    return true;
}

/* Runs that are the same have come to their end together. */
static void count(struct runs *runs, uint32_t run, enum experiment_status status)
{
    for (uint32_t i = run; i < runs->grid->n; i++) {
        if (runs->grid->same[i] == run) {
            runs->progress.done += status == RUN_DONE;
            runs->progress.failed += status == RUN_FAILED;
            runs->progress.now++;
        }
    }
}

static bool keep(struct runs *runs, const struct slot *slot,
                 const struct experiment_outcome *outcome)
{
    const struct experiment_key *const key = &runs->grid->keys[slot->run];
    struct experiment_point point;
    struct experiment_key again;
    char *text = NULL;

    experiment_grid_point(runs->grid, slot->run, &point);
    /* If a file of the workload has changed or gone, the run has failed, and its text is lost.
     */
    const bool same =
        experiment_key_make(&point, NULL, &again, &text, runs->message, runs->size)
        && strcmp(again.text, key->text) == 0;
    const bool good = store_put(runs->store, key, same ? text : "", outcome, runs->figures);
    free(text);
    count(runs, slot->run, outcome->status);
    return good;
}

static bool reap(struct runs *runs)
{
    bool good = true;

    for (uint32_t i = 0u; i < runs->options->jobs; i++) {
        struct slot *const slot = &runs->slots[i];
        struct experiment_outcome outcome;
        if (slot->child.pid > 0 && child_ended(&slot->child, &outcome)) {
            runs->active--;
            good = keep(runs, slot, &outcome) && good;
            experiment_outcome_free(&outcome);
        }
    }
    if (!good) {
        snprintf(runs->message, runs->size, "%s", store_message(runs->store));
    }
    return good;
}

static bool fill(struct runs *runs)
{
    for (uint32_t i = 0u; i < runs->options->jobs && more(runs); i++) {
        if (runs->slots[i].child.pid == 0 && !start(runs, &runs->slots[i])) {
            return false;
        }
    }
    return true;
}

static void kill_all(struct runs *runs)
{
    for (uint32_t i = 0u; i < runs->options->jobs; i++) {
        if (runs->slots[i].child.pid > 0) {
            child_kill(&runs->slots[i].child);
        }
    }
}

/* ---- The loop ---------------------------------------------------------------------------- */

/* What is ignored stays so: nohup, and shells for what runs in the background, ask for it. */
static void choose_signals(sigset_t *set)
{
    static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action;

    signal(SIGCHLD, SIG_DFL); /* ignored, children would leave no status */
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0u; i < sizeof stops / sizeof stops[0]; i++) {
        if (sigaction(stops[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(set, stops[i]);
        }
    }
}

/* Until a child ends, someone interrupts, or it is time to look at the clock. */
static void wait_for_signal(struct runs *runs)
{
    const struct timespec pause = { .tv_nsec = 200000000 };
    const int number = sigtimedwait(&runs->signals, NULL, &pause);

    runs->stopped = runs->stopped || (number > 0 && number != SIGCHLD);
}

static bool loop(struct runs *runs)
{
    bool good = true;

    progress_begin(&runs->progress, runs->options->quiet);
    while (good && !runs->stopped && (runs->active > 0u || more(runs))) {
        good = fill(runs);
        progress_line(&runs->progress, runs->active);
        if (good) {
            wait_for_signal(runs);
            good = reap(runs);
        }
    }
    progress_end(&runs->progress);
    kill_all(runs);
    return good;
}

enum runs_end experiment_runs(struct store *store, struct experiment_grid *grid,
                              const struct experiment_figures *figures,
                              const struct experiment_options *options, uint32_t *now,
                              char *message, size_t size)
{
    struct runs runs = {
        .store = store,
        .grid = grid,
        .figures = figures,
        .options = options,
        .wanted = calloc(grid->n, sizeof *runs.wanted),
        .slots = calloc(options->jobs, sizeof *runs.slots),
        .message = message,
        .size = size,
    };
    sigset_t before;
    bool good = false;

    snprintf(message, size, "no memory");
    if (runs.wanted != NULL && runs.slots != NULL && plan(&runs)
        && libraries_build(grid, runs.wanted, options->quiet, message, size)) {
        choose_signals(&runs.signals);
        sigprocmask(SIG_BLOCK, &runs.signals, &before);
        good = loop(&runs);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    *now = runs.progress.now;
    free(runs.wanted);
    free(runs.slots);
    return !good ? RUNS_BROKEN : runs.stopped ? RUNS_INTERRUPTED : RUNS_ENDED;
}
