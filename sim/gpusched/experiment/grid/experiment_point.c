/* experiment_point - one run of an experiment; see experiment_point.h. */

#include "gpusched/experiment/grid/experiment_point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_scheduler.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

enum { MOST_SETTINGS = 1024 };

struct experiment_gpu {
    char name[EXPERIMENT_PATH];
    struct gpu_config config;
    struct gpu_source sources[GPU_KEYS];
};

struct experiment_scheduler {
    const char *names; /* of the experiment's file, which lives longer */
    struct gpu_scheduler *scheduler;
};

void experiment_point_title(const struct experiment *experiment, const uint32_t *at, char *text,
                            size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s",
                                     experiment->variants[at[DIMENSION_VARIANT]].name.text);

    for (uint32_t a = 0u; a < experiment->n_axis && length < size; a++) {
        length += (size_t)snprintf(text + length, size - length, ", %s %s",
                                   experiment->axes[a].name.text,
                                   experiment_axis_value(experiment, a, at));
    }
}

/* ---- GPUs ---------------------------------------------------------------------------- */

/* Reads a GPU once: it must not change while the experiment runs. */
static const struct experiment_gpu *gpu_named(struct experiment_gpus *gpus, const char *name,
                                              struct fault *fault)
{
    for (uint32_t i = 0u; i < gpus->n; i++) {
        if (strcmp(gpus->list[i].name, name) == 0) {
            return &gpus->list[i];
        }
    }
    struct experiment_gpu *const longer = realloc(gpus->list, (gpus->n + 1u) * sizeof *longer);
    if (longer == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    gpus->list = longer;
    struct experiment_gpu *const gpu = &longer[gpus->n];
    snprintf(gpu->name, sizeof gpu->name, "%s", name);
    if (!gpu_config_load(name, &gpu->config, fault)
        || !gpu_config_sources(name, gpu->sources, fault)) {
        return NULL;
    }
    gpus->n++;
    return gpu;
}

static bool make_gpu(struct experiment *experiment, struct experiment_gpus *gpus,
                     struct experiment_point *point)
{
    const uint32_t g = point->at[DIMENSION_GPU];
    const struct experiment_word *const word = &experiment->gpus.list[g].name;
    char place[TREE_PLACE];

    snprintf(place, sizeof place, "gpus.%u", g);
    if (!experiment_axis_names(experiment, point->at, word, place, point->gpu)) {
        return false;
    }
    const struct experiment_gpu *const gpu =
        gpu_named(gpus, point->gpu, experiment->tree.fault);
    if (gpu == NULL) {
        return tree_locate(&experiment->tree, word->line, place);
    }
    point->config = gpu->config;
    experiment_label(point->gpu, point->gpu_label);
    return true;
}

/* ---- Schedulers ---------------------------------------------------------------------- */

static bool is_scheduler(const struct experiment_word *key)
{
    return strcmp(key->text, "scheduler") == 0;
}

/* Reads it once, as a GPU. */
static const struct gpu_scheduler *scheduler_named(struct experiment_gpus *gpus,
                                                   const char *names, struct fault *fault)
{
    for (uint32_t i = 0u; i < gpus->n_scheduler; i++) {
        if (strcmp(gpus->schedulers[i].names, names) == 0) {
            return gpus->schedulers[i].scheduler;
        }
    }
    struct experiment_scheduler *const longer =
        realloc(gpus->schedulers, (gpus->n_scheduler + 1u) * sizeof *longer);
    if (longer == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    gpus->schedulers = longer;
    struct gpu_scheduler *const scheduler = gpu_scheduler_load(names, fault);
    if (scheduler != NULL) {
        longer[gpus->n_scheduler++] = (struct experiment_scheduler){ names, scheduler };
    }
    return scheduler;
}

/* ---- Settings ------------------------------------------------------------------------ */

/* Assignments of a point, in their order. */
struct assignments {
    struct assignment {
        const struct experiment_word *key, *value;
    } list[MOST_SETTINGS];
    uint32_t n;
};

static bool add(struct experiment *experiment, struct assignments *to,
                const struct experiment_word *key, const struct experiment_word *value)
{
    if (to->n == sizeof to->list / sizeof to->list[0]) {
        return tree_refuse_line(&experiment->tree, key->line, key->text,
                                "too many settings; allowed: at most %u", to->n);
    }
    to->list[to->n++] = (struct assignment){ key, value };
    return true;
}

/* A scheduler before the keys beside it, in whichever order they are written. */
static bool add_settings(struct experiment *experiment, struct assignments *to,
                         const struct experiment_settings *settings)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0u; i < settings->n; i++) {
            const struct experiment_setting *const setting = &settings->list[i];
            if (is_scheduler(&setting->key) == (pass == 0)
                && !add(experiment, to, &setting->key, &setting->value)) {
                return false;
            }
        }
    }
    return true;
}

