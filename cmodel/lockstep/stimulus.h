/*
 * stimulus - reproducible inputs for any unit, by its port table and its driver.
 *
 *   idle      little happens
 *   bursty    phases of 64 cycles, in which each input has a way of its own: flags
 *             low, rare, frequent or high; numbers zero, small, large, full or held;
 *             sets empty, sparse, dense, full or of one
 *   pressed   back-pressure: offers all the time, and whoever takes is seldom ready
 *   illegal   bursty, but nothing keeps the protocol
 *   directed  the unit's own sequence, again and again
 *   mixed     a kind of the above at a time, for 1024 cycles; the directed sequence to its
 *             end, for a sixth of the cycles or once
 *
 * In all but illegal an offer (NAME_valid with its NAME_* inputs) stands unchanged
 * until it is taken, and the unit's driver makes the inputs legal.
 */

#ifndef STIMULUS_H
#define STIMULUS_H

#include "base/unit.h"

struct stimulus;

/* The kinds, for a message: "idle, bursty, ...". */
extern const char stimulus_kinds[];

/* NULL for a kind that is none of the above. The unit must outlive it. */
struct stimulus *stimulus_open(struct unit *unit, const char *kind, uint64_t seed);
void stimulus_close(struct stimulus *stimulus);

/* Before the first cycle: resets come `cycles` apart, and not by chance; later only where a
 * directed sequence is longer. 0, the standard: about once in a thousand cycles. */
void stimulus_stretch(struct stimulus *stimulus, uint64_t cycles);

/*
 * The inputs of the next cycle, into unit->in, which it has not been changed since
 * the last call; unit->out still has the outputs of the last cycle. Returns its
 * reset: true in the first cycle.
 */
bool stimulus_next(struct stimulus *stimulus);

/* True if its unit has a directed sequence. */
bool stimulus_has_sequence(const struct stimulus *stimulus);

/* What there has been so far. */
struct stimulus_counts {
    uint64_t resets;
    uint64_t longest;  /* cycles from a reset on without another */
    uint64_t directed; /* directed sequences that came to their end */
};
struct stimulus_counts stimulus_counts(const struct stimulus *stimulus);

#endif
