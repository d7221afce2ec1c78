/*
 * comparison - two results, or many pairs of them: the keys of the configuration and the counts
 * in which they differ. Nothing of it knows where the results come from.
 */

#ifndef COMPARISON_H
#define COMPARISON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpu/config/gpu_config.h"

enum { COMPARED_NAME = 64, COMPARED_VALUE = 32, COMPARED_LABEL = 512 };

/* Of one count over all pairs. */
struct compared_count {
    char name[COMPARED_NAME];
    const char *unit;
    double a, b;        /* of the last pair; NAN: none */
    uint32_t there;     /* pairs in which one of them has it */
    uint32_t differs;   /* of these, how many */
    uint32_t ratios;    /* pairs in which both are above 0 */
    double log_sum;     /* of their b / a */
    double least, most; /* b / a */
};

/* Of one key. */
struct compared_key {
    const struct gpu_key *key;
    uint32_t differs;
    bool several;                              /* values, in the pairs that differ */
    char a[COMPARED_VALUE], b[COMPARED_VALUE]; /* of the first pair that differs */
};

struct comparison {
    uint32_t pairs;
    uint32_t n_count;
    struct compared_count *counts; /* the first is cycles.core */
    struct compared_key keys[GPU_KEYS];
    char least[COMPARED_LABEL], most[COMPARED_LABEL]; /* pairs, by the ratio of cycles */
    char unended[COMPARED_LABEL]; /* "A hung": why cycles cannot be compared; "" if they can */
};

/* False without memory. */
bool comparison_open(struct comparison *comparison);
void comparison_free(struct comparison *comparison);

/* One more pair of results. */
void comparison_add(struct comparison *comparison, const json_t *a, const json_t *b,
                    const char *label);

/* Orders the counts: the largest change first. What comes from or to nothing is before all. */
void comparison_sort(struct comparison *comparison);

/* How many keys and counts differ. */
uint32_t comparison_keys(const struct comparison *comparison);
uint32_t comparison_counts(const struct comparison *comparison);

/* The count of this name; NULL if there is none. */
const struct compared_count *comparison_count(const struct comparison *comparison,
                                              const char *name);
/* Whether the key SECTION.KEY differs. */
bool comparison_key_differs(const struct comparison *comparison, const char *section,
                            const char *key);

/* b / a, the geometric mean over pairs; NAN if no pair has both. */
double compared_ratio(const struct compared_count *count);

#endif
