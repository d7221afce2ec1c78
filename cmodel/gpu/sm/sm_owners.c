/*
 * sm_owners - to which kernel the cycles of an SM belong.
 *
 * As long as all CTAs of an SM are of one kernel, all its cycles are that kernel's. With CTAs
 * of several kernels a scheduler cycle is the kernel's whose warp issues; if none does, that of
 * the oldest warp of those that give the cycle its class, or, if it is idle, of the oldest of
 * all its warps. A cycle of the load/store unit is the kernel's whose instruction it is at. All
 * else is the kernel's whose CTA came to the SM first.
 */

#include "gpu/sm/sm_parts.h"

/* ---- CTAs come and go ---------------------------------------------------------------- */

static void find_eldest(struct gpu *g, struct sm *m)
{
    const struct cta *eldest = NULL;
    m->mixed = false;
    for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
        const struct cta *const c = &m->cta[lowest(set)];
        m->mixed = m->mixed || (eldest != NULL && c->of != eldest->of);
        eldest = eldest == NULL || c->order < eldest->order ? c : eldest;
    }
    m->eldest = eldest == NULL ? g->nobody : eldest->of;
}

void sm_owners(struct gpu *g, struct sm *m, uint64_t t)
{
    find_eldest(g, m);
    m->left = false;
    for (uint32_t k = 0u; k < g->schedulers && !m->mixed; k++) {
        classes_own(&m->scheduler[k].cycles, m->eldest->cycles, t, g->each);
    }
    if (!m->mixed || m->queued == 0u) {
        classes_own(&m->ldst, m->eldest->ldst, t, g->each);
    }
    inflight_split(m, t - 1u, g->each);
    classes_own(&m->inflight, m->eldest->inflight, t, g->each);
    if (m->mixed) {
        wake_sm(g, m->id, t);
    }
}

/* ---- Cycles in which nothing issues -------------------------------------------------- */

static struct share *elder(const struct warp **eldest, const struct warp *w)
{
    *eldest = *eldest == NULL || w->age < (*eldest)->age ? w : *eldest;
    return (*eldest)->of;
}

struct share *stall_owner(const struct sm *m, uint32_t k, uint32_t class)
{
    const struct scheduler *const s = &m->scheduler[k];
    const struct warp *eldest = NULL;
    struct share *of = m->eldest;
    uint64_t set = 0u;

    switch (class) {
    case GPU_PIPELINE_MEMORY:
        set = s->ready[READY_MEMORY] & s->selected;
        break;
    case GPU_PIPELINE_ALU:
        set = s->any & s->selected;
        break;
    case GPU_SCOREBOARD_MEMORY:
        set = s->memory_wait;
        break;
    case GPU_SCOREBOARD_ALU:
        set = s->alu_wait;
        break;
    default: /* idle: all of the scheduler */
        for (uint64_t all = m->alive; all != 0u; all &= all - 1u) {
            if (m->warp[lowest(all)].scheduler == s) {
                of = elder(&eldest, &m->warp[lowest(all)]);
            }
        }
    }
    for (; set != 0u; set &= set - 1u) {
        of = elder(&eldest, s->warp[lowest(set)]);
    }
    return of;
}
