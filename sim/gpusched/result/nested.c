/* nested - see nested.h. */

#include "gpusched/result/nested.h"

#include <inttypes.h>
#include <math.h>

#include "gpusched/result/figures.h"
#include "tool/format.h"

/* ---- Where the launches come from ---------------------------------------------------- */

enum { HOST, NESTED, SIDES };

struct side {
    uint64_t launches, ctas, on_sm;
    struct gpu_share share;
};

/* False if no kernel has launched one. */
static bool collect(const struct gpu *gpu, const struct gpu_stats *stats,
                    struct side side[SIDES])
{
    struct gpu_share share;

    for (uint32_t k = 0u; gpu != NULL && k < stats->n_kernel; k++) {
        const struct gpu_kernel_stats *const kernel = &stats->kernel[k];
        struct side *const to = &side[kernel->nested ? NESTED : HOST];
        gpu_share(gpu, k, &share);
        gpu_share_add(&to->share, &share);
        to->launches++;
        to->ctas += kernel->ctas;
        to->on_sm += kernel->ctas_on_sm;
    }
    return side[NESTED].launches != 0u;
}

static double l1_rate(const struct side *side)
{
    const struct gpu_sm_stats *const sm = &side->share.sm;

    return ratio(sm->l1_hit, sm->l1_hit + sm->l1_miss + sm->l1_merge);
}

static double l2_rate(const struct side *side)
{
    const struct gpu_l2_stats *const l2 = &side->share.l2;

    return ratio(l2->hit, l2->hit + l2->miss + l2->merge);
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *side_json(const struct side *side)
{
    return json_pack("{s:I,s:I,s:o,s:o}", "launches", (json_int_t)side->launches, "ctas",
                     (json_int_t)side->ctas, "l1_hit_rate", real(l1_rate(side)), "l2_hit_rate",
                     real(l2_rate(side)));
}

/* ---- Queues -------------------------------------------------------------------------- */

static const struct {
    const char *unit, *name, *words;
} queues[GPU_QUEUES] = {
    [GPU_QUEUE_KMU] = { "kmu", "on_chip", "kmu, on chip" },
    [GPU_QUEUE_KMU_MEMORY] = { "kmu", "in_memory", "kmu, in memory" },
    [GPU_QUEUE_HOST] = { "laperm", "queue_0", "laperm, queue 0" },
    [GPU_QUEUE_SETS] = { "laperm", "sets", "laperm, sets" },
    [GPU_QUEUE_MEMORY] = { "laperm", "in_memory", "laperm, in memory" },
};

static json_t *queues_json(const struct gpu_stats *stats)
{
    json_t *const kmu = json_object(), *const laperm = json_object();

    for (uint32_t k = 0u; k < GPU_QUEUES; k++) {
        json_object_set_new(queues[k].unit == queues[0].unit ? kmu : laperm, queues[k].name,
                            json_pack("{s:o,s:I}", "mean",
                                      real(ratio(stats->queue[k].sum, stats->cycles)), "most",
                                      (json_int_t)stats->queue[k].most));
    }
    json_object_set_new(json_object_get(laperm, "sets"), "most_of_one",
                        json_integer((json_int_t)stats->most_of_set));
    return json_pack("{s:o,s:o}", "kmu", kmu, "laperm", laperm);
}

static void queues_print(const struct gpu_stats *stats, FILE *to)
{
    fprintf(to, "\n%-23s %9s %11s %9s\n", "Queues, in entries", "mean", "most", "of a set");
    for (uint32_t k = 0u; k < GPU_QUEUES; k++) {
        fprintf(to, "  %-21s %9.2f %11s", queues[k].words,
                ratio(stats->queue[k].sum, stats->cycles),
                format_count(stats->queue[k].most).text);
        if (k == GPU_QUEUE_SETS) {
            fprintf(to, " %9s", format_count(stats->most_of_set).text);
        }
        fputc('\n', to);
    }
}

/* ---- Both ---------------------------------------------------------------------------- */

json_t *nested_json(const struct gpu *gpu, const struct gpu_stats *stats)
{
    struct side side[SIDES] = { { .launches = 0u } };

    if (!collect(gpu, stats, side)) {
        return NULL;
    }
    json_t *const children = side_json(&side[NESTED]);
    json_object_set_new(children, "on_sm", real(ratio(side[NESTED].on_sm, side[NESTED].ctas)));
    json_t *const nested =
        json_pack("{s:o,s:o}", "host", side_json(&side[HOST]), "children", children);
    if (stats->queue != NULL) {
        json_object_set_new(nested, "queues", queues_json(stats));
    }
    return nested;
}

void nested_print(const struct gpu *gpu, const struct gpu_stats *stats, FILE *to)
{
    static const char *const names[SIDES] = { "of the host", "of kernels" };
    struct side side[SIDES] = { { .launches = 0u } };

    if (!collect(gpu, stats, side)) {
        return;
    }
    fprintf(to, "\n%-23s %9s %11s %9s %9s  %s\n", "Kernels", "launches", "CTAs", "L1 hits",
            "L2 hits", "CTAs on the SM of their direct parent");
    for (uint32_t k = 0u; k < SIDES; k++) {
        fprintf(to, "  %-21s %9s %11s %9s %9s", names[k], format_count(side[k].launches).text,
                format_count(side[k].ctas).text, format_share(l1_rate(&side[k])).text,
                format_share(l2_rate(&side[k])).text);
        if (k == NESTED) {
            fprintf(to, "  %s", format_share(ratio(side[k].on_sm, side[k].ctas)).text);
        }
        fputc('\n', to);
    }
    if (stats->queue != NULL) {
        queues_print(stats, to);
    }
}

/* ---- Footprints ---------------------------------------------------------------------- */

static const char *const kinds[FOOTPRINT_KINDS] = {
    [FOOTPRINT_PARENT_CHILD] = "parent_child",
    [FOOTPRINT_CHILD_SIBLING] = "child_sibling",
    [FOOTPRINT_PARENT_PARENT] = "parent_parent",
};

/* The levels, and behind them all together; returns the number of levels. */
static uint32_t collect_levels(const struct exec_footprint *footprint,
                               struct footprint_level level[FOOTPRINT_LEVELS + 1])
{
    const uint32_t n = exec_footprint_levels(footprint, level);

    level[n] = (struct footprint_level){ .kernels = 0u };
    for (uint32_t k = 0u; k < n; k++) {
        footprint_level_add(&level[n], &level[k]);
    }
    return n;
}

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
            object, kinds[k],
            json_pack("{s:o,s:o}", "ratio",
                      mean->n == 0u ? json_null() : json_real(footprint_mean(mean)), "of",
                      whole(mean->n)));
    }
    return object;
}

json_t *footprints_json(const struct exec_footprint *footprint)
{
    struct footprint_level level[FOOTPRINT_LEVELS + 1];
    const uint32_t n = collect_levels(footprint, level);
    json_t *const levels = json_array();

    for (uint32_t k = 0u; k < n; k++) {
        json_array_append_new(levels, level_json(&level[k]));
    }
    return json_pack("{s:i,s:o,s:o}", "block_bytes", FOOTPRINT_BLOCK, "all",
                     level_json(&level[n]), "levels", levels);
}

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
    const uint32_t n = collect_levels(footprint, level);

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
