/* slurm_runs - runs as tasks of Slurm; see slurm_runs.h. */

#include "gpusched/experiment/slurm/slurm_runs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpusched/experiment/run/experiment_libraries.h"
#include "gpusched/experiment/slurm/slurm_merge.h"
#include "gpusched/experiment/slurm/slurm_progress.h"
#include "gpusched/experiment/slurm/slurm_tool.h"
#include "tool/progress.h"

enum { IDLE_ROUNDS = 3 /* arrays in succession that have done nothing */ };

static const double first_look = 1.0,
                    last_look = 10.0; /* seconds between two looks at squeue */

struct slurm {
    struct store *store;
    struct experiment_grid *grid;
    const struct experiment_figures *figures;
    const struct slurm_options *options;
    struct slurm_folder folder;
    struct slurm_queue queue;
    struct slurm_progress progress;
    struct merge_counts counts;
    struct slurm_known known;
    double *costs; /* of each run, seconds */
    double look, looked;
    sigset_t signals;
    int stopped; /* by this signal; 0: not */
    struct fault *fault;
};

/* ---- Signals ------------------------------------------------------------------------- */

static void wait_for_signal(struct slurm *slurm, double seconds)
{
    const struct timespec pause = { .tv_sec = (time_t)seconds,
                                    .tv_nsec =
                                        (long)((seconds - (double)(time_t)seconds) * 1e9) };
    const int number = sigtimedwait(&slurm->signals, NULL, &pause);

    if (number > 0) {
        slurm->stopped = number;
    }
}

/* ---- An array ------------------------------------------------------------------------ */

/* All of a path, with %% for %, which stands for something in sbatch's names of files. */
static void log_path(const struct slurm *slurm, char path[EXPERIMENT_PATH])
{
    size_t n = 0u;

    for (const char *c = slurm->folder.path; *c != '\0' && n < EXPERIMENT_PATH - 64u; c++) {
        path[n++] = *c;
        if (*c == '%') {
            path[n++] = '%';
        }
    }
    snprintf(path + n, EXPERIMENT_PATH - n, "/%u-%%a.log", slurm->folder.round);
}

static bool submit(struct slurm *slurm)
{
    char folder[EXPERIMENT_PATH], log[EXPERIMENT_PATH], script[EXPERIMENT_PATH + 16];
    const struct slurm_options *const options = slurm->options;

    if (getcwd(folder, sizeof folder) == NULL) {
        return fault_system(slurm->fault, "the current folder");
    }
    log_path(slurm, log);
    snprintf(script, sizeof script, "%s/job.sh", slurm->folder.path);
    return slurm_submit(&(struct slurm_array){ .name = slurm->folder.job,
                                               .script = script,
                                               .log = log,
                                               .folder = folder,
                                               .partition = options->partition,
                                               .tasks = slurm->folder.tasks,
                                               .at_a_time = options->nodes,
                                               .processors = options->runs.jobs },
                        slurm->fault);
}

/* Packs all that is wanted, and gives it to Slurm. */
static bool begin(struct slurm *slurm)
{
    const struct slurm_options *const options = slurm->options;
    struct pack pack;

    if (!pack_costs(slurm->store, slurm->grid, slurm->costs)) {
        *slurm->fault = *store_fault(slurm->store);
        return false;
    }
    if (!pack_make(&pack, slurm->grid, slurm->known.wanted, slurm->costs, options->nodes,
                   options->runs.jobs)) {
        return fault_surroundings(slurm->fault, "no memory");
    }
    const struct slurm_task_options task = {
        .file = options->file,
        .rtl_file = options->rtl_file,
        .processors = options->runs.jobs,
        .timeout = options->runs.timeout,
        .start_for = pack_start_for(&pack),
    };
    bool good = slurm_folder_begin(&slurm->folder, slurm->grid, &pack, &task, slurm->fault);
    pack_free(&pack);
    if (good && !submit(slurm)) {
        slurm_folder_end(&slurm->folder);
        good = false;
    }
    return good;
}

/* ---- Waiting for tasks --------------------------------------------------------------- */

/* How many tasks are left, or -1 after a fault. */
static int32_t merge_ended(struct slurm *slurm)
{
    int32_t left = 0;

    slurm_progress_look(&slurm->progress);
    for (uint32_t task = 1u; task <= slurm->folder.tasks; task++) {
        if (!slurm_task_is_open(&slurm->folder, task)) {
            continue;
        }
        const bool gone = slurm->queue.known && !slurm->queue.has[task];
        if (!gone && !slurm_task_has_ended(&slurm->folder, task)) {
            slurm_progress_open_task(&slurm->progress, &slurm->folder, task);
            left++;
            continue;
        }
        double done;
        const double took = slurm_progress_took(&slurm->progress, &slurm->folder, task);
        const enum slurm_merged merged =
            slurm_merge(slurm->store, slurm->figures, &slurm->folder, task, &slurm->known,
                        &slurm->counts, &done);
        if (merged == SLURM_NO_STORE) {
            *slurm->fault = *store_fault(slurm->store);
            return -1;
        }
        left += merged == SLURM_BUSY;
        if (merged != SLURM_BUSY) {
            slurm_progress_add(&slurm->progress, slurm->folder.costs[task] * done, took);
        }
    }
    return left;
}

/* A look at squeue, less and less often: it is a burden for a cluster. What it says is of a
 * time before the files are looked at, so a task that ends between is not taken for lost. */
static void look(struct slurm *slurm)
{
    const double now = host_seconds();

    slurm->queue.known = false;
    if (now - slurm->looked >= slurm->look) {
        slurm_look(slurm->folder.job, &slurm->queue);
        slurm->looked = host_seconds();
        slurm->look = slurm->look * 1.2 > last_look ? last_look : slurm->look * 1.2;
    }
}

