/* workload_context - what the kinds of workloads that run on the driver share. */

#include <stdio.h>

#include "gpusched/workload/workload_kind.h"

bool workload_open_context(struct gsp_context **context, const struct workload_machine *machine,
                           struct fault *fault)
{
    const struct gsp_options options = {
        .config = machine->config,
        .limits = machine->limits,
        .hooks = machine->hooks,
        .mode = machine->mode,
        .launched = machine->launched,
        .launched_self = machine->launched_self,
        .warn = machine->warn,
        .check = machine->check,
        .footprint = machine->footprint,
        .turns = machine->turns,
        .memory = machine->memory,
    };

    if (gsp_open(context, &options) != GSP_OK) {
        *fault = *gsp_fault(*context);
        return false;
    }
    return true;
}

bool workload_end_of(enum gsp_status status, enum gpu_end *end)
{
    switch (status) {
    case GSP_OK:
        *end = GPU_DONE;
        return true;
    case GSP_ILLEGAL:
        *end = GPU_ILLEGAL;
        return true;
    case GSP_HUNG:
        *end = GPU_HUNG;
        return true;
    case GSP_STOPPED:
        *end = GPU_STOPPED;
        return true;
    default:
        return false;
    }
}
