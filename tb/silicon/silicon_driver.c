/* silicon_driver - see silicon.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "silicon.h"

enum { STREAMS = 32, FEWEST = 64, LIBRARY = 4 /* CU_JIT_INPUT_LIBRARY */ };

struct gsp_module {
    struct gsp_module *next;
    cuda_module module;
};

struct timed {
    cuda_event before, behind;
};

struct gsp_context {
    const struct cuda *cuda;
    struct gsp_module *modules;
    cuda_stream streams[STREAMS];
    struct silicon_launch *launches;
    struct timed *timed; /* of launches that nobody has waited for yet: the last ones */
    size_t n, waited, capacity;
    struct fault fault;
};

static struct silicon used;

void silicon_use(const struct silicon *silicon)
{
    used = *silicon;
}

const struct silicon_launch *silicon_launches(const struct gsp_context *context, size_t *n)
{
    *n = context->waited;
    return context->launches;
}

const struct fault *gsp_fault(const struct gsp_context *context)
{
    return &context->fault;
}

static enum gsp_status did(struct gsp_context *context, int error, const char *what,
                           enum gsp_status otherwise)
{
    return cuda_did(context->cuda, error, what, &context->fault) ? GSP_OK : otherwise;
}

enum gsp_status gsp_open(struct gsp_context **context, const struct gsp_options *options)
{
    struct gsp_context *const made = calloc(1u, sizeof *made);

    (void)options;
    *context = made;
    if (made == NULL) {
        return GSP_MEMORY;
    }
    made->cuda = used.cuda;
    return GSP_OK;
}

/* Events that nobody waits for any more; NULL: it was not made. */
static void forget(const struct cuda *cuda, const struct timed *timed)
{
    if (timed->before != NULL) {
        (void)cuda->event_destroy(timed->before);
    }
    if (timed->behind != NULL) {
        (void)cuda->event_destroy(timed->behind);
    }
}

void gsp_close(struct gsp_context *context)
{
    for (; context->waited < context->n; context->waited++) {
        forget(context->cuda, &context->timed[context->waited]);
    }
    for (uint32_t i = 0u; i < STREAMS; i++) {
        if (context->streams[i] != NULL) {
            (void)context->cuda->stream_destroy(context->streams[i]);
        }
    }
    while (context->modules != NULL) {
        struct gsp_module *const module = context->modules;
        context->modules = module->next;
        (void)context->cuda->module_unload(module->module);
        free(module);
    }
    free(context->launches);
    free(context->timed);
    free(context);
}

/* ---- Modules --------------------------------------------------------------------------- */

/* The whole file with a 0 behind it, or NULL. */
static char *file_text(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long end;

    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0L, SEEK_END) == 0 && (end = ftell(file)) >= 0
        && fseek(file, 0L, SEEK_SET) == 0 && (text = malloc((size_t)end + 1u)) != NULL) {
        *length = fread(text, 1u, (size_t)end, file);
        text[*length] = '\0';
    }
    if (text != NULL && ferror(file) != 0) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

/* Groups of CTAs are LaPerm's, no GPU has them: the call fails here as one for which there is
 * no room, so that the thread which launches does the work itself. */
static const char groups[] = ".version 6.3\n"
                             ".target sm_35\n"
                             ".address_size 64\n"
                             ".visible .func (.param .b32 result) __cudaCDP2LaunchAggGroup\n"
                             "(.param .b64 buffer, .param .b64 stream)\n"
                             "{\n"
                             "  st.param.b32 [result+0], 1;\n"
                             "  ret;\n"
                             "}\n";

/* A module whose kernels launch kernels, with the toolkit's device runtime. */
static enum gsp_status load_linked(struct gsp_context *context, char *text, size_t length,
                                   const char *path, cuda_module *module)
{
    const struct cuda *const cuda = context->cuda;
    cuda_link link = NULL;
    void *image = NULL;
    size_t bytes = 0u;
    enum gsp_status status;

    if (used.device_runtime == NULL) {
        fault_set(&context->fault, "%s: its kernels launch kernels: --device-runtime is needed",
                  path);
        return GSP_MODULE;
    }
    status = did(context, cuda->link_create(0u, NULL, NULL, &link), path, GSP_MODULE);
    if (status != GSP_OK) {
        return status;
    }
    status =
        did(context,
            cuda->link_data(link, CUDA_JIT_INPUT_PTX, text, length + 1u, path, 0u, NULL, NULL),
            path, GSP_MODULE);
    if (status == GSP_OK) {
        char text_of_groups[sizeof groups]; /* the driver takes no constant */
        memcpy(text_of_groups, groups, sizeof groups);
        status = did(context,
                     cuda->link_data(link, CUDA_JIT_INPUT_PTX, text_of_groups, sizeof groups,
                                     "groups", 0u, NULL, NULL),
                     "groups of CTAs", GSP_MODULE);
    }
    if (status == GSP_OK) {
        status =
            did(context, cuda->link_file(link, LIBRARY, used.device_runtime, 0u, NULL, NULL),
                used.device_runtime, GSP_MODULE);
    }
    if (status == GSP_OK) {
        status = did(context, cuda->link_complete(link, &image, &bytes), path, GSP_MODULE);
    }
    if (status == GSP_OK) {
        status = did(context, cuda->module_load(module, image), path, GSP_MODULE);
    }
    (void)cuda->link_destroy(link);
    return status;
}

