/*
 * kdu_glue - the kernel distributor unit in the machine: its entries are the slots of kernels
 * that are resident, where LaPerm dispatches. Kernels come from the kernel management unit.
 * Groups look for a kernel to join, one after the other; one that finds none is launched as a
 * kernel. CTAs of several slots that end on an SM in one cycle are told one a cycle, in the
 * cycle in which the room of the SMs is told of them.
 */

#include "gpu/machine.h"

bool kdu_has_room(const struct gpu *g)
{
    const struct kdu *const unit = &g->sockets.kdu->unit;

    for (uint32_t slot = 0u; slot < unit->config.n_kernel; slot++) {
        if (unit->q.count[slot] == 0u) {
            return true;
        }
    }
    return false;
}

/* ---- Inputs -------------------------------------------------------------------------- */

static void tell_ended(struct gpu *g, struct kdu_in *in)
{
    rooms_collect(g);
    for (uint32_t sm = 0u; bits_any(g->rooms.waiting) && sm < g->n_sm; sm++) {
        if (bits_has(g->rooms.waiting, sm)) {
            in->ended[sm] = rooms_ended(g, sm, 0u, 1u, &in->ended_kernel[sm]);
        }
    }
}

/* The kernels of a slot have no CTAs but those that wait for children. */
static bool is_due(const struct gpu *g, uint32_t *slot)
{
    const struct kdu *const unit = &g->sockets.kdu->unit;
    const uint32_t *const away = g->returns.in_slot;

    for (*slot = 0u; g->returns.n_away != 0u && *slot < unit->config.n_kernel; (*slot)++) {
        if (away[*slot] != 0u && unit->q.ending[*slot] == 0u
            && unit->q.count[*slot] == away[*slot]) {
            return true;
        }
    }
    return false;
}

/* The unit compares: CTAs may still end, or a group join. */
static void tell_give_up(struct gpu *g, struct kdu_in *in)
{
    uint32_t slot;

    if (g->returns.giving == NO_KERNEL && is_due(g, &slot)) {
        in->give_up_valid = true;
        in->give_up_kernel = slot;
        in->give_up_tbs = g->returns.in_slot[slot];
    }
}

void kdu_inputs(struct gpu *g, uint32_t i, struct kdu_in *in)
{
    struct binding *const b = &g->binding;

    (void)i;
    if (b->granted != NO_KERNEL) {
        in->admit_valid = true;
        in->admit_tag = g->kernel[b->granted].configuration;
        in->admit_tbs = g->kernel[b->granted].ctas;
    } else if (g->returns.kernels.count != 0u) {
        const struct kernel *const k = &g->kernel[g->returns.kernels.first];
        in->admit_valid = true;
        in->admit_tag = k->configuration;
        in->admit_tbs = k->ctas - k->done;
    }
    if (b->groups.count != 0u) {
        in->group_valid = true;
        in->group_tag = g->kernel[b->groups.first].configuration;
        in->group_tbs = g->kernel[b->groups.first].ctas;
    }
    tell_give_up(g, in);
    tell_ended(g, in);
}

/* ---- Outputs ------------------------------------------------------------------------- */

static void answer_group(struct gpu *g, const struct kdu_in *in, const struct kdu_out *out)
{
    struct binding *const b = &g->binding;

    if (out->answer_valid && out->answer_hit) {
        kernels_join(g, b->asking, out->answer_kernel);
    } else if (out->answer_valid) {
        queue_put(&g->coming, g->t + kernel_latency(g, b->asking), b->asking);
    }
    if (in->group_valid && out->group_ready) {
        b->asking = list_take(g, &b->groups);
    }
}

void kdu_outputs(struct gpu *g, uint32_t i, const struct kdu_in *in, const struct kdu_out *out)
{
    struct binding *const b = &g->binding;

    (void)i;
    for (uint32_t slot = 0u; slot < g->config.dispatch.kernels; slot++) {
        if (bits_has(out->freed, slot)) {
            distributor_free(g, slot);
        }
    }
    answer_group(g, in, out);
    if (out->gave_up) {
        returns_give_up(g, g->returns.giving);
    }
    g->returns.giving = in->give_up_valid ? in->give_up_kernel : NO_KERNEL;
    if (in->admit_valid && out->admit_ready && b->granted == NO_KERNEL) {
        returns_admit(g, out->admit_kernel);
    } else if (in->admit_valid && out->admit_ready) {
        kernels_admit(g, b->granted, out->admit_kernel);
        b->granted = NO_KERNEL;
    }
}

/* No slot is given up, or got by a kernel that comes back. */
static bool returns_rest(const struct gpu *g)
{
    uint32_t slot;

    return g->returns.giving == NO_KERNEL && !is_due(g, &slot)
           && (g->returns.kernels.count == 0u || !kdu_has_room(g));
}

bool kdu_rests(const struct gpu *g)
{
    const struct kdu_socket *const s = g->sockets.kdu;

    return !s->base.restless && kdu_quiet(&s->unit, &s->in) && returns_rest(g);
}
