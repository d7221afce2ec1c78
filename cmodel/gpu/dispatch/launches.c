/*
 * launches - what the work distributor is to be asked, or CLASO beside LaPerm: launches of
 * kernels that got a slot, and those that keep one, when the set of SMs that take CTAs has
 * changed. They wait in a queue. The first is offered until the unit takes it, which is when it
 * has done with the one before. Other slots go on meanwhile.
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

void distributor_open(struct gpu *g)
{
    g->distributor.sms = active_sms(g);
    g->rooms.kernel = NO_KERNEL;
    g->binding.candidate = NO_KERNEL;
    g->binding.next = g->t;
    g->binding.granted = NO_KERNEL;
    g->queue_levels.came = NO_KERNEL;
    g->returns.giving = NO_KERNEL;
    g->binding.each = g->sockets.kdu != NULL && (g->mode & GPU_STEP_ALL) != 0u;
    g->rooms.block = 1u;
    dispatch_opens(g);
}

/* ---- Launches ------------------------------------------------------------------------ */

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

void distributor_launched(struct gpu *g)
{
    request_remove(&g->distributor, 0u);
}

/* A unit deals its CTAs out to SMs. LaPerm does not; beside it CLASO does, to kernels of the
 * host (rule C-11). */
static bool has_shares(const struct gpu *g, const struct kernel *k)
{
    return g->sockets.laperm == NULL
           || (g->sockets.claso != NULL && !g->kernel_stats[k - g->kernel].nested);
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

void distributor_start(struct gpu *g, struct kernel *k, uint32_t slot)
{
    struct distributor *const d = &g->distributor;
    const uint32_t fit = g->kernel_stats[k - g->kernel].ctas_per_sm;

    k->slot = slot;
    k->holds = true;
    bits_add(&d->slots, slot);
    d->leader[slot] = d->mates[slot] = (uint32_t)(k - g->kernel);
    k->mate = NO_KERNEL;
    k->block = block_of(g, k);
    while (k->block > 1u && k->block > fit) {
        k->block /= 2u; /* or nothing could ever be issued */
    }
    if (has_shares(g, k)) {
        request_add(g, (uint32_t)(k - g->kernel), false);
    }
    g->rooms.launch[g->rooms.n_launch++] = (uint32_t)(k - g->kernel);
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

/* ---- Slots --------------------------------------------------------------------------- */

uint32_t distributor_slot(const struct gpu *g)
{
    uint32_t slot = 0u;

    while (slot < g->config.dispatch.kernels && bits_has(g->distributor.slots, slot)) {
        slot++;
    }
    return slot;
}

bool distributor_has_slot(const struct gpu *g)
{
    return distributor_slot(g) < g->config.dispatch.kernels;
}

void distributor_free(struct gpu *g, uint32_t slot)
{
    bits_remove(&g->distributor.slots, slot);
}

bool distributor_alike(const struct kernel_shape *a, const struct kernel_shape *b)
{
    return a->text == b->text && a->block[0] == b->block[0] && a->block[1] == b->block[1]
           && a->block[2] == b->block[2] && a->shared_bytes == b->shared_bytes;
}

/* The resident kernel of the lowest number from `from` on; there is one. */
static uint32_t next_resident(const struct gpu *g, uint32_t from)
{
    uint32_t next = NO_KERNEL;

    for (uint32_t i = 0u; i < g->n_resident; i++) {
        if (g->resident[i] >= from && g->resident[i] < next) {
            next = g->resident[i];
        }
    }
    return next;
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
    for (uint32_t n = 0u, from = 0u; n < g->n_resident; n++) { /* by number */
        const uint32_t i = next_resident(g, from);
        const struct kernel *const k = &g->kernel[i];
        if (has_shares(g, k) && k->issued < k->ctas && request_of(d, i) == d->n_waiting) {
            request_add(g, i, true);
        }
        from = i + 1u;
    }
}
