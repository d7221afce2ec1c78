/*
 * dram_choice - which command a partition may issue: the oldest row hit, else the oldest
 * activate, else the oldest precharge of a bank that has no row hit waiting. The row hits of a
 * bank go in their order: a read does not overtake a write of its bank while the bus turns.
 * Where writes wait apart, all of this is of the side that goes. A bank whose refresh is due
 * takes no part.
 *
 * dram_scan is the definition. For FR-FCFS each bank keeps one candidate, its oldest row hit or
 * else its oldest entry, with the time at which the bank allows it.
 */

#include "gpu/mem/dram.h"

static bool older(const struct dram *d, uint32_t a, uint32_t b)
{
    return (int32_t)(d->now->queue[a].age - d->now->queue[b].age) < 0;
}
static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- By scanning --------------------------------------------------------------------- */

/* Banks with a row hit, and the oldest hit of each. */
static uint64_t first_hits(const struct dram *d, uint64_t set, uint32_t first[64])
{
    uint64_t hits = 0u;
    for (; set != 0u; set &= set - 1u) {
        const uint32_t entry = lowest(set), bank = d->now->queue[entry].bank;
        if (d->open[bank] == d->now->queue[entry].row + 1u) {
            const bool known = (hits >> bank & 1u) != 0u;
            first[bank] = known && older(d, first[bank], entry) ? first[bank] : entry;
            hits |= BIT(bank);
        }
    }
    return hits;
}

struct dram_choice dram_scan(const struct gpu *g, const struct dram *d, uint64_t cycle)
{
    struct dram_choice choice = { { -1, -1, -1 }, NEVER };
    uint64_t set = d->now->valid;
    uint32_t first[64];

    if (g->config.dram.policy == DRAM_FCFS && set != 0u) {
        uint32_t oldest = lowest(set);
        for (uint64_t rest = set; rest != 0u; rest &= rest - 1u) {
            oldest = older(d, lowest(rest), oldest) ? lowest(rest) : oldest;
        }
        set = BIT(oldest);
    }
    const uint64_t hits = first_hits(d, set, first);
    for (; set != 0u; set &= set - 1u) {
        const uint32_t entry = lowest(set), bank = d->now->queue[entry].bank;
        uint32_t kind = PRECHARGE;
        if (bank + 1u == d->closing) {
            continue;
        }
        uint64_t ok = d->precharge_ok[bank];
        if (d->open[bank] == d->now->queue[entry].row + 1u) {
            const uint64_t bus = d->now->queue[entry].write ? d->next_write : d->next_read;
            kind = COLUMN;
            ok = entry == first[bank] ? later(d->column_ok[bank], bus) : NEVER;
        } else if (d->open[bank] == 0u) {
            kind = ACTIVATE;
            ok = later(d->activate_ok[bank], d->next_activate);
        } else if ((hits >> bank & 1u) != 0u) {
            continue;
        }
        if (ok > cycle) {
            choice.next = ok < choice.next ? ok : choice.next;
        } else if (choice.entry[kind] < 0 || older(d, entry, (uint32_t)choice.entry[kind])) {
            choice.entry[kind] = (int32_t)entry;
        }
    }
    return choice;
}

/* ---- By candidates ------------------------------------------------------------------- */

static void set_ok(struct dram *d, uint32_t kind, uint32_t bank, uint64_t ok)
{
    const uint64_t old = d->ok[kind][bank];
    d->ok[kind][bank] = ok;
    if (ok <= d->first_ok[kind]) {
        d->first_ok[kind] = ok;
    } else if (old == d->first_ok[kind]) {
        uint64_t first = NEVER;
        for (uint64_t set = d->of_kind[kind]; set != 0u; set &= set - 1u) {
            const uint64_t other = d->ok[kind][lowest(set)];
            first = other < first ? other : first;
        }
        d->first_ok[kind] = first;
    }
}

static void set_kind(struct dram *d, uint32_t bank, uint32_t kind)
{
    const uint32_t old = d->kind[bank];
    if (old != kind && old != NO_COMMAND) {
        d->of_kind[old] &= ~BIT(bank);
        set_ok(d, old, bank, NEVER);
    }
    d->kind[bank] = (uint8_t)kind;
    if (kind != NO_COMMAND) {
        d->of_kind[kind] |= BIT(bank);
        set_ok(d, kind, bank,
               kind == ACTIVATE    ? d->activate_ok[bank]
               : kind == PRECHARGE ? d->precharge_ok[bank]
                                   : d->column_ok[bank]);
    }
}

