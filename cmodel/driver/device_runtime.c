/* device_runtime - calls of CUDA's device runtime: streams, events, errors, memory; launches are
 * in device_launch.c. See device_grid.h. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "driver/device_grid.h"
#include "driver/driver_context.h"

enum {
    NON_BLOCKING = 1,   /* the only flag of streams */
    DISABLE_TIMING = 2, /* and of events */
    HANDLE_BITS = 20,   /* of a handle: its place among those of its grid */
    COPY_ON_DEVICE = 3,
    COPY_BY_ADDRESS = 4,
    SYNC_LEVELS = 2,  /* of grids that may wait, the host's included */
    VERSION = 13000, /* of the runtime */
};

/* ---- What a CTA has ------------------------------------------------------------------ */

static bool no_memory(struct exec_call *call)
{
    call->located = true;
    return fault_surroundings(call->fault, "no memory for what a kernel launches");
}

static struct device_cta *cta_of(struct driver_launch *by, struct exec_call *call)
{
    struct device_cta *cta = *call->of_cta;

    if (cta == NULL) {
        cta = calloc(1u, sizeof *cta);
        if (cta != NULL) {
            const uint32_t *const block = by->exec.block;
            cta->threads = block[0] * block[1] * block[2];
            cta->next = by->grid.cta;
            by->grid.cta = cta;
        }
        *call->of_cta = cta;
    }
    return cta;
}

bool device_error(struct exec_call *call, struct device_cta *cta, enum device_error error)
{
    const bool pointer = call->function == RUNTIME_GET_PARAMETER_BUFFER
                         || call->function == RUNTIME_GET_PARAMETER_BUFFER_V2;

    call->result = pointer ? 0u : (uint64_t)error;
    if (error == DEVICE_OK) {
        return true;
    }
    if (cta->error == NULL) {
        cta->error = calloc(cta->threads, sizeof *cta->error);
    }
    if (cta->error == NULL) {
        return no_memory(call);
    }
    cta->error[call->thread] = error;
    return true;
}

static bool last_error(struct exec_call *call, struct device_cta *cta)
{
    call->result = cta->error == NULL ? 0u : cta->error[call->thread];
    if (cta->error != NULL && call->function == RUNTIME_GET_LAST_ERROR) {
        cta->error[call->thread] = DEVICE_OK;
    }
    return true;
}

static bool store(struct exec_call *call, uint64_t address, const void *from, uint32_t bytes)
{
    call->result = DEVICE_OK;
    return exec_call_store(call, address, from, bytes)
           || fault_set(call->fault,
                        "the address 0x%" PRIx64 " for its result is not that of %" PRIu32
                        " bytes that can be written",
                        address, bytes);
}

static bool store_int(struct exec_call *call, uint64_t address, uint32_t value)
{
    return store(call, address, &value, sizeof value);
}

/* ---- Streams and events -------------------------------------------------------------- */

static struct device_handle *handle_of(const struct driver_launch *by, uint64_t handle,
                                       enum device_handle_kind kind)
{
    const uint64_t at = handle & ((UINT64_C(1) << HANDLE_BITS) - 1u);
    const struct device_grid *const grid = &by->grid;

    return handle >> HANDLE_BITS == grid->number && at < grid->n_handle
                   && grid->handle[at].kind == kind
               ? &grid->handle[at]
               : NULL;
}

struct device_ref *device_stream(struct driver_launch *by, struct device_cta *cta,
                                 uint64_t handle)
{
    enum { PER_THREAD = 2 };

    if (handle <= PER_THREAD) {
        return &cta->last;
    }
    struct device_handle *const found = handle_of(by, handle, HANDLE_STREAM);
    return found == NULL ? NULL : &found->last;
}

static bool create(struct driver_launch *by, struct device_cta *cta, struct exec_call *call,
                   enum device_handle_kind kind, uint32_t flags)
{
    struct device_grid *const grid = &by->grid;

    if (call->argument[1] != flags || call->argument[0] == 0u) {
        return device_error(call, cta, DEVICE_INVALID_VALUE);
    }
    if (grid->n_handle >> HANDLE_BITS != 0u) {
        return device_error(call, cta, DEVICE_NO_MEMORY);
    }
    if (grid->n_handle == grid->room_handle) {
        const uint32_t room = grid->room_handle == 0u ? 8u : 2u * grid->room_handle;
        struct device_handle *const more = realloc(grid->handle, room * sizeof *more);
        if (more == NULL) {
            return no_memory(call);
        }
        grid->handle = more;
        grid->room_handle = room;
    }
    const uint64_t handle = grid->number << HANDLE_BITS | grid->n_handle;
    grid->handle[grid->n_handle++] = (struct device_handle){ .kind = kind };
    return store(call, call->argument[0], &handle, sizeof handle);
}

