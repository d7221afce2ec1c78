/*
 * dispatch_stimulus - what the tests of the stimulus of the dispatch units share: cycles of the
 * mixed stimulus, counts of events by name, and inputs that are tied off.
 */

#ifndef DISPATCH_STIMULUS_H
#define DISPATCH_STIMULUS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "lockstep/stimulus.h"
#include "tb/units/cta_scheduler/cta_scheduler_cycle.h"

enum { MOST_EVENTS = 48 };

/* How often each event happened; an event without a name is none. */
struct events {
    const char *name[MOST_EVENTS];
    uint32_t count[MOST_EVENTS];
    bool expected[MOST_EVENTS]; /* at this size */
};

/* Counts an event; `possible` says whether there is such a thing at this size. */
static inline void note(struct events *events, uint32_t event, const char *name, bool possible,
                        bool happened)
{
    assert_in_range(event, 0, MOST_EVENTS - 1);
    events->name[event] = name;
    events->expected[event] = possible;
    events->count[event] += happened;
}

/* Runs the mixed stimulus on a unit. tie changes the inputs of each cycle, or is NULL; see is
 * told of each cycle without reset, before its edge. */
static inline void run_stimulus(const char *type, const char *params, uint32_t cycles,
                                void (*tie)(void *in),
                                void (*see)(const struct unit *unit, struct events *events),
                                struct events *events)
{
    struct fault fault;
    struct unit *const unit = unit_open_text(type, params, &fault);

    assert_non_null(unit);
    struct stimulus *const stimulus = stimulus_open(unit, "mixed", 1u);
    memset(events, 0, sizeof *events);
    for (uint32_t cycle = 0u; cycle < cycles; cycle++) {
        const bool reset = stimulus_next(stimulus);
        if (tie != NULL) {
            tie(unit->in);
        }
        unit_eval(unit);
        if (!reset) {
            see(unit, events);
        }
        unit_edge(unit, reset);
    }
    stimulus_close(stimulus);
    unit_close(unit);
}

/* How many of the events that are possible happened fewer than five times; each is printed. */
static inline uint32_t missing(const struct events *events, const char *params)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < MOST_EVENTS; i++) {
        if (events->name[i] != NULL && events->expected[i] && events->count[i] < 5u) {
            print_message("%s: %s: %" PRIu32 " times\n", params, events->name[i],
                          events->count[i]);
            n++;
        }
    }
    return n;
}

/* How often the event of this name happened. */
static inline uint32_t count_of(const struct events *events, const char *name)
{
    for (uint32_t i = 0u; i < MOST_EVENTS; i++) {
        if (events->name[i] != NULL && strcmp(events->name[i], name) == 0) {
            return events->count[i];
        }
    }
    fail_msg("no event is called %s", name);
    return 0u;
}

/* ---- What is seen of the scheduler's state ------------------------------------------- */

/* SMs of the last cluster that has any; 0 if all clusters are full. */
static inline uint32_t short_cluster(const struct cta_scheduler_config *config)
{
    return config->n_sm % cluster_size(config);
}

/* The pool whose next CTA this is; n_cluster if none. */
static inline uint32_t pool_of_cta(const struct cta_scheduler *unit, uint32_t slot,
                                   uint32_t cta)
{
    uint32_t pool = 0u;

    while (pool < unit->config.n_cluster
           && (unit->mem.left[pool_at(unit, slot, pool)] == 0u
               || unit->mem.next[pool_at(unit, slot, pool)] != cta)) {
        pool++;
    }
    return pool;
}

static inline uint64_t left_of_slot(const struct cta_scheduler *unit, uint32_t slot)
{
    uint64_t left = 0u;

    for (uint32_t pool = 0u; pool < unit->config.n_cluster; pool++) {
        left += unit->mem.left[pool_at(unit, slot, pool)];
    }
    return left;
}

#endif
