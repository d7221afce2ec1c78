/* contract - what a golden model is asked in the lockstep; see contract.h. */

#include "lockstep/contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct contract {
    const struct unit *unit;
    void *events; /* the unit's struct of them */
};

struct contract *contract_open(const struct unit *unit)
{
    struct contract *const contract = calloc(1u, sizeof *contract);

    if (contract == NULL) {
        return NULL;
    }
    contract->unit = unit;
    contract->events = calloc(1u, unit->type->events_size);
    if (contract->events == NULL) {
        contract_close(contract);
        return NULL;
    }
    return contract;
}

void contract_close(struct contract *contract)
{
    if (contract != NULL) {
        free(contract->events);
        free(contract);
    }
}

void contract_cycle(struct contract *contract)
{
    const struct unit *const unit = contract->unit;

    if (unit->type->n_event > 0u) {
        unit->type->count(unit->model, unit->in, unit->out, contract->events);
    }
}

/* An event of all units together. False if it was never met and must be. */
static bool print_event(const struct contract *const *contracts, uint32_t n,
                        const struct unit_event *event, bool must)
{
    uint64_t times = 0u;
    uint32_t sizes = 0u;
    char name[UNIT_PORT_NAME];

    for (uint32_t i = 0u; i < n; i++) {
        const uint64_t met = unit_event_met(event, contracts[i]->events);
        times += met;
        sizes += met > 0u;
    }
    const bool missing = must && times == 0u;
    snprintf(name, sizeof name, "%s%s%s", event->part == NULL ? "" : event->part,
             event->part == NULL ? "" : ".", event->name);
    printf("%s %-24s %12" PRIu64 " times, at %" PRIu32 " of %" PRIu32 " sizes: %s\n",
           missing ? "NEVER MET" : "met   ", name, times, sizes, n, event->meaning);
    return !missing;
}

bool contract_print(const struct contract *const *contracts, uint32_t n, bool all)
{
    const struct unit_type *const type = contracts[0]->unit->type;
    bool good = true;

    for (uint32_t i = 0u; i < type->n_event; i++) {
        const struct unit_event event = unit_event(type, i);
        good = print_event(contracts, n, &event, all) && good;
    }
    return good;
}
