/* nested - see nested.h. */

#include "gpusched/result/nested.h"

#include <math.h>

#include "gpusched/result/figures.h"
#include "tool/format.h"

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

json_t *nested_json(const struct gpu *gpu, const struct gpu_stats *stats)
{
    struct side side[SIDES] = { { .launches = 0u } };

    if (!collect(gpu, stats, side)) {
        return NULL;
    }
    json_t *const children = side_json(&side[NESTED]);
    json_object_set_new(children, "on_sm", real(ratio(side[NESTED].on_sm, side[NESTED].ctas)));
    return json_pack("{s:o,s:o}", "host", side_json(&side[HOST]), "children", children);
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
}
