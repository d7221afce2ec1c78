/*
 * experiment_tree - the nodes of an experiment's file, for the mappings whose keys are free
 * names and so fit no schema. What is refused is named with its line and its place.
 */

#ifndef EXPERIMENT_TREE_H
#define EXPERIMENT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/fault.h"

enum { TREE_PLACE = 256, TREE_TEXT = 256 };

struct tree {
    const char *path; /* not copied */
    yaml_document_t document;
    struct fault *fault; /* of the first refusal */
};

/* A file that yaml_load has passed. Returns false with a fault. */
bool tree_open(struct tree *tree, const char *path, struct fault *fault);
void tree_close(struct tree *tree);

yaml_node_t *tree_root(struct tree *tree);
/* The value of a key, or NULL. */
yaml_node_t *tree_get(struct tree *tree, const yaml_node_t *mapping, const char *key);
/* Item i of a list, or pair i of a mapping with its key; i is below tree_length. */
yaml_node_t *tree_item(struct tree *tree, const yaml_node_t *list, uint32_t i);
yaml_node_t *tree_pair(struct tree *tree, const yaml_node_t *mapping, uint32_t i,
                       yaml_node_t **key);
uint32_t tree_length(const yaml_node_t *node);
/* A key without a value. */
bool tree_is_nothing(const yaml_node_t *node);
uint32_t tree_line(const yaml_node_t *node);

/* The fault becomes "FILE:LINE: PLACE: text". Returns false. */
bool tree_refuse(struct tree *tree, const yaml_node_t *node, const char *place,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
bool tree_refuse_line(struct tree *tree, uint32_t line, const char *place, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* Puts "FILE:LINE: PLACE: " before the tree's fault. Returns false. */
bool tree_locate(struct tree *tree, uint32_t line, const char *place);
/* For want of memory. Returns false. */
bool tree_refuse_memory(struct tree *tree, uint32_t line, const char *place);

/* Each returns false with a fault if the node is something else. */
bool tree_is_list(struct tree *tree, const yaml_node_t *node, const char *place);
/* Keys are words, each given once. */
bool tree_is_mapping(struct tree *tree, const yaml_node_t *node, const char *place);
/* And one of a list that ends with NULL. */
bool tree_has_keys(struct tree *tree, const yaml_node_t *node, const char *place,
                   const char *const *known);
/* A value of 1 to TREE_TEXT - 1 bytes without control characters, which lives as long as the
 * tree. */
bool tree_text(struct tree *tree, const yaml_node_t *node, const char *place,
               const char **text);

#endif
