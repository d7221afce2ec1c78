/* sm_poll - what a warp scheduler does, by definition: it looks at every warp. The slow twin of
 * the masks in sm_step.c, and how the states of single warps are read. */

#include "gpu/sm/sm_parts.h"

/* What holds a warp back in cycle t. */
static enum gpu_warp_state state_of(const struct gpu *g, const struct sm *m, uint32_t slot,
                                    uint64_t t)
{
    const struct warp *const w = &m->warp[slot];
    const uint32_t k = slot % g->schedulers;
    const bool fetched = w->buffered != 0u || (w->arrive != 0u && w->arrive <= t);

    if ((m->at_barrier >> slot & 1u) != 0u || !fetched) {
        return GPU_WARP_EMPTY;
    }
    const uint64_t at = operands_at(w, w->next);
    if (at > t) {
        return at == NEVER ? GPU_WARP_MEMORY_SCOREBOARD : GPU_WARP_ALU_SCOREBOARD;
    }
    const uint32_t kind = ready_kind(w->next->op);
    if (kind == READY_MEMORY) {
        return m->queued < g->config.ldst.queue ? GPU_WARP_MEMORY_READY : GPU_WARP_MEMORY_STALL;
    }
    if (kind == READY_CONTROL) {
        return GPU_WARP_ALU_READY;
    }
    const uint32_t pipe = g->pipe_of[kind];
    const uint64_t *const unit = m->unit_free[pipe][g->shared_pipe[pipe] ? 0u : k];
    for (uint32_t u = 0u; u < g->units[pipe]; u++) {
        if (unit[u] <= t) {
            return GPU_WARP_ALU_READY;
        }
    }
    return GPU_WARP_ALU_STALL;
}

void gpu_warp_states(const struct gpu *g, uint32_t sm, uint64_t count[GPU_WARP_STATES])
{
    const struct sm *const m = g->sm[sm];
    for (uint32_t c = 0u; c < g->config.sm.cta_slots; c++) {
        if ((m->cta_used >> c & 1u) == 0u) {
            continue;
        }
        for (uint64_t set = m->cta[c].warps; set != 0u; set &= set - 1u) {
            const uint32_t slot = lowest(set);
            const bool alive = m->alive >> slot & 1u;
            count[alive ? state_of(g, m, slot, g->t - 1u) : GPU_WARP_FINISHED]++;
        }
    }
}

/* Lower is chosen first. */
static uint64_t rank(const struct sm *m, uint32_t k, uint32_t slot)
{
    const struct scheduler *const s = &m->scheduler[k];
    const struct warp *const w = &m->warp[slot];
    if (s->in_turn != 0u) {
        return (lowest(w->bit) + 63u - s->last) % 64u;
    }
    return s->greedy == w->bit ? 0u : w->age + 1u;
}

/* What a warp in this state makes of its scheduler's cycle, if nothing issues. */
static uint32_t class_of(enum gpu_warp_state state)
{
    switch (state) {
    case GPU_WARP_MEMORY_STALL:
        return GPU_PIPELINE_MEMORY;
    case GPU_WARP_ALU_STALL:
        return GPU_PIPELINE_ALU;
    case GPU_WARP_MEMORY_SCOREBOARD:
        return GPU_SCOREBOARD_MEMORY;
    case GPU_WARP_ALU_SCOREBOARD:
        return GPU_SCOREBOARD_ALU;
    default:
        return GPU_IDLE;
    }
}

/* The CTA that came next after this one, or first of all. */
static const struct cta *next_cta(const struct gpu *g, const struct sm *m,
                                  const struct cta *after)
{
    const struct cta *next = NULL;
    for (uint32_t k = 0u; k < g->config.sm.cta_slots; k++) {
        const struct cta *const c = &m->cta[k];
        const bool later = after == NULL || c->order > after->order;
        if ((m->cta_used >> k & 1u) != 0u && later
            && (next == NULL || c->order < next->order)) {
            next = c;
        }
    }
    return next;
}

