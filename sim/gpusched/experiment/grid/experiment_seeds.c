/* experiment_seeds - an ensemble's axis; see experiment_seeds.h. */

#include "gpusched/experiment/grid/experiment_seeds.h"

#include <stdio.h>
#include <string.h>

#include "base/yaml_file.h"
#include "gpusched/experiment/grid/experiment_part.h"

static bool read_number(struct tree *tree, const yaml_node_t *node, uint64_t *seeds)
{
    const char *text;

    if (!tree_text(tree, node, "seeds", &text)) {
        return false;
    }
    return (yaml_whole(text, SEEDS_MOST, seeds) && (*seeds == 1u || *seeds >= SEEDS_FEWEST))
           || tree_refuse(tree, node, "seeds",
                          "%s is given; allowed: 1, or %d to %d, since fewer than %d runs have "
                          "no band of 95 %%",
                          text, SEEDS_FEWEST, SEEDS_MOST, SEEDS_FEWEST);
}

/* Texts of numbers live as long as the experiment. */
static const char *number_text(struct experiment *experiment, uint32_t seed)
{
    char *const text = experiment->seed_texts[seed];

    snprintf(text, sizeof experiment->seed_texts[0], "%u", seed);
    return text;
}

static bool add_axis(struct experiment *experiment, const yaml_node_t *node, uint32_t seeds)
{
    struct experiment_axis *const axis = &experiment->axes[experiment->n_axis];
    const uint32_t line = tree_line(node);

    *axis =
        (struct experiment_axis){ .name = { "seed", line }, .key = { "jitter.seed", line } };
    axis->values.list = part_room(&experiment->tree, node, seeds, sizeof *axis->values.list);
    if (axis->values.list == NULL) {
        return false;
    }
    experiment->n_axis++;
    experiment->seeds = seeds;
    for (uint32_t i = 0u; i < seeds; i++) {
        axis->values.list[i] = (struct experiment_word){ number_text(experiment, i), line };
    }
    axis->values.n = seeds;
    return true;
}

bool experiment_seeds_read(struct experiment *experiment, const yaml_node_t *node)
{
    uint64_t seeds;

    if (node == NULL) {
        return true;
    }
    if (!read_number(&experiment->tree, node, &seeds)) {
        return false;
    }
    for (uint32_t a = 0u; a < experiment->n_axis && seeds > 1u; a++) {
        if (strcmp(experiment->axes[a].name.text, "seed") == 0) {
            return tree_refuse_line(&experiment->tree, experiment->axes[a].name.line, "axes",
                                    "seed is the axis of the key seeds; allowed: another name");
        }
    }
    return seeds == 1u || add_axis(experiment, node, (uint32_t)seeds);
}

uint32_t experiment_seeds(const struct experiment *experiment)
{
    return experiment->seeds == 0u ? 1u : experiment->seeds;
}

uint32_t experiment_own_axes(const struct experiment *experiment)
{
    return experiment->n_axis - (experiment->seeds == 0u ? 0u : 1u);
}
