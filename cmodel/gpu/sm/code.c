/*
 * code - the instruction cache of an SM. A kernel's text lies behind all lines of buffers, and
 * a warp's next instructions where the one at the front of its buffer is, and so many behind.
 *
 * A warp looks up a line when it comes to it, by going on or by a taken branch, and has it
 * until it leaves it. A fetch ends with its line.
 */

#include "gpu/sm/request.h"

/* Instructions of the line from this one on. */
static uint32_t left_from(const struct gpu *g, uint32_t index)
{
    return (uint32_t)(BIT(g->code_shift) - (index & (BIT(g->code_shift) - 1u)));
}

/* The warp's next instruction that it has not fetched, in its kernel's text. At a barrier, the
 * last of its piece, the next piece is not there yet. */
static uint32_t place_of(const struct warp *w)
{
    return (w->next == w->end ? w->next[-1].pc + 1u : w->next->pc) + w->buffered;
}

static uint32_t line_at(const struct gpu *g, const struct cta *cta, uint32_t place)
{
    return (cta->code + place) >> g->code_shift;
}

/* The warp's line is not there: it waits, or asks again if there is no room for its request. */
COLD static void code_miss(struct gpu *g, struct sm *m, struct warp *w, uint32_t line,
                           uint64_t t)
{
    const struct packet p = { .path = PATH_CODE };
    uint32_t id;
    const bool full = read_missing(g, m, line, 15u, p, w->of, &id, t) == LDST_QUEUE;
    w->line = line;
    w->arrive = 0u;
    *(full ? &m->want : &m->missing) |= w->self;
}

bool code_fetch(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    const struct cta *const cta = &m->cta[w->cta];
    struct cache *const c = &m->cache[PATH_CODE];
    const uint32_t width = g->config.fetch.width, place = place_of(w);
    uint32_t left = w->in_line;

    if (left == 0u && place >= cta->instructions) {
        left = width; /* there is nothing behind the text */
    } else if (left == 0u) {
        const uint32_t line = line_at(g, cta, place);
        if (cache_misses(c, line, 15u) != 0u) {
            code_miss(g, m, w, line, t);
            return false;
        }
        c->hit++;
        w->of->hit[PATH_CODE]++;
        left = left_from(g, cta->code + place);
    }
    w->coming = (uint16_t)(left < width ? left : width);
    w->in_line = left - w->coming;
    return true;
}

bool code_vain(const struct gpu *g, struct sm *m, uint64_t warps)
{
    struct cache *const c = &m->cache[PATH_CODE];
    bool vain = queue_full(&m->miss_queue) && c->mshr.n_free != 0u;
    uint32_t looked = UINT32_MAX; /* the line of the warp before: often the same */

    for (; vain && warps != 0u; warps &= warps - 1u) {
        const struct warp *const w = &m->warp[lowest(warps)];
        const struct cta *const cta = &m->cta[w->cta];
        const uint32_t place = place_of(w), line = line_at(g, cta, place);
        vain = w->in_line == 0u && place < cta->instructions
               && (line == looked
                   || (cache_lacks(c, line, 15u) != 0u
                       && mshr_find(&c->mshr, line, 15u) == NO_MSHR));
        looked = line;
    }
    return vain;
}

/* A line has come. The warps that wait for it have it, and ask the fetch unit again; so do
 * those for whose line no MSHR was free. Those that ask in vain ask for other lines. */
void code_fill(const struct gpu *g, struct sm *m, uint32_t line)
{
    for (uint64_t set = m->missing; set != 0u; set &= set - 1u) {
        struct warp *const w = &m->warp[lowest(set)];
        if (w->line == line) {
            w->in_line = left_from(g, m->cta[w->cta].code + place_of(w));
            w->coming = (uint16_t)g->config.fetch.width;
        } else if (mshr_find(&m->cache[PATH_CODE].mshr, w->line, 15u) != NO_MSHR) {
            continue;
        }
        m->missing ^= w->self;
        m->want |= w->self;
        m->dirty = true;
    }
}
