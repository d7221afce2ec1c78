/*
 * difference - reports the first difference between a model and its RTL, and runs both once
 * more up to it, for what the report leaves: a waveform (.fst) around the cycle, and vectors
 * (.vec) from the last reset to it.
 */

#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"
#include "lockstep/rtl.h"

/* The inputs once more, from cycle 0. */
struct difference_inputs {
    void *self;
    void *(*open)(void *self, struct unit *model); /* NULL if there is no memory */
    /* Those of the next cycle, into model->in. True: the cycle is a reset. After the last come
     * any. */
    bool (*next)(void *inputs);
    void (*close)(void *inputs);
};

struct difference {
    const struct unit *model; /* as it is in the cycle of the difference, after its eval ... */
    const struct rtl *rtl;    /* ... and its RTL */
    const char *library;      /* of the RTL */
    const char *origin;       /* lines that say where the inputs come from */
    const char *name;         /* of the files, with the unit's: "mixed-7" */
    uint64_t cycle;
    uint64_t last_reset;
    const char *folder;  /* for the files */
    const char *program; /* that replays vectors */
    struct difference_inputs inputs;
};

/* Prints the report. */
void difference_report(const struct difference *difference);

#endif
