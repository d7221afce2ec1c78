/* transactions_report - the first transaction that differs, for a person to read. */

#ifndef TRANSACTIONS_REPORT_H
#define TRANSACTIONS_REPORT_H

#include <stdint.h>

#include "base/unit.h"
#include "lockstep/theirs/channels.h"

/* Where the run is. */
struct transactions_place {
    const struct unit *unit;
    const char *library;
    const char *source; /* see rtl_source */
    const char *kind;   /* of the stimulus */
    uint64_t seed;
    uint64_t step;
    uint64_t model_cycle; /* the next one */
    uint64_t rtl_cycle;   /* this one */
};

/* The first that is expected differs in these ports. */
void transactions_report_other(const struct transactions_place *place,
                               const struct channel *channel,
                               const struct unit_difference *differences, uint32_t n);

/* None is expected. out: the RTL's outputs. */
void transactions_report_extra(const struct transactions_place *place,
                               const struct channel *channel, const void *out);

/* The RTL has not answered for TRANSACTIONS_LIMIT cycles. */
void transactions_report_missing(const struct transactions_place *place,
                                 const struct channel *channel);

#endif
