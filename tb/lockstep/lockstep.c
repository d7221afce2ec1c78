/* lockstep - golden models and RTL side by side; see lockstep.h. */

#include "lockstep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "difference.h"
#include "rtl.h"
#include "stimulus.h"

enum {
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

/* ---- The first difference -------------------------------------------------------- */

static void *again_open(void *self, struct unit *model)
{
    const struct lockstep_options *const options = self;
    return stimulus_open(model, options->kind, options->seed);
}

static bool again_next(void *inputs)
{
    return stimulus_next(inputs);
}

static void again_close(void *inputs)
{
    stimulus_close(inputs);
}

static void report(const struct instance *instance, uint32_t number,
                   const struct lockstep_options *options)
{
    char origin[PATH + 128];
    char name[128];

    snprintf(origin, sizeof origin,
             "  instance   %" PRIu32 ", %s\n"
             "  stimulus   %s, seed %" PRIu64 "\n",
             number, instance->library, options->kind, options->seed);
    snprintf(name, sizeof name, "%s-%" PRIu64, options->kind, options->seed);
    difference_report(&(struct difference){
        .model = instance->model,
        .rtl = instance->rtl,
        .library = instance->library,
        .origin = origin,
        .name = name,
        .cycle = instance->cycle,
        .last_reset = instance->last_reset,
        .folder = options->report,
        .program = options->program,
        .inputs = { (void *)options, again_open, again_next, again_close },
    });
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
        unit_eval(model);
        rtl_eval(instance->rtl, reset);
        if (instance->cycle > 0u && !rtl_equal(instance->rtl)) {
            return false;
        }
        rtl_tick(instance->rtl, reset);
        unit_edge(model, reset);
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
