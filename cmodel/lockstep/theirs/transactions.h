/*
 * transactions - a golden model and RTL that need not answer in the same cycle: the same
 * transfers in the same order, channel by channel (channels.h). docs/lockstep.md has the rules.
 *
 * The run is a sequence of steps, and the inputs of a step are the same for both, however many
 * cycles each of them takes. In a step with an offer, an input channel has one transfer, and
 * all level inputs are 0. In any other step the level inputs have values in the first cycle, in
 * which all receivers are ready, and are 0 after it. A step ends when its inputs have been
 * taken, what follows from them is transferred, and the unit rests, which is that an edge
 * changes nothing in it. RTL that never rests gets TRANSACTIONS_REST cycles after the last
 * transfer of an offer, and TRANSACTIONS_QUIET after that of levels. Between steps both may be
 * reset. Readiness is drawn for each side by itself.
 */

#ifndef TRANSACTIONS_H
#define TRANSACTIONS_H

#include "lockstep/lockstep.h"

enum {
    TRANSACTIONS_QUIET = 32,   /* cycles */
    TRANSACTIONS_REST = 2000,  /* cycles */
    TRANSACTIONS_LIMIT = 10000 /* cycles in which the RTL must answer */
};

/*
 * Runs a unit against RTL until the RTL has had options->cycles cycles. Returns 0 if they are
 * equal, 1 at the first transfer that differs, is missing or is too much, which it reports on
 * stdout, and 2, with the reason on stderr, if it cannot run: the unit has no output channel,
 * or the kind of stimulus is none of idle, bursty and pressed.
 */
int transactions_run(struct unit *unit, const struct lockstep_options *options);

/*
 * Writes the steps, and what the golden model transfers in each, until it has had
 * options->cycles cycles; docs/conformance.md describes the file. False, with the reason on
 * stderr, if the model cannot run, as above, or the file is not written.
 */
bool transactions_write(struct unit *unit, const struct lockstep_options *options,
                        const char *file);

#endif
