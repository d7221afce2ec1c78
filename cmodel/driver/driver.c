/* driver - contexts, modules and memory; launches are in driver_launch.c. */

#include "driver/driver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver_context.h"
#include "ptx/read/ptx_relocation.h"

enum gsp_status driver_keep(struct gsp_context *context, enum gsp_status status)
{
    if (status != GSP_INVALID) {
        context->status = status;
    }
    return status;
}

enum gsp_status driver_fail(struct gsp_context *context, enum gsp_status status,
                            const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_set_list(&context->fault, format, arguments);
    va_end(arguments);
    return driver_keep(context, status);
}

enum gsp_status driver_no_memory(struct gsp_context *context)
{
    fault_surroundings(&context->fault, "no memory");
    return driver_keep(context, GSP_MEMORY);
}

enum gsp_status driver_refused(struct gsp_context *context, enum gsp_status status)
{
    const bool memory = context->fault.kind == FAULT_SURROUNDINGS;

    return driver_keep(context, memory ? GSP_MEMORY : status);
}

/* ---- Contexts ------------------------------------------------------------------------ */

enum gsp_status gsp_open(struct gsp_context **context, const struct gsp_options *options)
{
    struct gsp_context *const c = calloc(1u, sizeof *c);

    *context = c;
    if (c == NULL) {
        return GSP_MEMORY;
    }
    c->options = *options;
    c->memory = device_memory_open();
    c->exec = exec_open();
    if (c->memory == NULL || c->exec == NULL) {
        return driver_no_memory(c);
    }
    device_open(c, driver_on_gpu, driver_tell);
    exec_warnings(c->exec, options->warn, options->warn_self);
    if (options->check != NULL) {
        device_memory_watch(c->memory);
    }
    if (options->memory != 0u) {
        device_memory_limit(c->memory, options->memory);
    }
    if (options->config != NULL) {
        c->config = *options->config;
        device_memory_jitter(c->memory, &c->config);
        c->gpu = gpu_open(&c->config, options->hooks, options->mode, &c->fault);
        if (c->gpu == NULL) {
            c->status = driver_refused(c, GSP_INVALID);
            return c->status; /* nothing can be done with it */
        }
    } else {
        c->config = gpu_config_standard(); /* lines and banks of streams that nobody reads */
    }
    if (options->config == NULL && options->limits != NULL) {
        c->config.cdp.depth = options->limits->cdp.depth;
        c->config.cdp.pending = options->limits->cdp.pending;
        c->config.limit.instructions = options->limits->limit.instructions;
    }
    return GSP_OK;
}

void gsp_close(struct gsp_context *context)
{
    if (context == NULL) {
        return;
    }
    if (context->gpu != NULL) {
        gpu_close(context->gpu); /* gives back CTAs and launches */
    }
    device_close(context);
    if (context->exec != NULL) {
        exec_close(context->exec); /* before the modules that it has prepared */
    }
    for (struct gsp_module *module = context->modules; module != NULL;) {
        struct gsp_module *const next = module->next;
        ptx_free(module->ptx);
        free(module);
        module = next;
    }
    device_memory_close(context->memory);
    free(context);
}

const struct fault *gsp_fault(const struct gsp_context *context)
{
    static const struct fault no_memory = { .kind = FAULT_SURROUNDINGS, .text = "no memory" };

    return context == NULL ? &no_memory : &context->fault;
}

const char *gsp_message(const struct gsp_context *context)
{
    return fault_text(gsp_fault(context));
}

struct gpu *gsp_gpu(struct gsp_context *context)
{
    return context->gpu;
}

uint64_t gsp_instructions(const struct gsp_context *context)
{
    return exec_instructions(context->exec);
}

/* After a fault: the device is full, or has room that the host cannot give. */
static enum gsp_status lacks_memory(struct gsp_context *context, bool room)
{
    fault_by(&context->fault, room ? FAULT_SURROUNDINGS : FAULT_INPUT);
    return driver_keep(context, GSP_MEMORY);
}

/* ---- Modules ------------------------------------------------------------------------- */

