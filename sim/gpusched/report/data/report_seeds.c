/* report_seeds - ensembles as single runs; see report_seeds.h. */

#include "gpusched/report/data/report_seeds.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_band.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "tool/memory_watch.h"

/* Of a run's values all but the limit are numbers, one after the other. The limit is a verdict,
 * of which there is no median: it is that of the first seed. */
enum { NUMBERS = offsetof(struct report_values, limit) / sizeof(double) };
_Static_assert(NUMBERS * sizeof(double) == offsetof(struct report_values, limit),
               "numbers alone");

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

/* What is worse: there is a reason, the run has not been run, all is well. */
static int rank_of(enum experiment_status status)
{
    return status == RUN_DONE ? 0 : status == RUN_PENDING ? 1 : 2;
}

/* The status is that of the first run that is not done, but a reason is not left out. */
static void take_status(struct report_run *first, struct report_run *other)
{
    if (rank_of(other->status) <= rank_of(first->status)) {
        return;
    }
    first->status = other->status;
    first->status_of = other->id;
    free(first->error);
    first->error = other->error;
    other->error = NULL;
}

static bool join(struct report_run *first, uint32_t seeds)
{
    first->each = memory_take(seeds, sizeof *first->each);
    for (uint32_t s = 0u; s < seeds && first->each != NULL; s++) {
        first->each[s] = first[s].values.value[VALUE_CYCLES];
    }
    take_medians(first, seeds);
    for (uint32_t s = 1u; s < seeds; s++) {
        take_status(first, &first[s]);
        if (first->lockstep == NULL) {
            first->lockstep = json_incref(first[s].lockstep);
        } else if (first[s].lockstep != NULL) {
            json_array_extend(first->lockstep, first[s].lockstep);
        }
        report_run_free(&first[s]);
    }
    if (first->status != RUN_DONE) {
        first->values.limit.kind = LIMIT_UNKNOWN;
    }
    return first->each != NULL;
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
        if (!join(first, seeds)) {
            return false;
        }
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
