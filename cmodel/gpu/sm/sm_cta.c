/* sm_cta - CTAs come to an SM and leave it. */

#include "gpu/sm/sm_parts.h"

/* ---- Positions of warps in age order ------------------------------------------------- */

/* x without the bits of `gone`; those above move down. */
static uint64_t close_gaps(uint64_t x, uint64_t gone)
{
    while (gone != 0u) {
        const uint32_t top = 63u - (uint32_t)__builtin_clzll(gone);
        const uint64_t below = BIT(top) - 1u;
        x = (x & below) | (x >> 1 & ~below);
        gone &= below;
    }
    return x;
}

/* Warps leave a scheduler; those behind them move up. */
static void positions_remove(const struct gpu *g, struct sm *m, uint32_t k, uint64_t warps)
{
    struct scheduler *const s = &m->scheduler[k];
    uint64_t gone = 0u;
    for (uint64_t set = warps; set != 0u; set &= set - 1u) {
        if (lowest(set) % g->schedulers == k) {
            gone |= m->warp[lowest(set)].bit;
        }
    }
    for (uint32_t kind = 0u; kind < READY_KINDS; kind++) {
        s->ready[kind] = close_gaps(s->ready[kind], gone);
    }
    s->any = close_gaps(s->any, gone);
    s->alu_wait = close_gaps(s->alu_wait, gone);
    s->memory_wait = close_gaps(s->memory_wait, gone);
    s->greedy = close_gaps(s->greedy, gone);
    const uint32_t next = (s->last + 1u) % 64u;
    s->last = (next + 63u - (uint32_t)__builtin_popcountll(gone & (BIT(next) - 1u))) % 64u;
    uint32_t n = 0u;
    for (uint32_t p = 0u; p < s->positions; p++) {
        if ((gone >> p & 1u) == 0u) {
            s->warp[n] = s->warp[p];
            s->warp[n]->bit = BIT(n);
            n++;
        }
    }
    s->positions = n;
    s->selected = g->two_level_on ? two_level_mask(m, k, g->schedulers) : UINT64_MAX;
}

/* ---- Start and end ------------------------------------------------------------------- */

/* The warp goes on with this piece. */
static void warp_take(const struct gpu *g, struct warp *w, const struct warp_stream *stream)
{
    w->next = stream->instruction;
    w->end = stream->n == 0u ? NULL : stream->instruction + stream->n;
    w->stop = g->config.constant.operands ? operand_stop(w, w->next) : w->end;
    w->access = stream->access;
    w->counted = stream->instruction;
    w->counts = stream->counts;
    w->polls = stream->polls;
}

void warp_count(struct sm *m, struct warp *w)
{
    if (w->next == w->counted) {
        return;
    }
    const bool all = w->next == w->end || (w->end == NULL && w->next[-1].op == OP_EXIT);
    if (w->of != m->latest_of) {
        issues_settle(m);
        m->latest_of = w->of;
    }
    if (w->counts != NULL && all) {
        issues_add(w->counts, &m->latest);
    } else {
        issues_count(w->counted, w->next, &m->latest);
    }
    m->issued_of[w->cta] += (uint64_t)(w->next - w->counted);
    w->counted = w->next;
    w->counts = NULL;
}

uint64_t sm_issued_of(const struct sm *m, uint32_t slot)
{
    const bool used = (m->cta_used >> slot & 1u) != 0u;
    uint64_t n = m->issued_of[slot];

    for (uint64_t set = used ? m->cta[slot].warps & m->alive : 0u; set != 0u; set &= set - 1u) {
        const struct warp *const w = &m->warp[lowest(set)];
        n += (uint64_t)(w->next - w->counted);
    }
    return n;
}

void issues_settle(struct sm *m)
{
    issues_add(&m->latest, &m->issued);
    issues_add(&m->latest, &m->latest_of->issued);
    m->latest = (struct issue_counts){ 0 };
}

/* All of its piece has been issued. */
static void next_piece(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    static const struct instruction exit = { .op = OP_EXIT };
    static const uint32_t none;
    const struct cta *const c = &m->cta[w->cta];
    const struct kernel_source *const source = &g->kernel[c->kernel].source;
    struct warp_stream stream = { .instruction = &exit, .access = &none }; /* at a fault */

    warp_count(m, w);
    g->calling = m->id;
    if (!source->more(source->self, c->handle, w->in_cta, t, &stream, &g->fault)) {
        g->end = GPU_ILLEGAL;
    }
    if (stream.instruction->op == OP_EXIT && (stream.instruction->flags & CHILDREN) != 0u) {
        m->cta[w->cta].to_wait |= w->self;
    }
    warp_take(g, w, &stream);
}

/* at: the cycle in which it has its operands. */
static void to_next(struct gpu *g, struct sm *m, struct warp *w, uint64_t t, uint64_t at)
{
    while (w->next == w->stop) {
        if (w->next == w->end) {
            next_piece(g, m, w, t);
        } else {
            operand_read(g, m, w, at);
        }
    }
}

void warp_more(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    to_next(g, m, w, t, t);
}

void warp_more_after(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    to_next(g, m, w, t, t + 1u);
    if (g->config.constant.operands) {
        wake_cluster(g, m->cluster, t + 1u);
    }
}