/* Gives a space's variables one block of device memory, with their first values. */
static bool place(struct gsp_context *context, const struct ptx_module *ptx,
                  enum ptx_space space, uint64_t bytes, uint64_t *base)
{
    *base = bytes == 0u ? 0u : device_alloc(context->memory, bytes);
    device_mark(context->memory, *base, bytes); /* what has no first value is 0 */
    for (uint32_t i = 0u; i < ptx->n_variable && *base != 0u; i++) {
        const struct ptx_variable *const variable = &ptx->variable[i];
        if (variable->space == space && variable->init != NULL) {
            void *const at =
                device_at(context->memory, *base + variable->address, variable->bytes);
            if (at == NULL) {
                return false;
            }
            memcpy(at, variable->init, (size_t)variable->bytes);
        }
    }
    return bytes == 0u || *base != 0u;
}

/* Adds the place of the global variables, and of entries, to the first values that are
 * addresses of them. */
static void relocate(struct gsp_context *context, const struct gsp_module *module)
{
    uint32_t n;
    const struct ptx_relocation *const relocation = ptx_relocations(module->ptx, &n);

    for (uint32_t i = 0u; i < n; i++) {
        const struct ptx_variable *const in = relocation[i].in;
        const uint64_t base =
            in->space == SPACE_CONST ? module->constant_base : module->global_base;
        void *const at = device_at(context->memory, base + in->address + relocation[i].offset,
                                   sizeof(uint64_t));
        uint64_t value;
        if (at != NULL) {
            memcpy(&value, at, sizeof value);
            value += relocation[i].entry ? module->entry_base : module->global_base;
            memcpy(at, &value, sizeof value);
        }
    }
}

/* The context owns what has been read; its fault says why nothing was. */
static enum gsp_status adopt(struct gsp_context *context, struct ptx_module *ptx,
                             struct gsp_module **module)
{
    if (ptx == NULL) {
        return driver_keep(context, GSP_MODULE);
    }
    if (!driver_compile(ptx, &context->config, &context->fault)) {
        ptx_free(ptx);
        return driver_keep(context, GSP_MODULE);
    }
    struct gsp_module *const m = calloc(1u, sizeof *m);
    if (m == NULL) {
        ptx_free(ptx);
        return driver_no_memory(context);
    }
    m->ptx = ptx;
    m->entry_base = PTX_ENTRY_BASE + context->entries * PTX_ENTRY_BYTES;
    context->entries += ptx->n_function;
    m->next = context->modules;
    context->modules = m;
    const uint64_t variables = m->ptx->global_bytes + m->ptx->const_bytes;
    if (!place(context, ptx, SPACE_GLOBAL, ptx->global_bytes, &m->global_base)
        || !place(context, ptx, SPACE_CONST, ptx->const_bytes, &m->constant_base)) {
        const bool room = device_has_room(context->memory, variables);
        fault_set(&context->fault, "%.900s: no %s for its variables", ptx->file,
                  room ? "memory" : "room");
        return lacks_memory(context, room);
    }
    relocate(context, m);
    *module = m;
    return GSP_OK;
}

enum gsp_status gsp_module_load(struct gsp_context *context, const char *path,
                                struct gsp_module **module)
{
    *module = NULL;
    if (context->status != GSP_OK) {
        return context->status;
    }
    return adopt(context, ptx_load(path, &context->fault), module);
}

enum gsp_status gsp_module_load_text(struct gsp_context *context, const char *name,
                                     const char *text, size_t length,
                                     struct gsp_module **module)
{
    *module = NULL;
    if (context->status != GSP_OK) {
        return context->status;
    }
    return adopt(context, ptx_load_text(name, text, length, &context->fault), module);
}

enum gsp_status gsp_symbol(struct gsp_context *context, struct gsp_module *module,
                           const char *name, gsp_pointer *address, size_t *bytes)
{
    if (context->status != GSP_OK) {
        return context->status;
    }
    for (uint32_t i = 0u; i < module->ptx->n_variable; i++) {
        const struct ptx_variable *const variable = &module->ptx->variable[i];
        const bool constant = variable->space == SPACE_CONST;
        if ((constant || variable->space == SPACE_GLOBAL)
            && strcmp(variable->name, name) == 0) {
            *address =
                (constant ? module->constant_base : module->global_base) + variable->address;
            *bytes = (size_t)variable->bytes;
            return GSP_OK;
        }
    }
    return driver_fail(context, GSP_INVALID, "%s: %.200s has no such variable",
                       module->ptx->file, name);
}

