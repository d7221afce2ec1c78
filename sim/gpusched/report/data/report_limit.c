/* report_limit - what limits a run; see report_limit.h. */

#include "gpusched/report/data/report_limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpusched/result/counts.h"
#include "tool/format.h"

/* The thresholds of docs/report.md. */
static const double mostly_empty = 0.5; /* of SM cycles */
static const double saturated = 0.8;    /* a part of the machine, and issue */
static const double loaded = 0.6;       /* more than that is not latency alone */

const char *const limit_part_names[LIMIT_PARTS] = {
    [PART_DRAM] = "DRAM data buses",
    [PART_L2] = "L2 slices",
    [PART_REQUESTS] = "NoC requests",
    [PART_RESPONSES] = "NoC responses",
};

/* ---- Reading ------------------------------------------------------------------------- */

static double number(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* A result has totals of a group; a kernel has its counts. */
static double count(const json_t *counts, const char *group, const char *name)
{
    const json_t *const found = json_object_get(counts, group);
    const json_t *const total = json_object_get(found, "total");

    return number(json_object_get(total != NULL ? total : found, name));
}

/* Of a direction of the NoC. */
static double flits(const json_t *counts, size_t direction)
{
    const json_t *const noc = json_object_get(counts, "noc");
    const json_t *const each = json_object_get(noc, "each");

    return number(
        json_array_get(json_object_get(each != NULL ? each : noc, "flits"), direction));
}

struct limit_gpu limit_gpu_of(const json_t *result)
{
    const json_t *const cycles = json_object_get(result, "cycles");
    const json_t *const configuration = json_object_get(result, "configuration");
    const json_t *const warp = json_object_get(configuration, "warp");
    const double core = number(json_object_get(cycles, "core"));
    const double noc = number(json_object_get(cycles, "noc")) / core;
    const double slices = number(json_object_get(json_object_get(result, "l2"), "members"));

    return (struct limit_gpu){
        .sms = number(json_object_get(json_object_get(result, "sm"), "members")),
        .schedulers = number(json_object_get(warp, "schedulers")),
        .members = { slices, slices, slices,
                     number(json_object_get(json_object_get(result, "cluster"), "members")) },
        .clock = { number(json_object_get(cycles, "dram")) / core,
                   number(json_object_get(cycles, "l2")) / core, noc, noc },
    };
}

/* ---- The rule ------------------------------------------------------------------------ */

static void find_busy(struct limit *limit, const json_t *counts, double cycles,
                      const struct limit_gpu *gpu)
{
    const double served[LIMIT_PARTS] = {
        [PART_DRAM] = count(counts, "dram", "bus"),
        [PART_L2] = count(counts, "l2", "busy") + count(counts, "l2", "atomic_busy"),
        [PART_REQUESTS] = flits(counts, 0u),
        [PART_RESPONSES] = flits(counts, 1u),
    };

    for (int part = 0; part < LIMIT_PARTS; part++) {
        const double all = cycles * gpu->clock[part] * gpu->members[part];
        limit->busy[part] = all > 0.0 ? served[part] / all : (double)NAN;
        if (limit->busy[part] > limit->busy[limit->busiest]) {
            limit->busiest = (enum limit_part)part;
        }
    }
}

/* What the load/store units did in most of their busy cycles. */
static const char *ldst_reason(const json_t *counts)
{
    static const struct {
        const char *name, *reason;
    } states[] = {
        { "ldst_busy", "send accesses" },
        { "ldst_mshr", "wait for an MSHR" },
        { "ldst_merge", "wait: the line's MSHR takes no more" },
        { "ldst_queue", "wait for room in the miss queue" },
    };
    size_t most = 0u;

    for (size_t i = 1u; i < sizeof states / sizeof states[0]; i++) {
        if (count(counts, "sm", states[i].name) > count(counts, "sm", states[most].name)) {
            most = i;
        }
    }
    return states[most].reason;
}

struct lost {
    enum limit_kind kind;
    double share;
};

/* The largest of what schedulers lost, the first of equals. class: in the order of
 * gpu_stats.def; all: scheduler cycles of the whole GPU. */
static struct lost largest(const struct limit *limit, const double *class, double all)
{
    /* A run's idle cycles have those of SMs without a CTA in them. */
    const double without = limit->of_kernel ? 0.0 : limit->empty;
    const struct lost lost[] = {
        { class[2] > class[4] ? LIMIT_LDST : LIMIT_MEMORY, (class[2] + class[4]) / all },
        { LIMIT_PIPES, class[1] / all },
        { LIMIT_ARITHMETIC, class[3] / all },
        { LIMIT_WARPS, fmax(class[5] / all - without, 0.0) },
        { LIMIT_PAUSED, class[6] / all },
        { LIMIT_CTAS, limit->empty },
    };
    struct lost most = lost[0];

    for (size_t i = 1u; i < sizeof lost / sizeof lost[0]; i++) {
        most = lost[i].share > most.share ? lost[i] : most;
    }
    return most;
}

static void decide(struct limit *limit, const double *class, double all)
{
    const struct lost lost = largest(limit, class, all);

    limit->issued = class[0] / all;
    limit->lost = lost.share;
    limit->kind = limit->empty >= mostly_empty               ? LIMIT_CTAS
                  : limit->busy[limit->busiest] >= saturated ? LIMIT_BANDWIDTH
                  : limit->issued >= saturated               ? LIMIT_ISSUE
                                                             : lost.kind;
}

static double read_classes(const json_t *counts, double class[SCHEDULER_CLASSES])
{
    double sum = 0.0;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        class[i] = count(counts, "sm", gpu_sm_counts[i].name);
        sum += class[i];
    }
    return sum;
}

