/*
 * result_json - result.json: all that a run counted. It holds nothing of host, time, paths or
 * mode: the same configuration and workload give the same bytes.
 */

#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "gpu/gpu.h"
#include "gpusched/workload/workload.h"

struct exec_footprint;
struct result {
    const char *workload; /* its name */
    const struct gpu_config *config;
    uint32_t not_calibrated; /* of its values: they follow no public source */
    const struct gpu_stats *stats;
    const struct gpu
        *gpu; /* as the statistics have left it; NULL: what each kernel has is not known */
    const char *size; /* of the workload; NULL if it comes in one */
    enum gpu_end end;
    const char *message; /* why it ended, "" if done */
    enum workload_verdict verdict;
    const char *check; /* how the result was checked, or what is wrong */
    /* Of several programs at once; otherwise there are none. */
    const struct workload_program *program[WORKLOAD_PROGRAMS];
    uint32_t n_program;
    const struct exec_footprint *footprint; /* NULL: nobody has asked */
    uint64_t alone[WORKLOAD_PROGRAMS]; /* cycles of each without the others; 0: not known */
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
