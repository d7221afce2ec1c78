/*
 * ptx_allocate - dense registers by linear scan: the count is what the kernel takes of an SM's
 * register file, and values share rows of the executor.
 *
 * A register lives from its first definition to its last use in the order of the text, over
 * all blocks through which it is live. A guarded write does not end the old value's life: the
 * lanes that are switched off keep it. What an instruction writes never shares a place with
 * what it reads, so that the executor may write while it still reads.
 */

#include <string.h>

#include "ptx_analysis.h"

enum { MAX_SLOTS = 2048, WORD = 64 };
#define NOT_LIVE UINT32_MAX

/* ---- What an instruction reads and writes ---------------------------------------------------
 */

struct names {
    uint32_t n;
    uint16_t reg[2u * PTX_MAX_VECTOR + 4u];
};

static void add_name(struct names *names, uint16_t reg)
{
    if (reg != PTX_NO_REGISTER) {
        names->reg[names->n++] = reg;
    }
}

static bool names_register(const struct ptx_operand *o)
{
    return (o->kind == OPERAND_REGISTER || o->kind == OPERAND_ADDRESS)
           && o->reg != PTX_NO_REGISTER;
}

static struct names reads_of(const struct ptx_inst *i)
{
    struct names names = { .n = 0u };
    add_name(&names, i->guard);
    for (uint32_t k = 0u; k < i->n_src; k++) {
        if (names_register(&i->src[k])) {
            add_name(&names, i->src[k].reg);
        }
    }
    return names;
}

static struct names writes_of(const struct ptx_inst *i)
{
    struct names names = { .n = 0u };
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (i->dst[k].kind == OPERAND_REGISTER) {
            add_name(&names, i->dst[k].reg);
        }
    }
    return names;
}

/* ---- Liveness -------------------------------------------------------------------------------
 */

struct liveness {
    uint32_t words;                    /* of a set of registers */
    uint64_t *use, *define, *in, *out; /* [block][word] */
};

static bool has(const uint64_t *set, uint32_t reg)
{
    return set[reg / WORD] >> (reg % WORD) & 1u;
}
static void put(uint64_t *set, uint32_t reg)
{
    set[reg / WORD] |= UINT64_C(1) << (reg % WORD);
}

static void local_sets(const struct ptx_function *f, const struct liveness *l, uint32_t block)
{
    uint64_t *const use = l->use + (size_t)block * l->words;
    uint64_t *const define = l->define + (size_t)block * l->words;
    for (uint32_t k = f->block[block].first; k < f->block[block].end; k++) {
        const struct names reads = reads_of(&f->inst[k]), writes = writes_of(&f->inst[k]);
        for (uint32_t n = 0u; n < reads.n; n++) {
            if (!has(define, reads.reg[n])) {
                put(use, reads.reg[n]);
            }
        }
        for (uint32_t n = 0u; n < writes.n; n++) {
            if (f->inst[k].guard == PTX_NO_REGISTER) {
                put(define, writes.reg[n]);
            } else if (!has(define, writes.reg[n])) {
                put(use, writes.reg[n]);
            }
        }
    }
}

/* One pass against the order of the text; true if a set has grown. */
static bool spread(const struct ptx_function *f, const struct liveness *l)
{
    bool grown = false;
    for (uint32_t b = f->n_block; b-- > 0u;) {
        const size_t at = (size_t)b * l->words;
        for (uint32_t w = 0u; w < l->words; w++) {
            uint64_t out = l->out[at + w];
            for (uint32_t k = 0u; k < 2u; k++) {
                const uint32_t s = f->block[b].successor[k];
                out |= s < f->n_block ? l->in[(size_t)s * l->words + w] : 0u;
            }
            const uint64_t in = l->use[at + w] | (out & ~l->define[at + w]);
            grown |= in != l->in[at + w] || out != l->out[at + w];
            l->in[at + w] = in;
            l->out[at + w] = out;
        }
    }
    return grown;
}

/* ---- Intervals
 * ------------------------------------------------------------------------------- */

struct interval {
    uint32_t start, end; /* instructions; start NOT_LIVE: the register is not used */
};

static void extend(struct interval *i, uint32_t at)
{
    i->start = i->start == NOT_LIVE || at < i->start ? at : i->start;
    i->end = at > i->end ? at : i->end;
}

static void block_intervals(const struct ptx_function *f, const struct liveness *l,
                            uint32_t block, struct interval *interval)
{
    const uint64_t *const in = l->in + (size_t)block * l->words;
    const uint64_t *const out = l->out + (size_t)block * l->words;
    for (uint32_t r = 0u; r < f->n_register; r++) {
        if (has(in, r)) {
            extend(&interval[r], f->block[block].first);
        }
        if (has(out, r)) {
            extend(&interval[r], f->block[block].end - 1u);
        }
    }
    for (uint32_t k = f->block[block].first; k < f->block[block].end; k++) {
        const struct names reads = reads_of(&f->inst[k]), writes = writes_of(&f->inst[k]);
        for (uint32_t n = 0u; n < reads.n; n++) {
            extend(&interval[reads.reg[n]], k);
        }
        for (uint32_t n = 0u; n < writes.n; n++) {
            extend(&interval[writes.reg[n]], k);
        }
    }
}

