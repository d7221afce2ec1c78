/*
 * operands - loads of constants that machine code has as operands of other instructions.
 *
 * A stream has them as loads of their own, with the flag OPERAND. With constant.operands a warp
 * that comes to one looks for its line in the constant cache. Such a load takes no issue, no
 * place in the instruction buffer and no turn of the load/store unit. If its line is there,
 * what uses it may issue at once; otherwise it waits for the line, as for that of any load. A
 * load for which there is no MSHR is issued as any other.
 */

#include "gpu/sm/request.h"

const struct instruction *operand_stop(const struct warp *w, const struct instruction *from)
{
    const struct instruction *i = from;
    while (i != w->end) {
        if (i->op == OP_CONSTANT && (i->flags & OPERAND) != 0u) {
            return i;
        }
        if (i->op == OP_EXIT && w->end == NULL) {
            return NULL;
        }
        i++;
    }
    return w->end;
}

/* Its line is not there: it takes an MSHR of the line, or none is to be had. */
static bool operand_waits(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    struct cache *const c = &m->cache[PATH_CONSTANT];
    const struct instruction *const i = w->next;
    const uint32_t access = w->access[0];
    const struct packet p = { .path = PATH_CONSTANT,
                              .quarters = access_quarters(access) & 15u };
    uint32_t line;

    for (uint32_t r = 0u; r < i->n_dst; r++) {
        if (w->owed[i->dst + r] > t) {
            return false;
        }
    }
    if (read_missing(g, m, access_line(access), 15u, p, w->of, &line, t) != LDST_BUSY) {
        return false;
    }
    assert(m->n_free_operation != 0u);
    const uint16_t id = m->free_operation[--m->n_free_operation];
    m->operation[id] = (struct operation){ 0u, 1u, (uint8_t)w->slot, i->dst, i->n_dst, false };
    for (uint32_t r = 0u; r < i->n_dst; r++) {
        w->owed[i->dst + r] = NEVER;
    }
    c->target[(size_t)line * c->merges + c->mshr.n[line]++] = id;
    w->pending++;
    m->memory_inflight++;
    return true;
}

/* What is counted of a piece is counted from where it lies, with this load: it is taken off. */
static void operand_pass(struct sm *m, struct warp *w)
{
    const struct instruction *const i = w->next++;

    w->access += i->accesses;
    if (w->of != m->latest_of) {
        issues_settle(m);
        m->latest_of = w->of;
    }
    m->latest.of[OP_CONSTANT].warps--;
    m->latest.of[OP_CONSTANT].lanes -= i->lanes;
    m->latest.operands -= (uint64_t)i->lanes * operands_of(i);
    m->issued_of[w->cta]--;
}

void operand_read(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    struct cache *const c = &m->cache[PATH_CONSTANT];

    assert(w->next->accesses == 1u);
    if (cache_misses(c, access_line(w->access[0]), 15u) == 0u) {
        c->hit++;
        w->of->hit[PATH_CONSTANT]++;
    } else if (!operand_waits(g, m, w, t)) { /* it is issued */
        w->stop = operand_stop(w, w->next + 1);
        return;
    }
    operand_pass(m, w);
    w->stop = operand_stop(w, w->next);
}