/* ---- Memory -------------------------------------------------------------------------- */

enum gsp_status gsp_malloc(struct gsp_context *context, gsp_pointer *pointer, size_t bytes)
{
    *pointer = 0u;
    if (context->status != GSP_OK) {
        return context->status;
    }
    if (bytes == 0u) {
        return driver_fail(context, GSP_INVALID, "an allocation of 0 bytes");
    }
    *pointer = device_alloc(context->memory, bytes);
    if (*pointer != 0u) {
        return GSP_OK;
    }
    const bool room = device_has_room(context->memory, bytes);
    fault_set(&context->fault, "no %s for %zu bytes of device memory", room ? "memory" : "room",
              bytes);
    return lacks_memory(context, room);
}

static bool holds_variables(const struct gsp_context *context, gsp_pointer pointer)
{
    for (const struct gsp_module *m = context->modules; m != NULL; m = m->next) {
        if (pointer != 0u && (pointer == m->global_base || pointer == m->constant_base)) {
            return true;
        }
    }
    return false;
}

enum gsp_status gsp_free(struct gsp_context *context, gsp_pointer pointer)
{
    const enum gsp_status status = gsp_synchronize(context); /* a kernel may still use it */

    if (status == GSP_OK && holds_variables(context, pointer)) {
        return driver_fail(context, GSP_INVALID,
                           "0x%" PRIx64 " holds variables of a module, which are not freed",
                           pointer);
    }
    if (status == GSP_OK
        && (pool_has(&context->device.heap, pointer)
            || pool_has(&context->device.parameters, pointer))) {
        return driver_fail(context, GSP_INVALID,
                           "0x%" PRIx64 " belongs to kernels, and is not freed by the host",
                           pointer);
    }
    if (status != GSP_OK || pointer == 0u || device_free(context->memory, pointer)) {
        return status;
    }
    return driver_fail(context, GSP_INVALID,
                       "0x%" PRIx64 " is not the start of an allocation, or has been freed",
                       pointer);
}

/* What the host writes: it is defined from now on, and passes through the L2. */
static void wrote(struct gsp_context *context, gsp_pointer to, size_t bytes)
{
    device_mark(context->memory, to, bytes);
    if (context->gpu != NULL) {
        gpu_host_wrote(context->gpu, to, bytes);
    }
}

/* The host's view of device memory once all that has been launched has run. */
static enum gsp_status reach(struct gsp_context *context, gsp_pointer pointer, size_t bytes,
                             void **at)
{
    char where[256];
    const enum gsp_status status = gsp_synchronize(context);

    if (status != GSP_OK) {
        return status;
    }
    *at = device_at(context->memory, pointer, bytes);
    if (*at == NULL) {
        device_describe(context->memory, pointer, where, sizeof where);
        return driver_fail(context, GSP_INVALID,
                           "%zu bytes at 0x%" PRIx64 " are not within one allocation: %s",
                           bytes, pointer, where);
    }
    return GSP_OK;
}

enum gsp_status gsp_copy_in(struct gsp_context *context, gsp_pointer to, const void *from,
                            size_t bytes)
{
    void *at = NULL;
    const enum gsp_status status =
        bytes == 0u ? context->status : reach(context, to, bytes, &at);

    if (at != NULL) {
        memcpy(at, from, bytes);
        wrote(context, to, bytes);
    }
    return status;
}

enum gsp_status gsp_copy_out(struct gsp_context *context, void *to, gsp_pointer from,
                             size_t bytes)
{
    void *at = NULL;
    const enum gsp_status status =
        bytes == 0u ? context->status : reach(context, from, bytes, &at);

    if (at != NULL) {
        memcpy(to, at, bytes);
    }
    return status;
}

enum gsp_status gsp_set(struct gsp_context *context, gsp_pointer to, int value, size_t bytes)
{
    void *at = NULL;
    const enum gsp_status status =
        bytes == 0u ? context->status : reach(context, to, bytes, &at);

    if (at != NULL) {
        memset(at, value, bytes);
        wrote(context, to, bytes);
    }
    return status;
}
