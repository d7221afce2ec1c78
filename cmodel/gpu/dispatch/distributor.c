/*
 * distributor - the work distributor in the machine: the golden model of a unit
 * (work_distributor.h), whose clock is the GPU's.
 *
 * It is clocked at most once in a cycle. A cycle in which its inputs are those of the last one,
 * in which nothing went out and no launch was offered or under way, changes nothing in it; such
 * cycles are left out, unless what watches it has not settled.
 *
 * Launches wait in a queue: those of kernels that got a slot, and those that keep a slot, when
 * the set of SMs that take CTAs has changed. The first is offered until the unit takes it,
 * which is when it has done with the one before. Other slots go on meanwhile.
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
    g->distributor.sms = active_sms(g);
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

static void request_add(struct gpu *g, uint32_t kernel, bool keep)
{
    struct distributor *const d = &g->distributor;

    assert(d->n_waiting < MAX_RESIDENT);
    d->waiting[d->n_waiting++] = (struct launch_request){ kernel, keep };
    g->dispatch_dirty = true;
}

static void request_remove(struct distributor *d, uint32_t at)
{
    d->n_waiting--;
    for (uint32_t i = at; i < d->n_waiting; i++) {
        d->waiting[i] = d->waiting[i + 1u];
    }
}

/* Where the kernel's request is in the queue; n_waiting if it has none. */
static uint32_t request_of(const struct distributor *d, uint32_t kernel)
{
    uint32_t at = 0u;

    while (at < d->n_waiting && d->waiting[at].kernel != kernel) {
        at++;
    }
    return at;
}

/* Offers the first launch that waits, over the SMs that take CTAs now. Without any it waits. */
static void offer_launch(struct gpu *g)
{
    struct distributor *const d = &g->distributor;

    if (d->n_waiting == 0u || !bits_any(d->sms)) {
        return;
    }
    const struct launch_request *const request = &d->waiting[0];
    const struct kernel *const k = &g->kernel[request->kernel];
    d->in.launch_valid = true;
    d->in.launch_kernel = k->slot;
    d->in.launch_keep = request->keep;
    d->in.launch_ctas = k->ctas;
    d->in.launch_sms = d->sms;
    d->in.launch_policy = policy_of(g);
    d->in.launch_block = k->block / 2u; /* 1, 2, 4 are 0, 1, 2 */
    d->in.launch_steal = g->config.dispatch.steal;
    d->in.launch_active = g->config.claso.active_levels;
    d->in.launch_loose = g->config.claso.loose_levels;
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
    request_add(g, (uint32_t)(k - g->kernel), false);
}

/* A change of its SMs that waits is of no use any more. */
void distributor_exhausted(struct gpu *g, uint32_t kernel)
{
    struct distributor *const d = &g->distributor;
    const uint32_t at = request_of(d, kernel);

    if (at < d->n_waiting) {
        request_remove(d, at);
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
    g->dispatch_dirty = true; /* a launch may have waited for an SM */
    for (uint32_t i = g->first_live; i < g->n_kernel; i++) {
        const struct kernel *const k = &g->kernel[i];
        if (k->resident && k->issued < k->ctas && request_of(d, i) == d->n_waiting) {
            request_add(g, i, true);
        }
    }
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

static void show_kernel(struct gpu *g, struct work_distributor_in *in)
{
    in->limit = bits_below(g->n_sm);
    if (g->current < g->n_kernel) {
        const struct kernel *const k = &g->kernel[g->current];
        in->kernel = k->slot;
        in->room = g->room;
        in->limit = k->allowed;
    }
}

const struct work_distributor_out *distributor_step(struct gpu *g)
{
    struct distributor *const d = &g->distributor;

    d->in = (struct work_distributor_in){ .dispatch_ready = g->t >= d->open };
    show_kernel(g, &d->in);
    offer_launch(g);
    d->launching = d->in.launch_valid || is_busy(d);
    d->cycle = g->t;
    clock_unit(g);
    if (d->launching) {
        g->progress = g->t;
    }
    if (d->in.launch_valid && d->out.launch_ready) {
        request_remove(d, 0u);
    }
    if (d->out.dispatch_count == 0u || !d->in.dispatch_ready) {
        return NULL;
    }
    d->open = g->t + (uint64_t)d->out.dispatch_count * g->config.dispatch.cta_interval;
    return &d->out;
}

bool distributor_settled(const struct gpu *g)
{
    const struct distributor *const d = &g->distributor;
    const struct gpu_distributor_peer *const peer = g->hooks.distributor_peer;

    return !d->launching && d->in.dispatch_ready
           && (peer == NULL || peer->settled == NULL || peer->settled(peer->self));
}
