/* experiment_axis - axes and the names that they stand in; see experiment_axis.h. */

#include "gpusched/experiment/grid/experiment_axis.h"

#include <stdio.h>
#include <string.h>

const char *experiment_axis_value(const struct experiment *experiment, uint32_t axis,
                                  const uint32_t *at)
{
    return experiment->axes[axis].values.list[at[DIMENSION_AXIS + axis]].text;
}

/* ---- Names with {axis} --------------------------------------------------------------- */

static const char *value_named(const struct experiment *experiment, const uint32_t *at,
                               const char *name, size_t n)
{
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        const struct experiment_axis *const axis = &experiment->axes[a];
        if (axis->key.text == NULL && strlen(axis->name.text) == n
            && strncmp(axis->name.text, name, n) == 0) {
            return experiment_axis_value(experiment, a, at);
        }
    }
    return NULL;
}

bool experiment_axis_names(struct experiment *experiment, const uint32_t *at,
                           const struct experiment_word *word, const char *place,
                           char to[EXPERIMENT_PATH])
{
    size_t length = 0u;

    to[0] = '\0';
    for (const char *from = word->text; *from != '\0'; length = strlen(to)) {
        const size_t n = *from == '{' ? strcspn(from, "}") : strcspn(from, "{");
        const char *value = from;
        int most = (int)n;
        if (*from == '{') {
            value = value_named(experiment, at, from + 1, n - 1u);
            if (from[n] == '\0' || value == NULL) {
                return tree_refuse_line(&experiment->tree, word->line, place,
                                        "%s: braces hold the name of an axis without a key",
                                        word->text);
            }
            most = TREE_TEXT;
        }
        if (length + TREE_TEXT >= EXPERIMENT_PATH) {
            return tree_refuse_line(&experiment->tree, word->line, place,
                                    "%s: too long with its values", word->text);
        }
        snprintf(to + length, EXPERIMENT_PATH - length, "%.*s", most, value);
        from += n + (*from == '{');
    }
    return true;
}

static bool occurs(const struct experiment_word *word, const char *braced)
{
    return word->text != NULL && strstr(word->text, braced) != NULL;
}

/* An axis without a key must stand in a name, or all of its values would be the same. */
static bool check_axis_used(struct experiment *experiment, const struct experiment_axis *axis)
{
    char braced[TREE_PLACE];
    bool found;

    snprintf(braced, sizeof braced, "{%.64s}", axis->name.text);
    found = occurs(&experiment->size, braced);
    for (uint32_t i = 0u; i < experiment->gpus.n; i++) {
        found = found || occurs(&experiment->gpus.list[i].name, braced);
    }
    for (uint32_t i = 0u; i < experiment->n_workload; i++) {
        found = found || occurs(&experiment->workloads[i].name, braced)
                || occurs(&experiment->workloads[i].size, braced);
    }
    return found
           || tree_refuse_line(&experiment->tree, axis->name.line, "axes",
                               "%s has no key; allowed: a key, or %s in the name of a GPU or "
                               "workload, or in a size",
                               axis->name.text, braced);
}

/* What a variant or another axis sets as well would be lost. */
static bool check_axis_key(struct experiment *experiment, const struct experiment_axis *axis)
{
    const char *const key = axis->key.text;

    for (uint32_t v = 0u; v < experiment->n_variant; v++) {
        const struct experiment_settings *const settings = &experiment->variants[v].settings;
        for (uint32_t s = 0u; s < settings->n; s++) {
            if (strcmp(settings->list[s].key.text, key) == 0) {
                return tree_refuse_line(&experiment->tree, axis->key.line, "axes",
                                        "%s: %s is set by variant %s as well; allowed: one of "
                                        "them",
                                        axis->name.text, key,
                                        experiment->variants[v].name.text);
            }
        }
    }
    for (const struct experiment_axis *other = experiment->axes; other < axis; other++) {
        if (other->key.text != NULL && strcmp(other->key.text, key) == 0) {
            return tree_refuse_line(&experiment->tree, axis->key.line, "axes",
                                    "%s: %s is set by axis %s as well; allowed: one of them",
                                    axis->name.text, key, other->name.text);
        }
    }
    return true;
}

bool experiment_axes_check(struct experiment *experiment)
{
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        const struct experiment_axis *const axis = &experiment->axes[a];
        if (!(axis->key.text == NULL ? check_axis_used(experiment, axis)
                                     : check_axis_key(experiment, axis))) {
            return false;
        }
    }
    return true;
}
