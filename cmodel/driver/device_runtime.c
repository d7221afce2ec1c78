/* device_runtime - calls of CUDA's device runtime: streams, events, errors, memory; launches
 * are in device_launch.c. See device_grid.h. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "driver/device_grid.h"
#include "driver/driver_context.h"

enum {
    SYNC_LEVELS = 2, /* of grids that may wait, the host's included */
    VERSION = 13000, /* of the runtime */
};

/* ---- What a CTA has ------------------------------------------------------------------ */

static struct device_cta *cta_of(struct driver_launch *by, struct exec_call *call)
{
    struct device_cta *cta = *call->of_cta;

    if (cta == NULL) {
        cta = calloc(1u, sizeof *cta);
        if (cta != NULL) {
            const uint32_t *const block = by->exec.block;
            cta->number = call->cta;
            cta->threads = block[0] * block[1] * block[2];
            cta->next = by->grid.cta;
            by->grid.cta = cta;
        }
        *call->of_cta = cta;
    }
    return cta;
}

static bool last_error(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    (void)by;
    call->result = cta->error == NULL ? 0u : cta->error[call->thread];
    if (cta->error != NULL && call->function == RUNTIME_GET_LAST_ERROR) {
        cta->error[call->thread] = DEVICE_OK;
    }
    return true;
}

static bool store_int(struct exec_call *call, uint64_t address, uint32_t value)
{
    return device_store(call, address, &value, sizeof value);
}

/* ---- The heap ------------------------------------------------------------------------ */

static bool allocate(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    struct gsp_context *const context = by->context;
    const bool plain = call->function == RUNTIME_MALLOC;
    const uint64_t bytes = call->argument[plain ? 0 : 1];
    bool lacks = false;
    const struct pool_block *const block =
        bytes == 0u ? NULL : pool_take(&context->device.heap, context->memory, bytes, &lacks);
    const uint64_t address = block == NULL ? 0u : block->address;

    if (lacks) {
        return device_no_memory(call);
    }
    if (plain) {
        call->result = address;
        return true;
    }
    if (call->argument[0] == 0u || (bytes > 0u && block == NULL)) {
        return device_error(call, cta, block == NULL ? DEVICE_NO_MEMORY : DEVICE_INVALID_VALUE);
    }
    return device_store(call, call->argument[0], &address, sizeof address);
}

static bool release(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    const uint64_t address = call->argument[0];
    struct pool_block *const block = pool_find(&by->context->device.heap, address);

    call->result = DEVICE_OK;
    if (address == 0u) {
        return true;
    }
    if (block != NULL) {
        pool_give(&by->context->device.heap, block);
        return true;
    }
    return call->function == RUNTIME_CUDA_FREE
               ? device_error(call, cta, DEVICE_INVALID_VALUE)
               : fault_set(call->fault,
                           "0x%" PRIx64 " has not been allocated by malloc, or has been freed",
                           address);
}

/* ---- Queries ------------------------------------------------------------------------- */

static bool attribute(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    const struct gpu_config *const c = &by->context->config;
    const struct {
        uint32_t number, value;
    } known[] = {
        { 1u, 1024u }, /* threads of a block; in x, y, z */
        { 2u, MOST_BLOCK_XY },
        { 3u, MOST_BLOCK_XY },
        { 4u, MOST_BLOCK_Z },
        { 5u, MOST_GRID_X }, /* blocks of a grid in x, y, z */
        { 6u, MOST_GRID_YZ },
        { 7u, MOST_GRID_YZ },
        { 8u, c->sm.shared_bytes }, /* of a block */
        { 10u, WARP_SIZE },
        { 12u, c->sm.registers },       /* of a block */
        { 13u, c->clock.core * 1000u }, /* kHz */
        { 16u, c->sm.count },
        { 39u, c->sm.threads },      /* of an SM */
        { 81u, c->sm.shared_bytes }, /* of an SM */
        { 82u, c->sm.registers },
        { 106u, c->sm.cta_slots },
    };

    for (uint32_t k = 0u; k < sizeof known / sizeof known[0]; k++) {
        if (call->argument[1] == known[k].number && call->argument[2] == 0u) {
            return store_int(call, call->argument[0], known[k].value);
        }
    }
    return device_error(call, cta, DEVICE_INVALID_VALUE);
}

