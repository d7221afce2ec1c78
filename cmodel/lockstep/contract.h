/*
 * contract - what a golden model is asked in the lockstep besides its outputs and registers:
 * how often it meets the events of its table.
 */

#ifndef CONTRACT_H
#define CONTRACT_H

#include "base/unit.h"

struct contract;

/* NULL if there is no memory. The unit must outlive it. */
struct contract *contract_open(const struct unit *unit);
void contract_close(struct contract *contract); /* NULL is fine */

/* A cycle between the model's eval and its tick. */
void contract_cycle(struct contract *contract);

/*
 * Prints for n units of one kind how often each event was met, and at how many of them. False
 * if one was never met that must be: all must.
 */
bool contract_print(const struct contract *const *contracts, uint32_t n, bool all);

#endif
