/* sweep_kernels - see sweep_kernels.h. */

#include "gpusched/sweep/sweep_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/sweep/sweep_text.h"
#include "tool/format.h"
#include "tool/memory_watch.h"

enum { NAME = 32 /* of a column */ };

/* ---- Curves -------------------------------------------------------------------------- */

/* Columns of a row: the run, the kernel and the CTAs that fit; then numbers. */
enum { ROW_RUN, ROW_NAME, ROW_FIT, ROW_CYCLES, ROW_ENERGY, ROW_CLASS };
static const char find_rows[] =
    "SELECT runs.id, k.value ->> 'name', (SELECT max(l.value ->> 'ctas_per_sm') FROM"
    "  json_each(runs.result, '$.kernels') AS l WHERE l.value ->> 'name' = k.value ->> 'name'),"
    " sum(k.value ->> 'cycles'), sum(k.value ->> '$.energy.total'),"
    " sum(k.value ->> '$.sm.issued'), sum(k.value ->> '$.sm.pipeline_alu'),"
    " sum(k.value ->> '$.sm.pipeline_memory'), sum(k.value ->> '$.sm.scoreboard_alu'),"
    " sum(k.value ->> '$.sm.scoreboard_memory'), 0, sum(k.value ->> '$.sm.paused')"
    " FROM runs, json_each(runs.result, '$.by_kernel') AS k"
    " WHERE k.value ->> 'name' IS NOT NULL GROUP BY runs.id, k.value ->> 'name'"
    " ORDER BY runs.id, min(k.key)";

/* All scheduler cycles are those of the SMs that are on, for as long as the kernel runs: what
 * is nothing else is idle. */
static struct sweep_point point_of(const struct sweep *sweep, sqlite3_stmt *row, uint32_t count)
{
    const struct gpu_config *const c = &sweep->config;
    const uint32_t sms =
        sweep->options.over == SWEEP_OVER_CORES ? count : sweep_all_cores(sweep);
    struct sweep_point point = {
        .count = count,
        .cycles = sqlite3_column_double(row, ROW_CYCLES),
        .latency = (double)NAN,
        .overlapped = (double)NAN,
        .joules = sqlite3_column_double(row, ROW_ENERGY),
    };

    for (uint32_t k = 0u; k < SCHEDULER_CLASSES; k++) {
        point.classes[k] = sqlite3_column_double(row, (int)(ROW_CLASS + k));
    }
    point.classes[SWEEP_IDLE_CLASS] =
        (double)c->warp.schedulers * sms * point.cycles - sweep_scheduler_cycles(&point);
    return point;
}

/* The kernel of a name; NULL if there is no memory. A new one begins without points. */
static struct sweep_kernel *kernel_of(struct sweep_kernels *kernels, const char *name,
                                      uint32_t n)
{
    for (uint32_t i = 0u; i < kernels->n; i++) {
        if (strcmp(kernels->kernel[i].name, name) == 0) {
            return &kernels->kernel[i];
        }
    }
    struct sweep_kernel *const more =
        realloc(kernels->kernel, (kernels->n + 1u) * sizeof *kernels->kernel);
    if (more == NULL) {
        return NULL;
    }
    kernels->kernel = more;
    more[kernels->n] = (struct sweep_kernel){ .name = memory_copy(name) };
    more[kernels->n].curve.point = calloc(n, sizeof *more->curve.point);
    return &more[kernels->n++];
}

static bool add_row(struct sweep *sweep, sqlite3_stmt *row, uint32_t first,
                    struct sweep_kernels *kernels)
{
    const uint32_t run = (uint32_t)sqlite3_column_int64(row, ROW_RUN) - 1u;
    const uint32_t fit = (uint32_t)sqlite3_column_int64(row, ROW_FIT);
    const char *const name = (const char *)sqlite3_column_text(row, ROW_NAME);
    struct sweep_kernel *const kernel =
        run < sweep->grid.n && name != NULL ? kernel_of(kernels, name, sweep->grid.n) : NULL;

    if (kernel == NULL || kernel->name == NULL || kernel->curve.point == NULL) {
        return fault_surroundings(&sweep->fault, "no memory");
    }
    if (kernel->curve.n == run) { /* all runs before have it as well */
        kernel->curve.point[run] = point_of(sweep, row, first + run);
        kernel->curve.n++;
    }
    kernel->curve.most = fit > kernel->curve.most ? fit : kernel->curve.most;
    return true;
}

/* Kernels that not every run has are left out; of others no counts are of use that do not fit.
 */