struct limit limit_of_result(const json_t *result)
{
    const struct limit_gpu gpu = limit_gpu_of(result);
    const double cycles = number(json_object_get(json_object_get(result, "cycles"), "core"));
    double class[SCHEDULER_CLASSES];
    const double all = read_classes(result, class);
    struct limit limit = { .kind = LIMIT_UNKNOWN };

    if (all > 0.0 && cycles > 0.0 && gpu.sms > 0.0) {
        limit.empty = count(result, "sm", "no_cta") / (cycles * gpu.sms);
        limit.ldst = ldst_reason(result);
        find_busy(&limit, result, cycles, &gpu);
        decide(&limit, class, all);
    }
    return limit;
}

struct limit limit_of_kernel(const json_t *kernel, const struct limit_gpu *gpu)
{
    const double cycles = number(json_object_get(kernel, "cycles"));
    const double all = cycles * gpu->sms * gpu->schedulers;
    double class[SCHEDULER_CLASSES];
    const double own = read_classes(kernel, class);
    struct limit limit = { .kind = LIMIT_UNKNOWN, .of_kernel = true };

    if (all > 0.0 && own > 0.0) {
        limit.empty = fmax(1.0 - own / all, 0.0);
        limit.ldst = ldst_reason(kernel);
        find_busy(&limit, kernel, cycles, gpu);
        decide(&limit, class, all);
    }
    return limit;
}

/* ---- The sentence -------------------------------------------------------------------- */

/* How busy the busiest part of the memory system is: more than `loaded` is not latency alone.
 */
static void say_memory(const struct limit *limit, char *text, size_t size)
{
    const double share = limit->busy[limit->busiest];
    const char *const part = limit_part_names[limit->busiest];

    if (share >= loaded) {
        snprintf(text, size,
                 "loses most to memory under load: %s of scheduler cycles wait for "
                 "it, and the %s are busy for %s of the time",
                 format_share(limit->lost).text, part, format_share(share).text);
    } else {
        snprintf(text, size,
                 "loses most to the latency of memory: %s of scheduler cycles wait "
                 "for it, and no part of it is busier than the %s with %s",
                 format_share(limit->lost).text, part, format_share(share).text);
    }
}

/* What comes before the share of what is lost, and behind it. */
static const struct {
    const char *before, *behind;
} lost_words[] = {
    [LIMIT_LDST] = { "loses most to load/store units that are full: ",
                     " of scheduler cycles wait for memory or for room in them, and most often "
                     "they " },
    [LIMIT_PIPES] = { "loses most to busy arithmetic pipes: ",
                      " of scheduler cycles have operands, but no free pipe" },
    [LIMIT_ARITHMETIC] = { "loses most to the latency of arithmetic: ",
                           " of scheduler cycles wait for its results" },
    [LIMIT_WARPS] = { "loses most to SMs whose warps have no instruction: ",
                      " of scheduler cycles" },
    [LIMIT_PAUSED] = { "loses most to paused SMs: ", " of scheduler cycles" },
};

struct limit_text limit_sentence(const struct limit *limit)
{
    struct limit_text sentence = { "" };
    char *const text = sentence.text;
    const size_t size = sizeof sentence.text;
    const bool most = limit->empty >= mostly_empty;

    if (limit->kind == LIMIT_CTAS) {
        snprintf(text, size, "%s: %s of SM cycles are without %s",
                 most ? "leaves most of the GPU empty" : "loses most to SMs without work",
                 format_share(limit->empty).text, limit->of_kernel ? "its CTAs" : "a CTA");
    } else if (limit->kind == LIMIT_BANDWIDTH) {
        snprintf(text, size, "is limited by the %s, which are busy for %s of the time",
                 limit_part_names[limit->busiest],
                 format_share(limit->busy[limit->busiest]).text);
    } else if (limit->kind == LIMIT_ISSUE) {
        snprintf(text, size, "is limited by issue: schedulers issue in %s of their cycles",
                 format_share(limit->issued).text);
    } else if (limit->kind == LIMIT_MEMORY) {
        say_memory(limit, text, size);
    } else if (limit->kind != LIMIT_UNKNOWN) {
        snprintf(text, size, "%s%s%s%s", lost_words[limit->kind].before,
                 format_share(limit->lost).text, lost_words[limit->kind].behind,
                 limit->kind == LIMIT_LDST ? limit->ldst : "");
    }
    return sentence;
}