enum gsp_status gsp_module_load(struct gsp_context *context, const char *path,
                                struct gsp_module **module)
{
    struct gsp_module *const made = calloc(1u, sizeof *made);
    size_t length = 0u;
    char *const text = file_text(path, &length);
    enum gsp_status status;

    if (made == NULL || text == NULL) {
        fault_system(&context->fault, "%s: cannot read it", path);
        free(made);
        free(text);
        return GSP_MODULE;
    }
    if (strstr(text, "__cudaCDP2LaunchDeviceV2") != NULL) {
        status = load_linked(context, text, length, path, &made->module);
    } else {
        status =
            did(context, context->cuda->module_load(&made->module, text), path, GSP_MODULE);
    }
    free(text);
    if (status != GSP_OK) {
        free(made);
        return status;
    }
    made->next = context->modules;
    context->modules = made;
    *module = made;
    return GSP_OK;
}

enum gsp_status gsp_symbol(struct gsp_context *context, struct gsp_module *module,
                           const char *name, gsp_pointer *address, size_t *bytes)
{
    return did(context, context->cuda->module_global(address, bytes, module->module, name),
               name, GSP_INVALID);
}

/* ---- Memory ---------------------------------------------------------------------------- */

enum gsp_status gsp_malloc(struct gsp_context *context, gsp_pointer *pointer, size_t bytes)
{
    return did(context, context->cuda->memory_alloc(pointer, bytes == 0u ? 1u : bytes),
               "device memory", GSP_MEMORY);
}

enum gsp_status gsp_free(struct gsp_context *context, gsp_pointer pointer)
{
    const enum gsp_status status = gsp_synchronize(context);

    return status != GSP_OK ? status
                            : did(context, context->cuda->memory_free(pointer),
                                  "freeing memory", GSP_INVALID);
}

/* What the host writes is there when it goes on: the driver may come back before, and streams
 * of kernels do not wait for it. */
static enum gsp_status written(struct gsp_context *context, int error, const char *what)
{
    return did(context, error == CUDA_SUCCESS ? context->cuda->synchronize() : error, what,
               GSP_INVALID);
}

enum gsp_status gsp_copy_in(struct gsp_context *context, gsp_pointer to, const void *from,
                            size_t bytes)
{
    const enum gsp_status status = gsp_synchronize(context);

    return status != GSP_OK ? status
                            : written(context, context->cuda->copy_in(to, from, bytes),
                                      "copying to the device");
}

enum gsp_status gsp_copy_out(struct gsp_context *context, void *to, gsp_pointer from,
                             size_t bytes)
{
    const enum gsp_status status = gsp_synchronize(context);

    return status != GSP_OK ? status
                            : did(context, context->cuda->copy_out(to, from, bytes),
                                  "copying from the device", GSP_INVALID);
}

enum gsp_status gsp_set(struct gsp_context *context, gsp_pointer to, int value, size_t bytes)
{
    const enum gsp_status status = gsp_synchronize(context);

    return status != GSP_OK
               ? status
               : written(context, context->cuda->set(to, (unsigned char)value, bytes),
                         "setting device memory");
}

/* ---- Launches -------------------------------------------------------------------------- */

static bool make_room(struct gsp_context *context)
{
    const size_t capacity = context->capacity == 0u ? FEWEST : 2u * context->capacity;
    struct silicon_launch *launches;
    struct timed *timed;

    if (context->n < context->capacity) {
        return true;
    }
    launches = realloc(context->launches, capacity * sizeof *launches);
    if (launches == NULL) {
        return fault_surroundings(&context->fault, "no memory");
    }
    context->launches = launches;
    timed = realloc(context->timed, capacity * sizeof *timed);
    if (timed == NULL) {
        return fault_surroundings(&context->fault, "no memory");
    }
    context->timed = timed;
    context->capacity = capacity;
    return true;
}

