/* device_launch - kernels launched by kernels: parameters, shapes, and when a launch is
 * refused; see device_grid.h. */

#include <stdlib.h>
#include <string.h>

#include "driver/device_grid.h"
#include "driver/driver_context.h"

/* Without timing: as much as any GPU gives a CTA. */
enum { MOST_SHARED = 227 << 10, MOST_PARAMETERS = 64 << 10 };
/* Streams that are no handles. */
enum { STREAM_TAIL = 3, STREAM_FORGET = 4 };

/* What is to be launched. */
struct shape {
    const struct gsp_module *module;
    const struct ptx_function *function;
    uint32_t grid[3], block[3], shared;
};

/* ---- Shapes -------------------------------------------------------------------------- */

static bool find_entry(const struct gsp_context *context, uint64_t address, struct shape *shape)
{
    for (const struct gsp_module *m = context->modules; m != NULL; m = m->next) {
        const uint64_t offset = address - m->entry_base;
        if (offset / PTX_ENTRY_BYTES < m->ptx->n_function && offset % PTX_ENTRY_BYTES == 0u) {
            shape->module = m;
            shape->function = &m->ptx->function[offset / PTX_ENTRY_BYTES];
            return true;
        }
    }
    return false;
}

static void read_shape(const uint64_t *word, struct shape *shape)
{
    for (uint32_t k = 0u; k < 3u; k++) {
        shape->grid[k] = (uint32_t)word[k];
        shape->block[k] = (uint32_t)word[3u + k];
    }
    shape->shared = (uint32_t)word[6];
}

static bool is_possible(struct gsp_context *context, const struct shape *shape)
{
    static const uint32_t most_grid[] = { MOST_GRID_X, MOST_GRID_YZ, MOST_GRID_YZ };
    static const uint32_t most_block[] = { MOST_BLOCK_XY, MOST_BLOCK_XY, MOST_BLOCK_Z };
    const struct ptx_function *const f = shape->function;
    struct fault why;

    for (uint32_t k = 0u; k < 3u; k++) { /* 0 - 1 is more than any */
        if (shape->grid[k] - 1u >= most_grid[k] || shape->block[k] - 1u >= most_block[k]) {
            return false;
        }
    }
    const struct exec_launch exec =
        driver_describe(context, shape->module, f, shape->grid, shape->block, shape->shared);
    if (!driver_shape_allowed(&exec, &why)) {
        return false;
    }
    if (context->gpu == NULL) {
        return (uint64_t)f->shared_bytes + shape->shared <= MOST_SHARED;
    }
    const struct kernel_shape kernel = driver_shape(&exec, 0u, false);
    return gpu_can_launch(context->gpu, &kernel, &why);
}

/* ---- Parameters ---------------------------------------------------------------------- */

static bool give_buffer(struct driver_launch *by, struct device_cta *cta,
                        struct exec_call *call, const struct shape *shape, uint64_t bytes)
{
    struct gsp_context *const context = by->context;
    bool lacks = false;
    struct pool_block *const block =
        bytes > MOST_PARAMETERS
            ? NULL
            : pool_take(&context->device.parameters, context->memory, bytes, &lacks);

    if (block == NULL) {
        return lacks ? device_no_memory(call) : device_error(call, cta, DEVICE_NO_MEMORY);
    }
    block->by = by;
    block->module = shape->module;
    block->function = shape->function;
    memcpy(block->grid, shape->grid, sizeof block->grid);
    memcpy(block->block, shape->block, sizeof block->block);
    block->shared = shape->shared;
    block->next = by->grid.buffer;
    if (block->next != NULL) {
        block->next->before = block;
    }
    by->grid.buffer = block;
    call->result = block->address;
    return true;
}

static void take_back(struct driver_launch *by, struct pool_block *block)
{
    *(block->before != NULL ? &block->before->next : &by->grid.buffer) = block->next;
    if (block->next != NULL) {
        block->next->before = block->before;
    }
    pool_give(&by->context->device.parameters, block);
}

bool device_get_buffer(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    const uint64_t *const word = call->argument;
    struct shape shape = { .function = NULL };

    call->result = 0u;
    if (call->function == RUNTIME_GET_PARAMETER_BUFFER) {
        const bool aligned = word[0] <= 64u && (word[0] & (word[0] - 1u)) == 0u;
        return aligned ? give_buffer(by, cta, call, &shape, word[1] > 0u ? word[1] : 1u)
                       : device_error(call, cta, DEVICE_INVALID_VALUE);
    }
    if (!find_entry(by->context, word[0], &shape)) {
        return device_error(call, cta, DEVICE_NO_FUNCTION);
    }
    read_shape(word + 1, &shape);
    if (!is_possible(by->context, &shape)) {
        return device_error(call, cta, DEVICE_CONFIGURATION);
    }
    const uint32_t bytes = shape.function->param_bytes;
    return give_buffer(by, cta, call, &shape, bytes > 0u ? bytes : 1u);
}

/* ---- Launches ------------------------------------------------------------------------ */

/* Without LaPerm's units there are no groups. */
static bool is_group(const struct gpu_config *config, const struct exec_call *call)
{
    return config->cdp.groups
           || (call->function == RUNTIME_LAUNCH_GROUP && config->laperm.mode != BIND_OFF);
}

static uint64_t latency_of(const struct gpu_config *config, bool group, uint32_t lanes)
{
    return group ? config->cdp.group_latency + (uint64_t)config->cdp.group_lane_latency * lanes
                 : config->cdp.launch_latency + (uint64_t)config->cdp.lane_latency * lanes;
}

