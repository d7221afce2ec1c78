/* experiment_bands - a table of ensembles; see experiment_bands.h. */

#include "gpusched/experiment/experiment_bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "tool/memory_watch.h"

bool bands_open(struct bands *bands)
{
    const size_t cells = (size_t)bands->rows * bands->columns;

    bands->values = memory_take(cells * bands->seeds, sizeof *bands->values);
    bands->bands = memory_take(cells + bands->columns, sizeof *bands->bands);
    bands->means = memory_take((size_t)bands->columns * bands->seeds, sizeof *bands->means);
    return bands->values != NULL && bands->bands != NULL && bands->means != NULL;
}

void bands_free(struct bands *bands)
{
    free(bands->values);
    free(bands->bands);
    free(bands->means);
    *bands = (struct bands){ .rows = 0u };
}

static double *values_at(const struct bands *bands, uint32_t row, uint32_t column)
{
    return bands->values + ((size_t)row * bands->columns + column) * bands->seeds;
}

static struct band *band_at(const struct bands *bands, uint32_t row, uint32_t column)
{
    return &bands->bands[(size_t)row * bands->columns + column];
}

const struct band *bands_at(const struct bands *bands, uint32_t row, uint32_t column)
{
    return band_at(bands, row, column);
}

/* As the values are; they stay in their order. */
static struct band plain_band(const struct bands *bands, uint32_t row, uint32_t column)
{
    double values[SEEDS_MOST];

    memcpy(values, values_at(bands, row, column), bands->seeds * sizeof *values);
    return band_of(values, bands->seeds);
}

static struct band relative(const struct bands *bands, double base, const struct band *band)
{
    const struct band none = { (double)NAN, (double)NAN, (double)NAN };

    if (bands->baseline < 0) {
        return *band;
    }
    const struct band ratio = bands->inverse ? band_under(base, band) : band_over(band, base);
    return isfinite(ratio.median) ? ratio : none;
}

static void find_row(struct bands *bands, uint32_t row)
{
    const double base =
        bands->baseline < 0 ? 1.0 : plain_band(bands, row, (uint32_t)bands->baseline).median;

    for (uint32_t column = 0u; column < bands->columns; column++) {
        double *const values = values_at(bands, row, column);
        const struct band all = plain_band(bands, row, column);
        *band_at(bands, row, column) = relative(bands, base, &all);
        for (uint32_t i = 0u; i < bands->seeds; i++) {
            const struct band one = { values[i], values[i], values[i] };
            values[i] = relative(bands, base, &one).median;
        }
    }
}

static void find_means(struct bands *bands)
{
    const uint32_t columns = bands->columns;

    bands->counted =
        geometric_means(bands->values, bands->rows, columns * bands->seeds, bands->means);
    for (uint32_t column = 0u; column < columns; column++) {
        *band_at(bands, bands->rows, column) =
            band_of(bands->means + (size_t)column * bands->seeds, bands->seeds);
    }
    for (size_t i = 0u; i < (size_t)bands->rows * columns; i++) {
        bands->values[i] = bands->bands[i].median;
    }
    (void)geometric_means(bands->values, bands->rows, columns, bands->means);
    for (uint32_t column = 0u; column < columns; column++) {
        band_at(bands, bands->rows, column)->median = bands->means[column];
    }
}

void bands_find(struct bands *bands)
{
    for (uint32_t row = 0u; row < bands->rows; row++) {
        find_row(bands, row);
    }
    find_means(bands);
}

bool bands_is_noise(const struct bands *bands, uint32_t row, uint32_t column)
{
    return bands->baseline >= 0 && column != (uint32_t)bands->baseline
           && band_is_noise(bands_at(bands, row, column),
                            bands_at(bands, row, (uint32_t)bands->baseline));
}
