/* report_seeds - ensembles as single runs; see report_seeds.h. */

#include "gpusched/report/data/report_seeds.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_band.h"
#include "gpusched/experiment/grid/experiment_seeds.h"

/* All values of a run are numbers, one after the other. */
enum { NUMBERS = sizeof(struct report_values) / sizeof(double) };
_Static_assert(NUMBERS * sizeof(double) == sizeof(struct report_values), "numbers alone");

static double number(const struct report_run *run, size_t i)
{
    double value;

    memcpy(&value, (const char *)&run->values + i * sizeof value, sizeof value);
    return value;
}

static void take_medians(struct report_run *first, uint32_t seeds)
{
    for (size_t i = 0u; i < NUMBERS; i++) {
        double values[SEEDS_MOST];
        for (uint32_t s = 0u; s < seeds; s++) {
            values[s] = number(&first[s], i);
        }
        const double median = band_of(values, seeds).median;
        memcpy((char *)&first->values + i * sizeof median, &median, sizeof median);
    }
}

static void join(struct report_run *first, uint32_t seeds)
{
    take_medians(first, seeds);
    for (uint32_t s = 1u; s < seeds; s++) {
        if (first->status == RUN_DONE && first[s].status != RUN_DONE) {
            first->status = first[s].status;
            free(first->error);
            first->error = first[s].error;
            first[s].error = NULL;
        }
        if (first->lockstep == NULL) {
            first->lockstep = json_incref(first[s].lockstep);
        } else if (first[s].lockstep != NULL) {
            json_array_extend(first->lockstep, first[s].lockstep);
        }
        report_run_free(&first[s]);
    }
}

bool report_seeds_join(struct report_data *data, uint32_t seeds)
{
    if (seeds < 2u) {
        return true;
    }
    if (seeds > SEEDS_MOST || data->n % seeds != 0u || data->n_axis == 0u
        || strcmp(data->axes[data->n_axis - 1u], "seed") != 0) {
        return false;
    }
    for (uint32_t i = 0u; i < data->n / seeds; i++) {
        struct report_run *const first = &data->runs[(size_t)i * seeds];
        join(first, seeds);
        if (i > 0u) {
            data->runs[i] = *first;
            memset(first, 0, sizeof *first);
        }
    }
    data->n /= seeds;
    data->n_axis--;
    data->seeds = seeds;
    return true;
}
