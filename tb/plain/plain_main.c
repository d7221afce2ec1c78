/* plain WORKLOAD - a CUDA workload at its small size through the interpreter: a line of counts
 * for each launch, exit status 0 if the result is right. */

#include <inttypes.h>
#include <stdio.h>

#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

/* The linker gives it every launch of the workload. */
enum gsp_status __real_gsp_launch(struct gsp_context *context, const struct gsp_launch *launch);
enum gsp_status __wrap_gsp_launch(struct gsp_context *context, const struct gsp_launch *launch);
enum gsp_status __wrap_gsp_launch(struct gsp_context *context, const struct gsp_launch *launch)
{
    const uint64_t before = gsp_instructions(context);
    const enum gsp_status status = __real_gsp_launch(context, launch);
    printf("%s %" PRIu64 "\n", launch->kernel, gsp_instructions(context) - before);
    return status;
}

int main(int argc, char **argv)
{
    const struct cuda_workload *const workload =
        argc == 2 ? cuda_workload_named(argv[1]) : NULL;
    struct gsp_context *context = NULL;
    struct kit_outcome outcome;
    if (workload == NULL) {
        (void)fputs("plain WORKLOAD\n", stderr);
        return 2;
    }
    (void)gsp_open(&context, &(struct gsp_options){ .config = NULL });
    kit_run(workload, SIZE_SMALL, NULL, context, &outcome);
    gsp_close(context);
    if (outcome.end != KIT_RIGHT) {
        (void)fprintf(stderr, "plain: %s: %s\n", argv[1], fault_text(&outcome.fault));
        return 1;
    }
    return 0;
}
