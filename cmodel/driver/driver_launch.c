/* driver_launch - kernels are launched and run; see driver.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver_context.h"

/* ---- Kernels by name ----------------------------------------------------------------- */

/* Whether a function's name is `name` as C++ mangles it: _Z5saxpyfPfS_ for saxpy. */
static bool mangled(const char *function, const char *name)
{
    char start[32];
    const size_t n = strlen(name);
    const int digits = snprintf(start, sizeof start, "_Z%zu", n);

    return strncmp(function, start, (size_t)digits) == 0
           && strncmp(function + digits, name, n) == 0;
}

static const struct ptx_function *find(const struct ptx_module *ptx, const char *name)
{
    const struct ptx_function *found = ptx_entry(ptx, name);
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < ptx->n_function && found == NULL; i++) {
        n += ptx->function[i].entry && mangled(ptx->function[i].name, name);
    }
    for (uint32_t i = 0u; i < ptx->n_function && n == 1u && found == NULL; i++) {
        const struct ptx_function *const f = &ptx->function[i];
        found = f->entry && mangled(f->name, name) ? f : NULL;
    }
    return found;
}

static const struct ptx_function *find_kernel(struct gsp_context *context,
                                              const struct gsp_module *module, const char *name)
{
    const struct ptx_module *const ptx = module->ptx;
    const struct ptx_function *const found = find(ptx, name);
    char known[512] = "";
    size_t at = 0u;

    if (found != NULL) {
        return found;
    }
    for (uint32_t i = 0u; i < ptx->n_function && at < sizeof known; i++) {
        if (ptx->function[i].entry) {
            at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", at == 0u ? "" : ", ",
                                   ptx->function[i].name);
        }
    }
    driver_fail(context, GSP_INVALID, "%.200s: no such kernel in %.200s; there are: %s", name,
                ptx->file, known);
    return NULL;
}

enum gsp_status gsp_parameters(struct gsp_context *context, struct gsp_module *module,
                               const char *kernel, uint32_t *bytes, uint32_t *n)
{
    if (context->status != GSP_OK) {
        return context->status;
    }
    const struct ptx_function *const function = find_kernel(context, module, kernel);
    if (function == NULL) {
        return GSP_INVALID;
    }
    for (uint32_t i = 0u; i < function->n_param && i < *n; i++) {
        bytes[i] = (uint32_t)function->param[i].bytes;
    }
    *n = function->n_param;
    return GSP_OK;
}

/* ---- What the GPU calls -------------------------------------------------------------- */

static bool open_cta(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                     struct fault *fault)
{
    struct driver_launch *const launch = self;

    return exec_cta(launch->context->exec, &launch->exec, cta, warp, handle, fault);
}

static bool more(void *self, void *handle, uint32_t warp, uint64_t cycle,
                 struct warp_stream *stream, struct fault *fault)
{
    (void)self;
    return exec_more(handle, warp, cycle, stream, fault);
}

static bool describe_warp(void *self, void *handle, uint32_t warp, struct fault *fault)
{
    (void)self;
    return exec_describe(handle, warp, fault);
}

static void rest(void *self, void *handle)
{
    (void)self;
    exec_rest(handle);
}

static void free_cta(void *self, void *handle)
{
    (void)self;
    exec_release(handle);
}

static bool ended(void *self, struct fault *fault)
{
    return device_ended(self, fault);
}

/* ---- Launching ----------------------------------------------------------------------- */

static struct kernel_source source_of(struct driver_launch *launch,
                                      const struct kernel_shape *shape)
{
    return (struct kernel_source){
        .self = launch,
        .shape = *shape,
        .open_cta = open_cta,
        .more = more,
        .describe = describe_warp,
        .rest = rest,
        .free_cta = free_cta,
        .ended = ended,
    };
}

bool driver_on_gpu(struct driver_launch *launch, struct fault *fault)
{
    struct gsp_context *const context = launch->context;
    struct device_grid *const grid = &launch->grid;
    const struct kernel_shape shape = driver_shape(&launch->exec, 0u, false);
    const struct kernel_source source = source_of(launch, &shape);
    const struct gpu_child child = { .parent = grid->parent,
                                     .depth = grid->depth,
                                     .priority = grid->priority,
                                     .sm = grid->sm,
                                     .group = grid->group,
                                     .launched = grid->launched,
                                     .arrival = grid->arrival };

    grid->kernel = gpu_kernels(context->gpu);
    if (!gpu_launch_child(context->gpu, &source, &child, fault)) {
        return false;
    }
    if (context->options.launched != NULL) {
        context->options.launched(context->options.launched_self, &shape,
                                  gpu_stream(context->gpu, grid->kernel), &child);
    }
    return true;
}

