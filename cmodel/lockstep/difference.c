/* difference - what is told of the first difference between a model and its RTL; see
 * difference.h. */

#include "lockstep/difference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output_file.h"
#include "lockstep/report.h"
#include "lockstep/vectors.h"

enum {
    SHOWN = 16, /* cycles of inputs in a report, the differing one the last */
    AFTER = 4,  /* cycles of the waveform after it */
    PATH = 512
};

/* ---- One cycle ----------------------------------------------------------------------- */

/* Both settle under the inputs in model->in. */
static void both_eval(struct unit *model, struct rtl *rtl, bool reset)
{
    unit_eval(model);
    rtl_eval(rtl, reset);
}

static void both_tick(struct unit *model, struct rtl *rtl, bool reset)
{
    rtl_tick(rtl, reset);
    unit_edge(model, reset);
}

/* ---- Once more ----------------------------------------------------------------------- */

/* What a report leaves. */
struct traces {
    char wave[PATH];
    char vectors[PATH];
    char *inputs; /* the table of inputs */
    size_t size;
};

/*
 * One run that repeats an instance's. The inputs have a unit of their own, which nothing else
 * evaluates or resets: they may depend on all that it holds, and must come out as they did the
 * first time. What is shown is another model, with an RTL.
 */
struct again {
    struct unit *source; /* of the inputs, from cycle 0 on */
    void *inputs;
    struct unit *model; /* these start at cycle `from`, a reset ... */
    struct rtl *rtl;
    uint64_t from;
    uint64_t at; /* ... and differ here */
};

/* A unit with the parameters of another. */
static struct unit *open_like(const struct unit *unit)
{
    struct fault fault;

    return unit_open_config(unit->type->name, unit->config, &fault);
}

static bool again_open(struct again *again, const struct difference *difference)
{
    again->source = open_like(difference->model);
    again->model = open_like(difference->model);
    if (again->source != NULL && again->model != NULL) {
        again->rtl = rtl_open(again->model, difference->library);
        again->inputs = difference->inputs.open(difference->inputs.self, again->source);
    }
    return again->rtl != NULL && again->inputs != NULL;
}

static void again_close(struct again *again, const struct difference *difference)
{
    rtl_close(again->rtl);
    if (again->inputs != NULL) {
        difference->inputs.close(again->inputs);
    }
    unit_close(again->model);
    unit_close(again->source);
}

/* The inputs of the next cycle, into the model's. True: it is a reset. */
static bool next_inputs(const struct again *again, const struct difference *difference)
{
    struct unit *const source = again->source;
    const bool reset = difference->inputs.next(again->inputs);

    memcpy(again->model->in, source->in, source->type->group_size[UNIT_IN]);
    unit_eval(source);
    unit_edge(source, reset);
    return reset;
}

/*
 * Runs both from the reset to a little after the difference, leaving traces. True if
 * the difference is there again. A unit that wrongly looks at what a memory held
 * before the reset needs more than this; the caller then starts at cycle 0.
 */
static bool repeat(struct again *again, const struct difference *difference,
                   struct traces *traces)
{
    struct unit *const model = again->model;
    const uint64_t shown =
        again->at - again->from < SHOWN ? again->from : again->at - SHOWN + 1u;
    struct vector_writer *const writer = vector_writer_open(model, traces->vectors);
    FILE *const table = open_memstream(&traces->inputs, &traces->size);
    bool found = false;
    bool waves = false;

    if (table == NULL) {
        if (writer != NULL) {
            vector_writer_abandon(writer);
        }
        return false;
    }
    for (uint64_t cycle = 0u; cycle < again->from; cycle++) {
        (void)next_inputs(again, difference);
    }
    report_input_names(table, model);
    for (uint64_t cycle = again->from; cycle <= again->at + AFTER; cycle++) {
        const bool reset = next_inputs(again, difference);
        if (cycle == shown) {
            waves = rtl_trace(again->rtl, traces->wave);
        }
        both_eval(model, again->rtl, reset);
        if (cycle >= shown && cycle <= again->at) {
            report_inputs(table, model, cycle, reset);
        }
        if (writer != NULL) {
            vector_write(writer, reset);
        }
        found = found || (cycle == again->at && !rtl_equal(again->rtl));
        if (waves) {
            rtl_dump(again->rtl, 10u * cycle);
        }
        both_tick(model, again->rtl, reset);
        if (waves) {
            unit_eval(model); /* outputs follow the edge, as the RTL's have */
            rtl_dump(again->rtl, 10u * cycle + 5u);
        }
    }
    found = output_text_close(table, &traces->inputs) && found;
    return writer != NULL && vector_writer_close(writer) && found;
}

/* False if the difference does not come again from this reset on. */
static bool explain(const struct difference *difference, uint64_t from, struct traces *traces)
{
    struct again again = { .from = from, .at = difference->cycle };
    const bool found = again_open(&again, difference) && repeat(&again, difference, traces);

    again_close(&again, difference);
    return found;
}

/* ---- The report ---------------------------------------------------------------------- */

static void name_traces(const struct difference *difference, struct traces *traces)
{
    char name[UNIT_TITLE];

    unit_file_name(difference->model, name);
    mkdir(difference->folder, 0777);
    snprintf(traces->wave, PATH, "%s/%s-%s.fst", difference->folder, name, difference->name);
    snprintf(traces->vectors, PATH, "%s/%s-%s.vec", difference->folder, name, difference->name);
}

void difference_report(const struct difference *difference)
{
    struct unit_difference found[REPORT_DIFFERENCES];
    struct traces traces = { .inputs = NULL };
    char title[UNIT_TITLE];
    uint64_t from = difference->last_reset;
    const uint32_t n = rtl_compare(difference->rtl, found, REPORT_DIFFERENCES);

    printf("DIFFERENCE %s\n", unit_title(difference->model, title));
    printf("%s", difference->origin);
    printf("  cycle      %" PRIu64 ", the last reset at cycle %" PRIu64 "\n\n",
           difference->cycle, from);
    report_differences(stdout, found, n);

    name_traces(difference, &traces);
    if (!explain(difference, from, &traces)) {
        free(traces.inputs);
        traces.inputs = NULL;
        from = 0u;
        explain(difference, from, &traces);
    }
    printf("\n  inputs of the last %d cycles, hexadecimal\n%s\n", SHOWN,
           traces.inputs == NULL ? "  (none)\n" : traces.inputs);
    printf("  waveform   %s, one cycle is 10 time units\n", traces.wave);
    printf("  vectors    %s, from the reset at cycle %" PRIu64 "\n", traces.vectors, from);
    printf("  replay     %s replay --rtl=%s %s\n", difference->program, difference->library,
           traces.vectors);
    free(traces.inputs);
}
