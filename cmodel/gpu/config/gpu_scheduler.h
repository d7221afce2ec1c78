/*
 * gpu_scheduler - a scheduler as a choice of its own, apart from the GPU: a file gives some of
 * the parameters of a GPU, none but those of scheduling.
 */

#ifndef GPU_SCHEDULER_H
#define GPU_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"

/* One file, or several, each of which replaces what those before it give. */
struct gpu_scheduler;

/* Reads "claso", or "distributed,icc": each is a file, or for a bare name one of
 * configs/schedulers of the data (places.h). Free it with gpu_scheduler_free. NULL: the fault
 * is one line that says what is wrong and what is allowed. */
struct gpu_scheduler *gpu_scheduler_load(const char *names, struct fault *fault);
void gpu_scheduler_free(struct gpu_scheduler *scheduler);

/* Changes what the files give. Whether the whole is a possible machine is for
 * gpu_config_fault. */
void gpu_scheduler_apply(const struct gpu_scheduler *scheduler, struct gpu_config *config);

/* Of the last file; "" if it has none. Lives as long as the scheduler. */
const char *gpu_scheduler_title(const struct gpu_scheduler *scheduler);

/* All at once, for one GPU. names is NULL: nothing is changed. */
bool gpu_config_schedule(struct gpu_config *config, const char *names, struct fault *fault);

/* The files' names without .yaml, "claso, db-claso-icc, ...". */
void gpu_scheduler_names(char *text, size_t size);

#endif
