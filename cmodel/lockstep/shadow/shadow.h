/*
 * shadow - the RTL of units that run somewhere else, such as in the GPU, beside their golden
 * models, and their vectors recorded.
 *
 * A run has one struct shadows, and a shadow for each unit that is watched. Whoever runs a unit
 * calls in its cycles shadow_eval after the evaluation - again, if it is evaluated again - and
 * shadow_edge before the clock edge.
 *
 * In the shadow, RTL does not hold up the run. The inputs and outputs of a cycle go through a
 * queue to a thread that has a golden twin of the unit, a second instance of its model, and the
 * RTL. It compares all of both in every cycle, and the outputs of the twin with those that the
 * run has seen; a unit that the run does not evaluate has its twin alone. The contract with the
 * run: the inputs of a cycle that is left out are those of the last cycle that was given. The
 * thread runs such cycles until neither RTL nor twin changes any more, and leaves out the rest.
 *
 * Cycles have the number of the run's clock, `where`. A unit that is clocked more than once in
 * a cycle of the run is ahead of it for a while: its own clock advances with each edge, and is
 * never behind that of the run.
 *
 * The first difference is that with the smallest `where`; of several, that of the shadow that
 * was opened first. It does not depend on the number of threads, nor on their speed: no shadow
 * stops before all of them have been compared up to it. No inputs are kept: to have a report,
 * repeat the run with `report` for the shadow that differs.
 */

#ifndef SHADOW_H
#define SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"

enum shadow_mode {
    SHADOW_VECTORS, /* no RTL: the vectors of the units are recorded */
    SHADOW_ASIDE,   /* RTL is compared, by other threads */
    SHADOW_DRIVES   /* RTL is compared at once, and its outputs replace the model's */
};

struct shadows_options {
    enum shadow_mode mode;
    uint32_t threads;    /* of SHADOW_ASIDE, beside the run's; 0: a processor less */
    uint64_t last;       /* after this cycle nothing is compared; UINT64_MAX: all is */
    const char *origin;  /* of the inputs, for a report: "run        hotspot on icc" */
    const char *name;    /* of a report's files */
    const char *folder;  /* for them */
    const char *program; /* that replays vectors */
};

struct shadow_options {
    const char *library; /* of the RTL; NULL: the repository's, built on demand */
    bool built;          /* the repository's is up to date: it is not built */
    bool parts;          /* the ports of its parts are compared, too: shadow_part shows them */
    bool every; /* no cycle is left out; the run gives all of them, or the inputs stay */
    bool alone; /* the twin is the only model, in SHADOW_ASIDE: the run evaluates none */
    bool count; /* the events of its cycles, in SHADOW_ASIDE, as its model meets them */
    const char *vectors; /* file that is recorded; NULL: none */
    bool report; /* it is compared at once, keeps its inputs, and reports a difference on stdout
                  */
};

struct shadows;
struct shadow;

/* ---- All of a run -------------------------------------------------------------------- */

/* NULL, with the reason on stderr, if there is no memory. The texts of options, here and below,
 * must outlive it. */
struct shadows *shadows_open(const struct shadows_options *options);

/* After the last shadow_open: starts the threads. False with the reason on stderr. */
bool shadows_start(struct shadows *shadows);

/* In the cycle `where` of the run: there is still something to compare. Otherwise the run may
 * end: a difference has been found in an earlier cycle. */
bool shadows_go_on(const struct shadows *shadows, uint64_t where);

/* The run has ended after the cycle `where`: waits until all is compared. */
void shadows_end(struct shadows *shadows, uint64_t where);

/* After shadows_end. There was no memory to go on, which has been said on stderr. */
bool shadows_lost(const struct shadows *shadows);
/* The shadow with the first difference, and its cycle; NULL if there is none. */
const struct shadow *shadows_first(const struct shadows *shadows, uint64_t *where);

/* keep: vectors are to be. Closes the shadows, too. False, with the reason on stderr, if
 * vectors cannot be written. NULL is fine. */
bool shadows_close(struct shadows *shadows, bool keep);

/* ---- One unit ------------------------------------------------------------------------ */

/* For a model of this unit that has just been reset, whose parameters are those of config, the
 * unit's own struct. NULL, with the reason on stderr, if it cannot be. */
struct shadow *shadow_open(struct shadows *shadows, const char *unit, const void *config,
                           const struct shadow_options *options);

/* The model has been evaluated. With SHADOW_DRIVES the RTL's outputs replace those in out. With
 * options.alone it has not, and out is NULL. */
void shadow_eval(struct shadow *shadow, const void *in, void *out);

/* With options.parts, before shadow_eval: what the model's part, by its number among them, has
 * answered. It is compared with the twin's. */
void shadow_part(struct shadow *shadow, uint32_t part, const void *out);

/* The cycle is over; where: not below that of the last one. Returns shadows_go_on. */
bool shadow_edge(struct shadow *shadow, uint64_t where);

/* With SHADOW_DRIVES, after an edge: cycles may be left out as long as the inputs stay, since
 * the last two edges have left all that the RTL holds as it was. Otherwise always. */
bool shadow_settled(const struct shadow *shadow);

/* The repository's library of a unit with these parameters. False with the reason on stderr. */
bool shadow_library_of(const char *unit, const void *config, char *text, size_t size);

/* The file of its RTL; "" without. */
const char *shadow_library(const struct shadow *shadow);

/* The Verilog of its RTL, see rtl_source; "" without. */
const char *shadow_source(const struct shadow *shadow);

/* With options.alone: the run need not evaluate the unit. */
bool shadow_alone(const struct shadow *shadow);

/* Its events are counted; after shadows_end, adds them to the unit's struct of events. */
bool shadow_counts(const struct shadow *shadow);
void shadow_met(const struct shadow *shadow, void *events);

/* Cycles run of twin and RTL, after shadows_end. */
uint64_t shadow_cycles(const struct shadow *shadow);

#endif
