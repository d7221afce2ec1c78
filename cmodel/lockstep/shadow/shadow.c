/* shadow - RTL and vectors beside a model that runs somewhere else; see shadow.h. */

#include "lockstep/shadow/shadow.h"

#include <stdio.h>

#include "lockstep/shadow/shadow_parts.h"

/* ---- A cycle ------------------------------------------------------------------------- */

static void *record_in(struct record *record)
{
    return record + 1;
}

static bool drives(const struct shadow *shadow)
{
    return shadow->all->options.mode == SHADOW_DRIVES;
}

static void find_record(struct shadow *shadow)
{
    if (shadow->aside && shadow->record == NULL) {
        shadow->record = workers_place(shadow);
    }
}

/* The outputs in the record of this cycle. */
static void *record_out(struct shadow *shadow)
{
    find_record(shadow);
    return (char *)shadow->record + shadow->out_at;
}

void shadow_part(struct shadow *shadow, uint32_t part, const void *out)
{
    pair_parts_give(&shadow->pair.parts, part, record_out(shadow), out);
}

void shadow_eval(struct shadow *shadow, const void *in, void *out)
{
    const struct pair *const pair = &shadow->pair;

    find_record(shadow);
    if (out != NULL) {
        fields_pack(&pair->outputs, record_out(shadow), out);
    }
    fields_pack(&pair->inputs, record_in(shadow->record), in);
    if (drives(shadow)) {
        pair_eval(&shadow->pair, record_in(shadow->record));
        rtl_outputs(shadow->pair.rtl, out);
    }
}

/* The cycle that shadow_eval has evaluated. */
static void edge_of_driver(struct shadow *shadow, uint64_t where)
{
    const void *const out = (const char *)shadow->record + shadow->out_at;
    const enum pair_found found = shadow->done ? PAIR_EQUAL : pair_compare(&shadow->pair, out);

    if (found != PAIR_EQUAL) {
        shadow->pair.clock = where;
        shadow_note(shadow, found, where, out);
    }
    if (!shadow->done) {
        pair_edge(&shadow->pair, where);
        shadow->settled = rtl_settled(shadow->pair.rtl);
    }
}

static void edge_of_recorder(struct shadow *shadow, uint64_t where)
{
    pair_eval(&shadow->pair, record_in(shadow->record));
    vector_write(shadow->writer, false);
    pair_edge(&shadow->pair, where);
}

bool shadow_edge(struct shadow *shadow, uint64_t where)
{
    if (!is_wanted(shadow->all, where)) {
        return false;
    }
    shadow->record->where = where;
    if (shadow->aside) {
        shadow->record = NULL;
        if (ring_push(&shadow->ring)) {
            workers_publish(shadow);
        }
        return true;
    }
    if (shadow->writer != NULL) {
        edge_of_recorder(shadow, where);
    } else if (drives(shadow)) {
        edge_of_driver(shadow, where);
    } else {
        shadow_take(shadow, shadow->record);
    }
    return !shadow->done;
}

bool shadow_settled(const struct shadow *shadow)
{
    return !drives(shadow) || shadow->settled;
}

/* ---- What it is ---------------------------------------------------------------------- */

bool shadow_library_of(const char *unit, const void *config, char *text, size_t size)
{
    struct fault fault;
    struct unit *const opened = unit_open_config(unit, config, &fault);

    if (opened == NULL) {
        fprintf(stderr, "%s\n", fault_text(&fault));
        return false;
    }
    rtl_file_name(opened, text, size);
    unit_close(opened);
    return true;
}

const char *shadow_library(const struct shadow *shadow)
{
    return shadow->library;
}

const char *shadow_source(const struct shadow *shadow)
{
    return shadow->pair.rtl == NULL ? "" : rtl_source(shadow->pair.rtl);
}

bool shadow_alone(const struct shadow *shadow)
{
    return shadow->options.alone;
}

bool shadow_counts(const struct shadow *shadow)
{
    return shadow->pair.events != NULL;
}

void shadow_met(const struct shadow *shadow, void *events)
{
    const struct unit_type *const type = shadow->pair.unit->type;

    for (uint32_t i = 0u; shadow->pair.events != NULL && i < type->n_event; i++) {
        const struct unit_event event = unit_event(type, i);
        uint64_t *const all = (void *)((char *)events + event.offset);
        *all += unit_event_met(&event, shadow->pair.events);
    }
}

uint64_t shadow_cycles(const struct shadow *shadow)
{
    return shadow->pair.cycles;
}
