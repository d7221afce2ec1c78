/*
 * laperm_launch - what happens to launches, and to entries that go to memory and come back; a
 * part of laperm's golden model, see laperm.h.
 */

#ifndef LAPERM_LAUNCH_H
#define LAPERM_LAUNCH_H

#include "units/laperm.h"

/* No SM, and no set. */
enum { LAPERM_NONE = INT32_MAX };

/* What is known before the inputs: outputs of queue 0 and the sets. */
struct laperm_view {
    struct laperm_set_out parents;
    struct laperm_set_out set[laperm_max_n_sm];
    bool any; /* something waits in them */
};

struct laperm_launch {
    uint32_t level; /* in its set */
    bool known;     /* its SM, or it is the host's */
    bool legal;
    bool ready;
    bool spills;
    uint32_t asked; /* the set that is asked for next; LAPERM_NONE */
};

struct laperm_launch laperm_launch_of(const struct laperm *unit, const struct laperm_in *in,
                                      const struct laperm_view *view);

/* All registers of launches and memory. */
void laperm_launch_edge(const struct laperm *unit, const struct laperm_in *in,
                        const struct laperm_view *view, const struct laperm_launch *launch,
                        struct laperm_state *q);

/* What goes into a set in this cycle, but for draw; n_sm is queue 0. */
struct laperm_set_in laperm_set_input(const struct laperm *unit, const struct laperm_in *in,
                                      const struct laperm_launch *launch, uint32_t sm);

/* The SMs behind one. */
struct bits laperm_behind(const struct laperm *unit, uint32_t sm);

#endif
