/* plain_launch - kernels that launch kernels; see plain.h. A kernel runs when the one that has
 * launched it has ended, in the order of launches. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

enum { FIRE_AND_FORGET = 4 }; /* the stream of a launch that waits for nothing */

/* A child, from the call that gives its parameters a place. */
struct child {
    struct plain_launch launch;
    uint64_t params; /* in the device's memory */
    bool launched;
};
struct plain_queue {
    struct child *child;
    uint32_t n, room;
};

uint64_t plain_entry(const struct ptx_build *b, const struct ptx_symbol *entry)
{
    uint64_t number = 0u;
    for (uint32_t k = 0u; b->routines.at[k] != entry->routine; k++) {
        number += b->routines.at[k]->entry ? 1u : 0u;
    }
    return number;
}

/* ---- Statements ---------------------------------------------------------------------- */

static const struct ptx_object *object_of(struct ptx_build *b, const struct ptx_node *node,
                                          const struct ptx_term *term)
{
    struct ptx_scope *const scope = b->scope;
    b->scope = node->scope;
    const struct ptx_symbol *const s = ptx_find(b, term->name);
    b->scope = scope;
    return s != NULL && s->kind == SYMBOL_VARIABLE ? s->object : NULL;
}

bool plain_read_call(struct ptx_build *b, const struct ptx_node *node,
                     struct plain_statement *s)
{
    static const char *const names[] = { [CALL_BUFFER] = "__cudaCDP2GetParameterBufferV2",
                                         [CALL_LAUNCH] = "__cudaCDP2LaunchDeviceV2",
                                         [CALL_GROUP] = "__cudaCDP2LaunchAggGroup",
                                         [CALL_ERROR] = "__cudaCDP2GetLastError" };
    const char *const name = node->call->name;
    uint32_t n = 0u;
    s->inst.n_src = 0u;
    while (n <= CALL_ERROR && strcmp(name, names[n]) != 0) {
        n++;
    }
    if (n > CALL_ERROR) {
        return ptx_fail(b, s->inst.line, "a call");
    }
    s->call = (enum plain_call)n;
    n = 0u;
    for (const struct ptx_term *t = node->call->arguments; t != NULL; t = t->next) {
        const struct ptx_object *const object = object_of(b, node, t);
        if (object == NULL || n == 4u) {
            return ptx_fail(b, s->inst.line, "a call with something else");
        }
        s->argument[n++] = object->variable.address;
    }
    const struct ptx_object *const result = object_of(b, node, node->call->results);
    s->result = result == NULL ? 0u : result->variable.address;
    return result != NULL;
}

static void begin(struct plain_cta *c, const struct plain_statement *s, uint8_t *local)
{
    const struct plain_launch *const by = c->launch;
    struct plain_queue *const q = by->queue;
    uint64_t kernel;
    if (q->n == q->room) {
        q->room = q->room == 0u ? 64u : 2u * q->room;
        q->child = realloc(q->child, q->room * sizeof *q->child);
    }
    struct child *const child = &q->child[q->n++];
    *child =
        (struct child){ .launch = { .queue = q, .module = by->module, .memory = by->memory } };
    memcpy(&kernel, local + s->argument[0], sizeof kernel);
    memcpy(child->launch.grid, local + s->argument[1], sizeof child->launch.grid);
    memcpy(child->launch.block, local + s->argument[2], sizeof child->launch.block);
    memcpy(&child->launch.dynamic_shared, local + s->argument[3], 4u);
    child->launch.kernel = &by->module->kernel[kernel];
    child->params = device_alloc(by->memory, child->launch.kernel->param_bytes + 1u);
    memcpy(local + s->result, &child->params, sizeof child->params);
}

static void launch(struct plain_cta *c, const struct plain_statement *s, uint8_t *local)
{
    const struct plain_queue *const q = c->launch->queue;
    const uint32_t done = 0u;
    uint64_t params, stream;
    memcpy(&params, local + s->argument[0], sizeof params);
    memcpy(&stream, local + s->argument[1], sizeof stream);
    for (uint32_t k = q->n; k-- > 0u;) {
        if (q->child[k].params == params && (stream == 0u || stream == FIRE_AND_FORGET)) {
            q->child[k].launched = true;
            memcpy(local + s->result, &done, sizeof done);
            return;
        }
    }
    plain_stop(c->launch, &s->inst, "a launch of nothing, or in a stream");
}

static void get_error(struct plain_cta *c, const struct plain_statement *s, uint8_t *local)
{
    const uint32_t none = 0u;

    (void)c;
    memcpy(local + s->result, &none, sizeof none);
}

void plain_call(struct plain_cta *c, const struct plain_warp *w,
                const struct plain_statement *s, uint32_t lanes)
{
    static void (*const call[])(struct plain_cta *, const struct plain_statement *,
                                uint8_t *) = { [CALL_BUFFER] = begin,
                                               [CALL_LAUNCH] = launch,
                                               [CALL_GROUP] = launch,
                                               [CALL_ERROR] = get_error };
    const uint64_t bytes = c->launch->kernel->local_bytes;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        uint8_t *const local = c->local + ((uint64_t)w->number * WARP_SIZE + lane) * bytes;
        if ((lanes >> lane & 1u) != 0u) {
            call[s->call](c, s, local);
        }
    }
}

/* ---- Launches ------------------------------------------------------------------------ */

static uint64_t run_grid(const struct plain_launch *g)
{
    const uint32_t ctas = g->grid[0] * g->grid[1] * g->grid[2];
    uint64_t executed = 0u;
    for (uint32_t cta = 0u; cta < ctas; cta++) {
        executed += plain_cta(g, cta);
    }
    return executed;
}

uint64_t plain_run(struct plain_launch *g)
{
    struct plain_queue q = { .child = NULL };
    g->queue = &q;
    const uint64_t executed = run_grid(g);
    for (uint32_t k = 0u; k < q.n; k++) {
        struct plain_launch child = q.child[k].launch;
        const uint64_t bytes = child.kernel->param_bytes;
        uint8_t *const params = calloc(bytes + 1u, 1u);
        memcpy(params, device_at(g->memory, q.child[k].params, bytes), bytes);
        child.params = params;
        if (q.child[k].launched) {
            printf("%s %" PRIu64 "\n", child.kernel->name, run_grid(&child));
        }
        (void)device_free(g->memory, q.child[k].params);
        q.child[k].params = 0u;
        free(params);
    }
    free(q.child);
    return executed;
}
