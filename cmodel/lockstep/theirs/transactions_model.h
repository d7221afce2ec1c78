/*
 * transactions_model - the golden model's side of a run of transactions: the steps, and what it
 * transfers in each. transactions.h has the rules.
 */

#ifndef TRANSACTIONS_MODEL_H
#define TRANSACTIONS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"
#include "lockstep/stimulus.h"
#include "lockstep/theirs/channels.h"

struct transactions_model {
    struct unit *unit;
    struct stimulus *stimulus;
    struct channels channels;
    const char *kind; /* of the stimulus */
    uint64_t seed;
    struct channel *offer; /* of the step; NULL: its level inputs have values */
    void *in;              /* the inputs of the step */
    uint64_t steps;        /* begun */
    uint64_t cycle;        /* the next one */
    uint64_t random;       /* of the receivers */
};

/*
 * False, with the reason on stderr, if the unit has no output channel, the kind of stimulus is
 * none of idle, bursty and pressed, or there is no memory. stretch: see stimulus_stretch. To be
 * closed in any case.
 */
bool transactions_model_open(struct transactions_model *model, struct unit *unit,
                             const char *kind, uint64_t seed, uint64_t stretch);
void transactions_model_close(struct transactions_model *model);

/* Draws the next step. Returns whether it is a reset. */
bool transactions_draw(struct transactions_model *model);

/*
 * The inputs of one cycle of a side, the model's or another: of the step, until it is given,
 * and receivers that are ready in three of four cycles, as random says. In the cycle of the
 * levels all are, and all are if there is nothing to draw from.
 */
void transactions_inputs(const struct transactions_model *model, struct unit *side, bool given,
                         uint64_t *random);

void transactions_reset(struct transactions_model *model);

/* The whole step: its transfers are then those that the channels expect. False, with the reason
 * on stderr, without memory or if the model does not come to rest. */
bool transactions_step(struct transactions_model *model);

#endif
