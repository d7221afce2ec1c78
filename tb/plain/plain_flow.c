/*
 * plain_flow - where the lanes of a branch meet again: at its nearest post-dominator, found
 * from the definition. A statement is post-dominated by those that lie on all its ways to the
 * end:
 *
 *   P(end) = {end}     P(s) = {s} and what the P of all statements after s share
 *
 * The largest sets that fit are found by repetition. The nearest is the one whose own set is
 * smaller by one. Ways that end in a trap do not count.
 */

#include <stdlib.h>
#include <string.h>

#include "plain.h"

struct ways {
    const struct plain_kernel *k;
    uint32_t words;
    uint64_t *set; /* [n + 1][words] */
    bool *lost;    /* every way from here ends in a trap */
};

/* Statements that may follow s, of which there are up to two. */
static uint32_t after(const struct plain_kernel *k, uint32_t s, uint32_t next[2])
{
    const struct ptx_inst *const i = &k->statement[s].inst;
    const bool guarded = i->guard != PTX_NO_REGISTER;
    uint32_t n = 0u;
    switch (i->op) {
    case PTX_BRA:
        next[n++] = k->statement[s].target;
        break;
    case PTX_RET:
    case PTX_EXIT:
        next[n++] = k->n;
        break;
    case PTX_TRAP:
        break;
    default:
        next[n++] = s + 1u;
        return n;
    }
    if (guarded) {
        next[n++] = s + 1u;
    }
    return n;
}

static void find_lost(struct ways *w)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t s = w->k->n; s-- > 0u;) {
            uint32_t next[2];
            const uint32_t n = after(w->k, s, next);
            bool all = true;
            for (uint32_t j = 0u; j < n; j++) {
                all = all && w->lost[next[j]];
            }
            changed = changed || all != w->lost[s];
            w->lost[s] = all;
        }
    }
}

static bool has(const struct ways *w, uint32_t s, uint32_t other)
{
    return (w->set[(size_t)s * w->words + other / 64u] >> (other % 64u) & 1u) != 0u;
}

static uint32_t size_of(const struct ways *w, uint32_t s)
{
    uint32_t n = 0u;
    for (uint32_t j = 0u; j < w->words; j++) {
        n += (uint32_t)__builtin_popcountll(w->set[(size_t)s * w->words + j]);
    }
    return n;
}

/* True if the set of s has become smaller. */
static bool narrow(struct ways *w, uint32_t s)
{
    uint64_t *const mine = w->set + (size_t)s * w->words;
    uint32_t next[2];
    const uint32_t n = after(w->k, s, next);
    bool changed = false;
    for (uint32_t j = 0u; j < w->words; j++) {
        uint64_t common = UINT64_MAX;
        for (uint32_t k = 0u; k < n; k++) {
            common &= w->lost[next[k]] ? UINT64_MAX : w->set[(size_t)next[k] * w->words + j];
        }
        common |= s / 64u == j ? UINT64_C(1) << (s % 64u) : 0u;
        common &= mine[j];
        changed = changed || common != mine[j];
        mine[j] = common;
    }
    return changed;
}

static uint32_t nearest(const struct ways *w, uint32_t s)
{
    const uint32_t size = size_of(w, s);
    for (uint32_t other = 0u; other <= w->k->n; other++) {
        if (other != s && has(w, s, other) && size_of(w, other) + 1u == size) {
            return other;
        }
    }
    return w->k->n;
}

/* Can every statement come to the end, or to a trap? */
static bool all_end(const struct plain_kernel *k)
{
    bool *const ends = calloc(k->n + 1u, sizeof *ends);
    bool changed = true, all = true;
    ends[k->n] = true;
    while (changed) {
        changed = false;
        for (uint32_t s = k->n; s-- > 0u;) {
            uint32_t next[2];
            const uint32_t n = after(k, s, next);
            const bool now = n == 0u || ends[next[0]] || (n == 2u && ends[next[1]]);
            changed = changed || now != ends[s];
            ends[s] = now;
        }
    }
    for (uint32_t s = 0u; s < k->n; s++) {
        all = all && ends[s];
    }
    free(ends);
    return all;
}

bool plain_flow(struct plain_kernel *k, struct ptx_build *b)
{
    struct ways w = { .k = k, .words = k->n / 64u + 1u };
    if (!all_end(k)) {
        return ptx_fail(b, 1u, "%s: an endless loop", k->name);
    }
    w.set = malloc(((size_t)k->n + 1u) * w.words * sizeof *w.set);
    w.lost = calloc(k->n + 1u, sizeof *w.lost);
    memset(w.set, 0xff, ((size_t)k->n + 1u) * w.words * sizeof *w.set);
    for (uint32_t s = 0u; s <= k->n; s++) { /* only statements are in sets */
        w.set[(size_t)s * w.words + k->n / 64u] &= (UINT64_C(2) << (k->n % 64u)) - 1u;
    }
    memset(w.set + (size_t)k->n * w.words, 0, w.words * sizeof *w.set);
    w.set[(size_t)k->n * w.words + k->n / 64u] = UINT64_C(1) << (k->n % 64u);
    find_lost(&w);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = k->n; s-- > 0u;) {
            changed = narrow(&w, s) || changed;
        }
    }
    for (uint32_t s = 0u; s < k->n; s++) {
        k->statement[s].meet = k->statement[s].inst.op == PTX_BRA ? nearest(&w, s) : k->n;
    }
    free(w.set);
    free(w.lost);
    return true;
}
