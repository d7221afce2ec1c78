/* unit_events - how often what a unit is for happens under the stimulus of the lockstep; see
 * unit_events.h. */

#include "tb/base/unit_events.h"

void events_cycle(struct events *events)
{
    events->next = 0u;
}

void tally(struct events *events, const char *name, bool possible, bool happens)
{
    const uint32_t i = events->next++;

    if (i == events->n) {
        assert_in_range(i, 0, MAX_EVENT - 1);
        events->event[events->n++] = (struct event){ .name = name, .possible = possible };
    }
    events->event[i].count += happens;
}

/* How many of the possible events happened less than that often. */
static uint32_t events_missing(const struct events *events, uint32_t enough)
{
    uint32_t missing = 0u;

    for (uint32_t i = 0u; i < events->n; i++) {
        missing += events->event[i].possible && events->event[i].count < enough;
    }
    return missing;
}

uint32_t events_check(const struct events *events, const char *title, uint32_t enough)
{
    for (uint32_t i = 0u; i < events->n; i++) {
        const struct event *const event = &events->event[i];
        if (event->possible && event->count < enough) {
            print_message("%s: %" PRIu32 ", less than %" PRIu32 ": %s\n", title, event->count,
                          enough, event->name);
        }
    }
    return events_missing(events, enough);
}

uint32_t least(const uint32_t *counts, uint32_t n)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t i = 0u; i < n; i++) {
        least = counts[i] < least ? counts[i] : least;
    }
    return least;
}

void tie(const struct tied *tied, void *in)
{
    if (tied->port != NULL) {
        for (uint32_t k = 0u; k < tied->port->count; k++) {
            unit_set(tied->port, in, k,
                     tied->high ? UINT64_MAX >> (64u - tied->port->width) : 0u);
        }
    }
}

struct traffic traffic_open(struct unit *unit, uint32_t cycles, uint64_t seed)
{
    return (struct traffic){
        .unit = unit,
        .stimulus = stimulus_open(unit, "mixed", seed),
        .directed_from = cycles - cycles / 6u,
        .seed = seed,
    };
}

bool traffic_next(struct traffic *traffic, const struct tied *tied)
{
    if (traffic->cycle++ == traffic->directed_from) {
        stimulus_close(traffic->stimulus);
        traffic->stimulus = stimulus_open(traffic->unit, "directed", traffic->seed);
    }
    assert_non_null(traffic->stimulus);
    const bool reset = stimulus_next(traffic->stimulus);
    tie(tied, traffic->unit->in);
    return reset;
}

void every_input_is_needed(const struct unit_type *type, const void *config, uint32_t cycles,
                           uint64_t seed, uint32_t enough, events_run *run)
{
    struct unit_rows rows;
    char name[UNIT_PORT_NAME];

    rows_of(&rows, type, config);
    for (uint32_t i = 0u; i < 2u * rows.unit.n_port; i++) {
        const struct tied tied = { &rows.port[i / 2u], i % 2u != 0u };
        struct events events = { .n = 0u };
        if (tied.port->group == UNIT_IN) {
            run(config, &tied, cycles, seed, &events);
            if (events_missing(&events, enough) == 0u) {
                fail_msg("%s may stay %s, and nothing is missed",
                         unit_port_name(tied.port, name), tied.high ? "high" : "low");
            }
        }
    }
}
