/*
 * distributor - the work distributor in the machine: the golden model of a unit
 * (work_distributor.h), clocked when something about it may change.
 *
 * A cycle in which its inputs are those of the last one, and in which nothing went out and no
 * launch was under way, changes nothing in it; such cycles are left out, unless what watches it
 * has not settled. A launch takes the
 * unit some tens or hundreds of cycles, but no time of the GPU, where dispatch.launch_latency
 * alone is between two kernels. So the unit's cycles are numbered by themselves.
 */

#include "gpu/machine.h"

/* SMs that take CTAs. */
static struct bits active_sms(const struct gpu *g)
{
    struct bits sms = { { 0u } };

    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (!g->sm[i]->draining && !g->sm[i]->gated) {
            bits_add(&sms, i);
        }
    }
    return sms;
}

struct work_distributor_config gpu_distributor_config(const struct gpu_config *config)
{
    return (struct work_distributor_config){
        .n_sm = config->sm.count,
        .n_cluster = config->cluster.count,
        .n_kernel = config->dispatch.kernels,
        .cta_w = 32u,
        .level_w = 4u,
    };
}

void distributor_open(struct gpu *g)
{
    const struct work_distributor_config config = gpu_distributor_config(&g->config);
    const enum work_distributor_error error =
        work_distributor_init(&g->distributor.unit, &config);

    assert(error == work_distributor_ok); /* the configuration's ranges are within these */
    (void)error;
    g->distributor.cycle = 1u;
    g->distributor.sms = active_sms(g);
}

/* ---- A cycle ------------------------------------------------------------------------- */

/* With the inputs in d->in. */
static void clock_unit(struct gpu *g)
{
    struct distributor *const d = &g->distributor;
    const struct gpu_distributor_peer *const peer = g->hooks.distributor_peer;

    work_distributor_eval_watched(&d->unit, &d->in, &d->out, &d->next,
                                  peer != NULL ? peer->watch : NULL);
    if (UNLIKELY(peer != NULL)
        && !peer->evaluated(peer->self, &d->unit, &d->in, &d->out, &d->next, d->cycle, g->t)) {
        g->end = GPU_STOPPED;
    }
    work_distributor_tick(&d->unit, &d->next);
    d->cycle++;
}

const struct work_distributor_out *distributor_step(struct gpu *g)
{
    struct distributor *const d = &g->distributor;

    d->in =
        (struct work_distributor_in){ .limit = bits_below(g->n_sm), .dispatch_ready = true };
    if (g->current < g->n_kernel) {
        const struct kernel *const k = &g->kernel[g->current];
        d->in.kernel = k->slot;
        d->in.room = g->room;
        d->in.limit = k->allowed;
    }
    clock_unit(g);
    return &d->out;
}

bool distributor_settled(const struct gpu *g)
{
    const struct gpu_distributor_peer *const peer = g->hooks.distributor_peer;

    return peer == NULL || peer->settled == NULL || peer->settled(peer->self);
}

/* ---- Launches ------------------------------------------------------------------------ */

static bool is_busy(const struct distributor *d)
{
    return d->unit.scheduler.q.busy || d->unit.credits.q.busy;
}

static uint32_t policy_of(const struct gpu *g)
{
    switch (g->config.dispatch.policy) {
    case DISPATCH_GLOBAL_RR:
        return CTA_GLOBAL_RR;
    case DISPATCH_TWO_LEVEL_RR:
        return CTA_TWO_LEVEL_RR;
    case DISPATCH_GREEDY_CLUSTER:
        return CTA_GREEDY_CLUSTERING;
    case DISPATCH_DISTRIBUTED:
    case DISPATCH_DISTRIBUTED_BLOCK:
    default:
        return CTA_DISTRIBUTED;
    }
}

/* To the end of the launch; nothing goes out meanwhile. */
static void launch(struct gpu *g, const struct kernel *k, bool keep)
{
    struct distributor *const d = &g->distributor;

    d->in = (struct work_distributor_in){
        .launch_valid = true,
        .launch_kernel = k->slot,
        .launch_keep = keep,
        .launch_ctas = k->ctas,
        .launch_sms = d->sms,
        .launch_policy = policy_of(g),
        .launch_block = k->block / 2u, /* 1, 2, 4 are 0, 1, 2 */
        .launch_steal = g->config.dispatch.steal,
        .launch_active = g->config.claso.active_levels,
        .launch_loose = g->config.claso.loose_levels,
    };
    clock_unit(g);
    d->in.launch_valid = false;
    while (is_busy(d)) {
        clock_unit(g);
    }
    g->dispatch_dirty = true;
}

/* BCS leaves kernels out whose CTAs have no neighbours in a row (rule B-4). */
static uint32_t block_of(const struct gpu *g, const struct kernel *k)
{
    const struct kernel_shape *const shape = &k->source.shape;
    const bool distributed = g->config.dispatch.policy == DISPATCH_DISTRIBUTED_BLOCK;
    uint32_t block = g->config.dispatch.block;

    if (!g->config.dispatch.block_all && (shape->block[1] <= 1u || shape->grid[0] <= 1u)) {
        block = 1u;
    }
    return distributed && block < 2u ? 2u : block;
}

void distributor_start(struct gpu *g, struct kernel *k)
{
    struct distributor *const d = &g->distributor;
    const uint32_t fit = g->kernel_stats[k - g->kernel].ctas_per_sm;

    k->slot = lowest(~(uint64_t)d->slots);
    d->slots |= 1u << k->slot;
    k->block = block_of(g, k);
    while (k->block > 1u && k->block > fit) {
        k->block /= 2u; /* or nothing could ever be issued */
    }
    k->whole_blocks = fit / k->block;
    if (bits_any(d->sms)) {
        launch(g, k, false);
    } else {
        k->unlaunched = true;
    }
}

void distributor_stop(struct gpu *g, const struct kernel *k)
{
    g->distributor.slots &= ~(1u << k->slot);
}

void distributor_sms(struct gpu *g)
{
    struct distributor *const d = &g->distributor;
    const struct bits sms = active_sms(g);

    if (bits_equal(sms, d->sms)) {
        return;
    }
    d->sms = sms;
    if (!bits_any(sms)) {
        return; /* what is left waits */
    }
    for (uint32_t i = g->first_live; i < g->n_kernel; i++) {
        struct kernel *const k = &g->kernel[i];
        if (k->started && !k->ended && k->issued < k->ctas) {
            launch(g, k, !k->unlaunched);
            k->unlaunched = false;
        }
    }
}
