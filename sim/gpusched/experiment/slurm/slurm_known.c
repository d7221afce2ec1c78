/* slurm_known - what is known of each run; see slurm_known.h. */

#include "gpusched/experiment/slurm/slurm_known.h"

#include <stdlib.h>

bool known_open(struct slurm_known *known, const struct experiment_grid *grid)
{
    *known = (struct slurm_known){ .grid = grid,
                                   .wanted = calloc(grid->n, sizeof *known->wanted),
                                   .status = calloc(grid->n, sizeof *known->status),
                                   .times = calloc(grid->n, sizeof *known->times) };
    if (known->wanted == NULL || known->status == NULL || known->times == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < grid->n; i++) {
        if (experiment_grid_has(grid, i)) {
            known->times[grid->same[i]]++;
            known->counts.all++;
        }
    }
    return true;
}

void known_free(struct slurm_known *known)
{
    free(known->wanted);
    free(known->status);
    free(known->times);
}

static void change(struct slurm_known *known, enum experiment_status status, uint32_t by)
{
    known->counts.done += status == RUN_DONE ? by : 0u;
    known->counts.failed += status == RUN_FAILED ? by : 0u;
    known->counts.aborted += status == RUN_ABORTED ? by : 0u;
}

/* Unsigned numbers: what is added of a negative one is taken away. */
static void set_status(struct slurm_known *known, uint32_t run, enum experiment_status status)
{
    change(known, (enum experiment_status)known->status[run], 0u - known->times[run]);
    change(known, status, known->times[run]);
    known->status[run] = (uint8_t)status;
}

bool known_read(struct slurm_known *known, struct store *store,
                const struct runs_options *options, struct fault *fault)
{
    const struct experiment_grid *const grid = known->grid;

    if (!experiment_wanted(store, grid, options, known->wanted, fault)) {
        return false;
    }
    bool good = store_hold(store);
    for (uint32_t i = 0u; i < grid->n && good; i++) {
        enum experiment_status status;
        bool foreign;
        if (grid->same[i] == i && experiment_grid_has(grid, i)) {
            good = store_find(store, &grid->keys[i], &status, &foreign);
            set_status(known, i, status);
        }
    }
    good = store_release(store) && good;
    if (!good) {
        *fault = *store_fault(store);
    }
    return good;
}

bool known_set(struct slurm_known *known, uint32_t run, enum experiment_status status)
{
    const bool ended = status == RUN_DONE || status == RUN_FAILED;

    if (ended || known->status[run] == RUN_PENDING) {
        set_status(known, run, status);
    }
    known->wanted[run] = known->wanted[run] && !ended;
    return ended;
}

bool known_any_wanted(const struct slurm_known *known)
{
    for (uint32_t i = 0u; i < known->grid->n; i++) {
        if (known->wanted[i]) {
            return true;
        }
    }
    return false;
}
