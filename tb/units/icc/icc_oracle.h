/*
 * icc_oracle - the merge table by docs/units/icc.md alone, as a definition over what has
 * happened: a list of events in the order of time, and no table. A line has an entry while its
 * answer is outstanding: a request was sent for it, and no answer has come since. What the page
 * says of an entry is found by reading the events. An answer ends a line's past, so its events
 * are forgotten.
 */

#ifndef ICC_ORACLE_H
#define ICC_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/icc.h"

/* Of each entry a request and as many that join as there are SMs, and a write; and a flush. */
enum { ICC_EVENTS = icc_max_n_entry * (2 + icc_max_n_sm) + 1 };

struct icc_event {
    enum { ICC_SENT, ICC_JOINED, ICC_WRITTEN, ICC_FLUSHED } what;
    uint32_t sm;    /* that sent or joined */
    uint32_t entry; /* that was sent with */
    uint64_t line;
};

struct icc_oracle {
    struct icc_config config;
    uint32_t n;
    struct icc_event
        event[ICC_EVENTS]; /* the oldest first; last, so that copies may be short */
};

void icc_oracle_reset(struct icc_oracle *oracle);

/* ---- What the events say ------------------------------------------------------------- */

bool icc_oracle_has_entry(const struct icc_oracle *oracle, uint64_t line);

/* The SMs that wait for a line: bit s is SM s. */
uint64_t icc_oracle_waiting(const struct icc_oracle *oracle, uint64_t line);

/* A write of the line, or a flush, came since its request was sent. */
bool icc_oracle_is_closed(const struct icc_oracle *oracle, uint64_t line);
uint32_t icc_oracle_n_used(const struct icc_oracle *oracle);

/* The lowest number that no entry in use has. */
uint32_t icc_oracle_lowest(const struct icc_oracle *oracle);

/* ---- What happens -------------------------------------------------------------------- */

/* One cycle. Returns the outputs. */
struct icc_out icc_oracle_cycle(struct icc_oracle *oracle, const struct icc_in *in);

/* ---- Comparison ---------------------------------------------------------------------- */

/* Fails unless the unit's entries are those of the events, and all others are free. */
void icc_oracle_check(const struct icc_oracle *oracle, const struct icc *unit);

/* A cycle of the oracle and of the unit, whose outputs are compared. */
struct icc_out icc_oracle_beside(struct icc_oracle *oracle, struct icc *unit,
                                 const struct icc_in *in);

#endif
