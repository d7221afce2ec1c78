/* experiment_part - parts of an experiment's file; see experiment_part.h. */

#include "gpusched/experiment/grid/experiment_part.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words --------------------------------------------------------------------------- */

void *part_room(struct tree *tree, const yaml_node_t *node, uint32_t n, size_t size)
{
    void *const list = calloc(n, size);

    if (list == NULL) {
        tree_refuse_memory(tree, tree_line(node), "");
    }
    return list;
}

bool part_word(struct tree *tree, const yaml_node_t *node, const char *place,
               struct experiment_word *word)
{
    word->line = tree_line(node);
    return tree_text(tree, node, place, &word->text);
}

static bool given_before(const struct experiment_words *words, uint32_t i)
{
    uint32_t earlier = 0u;

    while (earlier < i && strcmp(words->list[earlier].text, words->list[i].text) != 0) {
        earlier++;
    }
    return earlier < i;
}

/* A list of different words. */
bool part_words(struct tree *tree, const yaml_node_t *node, const char *place,
                struct experiment_words *words)
{
    if (!tree_is_list(tree, node, place)) {
        return false;
    }
    words->list = part_room(tree, node, tree_length(node), sizeof *words->list);
    if (words->list == NULL) {
        return false;
    }
    words->n = tree_length(node);
    for (uint32_t i = 0u; i < words->n; i++) {
        char item[TREE_PLACE];
        const yaml_node_t *const value = tree_item(tree, node, i);
        snprintf(item, sizeof item, "%.200s.%u", place, i);
        if (!part_word(tree, value, item, &words->list[i])) {
            return false;
        }
        if (given_before(words, i)) {
            return tree_refuse(tree, value, item, "%s is given twice; allowed: once",
                               words->list[i].text);
        }
    }
    return true;
}

/* ---- Settings ------------------------------------------------------------------------ */

bool part_settings(struct tree *tree, const yaml_node_t *node, const char *place,
                   struct experiment_settings *settings, struct experiment_watch *watch)
{
    if (!tree_is_mapping(tree, node, place)) {
        return false;
    }
    const uint32_t n = tree_length(node);
    settings->list = part_room(tree, node, n + 1u, sizeof *settings->list);
    if (settings->list == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        struct experiment_setting *const setting = &settings->list[settings->n];
        char item[TREE_PLACE + TREE_TEXT];
        yaml_node_t *key;
        const yaml_node_t *const value = tree_pair(tree, node, i, &key);
        part_word(tree, key, place, &setting->key);
        snprintf(item, sizeof item, "%s.%s", place, setting->key.text);
        if (watch != NULL && watch_is_key(setting->key.text)) {
            if (!watch_read(tree, value, setting->key.text, item, watch)) {
                return false;
            }
            continue;
        }
        if (!part_word(tree, value, item, &setting->value)) {
            return false;
        }
        settings->n++;
    }
    return true;
}

/* ---- Names with something more ------------------------------------------------------- */

bool part_named(struct tree *tree, const yaml_node_t *node, const char *place,
                const struct part_form *form, struct experiment_word *word,
                const yaml_node_t **more)
{
    const char *const known[] = { "name", form->key, NULL };

    *more = NULL;
    if (node->type == YAML_SCALAR_NODE) {
        return part_word(tree, node, place, word);
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        return tree_refuse(tree, node, place,
                           "a list is given; allowed: a %s's name, or a mapping of name and %s",
                           form->what, form->key);
    }
    if (!tree_has_keys(tree, node, place, known)) {
        return false;
    }
    const yaml_node_t *const name = tree_get(tree, node, "name");
    *more = tree_get(tree, node, form->key);
    if (name == NULL) {
        return tree_refuse(tree, node, place, "the key name is missing");
    }
    return part_word(tree, name, place, word);
}

/* icc, or {name: icc-6, settings: {icc.entries: 96}} */
static bool read_machine(struct tree *tree, const yaml_node_t *node, const char *place,
                         struct experiment_machine *machine)
{
    static const struct part_form form = { "GPU", "settings" };
    const yaml_node_t *settings;
    char item[TREE_PLACE];

    snprintf(item, sizeof item, "%.128s.settings", place);
    return part_named(tree, node, place, &form, &machine->name, &settings)
           && (settings == NULL
               || part_settings(tree, settings, item, &machine->settings, NULL));
}

bool part_machines(struct tree *tree, const yaml_node_t *node, struct experiment_machines *gpus)
{
    if (!tree_is_list(tree, node, "gpus")) {
        return false;
    }
    const uint32_t n = tree_length(node);
    gpus->list = part_room(tree, node, n, sizeof *gpus->list);
    if (gpus->list == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        char place[TREE_PLACE];
        snprintf(place, sizeof place, "gpus.%u", i);
        gpus->n++;
        if (!read_machine(tree, tree_item(tree, node, i), place, &gpus->list[i])) {
            return false;
        }
    }
    return true;
}

/* ---- Axes ---------------------------------------------------------------------------- */

/* Axes are columns of the results beside these. */
static bool is_column(const char *name)
{
    static const char *const columns[] = { "run",     "id",      "gpu",    "workload",
                                           "size",    "variant", "status", "error",
                                           "seconds", "result",  "key" };
    size_t i = 0u;

    while (i < sizeof columns / sizeof columns[0] && strcmp(columns[i], name) != 0) {
        i++;
    }
    return i < sizeof columns / sizeof columns[0];
}

static bool is_axis_name(const char *name)
{
    return islower((unsigned char)name[0])
           && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name)
           && strlen(name) < 32u && !is_column(name);
}

/* {key: sm.count, values: [8, 16]} */
bool part_axis(struct tree *tree, const yaml_node_t *node, struct experiment_axis *axis)
{
    static const char *const known[] = { "key", "values", NULL };
    char place[TREE_PLACE];
    char item[TREE_PLACE];

    snprintf(place, sizeof place, "axes.%.64s", axis->name.text);
    if (!is_axis_name(axis->name.text)) {
        return tree_refuse_line(tree, axis->name.line, place,
                                "allowed as names of axes: small letters, digits and _, below "
                                "32 in all, and not run, id, gpu, workload, size, variant, "
                                "status, error, seconds, result, key");
    }
    if (!tree_has_keys(tree, node, place, known)) {
        return false;
    }
    const yaml_node_t *const key = tree_get(tree, node, "key");
    const yaml_node_t *const values = tree_get(tree, node, "values");
    if (values == NULL) {
        return tree_refuse(tree, node, place, "the key values is missing");
    }
    snprintf(item, sizeof item, "%.128s.key", place);
    if (key != NULL && !part_word(tree, key, item, &axis->key)) {
        return false;
    }
    snprintf(item, sizeof item, "%.128s.values", place);
    return part_words(tree, values, item, &axis->values);
}
