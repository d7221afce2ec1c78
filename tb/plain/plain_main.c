/* plain WORKLOAD - a CUDA workload at its small size through the interpreter: a line of counts for each
 * launch, exit status 0 if the result is right. */

#include <stdio.h>

#include "kit_run.h"
#include "workload_list.h"

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
    kit_run(workload, SIZE_SMALL, context, &outcome);
    gsp_close(context);
    if (outcome.end != KIT_RIGHT) {
        (void)fprintf(stderr, "plain: %s: %s\n", argv[1], outcome.message);
        return 1;
    }
    return 0;
}
