/*
 * pair - a golden twin of a unit and its RTL, stepped together with given inputs and compared
 * in every cycle: outputs, registers and memories; of a composition the ports of its parts,
 * too, if that is asked for. The twin is a second instance of the golden model, so nothing is
 * taken from a model that runs elsewhere; but its outputs may be given, and are then compared
 * with the twin's.
 *
 * Inputs and outputs that are given are packed (fields.h).
 *
 * A pair counts the cycles of a clock. Cycles that are not given have the inputs of the last
 * one. They are run until they change nothing any more, and then left out, unless `every` is
 * set.
 */

#ifndef PAIR_H
#define PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "lockstep/rtl.h"
#include "lockstep/shadow/fields.h"
#include "lockstep/shadow/history.h"
#include "lockstep/shadow/pair_parts.h"

enum pair_found {
    PAIR_EQUAL,
    PAIR_RTL,   /* the RTL differs from the twin */
    PAIR_MODEL, /* the outputs that were given differ from the twin's */
    PAIR_LOST   /* no memory to go on, which has been said on stderr */
};

struct pair {
    struct unit *unit;
    struct rtl *rtl; /* NULL: the twin alone */
    struct fields inputs, outputs;
    struct pair_parts parts; /* that are compared in its RTL; none without pair_open_parts */
    size_t out_bytes;        /* of the outputs that are given: the unit's, then its parts' */
    struct history *history; /* of the inputs of all cycles run; NULL: none is kept */
    void *events;            /* of all cycles, the unit's struct of them; NULL: not counted */
    uint64_t cycles;         /* run so far, with the reset */
    uint64_t clock;          /* the last cycle, run or left out */
    bool every;              /* set after pair_open: no cycle is left out */
    bool known;              /* rtl_settled knows what the last edge has left */
    bool settled;            /* the last edge has changed nothing, nor does any other under the
                                same inputs */
};

/* The unit with the parameters of config, the unit's own struct, and the RTL in library; NULL:
 * none. False with the reason on stderr; pair_close is due in any case. */
bool pair_open(struct pair *pair, const char *unit, const void *config);
/* Before pair_load: the ports of its parts are compared as well, each with those of the part in
 * the twin, and outputs that are given with them. False for lack of memory. */
bool pair_open_parts(struct pair *pair);
bool pair_load(struct pair *pair, const char *library);
/* From now on the events of its cycles are counted. False for lack of memory. */
bool pair_count(struct pair *pair);
void pair_close(struct pair *pair);

/* Cycle 0, with all inputs 0. False: lost. */
bool pair_reset(struct pair *pair, bool keep_history);

/* ---- A cycle in steps, for outputs that drive something ------------------------------- */

/* Both settle under these inputs. May be called again. */
void pair_eval(struct pair *pair, const void *in);
/* out: NULL if they are not known. */
enum pair_found pair_compare(struct pair *pair, const void *out);
/* The clock edge of cycle `clock`. */
void pair_edge(struct pair *pair, uint64_t clock);

/* ---- All at once ----------------------------------------------------------------------- */

/* Runs the cycles after the last one, up to this one, with its inputs. Other than PAIR_EQUAL:
 * pair->clock is the cycle that differs, and both are as they are in it. */
enum pair_found pair_hold(struct pair *pair, uint64_t clock);

/* Cycle `clock`, or the one after the last if that is later, with these inputs; before it, what
 * pair_hold does. */
enum pair_found pair_take(struct pair *pair, uint64_t clock, const void *in, const void *out);

#endif
