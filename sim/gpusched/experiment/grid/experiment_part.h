/* experiment_part - parts of an experiment's file that stand in several places of it. Each
 * function returns false, or NULL, with the tree's fault. */

#ifndef EXPERIMENT_PART_H
#define EXPERIMENT_PART_H

#include "gpusched/experiment/grid/experiment.h"

/* Zeroed memory. */
void *part_room(struct tree *tree, const yaml_node_t *node, uint32_t n, size_t size);

bool part_word(struct tree *tree, const yaml_node_t *node, const char *place,
               struct experiment_word *word);
/* A list of different words. */
bool part_words(struct tree *tree, const yaml_node_t *node, const char *place,
                struct experiment_words *words);
/* {sm.count: 8, warp.policy: lrr}, and what is watched; watch: NULL where that is not allowed.
 */
bool part_settings(struct tree *tree, const yaml_node_t *node, const char *place,
                   struct experiment_settings *settings, struct experiment_watch *watch);
/* What a name in a list may come with: {name: hotspot, size: small} */
struct part_form {
    const char *what; /* that is named */
    const char *key;  /* beside name */
};
/* more: the key's value, NULL for none. */
bool part_named(struct tree *tree, const yaml_node_t *node, const char *place,
                const struct part_form *form, struct experiment_word *word,
                const yaml_node_t **more);
bool part_machines(struct tree *tree, const yaml_node_t *node,
                   struct experiment_machines *gpus);
/* {key: sm.count, values: [8, 16]}, of the axis that has its name already. */
bool part_axis(struct tree *tree, const yaml_node_t *node, struct experiment_axis *axis);

#endif