static struct driver_launch *make(struct driver_launch *by, const struct exec_call *call,
                                  const struct shape *shape, const struct pool_block *block)
{
    struct gsp_context *const context = by->context;
    const struct gpu_config *const config = &context->config;
    const struct ptx_function *const f = shape->function;
    const bool group = is_group(config, call);
    struct driver_launch *const launch = calloc(1u, sizeof *launch + f->param_bytes);

    if (launch == NULL) {
        return NULL;
    }
    launch->context = context;
    launch->exec =
        driver_describe(context, shape->module, f, shape->grid, shape->block, shape->shared);
    launch->exec.params = launch->params;
    launch->grid = (struct device_grid){
        .depth = by->grid.depth,
        .by_device = true,
        .origin = by->grid.origin,
        .stream = by->grid.stream,
        .parent = by->grid.kernel,
        .priority = by->grid.priority,
        .sm = context->gpu == NULL ? 0u : gpu_calling_sm(context->gpu),
        .group = group,
        .launched = call->cycle,
        .arrival = call->cycle + latency_of(config, group, call->lanes),
    };
    if (block != NULL && f->param_bytes > 0u) {
        memcpy(launch->params, device_at(context->memory, block->address, f->param_bytes),
               f->param_bytes);
    }
    device_add(context, launch);
    return launch;
}

/* The launch waits to take the place of the grid that makes it. */
static bool add_tail(struct driver_launch *by, struct driver_launch *launch,
                     struct exec_call *call)
{
    struct device_grid *const grid = &by->grid;

    if (device_place(by) == NULL) {
        return device_no_memory(call);
    }
    *(grid->first_tail == NULL ? &grid->first_tail : &grid->last_tail->grid.next_tail) = launch;
    grid->last_tail = launch;
    by->context->device.outstanding++;
    return true;
}

/* The launch is behind the last of its stream; last: NULL for a stream of its own. */
static bool add_child(struct driver_launch *by, struct device_cta *cta,
                      struct driver_launch *launch, struct device_ref *last,
                      struct exec_call *call)
{
    struct device_runtime *const d = &by->context->device;
    struct device_node *const node =
        device_place(by) == NULL ? NULL : device_node(by, cta, NODE_GRID);

    launch->grid.depth++;
    launch->grid.priority++;
    if (node == NULL) {
        return device_no_memory(call);
    }
    node->grid = launch;
    launch->grid.node = node;
    if (last != NULL) {
        if (!device_after(d, node, *last)) {
            return device_no_memory(call);
        }
        *last = device_ref(node);
    }
    call->located = true; /* what may fail now is said of the GPU */
    return device_submit(d, node, call->fault);
}

/* Why it is refused, or DEVICE_OK. */
static enum device_error refuse(const struct driver_launch *by, const struct shape *shape,
                                const struct pool_block *block, uint64_t stream,
                                const struct device_ref *last)
{
    const struct gpu_config *const config = &by->context->config;
    const uint32_t bytes = shape->function->param_bytes;

    if (block == NULL ? bytes > 0u : block->bytes < bytes) {
        return DEVICE_INVALID_VALUE;
    }
    if (stream != STREAM_TAIL && stream != STREAM_FORGET && last == NULL) {
        return DEVICE_NO_HANDLE;
    }
    if (stream != STREAM_TAIL && by->grid.depth >= config->cdp.depth) {
        return DEVICE_DEPTH;
    }
    return by->context->device.outstanding >= config->cdp.pending ? DEVICE_PENDING : DEVICE_OK;
}

static bool start(struct driver_launch *by, struct device_cta *cta, struct exec_call *call,
                  const struct shape *shape, struct pool_block *block, uint64_t stream)
{
    struct device_ref *const last = device_stream(by, cta, stream);
    const enum device_error error = refuse(by, shape, block, stream, last);
    struct driver_launch *launch;

    if (error != DEVICE_OK) {
        return device_error(call, cta, error);
    }
    launch = make(by, call, shape, block);
    const uint32_t level = by->grid.depth + (stream == STREAM_TAIL ? 0u : 1u);
    if (launch == NULL || !driver_footprint(launch, call->footprint, level)) {
        return device_no_memory(call);
    }
    return stream == STREAM_TAIL ? add_tail(by, launch, call)
                                 : add_child(by, cta, launch, last, call);
}

bool device_launch_call(struct driver_launch *by, struct device_cta *cta,
                        struct exec_call *call)
{
    const uint64_t *const word = call->argument;
    const bool old = call->function == RUNTIME_LAUNCH_DEVICE;
    const uint64_t address = old ? word[1] : word[0];
    struct pool_block *const found = pool_find(&by->context->device.parameters, address);
    struct pool_block *const block = found != NULL && found->by == by ? found : NULL;
    struct shape shape = { .function = NULL };

    if (old) {
        if (!find_entry(by->context, word[0], &shape)) {
            return device_error(call, cta, DEVICE_NO_FUNCTION);
        }
        read_shape(word + 2, &shape);
        if (!is_possible(by->context, &shape)) {
            return device_error(call, cta, DEVICE_CONFIGURATION);
        }
    } else if (block != NULL) {
        shape = (struct shape){ .module = block->module,
                                .function = block->function,
                                .shared = block->shared };
        memcpy(shape.grid, block->grid, sizeof shape.grid);
        memcpy(shape.block, block->block, sizeof shape.block);
    }
    if (shape.function == NULL || (block == NULL && address != 0u)) {
        return device_error(call, cta, DEVICE_INVALID_VALUE);
    }
    const bool good = start(by, cta, call, &shape, block, old ? word[9] : word[1]);
    if (block != NULL) {
        take_back(by, block);
    }
    return good;
}
