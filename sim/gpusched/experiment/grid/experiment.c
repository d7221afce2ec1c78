/* experiment - reads an experiment's file; see experiment.h. */

#include "gpusched/experiment/grid/experiment.h"

#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/places.h"
#include "base/yaml_file.h"
#include "gpusched/experiment/grid/experiment_part.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "tool/folder_names.h"

/* ---- Schema -------------------------------------------------------------------------- */

/* The keys alone: what stands under most of them may be one of two types, or have names of the
 * user's as keys, which a schema cannot say. */
static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_IGNORE("title", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("gpus", CYAML_FLAG_DEFAULT),
    CYAML_FIELD_IGNORE("workloads", CYAML_FLAG_DEFAULT),
    CYAML_FIELD_IGNORE("size", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("settings", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("variants", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("axes", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("seeds", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("baseline", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("figures", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("rtl", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("units", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_IGNORE("observe", CYAML_FLAG_OPTIONAL),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct experiment_word, fields),
};

/* What has no types in the schema has been checked for its syntax: no aliases, one document. */
static bool check_keys(const char *path, struct fault *fault)
{
    void *data = NULL;
    const bool good = yaml_load(path, &schema, &data, fault);

    yaml_free(&schema, data);
    return good;
}

/* ---- GPUs and workloads -------------------------------------------------------------- */

void experiment_label(const char *path, char label[EXPERIMENT_NAME])
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash == NULL ? path : slash + 1;
    const char *const dot = strrchr(name, '.');
    const bool ending = dot != NULL && dot != name && strcmp(dot, ".yaml") == 0;

    snprintf(label, EXPERIMENT_NAME, "%.*s", (int)(ending ? dot - name : EXPERIMENT_NAME),
             name);
}

static bool read_workload(struct tree *tree, const yaml_node_t *node, const char *place,
                          struct experiment_workload *workload)
{
    static const struct part_form form = { "workload", "size" };
    const yaml_node_t *size;

    return part_named(tree, node, place, &form, &workload->name, &size)
           && (size == NULL || part_word(tree, size, place, &workload->size));
}

static bool same_workload(const struct experiment_workload *a,
                          const struct experiment_workload *b)
{
    const bool sized = a->size.text != NULL && b->size.text != NULL;

    return strcmp(a->name.text, b->name.text) == 0
           && (sized ? strcmp(a->size.text, b->size.text) == 0 : a->size.text == b->size.text);
}

static bool read_workloads(struct experiment *experiment, const yaml_node_t *node)
{
    struct tree *const tree = &experiment->tree;

    if (!tree_is_list(tree, node, "workloads")) {
        return false;
    }
    const uint32_t n = tree_length(node);
    experiment->workloads = part_room(tree, node, n, sizeof *experiment->workloads);
    if (experiment->workloads == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        struct experiment_workload *const workload = &experiment->workloads[i];
        char place[TREE_PLACE];
        const yaml_node_t *const item = tree_item(tree, node, i);
        snprintf(place, sizeof place, "workloads.%u", i);
        if (!read_workload(tree, item, place, workload)) {
            return false;
        }
        for (uint32_t earlier = 0u; earlier < i; earlier++) {
            if (same_workload(&experiment->workloads[earlier], workload)) {
                return tree_refuse(tree, item, place, "%s is given twice; allowed: once",
                                   workload->name.text);
            }
        }
        experiment->n_workload++;
    }
    return true;
}

/* ---- Variants ------------------------------------------------------------------------ */

static bool default_variant(struct experiment *experiment)
{
    experiment->variants = part_room(&experiment->tree, tree_root(&experiment->tree), 1u,
                                     sizeof *experiment->variants);
    if (experiment->variants == NULL) {
        return false;
    }
    experiment->variants[0].name = (struct experiment_word){ "default", 1u };
    experiment->n_variant = 1u;
    return true;
}

/* Names, each with its settings or nothing. */
static bool read_variants(struct experiment *experiment, const yaml_node_t *node)
{
    struct tree *const tree = &experiment->tree;

    if (node == NULL) {
        return default_variant(experiment);
    }
    if (!tree_is_mapping(tree, node, "variants")) {
        return false;
    }
    const uint32_t n = tree_length(node);
    if (n == 0u) {
        return tree_refuse(tree, node, "variants", "no variant; allowed: 1 or more");
    }
    experiment->variants = part_room(tree, node, n, sizeof *experiment->variants);
    for (uint32_t i = 0u; i < n && experiment->variants != NULL; i++) {
        struct experiment_variant *const variant = &experiment->variants[i];
        char place[TREE_PLACE + TREE_TEXT];
        yaml_node_t *key;
        const yaml_node_t *const value = tree_pair(tree, node, i, &key);
        part_word(tree, key, "variants", &variant->name);
        snprintf(place, sizeof place, "variants.%s", variant->name.text);
        experiment->n_variant++;
        if (!tree_is_nothing(value)
            && !part_settings(tree, value, place, &variant->settings, &variant->watch)) {
            return false;
        }
    }
    return experiment->variants != NULL;
}

static bool read_baseline(struct experiment *experiment, const yaml_node_t *node)
{
    struct tree *const tree = &experiment->tree;
    const char *name;
    char names[TREE_TEXT] = "";
    size_t at = 0u;

    experiment->baseline = -1;
    if (node == NULL) {
        return true;
    }
    if (!tree_text(tree, node, "baseline", &name)) {
        return false;
    }
    for (uint32_t i = 0u; i < experiment->n_variant; i++) {
        const char *const variant = experiment->variants[i].name.text;
        if (strcmp(variant, name) == 0) {
            experiment->baseline = (int32_t)i;
            return true;
        }
        if (at < sizeof names) {
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0u ? "" : ", ",
                                   variant);
        }
    }
    return tree_refuse(tree, node, "baseline", "%s: no such variant; allowed: %s", name, names);
}

/* ---- Axes ---------------------------------------------------------------------------- */

static bool read_axes(struct experiment *experiment, const yaml_node_t *node)
{
    struct tree *const tree = &experiment->tree;

    if (node == NULL) {
        return true;
    }
    if (!tree_is_mapping(tree, node, "axes")) {
        return false;
    }
    const uint32_t n = tree_length(node);
    if (n > EXPERIMENT_OWN_AXES) {
        return tree_refuse(tree, node, "axes", "%u axes; allowed: at most %d", n,
                           EXPERIMENT_OWN_AXES);
    }
    for (uint32_t i = 0u; i < n; i++) {
        struct experiment_axis *const axis = &experiment->axes[i];
        yaml_node_t *key;
        const yaml_node_t *const value = tree_pair(tree, node, i, &key);
        part_word(tree, key, "axes", &axis->name);
        experiment->n_axis++;
        if (!part_axis(tree, value, axis)) {
            return false;
        }
    }
    return true;
}

/* ---- The file ------------------------------------------------------------------------ */

static bool read_optional(struct experiment *experiment, const yaml_node_t *root)
{
    struct tree *const tree = &experiment->tree;
    const yaml_node_t *const title = tree_get(tree, root, "title");
    const yaml_node_t *const size = tree_get(tree, root, "size");
    const yaml_node_t *const settings = tree_get(tree, root, "settings");
    const yaml_node_t *const figures = tree_get(tree, root, "figures");

    experiment->title = "";
    return (title == NULL || tree_text(tree, title, "title", &experiment->title))
           && (size == NULL || part_word(tree, size, "size", &experiment->size))
           && (settings == NULL
               || part_settings(tree, settings, "settings", &experiment->settings, NULL))
           && (figures == NULL || part_words(tree, figures, "figures", &experiment->figures));
}

static bool read_watch(struct experiment *experiment, const yaml_node_t *root)
{
    struct tree *const tree = &experiment->tree;

    for (uint32_t i = 0u; i < tree_length(root); i++) {
        struct experiment_word word;
        yaml_node_t *key;
        const yaml_node_t *const value = tree_pair(tree, root, i, &key);
        if (!part_word(tree, key, "", &word)
            || (watch_is_key(word.text)
                && !watch_read(tree, value, word.text, word.text, &experiment->watch))) {
            return false;
        }
    }
    return true;
}

static bool read_all(struct experiment *experiment)
{
    struct tree *const tree = &experiment->tree;
    const yaml_node_t *const root = tree_root(tree);

    return read_optional(experiment, root) && read_watch(experiment, root)
           && part_machines(tree, tree_get(tree, root, "gpus"), &experiment->gpus)
           && read_workloads(experiment, tree_get(tree, root, "workloads"))
           && read_variants(experiment, tree_get(tree, root, "variants"))
           && read_axes(experiment, tree_get(tree, root, "axes"))
           && experiment_seeds_read(experiment, tree_get(tree, root, "seeds"))
           && read_baseline(experiment, tree_get(tree, root, "baseline"))
           && watch_check(experiment);
}

static bool find_path(struct experiment *experiment, const char *name, struct fault *fault)
{
    if (!places_config("experiments", name, experiment->path, sizeof experiment->path)) {
        return fault_set(fault, "a path of %zu bytes; allowed: below %d", strlen(name),
                         EXPERIMENT_PATH);
    }
    if (places_is_name(name) && access(experiment->path, F_OK) != 0) {
        return fault_set(
            fault,
            "%.200s: no such experiment; allowed: a file (with a / or .yaml), or a name "
            "that `gpusched list experiments` shows",
            name);
    }
    return true;
}

void experiment_names(void (*each)(void *self, const char *name, const char *comment),
                      void *self)
{
    folder_names("experiments", each, self);
}

bool experiment_load(struct experiment *experiment, const char *path_or_name,
                     struct fault *fault)
{
    *experiment = (struct experiment){ .baseline = -1 };
    if (!find_path(experiment, path_or_name, fault) || !check_keys(experiment->path, fault)
        || !tree_open(&experiment->tree, experiment->path, fault)) {
        return false;
    }
    experiment_label(experiment->path, experiment->name);
    snprintf(experiment->given, sizeof experiment->given, "%s", path_or_name);
    if (!read_all(experiment)) {
        experiment_free(experiment);
        return false;
    }
    return true;
}

void experiment_free(struct experiment *experiment)
{
    for (uint32_t i = 0u; i < experiment->gpus.n; i++) {
        free(experiment->gpus.list[i].settings.list);
    }
    for (uint32_t i = 0u; i < experiment->n_variant; i++) {
        free(experiment->variants[i].settings.list);
    }
    for (uint32_t i = 0u; i < experiment->n_axis; i++) {
        free(experiment->axes[i].values.list);
    }
    free(experiment->variants);
    free(experiment->workloads);
    free(experiment->settings.list);
    free(experiment->gpus.list);
    free(experiment->figures.list);
    tree_close(&experiment->tree);
}
