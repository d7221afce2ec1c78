/* footprints - see footprints.h. */

#include "gpusched/result/footprints.h"

#include <inttypes.h>
#include <math.h>

#include "tool/format.h"

static const char *const names[FOOTPRINT_KINDS] = {
    [FOOTPRINT_PARENT_CHILD] = "parent_child",
    [FOOTPRINT_CHILD_SIBLING] = "child_sibling",
    [FOOTPRINT_PARENT_PARENT] = "parent_parent",
};

/* The levels, and behind them all together; returns the number of levels. */
static uint32_t collect(const struct exec_footprint *footprint,
                        struct footprint_level level[FOOTPRINT_LEVELS + 1])
{
    const uint32_t n = exec_footprint_levels(footprint, level);

    level[n] = (struct footprint_level){ .kernels = 0u };
    for (uint32_t k = 0u; k < n; k++) {
        footprint_level_add(&level[n], &level[k]);
    }
    return n;
}

/* ---- JSON ---------------------------------------------------------------------------- */

static json_t *whole(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *level_json(const struct footprint_level *level)
{
    json_t *const object = json_object();

    json_object_set_new(object, "kernels", whole(level->kernels));
    json_object_set_new(object, "parents", whole(level->parents));
    json_object_set_new(object, "direct_parents", whole(level->direct_parents));
    json_object_set_new(object, "children", whole(level->children));
    for (uint32_t k = 0u; k < FOOTPRINT_KINDS; k++) {
        const struct footprint_mean *const mean = &level->mean[k];
        json_object_set_new(
            object, names[k],
            json_pack("{s:o,s:o}", "ratio",
                      mean->n == 0u ? json_null() : json_real(footprint_mean(mean)), "of",
                      whole(mean->n)));
    }
    return object;
}

json_t *footprints_json(const struct exec_footprint *footprint)
{
    struct footprint_level level[FOOTPRINT_LEVELS + 1];
    const uint32_t n = collect(footprint, level);
    json_t *const levels = json_array();

    for (uint32_t k = 0u; k < n; k++) {
        json_array_append_new(levels, level_json(&level[k]));
    }
    return json_pack("{s:i,s:o,s:o}", "block_bytes", FOOTPRINT_BLOCK, "all",
                     level_json(&level[n]), "levels", levels);
}

/* ---- Words --------------------------------------------------------------------------- */

static void row(const char *name, const struct footprint_level *level, FILE *to)
{
    fprintf(to, "  %-16s %9s %9s %9s %9s %14s %14s %14s\n", name,
            format_count(level->kernels).text, format_count(level->parents).text,
            format_count(level->direct_parents).text, format_count(level->children).text,
            format_share(footprint_mean(&level->mean[FOOTPRINT_PARENT_CHILD])).text,
            format_share(footprint_mean(&level->mean[FOOTPRINT_CHILD_SIBLING])).text,
            format_share(footprint_mean(&level->mean[FOOTPRINT_PARENT_PARENT])).text);
}

void footprints_print(const struct exec_footprint *footprint, FILE *to)
{
    struct footprint_level level[FOOTPRINT_LEVELS + 1];
    const uint32_t n = collect(footprint, level);

    if (n == 0u) {
        fputs("\nShared footprint: no kernel has launched one\n", to);
        return;
    }
    fprintf(to, "\n%-18s %9s %9s %9s %9s %14s %14s %14s\n", "Shared footprint", "kernels",
            "parents", "direct", "children", "parent-child", "child-sibling", "parent-parent");
    for (uint32_t k = 0u; k < n; k++) {
        char name[32];
        snprintf(name, sizeof name, "level %" PRIu32, k);
        row(name, &level[k], to);
    }
    if (n > 1u) {
        row("all", &level[n], to);
    }
}
