/* sizes - sets of parameters for a unit, drawn from the ranges of its port table. */

#ifndef SIZES_H
#define SIZES_H

#include "base/unit.h"

/*
 * Draws a size of the unit. Each parameter is of a class by chance: its lowest value, 2 to 8,
 * a power of two, one beside a power of two, none of these, the upper quarter of the range, its
 * highest; and of two sizes one has a parameter that does not divide the one before it, as in
 * clusters of which the last is short. Only sizes that the unit accepts come out; it is opened
 * at each. The same *random gives the same size, and is advanced. NULL, with a fault, if there
 * is no unit of this name, no memory, or none of 1000 sizes is accepted.
 */
struct unit *sizes_draw(const char *name, uint64_t *random, struct fault *fault);

#endif
