/*
 * experiment_band - the median of an ensemble's values, and a band around it from order
 * statistics, which needs no idea of how the values are distributed: the median of what the
 * values are drawn from lies between the k-th smallest and the k-th largest of n with the
 * probability 1 - 2 (C(n, 0) + ... + C(n, k - 1)) / 2^n. k is the largest with which that is at
 * least 95 %: of 6 to 8 values the band goes from the smallest to the largest, of 9 to 11 from
 * the second smallest to the second largest. Fewer than 6 values have no band.
 */

#ifndef EXPERIMENT_BAND_H
#define EXPERIMENT_BAND_H

#include <stdbool.h>
#include <stdint.h>

struct band {
    double median; /* of an even number of values the mean of the middle two */
    double low, high;
};

/* k for n values, up to 1000; 0: there is no band. */
uint32_t band_rank(uint32_t n);

/* Sorts the values. All NAN if one of them is; low and high NAN without a band. */
struct band band_of(double *values, uint32_t n);
/* What the quotients base / value have; the values are above 0. */
struct band band_under(double base, const struct band *values);
/* Of value / base. */
struct band band_over(const struct band *values, double base);

/* Whether the two may be one: the median of either lies in the band of the other. */
bool band_is_noise(const struct band *a, const struct band *b);

#endif
