/*
 * contract - what a golden model is asked in the lockstep besides its outputs and registers:
 * how often it meets the events of its table, and whether quiet and advance keep what they
 * promise.
 */

#ifndef CONTRACT_H
#define CONTRACT_H

#include "base/unit.h"

struct contract;

/* NULL if there is no memory. The unit must outlive it. The seed is of how far it advances. */
struct contract *contract_open(const struct unit *unit, uint64_t seed);
void contract_close(struct contract *contract); /* NULL is fine */

/*
 * A cycle that is no reset, between the model's eval and its tick. When quiet is true, the tick
 * must change nothing; now and then, on copies of the model, advance must do what as many
 * ticks do. False if one does not, which stdout says.
 */
bool contract_cycle(struct contract *contract, uint64_t cycle);

/*
 * Prints for n units of one kind how often each event was met and each promise was kept, and
 * at how many of the units. False if one never was that must be: all must.
 */
bool contract_print(const struct contract *const *contracts, uint32_t n, bool all);

#endif