/* OWL: how many groups of CTAs are full before the one of this CTA. */
static uint32_t group_of(const struct gpu *g, const struct sm *m, const struct cta *of)
{
    uint32_t group = 0u, ctas = 0u, warps = 0u;
    for (const struct cta *c = next_cta(g, m, NULL); c != of; c = next_cta(g, m, c)) {
        ctas++;
        warps += (uint32_t)__builtin_popcountll(c->warps);
        if (g->config.warp.group_ctas == 0u ? warps >= g->config.warp.ready_queue
                                            : ctas >= g->config.warp.group_ctas) {
            group++;
            ctas = warps = 0u;
        }
    }
    return group;
}

/* May the warp issue, by its level? With OWL: no warp of an earlier group may. */
static bool is_selected(const struct gpu *g, const struct sm *m, uint32_t slot)
{
    const struct two_level *const q = &m->two_level;
    const uint64_t may = m->alive & ~q->pending;
    if (!g->owl_on) {
        return !g->two_level_on || (q->ready >> slot & 1u) != 0u;
    }
    if ((may >> slot & 1u) == 0u) {
        return false;
    }
    const uint32_t group = group_of(g, m, &m->cta[m->warp[slot].cta]);
    for (uint64_t set = may; set != 0u; set &= set - 1u) {
        if (group_of(g, m, &m->cta[m->warp[lowest(set)].cta]) < group) {
            return false;
        }
    }
    return true;
}

struct share *stall_owner_poll(const struct gpu *g, const struct sm *m, uint32_t k,
                               uint32_t class, uint64_t t)
{
    uint64_t age = NEVER;
    struct share *of = m->eldest;

    for (uint32_t slot = k; slot < g->config.sm.warp_slots; slot += g->schedulers) {
        const bool alive = m->alive >> slot & 1u;
        const bool selected = is_selected(g, m, slot);
        const uint32_t its = alive ? class_of(state_of(g, m, slot, t)) : GPU_CYCLE_CLASSES;
        const bool counts = class == GPU_IDLE ? alive
                                              : its == class
                                                    && (selected || its == GPU_SCOREBOARD_MEMORY
                                                        || its == GPU_SCOREBOARD_ALU);
        if (counts && m->warp[slot].age < age) {
            age = m->warp[slot].age;
            of = m->warp[slot].of;
        }
    }
    return of;
}

uint32_t scheduler_poll(struct gpu *g, struct sm *m, uint32_t k, uint64_t t, int32_t *position)
{
    bool seen[GPU_WARP_STATES] = { false };
    bool ready = false;
    uint64_t best = NEVER;

    for (uint32_t slot = k; slot < g->config.sm.warp_slots; slot += g->schedulers) {
        if ((m->alive >> slot & 1u) == 0u) {
            continue;
        }
        const enum gpu_warp_state state = state_of(g, m, slot, t);
        const bool selected = is_selected(g, m, slot);
        const bool blocked =
            state == GPU_WARP_ALU_SCOREBOARD || state == GPU_WARP_MEMORY_SCOREBOARD;
        if (!selected && !blocked) {
            continue;
        }
        seen[state] = true;
        if (state == GPU_WARP_ALU_READY || state == GPU_WARP_MEMORY_READY) {
            ready = true;
            if (rank(m, k, slot) < best) {
                best = rank(m, k, slot);
                *position = (int32_t)lowest(m->warp[slot].bit);
            }
        }
    }
    return ready                              ? GPU_ISSUED
           : seen[GPU_WARP_MEMORY_STALL]      ? GPU_PIPELINE_MEMORY
           : seen[GPU_WARP_ALU_STALL]         ? GPU_PIPELINE_ALU
           : seen[GPU_WARP_ALU_SCOREBOARD]    ? GPU_SCOREBOARD_ALU
           : seen[GPU_WARP_MEMORY_SCOREBOARD] ? GPU_SCOREBOARD_MEMORY
                                              : GPU_IDLE;
}
