/* ptx_depend - which instructions of a region must stay in order, and how far apart they want
 * to be; for ptx_order.c. */

#ifndef PTX_DEPEND_H
#define PTX_DEPEND_H

#include "ptx/analyse/ptx_analysis.h"

/* Instructions of a region, at most: what a choice among them costs is bounded so. */
enum { DEPEND_MOST = 2048 };

struct depend_edge {
    uint32_t to, next; /* instruction; number + 1 of the next edge from the same, or 0 */
    uint32_t cycles;   /* from the one to the other, at least, if nothing is to wait */
};
struct depend {
    uint32_t *first; /* by instruction: number + 1 of its first edge */
    struct depend_edge *edge;
    uint32_t n, registers;
    /* by register, and one more for the carry: number + 1 of the last that has written it, and
     * of the first of a list of those that have read it since; of no region before */
    struct depend_register {
        uint32_t region, write, read;
    } * reg;
    struct depend_read {
        uint32_t by, next;
    } * read;
    uint32_t n_read, region;
};

bool depend_open(struct depend *d, const struct ptx_function *f, struct ptx_scratch *scratch);
/* Edges of n instructions, each to a later one. */
void depend_fill(struct depend *d, const struct ptx_inst *inst, uint32_t n,
                 const struct ptx_order *order);
/* Whether an instruction keeps its place, and all others theirs before or behind it: barriers,
 * branches, calls, atomics, accesses that others may wait for, reads of a clock, and what goes
 * by which lanes are active. */
bool depend_pins(const struct ptx_inst *i);

#endif
