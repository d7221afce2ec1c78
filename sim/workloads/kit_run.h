/* kit_run - runs a CUDA workload; the other side of workload_kit.h. */

#ifndef KIT_RUN_H
#define KIT_RUN_H

#include "base/fault.h"
#include "workloads/graph_file.h"
#include "workloads/workload_kit.h"

enum kit_end {
    KIT_RIGHT, /* the result is as the CPU has it */
    KIT_WRONG, /* it is not: the fault says where */
    KIT_ENDED, /* a call failed: the fault says which, status why */
};

struct kit_outcome {
    enum kit_end end;
    enum gsp_status status; /* of the call that failed */
    struct fault fault;
};

/* Runs the workload on an open context. Frees what the workload allocated. graph: of the user,
 * for a program on graphs; NULL: its own of the size. */
void kit_run(const struct cuda_workload *workload, enum workload_size size,
             const struct graph_file *graph, struct gsp_context *context,
             struct kit_outcome *outcome);

/* "small", "medium", "paper", "claso", ... */
const char *workload_size_name(enum workload_size size);
/* False if there is no such name. */
bool workload_size_named(const char *name, enum workload_size *size);
/* NULL: some workload. */
bool workload_has_size(const struct cuda_workload *workload, enum workload_size size);
/* "small, medium, paper": what the workload has, or all names for NULL. */
enum { WORKLOAD_SIZE_NAMES = 80 };
const char *workload_size_names(const struct cuda_workload *workload,
                                char names[WORKLOAD_SIZE_NAMES]);

#endif
