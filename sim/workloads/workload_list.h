/*
 * workload_list - the CUDA workloads of this build: those of each folder of sim/workloads with
 * a host part and kernels of its own name. The Makefile makes the list.
 */

#ifndef WORKLOAD_LIST_H
#define WORKLOAD_LIST_H

#include "workloads/workload_kit.h"

/* In the order of their names; ends with NULL. */
extern const struct cuda_workload *const cuda_workloads[];

/* NULL if there is none of that name. */
const struct cuda_workload *cuda_workload_named(const char *name);

#endif
