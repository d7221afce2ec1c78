/* contract - what a golden model is asked in the lockstep; see contract.h. */

#include "lockstep/contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "lockstep/report.h"

enum {
    SELDOM = 256, /* advance is tried in one of so many cycles ... */
    FAR = 64      /* ... over fewer edges than this */
};

struct contract {
    const struct unit *unit;
    void *events; /* the unit's struct of them */
    uint64_t random;
    uint64_t quiet;    /* cycles in which it said that nothing changes */
    uint64_t advances; /* how often it was to advance */
    void *stepped;     /* copies of the model: one makes single steps ... */
    void *advanced;    /* ... and the other all at once */
    void *out, *next;
};

/* ---- Open and close ------------------------------------------------------------------ */

struct contract *contract_open(const struct unit *unit, uint64_t seed)
{
    const struct unit_type *const type = unit->type;
    struct contract *const contract = calloc(1u, sizeof *contract);

    if (contract == NULL) {
        return NULL;
    }
    *contract = (struct contract){
        .unit = unit,
        .events = calloc(1u, type->events_size),
        .random = seed,
        .stepped = malloc(type->size),
        .advanced = malloc(type->size),
        .out = calloc(1u, type->group_size[UNIT_OUT]),
        .next = malloc(type->next_size),
    };
    if (contract->events == NULL || contract->stepped == NULL || contract->advanced == NULL
        || contract->out == NULL || contract->next == NULL) {
        contract_close(contract);
        return NULL;
    }
    return contract;
}

void contract_close(struct contract *contract)
{
    if (contract != NULL) {
        free(contract->events);
        free(contract->stepped);
        free(contract->advanced);
        free(contract->out);
        free(contract->next);
        free(contract);
    }
}

/* ---- Promises ------------------------------------------------------------------------ */

/* Registers and memories that differ between two models of the unit's type. */
static uint32_t compare(const struct unit *unit, const void *expected, const void *got,
                        struct unit_difference *differences)
{
    const size_t at[UNIT_GROUPS] = {
        [UNIT_REG] = unit->type->state_at, [UNIT_MEM] = unit->type->memory_at
    };
    uint32_t n = 0u;

    for (enum unit_group g = UNIT_REG; g <= UNIT_MEM; g++) {
        n += unit_compare(unit, g, (const char *)expected + at[g], (const char *)got + at[g],
                          differences + n, REPORT_DIFFERENCES - n);
    }
    return n;
}

/* What is broken, and what that has changed. */
static void report(const struct contract *contract, uint64_t cycle, const char *promise,
                   const void *expected, const void *got)
{
    const struct unit *const unit = contract->unit;
    struct unit_difference differences[REPORT_DIFFERENCES];
    char title[UNIT_TITLE];

    printf("BROKEN PROMISE %s, golden model\n"
           "  promise    %s\n"
           "  cycle      %" PRIu64 "\n\n",
           unit_title(unit, title), promise, cycle);
    report_differences(stdout, differences, compare(unit, expected, got, differences));
    printf("\n  inputs, hexadecimal\n");
    report_input_names(stdout, unit);
    report_inputs(stdout, unit, cycle, false);
}

static bool quiet_is_kept(struct contract *contract, uint64_t cycle)
{
    const struct unit *const unit = contract->unit;
    const struct unit_type *const type = unit->type;

    if (!type->quiet(unit->model, unit->in)) {
        return true;
    }
    contract->quiet++;
    if (type->holds(unit->model, unit->next)) {
        return true;
    }
    memcpy(contract->stepped, unit->model, type->size);
    type->tick(contract->stepped, unit->next);
    report(contract, cycle, "quiet says that nothing changes", unit->model, contract->stepped);
    return false;
}

static bool advance_is_kept(struct contract *contract, uint64_t cycle)
{
    const struct unit *const unit = contract->unit;
    const struct unit_type *const type = unit->type;
    const uint32_t far = random_below(&contract->random, FAR) + 1u;
    /* Few are the likelier ones; none is one more. */
    const uint32_t n = random_below(&contract->random, far);
    struct unit_difference differences[REPORT_DIFFERENCES];
    char promise[64];

    contract->advances += n != 0u;
    memcpy(contract->stepped, unit->model, type->size);
    memcpy(contract->advanced, unit->model, type->size);
    for (uint32_t i = 0u; i < n; i++) {
        type->eval(contract->stepped, unit->in, contract->out, contract->next);
        type->tick(contract->stepped, contract->next);
    }
    type->advance(contract->advanced, unit->in, n);
    if (compare(unit, contract->stepped, contract->advanced, differences) == 0u) {
        return true;
    }
    snprintf(promise, sizeof promise, "advance makes %" PRIu32 " edges at once", n);
    report(contract, cycle, promise, contract->stepped, contract->advanced);
    return false;
}

bool contract_cycle(struct contract *contract, uint64_t cycle)
{
    const struct unit *const unit = contract->unit;
    const struct unit_type *const type = unit->type;

    if (type->n_event > 0u) {
        type->count(unit->model, unit->in, unit->out, contract->events);
    }
    if (type->quiet != NULL && !quiet_is_kept(contract, cycle)) {
        return false;
    }
    return type->advance == NULL || random_below(&contract->random, SELDOM) != 0u
           || advance_is_kept(contract, cycle);
}

/* ---- What there has been ------------------------------------------------------------- */

/* Something that was met, or kept, in so many cycles of each of n units. */
struct tally {
    const char *word;
    const char *name;
    const char *meaning;
    uint64_t times;
    uint32_t sizes;
};

static void add(struct tally *tally, uint64_t times)
{
    tally->times += times;
    tally->sizes += times > 0u;
}

/* False if there never was what must be. */
static bool print(const struct tally *tally, uint32_t n, bool must)
{
    const bool missing = must && tally->times == 0u;

    printf("%s%-6s %-24s %12" PRIu64 " times, at %" PRIu32 " of %" PRIu32 " sizes: %s\n",
           missing ? "NEVER " : "", tally->word, tally->name, tally->times, tally->sizes, n,
           tally->meaning);
    return !missing;
}

static bool print_event(const struct contract *const *contracts, uint32_t n,
                        const struct unit_event *event, bool must)
{
    char name[UNIT_PORT_NAME];
    struct tally tally = { .word = "met", .name = name, .meaning = event->meaning };

    snprintf(name, sizeof name, "%s%s%s", event->part == NULL ? "" : event->part,
             event->part == NULL ? "" : ".", event->name);
    for (uint32_t i = 0u; i < n; i++) {
        add(&tally, unit_event_met(event, contracts[i]->events));
    }
    return print(&tally, n, must);
}

bool contract_print(const struct contract *const *contracts, uint32_t n, bool all)
{
    const struct unit_type *const type = contracts[0]->unit->type;
    struct tally quiet = { "kept", "quiet", "said that nothing changes", 0u, 0u };
    struct tally advance = { "kept", "advance", "edges made at once", 0u, 0u };
    bool good = true;

    for (uint32_t i = 0u; i < type->n_event; i++) {
        const struct unit_event event = unit_event(type, i);
        good = print_event(contracts, n, &event, all) && good;
    }
    for (uint32_t i = 0u; i < n; i++) {
        add(&quiet, contracts[i]->quiet);
        add(&advance, contracts[i]->advances);
    }
    good = (type->quiet == NULL || print(&quiet, n, all)) && good;
    return (type->advance == NULL || print(&advance, n, all)) && good;
}
