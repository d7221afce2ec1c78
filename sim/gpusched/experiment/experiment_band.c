/* experiment_band - medians and bands; see experiment_band.h. */

#include "gpusched/experiment/experiment_band.h"

#include <math.h>
#include <stdlib.h>

uint32_t band_rank(uint32_t n)
{
    double ways = 1.0; /* C(n, k) / 2^n */
    double outside = 0.0;
    uint32_t k = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        ways /= 2.0;
    }
    while (2.0 * (outside + ways) <= 0.05) {
        outside += ways;
        ways = ways * (n - k) / (k + 1u);
        k++;
    }
    return k;
}

static int by_size(const void *a, const void *b)
{
    const double one = *(const double *)a;
    const double other = *(const double *)b;

    return (one > other) - (one < other);
}

struct band band_of(double *values, uint32_t n)
{
    struct band band = { (double)NAN, (double)NAN, (double)NAN };
    const uint32_t rank = band_rank(n);

    for (uint32_t i = 0u; i < n; i++) {
        if (isnan(values[i])) {
            return band;
        }
    }
    qsort(values, n, sizeof *values, by_size);
    band.median = (values[(n - 1u) / 2u] + values[n / 2u]) / 2.0;
    if (rank > 0u) {
        band.low = values[rank - 1u];
        band.high = values[n - rank];
    }
    return band;
}

struct band band_under(double base, const struct band *values)
{
    return (struct band){ base / values->median, base / values->high, base / values->low };
}

struct band band_over(const struct band *values, double base)
{
    return (struct band){ values->median / base, values->low / base, values->high / base };
}

static bool holds(const struct band *band, double value)
{
    return band->low <= value && value <= band->high;
}

bool band_is_noise(const struct band *a, const struct band *b)
{
    return holds(a, b->median) || holds(b, a->median);
}