static bool collect(struct experiment *experiment, const uint32_t *at, struct assignments *to)
{
    to->n = 0u;
    if (!add_settings(experiment, to, &experiment->gpus.list[at[DIMENSION_GPU]].settings)
        || !add_settings(experiment, to, &experiment->settings)
        || !add_settings(experiment, to,
                         &experiment->variants[at[DIMENSION_VARIANT]].settings)) {
        return false;
    }
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        const struct experiment_axis *const axis = &experiment->axes[a];
        if (axis->key.text != NULL
            && !add(experiment, to, &axis->key, &axis->values.list[at[DIMENSION_AXIS + a]])) {
            return false;
        }
    }
    return true;
}

/* A machine that cannot be: the line is that of the last assignment to the key, or of the last
 * of all. */
static bool refuse_machine(struct experiment *experiment, const struct experiment_point *point,
                           const struct assignments *set, const struct gpu_key *key)
{
    char title[TREE_TEXT];
    char name[64];
    uint32_t line = experiment->gpus.list[point->at[DIMENSION_GPU]].name.line;
    bool found = false;

    snprintf(name, sizeof name, "%s.%s", key->section, key->key);
    for (uint32_t i = 0u; i < set->n; i++) {
        const bool blamed = strcmp(set->list[i].key->text, name) == 0;
        if (blamed || !found) {
            line = set->list[i].value->line;
            found = found || blamed;
        }
    }
    experiment_point_title(experiment, point->at, title, sizeof title);
    fault_add(experiment->tree.fault, " (GPU %s, %s)", point->gpu_label, title);
    return tree_locate(&experiment->tree, line, name);
}

static bool assign(struct experiment_gpus *gpus, const struct assignment *set,
                   struct gpu_config *config, struct fault *fault)
{
    char assignment[2 * TREE_TEXT];

    if (!is_scheduler(set->key)) {
        snprintf(assignment, sizeof assignment, "%s=%s", set->key->text, set->value->text);
        return gpu_config_set(config, assignment, fault);
    }
    const struct gpu_scheduler *const scheduler =
        scheduler_named(gpus, set->value->text, fault);
    if (scheduler != NULL) {
        gpu_scheduler_apply(scheduler, config);
    }
    return scheduler != NULL;
}

static bool make_settings(struct experiment *experiment, struct experiment_gpus *gpus,
                          struct experiment_point *point)
{
    struct tree *const tree = &experiment->tree;
    struct assignments set;

    if (!collect(experiment, point->at, &set)) {
        return false;
    }
    for (uint32_t i = 0u; i < set.n; i++) {
        if (!assign(gpus, &set.list[i], &point->config, tree->fault)) {
            return tree_locate(tree, set.list[i].value->line,
                               is_scheduler(set.list[i].key) ? "scheduler" : "");
        }
    }
    const struct gpu_key *const key = gpu_config_fault(&point->config, tree->fault);
    if (key != NULL) {
        return refuse_machine(experiment, point, &set, key);
    }
    const struct experiment_gpu *const gpu = gpu_named(gpus, point->gpu, tree->fault);
    point->not_calibrated =
        gpu == NULL ? 0u : gpu_config_open(&point->config, &gpu->config, gpu->sources);
    return gpu != NULL;
}

/* ---- Workload ------------------------------------------------------------------------ */

/* Some of its programs come in several sizes. */
static bool has_sizes(const struct experiment_point *point)
{
    const char *rest = point->workload;
    char name[WORKLOAD_FILE];
    bool found = false;

    while (workload_next(&rest, name)) {
        found = found || cuda_workload_named(name) != NULL;
    }
    return found;
}

