/* l2 - a slice of the L2: a request a cycle, write-back, and one answer a cycle for the lines
 * that come back from its DRAM. With l2.write_fetch a write of what is not there goes on to
 * DRAM, and what it lacks is read. */

#include "gpu/mem/crossbar.h"
#include "gpu/mem/l2_lines.h"

/* ---- Answers ------------------------------------------------------------------------- */

HOT void answer(struct gpu *g, uint32_t id, uint32_t line, struct requester to, uint64_t cycle,
                uint64_t t)
{
    if (UNLIKELY(g->versions != NULL) && to.path == PATH_L1) {
        to.mshr = versions_of(g->versions, g->sm[to.sm]->cluster, line);
    }
    struct slice *const s = &g->slice[id];
    crossbar_enter(
        g, 1u, id, &s->reply,
        (struct packet){
            .ready = domain_after(&g->l2, cycle + g->config.l2.latency, t),
            .of = to.of,
            .line = line,
            .sm = to.sm,
            .mshr = to.mshr,
            .type = REPLY,
            .path = to.path,
            .part = to.path == PATH_ATOMIC ? 0u : to.part,
            .out = (uint8_t)(to.path == PATH_RECORD ? g->n_cluster : g->sm[to.sm]->cluster),
            .size = g->answer_size[to.path][to.sectors],
            .sectors = to.path == PATH_CONSTANT || to.path == PATH_CODE ? 15u : to.sectors,
            .tracked = to.tracked });
    s->replies++;
    to.of->l2.reply++;
}

COLD static void acknowledge(struct gpu *g, uint32_t id, uint32_t line, struct requester to,
                             uint64_t cycle, uint64_t t)
{
    to.path = PATH_ANSWER;
    answer(g, id, line, to, cycle, t);
}

/* Does this need no answer, but get one? */
HOT bool is_acknowledged(const struct gpu *g, uint32_t path)
{
    return UNLIKELY(g->config.noc.write_acks) && path < PATH_BACK;
}

static void note_performed(struct gpu *g, uint32_t sm, uint32_t line)
{
    if (UNLIKELY(g->versions != NULL) && line < CODE_LINE) {
        versions_performed(g->versions, g->sm[sm]->cluster, line);
    }
}

/* The cycle in which the slice takes the next request after an atomic. Lanes that meet take
 * turns; all others are performed beside them, l2.atomic_lanes of them a cycle, and those of
 * two requests may share one. */
static uint64_t atomic_end(const struct gpu *g, struct slice *s, struct requester by,
                           uint64_t cycle)
{
    const uint64_t turns = cycle + (uint64_t)by.turns * g->config.l2.atomic_interval;
    const uint32_t each = g->config.l2.atomic_lanes;
    const uint32_t lanes = by.part > by.turns ? by.part : by.turns;

    if (each == 0u) {
        return turns;
    }
    const uint64_t from = s->lanes_until > cycle * each ? s->lanes_until : cycle * each;
    s->lanes_until = from + lanes;
    return s->lanes_until / each > turns ? s->lanes_until / each : turns;
}

/* A write is over for the one who asked. */
static void end_write(struct gpu *g, uint32_t id, uint32_t line, struct requester by,
                      uint64_t cycle, uint64_t t)
{
    if (is_acknowledged(g, by.path)) {
        acknowledge(g, id, line, by, cycle, t);
    } else {
        g->inflight--;
    }
}

/* Performs a read or an atomic on a line that is there, or ends a write that has fetched it. */
static void serve(struct gpu *g, uint32_t id, uint32_t line, struct requester to,
                  uint64_t cycle, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    if (UNLIKELY(to.type == WRITE)) {
        end_write(g, id, line, to, cycle, t);
        return;
    }
    if (to.type != READ) {
        uint32_t *const set = l2_set(g, s, line);
        l2_dirty(s, set, l2_way(g, set, line), to.sectors);
        s->atomic++;
        to.of->l2.atomic++;
        s->atomic_of = to.of;
        if (s->part == NULL) {
            note_performed(g, to.sm, line);
        }
        s->atomic_until = atomic_end(g, s, to, cycle);
        wake_slice(g, id, domain_after(&g->l2, s->atomic_until, t));
    }
    if (to.type != ATOMIC_SILENT) {
        answer(g, id, line, to, cycle, t);
    } else {
        end_write(g, id, line, to, cycle, t);
    }
}

/* A line, or sectors of it, have answered all who waited for them. */
static void come(struct gpu *g, struct slice *s, uint32_t line, uint32_t quarters)
{
    uint32_t *const set = l2_set(g, s, line);
    const uint32_t way = l2_way(g, set, line);

    if (s->part == NULL) {
        set[way] &= ~(uint32_t)PENDING;
        return;
    }
    *l2_part(s, set, way) |= (uint8_t)(quarters << 4);
    if (mshr_find(&s->mshr, line, 0u) == NO_MSHR) {
        set[way] &= ~(uint32_t)PENDING;
    }
}

