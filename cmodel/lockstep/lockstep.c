/* lockstep - golden models and RTL side by side; see lockstep.h. */

#include "lockstep/lockstep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lockstep/contract.h"
#include "lockstep/difference.h"
#include "lockstep/rtl.h"
#include "lockstep/stimulus.h"

enum {
    TURN = 8192,      /* cycles of an instance before the next one's turn */
    STRETCHED = 4,    /* one instance of so many has long stretches between resets ... */
    STRETCH = 100000, /* ... of so many cycles */
    PATH = 1024
};

/* One model with its RTL. */
struct instance {
    struct unit *model;
    struct rtl *rtl;
    struct stimulus *stimulus;
    struct contract *contract;
    const struct lockstep_options *options;
    uint64_t stretch;
    char library[PATH];
    uint64_t cycle;
    uint64_t last_reset; /* cycle of the last reset */
    bool broken;         /* a promise of the model is; it has been reported */
    double seconds;
};

/* ---- The first difference ------------------------------------------------------------ */

/* The inputs of an instance, for a model. */
static struct stimulus *open_inputs(const struct instance *instance, struct unit *model)
{
    struct stimulus *const stimulus =
        stimulus_open(model, instance->options->kind, instance->options->seed);

    if (stimulus != NULL) {
        stimulus_stretch(stimulus, instance->stretch);
    }
    return stimulus;
}

static void *again_open(void *self, struct unit *model)
{
    return open_inputs(self, model);
}

static bool again_next(void *inputs)
{
    return stimulus_next(inputs);
}

static void again_close(void *inputs)
{
    stimulus_close(inputs);
}

static void report(const struct instance *instance, uint32_t number)
{
    const struct lockstep_options *const options = instance->options;
    char origin[2 * PATH + 160];
    char resets[64] = "";
    char name[128];

    if (instance->stretch != 0u) {
        snprintf(resets, sizeof resets, ", resets %" PRIu64 " cycles apart", instance->stretch);
    }
    snprintf(origin, sizeof origin,
             "  instance   %" PRIu32 ", %s\n"
             "  rtl        %s\n"
             "  stimulus   %s, seed %" PRIu64 "%s\n",
             number, instance->library, rtl_source(instance->rtl), options->kind, options->seed,
             resets);
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
        .inputs = { (void *)instance, again_open, again_next, again_close },
    });
}

/* ---- Running ------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool instance_open(struct instance *instance, struct unit *model, uint64_t stretch,
                          const struct lockstep_options *options)
{
    *instance = (struct instance){ .model = model, .options = options, .stretch = stretch };
    instance->stimulus = open_inputs(instance, model);
    if (instance->stimulus == NULL) {
        fprintf(stderr, "no stimulus %s; there are: %s\n", options->kind, stimulus_kinds);
        return false;
    }
    instance->contract = contract_open(model, options->seed);
    if (instance->contract == NULL) {
        fputs("no memory for what a golden model promises\n", stderr);
        return false;
    }
    if (rtl_find(model, options->library, instance->library, PATH)) {
        instance->rtl = rtl_open(model, instance->library);
    }
    return instance->rtl != NULL;
}

static void instance_close(struct instance *instance)
{
    rtl_close(instance->rtl);
    contract_close(instance->contract);
    stimulus_close(instance->stimulus);
}

/* In the first cycle after the reset: whether any difference would be seen. */
static bool sees_all(struct instance *instance)
{
    const struct unit_port *const overlooked = rtl_overlooks(instance->rtl);

    if (overlooked != NULL) {
        fprintf(stderr, "%s: %s is not compared\n", instance->library, overlooked->name);
        instance->broken = true;
    }
    return overlooked == NULL;
}

/* Runs up to a cycle. False at a difference, or a broken promise, in instance->cycle. */
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
        if (instance->cycle == 1u && !sees_all(instance)) {
            return false;
        }
        if (!reset && !contract_cycle(instance->contract, instance->cycle)) {
            instance->broken = true;
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

/* What an instance has met. False if its directed sequence should have come to its end, and
 * has not. */
static bool summarize(const struct instance *instance)
{
    const struct lockstep_options *const options = instance->options;
    const struct stimulus_counts counts = stimulus_counts(instance->stimulus);
    const bool good = counts.directed > 0u || !options->complete
                      || !stimulus_has_sequence(instance->stimulus);
    char title[UNIT_TITLE];

    printf("%s %-56s %s, seed %" PRIu64 ", %" PRIu64 " cycles, %" PRIu64
           " resets, at most %" PRIu64 " cycles apart, %" PRIu64
           " directed sequences; RTL %s\n",
           good ? "equal " : "INCOMPLETE", unit_title(instance->model, title), options->kind,
           options->seed, instance->cycle, counts.resets, counts.longest + 1u, counts.directed,
           rtl_source(instance->rtl));
    fflush(stdout); /* what follows depends on the machine, so it goes elsewhere */
    fprintf(stderr, "%62s %.2f million cycles a second\n", "",
            1e-6 * (double)instance->cycle / instance->seconds);
    return good;
}

/* What the instances have met and kept together. 1 if not all that must be, 2 without memory.
 */
static int summarize_contracts(const struct instance *instances, uint32_t n)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const struct contract **const contracts = calloc(n, sizeof *contracts);

    if (contracts == NULL) {
        fputs("no memory for what was met\n", stderr);
        return 2;
    }
    for (uint32_t i = 0u; i < n; i++) {
        contracts[i] = instances[i].contract;
    }
    const bool good = contract_print(contracts, n, instances[0].options->complete);
    free(contracts);
    return good ? 0 : 1;
}

static int run_and_report(struct instance *instances, uint32_t n, uint64_t cycles)
{
    const uint32_t bad = run_all(instances, n, cycles);
    int status = 0;

    if (bad < n) {
        if (!instances[bad].broken) {
            report(&instances[bad], bad);
        }
        return 1;
    }
    for (uint32_t i = 0u; i < n; i++) {
        status |= !summarize(&instances[i]);
    }
    const int contracts = summarize_contracts(instances, n);
    return contracts == 2 ? 2 : status | contracts;
}

int lockstep_run(struct unit *const *units, uint32_t n, const struct lockstep_options *options)
{
    struct instance *const instances = calloc(n, sizeof *instances);
    uint32_t opened = 0u;
    int status = 2;

    for (bool good = instances != NULL; good && opened < n; opened += good) {
        const bool stretched = n >= STRETCHED && (opened + options->seed) % STRETCHED == 0u;
        const uint64_t stretch =
            options->stretch == 0u && stretched ? STRETCH : options->stretch;
        good = instance_open(&instances[opened], units[opened], stretch, options);
        if (!good) {
            instance_close(&instances[opened]);
        }
    }
    if (opened == n) {
        status = run_and_report(instances, n, options->cycles);
    }
    for (uint32_t i = 0u; i < opened; i++) {
        instance_close(&instances[i]);
    }
    free(instances);
    return status;
}
