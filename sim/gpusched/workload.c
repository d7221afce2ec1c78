/* workload - the launches of a run; see workload.h. */

#include "workload.h"

#include <stdio.h>
#include <string.h>

#include "synthetic.h"

struct workload_kind {
    const char *ending; /* of files; NULL: all the rest, and bare names */
    void *(*load)(const char *path_or_name, const struct gpu_config *config, char *message,
                  size_t size);
    uint32_t (*kernels)(const void *self);
    struct kernel_source (*kernel)(void *self, uint32_t k);
    uint32_t (*stream)(const void *self, uint32_t k);
    void (*free)(void *self);
};

/* ---- Described kernels ------------------------------------------------------------- */

static void *load_synthetic(const char *path_or_name, const struct gpu_config *config,
                            char *message, size_t size)
{
    struct synthetic *synthetic = NULL;

    return synthetic_load(path_or_name, config, &synthetic, message, size) ? synthetic : NULL;
}

static uint32_t kernels_of_synthetic(const void *self)
{
    return synthetic_kernels(self);
}

static struct kernel_source kernel_of_synthetic(void *self, uint32_t k)
{
    return synthetic_kernel(self, k);
}

static uint32_t stream_of_synthetic(const void *self, uint32_t k)
{
    return synthetic_stream(self, k);
}

static void free_synthetic(void *self)
{
    synthetic_free(self);
}

/* ---- All kinds ------------------------------------------------------------------------- */

static const struct workload_kind kinds[] = {
    { NULL, load_synthetic, kernels_of_synthetic, kernel_of_synthetic, stream_of_synthetic,
      free_synthetic },
};

static const struct workload_kind *kind_of(const char *path_or_name)
{
    const size_t n = strlen(path_or_name);
    const struct workload_kind *kind = kinds;

    while (kind->ending != NULL) {
        const size_t ending = strlen(kind->ending);
        if (n > ending && strcmp(path_or_name + n - ending, kind->ending) == 0) {
            break;
        }
        kind++;
    }
    return kind;
}

bool workload_load(struct workload *workload, const char *path_or_name,
                   const struct gpu_config *config, char *message, size_t size)
{
    const char *const slash = strrchr(path_or_name, '/');
    const char *const name = slash == NULL ? path_or_name : slash + 1;
    const char *const dot = strrchr(name, '.');
    const int n = dot == NULL || dot == name ? (int)strlen(name) : (int)(dot - name);

    workload->kind = kind_of(path_or_name);
    snprintf(workload->name, sizeof workload->name, "%.*s", n, name);
    workload->self = workload->kind->load(path_or_name, config, message, size);
    return workload->self != NULL;
}

void workload_free(struct workload *workload)
{
    if (workload->self != NULL) {
        workload->kind->free(workload->self);
    }
}

uint32_t workload_kernels(const struct workload *workload)
{
    return workload->kind->kernels(workload->self);
}

struct kernel_source workload_kernel(const struct workload *workload, uint32_t k)
{
    return workload->kind->kernel(workload->self, k);
}

uint32_t workload_stream(const struct workload *workload, uint32_t k)
{
    return workload->kind->stream(workload->self, k);
}
