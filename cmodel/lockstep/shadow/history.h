/* history - the inputs of all cycles of a unit from its reset on, for the report of a
 * difference. */

#ifndef HISTORY_H
#define HISTORY_H

#include "base/unit.h"
#include "lockstep/difference.h"

struct history;

/* The unit must outlive it. NULL if there is no memory. */
struct history *history_open(const struct unit *unit);
void history_close(struct history *history); /* NULL is fine */

/* Adds the inputs that the unit has now. False, with the reason on stderr, if there is no
 * memory. */
bool history_add(struct history *history);

/* All of them once more, the first cycle a reset. */
struct difference_inputs history_inputs(struct history *history);

#endif
