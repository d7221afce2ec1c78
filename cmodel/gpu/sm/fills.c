/* fills - what comes back to an SM: lines for its caches, and answers to atomics and stores. */

#include "gpu/sm/request.h"

/* An operation has one line less to wait for. */
static void operation_line(struct gpu *g, struct sm *m, uint32_t id, uint64_t t)
{
    struct operation *const o = &m->operation[id];
    if (--o->left != 0u) {
        return;
    }
    if (o->earliest > t) {
        event_push(m, t, (uint32_t)(o->earliest - t), EVENT_MEMORY, id);
        wake_sm(g, m->id, o->earliest);
    } else {
        operation_complete(g, m, id, t);
    }
}

/* The load/store unit waits for an MSHR, or for this one to be free. With sectors any line that
 * comes may change what its read misses: a part of the line comes, or goes to make room. So it
 * does where a write may stay. */
static void release(struct sm *m, enum cache_path path, uint32_t line)
{
    const struct ldst_entry *const e = &m->ldst_queue[m->queue_head];
    const uint32_t class = m->ldst.current;

    if (class == LDST_MSHR
        || (class > LDST_BUSY && path == PATH_L1 && m->cache[PATH_L1].written != NULL)
        || (class > LDST_BUSY && path == path_of(e)
            && (m->cache[path].sectored
                || (class == LDST_MERGE && line == access_line(e->access[m->accessed]))))) {
        m->held = false;
        m->dirty = true;
    }
}

/* The line of an MSHR is there: nobody joins it any more, and all who wait for it have it.
 * Returns how long it has taken. */
static uint64_t line_answers(struct gpu *g, struct sm *m, struct cache *c, uint32_t id,
                             uint64_t t)
{
    mshr_unlist(&c->mshr, id);
    for (uint32_t k = 0u; k < c->mshr.n[id]; k++) {
        operation_line(g, m, c->target[(size_t)id * c->merges + k], t);
    }
    return t - c->mshr.since[id];
}

/* The MSHR is free. */
static void mshr_answered(const struct gpu *g, struct sm *m, enum cache_path path, uint32_t id,
                          struct share *of, uint64_t miss_latency, uint64_t t)
{
    struct cache *const c = &m->cache[path < PATHS ? path : PATH_L1];
    const uint64_t overlapped =
        miss_latency == 0u ? 0u : busy_before(m, t, g->each) - c->mshr.busy[id];
    mshr_give(&c->mshr, id);
    c->miss_latency += miss_latency;
    c->miss_overlapped += overlapped;
    if (path == PATH_CODE) {
        of->code_latency += miss_latency;
        code_fill(g, m, c->mshr.line[id]);
    } else {
        of->miss_latency += miss_latency;
        of->miss_overlapped += overlapped;
    }
}

/* A warp may go on with its exit or fence. */
COLD static void answered(struct gpu *g, struct sm *m, uint32_t id, uint64_t t)
{
    struct warp *const w = &m->warp[id];
    struct scheduler *const s = w->scheduler;

    assert(w->unanswered != 0u);
    w->unanswered--;
    if ((s->memory_wait & w->bit) == 0u || operands_at(w, w->next) == NEVER) {
        return;
    }
    m->dirty = true;
    s->memory_wait ^= w->bit;
    warp_place(g, m, w, t, t);
    if (g->two_level_on && w->pending == 0u) {
        two_level_return(g, m, id);
    }
}

void sm_fill(struct gpu *g, struct sm *m, const struct packet *p, uint64_t t)
{
    const bool cached = p->path < PATHS;
    struct cache *const c = &m->cache[cached ? p->path : PATH_L1];
    uint32_t id = p->mshr;
    uint64_t miss_latency;

    if (UNLIKELY(p->path == PATH_ANSWER)) {
        answered(g, m, id, t);
        return;
    }
    m->fills++;
    p->of->fills++;
    if (cached) {
        const uint32_t line = ((p->line - c->first) << c->shift) + p->part;
        id = mshr_asked(&c->mshr, line, p->sectors);
        if (id == NO_MSHR) {
            return; /* a broadcast to an SM that no longer waits */
        }
        if (p->path != PATH_CODE) {
            release(m, p->path, line);
        }
        if (!c->mshr.written[id]) {
            cache_fill(c, line, p->sectors);
        }
        if (UNLIKELY(g->versions != NULL) && p->path == PATH_L1
            && !versions_filled(g->versions, m->id, id, line, p->mshr, !c->mshr.written[id])) {
            stale_answer(g, m->id, line, "its cluster's port");
        }
        if (m->l15.ways != 0u && p->path == PATH_CONSTANT) {
            cache_fill(&m->l15, p->line, 15u);
        }
        miss_latency = line_answers(g, m, c, id, t);
    } else {
        release(m, p->path, p->line);
        miss_latency = p->path == PATH_UNCACHED ? t - c->mshr.since[id] : 0u;
        operation_line(g, m, c->target[(size_t)id * c->merges], t);
    }
    mshr_answered(g, m, p->path, id, p->of, miss_latency, t);
}

void constant_come(struct gpu *g, struct sm *m, uint32_t mshr, uint64_t t)
{
    struct cache *const c = &m->cache[PATH_CONSTANT];
    const uint32_t line = c->mshr.line[mshr];
    const struct operation *const first = &m->operation[c->target[(size_t)mshr * c->merges]];
    struct share *const of = m->warp[first->warp].of;

    release(m, PATH_CONSTANT, line);
    cache_fill(c, line, 15u);
    const uint64_t latency = line_answers(g, m, c, mshr, t);
    mshr_answered(g, m, PATH_CONSTANT, mshr, of, latency, t);
}
