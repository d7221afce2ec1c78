/* experiment_figure - values of a run by their names; see experiment_figure.h. */

#include "gpusched/experiment/grid/experiment_figure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/yaml_file.h"
#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "gpusched/result/result_json.h"
#include "tool/memory_watch.h"

enum { WORD = 64, NAME = 2 * WORD };

static const char *const usual[] = {
    "cycles",       "ipc",         "sm.no_cta",   "sm.idle",        "no_cta_share",
    "issued_share", "l1_hit_rate", "l2_hit_rate", "dram_bus_share", "energy.total",
};

/* ---- Paths --------------------------------------------------------------------------- */

/* Goes down one word of a path; NULL if there is none. In an empty list, whose items a run
 * would make, every number leads to `any`. */
static json_t *step(const json_t *value, const char *word, json_t *any)
{
    uint64_t i;

    if (json_is_object(value)) {
        return json_object_get(value, word);
    }
    if (!json_is_array(value) || !yaml_whole(word, UINT32_MAX, &i)) {
        return NULL;
    }
    return json_array_size(value) == 0u ? any : json_array_get(value, (size_t)i);
}

static json_t *walk(const json_t *result, const char *path, json_t *any)
{
    json_t *at = (json_t *)result;

    while (at != NULL && *path != '\0') {
        char word[WORD];
        const size_t n = strcspn(path, ".");
        snprintf(word, sizeof word, "%.*s", (int)n, path);
        at = n < sizeof word ? step(at, word, any) : NULL;
        path += n + (path[n] == '.');
    }
    return at;
}

json_t *experiment_figure_value(const struct experiment_figure *figure, const json_t *result)
{
    json_t *const value = walk(result, figure->path, NULL);

    if (value == NULL || json_is_object(value) || json_is_array(value)) {
        return json_null();
    }
    return json_is_boolean(value) ? json_integer(json_is_true(value)) : json_incref(value);
}

/* ---- Names --------------------------------------------------------------------------- */

/* A result of no run: all keys, one kernel and one program. */
static json_t *sample(void)
{
    const struct gpu_config config = gpu_config_standard();
    const struct gpu_noc_stats noc[2] = { { 0 }, { 0 } };
    const struct gpu_kernel_stats kernel = { .name = "" };
    const struct workload_program program = { .name = "", .check = "" };
    const struct gpu_stats stats = { .noc = noc, .kernel = &kernel, .n_kernel = 1u };
    const struct result result = {
        .workload = "",
        .config = &config,
        .stats = &stats,
        .message = "",
        .verdict = NOT_CHECKED,
        .check = "",
        .program = { &program },
        .n_program = 1u,
    };
    return result_json(&result);
}

/* kernels.7.ended is looked up as kernels.0.ended, and so are others of lists. */
static void first_of_list(const char *path, char to[TREE_TEXT])
{
    static const char *const lists[] = { "kernels.", "by_kernel.", "programs." };

    snprintf(to, TREE_TEXT, "%s", path);
    for (size_t i = 0u; i < sizeof lists / sizeof lists[0]; i++) {
        const size_t before = strlen(lists[i]);
        const size_t n =
            strncmp(path, lists[i], before) == 0 ? strspn(path + before, "0123456789") : 0u;
        if (n != 0u) {
            snprintf(to, TREE_TEXT, "%s0%s", lists[i], path + before + n);
        }
    }
}

static bool is_scalar_path(const json_t *result, const char *path)
{
    char first[TREE_TEXT];

    first_of_list(path, first);
    const json_t *const value = walk(result, first, json_null());
    return value != NULL && !json_is_object(value) && !json_is_array(value);
}

/* Names that gpusched stats lists and that mean one thing each. Returns how many are meant; all
 * of them are in `meant`. */
