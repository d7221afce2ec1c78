/*
 * dram_choice - which command a partition may issue: the oldest row hit, else the oldest
 * activate, else the oldest precharge of a bank that has no row hit waiting.
 *
 * dram_scan is the definition. For FR-FCFS each bank keeps one candidate, its oldest row hit or
 * else its oldest entry, with the time at which the bank allows it.
 */

#include "gpu/mem/dram.h"

static bool older(const struct dram *d, uint32_t a, uint32_t b)
{
    return (int32_t)(d->queue[a].age - d->queue[b].age) < 0;
}
static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- By scanning --------------------------------------------------------------------- */

struct dram_choice dram_scan(const struct gpu *g, const struct dram *d, uint64_t cycle)
{
    struct dram_choice choice = { { -1, -1, -1 }, NEVER };
    uint64_t hits = 0u, set = d->valid;

    if (g->config.dram.policy == DRAM_FCFS && set != 0u) {
        uint32_t oldest = lowest(set);
        for (uint64_t rest = set; rest != 0u; rest &= rest - 1u) {
            oldest = older(d, lowest(rest), oldest) ? lowest(rest) : oldest;
        }
        set = BIT(oldest);
    }
    for (uint64_t rest = set; rest != 0u; rest &= rest - 1u) {
        const struct dram_request *const q = &d->queue[lowest(rest)];
        hits |= d->open[q->bank] == q->row + 1u ? BIT(q->bank) : 0u;
    }
    for (; set != 0u; set &= set - 1u) {
        const uint32_t entry = lowest(set), bank = d->queue[entry].bank;
        uint32_t kind = PRECHARGE;
        uint64_t ok = d->precharge_ok[bank];
        if (d->open[bank] == d->queue[entry].row + 1u) {
            kind = COLUMN;
            ok = later(d->column_ok[bank], d->next_column);
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
    for (uint32_t k = 0u; k < NO_COMMAND; k++) {
        if (k != kind && (d->of_kind[k] >> bank & 1u) != 0u) {
            d->of_kind[k] &= ~BIT(bank);
            set_ok(d, k, bank, NEVER);
        }
    }
    if (kind != NO_COMMAND) {
        d->of_kind[kind] |= BIT(bank);
        set_ok(d, kind, bank,
               kind == COLUMN     ? d->column_ok[bank]
               : kind == ACTIVATE ? d->activate_ok[bank]
                                  : d->precharge_ok[bank]);
    }
}

void dram_bank_update(struct dram *d, uint32_t bank)
{
    uint32_t hit = 64u, any = 64u;
    for (uint64_t set = d->entries[bank]; set != 0u; set &= set - 1u) {
        const uint32_t entry = lowest(set);
        if (any == 64u || older(d, entry, any)) {
            any = entry;
        }
        if (d->queue[entry].row + 1u == d->open[bank] && (hit == 64u || older(d, entry, hit))) {
            hit = entry;
        }
    }
    const uint32_t kind = any == 64u           ? (uint32_t)NO_COMMAND
                          : hit != 64u         ? (uint32_t)COLUMN
                          : d->open[bank] != 0 ? (uint32_t)PRECHARGE
                                               : (uint32_t)ACTIVATE;
    d->best[bank] = (uint8_t)(hit != 64u ? hit : any);
    set_kind(d, bank, kind);
}

void dram_bank_joined(struct dram *d, uint32_t entry)
{
    const uint32_t bank = d->queue[entry].bank;
    const bool first = d->entries[bank] == 0u;
    d->entries[bank] |= BIT(entry);
    if (first) {
        dram_bank_update(d, bank);
    } else if ((d->of_kind[PRECHARGE] >> bank & 1u) != 0u
               && d->open[bank] == d->queue[entry].row + 1u) {
        d->best[bank] = (uint8_t)entry;
        set_kind(d, bank, COLUMN);
    }
}

static int32_t oldest_of(const struct dram *d, uint32_t kind, uint64_t cycle)
{
    int32_t best = -1;
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
    if (d->first_ok[COLUMN] <= cycle && d->next_column <= cycle) {
        choice.entry[COLUMN] = oldest_of(d, COLUMN, cycle);
    } else if (d->first_ok[ACTIVATE] <= cycle && d->next_activate <= cycle) {
        choice.entry[ACTIVATE] = oldest_of(d, ACTIVATE, cycle);
    } else if (d->first_ok[PRECHARGE] <= cycle) {
        choice.entry[PRECHARGE] = oldest_of(d, PRECHARGE, cycle);
    } else {
        choice.next = dram_candidates_next(d);
    }
    return choice;
}

uint64_t dram_candidates_next(const struct dram *d)
{
    const uint64_t column = later(d->first_ok[COLUMN], d->next_column);
    const uint64_t activate = later(d->first_ok[ACTIVATE], d->next_activate);
    const uint64_t either = column < activate ? column : activate;
    return d->first_ok[PRECHARGE] < either ? d->first_ok[PRECHARGE] : either;
}
