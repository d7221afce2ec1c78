/* lockstep - golden models and RTL side by side; see lockstep.h. */

#include "lockstep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report.h"
#include "rtl.h"
#include "stimulus.h"
#include "vectors.h"

enum {
    SHOWN = 16,  /* cycles of inputs in a report, the differing one the last */
    AFTER = 4,   /* cycles of the waveform after it */
    TURN = 8192, /* cycles of an instance before the next one's turn */
    PATH = 512
};

/* One model with its RTL. */
struct instance {
    struct unit *model;
    struct rtl *rtl;
    struct stimulus *stimulus;
    char library[PATH];
    uint64_t cycle;
    uint64_t last_reset; /* cycle of the last reset */
    double seconds;
};

/* ---- One cycle ------------------------------------------------------------- */

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

/* ---- The first difference, once more ----------------------------------------- */

/* What a report leaves. */
struct traces {
    char wave[PATH];
    char vectors[PATH];
    char *inputs; /* the table of inputs */
    size_t size;
};

/* One run that repeats an instance's, on a model and RTL of its own. */
struct again {
    struct unit *model;
    struct rtl *rtl;
    struct stimulus *stimulus;
    uint64_t from; /* its RTL starts here, at a reset */
    uint64_t at;   /* and differs here */
};

static bool again_open(struct again *again, const struct instance *instance,
                       const struct lockstep_options *options)
{
    const char *const name = instance->model->type->name;
    char title[UNIT_TITLE];
    char why[UNIT_WHY];

    unit_title(instance->model, title);
    again->model = unit_open_text(name, title + strlen(name), why);
    if (again->model != NULL) {
        again->rtl = rtl_open(again->model, instance->library);
        again->stimulus = stimulus_open(again->model, options->kind, options->seed);
    }
    return again->rtl != NULL && again->stimulus != NULL;
}

static void again_close(struct again *again)
{
    rtl_close(again->rtl);
    stimulus_close(again->stimulus);
    unit_close(again->model);
}

/* Runs the model alone up to the reset at which the RTL joins. */
static void skip(struct again *again)
{
    for (uint64_t cycle = 0u; cycle < again->from; cycle++) {
        const bool reset = stimulus_next(again->stimulus);
        unit_eval(again->model);
        unit_edge(again->model, reset);
    }
}

/*
 * Runs both from the reset to a little after the difference, leaving traces. True if
 * the difference is there again. A unit that wrongly looks at what a memory held
 * before the reset needs more than this; the caller then starts at cycle 0.
 */