static bool limit(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    enum { HEAP = 2, SYNC_DEPTH, PENDING };
    const uint64_t value = call->argument[1] == HEAP         ? by->context->device.heap.limit
                           : call->argument[1] == SYNC_DEPTH ? SYNC_LEVELS
                           : call->argument[1] == PENDING    ? by->context->config.cdp.pending
                                                             : 0u;

    return value == 0u ? device_error(call, cta, DEVICE_INVALID_VALUE)
                       : device_store(call, call->argument[0], &value, sizeof value);
}

static bool number(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    (void)by;
    (void)cta;
    return store_int(call, call->argument[0],
                     call->function == RUNTIME_GET_DEVICE         ? 0u
                     : call->function == RUNTIME_GET_DEVICE_COUNT ? 1u
                                                                  : VERSION);
}

/* ---- Calls --------------------------------------------------------------------------- */

static bool synchronise(struct driver_launch *by, struct device_cta *cta,
                        struct exec_call *call)
{
    struct gsp_context *const context = by->context;

    if (by->grid.depth >= SYNC_LEVELS) {
        return device_error(call, cta, DEVICE_SYNC_DEPTH);
    }
    call->result = DEVICE_OK;
    if (context->gpu != NULL) {
        call->waits = cta->waits = cta->live != 0u;
        return true;
    }
    call->located = device_wait(context, cta, call->fault) != EXEC_DONE;
    return !call->located
           && (cta->live == 0u
               || fault_set(call->fault, "a child waits for a grid that waits for it"));
}

/* By enum ptx_runtime. */
static device_call *const calls[PTX_RUNTIME_COUNT] = {
    [RUNTIME_GET_PARAMETER_BUFFER] = device_get_buffer,
    [RUNTIME_GET_PARAMETER_BUFFER_V2] = device_get_buffer,
    [RUNTIME_LAUNCH_DEVICE] = device_launch_call,
    [RUNTIME_LAUNCH_DEVICE_V2] = device_launch_call,
    [RUNTIME_LAUNCH_GROUP] = device_launch_call,
    [RUNTIME_GET_LAST_ERROR] = last_error,
    [RUNTIME_PEEK_AT_LAST_ERROR] = last_error,
    [RUNTIME_DEVICE_SYNCHRONIZE] = synchronise,
    [RUNTIME_STREAM_CREATE] = device_create,
    [RUNTIME_STREAM_DESTROY] = device_destroy,
    [RUNTIME_STREAM_WAIT_EVENT] = device_wait_event,
    [RUNTIME_EVENT_CREATE] = device_create,
    [RUNTIME_EVENT_RECORD] = device_record,
    [RUNTIME_EVENT_DESTROY] = device_destroy,
    [RUNTIME_MEMCPY_ASYNC] = device_copy_or_set,
    [RUNTIME_MEMSET_ASYNC] = device_copy_or_set,
    [RUNTIME_CUDA_MALLOC] = allocate,
    [RUNTIME_CUDA_FREE] = release,
    [RUNTIME_MALLOC] = allocate,
    [RUNTIME_FREE] = release,
    [RUNTIME_GET_DEVICE] = number,
    [RUNTIME_GET_DEVICE_COUNT] = number,
    [RUNTIME_DEVICE_GET_ATTRIBUTE] = attribute,
    [RUNTIME_DEVICE_GET_LIMIT] = limit,
    [RUNTIME_RUNTIME_GET_VERSION] = number,
};

static bool call_runtime(void *self, struct exec_call *call)
{
    struct driver_launch *const by = driver_launch_of(call->launch);
    struct device_cta *const cta = cta_of(by, call);

    (void)self;
    return cta == NULL ? device_no_memory(call) : calls[call->function](by, cta, call);
}

static bool has_parameters(void *self, uint64_t address)
{
    const struct gsp_context *const context = self;

    return pool_has(&context->device.parameters, address);
}

void device_open(struct gsp_context *context, device_run *on_gpu, device_told *tell)
{
    struct device_runtime *const d = &context->device;

    d->context = context;
    d->on_gpu = on_gpu;
    d->tell = tell;
    d->exec =
        (struct exec_runtime){ .self = context, .call = call_runtime, .has = has_parameters };
    d->parameters.limit = UINT64_C(128) << 20; /* 2,048 of the largest */
    d->heap.limit = UINT64_C(8) << 20;         /* CUDA's default */
}
