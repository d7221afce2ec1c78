/* experiment_grid - the runs of an experiment; see experiment_grid.h. */

#include "gpusched/experiment/grid/experiment_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/workload/workload.h"
#include "gpusched/workload/workload_kind.h"
#include "synthetic/synthetic.h"

/* ---- Places -------------------------------------------------------------------------- */

void experiment_grid_place(const struct experiment_grid *grid, uint32_t i, uint32_t *at)
{
    for (uint32_t d = grid->dimensions; d-- > 0u;) {
        at[d] = i % grid->length[d];
        i /= grid->length[d];
    }
}

uint32_t experiment_grid_index(const struct experiment_grid *grid, const uint32_t *at)
{
    uint32_t i = 0u;

    for (uint32_t d = 0u; d < grid->dimensions; d++) {
        i = i * grid->length[d] + at[d];
    }
    return i;
}

static bool set_lengths(struct experiment_grid *grid)
{
    const struct experiment *const experiment = grid->experiment;
    uint64_t n = 1u;

    grid->dimensions = DIMENSION_AXIS + experiment->n_axis;
    grid->length[DIMENSION_GPU] = experiment->gpus.n;
    grid->length[DIMENSION_WORKLOAD] = experiment->n_workload;
    grid->length[DIMENSION_VARIANT] = experiment->n_variant;
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        grid->length[DIMENSION_AXIS + a] = experiment->axes[a].values.n;
    }
    for (uint32_t d = 0u; d < grid->dimensions; d++) {
        n *= grid->length[d];
        if (n > EXPERIMENT_RUNS) {
            return tree_refuse_line(&grid->experiment->tree, 1u, "",
                                    "the grid has more than %d runs; allowed: at most as many",
                                    EXPERIMENT_RUNS);
        }
    }
    grid->n = (uint32_t)n;
    return true;
}

/* ---- Checks -------------------------------------------------------------------------- */

/* Two GPUs of one name could not be told apart in the results. */
static bool check_labels(struct experiment *experiment)
{
    const struct experiment_machines *const gpus = &experiment->gpus;

    for (uint32_t i = 1u; i < gpus->n; i++) {
        char label[EXPERIMENT_NAME];
        experiment_label(gpus->list[i].name.text, label);
        for (uint32_t earlier = 0u; earlier < i; earlier++) {
            char other[EXPERIMENT_NAME];
            experiment_label(gpus->list[earlier].name.text, other);
            if (strcmp(label, other) == 0) {
                return tree_refuse_line(&experiment->tree, gpus->list[i].name.line, "gpus",
                                        "two are named %s; allowed: different names", label);
            }
        }
    }
    return true;
}

/* The GPUs for which a workload has just been read, of which one stands for many. */
struct grid_read {
    char workload[EXPERIMENT_PATH]; /* "" for none */
    enum workload_size size;
    bool for_all; /* GPUs: it is a program */
    uint32_t n;
    struct gpu_config configs[16];
};

enum { READ_CONFIGS = sizeof((struct grid_read *)NULL)->configs / sizeof(struct gpu_config) };

static bool is_read(const struct grid_read *read, const struct experiment_point *point)
{
    if (strcmp(read->workload, point->workload) != 0 || read->size != point->size_number) {
        return false;
    }
    bool found = read->for_all;
    for (uint32_t i = 0u; i < read->n && i < READ_CONFIGS && !found; i++) {
        found = synthetic_reads_same(&read->configs[i], &point->config);
    }
    return found;
}

/* The latest of them. */
static void keep_read(struct grid_read *read, const struct experiment_point *point, bool cuda)
{
    if (strcmp(read->workload, point->workload) != 0 || read->size != point->size_number) {
        snprintf(read->workload, sizeof read->workload, "%s", point->workload);
        read->size = point->size_number;
        read->n = 0u;
    }
    read->for_all = cuda;
    read->configs[read->n++ % READ_CONFIGS] = point->config;
}

/* Reads the workload for the run's GPU, as the run will. */
static bool check_workload(struct experiment_grid *grid, const struct experiment_point *point)
{
    struct experiment *const experiment = grid->experiment;
    const struct experiment_workload *const entry =
        &experiment->workloads[point->at[DIMENSION_WORKLOAD]];
    const struct workload_choice choice = experiment_point_workload(point);
    char place[TREE_PLACE];
    struct workload workload;

    if (experiment->reported || is_read(grid->read, point)) {
        return true;
    }
    const bool good = workload_load(&workload, &choice, &point->config, experiment->tree.fault);
    if (good) {
        keep_read(grid->read, point, workload.kind == &workload_cuda);
    }
    workload_free(&workload);
    snprintf(place, sizeof place, "workloads.%u", point->at[DIMENSION_WORKLOAD]);
    return good || tree_locate(&experiment->tree, entry->name.line, place);
}

