/*
 * laperm_glue - LaPerm in the machine, in place of the work distributor. Its clock is the
 * GPU's. It has a cycle as long as anything waits in it; where nobody watches it, only if some
 * SM has room for a CTA of some kernel. Cycles between are made up for.
 *
 * A kernel is an entry, and so is a group; the payload is its number. It is told of a kernel
 * when that starts, one in a cycle, in their order. What does not fit on chip gets a record
 * in memory: it is written to the L2, and read there when the unit asks. It asks for nothing
 * while a launch waits for its record, so it is told of no launch for which there is none.
 */

#include <string.h>

#include "gpu/machine.h"

/* ---- Inputs -------------------------------------------------------------------------- */

void binding_look(struct gpu *g)
{
    struct laperm_socket *const s = g->sockets.laperm;
    const uint32_t before = g->binding.candidate;
    uint32_t slot;

    if (!g->dispatch_dirty && !g->rooms.dirty && (g->mode & GPU_STEP_ALL) == 0u) {
        return;
    }
    laperm_advance(&s->unit, &s->in, g->t - g->binding.next);
    g->binding.next = g->t;
    g->binding.candidate =
        laperm_candidate(&s->unit, &slot) ? g->distributor.leader[slot] : NO_KERNEL;
    g->rooms.dirty = g->rooms.dirty || g->binding.candidate != before;
}

/* Where a kernel is bound to: the SM of its parent, or if that is off, the next that is not. */
static uint32_t home(const struct gpu *g, uint32_t kernel)
{
    const uint32_t sm = g->kernel_stats[kernel].sm;

    for (uint32_t k = 0u; k < g->n_sm; k++) {
        if (!g->sm[(sm + k) % g->n_sm]->gated) {
            return (sm + k) % g->n_sm;
        }
    }
    return sm;
}

uint32_t binding_parent(const struct gpu *g, uint32_t kernel)
{
    const uint32_t above = g->kernel_stats[kernel].priority - 1u;

    return above < g->config.laperm.levels ? above : g->config.laperm.levels;
}

static void tell_launch(const struct gpu *g, struct laperm_in *in)
{
    const struct kernel_list *const list = &g->binding.launched;

    if (list->count == 0u) {
        return;
    }
    const struct kernel *const k = &g->kernel[list->first];
    const struct gpu_kernel_stats *const stats = &g->kernel_stats[list->first];
    if (stats->nested && !record_spare(g, 0u)) {
        return;
    }
    in->launch_valid = true;
    in->launch_host = !stats->nested;
    if (stats->nested) {
        in->launch_sm = home(g, list->first);
        in->launch_parent = binding_parent(g, list->first);
    }
    in->launch_payload = list->first;
    in->launch_kernel = k->slot;
    in->launch_tbs = k->ctas;
}

static void tell_back(const struct gpu *g, struct laperm_in *in)
{
    const struct binding *const b = &g->binding;

    if (b->n_back == 0u) {
        return;
    }
    const uint32_t kernel = b->memory[b->back[0].sm][b->back[0].level - 1u].first;
    in->back_valid = true;
    in->back_sm = b->back[0].sm;
    in->back_level = b->back[0].level;
    in->back_payload = kernel;
    in->back_kernel = g->kernel[kernel].slot;
    in->back_tbs = g->kernel[kernel].ctas;
    in->back_stamp = g->kernel[kernel].stamp;
}

/* What is bound to an SM that drains has still to go there. With RR and TB-Pri nothing is. */
static struct bits room(const struct gpu *g)
{
    const bool binds =
        g->config.laperm.mode == BIND_SMX || g->config.laperm.mode == BIND_ADAPTIVE;
    struct bits room = dispatch_room(g, g->binding.candidate);

    if (!binds || g->rooms.kernel != g->binding.candidate
        || bits_equal(g->distributor.sms, bits_below(g->n_sm))) {
        return room;
    }
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (g->sm[i]->draining && !g->sm[i]->gated && bits_has(g->rooms.fits, i)
            && !bits_has(g->returns.held, i) && laperm_waits(&g->sockets.laperm->unit, i)) {
            bits_add(&room, i);
        }
    }
    return room;
}

