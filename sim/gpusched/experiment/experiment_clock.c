/* experiment_clock - core clocks of variants; see experiment_clock.h. */

#include "gpusched/experiment/experiment_clock.h"

#include <string.h>

static double clock_of(struct experiment_grid *grid, uint32_t run)
{
    struct experiment_point point;

    experiment_grid_point(grid, run, &point);
    return point.config.clock.core;
}

double experiment_clock_scale(struct experiment_grid *grid, uint32_t run)
{
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0u };

    experiment_grid_place(grid, run, at);
    at[DIMENSION_VARIANT] = (uint32_t)grid->experiment->baseline;
    return clock_of(grid, experiment_grid_index(grid, at)) / clock_of(grid, run);
}

/* Runs that differ by the variant alone have the same clock unless some variant sets it: of
 * many runs, no machine needs to be made to know that. */
static bool is_set(const struct experiment *experiment)
{
    bool found = false;

    for (uint32_t v = 0u; v < experiment->n_variant; v++) {
        const struct experiment_settings *const settings = &experiment->variants[v].settings;
        for (uint32_t i = 0u; i < settings->n; i++) {
            found = found || strcmp(settings->list[i].key.text, "clock.core") == 0;
        }
    }
    return found;
}

bool experiment_clocks_differ(struct experiment_grid *grid)
{
    bool differ = false;

    if (!is_set(grid->experiment)) {
        return false;
    }
    for (uint32_t i = 0u; i < grid->n && !differ; i++) {
        const double scale = experiment_clock_scale(grid, i);
        differ = scale < 1.0 || scale > 1.0;
    }
    return differ;
}
