/* timeline - a run as Chrome trace JSON; see timeline.h. */

#include "gpusched/result/timeline.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/result/counts.h"

enum { KERNEL_PROCESS = 1, SM_PROCESS = 100 }; /* numbers of processes: 100 + SM */
/* Threads of the kernels: streams, and from this one on rows. In the order shown, rows of a
 * stream are behind it, by their depth. */
enum { FIRST_ROW = 1 << 20, STREAM_ROOM = 64 };

static const uint64_t nowhen = UINT64_MAX;

struct running {
    uint64_t since; /* nowhen: nothing runs here */
    uint32_t kernel;
    uint32_t cta;
};

struct kernel {
    char *name; /* as in JSON, without its quotes */
    uint32_t grid[3];
    uint32_t stream;
    bool nested;
    uint32_t parent, depth;
    uint32_t row; /* if nested, and since it has started: its thread */
    uint64_t since;
};

/* A thread for what kernels of a stream launch, a kernel at a time. */
struct row {
    uint32_t stream, depth;
    bool busy;
};

struct timeline {
    FILE *to;
    uint32_t n_sm, n_slot, n_kernel;
    uint32_t capacity;       /* of kernels */
    struct running *running; /* SM by SM, a CTA slot each */
    struct kernel *kernels;
    struct row *rows;
    uint32_t n_row, row_capacity;
    uint32_t (*shown)[SCHEDULER_CLASSES]; /* last counter values of each SM, in 1/1000 */
    bool first;                           /* no event yet */
};

/* ---- Events -------------------------------------------------------------------------- */

/* One event a line; the caller prints its members and closes it. */
static void event(struct timeline *timeline)
{
    fputs(timeline->first ? "\n{" : ",\n{", timeline->to);
    timeline->first = false;
}

static void name_event(struct timeline *timeline, const char *kind, uint32_t process,
                       uint32_t thread, const char *name, uint32_t number)
{
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"args\":{\"name\":\"%s %" PRIu32 "\"}}",
            kind, process, thread, name, number);
}

static void sort_event(struct timeline *timeline, uint32_t process)
{
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%" PRIu32
            ",\"args\":{\"sort_index\":%" PRIu32 "}}",
            process, process);
}

static void span(struct timeline *timeline, uint32_t process, uint32_t thread, uint64_t from,
                 uint64_t to)
{
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64
            ",\"dur\":%" PRIu64,
            process, thread, from, to - from);
}

/* ---- Opening ------------------------------------------------------------------------- */

static char *escaped(const char *name)
{
    json_t *const string = json_string(name);
    char *const quoted = json_dumps(string, JSON_ENCODE_ANY | JSON_COMPACT);
    char *result = NULL;

    json_decref(string);
    if (quoted != NULL && quoted[0] == '"') {
        size_t n = 1u;
        while (quoted[n + 1u] != '\0') {
            n++;
        }
        quoted[n] = '\0';
        result = strdup(quoted + 1);
    }
    free(quoted);
    return result;
}

static void order_event(struct timeline *timeline, uint32_t thread, uint32_t stream,
                        uint32_t depth)
{
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%d,\"tid\":%" PRIu32
            ",\"args\":{\"sort_index\":%" PRIu64 "}}",
            KERNEL_PROCESS, thread, (uint64_t)stream * STREAM_ROOM + depth);
}

/* Names the stream of a kernel, if it is the first of it. */
static void name_stream(struct timeline *timeline, uint32_t number)
{
    const uint32_t stream = timeline->kernels[number].stream;

    for (uint32_t i = 0u; i < number; i++) {
        if (timeline->kernels[i].stream == stream) {
            return;
        }
    }
    name_event(timeline, "thread_name", KERNEL_PROCESS, stream, "stream", stream);
    order_event(timeline, stream, stream, 0u);
}

static void preamble(struct timeline *timeline)
{
    fputs("{\"otherData\":{\"format\":\"gpusched-timeline 1\","
          "\"time\":\"1 us shown is 1 core cycle\"},\n\"traceEvents\":[",
          timeline->to);
    timeline->first = true;
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":"
            "\"Kernels (1 us = 1 core cycle)\"}}",
            KERNEL_PROCESS);
    sort_event(timeline, KERNEL_PROCESS);
    for (uint32_t i = 0u; i < timeline->n_kernel; i++) {
        name_stream(timeline, i);
    }
    for (uint32_t sm = 0u; sm < timeline->n_sm; sm++) {
        name_event(timeline, "process_name", SM_PROCESS + sm, 0u, "SM", sm);
        sort_event(timeline, SM_PROCESS + sm);
        for (uint32_t slot = 0u; slot < timeline->n_slot; slot++) {
            name_event(timeline, "thread_name", SM_PROCESS + sm, slot, "CTA slot", slot);
        }
    }
}