static bool add_run(struct experiment_grid *grid, struct experiment_files *files, uint32_t i)
{
    struct experiment *const experiment = grid->experiment;
    struct experiment_point point;
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0u };

    experiment_grid_place(grid, i, at);
    if (!experiment_point_make(experiment, &grid->gpus, at, &point)
        || !check_workload(grid, &point)) {
        return false;
    }
    return experiment_key_make(&point, files, &grid->keys[i], NULL, experiment->tree.fault)
           || tree_locate(&experiment->tree,
                          experiment->workloads[at[DIMENSION_WORKLOAD]].name.line, "workloads");
}

/* ---- Runs that are the same ---------------------------------------------------------- */

struct keyed {
    const struct experiment_key *key;
    uint32_t run;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *const one = a;
    const struct keyed *const other = b;
    const int order = strcmp(one->key->text, other->key->text);

    return order != 0 ? order : (one->run > other->run) - (one->run < other->run);
}

static bool find_same(struct experiment_grid *grid)
{
    struct keyed *const sorted = calloc(grid->n, sizeof *sorted);
    uint32_t first = 0u;

    if (sorted == NULL) {
        return tree_refuse_memory(&grid->experiment->tree, 1u, "");
    }
    for (uint32_t i = 0u; i < grid->n; i++) {
        sorted[i] = (struct keyed){ &grid->keys[i], i };
    }
    qsort(sorted, grid->n, sizeof *sorted, by_key);
    for (uint32_t i = 0u; i < grid->n; i++) {
        if (strcmp(sorted[i].key->text, sorted[first].key->text) != 0) {
            first = i;
        }
        grid->same[sorted[i].run] = sorted[first].run;
        grid->by_key[i] = sorted[i].run;
    }
    free(sorted);
    return true;
}

uint32_t experiment_grid_find(const struct experiment_grid *grid, const char *key)
{
    uint32_t low = 0u, high = grid->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2u;
        if (strcmp(grid->keys[grid->by_key[middle]].text, key) < 0) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    const bool found = low < grid->n && strcmp(grid->keys[grid->by_key[low]].text, key) == 0;
    return found ? grid->by_key[low] : grid->n;
}

/* ---- Open ---------------------------------------------------------------------------- */

static bool add_runs(struct experiment_grid *grid)
{
    struct experiment_files *const files = experiment_files_open();
    bool good = files != NULL;

    grid->read = calloc(1u, sizeof *grid->read);
    grid->keys = calloc(grid->n, sizeof *grid->keys);
    grid->same = calloc(grid->n, sizeof *grid->same);
    grid->by_key = calloc(grid->n, sizeof *grid->by_key);
    if (!good || grid->read == NULL || grid->keys == NULL || grid->same == NULL
        || grid->by_key == NULL) {
        experiment_files_free(files);
        return tree_refuse_memory(&grid->experiment->tree, 1u, "");
    }
    for (uint32_t i = 0u; i < grid->n && good; i++) {
        good = add_run(grid, files, i);
    }
    experiment_files_free(files);
    return good;
}

bool experiment_grid_open(struct experiment_grid *grid, struct experiment *experiment)
{
    *grid = (struct experiment_grid){ .experiment = experiment };
    if (set_lengths(grid) && check_labels(experiment) && experiment_axes_check(experiment)
        && add_runs(grid) && find_same(grid)) {
        return true;
    }
    experiment_grid_free(grid);
    return false;
}

void experiment_grid_free(struct experiment_grid *grid)
{
    free(grid->keys);
    free(grid->same);
    free(grid->read);
    free(grid->by_key);
    free(grid->left_out);
    experiment_gpus_free(&grid->gpus);
}

/* It has been made before, so it can be made. */
void experiment_grid_point(struct experiment_grid *grid, uint32_t i,
                           struct experiment_point *point)
{
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0u };

    experiment_grid_place(grid, i, at);
    (void)experiment_point_make(grid->experiment, &grid->gpus, at, point);
}

void experiment_grid_names(struct experiment_grid *grid, uint32_t i,
                           struct experiment_point *point)
{
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0u };

    experiment_grid_place(grid, i, at);
    experiment_point_names(grid->experiment, &grid->gpus, at, point);
}
