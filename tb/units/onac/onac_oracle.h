/*
 * onac_oracle - which numbers of cores are sampled, and which one is the result, by
 * docs/units/onac.md alone: a walk over a curve of IPCs, without cycles, cores or a machine. An
 * estimate is searched for and not divided: the least number of cores at which the line is high
 * enough.
 */

#ifndef ONAC_ORACLE_H
#define ONAC_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/onac.h"

/* The IPC of so many cores, 1 to n_core: ipc[n]. */
struct onac_curve {
    uint32_t n_core;
    uint64_t ipc[onac_max_n_core + 1];
};

struct onac_walk {
    uint32_t n;                            /* samples */
    uint32_t sampled[onac_max_n_core + 1]; /* cores of each */
    uint32_t result;
};

struct onac_walk onac_oracle_onac(const struct onac_curve *curve, bool creep);
struct onac_walk onac_oracle_seq_det(const struct onac_curve *curve);

#endif
