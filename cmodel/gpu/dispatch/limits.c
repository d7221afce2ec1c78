/*
 * limits - how many CTAs limiters let each SM have. Each has a number of its own for an SM;
 * what all of them allow is allowed. They count CTAs of all kernels, and only those that are on
 * the SM (rule LP-28).
 */

#include "gpu/wake.h"

/* ---- What limiters say --------------------------------------------------------------- */

static void put(struct gpu *g, enum gpu_socket limiter, uint32_t sm, uint8_t value)
{
    uint8_t *const at = &g->limits.of[limiter][sm];

    if (*at != value) {
        *at = value;
        g->limits.any = true;
        g->dispatch_dirty = true;
        (void)wake_at(g, g->t);
    }
}

void limits_set(struct gpu *g, enum gpu_socket limiter, uint32_t sm, uint32_t ctas)
{
    put(g, limiter, sm, (uint8_t)(ctas + 1u));
}

void limits_lift(struct gpu *g, enum gpu_socket limiter, uint32_t sm)
{
    put(g, limiter, sm, 0u);
}

/* ---- What follows -------------------------------------------------------------------- */

static bool allows(const struct gpu *g, uint32_t sm, uint32_t block)
{
    const uint32_t has = (uint32_t)__builtin_popcount(g->sm[sm]->cta_used);

    for (uint32_t k = 0u; has != 0u && k < GPU_SOCKETS; k++) {
        const uint32_t limit = g->limits.of[k][sm];
        if (limit != 0u && has + block >= limit) {
            return false;
        }
    }
    return true;
}

struct bits limits_allow(const struct gpu *g, uint32_t block)
{
    struct bits sms = bits_below(g->n_sm);

    for (uint32_t i = 0u; g->limits.any && i < g->n_sm; i++) {
        if (!allows(g, i, block)) {
            bits_remove(&sms, i);
        }
    }
    return sms;
}

struct bits limits_of(const struct gpu *g, const struct kernel *k)
{
    return k->source.shape.cooperative ? k->allowed
                                       : bits_and(k->allowed, limits_allow(g, k->block));
}

/* ---- What throttles are about -------------------------------------------------------- */

bool throttle_is_new(const struct gpu *g, const struct throttle *of)
{
    return g->current < g->n_kernel && (!of->begun || g->current != of->kernel);
}

uint32_t throttle_counts(const struct gpu *g, uint32_t kernel)
{
    return g->config.dispatch.strict_pairs ? g->kernel[kernel].block : 1u;
}

void throttle_begin(struct gpu *g, enum gpu_throttle which, struct throttle *of)
{
    *of = (struct throttle){ .begun = true, .kernel = g->current };
    g->kernel_stats[g->current].throttle[which].sms++;
    g->kernel_stats[g->current].throttle[which].sms_at[0]++;
}

/* The last limit of its SM is another one. */
static void move(struct gpu_throttle_stats *s, struct throttle *of, uint32_t limit)
{
    s->ctas += limit;
    s->ctas -= of->limit;
    s->sms_at[of->limit]--;
    s->sms_at[limit]++;
    of->limit = limit;
}

void throttle_may_have(struct gpu *g, enum gpu_throttle which, struct throttle *of,
                       uint32_t limit)
{
    move(&g->kernel_stats[of->kernel].throttle[which], of, limit);
}

void throttle_count(struct gpu *g, enum gpu_throttle which, struct throttle *of, uint32_t limit,
                    bool judged)
{
    struct gpu_throttle_stats *const s = &g->kernel_stats[of->kernel].throttle[which];

    s->periods += judged;
    s->limits += judged ? limit : 0u;
    s->least = s->least == 0u || limit < s->least ? limit : s->least;
    s->most = limit > s->most ? limit : s->most;
    move(s, of, limit);
}
