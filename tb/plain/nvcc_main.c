/*
 * nvcc FOLDER timed|untimed - every kernel of tb/ptx/nvcc on a driver: a line of counts for
 * each, exit status 0 if all results are right. Linked once with the model's driver, and once
 * with the interpreter's, which has no timing.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvcc_cases.h"

static void must(const struct nvcc_run *r, enum gsp_status status)
{
    if (status != GSP_OK) {
        (void)fprintf(stderr, "nvcc: %s: %s\n", r->name, gsp_message(r->context));
        exit(2);
    }
}

gsp_pointer nvcc_buffer(struct nvcc_run *r, const void *from, size_t bytes)
{
    gsp_pointer pointer;
    must(r, gsp_malloc(r->context, &pointer, bytes));
    if (from != NULL) {
        must(r, gsp_copy_in(r->context, pointer, from, bytes));
    }
    return pointer;
}

void nvcc_fetch(struct nvcc_run *r, void *to, gsp_pointer from, size_t bytes)
{
    must(r, gsp_copy_out(r->context, to, from, bytes));
}

/* What the timing model was told, or what was executed. */
static uint64_t counted(struct gsp_context *context)
{
    struct gpu *const gpu = gsp_gpu(context);
    if (gpu == NULL) {
        return gsp_instructions(context);
    }
    const struct gpu_stats *const stats = gpu_stats(gpu);
    uint64_t sum = 0u;
    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        sum += stats->kernel[k].warp_instructions;
    }
    return sum;
}

void nvcc_launch(struct nvcc_run *r, struct gsp_dim grid, struct gsp_dim block,
                 uint32_t dynamic, void **args)
{
    const struct gsp_launch launch = { .module = r->module,
                                       .kernel = r->name,
                                       .grid = grid,
                                       .block = block,
                                       .dynamic_shared = dynamic,
                                       .args = args };
    must(r, gsp_launch(r->context, &launch));
    must(r, gsp_synchronize(r->context));
    printf("%s %" PRIu64 "\n", r->name, counted(r->context));
}

void nvcc_expect(struct nvcc_run *r, size_t at, double got, double wanted)
{
    if (r->right && (got < wanted || got > wanted)) {
        (void)fprintf(stderr, "nvcc: %s: result %zu is %g, not %g\n", r->name, at, got, wanted);
        r->right = false;
    }
}

static bool run(const struct nvcc_case *one, const char *folder,
                const struct gpu_config *config)
{
    struct nvcc_run r = { .name = one->name, .right = true };
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.ptx", folder, one->name);
    must(&r, gsp_open(&r.context, &(struct gsp_options){ .config = config }));
    must(&r, gsp_module_load(r.context, path, &r.module));
    one->run(&r);
    gsp_close(r.context);
    return r.right;
}

int main(int argc, char **argv)
{
    const struct gpu_config config = gpu_config_standard();
    bool right = argc == 3;
    for (uint32_t k = 0u; k < nvcc_case_count && argc == 3; k++) {
        right = run(&nvcc_cases[k], argv[1], strcmp(argv[2], "timed") == 0 ? &config : NULL)
                && right;
    }
    return right ? 0 : 1;
}
