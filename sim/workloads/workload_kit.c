/* workload_kit - what host parts call; see workload_kit.h and kit_run.h. */

#include "workloads/workload_kit.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "workloads/kit_run.h"

enum { PATH = 4096, FEWEST = 16 };

/* What is freed at the end of the run, whichever way it ends. */
struct owned {
    void *host;
    gsp_pointer device;
};

struct kit {
    const struct cuda_workload *workload;
    const struct graph_file *graph;
    struct gsp_context *context;
    struct gsp_module *module;
    struct owned *owned;
    size_t n_owned, capacity;
    uint64_t random; /* numbers drawn so far */
    uint64_t seed;
    struct kit_outcome *outcome;
    jmp_buf ended;
};

/* ---- The end of a run ---------------------------------------------------------------- */

/* After a fault. Host parts call this through the kit's functions, and hold nothing that is not
 * the kit's: so a jump out of them leaks nothing. */
static _Noreturn void end(struct kit *kit, enum gsp_status status, const char *what)
{
    kit->outcome->end = KIT_ENDED;
    kit->outcome->status = status;
    if (status == GSP_ILLEGAL || status == GSP_HUNG || status == GSP_STOPPED) {
        what = kit->workload->name; /* not the call that waited for a kernel is to blame */
    }
    fault_before(&kit->outcome->fault, "%s: ", what);
    longjmp(kit->ended, 1); // NOLINT(cert-err52-cpp)
}

static _Noreturn void end_without_memory(struct kit *kit)
{
    fault_surroundings(&kit->outcome->fault, "no memory");
    end(kit, GSP_MEMORY, kit->workload->name);
}

static void must(struct kit *kit, enum gsp_status status, const char *what)
{
    if (status != GSP_OK) {
        kit->outcome->fault = *gsp_fault(kit->context);
        end(kit, status, what);
    }
}

static struct owned *own(struct kit *kit)
{
    if (kit->n_owned == kit->capacity) {
        const size_t capacity = kit->capacity == 0u ? FEWEST : 2u * kit->capacity;
        struct owned *const more = realloc(kit->owned, capacity * sizeof *more);
        if (more == NULL) {
            end_without_memory(kit);
        }
        kit->owned = more;
        kit->capacity = capacity;
    }
    kit->owned[kit->n_owned] = (struct owned){ .host = NULL };
    return &kit->owned[kit->n_owned++];
}

static void release(struct kit *kit)
{
    for (size_t i = 0u; i < kit->n_owned; i++) {
        free(kit->owned[i].host);
        /* after a failed call nothing more is to run, which gsp_free would wait for */
        if (kit->owned[i].device != 0u && kit->outcome->end != KIT_ENDED) {
            gsp_free(kit->context, kit->owned[i].device);
        }
    }
    free(kit->owned);
}

const char *workload_size_name(enum workload_size size)
{
    static const char *const names[WORKLOAD_SIZES] = {
        [SIZE_SMALL] = "small", [SIZE_MEDIUM] = "medium", [SIZE_PAPER] = "paper",
        [SIZE_CLASO] = "claso", [SIZE_TH3] = "th3",       [SIZE_TH42] = "th42",
        [SIZE_TH44] = "th44",   [SIZE_ICC] = "icc",       [SIZE_LAPERM] = "laperm",
    };

    return names[size];
}

bool workload_size_named(const char *name, enum workload_size *size)
{
    unsigned i = 0u;

    while (i < WORKLOAD_SIZES && strcmp(name, workload_size_name((enum workload_size)i)) != 0) {
        i++;
    }
    *size = (enum workload_size)i;
    return i < WORKLOAD_SIZES;
}

bool workload_has_size(const struct cuda_workload *workload, enum workload_size size)
{
    return size <= SIZE_PAPER || workload == NULL || (workload->papers >> size & 1u) != 0u;
}

const char *workload_size_names(const struct cuda_workload *workload,
                                char names[WORKLOAD_SIZE_NAMES])
{
    size_t at = 0u;

    for (unsigned i = 0u; i < WORKLOAD_SIZES; i++) {
        if (workload_has_size(workload, (enum workload_size)i)) {
            at += (size_t)snprintf(names + at, WORKLOAD_SIZE_NAMES - at, "%s%s",
                                   at == 0u ? "" : ", ",
                                   workload_size_name((enum workload_size)i));
        }
    }
    return names;
}

const char *workload_folder(const struct cuda_workload *workload)
{
    return workload->folder == NULL ? workload->name : workload->folder;
}

static uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 30u) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27u) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31u;
}

void kit_run(const struct cuda_workload *workload, enum workload_size size,
             const struct graph_file *graph, struct gsp_context *context,
             struct kit_outcome *outcome)
{
    struct kit kit = {
        .workload = workload, .graph = graph, .context = context, .outcome = outcome
    };

    kit_seed(&kit, workload->name);
    *outcome = (struct kit_outcome){ .end = KIT_WRONG };
    if (setjmp(kit.ended) == 0) { // NOLINT(cert-err52-cpp)
        const bool right = workload->run(&kit, size);
        kit_synchronize(&kit);
        outcome->end = right ? KIT_RIGHT : KIT_WRONG;
    }
    release(&kit);
}

/* ---- Memory and launches ------------------------------------------------------------- */

const struct cuda_workload *kit_workload(const struct kit *kit)
{
    return kit->workload;
}

const struct graph_file *kit_graph(const struct kit *kit)
{
    return kit->graph;
}

