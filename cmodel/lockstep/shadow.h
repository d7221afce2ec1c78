/*
 * shadow - a golden model that runs somewhere else, such as in the GPU, with its RTL beside it,
 * and its vectors recorded.
 *
 * Whoever runs the model calls, in each cycle that may change something in it or in the RTL,
 * shadow_eval after its evaluation - again, if it is evaluated again - and shadow_edge before
 * the clock edge. Cycles may be left out when the model stays as it is, shadow_settled says
 * that the RTL does so too, and the inputs are those of the last cycle.
 */

#ifndef SHADOW_H
#define SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"

struct shadow;

struct shadow_options {
    bool rtl;            /* it is compared, in every cycle */
    bool drive;          /* and its outputs replace the model's */
    const char *library; /* of the RTL; NULL: the repository's, built on demand */
    bool built;          /* the repository's is up to date: it is not built */
    const char *vectors; /* file that is recorded; NULL: none */
    const char *origin;  /* of the inputs, for a report: "run        hotspot on icc" */
    const char *name;    /* of a report's files */
    const char *folder;  /* for them */
    const char *program; /* that replays vectors */
};

/*
 * For a model of this unit that has just been reset, whose parameters are those of config, the
 * unit's own struct. NULL, with the reason on stderr, if it cannot be. The texts of options
 * must outlive it.
 */
struct shadow *shadow_open(const char *unit, const void *config,
                           const struct shadow_options *options);

/* The model has been evaluated. With drive, the RTL's outputs replace those in out. */
void shadow_eval(struct shadow *shadow, const void *model, const void *in, void *out,
                 const void *next);

/*
 * The cycle is over: compares the last evaluation, the registers and the memories; then the
 * edge. where: a number for the report, such as a cycle of what the model runs in. Returns
 * false at a difference, which it reports on stdout, or when it is lost.
 */
bool shadow_edge(struct shadow *shadow, uint64_t where);

/* There was no memory to go on, which it has said on stderr; of the RTL nothing is known. */
bool shadow_lost(const struct shadow *shadow);

/* After an edge: the last two have left all that the RTL holds as it was, under the same
 * inputs. Without RTL always. */
bool shadow_settled(const struct shadow *shadow);

/* The repository's library of a unit with these parameters. False with the reason on stderr. */
bool shadow_library_of(const char *unit, const void *config, char *text, size_t size);

/* The file of its RTL; "" without. */
const char *shadow_library(const struct shadow *shadow);

/* The Verilog of its RTL, see rtl_source; "" without. */
const char *shadow_source(const struct shadow *shadow);

uint64_t shadow_cycles(const struct shadow *shadow);

/* keep: its vectors are to be. False, with the reason on stderr, if they cannot be written.
 * NULL is fine. */
bool shadow_close(struct shadow *shadow, bool keep);

#endif
