/* device_grid - see device_grid.h. */

#include "driver/device_grid.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver_context.h"

struct device_edge {
    struct device_edge *next;
    struct device_node *to;
};
/* Nodes and edges are used again; they are freed with all. */
enum { NODES = 64 };
struct node_chunk {
    struct node_chunk *next;
    struct device_node node[NODES];
    struct device_edge edge[NODES];
};

/* ---- Memory -------------------------------------------------------------------------- */

static bool add_chunk(struct device_runtime *d)
{
    struct node_chunk *const chunk = calloc(1u, sizeof *chunk);

    if (chunk == NULL) {
        return false;
    }
    chunk->next = d->chunk;
    d->chunk = chunk;
    for (uint32_t k = 0u; k < NODES; k++) {
        chunk->node[k].next = d->free_node;
        d->free_node = &chunk->node[k];
        chunk->edge[k].next = d->free_edge;
        d->free_edge = &chunk->edge[k];
    }
    return true;
}

/* It counts with the host's launch that has led to it. */
static void join_tree(struct driver_launch *launch)
{
    struct device_grid *const grid = &launch->grid;

    if (grid->origin == NULL) {
        grid->origin = launch;
        grid->tree.name = launch->exec.function->name;
    }
    launch->exec.tree = &grid->origin->grid.tree;
    launch->exec.tree->kernels++;
    grid->origin->grid.origin_of++;
}

/* The host's launch, where all count, stays until the last of them is freed. */
static void leave_tree(struct driver_launch *launch)
{
    struct driver_launch *const origin = launch->grid.origin;
    const bool last = --origin->grid.origin_of == 0u;

    if (launch != origin) {
        free(launch);
    }
    if (last) {
        free(origin);
    }
}

void device_add(struct gsp_context *context, struct driver_launch *launch)
{
    struct device_runtime *const d = &context->device;

    launch->grid.number = ++d->number;
    launch->grid.older = d->newest;
    if (d->newest != NULL) {
        d->newest->grid.newer = launch;
    }
    d->newest = launch;
    join_tree(launch);
}

/* What only the grid itself has used. */
static void free_used(struct device_runtime *d, struct device_grid *grid)
{
    while (grid->cta != NULL) {
        struct device_cta *const next = grid->cta->next;
        free(grid->cta->error);
        free(grid->cta);
        grid->cta = next;
    }
    while (grid->buffer != NULL) {
        struct pool_block *const next = grid->buffer->next;
        pool_give(&d->parameters, grid->buffer);
        grid->buffer = next;
    }
    free(grid->handle);
}

static void free_launch(struct device_runtime *d, struct driver_launch *launch)
{
    struct device_grid *const grid = &launch->grid;

    free_used(d, grid);
    *(grid->newer != NULL ? &grid->newer->grid.older : &d->newest) = grid->older;
    if (grid->older != NULL) {
        grid->older->grid.newer = grid->newer;
    }
    leave_tree(launch);
}

void device_drop(struct driver_launch *launch)
{
    free_launch(&launch->context->device, launch);
}

void device_close(struct gsp_context *context)
{
    struct device_runtime *const d = &context->device;

    while (d->newest != NULL) {
        free_launch(d, d->newest); /* NOLINT(clang-analyzer-unix.Malloc): none is newer */
    }
    while (d->chunk != NULL) {
        struct node_chunk *const next = d->chunk->next;
        free(d->chunk);
        d->chunk = next;
    }
    pool_close(&d->parameters);
    pool_close(&d->heap);
}

/* ---- Nodes --------------------------------------------------------------------------- */

static struct device_node *take_node(struct device_runtime *d, enum device_kind kind)
{
    if (d->free_node == NULL && !add_chunk(d)) {
        return NULL;
    }
    struct device_node *const node = d->free_node;
    d->free_node = node->next;
    *node = (struct device_node){ .serial = ++d->serial, .kind = kind };
    return node;
}

