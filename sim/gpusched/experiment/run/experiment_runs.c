/* experiment_runs - runs in parallel; see experiment_runs.h. */

#include "gpusched/experiment/run/experiment_runs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpusched/experiment/run/experiment_child.h"
#include "gpusched/experiment/run/experiment_libraries.h"
#include "gpusched/experiment/run/experiment_progress.h"
#include "tool/progress.h"

struct slot {
    struct experiment_child child;
    uint32_t run;
};

struct runs {
    struct store *store;
    struct experiment_grid *grid;
    const struct experiment_figures *figures;
    const struct runs_options *options;
    struct runs_progress progress;
    bool *wanted;    /* of each run that is the first of its key */
    uint32_t *times; /* how many have its key */
    uint32_t next;   /* runs before it have been started */
    uint32_t active; /* slots with a child */
    struct slot *slots;
    sigset_t signals; /* that it waits for */
    bool stopped;     /* by one of them, but SIGCHLD, before the end */
    bool no_rtl;      /* it could not be built */
    struct fault *fault;
};

bool experiment_count(struct store *store, const struct experiment_grid *grid,
                      struct experiment_counts *counts)
{
    bool good = store_hold(store);

    *counts = (struct experiment_counts){ .all = 0u };
    for (uint32_t i = 0u; i < grid->n && good; i++) {
        enum experiment_status status;
        bool foreign;
        if (!experiment_grid_has(grid, i)) {
            continue;
        }
        counts->all++;
        good = store_find(store, &grid->keys[i], &status, &foreign);
        counts->done += status == RUN_DONE;
        counts->failed += status == RUN_FAILED;
        counts->aborted += status == RUN_ABORTED;
        counts->foreign += foreign && status != RUN_ABORTED;
    }
    return store_release(store) && good;
}

/* ---- What is to be done -------------------------------------------------------------- */

bool experiment_wanted(struct store *store, const struct experiment_grid *grid,
                       const struct runs_options *options, bool *wanted, struct fault *fault)
{
    bool good = store_hold(store);

    for (uint32_t i = 0u; i < grid->n && good; i++) {
        enum experiment_status status;
        bool foreign;
        if (!experiment_grid_has(grid, i) || grid->same[i] != i) {
            continue;
        }
        good = store_find(store, &grid->keys[i], &status, &foreign);
        wanted[i] = status == RUN_PENDING || status == RUN_ABORTED
                    || (status == RUN_FAILED && options->retry)
                    || (foreign && options->refresh);
    }
    good = store_release(store) && good;
    if (!good) {
        *fault = *store_fault(store);
    }
    return good;
}

/* One run. */
static bool plan_run(struct runs *runs, uint32_t i)
{
    const uint32_t first = runs->grid->same[i];
    enum experiment_status status;
    bool foreign;

    runs->progress.all++;
    runs->times[first]++;
    if (runs->wanted[first]) {
        return true;
    }
    if (!store_find(runs->store, &runs->grid->keys[i], &status, &foreign)) {
        return false;
    }
    runs->progress.done += status == RUN_DONE;
    runs->progress.failed += status == RUN_FAILED;
    return true;
}

static bool plan(struct runs *runs)
{
    if (!experiment_wanted(runs->store, runs->grid, runs->options, runs->wanted, runs->fault)) {
        return false;
    }
    bool good = store_hold(runs->store);
    for (uint32_t i = 0u; i < runs->grid->n && good; i++) {
        good = !experiment_grid_has(runs->grid, i) || plan_run(runs, i);
    }
    good = store_release(runs->store) && good;
    if (!good) {
        *runs->fault = *store_fault(runs->store);
    }
    return good;
}

static bool more(struct runs *runs)
{
    if (runs->options->start_for > 0.0
        && host_seconds() - runs->progress.started > runs->options->start_for) {
        return false;
    }
    while (runs->next < runs->grid->n
           && (runs->grid->same[runs->next] != runs->next || !runs->wanted[runs->next])) {
        runs->next++;
    }
    return runs->next < runs->grid->n;
}

/* ---- Children ------------------------------------------------------------------------ */

static void forget(void *self)
{
    store_forget(self);
}

/* Runs that are the same have come to their end together. */
static void count(struct runs *runs, uint32_t run, enum experiment_status status)
{
    const uint32_t n = runs->times[run];

    runs->progress.done += status == RUN_DONE ? n : 0u;
    runs->progress.failed += status == RUN_FAILED ? n : 0u;
    runs->progress.aborted += status == RUN_ABORTED ? n : 0u;
    runs->progress.now += n;
}