/* Until all tasks are merged, or someone stops it. */
static bool watch(struct slurm *slurm)
{
    int32_t left = 1;

    slurm_progress_begin(&slurm->progress, &slurm->folder);
    slurm->queue.tasks = slurm->folder.tasks;
    slurm->look = first_look;
    slurm->looked = host_seconds() - first_look;
    while (left > 0 && slurm->stopped == 0) {
        look(slurm);
        left = merge_ended(slurm);
        if (slurm_cancel_noted(&slurm->folder)) {
            slurm->stopped = SIGINT;
        }
        if (left > 0 && slurm->stopped == 0) {
            slurm_progress_line(&slurm->progress, &slurm->known.counts, &slurm->queue);
            wait_for_signal(slurm, 0.5);
        }
    }
    if (left == 0) {
        slurm_folder_end(&slurm->folder);
    }
    return left >= 0;
}

/* Ends the tasks, and merges what they have done. */
static bool end_tasks(struct slurm *slurm)
{
    enum { TRIES = 40 }; /* half a second each: Slurm kills what does not end */
    int32_t left = 1;

    slurm_cancel_forget(&slurm->folder);
    if (!slurm_end(slurm->folder.job, slurm->fault)) {
        return false;
    }
    for (int i = 0; i < TRIES && left > 0; i++) {
        slurm_look(slurm->folder.job, &slurm->queue);
        left = merge_ended(slurm);
        if (left > 0) {
            wait_for_signal(slurm, 0.5);
        }
    }
    if (left == 0) {
        slurm_folder_end(&slurm->folder);
    }
    return left >= 0;
}

/* ---- All of it ----------------------------------------------------------------------- */

/* Arrays, one after the other, until nothing is left or nothing is done any more. */
static bool loop(struct slurm *slurm)
{
    uint32_t idle = 0u;
    bool good = true;

    slurm_cancel_forget(&slurm->folder);
    if (slurm->folder.job[0] != '\0') { /* of a process before this one */
        good = watch(slurm);
    }
    while (good && slurm->stopped == 0 && idle < IDLE_ROUNDS
           && known_any_wanted(&slurm->known)) {
        const uint32_t before = slurm->counts.taken;
        good = begin(slurm) && watch(slurm);
        idle = slurm->counts.taken > before ? 0u : idle + 1u;
    }
    if (good && slurm->stopped == SIGINT && slurm->folder.job[0] != '\0') {
        good = end_tasks(slurm);
    }
    slurm_progress_end(&slurm->progress);
    return good;
}

/* What three arrays have not done is aborted, so that its reason is known. */
static bool keep_lost(struct slurm *slurm)
{
    char text[EXPERIMENT_PATH + 128];
    bool good = true;

    snprintf(text, sizeof text, "the tasks of Slurm ended without it; %s/attempts has why",
             slurm->folder.path);
    for (uint32_t i = 0u; i < slurm->grid->n && good; i++) {
        enum experiment_status status;
        bool foreign;
        good = store_find(slurm->store, &slurm->grid->keys[i], &status, &foreign);
        if (good && slurm->known.wanted[i] && status == RUN_PENDING) {
            const struct experiment_outcome lost = { .status = RUN_ABORTED, .error = text };
            good = store_put(slurm->store, &slurm->grid->keys[i], "", &lost, slurm->figures);
        }
    }
    if (!good) {
        *slurm->fault = *store_fault(slurm->store);
    }
    return good;
}

static bool run(struct slurm *slurm)
{
    sigset_t before;

    if (!known_read(&slurm->known, slurm->store, &slurm->options->runs, slurm->fault)) {
        return false;
    }
    (void)libraries_build(slurm->grid, slurm->known.wanted, slurm->options->runs.quiet);
    experiment_signals(&slurm->signals);
    sigdelset(&slurm->signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &slurm->signals, &before);
    slurm_progress_open(&slurm->progress, slurm->options->runs.quiet);
    const bool good = loop(slurm);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good && (slurm->stopped != 0 || keep_lost(slurm));
}

enum runs_end slurm_runs(struct store *store, struct experiment_grid *grid,
                         const struct experiment_figures *figures,
                         const struct slurm_options *options, uint32_t *now,
                         struct fault *fault)
{
    struct slurm slurm = {
        .store = store,
        .grid = grid,
        .figures = figures,
        .options = options,
        .queue = { .has = calloc(PACK_TASKS + 1u, sizeof *slurm.queue.has) },
        .costs = calloc(grid->n, sizeof *slurm.costs),
        .fault = fault,
    };
    bool good = false;

    fault_surroundings(fault, "no memory");
    if (known_open(&slurm.known, grid) && slurm.queue.has != NULL && slurm.costs != NULL) {
        good = slurm_folder_open(&slurm.folder, options->folder, fault) && run(&slurm);
    }
    *now = slurm.counts.taken;
    free(slurm.queue.has);
    known_free(&slurm.known);
    free(slurm.costs);
    return !good                         ? RUNS_BROKEN
           : slurm.counts.conflicts > 0u ? RUNS_CONFLICT
           : slurm.stopped != 0          ? RUNS_INTERRUPTED
                                         : RUNS_ENDED;
}

bool slurm_cancel(const char *path, struct fault *fault)
{
    struct slurm_folder folder;

    if (!slurm_folder_open(&folder, path, fault)) {
        return false;
    }
    if (folder.job[0] == '\0') {
        return fault_set(fault, "--cancel: Slurm has no tasks of it: %.3000s/job is not there",
                         path);
    }
    return slurm_cancel_note(&folder, fault) && slurm_end(folder.job, fault);
}