/* What the GPU says of a kernel: registers, shared memory, CTAs per SM. */
static int describe(const struct cuda *cuda, cuda_function function,
                    const struct gsp_launch *launch, struct silicon_launch *what)
{
    const struct gsp_dim b = launch->block;
    const int threads = (int)((b.x | !b.x) * (b.y | !b.y) * (b.z | !b.z));
    int error;

    *what = (struct silicon_launch){ .grid = launch->grid, .block = launch->block };
    snprintf(what->kernel, sizeof what->kernel, "%s", launch->kernel);
    error = cuda->function_attribute(&what->registers, CUDA_FUNCTION_REGISTERS, function);
    if (error == CUDA_SUCCESS) {
        error =
            cuda->function_attribute(&what->shared_bytes, CUDA_FUNCTION_SHARED_BYTES, function);
    }
    if (error == CUDA_SUCCESS && launch->dynamic_shared != 0u) {
        error = cuda->function_set(function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                   (int)launch->dynamic_shared);
    }
    if (error == CUDA_SUCCESS) {
        error = cuda->occupancy(&what->ctas, function, threads, launch->dynamic_shared);
    }
    what->shared_bytes += (int)launch->dynamic_shared;
    return error;
}

static int start(const struct cuda *cuda, cuda_function function,
                 const struct gsp_launch *launch, cuda_stream stream)
{
    const struct gsp_dim g = launch->grid;
    const struct gsp_dim b = launch->block;

    if (launch->cooperative) {
        return cuda->launch_cooperative(function, g.x | !g.x, g.y | !g.y, g.z | !g.z,
                                        b.x | !b.x, b.y | !b.y, b.z | !b.z,
                                        launch->dynamic_shared, stream, launch->args);
    }
    return cuda->launch(function, g.x | !g.x, g.y | !g.y, g.z | !g.z, b.x | !b.x, b.y | !b.y,
                        b.z | !b.z, launch->dynamic_shared, stream, launch->args, NULL);
}

/* With an event before it and one behind it, which are timed's. */
static int start_timed(const struct cuda *cuda, cuda_function function,
                       const struct gsp_launch *launch, cuda_stream stream, struct timed *timed)
{
    int error = cuda->event_create(&timed->before, CUDA_EVENT_DEFAULT);

    if (error == CUDA_SUCCESS) {
        error = cuda->event_create(&timed->behind, CUDA_EVENT_DEFAULT);
    }
    if (error == CUDA_SUCCESS) {
        error = cuda->event_record(timed->before, stream);
    }
    if (error == CUDA_SUCCESS) {
        error = start(cuda, function, launch, stream);
    }
    if (error == CUDA_SUCCESS) {
        error = cuda->event_record(timed->behind, stream);
    }
    return error;
}

enum gsp_status gsp_launch(struct gsp_context *context, const struct gsp_launch *launch)
{
    const struct cuda *const cuda = context->cuda;
    cuda_stream *const stream = &context->streams[launch->stream % STREAMS];
    cuda_function function = NULL;
    struct timed timed = { NULL, NULL };
    int error = cuda->module_function(&function, launch->module->module, launch->kernel);

    if (!make_room(context)) {
        return GSP_MEMORY;
    }
    if (error == CUDA_SUCCESS) {
        error = describe(cuda, function, launch, &context->launches[context->n]);
    }
    if (error == CUDA_SUCCESS && *stream == NULL) {
        error = cuda->stream_create(stream, CUDA_STREAM_NON_BLOCKING);
    }
    if (error == CUDA_SUCCESS) {
        error = start_timed(cuda, function, launch, *stream, &timed);
    }
    if (error == CUDA_SUCCESS) {
        context->timed[context->n++] = timed;
    } else {
        forget(cuda, &timed);
    }
    return did(context, error, launch->kernel, GSP_INVALID);
}

enum gsp_status gsp_synchronize(struct gsp_context *context)
{
    const struct cuda *const cuda = context->cuda;
    int error = cuda->synchronize();

    while (error == CUDA_SUCCESS && context->waited < context->n) {
        const struct timed *const timed = &context->timed[context->waited];
        float ms = 0.0f;
        error = cuda->event_elapsed(&ms, timed->before, timed->behind);
        forget(cuda, timed);
        context->launches[context->waited++].us = 1e3 * (double)ms;
    }
    return did(context, error, "waiting for the kernels", GSP_ILLEGAL);
}
