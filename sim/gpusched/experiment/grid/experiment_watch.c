/* experiment_watch - what is watched in runs; see experiment_watch.h. */

#include "gpusched/experiment/grid/experiment_watch.h"

#include <stdio.h>
#include <string.h>

#include "gpusched/experiment/grid/experiment.h"

static const char *const keys[] = { "rtl", "units", "observe" };

bool watch_is_key(const char *key)
{
    size_t i = 0u;

    while (i < sizeof keys / sizeof keys[0] && strcmp(keys[i], key) != 0) {
        i++;
    }
    return i < sizeof keys / sizeof keys[0];
}

static bool read_rtl(struct tree *tree, const yaml_node_t *node, const char *place,
                     struct experiment_watch *watch)
{
    const char *text;

    if (!tree_text(tree, node, place, &text)) {
        return false;
    }
    watch->rtl_given = true;
    watch->shadow = strcmp(text, "shadow") == 0;
    return watch->shadow || strcmp(text, "off") == 0
           || tree_refuse(tree, node, place, "%s is given; allowed: off, shadow", text);
}

static bool read_units(struct tree *tree, const yaml_node_t *node, const char *place,
                       struct experiment_watch *watch)
{
    const char *text = "";
    char known[RTL_UNITS_TEXT];

    watch->units_line = tree_line(node);
    if (node->type == YAML_SCALAR_NODE) {
        watch->units = rtl_units_all();
        return tree_text(tree, node, place, &text)
               && (strcmp(text, "all") == 0
                   || tree_refuse(tree, node, place,
                                  "%s is given; allowed: all, or a list of %s", text,
                                  rtl_units_text(known)));
    }
    if (!tree_is_list(tree, node, place)) {
        return false;
    }
    for (uint32_t i = 0u; i < tree_length(node); i++) {
        char item[TREE_PLACE];
        const yaml_node_t *const value = tree_item(tree, node, i);
        snprintf(item, sizeof item, "%.200s.%u", place, i);
        if (!tree_text(tree, value, item, &text)) {
            return false;
        }
        if (!rtl_units_add(text, strlen(text), &watch->units)) {
            return tree_refuse(tree, value, item, "%s: no such unit; allowed: %s", text,
                               rtl_units_text(known));
        }
    }
    return true;
}

static bool read_observe(struct tree *tree, const yaml_node_t *node, const char *place,
                         struct experiment_watch *watch)
{
    if (!tree_is_list(tree, node, place)) {
        return false;
    }
    for (uint32_t i = 0u; i < tree_length(node); i++) {
        char item[TREE_PLACE];
        const char *text;
        const yaml_node_t *const value = tree_item(tree, node, i);
        snprintf(item, sizeof item, "%.200s.%u", place, i);
        if (!tree_text(tree, value, item, &text)) {
            return false;
        }
        const bool ctas = strcmp(text, "ctas") == 0;
        if (!ctas && strcmp(text, "footprint") != 0) {
            return tree_refuse(tree, value, item, "%s is given; allowed: ctas, footprint",
                               text);
        }
        *(ctas ? &watch->ctas : &watch->footprint) = true;
    }
    return true;
}

bool watch_read(struct tree *tree, const yaml_node_t *node, const char *key, const char *place,
                struct experiment_watch *watch)
{
    return strcmp(key, "rtl") == 0     ? read_rtl(tree, node, place, watch)
           : strcmp(key, "units") == 0 ? read_units(tree, node, place, watch)
                                       : read_observe(tree, node, place, watch);
}

struct experiment_watch watch_together(const struct experiment_watch *all,
                                       const struct experiment_watch *variant)
{
    struct experiment_watch watch = *all;

    if (variant->rtl_given) {
        watch.shadow = variant->shadow;
    }
    if (variant->units_line != 0u) {
        watch.units_line = variant->units_line;
        watch.units = variant->units;
    }
    if (watch.units_line == 0u) {
        watch.units = rtl_units_all();
    }
    watch.ctas = watch.ctas || variant->ctas;
    watch.footprint = watch.footprint || variant->footprint;
    return watch;
}

bool watch_check(struct experiment *experiment)
{
    static const char needed[] = "is given without RTL; allowed: with rtl: shadow";
    bool shadow = experiment->watch.shadow;

    for (uint32_t i = 0u; i < experiment->n_variant; i++) {
        const struct experiment_variant *const variant = &experiment->variants[i];
        if (variant->watch.units_line != 0u
            && !watch_together(&experiment->watch, &variant->watch).shadow) {
            char place[TREE_PLACE];
            snprintf(place, sizeof place, "variants.%.200s.units", variant->name.text);
            return tree_refuse_line(&experiment->tree, variant->watch.units_line, place, "%s",
                                    needed);
        }
        shadow = shadow || variant->watch.shadow;
    }
    return shadow || experiment->watch.units_line == 0u
           || tree_refuse_line(&experiment->tree, experiment->watch.units_line, "units", "%s",
                               needed);
}