static void release(struct timeline *timeline)
{
    for (uint32_t i = 0u; timeline->kernels != NULL && i < timeline->n_kernel; i++) {
        free(timeline->kernels[i].name);
    }
    free(timeline->kernels);
    free(timeline->rows);
    free(timeline->running);
    free(timeline->shown);
    free(timeline);
}

static bool fill_kernel(struct kernel *kernel, const struct timeline_kernel *launch)
{
    memcpy(kernel->grid, launch->shape.grid, sizeof kernel->grid);
    kernel->stream = launch->stream;
    kernel->nested = launch->nested;
    kernel->parent = launch->parent;
    kernel->depth = launch->depth;
    kernel->since = nowhen;
    kernel->name = escaped(launch->shape.name);
    return kernel->name != NULL;
}

/* False if there is no memory. */
static bool fill(struct timeline *timeline, const struct timeline_kernel *kernels)
{
    const size_t slots = (size_t)timeline->n_sm * timeline->n_slot;

    timeline->running = calloc(slots, sizeof *timeline->running);
    timeline->shown = calloc(timeline->n_sm, sizeof *timeline->shown);
    timeline->capacity = timeline->n_kernel + 1u;
    timeline->kernels = calloc(timeline->capacity, sizeof *timeline->kernels);
    if (timeline->running == NULL || timeline->shown == NULL || timeline->kernels == NULL) {
        return false;
    }
    for (size_t i = 0u; i < slots; i++) {
        timeline->running[i].since = nowhen;
    }
    for (uint32_t i = 0u; i < timeline->n_kernel; i++) {
        if (!fill_kernel(&timeline->kernels[i], &kernels[i])) {
            return false;
        }
    }
    return true;
}

struct timeline *timeline_open(FILE *to, const struct gpu_config *config,
                               const struct timeline_kernel *kernels, uint32_t n_kernel)
{
    struct timeline *const timeline = calloc(1u, sizeof *timeline);

    if (timeline == NULL) {
        return NULL;
    }
    timeline->to = to;
    timeline->n_sm = config->sm.count;
    timeline->n_slot = config->sm.cta_slots;
    timeline->n_kernel = n_kernel;
    if (!fill(timeline, kernels)) {
        release(timeline);
        return NULL;
    }
    preamble(timeline);
    return timeline;
}

