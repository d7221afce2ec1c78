/*
 * workload_several - several programs on one GPU at once: "a+b". They share a context, whose
 * memory their buffers lie in side by side, and each has streams of its own.
 *
 * Host code of a CUDA workload waits for its kernels wherever it copies from the device. So
 * that each waits for its own alone, each program has a thread. One of them runs at a time, and
 * who comes next depends on nothing but the GPU: all that can go on have their turn, in the
 * order in which they are given, and when all wait the GPU runs to the end of a kernel.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/workload/workload_kind.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

enum {
    MOST_PROGRAMS = WORKLOAD_PROGRAMS,
    SAID = 1024,
    REGIONS_OF_ALL = 32,
    NOBODY = MOST_PROGRAMS
};
/* Regions of described kernels, 256 MiB each; those of CUDA programs lie below them. */
#define REGION (UINT64_C(1) << 28)

struct several;

struct member {
    struct several *all;
    struct workload workload;
    struct workload_outcome outcome;
    struct workload_program program; /* what is told of it */
    struct fault fault;
    pthread_t thread;
    bool started, waits, over, refused;
};

struct several {
    struct member member[MOST_PROGRAMS];
    uint32_t n;
    struct workload_machine machine; /* of the members */
    struct gsp_turns turns;
    const struct workload_machine *given;
    struct gsp_context *context;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t turn;    /* of a member; NOBODY's is that of the thread that runs the GPU */
    uint32_t current; /* who launches */
    enum gpu_end end; /* of the GPU's last run */
    uint8_t *owner;   /* of each kernel, in the order of launches */
    uint32_t n_launched, room;
    bool lost; /* no memory for that */
    char said[SAID];
};

/* ---- Turns --------------------------------------------------------------------------- */