static uint32_t listed(const char *name, char path[TREE_TEXT], char *meant, size_t size)
{
    uint32_t n = 0u;
    size_t at = 0u;

    for (const struct figure *row = figure_table; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            n++;
            snprintf(path, TREE_TEXT, "derived.%s", name);
            at = (size_t)snprintf(meant, size, "derived.%s", name);
        }
    }
    for (uint32_t g = 0u; g < COUNT_GROUPS; g++) {
        const struct count_group *const group = &count_groups[g];
        for (const struct gpu_count *row = group->counts; row->name != NULL; row++) {
            char whole[NAME];
            snprintf(whole, sizeof whole, "%s.%s", group->name, row->name);
            const bool bare = strcmp(row->name, name) == 0;
            if ((bare || strcmp(whole, name) == 0) && at < size) {
                n++;
                snprintf(path, TREE_TEXT, "%s.total.%s", group->name, row->name);
                at += (size_t)snprintf(meant + at, size - at, "%s%s", at == 0u ? "" : ", ",
                                       whole);
            }
        }
    }
    return n;
}

static const char *nearest(const char *name, char text[NAME])
{
    uint32_t least = UINT32_MAX;

    snprintf(text, NAME, "%s", yaml_nearer(name, "cycles", &least) ? "cycles" : "");
    for (const struct figure *row = figure_table; row->name != NULL; row++) {
        if (yaml_nearer(name, row->name, &least)) {
            snprintf(text, NAME, "%s", row->name);
        }
    }
    for (uint32_t g = 0u; g < COUNT_GROUPS; g++) {
        for (const struct gpu_count *row = count_groups[g].counts; row->name != NULL; row++) {
            char whole[NAME];
            snprintf(whole, sizeof whole, "%s.%s", count_groups[g].name, row->name);
            if (yaml_nearer(name, whole, &least) || yaml_nearer(name, row->name, &least)) {
                snprintf(text, NAME, "%s", whole);
            }
        }
    }
    return text;
}

static bool find(const json_t *result, const char *name, char path[TREE_TEXT],
                 struct fault *fault)
{
    char text[4 * NAME] = "";

    if (strcmp(name, "cycles") == 0) {
        snprintf(path, TREE_TEXT, "cycles.core");
        return true;
    }
    const uint32_t n = listed(name, path, text, sizeof text);
    if (n > 1u) {
        return fault_set(fault, "%s: more than one is named so; allowed: %s", name, text);
    }
    if (n == 1u) {
        return true;
    }
    if (is_scalar_path(result, name)) {
        snprintf(path, TREE_TEXT, "%s", name);
        return true;
    }
    nearest(name, text);
    return fault_set(
        fault,
        "%s: no such figure%s%s; allowed: cycles, what gpusched stats lists, and paths of "
        "single values in result.json",
        name, text[0] == '\0' ? "" : ", the nearest is ", text);
}

bool experiment_figure_path(const char *name, char path[TREE_TEXT], struct fault *fault)
{
    json_t *const result = sample();
    const bool lost = result == NULL || memory_lost();
    const bool good = !lost && find(result, name, path, fault);

    if (lost) {
        fault_surroundings(fault, "no memory");
    }
    json_decref(result);
    return good;
}

/* ---- An experiment's ----------------------------------------------------------------- */

static bool open_figure(struct experiment *experiment, uint32_t i,
                        struct experiment_figure *figure)
{
    struct tree *const tree = &experiment->tree;
    const bool named = experiment->figures.n > 0u;

    figure->name = named ? experiment->figures.list[i].text : usual[i];
    return experiment_figure_path(figure->name, figure->path, tree->fault)
           || tree_locate(tree, named ? experiment->figures.list[i].line : 1u, "figures");
}

bool experiment_figures_open(struct experiment_figures *figures, struct experiment *experiment)
{
    const uint32_t n = experiment->figures.n > 0u ? experiment->figures.n
                                                  : (uint32_t)(sizeof usual / sizeof usual[0]);

    figures->n = 0u;
    figures->list = calloc(n, sizeof *figures->list);
    if (figures->list == NULL) {
        return tree_refuse_memory(&experiment->tree, 1u, "figures");
    }
    for (; figures->n < n; figures->n++) {
        if (!open_figure(experiment, figures->n, &figures->list[figures->n])) {
            experiment_figures_free(figures);
            return false;
        }
    }
    return true;
}

void experiment_figures_free(struct experiment_figures *figures)
{
    free(figures->list);
    figures->list = NULL;
}
