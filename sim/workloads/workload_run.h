/* workload_run - runs a CUDA workload; the other side of workload_kit.h. */

#ifndef WORKLOAD_RUN_H
#define WORKLOAD_RUN_H

#include "workload_kit.h"

enum workload_end {
    WORKLOAD_RIGHT, /* the result is as the CPU has it */
    WORKLOAD_WRONG, /* it is not: message says where */
    WORKLOAD_ENDED, /* a call failed: message says which, status why */
};

struct workload_outcome {
    enum workload_end end;
    enum gsp_status status; /* of the call that failed */
    char message[1024];
};

/* Runs the workload on an open context. Frees what the workload allocated. */
void workload_run(const struct cuda_workload *workload, enum workload_size size,
                  struct gsp_context *context, struct workload_outcome *outcome);

/* "small", "medium", "paper". */
const char *workload_size_name(enum workload_size size);

#endif
