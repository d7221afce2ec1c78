/* pair - a golden twin and its RTL; see pair.h. */

#include "lockstep/shadow/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The outputs that were given, if they were, are the twin's. */
static bool agrees(const struct pair *pair, const void *out)
{
    return out == NULL
           || (fields_equal(&pair->outputs, out, pair->unit->out)
               && pair_parts_agree(&pair->parts, out));
}

/* ---- A cycle in steps ---------------------------------------------------------------- */

static void eval_twin(struct pair *pair)
{
    struct unit *const unit = pair->unit;

    if (pair->parts.n == 0u) {
        unit_eval(unit);
    } else {
        unit->type->eval_watched(unit->model, unit->in, unit->out, unit->next,
                                 &pair->parts.watch);
    }
}

static void eval(struct pair *pair, bool reset)
{
    eval_twin(pair);
    if (pair->rtl != NULL) {
        rtl_eval(pair->rtl, reset);
    }
}

void pair_eval(struct pair *pair, const void *in)
{
    fields_unpack(&pair->inputs, pair->unit->in, in);
    eval(pair, false);
}

enum pair_found pair_compare(struct pair *pair, const void *out)
{
    if (pair->history != NULL && !history_add(pair->history)) {
        return PAIR_LOST;
    }
    if (pair->rtl != NULL && !rtl_equal(pair->rtl)) {
        return PAIR_RTL;
    }
    return agrees(pair, out) ? PAIR_EQUAL : PAIR_MODEL;
}

void pair_edge(struct pair *pair, uint64_t clock)
{
    struct unit *const unit = pair->unit;

    if (pair->rtl != NULL) {
        rtl_tick(pair->rtl, false);
    }
    const bool settled = pair->rtl != NULL && rtl_says(pair->rtl) && rtl_held(pair->rtl)
                         && unit->type->holds(unit->model, unit->next);
    if (!settled) {
        unit_edge(unit, false);
    }
    pair->settled = settled && !pair->every;
    pair->clock = clock;
    pair->cycles++;
}

/* ---- All at once --------------------------------------------------------------------- */

static void count(struct pair *pair)
{
    const struct unit *const unit = pair->unit;

    if (pair->events != NULL) {
        unit->type->count(unit->model, unit->in, unit->out, pair->events);
    }
}

/* After eval. */
static enum pair_found finish_cycle(struct pair *pair, uint64_t clock, const void *out)
{
    const enum pair_found found = pair_compare(pair, out);

    if (found == PAIR_EQUAL) {
        count(pair);
        pair_edge(pair, clock);
    } else {
        pair->clock = clock;
    }
    return found;
}

/* The RTL, beside a twin whose edge changed nothing. The twin is asked by itself, since it may
 * have registers that the RTL does not have. */
static bool have_settled(const struct pair *pair)
{
    return rtl_settled(pair->rtl) && rtl_equal(pair->rtl);
}

/* The next cycle, with the inputs of the last one, beside RTL that does not say what an edge
 * has changed. Once nothing changes any more it is left out. Only where the twin's edge changes
 * nothing need the RTL be asked, which takes all that it holds before the edge and after. */
static enum pair_found step_on_unsaid(struct pair *pair, const void *out)
{
    struct unit *const unit = pair->unit;

    eval_twin(pair);
    const bool rests = unit->type->holds(unit->model, unit->next);
    if (rests && !pair->known) {
        (void)rtl_settled(pair->rtl);
    }
    rtl_eval_again(pair->rtl);
    const enum pair_found found = finish_cycle(pair, pair->clock + 1u, out);
    pair->settled = rests && found == PAIR_EQUAL && have_settled(pair) && !pair->every;
    pair->known = rests;
    return found;
}

static enum pair_found step_on(struct pair *pair, const void *out)
{
    if (!rtl_says(pair->rtl)) {
        return step_on_unsaid(pair, out);
    }
    eval_twin(pair);
    rtl_eval_again(pair->rtl);
    return finish_cycle(pair, pair->clock + 1u, out);
}

enum pair_found pair_hold(struct pair *pair, uint64_t clock)
{
    enum pair_found found = PAIR_EQUAL;

    if (pair->clock >= clock) {
        return PAIR_EQUAL;
    }
    while (pair->rtl != NULL && !pair->settled && pair->clock < clock && found == PAIR_EQUAL) {
        found = step_on(pair, NULL);
    }
    if (found == PAIR_EQUAL) {
        pair->clock = clock;
    }
    return found;
}

/* The cycle has the inputs of the last one. */
static enum pair_found take_same(struct pair *pair, const void *out)
{
    if (!pair->settled) {
        return step_on(pair, out);
    }
    pair->clock++;
    return agrees(pair, out) ? PAIR_EQUAL : PAIR_MODEL;
}

enum pair_found pair_take(struct pair *pair, uint64_t clock, const void *in, const void *out)
{
    if (clock > pair->clock + 1u) {
        const enum pair_found found = pair_hold(pair, clock - 1u);
        if (found != PAIR_EQUAL) {
            return found;
        }
    }
    if (pair->rtl != NULL && fields_equal(&pair->inputs, in, pair->unit->in)) {
        return take_same(pair, out);
    }
    fields_unpack(&pair->inputs, pair->unit->in, in);
    pair->known = false;
    eval(pair, false);
    return finish_cycle(pair, pair->clock + 1u, out);
}

/* ---- Open and close ------------------------------------------------------------------ */

bool pair_open(struct pair *pair, const char *unit, const void *config)
{
    struct fault fault;

    *pair = (struct pair){ .unit = unit_open_config(unit, config, &fault) };
    if (pair->unit == NULL) {
        fprintf(stderr, "%s\n", fault_text(&fault));
        return false;
    }
    if (!fields_find(&pair->inputs, pair->unit, UNIT_IN)
        || !fields_find(&pair->outputs, pair->unit, UNIT_OUT)) {
        fputs("no memory for a unit\n", stderr);
        return false;
    }
    pair->out_bytes = pair->outputs.packed;
    return true;
}

bool pair_open_parts(struct pair *pair)
{
    const bool opened = pair_parts_open(&pair->parts, pair->unit, &pair->out_bytes);

    if (!opened) {
        fputs("no memory for the parts of a unit\n", stderr);
    }
    return opened;
}

bool pair_load(struct pair *pair, const char *library)
{
    pair->rtl = rtl_open_parts(pair->unit, library, pair->parts.shown, pair->parts.n);
    return pair->rtl != NULL;
}

bool pair_count(struct pair *pair)
{
    pair->events = calloc(1u, pair->unit->type->events_size);
    if (pair->events == NULL) {
        fputs("no memory for a unit's events\n", stderr);
    }
    return pair->events != NULL;
}

bool pair_reset(struct pair *pair, bool keep_history)
{
    if (keep_history) {
        pair->history = history_open(pair->unit);
        if (pair->history == NULL || !history_add(pair->history)) {
            fputs("no memory for the inputs of a report\n", stderr);
            return false;
        }
    }
    eval(pair, true);
    if (pair->rtl != NULL) {
        rtl_tick(pair->rtl, true);
    }
    pair->cycles = 1u;
    return true;
}

void pair_close(struct pair *pair)
{
    rtl_close(pair->rtl);
    history_close(pair->history);
    fields_free(&pair->inputs);
    fields_free(&pair->outputs);
    pair_parts_close(&pair->parts);
    free(pair->events);
    unit_close(pair->unit);
    *pair = (struct pair){ .unit = NULL };
}