struct device_node *device_node(struct driver_launch *parent, struct device_cta *cta,
                                enum device_kind kind)
{
    struct device_runtime *const d = &parent->context->device;
    struct device_node *const node = take_node(d, kind);

    if (node != NULL) {
        node->parent = parent;
        node->cta = cta;
        parent->grid.live++;
        cta->live++;
        d->outstanding++;
    }
    return node;
}

struct device_node *device_place(struct driver_launch *launch)
{
    struct device_grid *const grid = &launch->grid;

    if (grid->node == NULL) {
        grid->node = take_node(&launch->context->device, NODE_GRID);
        if (grid->node != NULL) {
            grid->node->grid = launch;
            grid->node->kernel = grid->kernel;
        }
    }
    return grid->node;
}

struct device_ref device_ref(struct device_node *node)
{
    return (struct device_ref){ node, node->serial };
}

bool device_after(struct device_runtime *d, struct device_node *node, struct device_ref before)
{
    if (before.node == NULL || before.node->serial != before.serial) {
        return true;
    }
    if (d->free_edge == NULL && !add_chunk(d)) {
        return false;
    }
    struct device_edge *const edge = d->free_edge;
    d->free_edge = edge->next;
    *edge = (struct device_edge){ before.node->after, node };
    before.node->after = edge;
    node->waits++;
    return true;
}

static void make_ready(struct device_runtime *d, struct device_node *node)
{
    node->before = d->last_ready;
    node->next = NULL;
    *(d->last_ready == NULL ? &d->first_ready : &d->last_ready->next) = node;
    d->last_ready = node;
}

static struct device_node *take_ready(struct device_runtime *d, bool newest)
{
    struct device_node *const node = newest ? d->last_ready : d->first_ready;

    if (node != NULL) {
        *(node->before == NULL ? &d->first_ready : &node->before->next) = node->next;
        *(node->next == NULL ? &d->last_ready : &node->next->before) = node->before;
    }
    return node;
}

/* Those that wait for it wait for one less. Returns the grid that it belongs to. */
static struct driver_launch *complete_node(struct device_runtime *d, struct device_node *node)
{
    struct driver_launch *const parent = node->parent;

    while (node->after != NULL) {
        struct device_edge *const edge = node->after;
        node->after = edge->next;
        if (--edge->to->waits == 0u) {
            make_ready(d, edge->to);
        }
        edge->next = d->free_edge;
        d->free_edge = edge;
    }
    if (parent != NULL) {
        parent->grid.live--;
        if (--node->cta->live == 0u && node->cta->waits) {
            node->cta->waits = false;
            gpu_children_ended(d->context->gpu, parent->grid.kernel, node->cta->number);
        }
    } else if (d->context->gpu != NULL) {
        gpu_complete(d->context->gpu, node->kernel);
    }
    if (parent != NULL && node->kind != NODE_GRID) {
        d->outstanding--;
    }
    node->serial = 0u;
    node->next = d->free_node;
    d->free_node = node;
    return parent;
}

/* The tail launches of the node's grid come before those that wait to take its place; the first
 * of all takes it. */
static void take_place(struct device_node *node)
{
    struct device_grid *const grid = &node->grid->grid;

    if (grid->first_tail != NULL) {
        grid->last_tail->grid.next_tail = node->tail;
        node->tail = grid->first_tail;
    }
    node->grid = node->tail;
    if (node->tail != NULL) {
        node->tail = node->tail->grid.next_tail;
        node->grid->grid.node = node;
    }
}