static bool keep(struct runs *runs, uint32_t run, const struct experiment_outcome *outcome)
{
    static const struct experiment_outcome changed = {
        .status = RUN_ABORTED,
        .error = "a file of the workload or of the RTL cannot be read or has changed since the "
                 "experiment began",
    };
    const struct experiment_key *const key = &runs->grid->keys[run];
    struct experiment_point point;
    struct experiment_key again;
    char *text = NULL;

    experiment_grid_point(runs->grid, run, &point);
    const bool same = experiment_key_make(&point, NULL, &again, &text, runs->fault)
                      && strcmp(again.text, key->text) == 0;
    if (!same && outcome->status != RUN_ABORTED) {
        outcome = &changed;
    }
    const bool good = store_put(runs->store, key, same ? text : "", outcome, runs->figures);
    free(text);
    count(runs, run, outcome->status);
    if (!good) {
        *runs->fault = *store_fault(runs->store);
    }
    return good;
}

/* Of a run that has not been started. */
static bool abort_run(struct runs *runs, uint32_t run, struct fault *why)
{
    return keep(runs, run,
                &(struct experiment_outcome){ .status = RUN_ABORTED, .error = why->text });
}

enum started { STARTED, NOT_STARTED, CANNOT_START /* now */, DATABASE_BROKEN };

static enum started start(struct runs *runs, struct slot *slot)
{
    const uint32_t run = runs->next;
    struct experiment_point point;
    struct fault fault;

    experiment_grid_point(runs->grid, run, &point);
    if (runs->no_rtl && point.rtl.mode != RTL_OFF && point.rtl.library == NULL) {
        runs->next++;
        fault_surroundings(&fault, "the RTL cannot be had: make could not build it");
        return abort_run(runs, run, &fault) ? NOT_STARTED : DATABASE_BROKEN;
    }
    slot->run = run;
    slot->child.limit = runs->options->timeout;
    if (child_start(&slot->child, &point, &runs->grid->keys[run], forget, runs->store,
                    &fault)) {
        runs->next++;
        runs->active++;
        return STARTED;
    }
    if (runs->active > 0u) {
        return CANNOT_START; /* there is room again when one of the others has ended */
    }
    runs->next++;
    return abort_run(runs, run, &fault) ? NOT_STARTED : DATABASE_BROKEN;
}

static bool fill(struct runs *runs)
{
    enum started started = STARTED;

    for (uint32_t i = 0u; i < runs->options->jobs && started < CANNOT_START; i++) {
        started = STARTED;
        while (runs->slots[i].child.pid == 0 && started <= NOT_STARTED && more(runs)) {
            started = start(runs, &runs->slots[i]);
        }
    }
    return started != DATABASE_BROKEN;
}

/* The next run begins before the last one's result is written, which takes as long as a tiny
 * run. */
static bool reap(struct runs *runs)
{
    bool good = true;

    for (uint32_t i = 0u; i < runs->options->jobs; i++) {
        struct slot *const slot = &runs->slots[i];
        const uint32_t run = slot->run;
        struct experiment_outcome outcome;
        if (slot->child.pid > 0 && child_ended(&slot->child, &outcome)) {
            runs->active--;
            good = good && (runs->stopped || fill(runs));
            good = keep(runs, run, &outcome) && good;
            experiment_outcome_free(&outcome);
        }
    }
    return good;
}

static void kill_all(struct runs *runs)
{
    for (uint32_t i = 0u; i < runs->options->jobs; i++) {
        if (runs->slots[i].child.pid > 0) {
            child_kill(&runs->slots[i].child);
        }
    }
}

/* ---- The loop ------------------------------------------------------------------------ */

/* What is ignored stays so: nohup, and shells for what runs in the background, ask for it. */
void experiment_signals(sigset_t *set)
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
    runs->stopped = runs->stopped && (runs->active > 0u || more(runs));
    kill_all(runs);
    return good;
}

enum runs_end experiment_runs(struct store *store, struct experiment_grid *grid,
                              const struct experiment_figures *figures,
                              const struct runs_options *options, uint32_t *now,
                              struct fault *fault)
{
    struct runs runs = {
        .store = store,
        .grid = grid,
        .figures = figures,
        .options = options,
        .wanted = calloc(grid->n, sizeof *runs.wanted),
        .times = calloc(grid->n, sizeof *runs.times),
        .slots = calloc(options->jobs, sizeof *runs.slots),
        .fault = fault,
    };
    sigset_t before;
    bool good = false;

    fault_surroundings(fault, "no memory");
    if (runs.wanted != NULL && runs.times != NULL && runs.slots != NULL && plan(&runs)) {
        runs.no_rtl = !libraries_build(grid, runs.wanted, options->quiet);
        experiment_signals(&runs.signals);
        sigprocmask(SIG_BLOCK, &runs.signals, &before);
        good = loop(&runs);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    *now = runs.progress.now;
    free(runs.wanted);
    free(runs.times);
    free(runs.slots);
    return !good ? RUNS_BROKEN : runs.stopped ? RUNS_INTERRUPTED : RUNS_ENDED;
}
