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
void note_happened(struct events *events, uint32_t event, const char *name, bool possible,
                   bool happened);

/* Runs the mixed stimulus on a unit. tie changes the inputs of each cycle, or is NULL; see is
 * told of each cycle without reset, before its edge. */
void run_stimulus(const char *type, const char *params, uint32_t cycles, void (*tie)(void *in),
                  void (*see)(const struct unit *unit, struct events *events),
                  struct events *events);

/* How many of the events that are possible happened fewer than five times; each is printed. */
uint32_t missing(const struct events *events, const char *params);

/* How often the event of this name happened. */
uint32_t count_of(const struct events *events, const char *name);

/* ---- What is seen of the scheduler's state ------------------------------------------- */

/* SMs of the last cluster that has any; 0 if all clusters are full. */
uint32_t short_cluster(const struct cta_scheduler_config *config);

/* The pool whose next CTA this is; n_cluster if none. */
uint32_t pool_of_cta(const struct cta_scheduler *unit, uint32_t slot, uint32_t cta);
uint64_t left_of_slot(const struct cta_scheduler *unit, uint32_t slot);

#endif
