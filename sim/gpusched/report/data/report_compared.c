/* report_compared - see report_compared.h. */

#include "gpusched/report/data/report_compared.h"

struct report_compared report_compared_of(const struct report_run *run)
{
    struct report_compared sum = { 0u, 0u };

    for (size_t i = 0u; i < json_array_size(run->lockstep); i++) {
        const json_t *const unit = json_array_get(run->lockstep, i);
        sum.cycles += (uint64_t)json_integer_value(json_object_get(unit, "cycles"));
        sum.differences += (uint64_t)json_integer_value(json_object_get(unit, "differences"));
    }
    return sum;
}

struct report_compared report_compared_all(const struct report_data *data)
{
    struct report_compared all = { 0u, 0u };

    for (uint32_t i = 0u; i < data->n; i++) {
        const struct report_compared run = report_compared_of(&data->runs[i]);
        all.cycles += run.cycles;
        all.differences += run.differences;
    }
    return all;
}