static bool repeat(struct again *again, struct traces *traces)
{
    struct unit *const model = again->model;
    const uint64_t shown =
        again->at - again->from < SHOWN ? again->from : again->at - SHOWN + 1u;
    struct vector_writer *const writer = vector_writer_open(model, traces->vectors);
    FILE *const table = open_memstream(&traces->inputs, &traces->size);
    bool found = false;
    bool waves = false;

    skip(again);
    report_input_names(table, model);
    for (uint64_t cycle = again->from; cycle <= again->at + AFTER; cycle++) {
        const bool reset = stimulus_next(again->stimulus);
        if (cycle == again->from) {
            model->type->init(model->model, model->config);
        }
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
    fclose(table);
    return writer != NULL && vector_writer_close(writer) && found;
}

/* False if the difference does not come again from this reset on. */
static bool explain(const struct instance *instance, uint64_t from,
                    const struct lockstep_options *options, struct traces *traces)
{
    struct again again = { .from = from, .at = instance->cycle };
    const bool found = again_open(&again, instance, options) && repeat(&again, traces);

    again_close(&again);
    return found;
}

static void name_traces(const struct instance *instance, const struct lockstep_options *options,
                        struct traces *traces)
{
    char name[UNIT_TITLE];

    unit_file_name(instance->model, name);
    mkdir(options->report, 0777);
    snprintf(traces->wave, PATH, "%s/%s-%s-%" PRIu64 ".fst", options->report, name,
             options->kind, options->seed);
    snprintf(traces->vectors, PATH, "%s/%s-%s-%" PRIu64 ".vec", options->report, name,
             options->kind, options->seed);
}

static void report(const struct instance *instance, uint32_t number,
                   const struct lockstep_options *options)
{
    struct unit_difference differences[REPORT_DIFFERENCES];
    struct traces traces = { .inputs = NULL };
    char title[UNIT_TITLE];
    uint64_t from = instance->last_reset;
    const uint32_t n = rtl_compare(instance->rtl, differences, REPORT_DIFFERENCES);

    printf("DIFFERENCE %s\n", unit_title(instance->model, title));
    printf("  instance   %" PRIu32 ", %s\n", number, instance->library);
    printf("  stimulus   %s, seed %" PRIu64 "\n", options->kind, options->seed);
    printf("  cycle      %" PRIu64 ", the last reset at cycle %" PRIu64 "\n\n", instance->cycle,
           from);
    report_differences(stdout, differences, n);

    name_traces(instance, options, &traces);
    if (!explain(instance, from, options, &traces)) {
        free(traces.inputs);
        traces.inputs = NULL;
        from = 0u;
        explain(instance, from, options, &traces);
    }
    printf("\n  inputs of the last %d cycles, hexadecimal\n%s\n", SHOWN,
           traces.inputs == NULL ? "  (none)\n" : traces.inputs);
    printf("  waveform   %s, one cycle is 10 time units\n", traces.wave);
    printf("  vectors    %s, from the reset at cycle %" PRIu64 "\n", traces.vectors, from);
    printf("  replay     %s replay --rtl=%s %s\n", options->program, instance->library,
           traces.vectors);
    free(traces.inputs);
}

/* ---- Running ------------------------------------------------------------------ */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool instance_open(struct instance *instance, struct unit *model,
                          const struct lockstep_options *options)
{
    *instance = (struct instance){
        .model = model,
        .stimulus = stimulus_open(model, options->kind, options->seed),
    };
    if (instance->stimulus == NULL) {
        fprintf(stderr, "no stimulus %s; there are: %s\n", options->kind, stimulus_kinds);
        return false;
    }
    if (options->library != NULL) {
        snprintf(instance->library, PATH, "%s", options->library);
    } else if (rtl_build(model, instance->library, PATH) == NULL) {
        return false;
    }
    instance->rtl = rtl_open(model, instance->library);
    return instance->rtl != NULL;
}

static void instance_close(struct instance *instance)
{
    rtl_close(instance->rtl);
    stimulus_close(instance->stimulus);
}

/* Runs up to a cycle. False at a difference, in instance->cycle. */
static bool run_to(struct instance *instance, uint64_t end)
{
    struct unit *const model = instance->model;

    for (; instance->cycle < end; instance->cycle++) {
        const bool reset = stimulus_next(instance->stimulus);
        both_eval(model, instance->rtl, reset);
        if (instance->cycle > 0u && !rtl_equal(instance->rtl)) {
            return false;
        }
        both_tick(model, instance->rtl, reset);
        if (reset) {
            instance->last_reset = instance->cycle;
        }
    }
    return true;
}

/* All instances, a turn each, until they are done or one differs: its number, or n. */
static uint32_t run_all(struct instance *instances, uint32_t n, uint64_t cycles)
{
    for (uint64_t done = 0u; done < cycles;) {
        done = cycles - done < TURN ? cycles : done + TURN;
        for (uint32_t i = 0u; i < n; i++) {
            const double start = now();
            const bool equal = run_to(&instances[i], done);
            instances[i].seconds += now() - start;
            if (!equal) {
                return i;
            }
        }
        if (isatty(STDERR_FILENO) && done / TURN % 64u == 0u) {
            fprintf(stderr, "\r%3.0f %% of %" PRIu64 " cycles ",
                    100.0 * (double)done / (double)cycles, cycles);
        }
    }
    return n;
}

static void summarize(const struct instance *instances, uint32_t n,
                      const struct lockstep_options *options)
{
    char title[UNIT_TITLE];

    for (uint32_t i = 0u; i < n; i++) {
        unit_title(instances[i].model, title);
        printf("equal  %-56s %s, seed %" PRIu64 ", %" PRIu64 " cycles\n", title, options->kind,
               options->seed, instances[i].cycle);
        fflush(stdout); /* what follows depends on the machine, so it goes elsewhere */
        fprintf(stderr, "%62s %.2f million cycles a second\n", "",
                1e-6 * (double)instances[i].cycle / instances[i].seconds);
    }
}

int lockstep_run(struct unit *const *units, uint32_t n, const struct lockstep_options *options)
{
    struct instance *const instances = calloc(n, sizeof *instances);
    uint32_t opened = 0u;
    int status = 2;

    while (instances != NULL && opened < n
           && instance_open(&instances[opened], units[opened], options)) {
        opened++;
    }
    if (opened == n) {
        const uint32_t bad = run_all(instances, n, options->cycles);
        status = bad < n;
        if (bad < n) {
            report(&instances[bad], bad, options);
        } else {
            summarize(instances, n, options);
        }
    } else if (instances != NULL) {
        instance_close(&instances[opened]);
    }
    for (uint32_t i = 0u; i < opened; i++) {
        instance_close(&instances[i]);
    }
    free(instances);
    return status;
}