/* The line that came back first answers one of those who wait for it. */
static bool serve_returned(struct gpu *g, uint32_t id, uint64_t cycle, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    const uint32_t mshr = s->returned[s->returned_head];
    const uint32_t line = s->mshr.line[mshr];

    if (s->reply.n == s->reply.capacity || s->atomic_until > cycle) {
        return false;
    }
    serve(g, id, line, s->waiter[(size_t)mshr * g->config.l2.merges + s->answered[mshr]++],
          cycle, t);
    if (s->answered[mshr] == s->mshr.n[mshr]) {
        mshr_unlist(&s->mshr, mshr);
        come(g, s, line, s->mshr.sectors[mshr]);
        mshr_give(&s->mshr, mshr);
        s->returned_head =
            s->returned_head + 1u == g->config.l2.mshrs ? 0u : s->returned_head + 1u;
        s->n_returned--;
    }
    return true;
}

/* ---- Requests ------------------------------------------------------------------------ */

/* For a request of this kernel, to which the write to DRAM belongs. */
static void evict(struct gpu *g, uint32_t id, const uint32_t *set, uint32_t way,
                  struct share *of)
{
    struct slice *const s = &g->slice[id];
    const uint32_t dirty = s->part != NULL ? *l2_part(s, set, way) & 15u : 15u;
    s->writeback++;
    of->l2.writeback++;
    g->inflight++;
    dram_push(g, id, (set[way] >> 2) - 1u, g->atoms_of[dirty], true, 0u, 0u, of);
}

/* Has DRAM room for a read of this line, so many writes of it, and a write of what it takes the
 * place of? */
static bool dram_has_room(const struct gpu *g, uint32_t id, uint32_t line, uint32_t writes,
                          uint32_t victim, bool dirty)
{
    const uint32_t at = dram_of(g, id, line), other = dirty ? dram_of(g, id, victim) : at;
    return at == other ? dram_takes(g, at, 1u, writes + (dirty ? 1u : 0u))
                       : dram_takes(g, at, 1u, writes) && dram_takes(g, other, 0u, 1u);
}

static struct requester requester_of(const struct packet *p)
{
    return (struct requester){ .of = p->of,
                               .sm = p->sm,
                               .mshr = p->mshr,
                               .type = p->type & 15u,
                               .path = p->path & 15u,
                               .part = p->part,
                               .sectors = p->sectors,
                               .tracked = p->tracked,
                               .turns = p->turns };
}

/* A write that misses goes on to DRAM: what it touches, in whole atoms. */
static void write_on(struct gpu *g, uint32_t id, const struct packet *p)
{
    struct slice *const s = &g->slice[id];
    const uint32_t quarters = s->part != NULL ? p->sectors : p->quarters;

    s->write++;
    p->of->l2.write++;
    s->write_miss++;
    p->of->l2.write_miss++;
    note_performed(g, p->sm, p->line);
    g->inflight++;
    dram_push(g, id, p->line, g->atoms_of[quarters], true, 0u, 0u, p->of);
}

/* way: of the line, if it is there, but not these quarters of it. */
static uint32_t request_miss(struct gpu *g, uint32_t id, const struct packet *p, uint32_t way,
                             uint32_t missing, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    uint32_t *const set = l2_set(g, s, p->line);
    const bool is_new = way == g->config.l2.ways;
    const uint32_t fetched = s->part != NULL ? g->atoms_of[missing] : 15u;

    if (s->mshr.n_free == 0u) {
        return L2_FULL_MSHR;
    }
    way = is_new ? l2_victim(g, set) : way;
    if (way == g->config.l2.ways) {
        return L2_FULL_SET;
    }
    const bool dirty = is_new && (set[way] & DIRTY) != 0u, write = p->type == WRITE;
    if (!dram_has_room(g, id, p->line, write ? 1u : 0u, (set[way] >> 2) - 1u, dirty)) {
        return L2_FULL_DRAM;
    }
    if (dirty) {
        evict(g, id, set, way, p->of);
    }
    if (UNLIKELY(write)) {
        write_on(g, id, p);
        s->fetch++;
        p->of->l2.fetch++;
    } else {
        s->miss++;
        p->of->l2.miss++;
    }
    const uint32_t mshr = mshr_take(&s->mshr, p->line, fetched, t);
    s->answered[mshr] = 0u;
    s->waiter[(size_t)mshr * g->config.l2.merges] = requester_of(p);
    s->mshr.n[mshr] = 1u;
    dram_push(g, id, p->line, fetched, false, mshr, p->sm, p->of);
    l2_front(s, set, way, (is_new ? (p->line + 1u) << 2 : set[way]) | PENDING, is_new);
    return L2_BUSY;
}

/* The same; somebody else may have asked for them already. */
static uint32_t request_absent(struct gpu *g, uint32_t id, const struct packet *p, uint32_t way,
                               uint32_t missing, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    const uint32_t mshr =
        way == g->config.l2.ways ? NO_MSHR : mshr_find(&s->mshr, p->line, missing);

    if (mshr == NO_MSHR) {
        return request_miss(g, id, p, way, missing, t);
    }
    if (s->mshr.n[mshr] == g->config.l2.merges) {
        return L2_FULL_MERGE;
    }
    if (p->type != WRITE) {
        s->merge++;
        p->of->l2.merge++;
    } else if (dram_takes(g, dram_of(g, id, p->line), 0u, 1u)) {
        write_on(g, id, p);
    } else {
        return L2_FULL_DRAM;
    }
    s->waiter[(size_t)mshr * g->config.l2.merges + s->mshr.n[mshr]++] = requester_of(p);
    return L2_BUSY;
}

