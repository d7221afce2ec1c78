/* sweep_runs - the runs of a sweep, by the engine of experiments; see sweep.h. */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/sweep/sweep.h"
#include "gpusched/sweep/sweep_figures.h"

/* In the order of sweep_figures.h, and of classes as in gpu_stats.def. */
const char *const sweep_figures[SWEEP_FIGURES] = {
    "cycles",
    "ipc",
    "seconds",
    "derived.miss_latency",
    "sm.miss_latency",
    "sm.miss_overlapped",
    "sm.gated",
    "sm.issued",
    "sm.pipeline_alu",
    "sm.pipeline_memory",
    "sm.scoreboard_alu",
    "sm.scoreboard_memory",
    "sm.idle",
    "sm.paused",
    "energy.total",
    "energy.sm_static",
    "energy.other_static",
    "energy.dram_static",
};

/* ---- Input --------------------------------------------------------------------------- */

/* "sweep-ctas-hotspot-small-m2090": a file's name, whatever the workload's has. */
static void make_names(struct sweep *sweep)
{
    snprintf(sweep->title, sizeof sweep->title, "%.100s%s%s on %.100s", sweep->workload,
             sweep->size == NULL ? "" : " ", sweep->size == NULL ? "" : sweep->size,
             sweep->gpu);
    snprintf(sweep->name, sizeof sweep->name, "sweep-%s-%.40s%s%s-%.40s",
             sweep->options.over == SWEEP_OVER_CTAS ? "ctas" : "cores", sweep->workload,
             sweep->size == NULL ? "" : "-", sweep->size == NULL ? "" : sweep->size,
             sweep->gpu);
    for (char *at = sweep->name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && strchr("._+", *at) == NULL) {
            *at = '-';
        }
    }
}

/* Over cores each run switches SMs off. */
static bool may_switch_off(struct sweep *sweep)
{
    struct gpu_config config = sweep->config;

    config.sm.active = sweep->options.over == SWEEP_OVER_CORES ? 1u : config.sm.active;
    const struct gpu_key *const key = gpu_config_fault(&config, &sweep->fault);
    return key == NULL || fault_before(&sweep->fault, "%s.%s: ", key->section, key->key);
}

bool sweep_check(struct sweep *sweep)
{
    struct workload workload;

    if (machine_options_config(&sweep->options.machine, &sweep->config, &sweep->fault)
            != MACHINE_GOOD
        || !may_switch_off(sweep)
        || !workload_load(&workload, &sweep->options.workload, &sweep->config, &sweep->fault)) {
        return false;
    }
    sweep->size = workload.size;
    workload_free(&workload);
    workload_label(sweep->options.workload.name, sweep->workload);
    experiment_label(sweep->options.machine.gpu, sweep->gpu);
    make_names(sweep);
    return true;
}

/* ---- Runs ---------------------------------------------------------------------------- */

static void forget_runs(struct sweep *sweep)
{
    if (sweep->report.rows != NULL) {
        report_free(&sweep->report);
    }
    experiment_grid_free(&sweep->grid);
    experiment_figures_free(&sweep->figures);
    if (sweep->file[0] != '\0') {
        experiment_free(&sweep->experiment);
    }
    sweep->grid = (struct experiment_grid){ .n = 0u };
    sweep->figures = (struct experiment_figures){ .n = 0u };
}

static bool load(struct sweep *sweep, const uint32_t *counts, uint32_t n)
{
    forget_runs(sweep);
    if (!sweep_write_file(sweep, counts, n)
        || !experiment_load(&sweep->experiment, sweep->file, &sweep->fault)) {
        sweep->file[0] = '\0'; /* there is no experiment */
        return false;
    }
    if (!experiment_figures_open(&sweep->figures, &sweep->experiment)) {
        return false;
    }
    if (!experiment_grid_open(&sweep->grid, &sweep->experiment)) {
        sweep->grid = (struct experiment_grid){ .n = 0u }; /* it has been freed */
        return false;
    }
    return true;
}

static bool open_store(struct sweep *sweep)
{
    char path[EXPERIMENT_PATH];

    if (sweep->store == NULL && sweep_path(sweep, ".sqlite", path)) {
        sweep->store = store_open(path, &sweep->fault);
        if (sweep->store != NULL) {
            (void)store_say_broken(sweep->store, "gpusched sweep");
        }
    }
    return sweep->store != NULL;
}

