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

#include "ptx/analyse/ptx_analysis.h"

enum { MAX_ROWS = 2048 };

/* ---- Mentions: what blocks do with registers before and after them ------------------- */

/* A block that reads a register before it writes it, or writes it for all lanes: lists by
 * register, which hold number + 1. */
struct mentions {
    struct mention {
        uint32_t block, next;
    } * list;
    uint32_t n;
    uint32_t *read, *written;  /* by register: the first of its list */
    uint32_t *reader, *writer; /* by register: the block that is in the list already, + 1 */
};

static void mention(struct mentions *m, uint32_t *first, uint32_t *already, uint32_t block)
{
    if (*already != block + 1u) {
        *already = block + 1u;
        m->list[m->n] = (struct mention){ block, *first };
        *first = ++m->n;
    }
}

static void read_in(struct mentions *m, uint32_t reg, uint32_t block)
{
    if (m->writer[reg] != block + 1u) {
        mention(m, &m->read[reg], &m->reader[reg], block);
    }
}

/* A guarded write leaves the old value in some lanes, as if it had been read. */
static void mention_block(const struct ptx_function *f, struct mentions *m, uint32_t block)
{
    for (uint32_t k = f->block[block].first; k < f->block[block].end; k++) {
        const struct ptx_names reads = ptx_reads(&f->inst[k]), writes = ptx_writes(&f->inst[k]);
        for (uint32_t n = 0u; n < reads.n; n++) {
            read_in(m, reads.reg[n], block);
        }
        for (uint32_t n = 0u; n < writes.n; n++) {
            const uint32_t reg = writes.reg[n];
            if (f->inst[k].guard == PTX_NO_REGISTER) {
                mention(m, &m->written[reg], &m->writer[reg], block);
            } else {
                read_in(m, reg, block);
            }
        }
    }
}

static bool find_mentions(const struct ptx_function *f, struct mentions *m,
                          struct ptx_scratch *scratch)
{
    const uint32_t n = f->n_register + 1u;
    size_t most = 1u;
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        most += ptx_reads(&f->inst[k]).n + ptx_writes(&f->inst[k]).n;
    }
    m->list = ptx_scratch(scratch, most, sizeof *m->list);
    m->read = ptx_scratch(scratch, n, sizeof *m->read);
    m->written = ptx_scratch(scratch, n, sizeof *m->written);
    m->reader = ptx_scratch(scratch, n, sizeof *m->reader);
    m->writer = ptx_scratch(scratch, n, sizeof *m->writer);
    for (uint32_t b = 0u; b < f->n_block && !scratch->failed; b++) {
        mention_block(f, m, b);
    }
    return !scratch->failed;
}

/* ---- Intervals ----------------------------------------------------------------------- */

struct interval {
    uint32_t start, end; /* instructions; start PTX_NOT_LIVE: the register is not used */
};

static void extend(struct interval *i, uint32_t at)
{
    i->start = i->start == PTX_NOT_LIVE || at < i->start ? at : i->start;
    i->end = at > i->end ? at : i->end;
}

/* One register after the other: from the blocks that read it back to those that write it. */
struct walk {
    const struct ptx_function *f;
    const struct ptx_predecessors *before;
    uint32_t *alive,
        *writes; /* by block: the register alive at its start, written in it, + 1 */
    uint32_t *stack;
    uint32_t n;
    uint64_t left; /* steps: more than that only if too many registers are alive at once */
};

static void enter(struct walk *w, struct interval *i, uint32_t reg, uint32_t block)
{
    if (w->alive[block] != reg + 1u) {
        w->alive[block] = reg + 1u;
        extend(i, w->f->block[block].first);
        w->stack[w->n++] = block;
        w->left -= w->left > 0u ? 1u : 0u;
    }
}

static void walk_register(struct walk *w, const struct mentions *m, uint32_t reg,
                          struct interval *i)
{
    for (uint32_t k = m->written[reg]; k != 0u; k = m->list[k - 1u].next) {
        w->writes[m->list[k - 1u].block] = reg + 1u;
    }
    for (uint32_t k = m->read[reg]; k != 0u; k = m->list[k - 1u].next) {
        enter(w, i, reg, m->list[k - 1u].block);
    }
    while (w->n > 0u) {
        const uint32_t block = w->stack[--w->n];
        for (uint32_t k = w->before->first[block]; k < w->before->first[block + 1u]; k++) {
            const uint32_t from = w->before->list[k];
            extend(i, w->f->block[from].end - 1u);
            if (w->writes[from] != reg + 1u) {
                enter(w, i, reg, from);
            }
        }
    }
}

static void own_interval(const struct ptx_function *f, struct interval *interval)
{
    for (uint32_t r = 0u; r < f->n_register; r++) {
        interval[r].start = PTX_NOT_LIVE;
    }
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        const struct ptx_names reads = ptx_reads(&f->inst[k]), writes = ptx_writes(&f->inst[k]);
        for (uint32_t n = 0u; n < reads.n; n++) {
            extend(&interval[reads.reg[n]], k);
        }
        for (uint32_t n = 0u; n < writes.n; n++) {
            extend(&interval[writes.reg[n]], k);
        }
    }
}

/* NULL: no memory, or more registers alive than there are rows. */
static struct interval *intervals(const struct ptx_function *f,
                                  const struct ptx_predecessors *before,
                                  struct ptx_scratch *scratch)
{
    struct mentions m = { .n = 0u };
    struct walk w = { .f = f, .before = before };
    struct interval *const interval =
        ptx_scratch(scratch, f->n_register + 1u, sizeof *interval);
    w.alive = ptx_scratch(scratch, f->n_block + 1u, sizeof *w.alive);
    w.writes = ptx_scratch(scratch, f->n_block + 1u, sizeof *w.writes);
    w.stack = ptx_scratch(scratch, f->n_block + 1u, sizeof *w.stack);
    if (scratch->failed || !find_mentions(f, &m, scratch)) {
        return NULL;
    }
    own_interval(f, interval);
    w.left = (CLASS_64 + 1u) * (uint64_t)MAX_ROWS * f->n_block + 1u;
    for (uint32_t r = 0u; r < f->n_register && w.left > 0u; r++) {
        walk_register(&w, &m, r, &interval[r]);
    }
    return w.left > 0u ? interval : NULL;
}

/* ---- Linear scan --------------------------------------------------------------------- */

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

bool ptx_allocate(struct ptx_function *f, const struct ptx_predecessors *before,
                  struct ptx_places *places, struct ptx_scratch *scratch)
{
    static const enum ptx_class classes[] = { CLASS_PREDICATE, CLASS_32, CLASS_64 };
    const struct interval *const interval = intervals(f, before, scratch);
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