static void warp_start(const struct gpu *g, struct sm *m, uint32_t slot, uint32_t cta,
                       uint32_t in_cta, uint64_t t)
{
    struct scheduler *const s = &m->scheduler[slot % g->schedulers];
    struct warp *const w = &m->warp[slot];
    uint64_t *const owed = m->owed + (size_t)slot * g->register_stride;
    const uint32_t position = g->by_age ? s->positions++ : slot / g->schedulers;

    for (uint32_t r = 0u; r < g->register_stride; r++) {
        owed[r] = 0u;
    }
    *w = (struct warp){ .owed = owed,
                        .bit = BIT(position),
                        .self = BIT(slot),
                        .scheduler = s,
                        .slot = (uint16_t)slot,
                        .coming = (uint16_t)g->config.fetch.width,
                        .cta = (uint8_t)cta,
                        .in_cta = (uint8_t)in_cta,
                        .age = m->ages++,
                        .since = t + 1u,
                        .of = m->cta[cta].of };
    s->warp[position] = w;
    m->warp_free &= ~BIT(slot);
}

/* It has not exited. Unless it runs it stands at a barrier. */
static void warp_lives(struct gpu *g, struct sm *m, uint32_t slot, bool runs)
{
    m->alive |= BIT(slot);
    if (!runs) {
        m->at_barrier |= BIT(slot);
        m->two_level.pending |= g->two_level_on ? BIT(slot) : 0u;
        return;
    }
    m->waiting |= BIT(slot);
    m->want |= BIT(slot);
    if (g->two_level_on) {
        two_level_add(g, m, slot);
    }
}

void cta_put(struct gpu *g, struct sm *m, uint32_t slot, const struct warp_stream *stream,
             uint64_t live, uint64_t run, uint64_t t)
{
    struct cta *const c = &m->cta[slot];
    const struct kernel *const k = &g->kernel[c->kernel];

    if (m->cta_used == 0u) {
        classify(&m->no_cta, 0u, t + 1u, false);
    }
    /* The SM counts for itself what it has left: the room it was said to have is there. */
    assert(slot < g->config.sm.cta_slots && m->registers_free >= k->takes.registers);
    assert(m->shared_free >= k->takes.shared_bytes);
    assert(m->threads_free >= k->takes.warps * WARP_SIZE);
    if (UNLIKELY(g->config.l1.carveouts != CARVEOUTS_NONE)) {
        sm_carve(&g->config, m, k->carveout,
                 g->config.sm.shared_bytes - m->shared_free + k->takes.shared_bytes);
    }
    m->cta_used |= 1u << slot;
    m->registers_free -= k->takes.registers;
    m->shared_free -= k->takes.shared_bytes;
    m->threads_free -= k->takes.warps * WARP_SIZE;
    for (uint32_t i = 0u; i < k->takes.warps; i++) {
        const uint32_t warp = lowest(m->warp_free);
        c->warps |= BIT(warp);
        warp_start(g, m, warp, slot, i, t);
        if (stream != NULL) {
            warp_take(g, &m->warp[warp], &stream[i]);
            warp_more_after(g, m, &m->warp[warp], t);
        }
        if ((live >> i & 1u) != 0u) {
            warp_lives(g, m, warp, (run >> i & 1u) != 0u);
        }
    }
    if (g->owl_on) {
        owl_groups(g, m);
    }
    integral_set(&m->resident, m->resident.value + (uint32_t)__builtin_popcountll(live),
                 t + 1u);
    sm_owners(g, m, t + 1u);
    g->progress = t;
    wake_sm(g, m->id, t + 1u);
}

void cta_start(struct gpu *g, struct sm *m, uint32_t kernel, uint32_t cta, uint32_t block,
               uint64_t t)
{
    struct kernel *const k = &g->kernel[kernel];
    const uint32_t slot = lowest(~(uint64_t)m->cta_used);
    struct cta *const c = &m->cta[slot];
    struct warp_stream stream[MAX_WARPS];

    *c = (struct cta){ .kernel = kernel,
                       .number = cta,
                       .block = block,
                       .code = k->code,
                       .instructions = k->source.shape.instructions,
                       .live = k->takes.warps,
                       .order = m->ages,
                       .of = k->share };
    if (!k->source.open_cta(k->source.self, c->number, stream, &c->handle, &g->fault)) {
        g->end = GPU_ILLEGAL;
        return;
    }
    k->issued++;
    cta_put(g, m, slot, stream, UINT64_MAX >> (64u - k->takes.warps), UINT64_MAX, t);
    g->starting[g->n_starting++] = (struct gpu_cta_event){ kernel, cta, m->id, slot };
}

void cta_take_off(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    struct cta *const c = &m->cta[slot];
    const struct kernel *const k = &g->kernel[c->kernel];

    assert((c->warps & m->alive) == 0u && (c->warps & m->at_barrier) == 0u);
    for (uint64_t set = c->warps; set != 0u; set &= set - 1u) {
        assert(m->warp[lowest(set)].pending == 0u);
    }
    for (uint32_t s = 0u; g->by_age && s < g->schedulers; s++) {
        positions_remove(g, m, s, c->warps);
    }
    m->warp_free |= c->warps;
    m->cta_used &= ~(1u << slot);
    if (g->owl_on) {
        owl_groups(g, m);
    }
    if (m->cta_used == 0u) {
        classify(&m->no_cta, 1u, t + 1u, false);
        m->dry = t + 1u;
    }
    m->registers_free += k->takes.registers;
    m->shared_free += k->takes.shared_bytes;
    m->threads_free += k->takes.warps * WARP_SIZE;
    m->left = true;
}

void cta_end(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    struct cta *const c = &m->cta[slot];
    struct kernel *const k = &g->kernel[c->kernel];
    struct gpu_kernel_stats *const stats = &g->kernel_stats[c->kernel];

    cta_take_off(g, m, slot, t);
    m->ctas++;
    c->of->ctas++;
    stats->ctas++;
    stats->ctas_on_sm += stats->nested && stats->sm == m->id;
    k->source.free_cta(k->source.self, c->handle);
    g->record.ended[g->record.n_ended++] =
        (struct gpu_cta_event){ c->kernel, c->number, m->id, slot };
}