void driver_tell(const struct driver_launch *launch)
{
    const struct gsp_options *const options = &launch->context->options;
    const struct kernel_shape shape = driver_shape(&launch->exec, 0u, false);

    if (options->launched != NULL && launch->grid.by_device) {
        options->launched(options->launched_self, &shape, launch->grid.stream, NULL);
    }
}

/* Of the GPU, or of what is executed at the next wait. */
static enum gsp_status queue(struct gsp_context *context, struct driver_launch *entry,
                             const struct gsp_launch *launch)
{
    const struct kernel_shape shape =
        driver_shape(&entry->exec, launch->registers, launch->cooperative);
    const struct kernel_source source = source_of(entry, &shape);
    const struct gsp_turns *const turns = context->options.turns;
    const uint32_t stream =
        turns != NULL ? turns->stream(turns->self, launch->stream) : launch->stream;

    context->running = true;
    entry->grid.stream = stream;
    device_add(context, entry);
    if (context->gpu != NULL) {
        entry->grid.kernel = gpu_kernels(context->gpu);
        if (!gpu_launch(context->gpu, &source, stream, &context->fault)) {
            device_drop(entry);
            return driver_refused(context, GSP_INVALID);
        }
    } else {
        *(context->first == NULL ? &context->first : &context->last->next) = entry;
        context->last = entry;
    }
    if (context->options.launched != NULL) {
        context->options.launched(context->options.launched_self, &shape, stream, NULL);
    }
    return GSP_OK;
}

enum gsp_status gsp_launch(struct gsp_context *context, const struct gsp_launch *launch)
{
    if (context->status != GSP_OK) {
        return context->status;
    }
    const struct ptx_function *const function =
        find_kernel(context, launch->module, launch->kernel);
    if (function == NULL) {
        return GSP_INVALID;
    }
    const uint32_t grid[3] = { at_least_one(launch->grid.x), at_least_one(launch->grid.y),
                               at_least_one(launch->grid.z) };
    const uint32_t block[3] = { at_least_one(launch->block.x), at_least_one(launch->block.y),
                                at_least_one(launch->block.z) };
    const struct exec_launch exec =
        driver_describe(context, launch->module, function, grid, block, launch->dynamic_shared);
    if (!driver_shape_allowed(&exec, &context->fault)) {
        return driver_keep(context, GSP_INVALID);
    }
    struct driver_launch *const entry = calloc(1u, sizeof *entry + function->param_bytes);
    if (entry == NULL) {
        return driver_no_memory(context);
    }
    entry->context = context;
    entry->exec = exec;
    entry->exec.params = entry->params;
    for (uint32_t i = 0u; i < function->n_param; i++) {
        memcpy(entry->params + function->param[i].address, launch->args[i],
               (size_t)function->param[i].bytes);
    }
    if (!driver_footprint(entry, NULL, 0u)) {
        free(entry);
        return driver_no_memory(context);
    }
    return queue(context, entry, launch);
}

/* ---- Running ------------------------------------------------------------------------- */

/* Kernel by kernel, in the order of launches, each with all that it launches: what streams
 * allow to overlap need not. */
static enum gsp_status execute(struct gsp_context *context)
{
    while (context->first != NULL) {
        struct driver_launch *const next = context->first->next;
        const enum exec_end end = device_execute(context->first, &context->fault);
        if (end != EXEC_DONE) {
            return driver_refused(context, end == EXEC_HUNG ? GSP_HUNG : GSP_ILLEGAL);
        }
        context->first = next;
    }
    context->last = NULL;
    return GSP_OK;
}

enum gsp_status gsp_synchronize(struct gsp_context *context)
{
    const enum gsp_status status = context->status;
    const struct gsp_turns *const turns = context->options.turns;

    if (status != GSP_OK || (!context->running && turns == NULL)) {
        return status;
    }
    context->running = false;
    if (context->gpu == NULL) {
        return execute(context);
    }
    switch (turns != NULL ? turns->wait(turns->self, context->gpu) : gpu_run(context->gpu)) {
    case GPU_DONE:
        return GSP_OK;
    case GPU_HUNG:
        context->fault = *gpu_fault(context->gpu);
        return driver_keep(context, GSP_HUNG);
    case GPU_ILLEGAL:
        context->fault = *gpu_fault(context->gpu);
        return driver_refused(context, GSP_ILLEGAL);
    case GPU_STOPPED:
    default:
        return driver_fail(context, GSP_STOPPED, "%s", "interrupted");
    }
}