static uint32_t column_kind(const struct dram *d, uint32_t entry)
{
    return d->now->queue[entry].write ? ROW_WRITE : ROW_READ;
}

void dram_bank_update(struct dram *d, uint32_t bank)
{
    uint32_t hit = 64u, any = 64u;
    for (uint64_t set = d->now->entries[bank]; set != 0u; set &= set - 1u) {
        const uint32_t entry = lowest(set);
        if (any == 64u || older(d, entry, any)) {
            any = entry;
        }
        if (d->now->queue[entry].row + 1u == d->open[bank]
            && (hit == 64u || older(d, entry, hit))) {
            hit = entry;
        }
    }
    const uint32_t kind = any == 64u || bank + 1u == d->closing ? (uint32_t)NO_COMMAND
                          : hit != 64u                          ? column_kind(d, hit)
                          : d->open[bank] != 0                  ? (uint32_t)PRECHARGE
                                                                : (uint32_t)ACTIVATE;
    d->best[bank] = (uint8_t)(hit != 64u ? hit : any);
    set_kind(d, bank, kind);
}

void dram_bank_joined(struct dram *d, uint32_t entry)
{
    const uint32_t bank = d->now->queue[entry].bank;
    const bool first = d->now->entries[bank] == 0u;
    d->now->entries[bank] |= BIT(entry);
    if (first) {
        dram_bank_update(d, bank);
    } else if (d->kind[bank] == PRECHARGE && d->open[bank] == d->now->queue[entry].row + 1u) {
        d->best[bank] = (uint8_t)entry;
        set_kind(d, bank, column_kind(d, entry));
    }
}

void dram_group_delay(struct dram *d, uint64_t banks, uint64_t ok)
{
    for (; banks != 0u; banks &= banks - 1u) {
        const uint32_t bank = lowest(banks);
        d->column_ok[bank] = later(d->column_ok[bank], ok);
        if (d->kind[bank] == ROW_READ || d->kind[bank] == ROW_WRITE) {
            set_ok(d, d->kind[bank], bank, d->column_ok[bank]);
        }
    }
}

/* Of this kind, if it is older than `best`; -1: none. */
static int32_t oldest_of(const struct dram *d, uint32_t kind, uint64_t cycle, int32_t best)
{
    for (uint64_t set = d->of_kind[kind]; set != 0u; set &= set - 1u) {
        const uint32_t bank = lowest(set);
        if (d->ok[kind][bank] <= cycle
            && (best < 0 || older(d, d->best[bank], (uint32_t)best))) {
            best = d->best[bank];
        }
    }
    return best;
}

struct dram_choice dram_candidates(const struct dram *d, uint64_t cycle)
{
    struct dram_choice choice = { { -1, -1, -1 }, NEVER };
    if (d->first_ok[ROW_READ] <= cycle && d->next_read <= cycle) {
        choice.entry[COLUMN] = oldest_of(d, ROW_READ, cycle, -1);
    }
    if (d->first_ok[ROW_WRITE] <= cycle && d->next_write <= cycle) {
        choice.entry[COLUMN] = oldest_of(d, ROW_WRITE, cycle, choice.entry[COLUMN]);
    }
    if (choice.entry[COLUMN] >= 0) {
        return choice;
    }
    if (d->first_ok[ACTIVATE] <= cycle && d->next_activate <= cycle) {
        choice.entry[ACTIVATE] = oldest_of(d, ACTIVATE, cycle, -1);
    } else if (d->first_ok[PRECHARGE] <= cycle) {
        choice.entry[PRECHARGE] = oldest_of(d, PRECHARGE, cycle, -1);
    } else {
        choice.next = dram_candidates_next(d);
    }
    return choice;
}

uint64_t dram_candidates_next(const struct dram *d)
{
    const uint64_t read = later(d->first_ok[ROW_READ], d->next_read);
    const uint64_t write = later(d->first_ok[ROW_WRITE], d->next_write);
    const uint64_t activate = later(d->first_ok[ACTIVATE], d->next_activate);
    return sooner(sooner(read, write), sooner(activate, d->first_ok[PRECHARGE]));
}
