/* device_stream - streams and events that kernels create, and the operations of streams; see
 * device_grid.h. */

#include <inttypes.h>
#include <stdlib.h>

#include "driver/device_grid.h"
#include "driver/driver_context.h"

enum {
    NON_BLOCKING = 1,   /* the only flag of streams */
    DISABLE_TIMING = 2, /* and of events */
    HANDLE_BITS = 20,   /* of a handle: its place among those of its grid */
    COPY_ON_DEVICE = 3,
    COPY_BY_ADDRESS = 4,
};

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

bool device_create(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    struct device_grid *const grid = &by->grid;
    const bool stream = call->function == RUNTIME_STREAM_CREATE;

    if (call->argument[1] != (stream ? NON_BLOCKING : DISABLE_TIMING)
        || call->argument[0] == 0u) {
        return device_error(call, cta, DEVICE_INVALID_VALUE);
    }
    if (grid->n_handle >> HANDLE_BITS != 0u) {
        return device_error(call, cta, DEVICE_NO_MEMORY);
    }
    if (grid->n_handle == grid->room_handle) {
        const uint32_t room = grid->room_handle == 0u ? 8u : 2u * grid->room_handle;
        struct device_handle *const more = realloc(grid->handle, room * sizeof *more);
        if (more == NULL) {
            return device_no_memory(call);
        }
        grid->handle = more;
        grid->room_handle = room;
    }
    const uint64_t handle = grid->number << HANDLE_BITS | grid->n_handle;
    grid->handle[grid->n_handle++] =
        (struct device_handle){ .kind = stream ? HANDLE_STREAM : HANDLE_EVENT };
    return device_store(call, call->argument[0], &handle, sizeof handle);
}

/* What has been launched into a stream goes on. */
bool device_destroy(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
{
    const bool stream = call->function == RUNTIME_STREAM_DESTROY;
    struct device_handle *const handle =
        handle_of(by, call->argument[0], stream ? HANDLE_STREAM : HANDLE_EVENT);

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
    return stream != NULL                 ? DEVICE_OK
           : handle == 3u || handle == 4u ? DEVICE_INVALID_VALUE
                                          : DEVICE_NO_HANDLE;
}

bool device_record(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
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
        return device_no_memory(call);
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

bool device_wait_event(struct driver_launch *by, struct device_cta *cta, struct exec_call *call)
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

bool device_copy_or_set(struct driver_launch *by, struct device_cta *cta,
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
