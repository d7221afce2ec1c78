/* workload - which kind of workload is asked for; see workload.h. */

#include "gpusched/workload/workload.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/places.h"
#include "gpusched/workload/workload_kind.h"
#include "tool/folder_names.h"
#include "workloads/workload_list.h"

/* ---- Names --------------------------------------------------------------------------- */

void synthetic_workloads(void (*each)(void *self, const char *name, const char *title),
                         void *self)
{
    folder_names("workloads", each, self);
}

struct names {
    const char *wanted;
    bool found;
    char text[1024];
    size_t at;
};

static void add_name(void *self, const char *name, const char *title)
{
    struct names *const names = self;

    (void)title;
    names->found = names->found || strcmp(name, names->wanted) == 0;
    if (names->at < sizeof names->text) {
        names->at += (size_t)snprintf(names->text + names->at, sizeof names->text - names->at,
                                      "%s%s", names->at == 0u ? "" : ", ", name);
    }
}

/* A bare name must be one of those that there are. */
static bool check_name(const char *name, struct fault *fault)
{
    struct names names = { .wanted = name };

    if (!places_is_name(name)) {
        return true;
    }
    for (const struct cuda_workload *const *at = cuda_workloads; *at != NULL; at++) {
        add_name(&names, (*at)->name, (*at)->title);
    }
    synthetic_workloads(add_name, &names);
    if (!names.found) {
        fault_set(fault,
                  "%.200s: no such workload; allowed: a file (with a / or .yaml), or one of %s",
                  name, names.text);
    }
    return names.found;
}

/* ---- Loading ------------------------------------------------------------------------- */

bool workload_next(const char **rest, char name[WORKLOAD_FILE])
{
    const char *const from = *rest;

    if (from == NULL) {
        return false;
    }
    const size_t length = access(from, F_OK) == 0 ? strlen(from) : strcspn(from, "+");
    snprintf(name, WORKLOAD_FILE, "%.*s", (int)length, from);
    *rest = from[length] == '+' ? from + length + 1u : NULL;
    return true;
}

void workload_label(const char *names, char label[WORKLOAD_NAME])
{
    char path[WORKLOAD_FILE];
    size_t at = 0u;

    label[0] = '\0';
    while (at < WORKLOAD_NAME && workload_next(&names, path)) {
        const char *const slash = strrchr(path, '/');
        const char *const name = slash == NULL ? path : slash + 1;
        const char *const dot = strrchr(name, '.');
        const int n = dot == NULL || dot == name ? (int)strlen(name) : (int)(dot - name);
        at += (size_t)snprintf(label + at, WORKLOAD_NAME - at, "%s%.*s", at == 0u ? "" : "+", n,
                               name);
    }
}

bool workload_split(const char *text, char file[WORKLOAD_FILE], uint32_t *ctas,
                    struct fault *fault)
{
    const char *const colon = strrchr(text, ':');
    const size_t length = colon == NULL ? strlen(text) : (size_t)(colon - text);
    char *end = NULL;

    if (length >= WORKLOAD_FILE) {
        return fault_set(fault, "%.40s...: the path is too long", text);
    }
    snprintf(file, WORKLOAD_FILE, "%.*s", (int)length, text);
    *ctas = 0u;
    if (colon == NULL) {
        return true;
    }
    const unsigned long n =
        isdigit((unsigned char)colon[1]) ? strtoul(colon + 1, &end, 10) : 0u;
    if (end == NULL || *end != '\0' || n == 0u || n > INT32_MAX) {
        return fault_set(fault,
                         "%.200s: after the colon comes a number of CTAs from 1 to %" PRId32,
                         text, INT32_MAX);
    }
    *ctas = (uint32_t)n;
    return true;
}

/* What choice->name names. */
static bool choose(struct workload *workload, const char *text, struct fault *fault)
{
    if (!workload_split(text, workload->file, &workload->ctas, fault)
        || !check_name(workload->file, fault)) {
        return false;
    }
    workload_label(text, workload->name);
    if (cuda_workload_named(workload->file) == NULL) {
        return true;
    }
    workload->kind = &workload_cuda;
    if (workload->ctas != 0u) {
        return fault_set(fault, "%.200s: only described kernels take a number of CTAs", text);
    }
    return true;
}

/* A graph's name comes behind the program's. */
static void add_graph(struct workload *workload, const char *graph)
{
    char label[WORKLOAD_NAME];
    const size_t at = strlen(workload->name);

    workload_label(graph, label);
    snprintf(workload->name + at, WORKLOAD_NAME - at, "(%s)", label);
}

bool workload_load(struct workload *workload, const struct workload_choice *choice,
                   const struct gpu_config *config, struct fault *fault)
{
    *workload = (struct workload){ .kind = &workload_synthetic };
    if (choice->ptx.file != NULL) {
        workload->kind = &workload_ptx;
        workload_label(choice->ptx.file, workload->name);
    } else if (choice->several && strchr(choice->name, '+') != NULL
               && access(choice->name, F_OK) != 0) {
        workload->kind = &workload_several;
        workload_label(choice->name, workload->name);
    } else if (!choose(workload, choice->name, fault)) {
        return false;
    }
    if ((choice->check || choice->footprint) && workload->kind == &workload_synthetic) {
        return fault_set(fault, "%.200s: --%s is for CUDA workloads and --ptx", workload->name,
                         choice->check ? "check" : "footprint");
    }
    if (choice->graph != NULL && workload->kind != &workload_cuda) {
        return fault_set(fault, "%.200s: --graph is for one program on graphs", workload->name);
    }
    workload->self = workload->kind->load(workload, choice, config, fault);
    if (choice->graph != NULL) {
        add_graph(workload, choice->graph);
    }
    return workload->self != NULL;
}

bool workload_open(struct workload *workload, const struct workload_machine *machine,
                   struct fault *fault)
{
    return workload->kind->open(workload->self, machine, fault);
}

bool workload_run(struct workload *workload, struct workload_outcome *outcome,
                  struct fault *fault)
{
    *outcome = (struct workload_outcome){ .end = GPU_DONE };
    if (!workload->kind->run(workload->self, outcome, fault)) {
        return false;
    }
    /* That memory was missing is no fault of the kernel. */
    const struct gpu *const gpu = outcome->end == GPU_ILLEGAL ? workload_gpu(workload) : NULL;
    if (gpu != NULL && gpu_fault(gpu)->kind == FAULT_SURROUNDINGS) {
        *fault = *gpu_fault(gpu);
        return false;
    }
    return true;
}

uint32_t workload_regions(const struct workload *workload)
{
    return workload->kind->regions == NULL ? 0u : workload->kind->regions(workload->self);
}

struct gpu *workload_gpu(const struct workload *workload)
{
    return workload->kind->gpu(workload->self);
}

uint64_t workload_instructions(const struct workload *workload)
{
    return workload->kind->instructions(workload->self);
}

void workload_free(struct workload *workload)
{
    if (workload->self != NULL) {
        workload->kind->free(workload->self);
    }
}