static struct interval *intervals(const struct ptx_function *f, struct ptx_scratch *scratch)
{
    const uint32_t words = (f->n_register + WORD - 1u) / WORD;
    const size_t n = (size_t)f->n_block * words;
    struct liveness l = { .words = words };
    l.use = ptx_scratch(scratch, n + 1u, sizeof *l.use);
    l.define = ptx_scratch(scratch, n + 1u, sizeof *l.define);
    l.in = ptx_scratch(scratch, n + 1u, sizeof *l.in);
    l.out = ptx_scratch(scratch, n + 1u, sizeof *l.out);
    struct interval *const interval =
        ptx_scratch(scratch, f->n_register + 1u, sizeof *interval);
    if (scratch->failed) {
        return NULL;
    }
    for (uint32_t b = 0u; b < f->n_block; b++) {
        local_sets(f, &l, b);
    }
    while (spread(f, &l)) {
    }
    for (uint32_t r = 0u; r < f->n_register; r++) {
        interval[r].start = NOT_LIVE;
    }
    for (uint32_t b = 0u; b < f->n_block; b++) {
        block_intervals(f, &l, b, interval);
    }
    return interval;
}

/* ---- Linear scan
 * ------------------------------------------------------------------------------ */

struct scan {
    const struct ptx_function *f;
    const struct interval *interval;
    uint32_t *slot;      /* by register */
    uint32_t *free_from; /* [MAX_SLOTS]: the instruction from which a slot is free */
    uint32_t used;       /* slots, at most */
    bool predicates;
};

static uint32_t width_of(const struct scan *s, uint32_t reg)
{
    return ptx_type_class(s->f->reg[reg].type) == CLASS_64 ? 2u : 1u;
}

/* The lowest n free slots in a row, the first a multiple of `align`; MAX_SLOTS if there are
 * none. */
static uint32_t find(const struct scan *s, uint32_t n, uint32_t align, uint32_t from)
{
    for (uint32_t first = 0u; first + n <= MAX_SLOTS; first += align) {
        uint32_t k = 0u;
        while (k < n && s->free_from[first + k] <= from) {
            k++;
        }
        if (k == n) {
            return first;
        }
    }
    return MAX_SLOTS;
}

static bool give(struct scan *s, uint32_t reg, uint32_t slot)
{
    const uint32_t n = width_of(s, reg);
    if (slot + n > MAX_SLOTS) {
        return false;
    }
    s->slot[reg] = slot;
    for (uint32_t k = 0u; k < n; k++) {
        s->free_from[slot + k] = s->interval[reg].end + 1u;
    }
    s->used = slot + n > s->used ? slot + n : s->used;
    return true;
}

/* The elements of a vector load get slots in a row: the scoreboard then sees all of them. */
static bool give_vector(struct scan *s, uint32_t at)
{
    const struct ptx_inst *const i = &s->f->inst[at];
    uint32_t width = 0u;
    if ((i->op != PTX_LD && i->op != PTX_LDU) || i->vector < 2u) {
        return true;
    }
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        const uint32_t reg = i->dst[k].reg;
        if (i->dst[k].kind != OPERAND_REGISTER || s->interval[reg].start != at
            || s->slot[reg] != NOT_LIVE) {
            return true;
        }
        width += width_of(s, reg);
    }
    uint32_t slot = find(s, width, width_of(s, i->dst[0].reg), at);
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (s->slot[i->dst[k].reg] == NOT_LIVE && !give(s, i->dst[k].reg, slot)) {
            return false;
        }
        slot += width_of(s, i->dst[k].reg);
    }
    return true;
}

static bool scan(struct scan *s, struct ptx_scratch *scratch)
{
    const uint32_t n = s->f->n_register;
    uint32_t *const first = ptx_scratch(scratch, s->f->n_inst + 1u, sizeof *first);
    uint32_t *const next = ptx_scratch(scratch, n + 1u, sizeof *next);
    if (scratch->failed) {
        return false;
    }
    /* Registers by the instruction at which they begin; lists hold number + 1. */
    for (uint32_t r = n; r-- > 0u;) {
        const bool predicate = s->f->reg[r].type == PTX_PRED;
        if (s->interval[r].start != NOT_LIVE && predicate == s->predicates) {
            next[r] = first[s->interval[r].start];
            first[s->interval[r].start] = r + 1u;
        }
    }
    for (uint32_t k = 0u; k < s->f->n_inst; k++) {
        if (!s->predicates && !give_vector(s, k)) {
            return false;
        }
        for (uint32_t r = first[k]; r != 0u; r = next[r - 1u]) {
            const uint32_t width = width_of(s, r - 1u);
            if (s->slot[r - 1u] == NOT_LIVE && !give(s, r - 1u, find(s, width, width, k))) {
                return false;
            }
        }
    }
    return true;
}

uint32_t ptx_allocate(struct ptx_function *f, uint32_t *slot, struct ptx_scratch *scratch)
{
    struct scan s = { .f = f, .slot = slot };
    s.interval = intervals(f, scratch);
    s.free_from = ptx_scratch(scratch, MAX_SLOTS, sizeof *s.free_from);
    if (scratch->failed) {
        return NOT_LIVE;
    }
    memset(slot, 0xff, f->n_register * sizeof *slot);
    if (!scan(&s, scratch)) {
        return NOT_LIVE;
    }
    f->registers = s.used == 0u ? 1u : s.used;
    memset(s.free_from, 0, MAX_SLOTS * sizeof *s.free_from);
    s.used = 0u;
    s.predicates = true;
    return scan(&s, scratch) ? s.used : NOT_LIVE;
}
