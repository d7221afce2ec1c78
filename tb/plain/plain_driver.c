/* plain_driver - driver.h with the interpreter in place of the GPU: a launch runs at once. */

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "plain.h"

struct gsp_module {
    struct plain_module *plain;
    struct gsp_module *next;
};

struct gsp_context {
    struct device_memory *memory;
    struct gsp_module *modules;
    uint64_t executed;
    struct fault fault;
};

static enum gsp_status fail(struct gsp_context *context, const char *message)
{
    fault_set(&context->fault, "%s", message);
    return GSP_INVALID;
}

enum gsp_status gsp_open(struct gsp_context **context, const struct gsp_options *options)
{
    (void)options;
    *context = calloc(1u, sizeof **context);
    (*context)->memory = device_memory_open();
    return GSP_OK;
}

void gsp_close(struct gsp_context *context)
{
    while (context->modules != NULL) {
        struct gsp_module *const next = context->modules->next;
        plain_free(context->modules->plain);
        free(context->modules);
        context->modules = next;
    }
    device_memory_close(context->memory);
    free(context);
}

const struct fault *gsp_fault(const struct gsp_context *context)
{
    return &context->fault;
}

const char *gsp_message(const struct gsp_context *context)
{
    return fault_text(&context->fault);
}

struct gpu *gsp_gpu(struct gsp_context *context)
{
    (void)context;
    return NULL;
}

uint64_t gsp_instructions(const struct gsp_context *context)
{
    return context->executed;
}

/* ---- Modules and memory -------------------------------------------------------------- */

enum gsp_status gsp_module_load(struct gsp_context *context, const char *path,
                                struct gsp_module **module)
{
    struct gsp_module *const m = calloc(1u, sizeof *m);
    m->plain = plain_read(path, context->memory);
    if (m->plain == NULL) {
        free(m);
        return fail(context, "a module that cannot be read");
    }
    m->next = context->modules;
    context->modules = m;
    *module = m;
    return GSP_OK;
}

enum gsp_status gsp_symbol(struct gsp_context *context, struct gsp_module *module,
                           const char *name, gsp_pointer *address, size_t *bytes)
{
    const struct plain_module *const m = module->plain;
    for (uint32_t k = 0u; k < m->build.object.count; k++) {
        const struct ptx_variable *const v = &m->build.object.at[k]->variable;
        if (v->space != SPACE_SHARED && strcmp(v->name, name) == 0) {
            *address =
                v->address + (v->space == SPACE_CONST ? m->constant_base : m->global_base);
            *bytes = (size_t)v->bytes;
            return GSP_OK;
        }
    }
    return fail(context, "no such variable");
}

enum gsp_status gsp_malloc(struct gsp_context *context, gsp_pointer *pointer, size_t bytes)
{
    *pointer = device_alloc(context->memory, bytes);
    return *pointer == 0u ? fail(context, "no memory") : GSP_OK;
}

enum gsp_status gsp_free(struct gsp_context *context, gsp_pointer pointer)
{
    return device_free(context->memory, pointer) ? GSP_OK : fail(context, "no allocation");
}

enum gsp_status gsp_copy_in(struct gsp_context *context, gsp_pointer to, const void *from,
                            size_t bytes)
{
    void *const at = bytes == 0u ? NULL : device_at(context->memory, to, bytes);
    if (at != NULL) {
        memcpy(at, from, bytes);
    }
    return at == NULL && bytes != 0u ? fail(context, "no such memory") : GSP_OK;
}

enum gsp_status gsp_copy_out(struct gsp_context *context, void *to, gsp_pointer from,
                             size_t bytes)
{
    const void *const at = bytes == 0u ? NULL : device_at(context->memory, from, bytes);
    if (at != NULL) {
        memcpy(to, at, bytes);
    }
    return at == NULL && bytes != 0u ? fail(context, "no such memory") : GSP_OK;
}

enum gsp_status gsp_set(struct gsp_context *context, gsp_pointer to, int value, size_t bytes)
{
    void *const at = bytes == 0u ? NULL : device_at(context->memory, to, bytes);
    if (at != NULL) {
        memset(at, value, bytes);
    }
    return at == NULL && bytes != 0u ? fail(context, "no such memory") : GSP_OK;
}

/* ---- Launches ------------------------------------------------------------------------ */

static const struct plain_kernel *find(const struct plain_module *m, const char *name)
{
    for (uint32_t k = 0u; k < m->n_kernel; k++) {
        if (strcmp(m->kernel[k].name, name) == 0) {
            return &m->kernel[k];
        }
    }
    return NULL;
}

static uint32_t least_one(uint32_t n)
{
    return n == 0u ? 1u : n;
}

enum gsp_status gsp_launch(struct gsp_context *context, const struct gsp_launch *launch)
{
    const struct plain_module *const m = launch->module->plain;
    const struct plain_kernel *const k = find(m, launch->kernel);
    if (k == NULL) {
        return fail(context, "no such kernel");
    }
    uint8_t *const params = calloc(k->param_bytes + 1u, 1u);
    for (uint32_t n = 0u; n < k->routine->param.count; n++) {
        const struct ptx_variable *const v = &k->routine->param.at[n]->variable;
        memcpy(params + v->address, launch->args[n], (size_t)v->bytes);
    }
    struct plain_launch g = {
        .module = m,
        .kernel = k,
        .memory = context->memory,
        .params = params,
        .grid = { least_one(launch->grid.x), least_one(launch->grid.y),
                  least_one(launch->grid.z) },
        .block = { least_one(launch->block.x), least_one(launch->block.y),
                   least_one(launch->block.z) },
        .dynamic_shared = launch->dynamic_shared,
    };
    context->executed += plain_run(&g);
    free(params);
    return GSP_OK;
}

enum gsp_status gsp_synchronize(struct gsp_context *context)
{
    (void)context;
    return GSP_OK;
}
