/*
 * onac_second - the detector by docs/units/onac.md alone, cycle by cycle. It keeps all samples
 * of a kernel, and no registers: what a sample leads to is known at once, and the cycles that
 * the unit takes for it are waited for. An estimate is searched for, and nothing is divided by
 * a difference.
 */

#ifndef ONAC_SECOND_H
#define ONAC_SECOND_H

#include "tb/base/unit_check.h"
#include "units/onac.h"

enum onac_second_stage {
    SECOND_NONE,
    SECOND_TARGET,
    SECOND_PAUSE,
    SECOND_REQUEST,
    SECOND_WINDOW,
    SECOND_READ,
    SECOND_THINK
};

/* What has happened since the beginning, of all kernels. */
struct onac_second_met {
    uint32_t kernels, cut_off; /* cut off: by the next one */
    uint32_t samples, accepted, estimated, whole, flat, crept, lowered, given_back;
    uint32_t ran_out, late, full; /* full: windows that are longer than can be counted */
};

struct onac_second_sample {
    uint32_t cores;
    uint64_t ipc, cycles;
};

struct onac_second {
    struct onac_config config;
    struct onac_in kernel; /* the inputs with which it began */
    enum onac_second_stage stage;
    uint64_t waited; /* cycles that the stage has taken */
    struct onac_second_sample taken[onac_max_n_core];
    uint32_t n_taken;
    uint32_t cores, next; /* that run; and that run when the thinking is over */
    uint64_t ctas, instructions, thinks;
    bool write, done, aborted, ends;
    struct onac_second_met met;
};

/* A GPU without a kernel; what was met stays. */
void onac_second_reset(struct onac_second *second);

/* What the unit is to show in this cycle. */
struct onac_out onac_second_shown(const struct onac_second *second);

/* A cycle of this model and of the unit, whose outputs are compared. */
void onac_second_beside(struct onac_second *second, struct onac *unit,
                        const struct onac_in *in);

#endif
