/* experiment_tree - nodes of a YAML file with their lines; see experiment_tree.h. */

#include "gpusched/experiment/grid/experiment_tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml_file.h"

/* ---- The document -------------------------------------------------------------------- */

bool tree_open(struct tree *tree, const char *path, struct fault *fault)
{
    yaml_parser_t parser;
    FILE *const from = fopen(path, "rbe");

    *tree = (struct tree){ .path = path, .fault = fault };
    if (from == NULL) {
        const int reason = errno;
        fault_at(fault, path, 0u, "%s", strerror(reason));
        return fault_by(fault, fault_kind_of(reason));
    }
    if (yaml_parser_initialize(&parser) == 0) {
        fclose(from);
        fault_at(fault, path, 0u, "no memory");
        return fault_by(fault, FAULT_SURROUNDINGS);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_file(&parser, from);
    const bool good = yaml_parser_load(&parser, &tree->document) != 0;
    if (!good) {
        /* Its syntax has been checked: libyaml does not always say that memory is missing. */
        fault_at(fault, path, 0u, "no memory, or it has changed meanwhile");
        fault_by(fault, FAULT_SURROUNDINGS);
    }
    yaml_parser_delete(&parser);
    fclose(from);
    return good;
}

void tree_close(struct tree *tree)
{
    yaml_document_delete(&tree->document);
}

yaml_node_t *tree_root(struct tree *tree)
{
    return yaml_document_get_root_node(&tree->document);
}

uint32_t tree_length(const yaml_node_t *node)
{
    if (node->type == YAML_MAPPING_NODE) {
        return (uint32_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        return (uint32_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    }
    return 0u;
}

uint32_t tree_line(const yaml_node_t *node)
{
    return (uint32_t)node->start_mark.line + 1u;
}

yaml_node_t *tree_item(struct tree *tree, const yaml_node_t *list, uint32_t i)
{
    return yaml_document_get_node(&tree->document, list->data.sequence.items.start[i]);
}

yaml_node_t *tree_pair(struct tree *tree, const yaml_node_t *mapping, uint32_t i,
                       yaml_node_t **key)
{
    const yaml_node_pair_t *const pair = &mapping->data.mapping.pairs.start[i];

    *key = yaml_document_get_node(&tree->document, pair->key);
    return yaml_document_get_node(&tree->document, pair->value);
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

yaml_node_t *tree_get(struct tree *tree, const yaml_node_t *mapping, const char *key)
{
    for (uint32_t i = 0u; i < tree_length(mapping); i++) {
        yaml_node_t *found;
        yaml_node_t *const value = tree_pair(tree, mapping, i, &found);
        if (strcmp(scalar(found), key) == 0) {
            return value;
        }
    }
    return NULL;
}

bool tree_is_nothing(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0u
           && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* ---- Messages ------------------------------------------------------------------------ */

static bool refuse(struct tree *tree, uint32_t line, const char *place, const char *format,
                   va_list arguments)
{
    fault_at(tree->fault, tree->path, line, "%s%s", place, place[0] == '\0' ? "" : ": ");
    return fault_add_list(tree->fault, format, arguments);
}

bool tree_locate(struct tree *tree, uint32_t line, const char *place)
{
    return fault_locate(tree->fault, tree->path, line, "%s%s", place,
                        place[0] == '\0' ? "" : ": ");
}

bool tree_refuse_memory(struct tree *tree, uint32_t line, const char *place)
{
    fault_surroundings(tree->fault, "no memory");
    return tree_locate(tree, line, place);
}

bool tree_refuse(struct tree *tree, const yaml_node_t *node, const char *place,
                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    refuse(tree, tree_line(node), place, format, arguments);
    va_end(arguments);
    return false;
}

bool tree_refuse_line(struct tree *tree, uint32_t line, const char *place, const char *format,
                      ...)
{
    va_list arguments;

    va_start(arguments, format);
    refuse(tree, line, place, format, arguments);
    va_end(arguments);
    return false;
}

static bool wants(struct tree *tree, const yaml_node_t *node, const char *place,
                  const char *wanted)
{
    switch (node->type) {
    case YAML_MAPPING_NODE:
        return tree_refuse(tree, node, place, "a mapping is given; allowed: %s", wanted);
    case YAML_SEQUENCE_NODE:
        return tree_refuse(tree, node, place, "a list is given; allowed: %s", wanted);
    default:
        return tree_refuse(tree, node, place, "%s%.40s is given; allowed: %s",
                           scalar(node)[0] == '\0' ? "nothing" : "", scalar(node), wanted);
    }
}

/* ---- Types --------------------------------------------------------------------------- */

bool tree_is_list(struct tree *tree, const yaml_node_t *node, const char *place)
{
    if (node->type != YAML_SEQUENCE_NODE) {
        return wants(tree, node, place, "a list");
    }
    return tree_length(node) > 0u
           || tree_refuse(tree, node, place, "a list of 0; allowed: 1 or more");
}

bool tree_is_mapping(struct tree *tree, const yaml_node_t *node, const char *place)
{
    if (node->type != YAML_MAPPING_NODE) {
        return wants(tree, node, place, "a mapping of keys to values");
    }
    for (uint32_t i = 0u; i < tree_length(node); i++) {
        yaml_node_t *key;
        yaml_node_t *other;
        const char *word = "";
        tree_pair(tree, node, i, &key);
        if (!tree_text(tree, key, place, &word)) {
            return false;
        }
        for (uint32_t earlier = 0u; earlier < i; earlier++) {
            tree_pair(tree, node, earlier, &other);
            if (strcmp(scalar(other), word) == 0) {
                return tree_refuse(tree, key, place,
                                   "%s is given twice, first in line %u; allowed: once", word,
                                   tree_line(other));
            }
        }
    }
    return true;
}

static bool is_known(const char *const *known, const char *word)
{
    while (*known != NULL && strcmp(*known, word) != 0) {
        known++;
    }
    return *known != NULL;
}

static bool unknown(struct tree *tree, const yaml_node_t *key, const char *place,
                    const char *const *known)
{
    char names[TREE_TEXT] = "";
    const char *nearest = NULL;
    uint32_t least = UINT32_MAX;
    size_t at = 0u;

    for (; *known != NULL && at < sizeof names; known++) {
        if (yaml_nearer(scalar(key), *known, &least)) {
            nearest = *known;
        }
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at == 0u ? "" : ", ",
                               *known);
    }
    return tree_refuse(tree, key, place, "%s: no such key%s%s; allowed: %s", scalar(key),
                       nearest == NULL ? "" : ", the nearest is ",
                       nearest == NULL ? "" : nearest, names);
}

bool tree_has_keys(struct tree *tree, const yaml_node_t *node, const char *place,
                   const char *const *known)
{
    if (!tree_is_mapping(tree, node, place)) {
        return false;
    }
    for (uint32_t i = 0u; i < tree_length(node); i++) {
        yaml_node_t *key;
        tree_pair(tree, node, i, &key);
        if (!is_known(known, scalar(key))) {
            return unknown(tree, key, place, known);
        }
    }
    return true;
}

bool tree_text(struct tree *tree, const yaml_node_t *node, const char *place, const char **text)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0u) {
        return wants(tree, node, place, "a single value");
    }
    *text = scalar(node);
    if (node->data.scalar.length >= TREE_TEXT) {
        return tree_refuse(tree, node, place, "a text of %zu bytes; allowed: below %d",
                           node->data.scalar.length, TREE_TEXT);
    }
    for (size_t i = 0u; i < node->data.scalar.length; i++) {
        if (iscntrl((unsigned char)(*text)[i])) {
            return tree_refuse(tree, node, place,
                               "a control character is given; allowed: printable text");
        }
    }
    return true;
}