static uint32_t request_write(struct gpu *g, uint32_t id, const struct packet *p,
                              uint64_t cycle, uint64_t t)
{
    const uint32_t line = p->line;
    struct slice *const s = &g->slice[id];
    uint32_t *const set = l2_set(g, s, line);
    uint32_t way = l2_way(g, set, line);

    if (UNLIKELY(g->config.l2.write_fetch)) {
        const uint32_t missing = l2_absent(g, s, set, way, p->sectors);
        if (missing != 0u) {
            return request_absent(g, id, p, way, missing, t);
        }
    }
    if (is_acknowledged(g, p->path) && queue_full(&s->reply)) {
        return L2_FULL_REPLY;
    }
    if (way != g->config.l2.ways) {
        l2_front(s, set, way, set[way], false);
    } else {
        way = l2_victim(g, set);
        if (way == g->config.l2.ways) {
            return L2_FULL_SET;
        }
        if ((set[way] & DIRTY) != 0u) {
            if (!dram_takes(g, dram_of(g, id, (set[way] >> 2) - 1u), 0u, 1u)) {
                return L2_FULL_DRAM;
            }
            evict(g, id, set, way, p->of);
        }
        l2_front(s, set, way, (line + 1u) << 2, true);
    }
    l2_dirty(s, set, 0u, (uint32_t)p->sectors << 4 | p->sectors);
    s->write++;
    p->of->l2.write++;
    note_performed(g, p->sm, line);
    end_write(g, id, line, requester_of(p), cycle, t);
    return L2_BUSY;
}

/* A read or an atomic. */
static uint32_t request_line(struct gpu *g, uint32_t id, const struct packet *p, uint64_t cycle,
                             uint64_t t)
{
    struct slice *const s = &g->slice[id];
    uint32_t *const set = l2_set(g, s, p->line);
    const uint32_t way = l2_way(g, set, p->line);
    const uint32_t missing = l2_absent(g, s, set, way, p->sectors);

    if (missing != 0u) {
        return request_absent(g, id, p, way, missing, t);
    }
    if (queue_full(&s->reply)) {
        return L2_FULL_REPLY;
    }
    s->hit++;
    p->of->l2.hit++;
    l2_front(s, set, way, set[way], false);
    serve(g, id, p->line, requester_of(p), cycle, t);
    return L2_BUSY;
}

static uint32_t request(struct gpu *g, uint32_t id, uint64_t cycle, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    if (s->atomic_until > cycle) {
        s->of = s->atomic_of;
        return L2_ATOMIC_BUSY;
    }
    if (s->request.n == 0u || queue_front(&s->request)->ready > t) {
        s->of = g->nobody;
        return L2_IDLE;
    }
    const struct packet *const p = queue_front(&s->request);
    s->of = p->of;
    const uint32_t class =
        p->type == WRITE ? request_write(g, id, p, cycle, t) : request_line(g, id, p, cycle, t);
    if (class == L2_BUSY) {
        if (UNLIKELY(s->part != NULL) && p->type != READ && p->type != WRITE) {
            /* Before it is performed, other sectors of its line may be read. */
            note_performed(g, p->sm, p->line);
        }
        crossbar_room(g, 0u, id, &s->request, t);
        (void)queue_pop(&s->request);
        g->moved = t;
    }
    return class;
}

HOT void slice_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct slice *const s = &g->slice[id];
    bool went = false;
    uint32_t class = L2_IDLE;

    for (uint64_t cycle = g->l2.before + 1u; cycle <= g->l2.now; cycle++) {
        went = s->n_returned != 0u && serve_returned(g, id, cycle, t);
        class = request(g, id, cycle, t);
        classes_own(&s->cycles, s->of->l2_cycles, cycle, g->each);
        classify(&s->cycles, class, cycle, g->each);
    }
    if (g->each) {
        return;
    }
    if (went && s->n_returned != 0u) {
        wake_slice(g, id, t + 1u);
    }
    /* What the next cycle is, unless an arrival, which has a wake of its own, overrules it. */
    const uint64_t next = g->l2.now + 1u;
    if (s->atomic_until > next) {
        classes_own(&s->cycles, s->atomic_of->l2_cycles, next, false);
        classify(&s->cycles, L2_ATOMIC_BUSY, next, false);
    } else if (class == L2_BUSY) {
        if (s->request.n != 0u && queue_front(&s->request)->ready <= t + 1u) {
            wake_slice(g, id, t + 1u);
        } else {
            classes_own(&s->cycles, g->nobody->l2_cycles, next, false);
            classify(&s->cycles, L2_IDLE, next, false);
        }
    }
}

void slices_step(struct gpu *g, uint64_t set, uint64_t t)
{
    for (; set != 0u; set &= set - 1u) {
        slice_step(g, lowest(set), t);
    }
}
