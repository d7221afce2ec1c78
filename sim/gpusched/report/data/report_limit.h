/*
 * report_limit - what limits a run, or a kernel of it: a rule of thresholds over what has been
 * counted, and a sentence. docs/report.md has the rule. It says where the cycles went and which
 * part of the machine was how busy; it does not say what would happen without it.
 */

#ifndef REPORT_LIMIT_H
#define REPORT_LIMIT_H

#include <jansson.h>
#include <stdbool.h>

enum limit_kind {
    LIMIT_UNKNOWN, /* nothing has been counted */
    LIMIT_CTAS,
    LIMIT_BANDWIDTH,
    LIMIT_ISSUE,
    LIMIT_MEMORY,
    LIMIT_LDST,
    LIMIT_PIPES,
    LIMIT_ARITHMETIC,
    LIMIT_WARPS,
    LIMIT_PAUSED,
};

/* Parts of the machine that carry or serve one thing a cycle. */
enum limit_part { PART_DRAM, PART_L2, PART_REQUESTS, PART_RESPONSES, LIMIT_PARTS };
extern const char *const limit_part_names[LIMIT_PARTS];

/* What counts are shares of. */
struct limit_gpu {
    double sms, schedulers; /* of the GPU, and of an SM */
    double members[LIMIT_PARTS];
    double clock[LIMIT_PARTS]; /* its cycles for each core cycle */
};

/* Shares are 0 to 1, NAN where nothing has been counted. */
struct limit {
    enum limit_kind kind;
    bool of_kernel;
    double empty;  /* of all SM cycles, those without a CTA, or without one of the kernel's */
    double issued; /* of all scheduler cycles */
    double lost;   /* of all scheduler cycles, those lost in the way that lost most */
    double busy[LIMIT_PARTS];
    enum limit_part busiest;
    const char *ldst; /* what the load/store units did most of their busy cycles */
};

struct limit_gpu limit_gpu_of(const json_t *result);
/* Of a result, and of an item of its by_kernel. */
struct limit limit_of_result(const json_t *result);
struct limit limit_of_kernel(const json_t *kernel, const struct limit_gpu *gpu);

/* "is limited by issue: schedulers issue in 83.0 % of their cycles", to follow a name; "" if
 * nothing has been counted. */
enum { LIMIT_TEXT = 384 };
struct limit_text {
    char text[LIMIT_TEXT];
};
struct limit_text limit_sentence(const struct limit *limit);

#endif
