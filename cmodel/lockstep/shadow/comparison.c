/* comparison - a shadow's cycles on the thread that compares them, and the report of a
 * difference; see shadow.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/output_file.h"
#include "lockstep/difference.h"
#include "lockstep/report.h"
#include "lockstep/shadow/shadow_parts.h"

/* ---- Reports ------------------------------------------------------------------------- */

static void report_rtl(const struct shadow *shadow, uint64_t where)
{
    const struct shadows_options *const options = &shadow->all->options;
    const struct pair *const pair = &shadow->pair;
    char *origin = NULL;
    size_t size;
    FILE *const text = open_memstream(&origin, &size);

    if (text != NULL) {
        fprintf(text, "  library    %s\n  rtl        %s\n  %s, cycle %" PRIu64 "\n",
                shadow->library, rtl_source(pair->rtl), options->origin, where);
        (void)output_text_close(text, &origin);
    }
    difference_report(&(struct difference){
        .model = pair->unit,
        .rtl = pair->rtl,
        .library = shadow->library,
        .origin = origin != NULL ? origin : "  no memory to say where\n",
        .name = options->name,
        .cycle = pair->cycles,
        .last_reset = 0u,
        .folder = options->folder,
        .program = options->program,
        .inputs = history_inputs(pair->history),
    });
    free(origin);
}

/* The RTL is as the twin, but the model that runs is not. */
static void report_model(const struct shadow *shadow, uint64_t where, const void *out)
{
    const struct unit *const unit = shadow->pair.unit;
    struct unit_difference found[REPORT_DIFFERENCES];
    char title[UNIT_TITLE];
    uint32_t n = fields_compare(&shadow->pair.outputs, unit, out, found, REPORT_DIFFERENCES);

    if (n < REPORT_DIFFERENCES) {
        n += pair_parts_compare(&shadow->pair.parts, out, found + n, REPORT_DIFFERENCES - n);
    }

    printf("DIFFERENCE %s\n", unit_title(unit, title));
    printf("  model      of the run, against another with the same inputs\n");
    printf("  %s, cycle %" PRIu64 "\n\n", shadow->all->options.origin, where);
    report_differences(stdout, found, n < REPORT_DIFFERENCES ? n : REPORT_DIFFERENCES);
}

/* ---- Comparison ---------------------------------------------------------------------- */

static void lower(_Atomic uint64_t *bound, uint64_t where)
{
    uint64_t old = atomic_load(bound);

    while (where < old && !atomic_compare_exchange_weak(bound, &old, where)) {
    }
}

void shadow_note(struct shadow *shadow, enum pair_found found, uint64_t where, const void *out)
{
    const uint64_t clock =
        shadow->pair.clock; /* before `where`, in a cycle that was left out */

    shadow->found = found;
    shadow->where = clock < where ? clock : where;
    shadow->done = true;
    lower(&shadow->all->bound, shadow->where);
    if (shadow->options.report && found == PAIR_RTL) {
        shadow->all->reported = true;
        report_rtl(shadow, shadow->where);
    } else if (shadow->options.report && found == PAIR_MODEL) {
        shadow->all->reported = true;
        report_model(shadow, shadow->where, out);
    }
}

void shadow_take(struct shadow *shadow, const struct record *record)
{
    const char *const in = (const char *)(record + 1);
    const void *const out =
        shadow->options.alone ? NULL : (const char *)record + shadow->out_at;

    if (shadow->done || shadow->all->reported) {
        return;
    }
    if (!is_wanted(shadow->all, record->where)) {
        shadow_finish(shadow, record->where - 1u);
        return;
    }
    const enum pair_found found = pair_take(&shadow->pair, record->where, in, out);
    if (found != PAIR_EQUAL) {
        shadow_note(shadow, found, record->where, out);
    }
}

void shadow_finish(struct shadow *shadow, uint64_t end)
{
    const uint64_t bound = atomic_load(&shadow->all->bound);
    const uint64_t last = end < bound ? end : bound;
    const bool over = shadow->done || shadow->all->reported;
    const enum pair_found found = over ? PAIR_EQUAL : pair_hold(&shadow->pair, last);

    if (found != PAIR_EQUAL) {
        shadow_note(shadow, found, last, NULL);
    }
    shadow->done = true;
}