static void trim(struct sweep_kernels *kernels, enum sweep_over over, uint32_t first,
                 uint32_t runs, uint32_t most)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < kernels->n; i++) {
        struct sweep_kernel *const kernel = &kernels->kernel[i];
        struct sweep_curve *const curve = &kernel->curve;
        curve->over = over;
        curve->most = over == SWEEP_OVER_CORES ? most : curve->most;
        if (curve->n < runs || curve->most < first) {
            free(kernel->name);
            free(curve->point);
            continue;
        }
        const uint32_t counts = curve->most - first + 1u;
        curve->n = counts < curve->n ? counts : curve->n;
        kernels->kernel[n++] = *kernel;
    }
    kernels->n = n;
}

bool sweep_kernels_read(struct sweep *sweep, uint32_t most, struct sweep_kernels *kernels)
{
    const uint32_t first = sweep->options.from;
    sqlite3_stmt *const find = sql_prepare(sweep->store, find_rows);
    bool good = true;

    *kernels = (struct sweep_kernels){ .n = 0u };
    while (good && sql_row(sweep->store, find)) {
        good = add_row(sweep, find, first, kernels);
    }
    sqlite3_finalize(find);
    if (good && sql_failed(sweep->store)) {
        sweep->fault = *store_fault(sweep->store);
        good = false;
    }
    const bool several = good && kernels->n > 1u;
    trim(kernels, sweep->options.over, first, several ? sweep->grid.n : UINT32_MAX, most);
    return good;
}

void sweep_kernels_free(struct sweep_kernels *kernels)
{
    for (uint32_t i = 0u; i < kernels->n; i++) {
        free(kernels->kernel[i].name);
        free(kernels->kernel[i].curve.point);
    }
    free(kernels->kernel);
}

/* ---- What is said of them ------------------------------------------------------------ */

static double energy_at(const struct sweep_curve *curve, uint32_t i)
{
    return curve->point[i].joules / curve->point[curve->n - 1u].joules;
}

void sweep_kernels_print(const struct sweep_kernels *kernels, FILE *to)
{
    if (kernels->n == 0u) {
        return;
    }
    const bool ctas = kernels->kernel[0].curve.over == SWEEP_OVER_CTAS;
    fprintf(to, "\n%-*s %5s %12s %8s %6s%s\n", NAME, "kernel", ctas ? "Nmax" : "SMs", "cycles",
            "optimum", "speed", ctas ? "  type" : " energy");
    for (uint32_t i = 0u; i < kernels->n; i++) {
        const struct sweep_curve *const curve = &kernels->kernel[i].curve;
        const uint32_t optimum = sweep_optimum(curve);
        fprintf(to, "%-*.*s %5u %12s %8u %6.3f", NAME, NAME, kernels->kernel[i].name,
                curve->most, format_count((uint64_t)curve->point[curve->n - 1u].cycles).text,
                curve->point[optimum].count, sweep_speed(curve, optimum));
        if (ctas) {
            fprintf(to, "  %s\n", sweep_type_name(sweep_type_of(curve)));
        } else {
            fprintf(to, " %6.3f\n", energy_at(curve, optimum));
        }
    }
    fprintf(to,
            "\ncycles: with the kernel's last count, which speed%s at its optimum %s relative "
            "to.\n",
            ctas ? "" : " and energy", ctas ? "is" : "are");
}

void sweep_kernels_csv(const struct sweep_kernels *kernels, FILE *to)
{
    fputs("kernel,most,optimum,type,count,cycles", to);
    for (uint32_t k = 0u; k < SCHEDULER_CLASSES; k++) {
        fprintf(to, ",sm.%s", gpu_sm_counts[k].name);
    }
    fputs(",energy.total\n", to);
    for (uint32_t i = 0u; i < kernels->n; i++) {
        const struct sweep_curve *const curve = &kernels->kernel[i].curve;
        const bool ctas = curve->over == SWEEP_OVER_CTAS;
        for (uint32_t at = 0u; at < curve->n; at++) {
            const struct sweep_point *const point = &curve->point[at];
            report_csv_text(kernels->kernel[i].name, to);
            fprintf(
                to, ",%u,%u,%s,%u,%.0f", curve->most, curve->point[sweep_optimum(curve)].count,
                ctas ? sweep_type_name(sweep_type_of(curve)) : "", point->count, point->cycles);
            for (uint32_t k = 0u; k < SCHEDULER_CLASSES; k++) {
                fprintf(to, ",%.0f", point->classes[k]);
            }
            fprintf(to, ",%.12g\n", point->joules);
        }
    }
}