struct gsp_module *kit_module(struct kit *kit)
{
    char path[PATH];

    if (kit->module == NULL) {
        snprintf(path, sizeof path, "%s/%s.ptx", places_kernels(),
                 workload_folder(kit->workload));
        must(kit, gsp_module_load(kit->context, path, &kit->module), "loading the kernels");
    }
    return kit->module;
}

gsp_pointer kit_alloc(struct kit *kit, size_t bytes)
{
    struct owned *const owned = own(kit);

    must(kit, gsp_malloc(kit->context, &owned->device, bytes), "device memory");
    return owned->device;
}

gsp_pointer kit_alloc_copy(struct kit *kit, const void *from, size_t bytes)
{
    const gsp_pointer pointer = kit_alloc(kit, bytes);

    kit_copy_in(kit, pointer, from, bytes);
    return pointer;
}

void kit_copy_in(struct kit *kit, gsp_pointer to, const void *from, size_t bytes)
{
    must(kit, gsp_copy_in(kit->context, to, from, bytes), "copy to the device");
}

void kit_copy_out(struct kit *kit, void *to, gsp_pointer from, size_t bytes)
{
    must(kit, gsp_copy_out(kit->context, to, from, bytes), "copy from the device");
}

void kit_set(struct kit *kit, gsp_pointer to, int value, size_t bytes)
{
    must(kit, gsp_set(kit->context, to, value, bytes), "setting device memory");
}

void kit_copy_symbol(struct kit *kit, const char *name, const void *from, size_t bytes)
{
    gsp_pointer address;
    size_t room;

    must(kit, gsp_symbol(kit->context, kit_module(kit), name, &address, &room), name);
    if (bytes > room) {
        fault_set(&kit->outcome->fault, "it is smaller than what is copied to it");
        end(kit, GSP_INVALID, name);
    }
    kit_copy_in(kit, address, from, bytes);
}

void *kit_host(struct kit *kit, size_t bytes)
{
    struct owned *const owned = own(kit);

    owned->host = calloc(1u, bytes == 0u ? 1u : bytes);
    if (owned->host == NULL) {
        end_without_memory(kit);
    }
    return owned->host;
}

/* 0: as many as the module says. */
static uint32_t registers_of(const struct cuda_workload *workload, const char *kernel)
{
    const struct kit_registers *at = workload->registers;

    while (at != NULL && at->kernel != NULL && strcmp(at->kernel, kernel) != 0) {
        at++;
    }
    return at == NULL ? 0u : at->count;
}

void kit_launch(struct kit *kit, const char *kernel, struct gsp_dim grid, struct gsp_dim block,
                uint32_t dynamic_shared, uint32_t stream, void **args)
{
    const struct gsp_launch launch = {
        .module = kit_module(kit),
        .kernel = kernel,
        .grid = grid,
        .block = block,
        .dynamic_shared = dynamic_shared,
        .stream = stream,
        .registers = registers_of(kit->workload, kernel),
        .args = args,
    };

    must(kit, gsp_launch(kit->context, &launch), kernel);
}

void kit_synchronize(struct kit *kit)
{
    must(kit, gsp_synchronize(kit->context), kit->workload->name);
}

/* ---- Input and checks ---------------------------------------------------------------- */

void kit_seed(struct kit *kit, const char *word)
{
    kit->seed = kit->random = 0u;
    for (const char *at = word; *at != '\0'; at++) {
        kit->seed = hash(kit->seed + (unsigned char)*at);
    }
}

uint32_t kit_random(struct kit *kit)
{
    return (uint32_t)(hash(kit->seed + ++kit->random * UINT64_C(0x9e3779b97f4a7c15)) >> 32u);
}

float kit_uniform(struct kit *kit, float low, float high)
{
    const float unit = (float)(kit_random(kit) >> 8u) * 0x1p-24f; /* below 1 */

    return low + (high - low) * unit;
}

bool kit_fail(struct kit *kit, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_set_list(&kit->outcome->fault, format, arguments);
    va_end(arguments);
    return false;
}

bool kit_check_floats(struct kit *kit, const char *what, const float *got,
                      const float *expected, size_t n, double relative, double absolute)
{
    size_t wrong = 0u;
    size_t first = 0u;

    for (size_t i = n; i-- > 0u;) {
        const double want = (double)expected[i];
        const double room = relative * fabs(want) + absolute;
        const bool same = isnan(expected[i]) ? isnan(got[i]) != 0 : got[i] == expected[i];
        if (!same && !(fabs((double)got[i] - want) <= room)) {
            wrong++;
            first = i;
        }
    }
    return wrong == 0u
           || kit_fail(kit,
                       "%s: %zu of %zu values are wrong; the first is [%zu]: %.9g in place of "
                       "%.9g",
                       what, wrong, n, first, (double)got[first], (double)expected[first]);
}

bool kit_check_ints(struct kit *kit, const char *what, const int32_t *got,
                    const int32_t *expected, size_t n)
{
    size_t wrong = 0u;
    size_t first = 0u;

    for (size_t i = n; i-- > 0u;) {
        if (got[i] != expected[i]) {
            wrong++;
            first = i;
        }
    }
    return wrong == 0u
           || kit_fail(kit,
                       "%s: %zu of %zu values are wrong; the first is [%zu]: %" PRId32
                       " in place of %" PRId32,
                       what, wrong, n, first, got[first], expected[first]);
}