static bool make_size(struct experiment *experiment, bool sizes, struct experiment_point *point)
{
    const struct experiment_word *word =
        &experiment->workloads[point->at[DIMENSION_WORKLOAD]].size;
    char text[EXPERIMENT_PATH], names[WORKLOAD_SIZE_NAMES];

    if (word->text == NULL && sizes) {
        word = &experiment->size;
        point->size = workload_size_name(SIZE_SMALL);
    }
    if (word->text == NULL) {
        return true;
    }
    if (!experiment_axis_names(experiment, point->at, word, "size", text)) {
        return false;
    }
    if (!workload_size_named(text, &point->size_number)) {
        return tree_refuse_line(&experiment->tree, word->line, "size",
                                "%s is given; allowed: %s", text,
                                workload_size_names(NULL, names));
    }
    point->size = workload_size_name(point->size_number);
    point->size_given = true;
    return true;
}

static bool make_workload(struct experiment *experiment, struct experiment_gpus *gpus,
                          struct experiment_point *point)
{
    const uint32_t w = point->at[DIMENSION_WORKLOAD];
    char place[TREE_PLACE];

    snprintf(place, sizeof place, "workloads.%u", w);
    if (!experiment_axis_names(experiment, point->at, &experiment->workloads[w].name, place,
                               point->workload)) {
        return false;
    }
    if (strcmp(gpus->workload.name, point->workload) != 0) {
        snprintf(gpus->workload.name, sizeof gpus->workload.name, "%s", point->workload);
        workload_label(point->workload, gpus->workload.label);
        gpus->workload.sizes = has_sizes(point);
    }
    memcpy(point->workload_label, gpus->workload.label, sizeof point->workload_label);
    return make_size(experiment, gpus->workload.sizes, point);
}

/* ---- What is watched ----------------------------------------------------------------- */

/* Without an active unit it is a run without RTL. */
static bool make_watch(struct experiment *experiment, struct experiment_point *point)
{
    const uint32_t v = point->at[DIMENSION_VARIANT];
    const struct experiment_watch watch =
        watch_together(&experiment->watch, &experiment->variants[v].watch);

    point->ctas = watch.ctas;
    point->footprint = watch.footprint;
    if (!watch.shadow) {
        return true;
    }
    point->rtl.units = rtl_units_active(watch.units, &point->config);
    const uint32_t n = (uint32_t)__builtin_popcount(point->rtl.units);
    point->rtl.mode = n == 0u ? RTL_OFF : RTL_SHADOW;
    point->rtl.library = experiment->rtl_file;
    point->rtl.threads = 1u; /* other runs have the other processors */
    point->rtl.built = true; /* before runs start */
    if (experiment->rtl_file != NULL && n > 1u && !places_is_folder(experiment->rtl_file)) {
        return tree_refuse_line(&experiment->tree,
                                watch.units_line == 0u ? 1u : watch.units_line, "units",
                                "%u are active (GPU %s, %s); allowed with --rtl-file=FILE: 1",
                                n, point->gpu_label, experiment->variants[v].name.text);
    }
    return true;
}

/* Those that are found once are found again. */
void experiment_point_names(struct experiment *experiment, struct experiment_gpus *gpus,
                            const uint32_t *at, struct experiment_point *point)
{
    const struct experiment_word *const word = &experiment->gpus.list[at[DIMENSION_GPU]].name;

    memset(point, 0, sizeof *point);
    memcpy(point->at, at, sizeof point->at);
    (void)experiment_axis_names(experiment, at, word, "gpus", point->gpu);
    experiment_label(point->gpu, point->gpu_label);
    (void)make_workload(experiment, gpus, point);
}

bool experiment_point_make(struct experiment *experiment, struct experiment_gpus *gpus,
                           const uint32_t *at, struct experiment_point *point)
{
    memset(point, 0, sizeof *point);
    memcpy(point->at, at, sizeof point->at);
    return make_gpu(experiment, gpus, point) && make_settings(experiment, gpus, point)
           && make_workload(experiment, gpus, point) && make_watch(experiment, point);
}

struct workload_choice experiment_point_workload(const struct experiment_point *point)
{
    return (struct workload_choice){
        .name = point->workload,
        .several = true,
        .size = point->size_number,
        .size_given = point->size_given,
        .footprint = point->footprint,
    };
}

void experiment_gpus_free(struct experiment_gpus *gpus)
{
    for (uint32_t i = 0u; i < gpus->n_scheduler; i++) {
        gpu_scheduler_free(gpus->schedulers[i].scheduler);
    }
    free(gpus->schedulers);
    free(gpus->list);
}