static void pass_turn(struct several *s, uint32_t to, uint32_t until)
{
    pthread_mutex_lock(&s->lock);
    s->turn = to;
    pthread_cond_broadcast(&s->changed);
    while (s->turn != until) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

static bool has_kernels(const struct several *s, uint32_t member)
{
    const struct gpu *const gpu = gsp_gpu(s->context);

    for (uint32_t k = s->n_launched; k > 0u; k--) {
        if (s->owner[k - 1u] == member && !gpu_has_ended(gpu, k - 1u)) {
            return true;
        }
    }
    return false;
}

static enum gpu_end wait_for_own(void *self, struct gpu *gpu)
{
    struct several *const s = self;
    const uint32_t me = s->current;

    (void)gpu;
    if (s->end == GPU_DONE && has_kernels(s, me)) {
        s->member[me].waits = true;
        pass_turn(s, NOBODY, me);
    }
    return s->end;
}

static uint32_t stream_of(void *self, uint32_t stream)
{
    const struct several *const s = self;

    return stream * s->n + s->current;
}

/* A kernel may launch one while another program has its turn; but the stream is its own
 * program's (stream_of). */
static void note_launch(void *self, const struct kernel_shape *shape, uint32_t stream,
                        const struct gpu_child *child)
{
    struct several *const s = self;
    const uint32_t by = gsp_gpu(s->context) == NULL ? s->current : stream % s->n;

    if (s->lost) {
        return;
    }
    if (s->n_launched == s->room) {
        const uint32_t room = s->room == 0u ? 64u : 2u * s->room;
        uint8_t *const owner = realloc(s->owner, room);
        s->lost = owner == NULL;
        if (s->lost) {
            s->end = GPU_STOPPED;
            return;
        }
        s->owner = owner;
        s->room = room;
    }
    s->owner[s->n_launched++] = (uint8_t)by;
    s->member[by].program.launches++;
    if (s->given->launched != NULL) {
        s->given->launched(s->given->launched_self, shape, stream, child);
    }
}

/* ---- Programs ------------------------------------------------------------------------ */

static void *run_member(void *self)
{
    struct member *const member = self;
    struct several *const s = member->all;
    const uint32_t me = (uint32_t)(member - s->member);

    pthread_mutex_lock(&s->lock);
    while (s->turn != me) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    member->refused = !workload_run(&member->workload, &member->outcome, &member->fault);
    member->over = true;
    pthread_mutex_lock(&s->lock);
    s->turn = NOBODY;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Each that can go on has its turn. Returns whether there are some that wait. */
static bool take_turns(struct several *s)
{
    bool waiting = false;

    for (uint32_t i = 0u; i < s->n; i++) {
        struct member *const member = &s->member[i];
        if (!member->over && (!member->waits || s->end != GPU_DONE || !has_kernels(s, i))) {
            member->waits = false;
            s->current = i;
            pass_turn(s, i, NOBODY);
        }
        waiting = waiting || !member->over;
    }
    return waiting;
}

static bool start_threads(struct several *s, struct fault *fault)
{
    for (uint32_t i = 0u; i < s->n; i++) {
        struct member *const member = &s->member[i];
        member->started = pthread_create(&member->thread, NULL, run_member, member) == 0;
        if (!member->started) {
            member->over = true;
            s->end = GPU_STOPPED; /* the others end at their first wait */
            fault_surroundings(fault, "no thread for %.200s", member->workload.name);
        }
    }
    return s->end == GPU_DONE;
}

/* The GPU runs while all wait, and at last until nothing is on its way. */
static bool run_threads(struct several *s, struct fault *fault)
{
    struct gpu *const gpu = gsp_gpu(s->context);
    const bool good = start_threads(s, fault);

    while (take_turns(s)) {
        if (s->end == GPU_DONE) {
            s->end = gpu_run_to_end_of_kernel(gpu);
        }
    }
    for (uint32_t i = 0u; i < s->n; i++) {
        if (s->member[i].started) {
            pthread_join(s->member[i].thread, NULL);
        }
    }
    if (s->end == GPU_DONE) {
        s->end = gpu_run(gpu);
    }
    return good;
}

/* ---- Loading ------------------------------------------------------------------------- */

static bool load_member(struct several *s, const char name[WORKLOAD_FILE],
                        const struct workload_choice *choice, const struct gpu_config *config,
                        struct fault *fault)
{
    struct workload_choice one = *choice;

    if (name[0] == '\0') {
        return fault_set(fault, "%.200s: a + stands between two workloads", choice->name);
    }
    if (strlen(name) == WORKLOAD_FILE - 1u) {
        return fault_set(fault, "%.40s...: the path is too long", name);
    }
    if (s->n == MOST_PROGRAMS) {
        return fault_set(fault, "%.200s: at most %d workloads at once", choice->name,
                         MOST_PROGRAMS);
    }
    struct member *const member = &s->member[s->n];
    one.name = name;
    one.several = false;
    one.size_given = one.size_given && cuda_workload_named(name) != NULL;
    if (!workload_load(&member->workload, &one, config, fault)) {
        return false;
    }
    member->all = s;
    member->program.name = member->workload.name;
    snprintf(member->program.given, sizeof member->program.given, "%s", name);
    member->program.size = member->workload.size;
    s->n++;
    return true;
}

static void release(void *self);

static void *load(struct workload *workload, const struct workload_choice *choice,
                  const struct gpu_config *config, struct fault *fault)
{
    struct several *const s = calloc(1u, sizeof *s);
    const char *rest = choice->name;
    char name[WORKLOAD_FILE];
    bool sized = false;

    if (s == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->turn = NOBODY;
    while (workload_next(&rest, name)) {
        if (!load_member(s, name, choice, config, fault)) {
            release(s);
            return NULL;
        }
        sized = sized || s->member[s->n - 1u].workload.size != NULL;
    }
    if (choice->size_given && !sized) {
        fault_set(fault, "%.200s: described kernels have no --size", choice->name);
        release(s);
        return NULL;
    }
    workload->size = sized ? workload_size_name(choice->size) : NULL;
    return s;
}

/* ---- Opening ------------------------------------------------------------------------- */

/* Regions of described kernels, from the last one down; *first is the first in use. */
static bool place_regions(struct several *s, uint32_t *first, struct fault *fault)
{
    bool others = false;

    *first = REGIONS_OF_ALL;
    for (uint32_t i = 0u; i < s->n; i++) {
        const uint32_t regions = workload_regions(&s->member[i].workload);
        others = others || s->member[i].workload.kind == &workload_cuda;
        if (regions > *first) {
            return fault_set(fault,
                             "%.200s: together with those before it its kernels name "
                             "more than %d regions",
                             s->member[i].workload.name, REGIONS_OF_ALL);
        }
        *first -= regions;
        s->member[i].program.first_region = *first;
    }
    if (others && *first < REGIONS_OF_ALL / 2u) {
        return fault_set(fault,
                         "described kernels name %u regions; beside a CUDA workload %d are "
                         "allowed",
                         REGIONS_OF_ALL - *first, REGIONS_OF_ALL / 2);
    }
    return true;
}

static bool open_all(void *self, const struct workload_machine *machine, struct fault *fault)
{
    struct several *const s = self;
    const bool timed = machine->config != NULL;
    uint32_t first;

    s->given = machine;
    s->machine = *machine;
    s->turns = (struct gsp_turns){ s, wait_for_own, stream_of };
    if (timed) {
        s->machine.turns = &s->turns;
        s->machine.launched = note_launch;
        s->machine.launched_self = s;
    }
    if (!place_regions(s, &first, fault)) {
        return false;
    }
    /* Half of what lies below the regions: gaps between allocations are not counted. */
    s->machine.memory = first < REGIONS_OF_ALL ? first * REGION / 2u : 0u;
    if (!workload_open_context(&s->context, &s->machine, fault)) {
        return false;
    }
    s->machine.context = s->context;
    for (uint32_t i = 0u; i < s->n; i++) {
        s->current = i;
        s->machine.first_region = s->member[i].program.first_region;
        if (!workload_open(&s->member[i].workload, &s->machine, fault)) {
            return false;
        }
    }
    return true;
}

/* ---- Running ------------------------------------------------------------------------- */

/* The cycle after the last of a program's kernels. */
static void measure(struct several *s)
{
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(s->context));

    for (uint32_t k = 0u; k < s->n_launched; k++) {
        struct workload_program *const program = &s->member[s->owner[k]].program;
        const uint64_t ended = stats->kernel[k].ended;
        program->cycles = ended > program->cycles + 1u ? ended - 1u : program->cycles;
    }
}

/* What is said of each, in one sentence; the first that is wrong is told alone. */
static void sum_up(struct several *s, struct workload_outcome *outcome)
{
    size_t at = 0u;

    outcome->check = s->said;
    for (uint32_t i = 0u; i < s->n; i++) {
        struct member *const member = &s->member[i];
        member->program.verdict = member->outcome.verdict;
        member->program.check = workload_said(&member->outcome);
        if (member->outcome.verdict == WRONG && outcome->verdict != WRONG) {
            outcome->verdict = WRONG;
            outcome->fault = member->outcome.fault;
            fault_before(&outcome->fault, "%s: ", member->workload.name);
        }
        if (member->outcome.verdict == RIGHT && at < sizeof s->said) {
            outcome->verdict = outcome->verdict == WRONG ? WRONG : RIGHT;
            at += (size_t)snprintf(s->said + at, sizeof s->said - at, "%s%s: %s",
                                   at == 0u ? "" : "; ", member->workload.name,
                                   member->outcome.check);
        }
        if (outcome->end == GPU_DONE && member->outcome.end != GPU_DONE) {
            outcome->end = member->outcome.end;
            outcome->fault = member->outcome.fault;
        }
    }
    if (outcome->end != GPU_DONE) {
        outcome->verdict = NOT_CHECKED;
    }
}

static bool run(void *self, struct workload_outcome *outcome, struct fault *fault)
{
    struct several *const s = self;
    bool good = true;

    if (gsp_gpu(s->context) != NULL) {
        good = run_threads(s, fault);
        measure(s);
        outcome->end = s->end;
        if (s->lost) {
            return fault_surroundings(fault, "no memory for the list of launches");
        }
    } else {
        for (uint32_t i = 0u; i < s->n; i++) {
            struct member *const member = &s->member[i];
            member->refused =
                !workload_run(&member->workload, &member->outcome, &member->fault);
        }
    }
    for (uint32_t i = 0u; good && i < s->n; i++) {
        if (s->member[i].refused) {
            *fault = s->member[i].fault;
            good = false;
        }
    }
    sum_up(s, outcome);
    return good;
}

uint32_t workload_programs(const struct workload *workload,
                           const struct workload_program **programs)
{
    const struct several *const s = workload->self;

    if (workload->kind != &workload_several) {
        return 0u;
    }
    for (uint32_t i = 0u; i < s->n && programs != NULL; i++) {
        programs[i] = &s->member[i].program;
    }
    return s->n;
}

static struct gpu *gpu_of(void *self)
{
    return gsp_gpu(((struct several *)self)->context);
}

static uint64_t instructions(void *self)
{
    return gsp_instructions(((struct several *)self)->context);
}

static void release(void *self)
{
    struct several *const s = self;

    gsp_close(s->context); /* before the kernels that it still runs */
    for (uint32_t i = 0u; i < s->n; i++) {
        workload_free(&s->member[i].workload);
    }
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    free(s->owner);
    free(s);
}

const struct workload_kind workload_several = {
    load, open_all, run, gpu_of, instructions, release, NULL,
};