enum runs_end sweep_run(struct sweep *sweep, const uint32_t *counts, uint32_t n)
{
    uint32_t now = 0u;

    if (!load(sweep, counts, n) || !open_store(sweep)) {
        return RUNS_BROKEN;
    }
    if (!store_grid(sweep->store, &sweep->grid, &sweep->figures)) {
        sweep->fault = *store_fault(sweep->store);
        return RUNS_BROKEN;
    }
    const enum runs_end end = experiment_runs(sweep->store, &sweep->grid, &sweep->figures,
                                              &sweep->options.runs, &now, &sweep->fault);
    sweep->now += now;
    return end != RUNS_BROKEN
                   && !report_open(&sweep->report, sweep->store, &sweep->grid, &sweep->figures,
                                   &sweep->fault)
               ? RUNS_BROKEN
               : end;
}

bool sweep_is_done(const struct sweep *sweep)
{
    for (uint32_t i = 0u; i < sweep->grid.n; i++) {
        if (sweep->report.rows[i].status != RUN_DONE) {
            return false;
        }
    }
    return true;
}

void sweep_close(struct sweep *sweep)
{
    forget_runs(sweep);
    store_close(sweep->store);
}

/* ---- Results ------------------------------------------------------------------------- */

uint32_t sweep_all_cores(const struct sweep *sweep)
{
    return sweep->config.sm.active != 0u ? sweep->config.sm.active : sweep->config.sm.count;
}

uint32_t sweep_occupancy(struct sweep *sweep)
{
    sqlite3_stmt *const find =
        sql_prepare(sweep->store, "SELECT max(kernel.value ->> 'ctas_per_sm')"
                                  " FROM runs, json_each(runs.result, '$.kernels') AS kernel");
    const uint32_t most =
        sql_row(sweep->store, find) ? (uint32_t)sqlite3_column_int64(find, 0) : 0u;

    sqlite3_finalize(find);
    if (sql_failed(sweep->store)) {
        sweep->fault = *store_fault(sweep->store);
    } else if (most == 0u) {
        fault_set(&sweep->fault, "%s: it launches no kernel", sweep->workload);
    }
    return most;
}

static struct sweep_point point_of(const struct sweep *sweep, uint32_t i)
{
    const struct report *const report = &sweep->report;
    const struct experiment_axis *const axis = &sweep->experiment.axes[0];
    struct sweep_point point = {
        .count = (uint32_t)strtoul(axis->values.list[i].text, NULL, 10),
        .cycles = run_number(report, i, FIGURE_CYCLES),
        .ipc = run_number(report, i, FIGURE_IPC),
        .seconds = run_number(report, i, FIGURE_SECONDS),
        .latency = run_number(report, i, FIGURE_LATENCY),
        .overlapped = run_number(report, i, FIGURE_LATENCY)
                      * run_number(report, i, FIGURE_OVERLAPPED)
                      / run_number(report, i, FIGURE_MISS),
        .joules = run_number(report, i, FIGURE_ENERGY),
    };

    for (uint32_t k = 0u; k < SCHEDULER_CLASSES; k++) {
        point.classes[k] = run_number(report, i, FIGURE_CLASS + k);
    }
    for (uint32_t k = FIGURE_STATIC; k < SWEEP_FIGURES; k++) {
        point.static_joules += run_number(report, i, k);
    }
    /* The schedulers of a gated SM count as idle. */
    point.classes[SWEEP_IDLE_CLASS] -=
        sweep->config.warp.schedulers * run_number(report, i, FIGURE_GATED);
    return point;
}

bool sweep_read(struct sweep *sweep, uint32_t most, struct sweep_curve *curve)
{
    *curve = (struct sweep_curve){
        .over = sweep->options.over,
        .n = sweep->grid.n,
        .most = most,
        .point = calloc(sweep->grid.n, sizeof *curve->point),
    };
    for (uint32_t i = 0u; i < curve->n && curve->point != NULL; i++) {
        curve->point[i] = point_of(sweep, i);
    }
    return curve->point != NULL || fault_surroundings(&sweep->fault, "no memory");
}
