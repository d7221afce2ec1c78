/* dispatch_stimulus - what the tests of the stimulus of the dispatch units share; see
 * dispatch_stimulus.h. */

#include "tb/units/dispatch_stimulus.h"

void note_happened(struct events *events, uint32_t event, const char *name, bool possible,
                   bool happened)
{
    assert_in_range(event, 0, MOST_EVENTS - 1);
    events->name[event] = name;
    events->expected[event] = possible;
    events->count[event] += happened;
}

void run_stimulus(const char *type, const char *params, uint32_t cycles, void (*tie)(void *in),
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

uint32_t missing(const struct events *events, const char *params)
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

uint32_t count_of(const struct events *events, const char *name)
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

uint32_t short_cluster(const struct cta_scheduler_config *config)
{
    return config->n_sm % cluster_size(config);
}

uint32_t pool_of_cta(const struct cta_scheduler *unit, uint32_t slot, uint32_t cta)
{
    uint32_t pool = 0u;

    while (pool < unit->config.n_cluster
           && (unit->mem.left[pool_at(unit, slot, pool)] == 0u
               || unit->mem.next[pool_at(unit, slot, pool)] != cta)) {
        pool++;
    }
    return pool;
}

uint64_t left_of_slot(const struct cta_scheduler *unit, uint32_t slot)
{
    uint64_t left = 0u;

    for (uint32_t pool = 0u; pool < unit->config.n_cluster; pool++) {
        left += unit->mem.left[pool_at(unit, slot, pool)];
    }
    return left;
}
