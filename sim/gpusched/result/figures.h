/*
 * figures - rates and shares derived from the statistics of a run. figures.def has a row for
 * each. All come from integers and the configuration by products and quotients only, so that
 * they are the same to the last bit whatever the compiler and its flags.
 */

#ifndef FIGURES_H
#define FIGURES_H

#include "gpu/gpu.h"

struct figures { /* NAN where nothing has been counted */
#define FIGURE(name, unit, meaning) double name;
#include "gpusched/result/figures.def"
};

struct figure {
    const char *name;
    const char *unit;
    const char *meaning;
    size_t offset;
};

/* Ends with a row whose name is NULL. */
extern const struct figure figure_table[];

struct figures figures_of(const struct gpu_config *config, const struct gpu_stats *stats);

static inline double figure_value(const struct figure *row, const struct figures *figures)
{
    return *(const double *)(const void *)((const char *)figures + row->offset);
}

/* a / b, NAN if b is 0. */
double ratio(uint64_t a, uint64_t b);

/* The components of struct gpu_energy, in its order; ends with a row whose name is NULL. */
struct energy_part {
    const char *name;
    const char *of; /* for people */
    size_t offset;
};
extern const struct energy_part energy_parts[];

static inline double energy_value(const struct energy_part *part,
                                  const struct gpu_energy *energy)
{
    return *(const double *)(const void *)((const char *)energy + part->offset);
}

#endif
