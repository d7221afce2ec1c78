/* report_bands - see report_bands.h. */

#include "gpusched/report/data/report_bands.h"

#include <math.h>

static uint32_t rows_of(struct report_block block, bool all)
{
    uint32_t rows = 0u;

    do {
        rows += block.rows;
    } while (all && report_block_next(&block));
    return rows;
}

/* The cycles of a cell's runs, at the clock of the row's baseline. Returns behind them. */
static double *fill(const struct report_block *block, uint32_t row, uint32_t column, double *to)
{
    const struct report_run *const run = report_block_run(block, row, column);
    const double scale = report_block_clock_scale(block, row, column);

    for (uint32_t i = 0u; i < block->data->seeds; i++) {
        *to++ = run->each == NULL ? (double)NAN : run->each[i] * scale;
    }
    return to;
}

bool report_bands_open(struct bands *bands, const struct report_block *first, bool all)
{
    struct report_block block = *first;

    *bands = (struct bands){ .rows = rows_of(block, all),
                             .columns = block.columns,
                             .seeds = block.data->seeds,
                             .baseline = block.baseline,
                             .inverse = true };
    if (bands->seeds == 0u || !bands_open(bands)) {
        return false;
    }
    double *to = bands->values;
    do {
        for (uint32_t i = 0u; i < block.rows * block.columns; i++) {
            to = fill(&block, i / block.columns, i % block.columns, to);
        }
    } while (all && report_block_next(&block));
    bands_find(bands);
    return true;
}