void laperm_inputs(struct gpu *g, uint32_t i, struct laperm_in *in)
{
    uint32_t record;

    (void)i;
    in->mode = (uint32_t)g->config.laperm.mode - (uint32_t)BIND_RR; /* in the unit's order */
    in->dispatch_ready = g->t >= g->distributor.open;
    in->spill_ready = record_port_ready(g) && record_free(g, &record);
    in->ask_ready = record_port_ready(g) && !g->sockets.laperm->unit.q.spill_valid;
    if (g->binding.candidate != NO_KERNEL) {
        in->room = room(g);
        in->limit = limits_of(g, &g->kernel[g->binding.candidate]);
        in->credit = credits_of(g);
    }
    tell_launch(g, in);
    tell_back(g, in);
}

/* SMs that CTAs may go to: also those that drain. */
static struct bits awake(const struct gpu *g)
{
    struct bits sms = g->rooms.open;

    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (g->sm[i]->draining && !g->sm[i]->gated && !bits_has(g->returns.held, i)) {
            bits_add(&sms, i);
        }
    }
    return sms;
}

/* Its next cycles can be left out, or made up for: nothing can go anywhere before a CTA ends,
 * or something else makes the dispatch dirty. */
static bool rests(const struct gpu *g, uint32_t i, const struct laperm_in *in)
{
    const struct laperm_socket *const s = &g->sockets.laperm[i];

    if (g->binding.n_asked != 0u) {
        return false; /* until the kernel is back */
    }
    if (g->binding.launched.count != 0u && !in->launch_valid) {
        return false; /* until there is a record */
    }
    if (g->sockets.claso != NULL && !g->binding.dealt) {
        return false; /* until credits are there */
    }
    if (laperm_quiet(&s->unit, in)) {
        return true;
    }
    return s->base.seat == NULL && laperm_rests(&s->unit, in) && g->rooms.n_launch == 0u
           && in->dispatch_ready && !bits_any(in->room)
           && !sm_free_any(&g->sockets.sm_free->unit, awake(g), g->distributor.slots);
}

/* ---- Outputs ------------------------------------------------------------------------- */

static void spill(struct gpu *g, const struct laperm_out *out)
{
    struct kernel *const k = &g->kernel[out->spill_payload];

    g->kernel_stats[out->spill_payload].spilled = true;
    k->stamp = out->spill_stamp;
    (void)record_free(g, &k->record);
    record_take(g, k->record, (uint32_t)out->spill_payload);
    record_port_ask(g, k->record, true, 0u);
    list_put(g, &g->binding.memory[out->spill_sm][out->spill_level - 1u],
             (uint32_t)out->spill_payload);
}

static void use_memory(struct gpu *g, const struct laperm_in *in, const struct laperm_out *out)
{
    struct binding *const b = &g->binding;

    if (out->spill_valid && in->spill_ready) {
        spill(g, out);
    }
    if (in->back_valid && out->back_ready) {
        const uint32_t kernel = list_take(g, &b->memory[in->back_sm][in->back_level - 1u]);
        (void)record_give(g, g->kernel[kernel].record);
        if (b->arrivals.count != 0u) { /* it may have the record */
            g->alarm = g->alarm < g->t + 1u ? g->alarm : g->t + 1u;
        }
        b->n_asked--;
        b->n_back--;
        memmove(&b->back[0], &b->back[1], b->n_back * sizeof b->back[0]);
    }
    if (out->ask_valid && in->ask_ready) {
        const uint32_t kernel = b->memory[out->ask_sm][out->ask_level - 1u].first;
        b->n_asked++;
        record_port_ask(g, g->kernel[kernel].record, false,
                        out->ask_sm * laperm_max_n_level + out->ask_level);
    }
}

void laperm_outputs(struct gpu *g, uint32_t i, const struct laperm_in *in,
                    const struct laperm_out *out)
{
    struct distributor *const d = &g->distributor;

    g->binding.next = g->t + 1u;
    d->settled = rests(g, i, in);
    queues_of_laperm(g, in, out);
    if (in->launch_valid && out->launch_ready) {
        g->progress = g->t;
        (void)list_take(g, &g->binding.launched);
    }
    use_memory(g, in, out);
    if (out->dispatch_valid && in->dispatch_ready) {
        d->open = g->t + (uint64_t)g->config.dispatch.cta_interval;
        dispatch_issue(g, (uint32_t)out->dispatch_payload, out->dispatch_sm, out->dispatch_tb,
                       1u);
    }
}
