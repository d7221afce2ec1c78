/*
 * cta_scheduler_shadow - a second model of the CTA scheduler for tests, made from the header
 * alone: pools are the CTAs from one number to another, shares are quotients, and what a launch
 * does in a cycle follows from how long it has been under way.
 */

#ifndef CTA_SCHEDULER_SHADOW_H
#define CTA_SCHEDULER_SHADOW_H

#include "cta_scheduler_cycle.h"

/* The CTAs from front up to end, without this. */
struct shadow_pool {
    uint64_t front;
    uint64_t end;
    bool homeless;
};

struct shadow_slot {
    bool ready;
    uint32_t policy;
    uint32_t block;
    bool steal;
    bool known; /* launched since the reset */
    struct bits sms;
    struct pointers pointers;
    struct shadow_pool pool[cta_scheduler_max_n_cluster];
};

struct shadow_counts {
    uint32_t launches, kept, errors, dispatches, tails, stolen, waits, refusals;
};

struct shadow {
    struct cta_scheduler_config config;
    struct shadow_slot slot[cta_scheduler_max_n_kernel];
    bool error;
    struct cta_scheduler_in launched; /* the last launch that was taken; zeros after a reset */
    bool busy;
    bool split;
    uint32_t age;           /* cycles since it was taken */
    uint32_t pool;          /* whose turn it is */
    uint64_t first;         /* CTA that the next pool gets */
    uint32_t divisor;       /* the last, as the register keeps it */
    struct bits candidates; /* of what was looked at last */
    uint32_t looked;
    bool going; /* a dispatch shows: to this SM, from that slot and pool */
    uint32_t to, from, source;
    struct shadow_counts seen;
};

uint32_t steps(const struct shadow *shadow);

/* Clusters with an SM of the launch. */
uint32_t homes(const struct shadow *shadow);

/* CTAs that the pool whose turn it is gets, or has left. */
uint64_t share(const struct shadow *shadow);

/* ---- Outputs ------------------------------------------------------------------------- */

struct cta_scheduler_out shadow_out(const struct shadow *shadow,
                                    const struct cta_scheduler_in *in);

/* ---- The edge ------------------------------------------------------------------------ */

void shadow_edge(struct shadow *shadow, const struct cta_scheduler_in *in);
void shadow_reset(struct shadow *shadow);

/* ---- Registers ----------------------------------------------------------------------- */

/* The division on paper: after k steps, 2 k of the bits are used. */
void divided(const struct shadow *shadow, struct cta_scheduler_state *q);

/* What the registers hold; of `first` only what means something. */
struct cta_scheduler_state shadow_registers(const struct shadow *shadow,
                                            const struct cta_scheduler *unit);

#endif