/* What has been launched into a stream goes on. */
static bool destroy(struct driver_launch *by, struct device_cta *cta, struct exec_call *call,
                    enum device_handle_kind kind)
{
    struct device_handle *const handle = handle_of(by, call->argument[0], kind);

    if (handle == NULL) {
        return device_error(call, cta, DEVICE_NO_HANDLE);
    }
    handle->kind = HANDLE_NONE;
    call->result = DEVICE_OK;
    return true;
}

/* Tail launches and those without an order take no events. */
static enum device_error refuse_stream(const struct device_ref *stream, uint64_t handle)
{
    return stream != NULL              ? DEVICE_OK
           : handle == 3u || handle == 4u ? DEVICE_INVALID_VALUE
                                       : DEVICE_NO_HANDLE;
}

static bool record(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    struct device_handle *const event = handle_of(by, call->argument[0], HANDLE_EVENT);
    const uint64_t handle = call->argument[1];
    const struct device_ref *const stream = device_stream(by, cta, handle);

    if (event == NULL || stream == NULL) {
        return device_error(call, cta,
                            event == NULL ? DEVICE_NO_HANDLE : refuse_stream(stream, handle));
    }
    event->last = *stream;
    call->result = DEVICE_OK;
    return true;
}

/* The node is behind the last of the stream, and behind `also`. */
static bool add_operation(struct driver_launch *by, struct exec_call *call,
                          struct device_node *node, struct device_ref *stream,
                          struct device_ref also)
{
    struct device_runtime *const d = &by->context->device;

    if (node == NULL || !device_after(d, node, *stream) || !device_after(d, node, also)) {
        return no_memory(call);
    }
    *stream = device_ref(node);
    call->result = DEVICE_OK;
    call->located = true;
    return device_submit(d, node, call->fault);
}

static struct device_node *operation(struct driver_launch *by, struct device_cta *cta,
                                     enum device_kind kind)
{
    return device_place(by) == NULL ? NULL : device_node(by, cta, kind);
}

static bool is_full(const struct driver_launch *by)
{
    return by->context->device.outstanding >= by->context->config.cdp.pending;
}

static bool wait_event(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    const uint64_t handle = call->argument[0];
    struct device_ref *const stream = device_stream(by, cta, handle);
    const struct device_handle *const event = handle_of(by, call->argument[1], HANDLE_EVENT);

    if (event == NULL || stream == NULL) {
        return device_error(call, cta,
                            event == NULL ? DEVICE_NO_HANDLE : refuse_stream(stream, handle));
    }
    if (call->argument[2] != 0u || is_full(by)) {
        return device_error(call, cta, is_full(by) ? DEVICE_PENDING : DEVICE_INVALID_VALUE);
    }
    return add_operation(by, call, operation(by, cta, NODE_MARK), stream, event->last);
}

/* ---- Copies -------------------------------------------------------------------------- */

/* Not the shared or local memory of the caller, nor constants. */
static bool is_global(uint64_t address)
{
    return address < DEVICE_LIMIT;
}

static bool outside(struct gsp_context *context, struct exec_call *call, uint64_t address)
{
    char where[160];

    device_describe(context->memory, address, where, sizeof where);
    return fault_set(call->fault, "bytes at 0x%" PRIx64 " are not within one allocation: %s",
                     address, where);
}

static bool copy_or_set(struct driver_launch *by, struct device_cta *cta,
                        struct exec_call *call)
{
    struct gsp_context *const context = by->context;
    const uint64_t *const word = call->argument;
    const bool copy = call->function == RUNTIME_MEMCPY_ASYNC;
    const uint64_t handle = word[copy ? 4 : 3];
    struct device_ref *const stream = device_stream(by, cta, handle);
    const bool kind = !copy || word[3] == COPY_ON_DEVICE || word[3] == COPY_BY_ADDRESS;

    if (stream == NULL) {
        return device_error(call, cta, refuse_stream(stream, handle));
    }
    if (!kind || !is_global(word[0]) || (copy && !is_global(word[1])) || is_full(by)) {
        return device_error(call, cta, is_full(by) ? DEVICE_PENDING : DEVICE_INVALID_VALUE);
    }
    if (device_at(context->memory, word[0], word[2]) == NULL) {
        return outside(context, call, word[0]);
    }
    if (copy && device_at(context->memory, word[1], word[2]) == NULL) {
        return outside(context, call, word[1]);
    }
    struct device_node *const node = operation(by, cta, copy ? NODE_COPY : NODE_SET);
    if (node != NULL) {
        node->to = word[0];
        node->from = word[1];
        node->value = (uint8_t)word[1];
        node->bytes = word[2];
    }
    return add_operation(by, call, node, stream, (struct device_ref){ .node = NULL });
}

/* ---- The heap ------------------------------------------------------------------------ */

