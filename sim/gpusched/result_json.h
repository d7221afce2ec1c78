/*
 * result_json - result.json: all that a run counted. It holds nothing of host, time, paths or
 * mode: the same configuration and workload give the same bytes.
 */

#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "gpu.h"

struct result {
    const char *workload; /* its name */
    const struct gpu_config *config;
    const struct gpu_stats *stats;
    enum gpu_end end;
    const char *message; /* why it ended, "" if done */
};

/* The word for an end: "done", "hung", "illegal", "stopped". */
const char *end_name(enum gpu_end end);

/* NULL if there is no memory. */
json_t *result_json(const struct result *result);

/* Writes result_json, an object's key a line and arrays in one. False if it cannot. */
bool result_json_write(const struct result *result, FILE *to);

/* The same for any object. */
bool json_write(const json_t *object, FILE *to);

#endif