/* Grids that are complete now: this one, and those that have launched it. */
static void complete_grids(struct device_runtime *d, struct driver_launch *launch)
{
    while (launch != NULL && launch->grid.over && launch->grid.live == 0u) {
        struct device_node *const node = launch->grid.node;
        const bool alone = launch->grid.by_device || node == NULL;
        if (launch->grid.by_device) {
            d->outstanding--;
        }
        if (alone && d->context->gpu != NULL) { /* otherwise with its tail launches */
            gpu_complete(d->context->gpu, launch->grid.kernel);
        }
        if (node != NULL) {
            take_place(node);
        }
        free_launch(d, launch);
        if (node != NULL && node->grid != NULL) {
            make_ready(d, node);
            return;
        }
        launch = node == NULL ? NULL : complete_node(d, node);
    }
}

/* ---- What runs ----------------------------------------------------------------------- */

/* What lies there was there when the operation was called; memory may have been freed since. */
static bool operate(struct gsp_context *context, const struct device_node *node,
                    struct fault *fault)
{
    void *const to = device_at(context->memory, node->to, node->bytes);

    if (to != NULL && node->kind == NODE_SET) {
        memset(to, node->value, (size_t)node->bytes);
        device_mark(context->memory, node->to, node->bytes);
        return true;
    }
    const void *const from = device_at(context->memory, node->from, node->bytes);
    if (to == NULL || from == NULL) {
        return fault_set(fault,
                         "%s: memory that an operation of its streams reaches is not there",
                         node->parent->exec.function->name);
    }
    memmove(to, from, (size_t)node->bytes);
    device_mark(context->memory, node->to, node->bytes);
    return true;
}

static enum exec_end run(struct device_runtime *d, struct device_node *node,
                         struct fault *fault)
{
    struct gsp_context *const context = d->context;
    struct driver_launch *const launch = node->grid;

    if (node->kind != NODE_GRID) {
        if (node->kind != NODE_MARK && !operate(context, node, fault)) {
            return EXEC_ILLEGAL;
        }
        complete_grids(d, complete_node(d, node));
        return EXEC_DONE;
    }
    if (context->gpu != NULL) {
        return d->on_gpu(launch, fault) ? EXEC_DONE : EXEC_ILLEGAL;
    }
    d->tell(launch);
    const enum exec_end end = exec_grid(context->exec, &launch->exec, fault);
    if (end == EXEC_DONE) {
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it is freed when the node is complete */
        launch->grid.over = true;
        complete_grids(d, launch);
    }
    return end;
}

/* All that may run; with timing, that goes to the GPU. */
static enum exec_end run_all(struct device_runtime *d, struct fault *fault)
{
    enum exec_end end = EXEC_DONE;
    struct device_node *node;

    while (end == EXEC_DONE && (node = take_ready(d, false)) != NULL) {
        end = run(d, node, fault);
    }
    return end;
}

bool device_submit(struct device_runtime *d, struct device_node *node, struct fault *fault)
{
    if (node->waits == 0u) {
        make_ready(d, node);
    }
    return d->context->gpu == NULL || run_all(d, fault) == EXEC_DONE;
}

bool device_ended(struct driver_launch *launch, struct fault *fault)
{
    struct device_runtime *const d = &launch->context->device;

    launch->grid.over = true;
    complete_grids(d, launch);
    return run_all(d, fault) == EXEC_DONE;
}

enum exec_end device_execute(struct driver_launch *launch, struct fault *fault)
{
    struct device_runtime *const d = &launch->context->device;
    const enum exec_end end = exec_grid(launch->context->exec, &launch->exec, fault);

    if (end != EXEC_DONE) {
        return end;
    }
    launch->grid.over = true;
    complete_grids(d, launch);
    return run_all(d, fault);
}

/* The newest first: it is of those that are waited for, or they of it, so waiting grids are no
 * deeper than launches. */
enum exec_end device_wait(struct gsp_context *context, const struct device_cta *cta,
                          struct fault *fault)
{
    struct device_runtime *const d = &context->device;
    enum exec_end end = EXEC_DONE;

    while (end == EXEC_DONE && cta->live > 0u) {
        struct device_node *const node = take_ready(d, true);
        if (node == NULL) {
            break;
        }
        end = run(d, node, fault);
    }
    return end;
}