static bool allocate(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    struct gsp_context *const context = by->context;
    const bool plain = call->function == RUNTIME_MALLOC;
    const uint64_t bytes = call->argument[plain ? 0 : 1];
    const struct pool_block *const block =
        bytes == 0u ? NULL : pool_take(&context->device.heap, context->memory, bytes);
    const uint64_t address = block == NULL ? 0u : block->address;

    if (plain) {
        call->result = address;
        return true;
    }
    if (call->argument[0] == 0u || (bytes > 0u && block == NULL)) {
        return device_error(call, cta,
                            block == NULL ? DEVICE_NO_MEMORY : DEVICE_INVALID_VALUE);
    }
    return store(call, call->argument[0], &address, sizeof address);
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
        { 2u, 1024u },
        { 3u, 1024u },
        { 4u, 64u },
        { 5u, INT32_MAX }, /* blocks of a grid in x, y, z */
        { 6u, UINT16_MAX },
        { 7u, UINT16_MAX },
        { 8u, c->sm.shared_bytes }, /* of a block */
        { 10u, WARP_SIZE },
        { 12u, c->sm.registers },    /* of a block */
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
                           : call->argument[1] == PENDING
                               ? by->context->config.cdp.pending
                               : 0u;

    return value == 0u ? device_error(call, cta, DEVICE_INVALID_VALUE)
                       : store(call, call->argument[0], &value, sizeof value);
}

/* ---- Calls --------------------------------------------------------------------------- */

static bool synchronise(struct driver_launch *by, struct device_cta *cta,
                        struct exec_call *call)
{
    struct gsp_context *const context = by->context;

    if (context->gpu != NULL) {
        return fault_set(call->fault, "a CTA that waits for its children has no timing; allowed: "
                                      "runs without timing, and tail launches");
    }
    if (by->grid.depth >= SYNC_LEVELS) {
        return device_error(call, cta, DEVICE_SYNC_DEPTH);
    }
    call->result = DEVICE_OK;
    call->located = device_wait(context, cta, call->fault) != EXEC_DONE;
    return !call->located
           && (cta->live == 0u
               || fault_set(call->fault, "a child waits for a grid that waits for it"));
}

static bool call_runtime(void *self, struct exec_call *call)
{
    struct driver_launch *const by = driver_launch_of(call->launch);
    struct device_cta *const cta = cta_of(by, call);

    (void)self;
    if (cta == NULL) {
        return no_memory(call);
    }
    switch (call->function) {
    case RUNTIME_GET_PARAMETER_BUFFER:
    case RUNTIME_GET_PARAMETER_BUFFER_V2:
        return device_get_buffer(by, cta, call);
    case RUNTIME_LAUNCH_DEVICE:
    case RUNTIME_LAUNCH_DEVICE_V2:
        return device_launch_call(by, cta, call);
    case RUNTIME_GET_LAST_ERROR:
    case RUNTIME_PEEK_AT_LAST_ERROR:
        return last_error(call, cta);
    case RUNTIME_DEVICE_SYNCHRONIZE:
        return synchronise(by, cta, call);
    case RUNTIME_STREAM_CREATE:
        return create(by, cta, call, HANDLE_STREAM, NON_BLOCKING);
    case RUNTIME_STREAM_DESTROY:
        return destroy(by, cta, call, HANDLE_STREAM);
    case RUNTIME_STREAM_WAIT_EVENT:
        return wait_event(by, cta, call);
    case RUNTIME_EVENT_CREATE:
        return create(by, cta, call, HANDLE_EVENT, DISABLE_TIMING);
    case RUNTIME_EVENT_RECORD:
        return record(by, cta, call);
    case RUNTIME_EVENT_DESTROY:
        return destroy(by, cta, call, HANDLE_EVENT);
    case RUNTIME_MEMCPY_ASYNC:
    case RUNTIME_MEMSET_ASYNC:
        return copy_or_set(by, cta, call);
    case RUNTIME_CUDA_MALLOC:
    case RUNTIME_MALLOC:
        return allocate(by, cta, call);
    case RUNTIME_CUDA_FREE:
    case RUNTIME_FREE:
        return release(by, cta, call);
    case RUNTIME_GET_DEVICE:
        return store_int(call, call->argument[0], 0u);
    case RUNTIME_GET_DEVICE_COUNT:
        return store_int(call, call->argument[0], 1u);
    case RUNTIME_DEVICE_GET_ATTRIBUTE:
        return attribute(by, cta, call);
    case RUNTIME_DEVICE_GET_LIMIT:
        return limit(by, cta, call);
    case RUNTIME_RUNTIME_GET_VERSION:
    default:
        return store_int(call, call->argument[0], VERSION);
    }
}

void device_open(struct gsp_context *context)
{
    struct device_runtime *const d = &context->device;

    d->context = context;
    d->exec = (struct exec_runtime){ .self = context, .call = call_runtime };
    d->parameters.limit = UINT64_MAX;
    d->heap.limit = UINT64_C(8) << 20; /* CUDA's default */
}
