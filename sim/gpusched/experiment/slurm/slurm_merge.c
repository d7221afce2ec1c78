/* slurm_merge - a task's results; see slurm_merge.h. */

#include "gpusched/experiment/slurm/slurm_merge.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What has a result is wanted no more, and if it is a failure. Returns the share of the task's
 * runs that have one. */
static double strike(struct store *from, const struct slurm_folder *folder, uint32_t task,
                     struct slurm_known *known)
{
    const struct experiment_grid *const grid = known->grid;
    char path[EXPERIMENT_PATH];
    struct experiment_key key;
    uint32_t all = 0u, ended = 0u;
    FILE *const list = fopen(slurm_task_file(folder, task, SLURM_RUNS, path), "re");

    while (list != NULL && fscanf(list, "%32s", key.text) == 1) {
        const uint32_t run = experiment_grid_find(grid, key.text);
        enum experiment_status status;
        bool foreign;
        all++;
        if (run < grid->n && store_find(from, &key, &status, &foreign)) {
            ended += known_set(known, run, status);
        }
    }
    if (list != NULL) {
        fclose(list);
    }
    return all == 0u ? 1.0 : (double)ended / all;
}

static enum slurm_merged merge(struct store *store, struct store *from,
                               const struct experiment_figures *figures,
                               struct merge_counts *counts)
{
    struct merge_counts here = { .taken = 0u };

    if (!store_merge_begin(store)) {
        return SLURM_NO_STORE;
    }
    const bool read = store_merge(store, from, figures, MERGE_REPLACE_OLDER, &here, stderr);
    const bool good = read && here.conflicts == 0u;
    if (!store_merge_end(store, good) || !read) {
        return SLURM_NO_STORE;
    }
    counts->taken += good ? here.taken : 0u;
    counts->same += here.same;
    counts->conflicts += here.conflicts;
    return good ? SLURM_MERGED : SLURM_CONFLICT;
}

/* A database that cannot be used is as good as none: its runs are done again. */
static enum slurm_merged merge_file(struct store *store,
                                    const struct experiment_figures *figures,
                                    const struct slurm_folder *folder, uint32_t task,
                                    struct slurm_known *known, struct merge_counts *counts,
                                    double *done)
{
    char path[EXPERIMENT_PATH];
    struct fault fault;
    struct store *const from =
        store_merge_open(slurm_task_file(folder, task, SLURM_SQLITE, path), &fault);

    if (from == NULL) {
        fprintf(stderr, "gpusched experiment: %s\n", fault_text(&fault));
        return SLURM_MERGED;
    }
    (void)store_say_broken(from, "gpusched experiment");
    const enum slurm_merged merged = merge(store, from, figures, counts);
    if (merged == SLURM_MERGED) {
        *done = strike(from, folder, task, known);
    }
    store_close(from);
    return merged;
}

enum slurm_merged slurm_merge(struct store *store, const struct experiment_figures *figures,
                              const struct slurm_folder *folder, uint32_t task,
                              struct slurm_known *known, struct merge_counts *counts,
                              double *done)
{
    char path[EXPERIMENT_PATH];
    enum slurm_merged merged = SLURM_MERGED;
    const bool lost = !slurm_task_has_ended(folder, task);
    /* The lock of whoever writes to it; see experiment_store.c. */
    const int lock =
        open(slurm_task_file(folder, task, SLURM_SQLITE, path), O_RDWR | O_CLOEXEC);

    *done = 0.0;
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
        close(lock);
        return SLURM_BUSY;
    }
    if (lock >= 0) {
        merged = merge_file(store, figures, folder, task, known, counts, done);
    }
    if (merged != SLURM_NO_STORE) {
        slurm_task_close(folder, task, lost);
    }
    if (lock >= 0) {
        close(lock);
    }
    return merged;
}
