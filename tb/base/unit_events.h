/*
 * unit_events - how often what a unit is for happens under the stimulus of the lockstep, and
 * that it would not if an input stood still. A stimulus that never does a thing lets every
 * defect of that thing pass.
 */

#ifndef UNIT_EVENTS_H
#define UNIT_EVENTS_H

#include "lockstep/stimulus.h"
#include "tb/base/unit_check.h"

enum { MAX_EVENT = 64 };

/* A kind of event, and whether a unit of these parameters can have it. */
struct event {
    const char *name;
    bool possible;
    uint32_t count;
};

struct events {
    uint32_t n;
    uint32_t next; /* that a cycle counts; it counts all of them, in the same order */
    struct event event[MAX_EVENT];
};

/* A cycle begins. */
void events_cycle(struct events *events);

/* Counts an event, if it happens in this cycle. */
void tally(struct events *events, const char *name, bool possible, bool happens);

/* How many of the possible events happened less than `enough` times; each is printed. */
uint32_t events_check(const struct events *events, const char *title, uint32_t enough);

/* How often the rarest of n events happened. */
uint32_t least(const uint32_t *counts, uint32_t n);

/* An input that stands still; no port: none does. */
struct tied {
    const struct unit_port *port;
    bool high;
};

void tie(const struct tied *tied, void *in);

/*
 * The next inputs: a sixth of the cycles, at the end, are the directed sequence. Returns the
 * reset. The stimulus is opened and closed here.
 */
struct traffic {
    struct unit *unit;
    struct stimulus *stimulus;
    uint32_t cycle;
    uint32_t directed_from;
    uint64_t seed;
};

struct traffic traffic_open(struct unit *unit, uint32_t cycles, uint64_t seed);
bool traffic_next(struct traffic *traffic, const struct tied *tied);

/* Runs so many cycles at these parameters, and counts. */
typedef void events_run(const void *config, const struct tied *tied, uint32_t cycles,
                        uint64_t seed, struct events *events);

/* With any input at rest, low or high, something that should happen does not. */
void every_input_is_needed(const struct unit_type *type, const void *config, uint32_t cycles,
                           uint64_t seed, uint32_t enough, events_run *run);

#endif