bool timeline_launch(struct timeline *timeline, const struct timeline_kernel *kernel)
{
    if (timeline->n_kernel == timeline->capacity) {
        const uint32_t capacity = 2u * timeline->capacity;
        struct kernel *const more = realloc(timeline->kernels, capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        timeline->kernels = more;
        timeline->capacity = capacity;
    }
    if (!fill_kernel(&timeline->kernels[timeline->n_kernel], kernel)) {
        return false;
    }
    timeline->n_kernel++;
    name_stream(timeline, timeline->n_kernel - 1u);
    return true;
}

/* ---- Rows for what kernels launch ---------------------------------------------------- */

/* One more; false if there is no memory. */
static bool add_row(struct timeline *timeline, const struct kernel *kernel)
{
    const uint32_t number = timeline->n_row;

    if (number == timeline->row_capacity) {
        const uint32_t capacity = 2u * number + 16u;
        struct row *const more = realloc(timeline->rows, capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        timeline->rows = more;
        timeline->row_capacity = capacity;
    }
    timeline->rows[timeline->n_row++] = (struct row){ kernel->stream, kernel->depth, false };
    name_event(timeline, "thread_name", KERNEL_PROCESS, FIRST_ROW + number, "launched at depth",
               kernel->depth);
    order_event(timeline, FIRST_ROW + number, kernel->stream, kernel->depth);
    return true;
}

/* The first of its stream and depth in which nothing runs. */
static bool take_row(struct timeline *timeline, struct kernel *kernel)
{
    uint32_t i = 0u;

    while (i < timeline->n_row
           && (timeline->rows[i].busy || timeline->rows[i].stream != kernel->stream
               || timeline->rows[i].depth != kernel->depth)) {
        i++;
    }
    if (i == timeline->n_row && !add_row(timeline, kernel)) {
        return false;
    }
    timeline->rows[i].busy = true;
    kernel->row = i;
    return true;
}

/* ---- Kernels and CTAs ---------------------------------------------------------------- */

static void show_kernel(struct timeline *timeline, uint32_t number, uint64_t cycle,
                        const char *more)
{
    struct kernel *const kernel = &timeline->kernels[number];

    span(timeline, KERNEL_PROCESS, kernel->nested ? FIRST_ROW + kernel->row : kernel->stream,
         kernel->since, cycle);
    fprintf(timeline->to,
            ",\"name\":\"%s\",\"args\":{\"kernel\":%" PRIu32 ",\"grid\":[%" PRIu32 ",%" PRIu32
            ",%" PRIu32 "]%s",
            kernel->name, number, kernel->grid[0], kernel->grid[1], kernel->grid[2], more);
    if (kernel->nested) {
        fprintf(timeline->to, ",\"parent\":%" PRIu32, kernel->parent);
    }
    fputs("}}", timeline->to);
    kernel->since = nowhen;
}

static void show_cta(struct timeline *timeline, uint32_t sm, uint32_t slot, uint64_t cycle,
                     const char *more)
{
    struct running *const cta = &timeline->running[(size_t)sm * timeline->n_slot + slot];
    const struct kernel *const kernel = &timeline->kernels[cta->kernel];
    const uint32_t row = cta->cta / kernel->grid[0];

    span(timeline, SM_PROCESS + sm, slot, cta->since, cycle);
    fprintf(timeline->to,
            ",\"name\":\"%s[%" PRIu32 "]\",\"args\":{\"kernel\":%" PRIu32 ",\"cta\":[%" PRIu32
            ",%" PRIu32 ",%" PRIu32 "]%s}}",
            kernel->name, cta->cta, cta->kernel, cta->cta % kernel->grid[0],
            row % kernel->grid[1], row / kernel->grid[1], more);
    cta->since = nowhen;
}

bool timeline_kernel_started(struct timeline *timeline, uint32_t kernel, uint64_t cycle)
{
    struct kernel *const k = &timeline->kernels[kernel];

    k->since = cycle;
    return !k->nested || take_row(timeline, k);
}

void timeline_kernel_ended(struct timeline *timeline, uint32_t kernel, uint64_t cycle)
{
    show_kernel(timeline, kernel, cycle, "");
    if (timeline->kernels[kernel].nested) {
        timeline->rows[timeline->kernels[kernel].row].busy = false;
    }
}

void timeline_cta_started(struct timeline *timeline, uint32_t kernel, uint32_t cta, uint32_t sm,
                          uint32_t slot, uint64_t cycle)
{
    timeline->running[(size_t)sm * timeline->n_slot + slot] =
        (struct running){ .since = cycle, .kernel = kernel, .cta = cta };
}

void timeline_cta_ended(struct timeline *timeline, uint32_t sm, uint32_t slot, uint64_t cycle)
{
    show_cta(timeline, sm, slot, cycle, "");
}

/* ---- Counters ------------------------------------------------------------------------ */

static void counters(struct timeline *timeline, uint32_t sm, uint64_t cycle,
                     const uint32_t value[SCHEDULER_CLASSES])
{
    /* A counter holds its value until the next event. */
    if (memcmp(timeline->shown[sm], value, sizeof timeline->shown[sm]) == 0) {
        return;
    }
    memcpy(timeline->shown[sm], value, sizeof timeline->shown[sm]);
    event(timeline);
    fprintf(timeline->to,
            "\"ph\":\"C\",\"pid\":%" PRIu32 ",\"ts\":%" PRIu64
            ",\"name\":\"schedulers, %%\",\"args\":{",
            SM_PROCESS + sm, cycle);
    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        fprintf(timeline->to, "%s\"%s\":%" PRIu32 ".%" PRIu32, i == 0u ? "" : ",",
                gpu_sm_counts[i].name, value[i] / 10u, value[i] % 10u);
    }
    fputs("}}", timeline->to);
}

void timeline_sample(struct timeline *timeline, const struct interval *interval)
{
    const uint64_t cycles = (interval->to - interval->from) * interval->schedulers;

    for (uint32_t sm = 0u; sm < timeline->n_sm; sm++) {
        uint32_t value[SCHEDULER_CLASSES];
        for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
            const uint64_t count = gpu_count_of(&gpu_sm_counts[i], &interval->each[sm]);
            value[i] = (uint32_t)((count * 1000u + cycles / 2u) / cycles);
        }
        counters(timeline, sm, interval->from, value);
    }
}

/* ---- Closing ------------------------------------------------------------------------- */

void timeline_close(struct timeline *timeline, uint64_t cycle)
{
    static const char unfinished[] = ",\"unfinished\":true";
    static const uint32_t zero[SCHEDULER_CLASSES];

    for (uint32_t sm = 0u; sm < timeline->n_sm; sm++) {
        for (uint32_t slot = 0u; slot < timeline->n_slot; slot++) {
            if (timeline->running[(size_t)sm * timeline->n_slot + slot].since != nowhen) {
                show_cta(timeline, sm, slot, cycle, unfinished);
            }
        }
        counters(timeline, sm, cycle, zero);
    }
    for (uint32_t i = 0u; i < timeline->n_kernel; i++) {
        if (timeline->kernels[i].since != nowhen) {
            show_kernel(timeline, i, cycle, unfinished);
        }
    }
    fputs("\n]}\n", timeline->to);
    release(timeline);
}
