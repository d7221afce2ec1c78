/*
 * ptx_allocate - rows for the executor by linear scan, and how many registers a thread needs:
 * the most 32-bit words that are alive at once.
 *
 * A register lives from its first definition to its last use in the order of the text, over
 * all blocks through which it is live. A guarded write does not end the old value's life: the
 * lanes that are switched off keep it. What an instruction writes never shares a place with
 * what it reads, so that the executor may write while it still reads.
 */

#include <string.h>

#include "ptx_analysis.h"

enum { MAX_ROWS = 2048, WORD = 64 };

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
    uint32_t start, end; /* instructions; start PTX_NOT_LIVE: the register is not used */
};

static void extend(struct interval *i, uint32_t at)
{
    i->start = i->start == PTX_NOT_LIVE || at < i->start ? at : i->start;
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
        interval[r].start = PTX_NOT_LIVE;
    }
    for (uint32_t b = 0u; b < f->n_block; b++) {
        block_intervals(f, &l, b, interval);
    }
    return interval;
}

/* ---- Linear scan --------------------------------------------------------------------------
 */

struct scan {
    const struct ptx_function *f;
    const struct interval *interval;
    struct ptx_places *places;
    enum ptx_class class;
    uint32_t *free_from; /* [MAX_ROWS]: the instruction from which a row is free */
};

static enum ptx_class class_of(const struct ptx_function *f, uint32_t reg)
{
    return ptx_type_class(f->reg[reg].type);
}

/* The first of the lowest n free rows side by side; MAX_ROWS if there are none. */
static uint32_t find(const struct scan *s, uint32_t n, uint32_t from)
{
    uint32_t free = 0u;
    for (uint32_t row = 0u; row < MAX_ROWS; row++) {
        free = s->free_from[row] <= from ? free + 1u : 0u;
        if (free == n) {
            return row + 1u - n;
        }
    }
    return MAX_ROWS;
}

static bool give(struct scan *s, uint32_t reg, uint32_t row)
{
    if (row >= MAX_ROWS) {
        return false;
    }
    uint32_t *const n = &s->places->n[s->class];
    s->places->row[reg] = row;
    s->free_from[row] = s->interval[reg].end + 1u;
    *n = row + 1u > *n ? row + 1u : *n;
    return true;
}

/* The elements of a vector load get rows side by side: the scoreboard then sees all of them. */
static bool give_vector(struct scan *s, uint32_t at)
{
    const struct ptx_inst *const i = &s->f->inst[at];
    if ((i->op != PTX_LD && i->op != PTX_LDU) || i->vector < 2u) {
        return true;
    }
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        const uint32_t reg = i->dst[k].reg;
        if (i->dst[k].kind != OPERAND_REGISTER
            || class_of(s->f, reg) != s->class || s->interval[reg].start != at
            || s->places->row[reg] != PTX_NOT_LIVE) {
            return true;
        }
    }
    uint32_t row = find(s, i->n_dst, at);
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (!give(s, i->dst[k].reg, row++)) {
            return false;
        }
    }
    return true;
}

static bool scan(struct scan *s, struct ptx_scratch *scratch)
{
    const uint32_t n = s->f->n_register;
    uint32_t *const first = ptx_scratch(scratch, s->f->n_inst + 1u, sizeof *first);
    uint32_t *const next = ptx_scratch(scratch, n + 1u, sizeof *next);
    s->free_from = ptx_scratch(scratch, MAX_ROWS, sizeof *s->free_from);
    if (first == NULL || next == NULL || s->free_from == NULL) {
        return false;
    }
    /* Registers by the instruction at which they begin; lists hold number + 1. */
    for (uint32_t r = n; r-- > 0u;) {
        if (s->interval[r].start != PTX_NOT_LIVE && class_of(s->f, r) == s->class) {
            next[r] = first[s->interval[r].start];
            first[s->interval[r].start] = r + 1u;
        }
    }
    for (uint32_t k = 0u; k < s->f->n_inst; k++) {
        if (!give_vector(s, k)) {
            return false;
        }
        for (uint32_t r = first[k]; r != 0u; r = next[r - 1u]) {
            if (s->places->row[r - 1u] == PTX_NOT_LIVE && !give(s, r - 1u, find(s, 1u, k))) {
                return false;
            }
        }
    }
    return true;
}

/* The most 32-bit words that are alive at once; predicates have a file of their own. */
static uint32_t most_alive(const struct ptx_function *f, const struct interval *interval,
                           struct ptx_scratch *scratch)
{
    int32_t *const change = ptx_scratch(scratch, f->n_inst + 2u, sizeof *change);
    int32_t alive = 0, most = 1;
    for (uint32_t r = 0u; change != NULL && r < f->n_register; r++) {
        const enum ptx_class class = class_of(f, r);
        if (interval[r].start != PTX_NOT_LIVE && class != CLASS_PREDICATE) {
            const int32_t words = class == CLASS_64 ? 2 : 1;
            change[interval[r].start] += words;
            change[interval[r].end + 1u] -= words;
        }
    }
    for (uint32_t k = 0u; change != NULL && k < f->n_inst; k++) {
        alive += change[k];
        most = alive > most ? alive : most;
    }
    return (uint32_t)most;
}

bool ptx_allocate(struct ptx_function *f, struct ptx_places *places,
                  struct ptx_scratch *scratch)
{
    static const enum ptx_class classes[] = { CLASS_PREDICATE, CLASS_32, CLASS_64 };
    const struct interval *const interval = intervals(f, scratch);
    places->row = ptx_scratch(scratch, f->n_register + 1u, sizeof *places->row);
    if (interval == NULL || places->row == NULL) {
        return false;
    }
    memset(places->row, 0xff, f->n_register * sizeof *places->row);
    for (uint32_t k = 0u; k < 3u; k++) {
        struct scan s = { .f = f, .interval = interval, .places = places, .class = classes[k] };
        if (!scan(&s, scratch)) {
            return false;
        }
    }
    f->registers = most_alive(f, interval, scratch);
    return !scratch->failed;
}
