/*
 * report_value - the numbers of a run that a page shows, out of its result.json.
 */

#ifndef REPORT_VALUE_H
#define REPORT_VALUE_H

#include <jansson.h>
#include <stdint.h>

#include "gpusched/report/data/report_limit.h"
#include "gpusched/result/counts.h"

enum report_value {
    VALUE_CYCLES,
    VALUE_IPC,
    VALUE_NO_CTA_SHARE,
    VALUE_PACKETS,
    VALUE_ENERGY,
    VALUE_EDP,
    VALUE_SECONDS,
    VALUE_CLOCK, /* of the core, MHz */
    VALUE_NOT_CALIBRATED,
    REPORT_VALUES
};

/* Parts of a whole, each a colour of a stacked bar. */
enum report_stack { STACK_SCHEDULER, STACK_NOC, STACK_ENERGY, REPORT_STACKS };
enum { STACK_PARTS = 7 };

/* What a reader wants to know of a GPU. */
enum { GPU_VALUES = 12 };

struct report_values {
    double value[REPORT_VALUES]; /* NAN where there is none, here and below */
    double stack[REPORT_STACKS][STACK_PARTS];
    double gpu[GPU_VALUES];
    struct limit_gpu limit_gpu; /* of the kernels' limits */
    struct limit limit;         /* the last, as it is no number */
};

struct report_part {
    const char *name;    /* for people; NULL ends the list */
    const char *meaning; /* one line */
    const char *css;     /* class of its colour */
};
extern const struct report_part report_parts[REPORT_STACKS][STACK_PARTS + 1];

struct report_gpu_value {
    const char *name;
    const char *path; /* in result.json */
    const char *unit;
};
extern const struct report_gpu_value report_gpu_values[GPU_VALUES];

/* Of a result that may be NULL. */
struct report_values report_values_of(const json_t *result);

double report_stack_sum(const struct report_values *values, enum report_stack stack);

#endif
