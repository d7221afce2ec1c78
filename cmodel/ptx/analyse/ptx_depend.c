/*
 * ptx_depend - see ptx_depend.h.
 *
 * An instruction follows the last that writes what it reads or writes, since the scoreboard
 * waits for that result in both cases, and all that read what it writes. A load follows stores,
 * and a store loads and stores, that may be to the same memory: only spaces tell addresses
 * apart here.
 */

#include "ptx/analyse/ptx_depend.h"

#include <string.h>

enum {
    SPACES = 4,
    /* The guard, the sources, the carry, and spaces. */
    MOST_READS = 1 + PTX_MAX_SOURCES + 1 + SPACES,
    MOST_WRITES = PTX_MAX_VECTOR + 1 + SPACES,
    /* To each read from a write, from it to the next write, and to each write from another. */
    MOST_EDGES = 2 * MOST_READS + MOST_WRITES
};

bool depend_pins(const struct ptx_inst *i)
{
    for (uint32_t k = 0u; k < i->n_src; k++) {
        const struct ptx_operand *const o = &i->src[k];
        if (o->kind == OPERAND_SPECIAL
            && (o->reg == SREG_CLOCK || o->reg == SREG_CLOCK64 || o->reg == SREG_GLOBALTIMER)) {
            return true;
        }
    }
    switch (i->op) {
    case PTX_ACTIVEMASK:
    case PTX_ATOM:
    case PTX_BAR:
    case PTX_BRA:
    case PTX_BRKPT:
    case PTX_BRX:
    case PTX_CALL:
    case PTX_EXIT:
    case PTX_FENCE:
    case PTX_MATCH:
    case PTX_MEMBAR:
    case PTX_NANOSLEEP:
    case PTX_PMEVENT:
    case PTX_PREFETCH:
    case PTX_PREFETCHU:
    case PTX_RED:
    case PTX_RET:
    case PTX_SHFL:
    case PTX_TRAP:
    case PTX_VOTE:
        return true;
    default:
        return (i->flags & (FLAG_VOLATILE | FLAG_UNCACHED | FLAG_ORDERED)) != 0u;
    }
}

bool depend_open(struct depend *d, const struct ptx_function *f, struct ptx_scratch *scratch)
{
    *d = (struct depend){ .registers = f->n_register };
    d->first = ptx_scratch(scratch, DEPEND_MOST, sizeof *d->first);
    d->edge = ptx_scratch(scratch, (size_t)DEPEND_MOST * MOST_EDGES, sizeof *d->edge);
    d->read = ptx_scratch(scratch, (size_t)DEPEND_MOST * MOST_READS, sizeof *d->read);
    d->reg = ptx_scratch(scratch, f->n_register + 1u + SPACES, sizeof *d->reg);
    return !scratch->failed;
}

/* ---- Edges --------------------------------------------------------------------------- */

static struct depend_register *of_region(struct depend *d, uint32_t reg)
{
    struct depend_register *const r = &d->reg[reg];

    if (r->region != d->region) {
        *r = (struct depend_register){ .region = d->region };
    }
    return r;
}

static void add_edge(struct depend *d, uint32_t from, uint32_t to, uint32_t cycles)
{
    d->edge[d->n] = (struct depend_edge){ to, d->first[from], cycles };
    d->first[from] = ++d->n;
}

static void reads(struct depend *d, uint32_t reg, uint32_t by, uint32_t cycles)
{
    struct depend_register *const r = of_region(d, reg);

    if (r->write != 0u) {
        add_edge(d, r->write - 1u, by, cycles);
    }
    d->read[d->n_read] = (struct depend_read){ by, r->read };
    r->read = ++d->n_read;
}

/* An instruction may name a destination twice. */
static void writes(struct depend *d, uint32_t reg, uint32_t by, uint32_t cycles)
{
    struct depend_register *const r = of_region(d, reg);

    if (r->write != 0u && r->write != by + 1u) {
        add_edge(d, r->write - 1u, by, cycles);
    }
    for (uint32_t k = r->read; k != 0u; k = d->read[k - 1u].next) {
        if (d->read[k - 1u].by != by) {
            add_edge(d, d->read[k - 1u].by, by, 0u);
        }
    }
    r->write = by + 1u;
    r->read = 0u;
}

/* ---- What depends -------------------------------------------------------------------- */

static uint32_t cycles_of(const struct ptx_inst *i, const struct ptx_order *order)
{
    const uint32_t op = i->timing.op;

    if (op >= OP_LOAD && (i->timing.flags & OPERAND) != 0u && order->operands) {
        return 0u;
    }
    return order->cycles[op][op < OP_LOAD ? i->timing.flags : KIND_PLAIN];
}

/* Spaces that an access may be in, as bits; what nobody writes is in none. */
static uint32_t spaces_of(const struct ptx_inst *i)
{
    enum { IN_GLOBAL = 1, IN_SHARED = 2, IN_LOCAL = 4, IN_PARAM = 8 };

    if ((i->op != PTX_LD && i->op != PTX_LDU && i->op != PTX_ST)
        || (i->flags & FLAG_NC) != 0u) {
        return 0u;
    }
    switch (i->space) {
    case SPACE_GLOBAL:
        return IN_GLOBAL;
    case SPACE_SHARED:
        return IN_SHARED;
    case SPACE_LOCAL:
        return IN_LOCAL;
    case SPACE_PARAM:
        return IN_PARAM;
    case SPACE_CONST:
        return 0u;
    default:
        return IN_GLOBAL | IN_SHARED | IN_LOCAL;
    }
}

static void depend_on_memory(struct depend *d, const struct ptx_inst *i, uint32_t at)
{
    const uint32_t spaces = spaces_of(i);

    for (uint32_t k = 0u; k < SPACES; k++) {
        if ((spaces >> k & 1u) != 0u) {
            if (i->op == PTX_ST) {
                writes(d, d->registers + 1u + k, at, 1u);
            } else {
                reads(d, d->registers + 1u + k, at, 1u);
            }
        }
    }
}

/* Cycles from the last instruction that writes a register, if any does. */
static uint32_t cycles_to(struct depend *d, const struct ptx_inst *inst, uint32_t reg,
                          const struct ptx_order *order)
{
    const uint32_t from = of_region(d, reg)->write;

    return from == 0u ? 0u : cycles_of(&inst[from - 1u], order);
}

static void depend_on_registers(struct depend *d, const struct ptx_inst *inst, uint32_t at,
                                const struct ptx_order *order)
{
    const struct ptx_inst *const i = &inst[at];
    const struct ptx_names read = ptx_reads(i), written = ptx_writes(i);
    const uint32_t carry = d->registers;

    for (uint32_t k = 0u; k < read.n; k++) {
        reads(d, read.reg[k], at, cycles_to(d, inst, read.reg[k], order));
    }
    if (ptx_reads_carry(i)) {
        reads(d, carry, at, 1u);
    }
    for (uint32_t k = 0u; k < written.n; k++) {
        writes(d, written.reg[k], at, cycles_to(d, inst, written.reg[k], order));
    }
    if ((i->flags & FLAG_CC) != 0u) {
        writes(d, carry, at, 1u);
    }
}

void depend_fill(struct depend *d, const struct ptx_inst *inst, uint32_t n,
                 const struct ptx_order *order)
{
    memset(d->first, 0, n * sizeof *d->first);
    d->n = d->n_read = 0u;
    d->region++;
    for (uint32_t k = 0u; k < n; k++) {
        depend_on_registers(d, inst, k, order);
        depend_on_memory(d, &inst[k], k);
    }
}
