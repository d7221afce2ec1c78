/* dram_refresh - refreshes of a partition: of all banks at once, or of one after the other. */

#include "gpu/mem/dram.h"

/* A refresh is due in this cycle. Nothing but a precharge of all banks, as soon as each open
 * one allows it, goes before the refresh, which waits until each bank could be activated; and
 * nothing until each can be after it. So all of it is known now. */
static void refresh_all(struct gpu *g, uint32_t id, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t banks = g->config.dram.banks;
    uint64_t close = cycle, begin = cycle;
    uint32_t open = 0u;
    for (uint32_t bank = 0u; bank < banks; bank++) {
        open += d->open[bank] != 0u ? 1u : 0u;
        if (d->open[bank] != 0u && d->precharge_ok[bank] > close) {
            close = d->precharge_ok[bank];
        }
        begin = d->activate_ok[bank] > begin ? d->activate_ok[bank] : begin;
    }
    if (open != 0u) {
        begin = close + g->config.dram.tRP > begin ? close + g->config.dram.tRP : begin;
        dram_tell(g, id, DRAM_PRECHARGE_ALL, 0u, 0u, 0u, close);
    }
    dram_tell(g, id, DRAM_REFRESH, 0u, 0u, 0u, begin);
    d->precharges += open;
    g->nobody->dram.precharge += open;
    for (uint32_t bank = 0u; bank < banks; bank++) {
        d->open[bank] = 0u;
        d->activate_ok[bank] = begin + g->config.dram.tRFC;
        if (!g->scan && d->now->entries[bank] != 0u) {
            dram_bank_update(d, bank);
        }
    }
    d->refresh += g->config.dram.tREFI;
    d->next_try = cycle;
}

/* The k-th refresh of a bank, from 1 on, is due in this cycle. Each bank has its turn once in
 * tREFI. */
static uint64_t bank_due(const struct gpu_config *c, uint64_t k)
{
    return k * c->dram.tREFI / c->dram.banks;
}

/* The bank begins its refresh when its row has been closed for tRP, and tRRD after the last
 * activate of any bank; a cycle for the command is free, since it goes before all others. */
static uint64_t bank_ready(const struct gpu *g, const struct dram *d, uint32_t bank)
{
    const uint64_t last = d->window[(d->activates - 1u) & 3u] - g->config.dram.tFAW;
    const uint64_t spaced = d->activates != 0u ? last + g->config.dram.tRRD : 0u;
    return d->activate_ok[bank] > spaced ? d->activate_ok[bank] : spaced;
}

static void bank_close(struct gpu *g, uint32_t id, uint32_t bank, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint64_t closed = cycle + g->config.dram.tRP;
    dram_tell(g, id, DRAM_PRECHARGE, bank, d->open[bank] - 1u, 0u, cycle);
    d->open[bank] = 0u;
    d->precharges++;
    g->nobody->dram.precharge++;
    d->activate_ok[bank] = closed > d->activate_ok[bank] ? closed : d->activate_ok[bank];
    d->refresh = bank_ready(g, d, bank);
}

static void bank_begin(struct gpu *g, uint32_t id, uint32_t bank, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint64_t others = cycle + g->config.dram.tRREFD;
    dram_tell(g, id, DRAM_REFRESH_BANK, bank, 0u, 0u, cycle);
    d->activate_ok[bank] = cycle + g->config.dram.tRFC;
    d->next_activate = others > d->next_activate ? others : d->next_activate;
    d->closing = 0u;
    d->refresh = bank_due(&g->config, ++d->refreshes + 1u);
}

/* Where no command goes, d->refresh says when to ask again, which may be in this cycle. */
static bool bank_step(struct gpu *g, uint32_t id, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t bank = (uint32_t)(d->refreshes % g->config.dram.banks);
    if (d->closing == 0u) {
        d->closing = bank + 1u;
    }
    const bool open = d->open[bank] != 0u;
    const uint64_t ready = open ? d->precharge_ok[bank] : bank_ready(g, d, bank);
    if (cycle < ready) {
        d->refresh = ready;
    } else if (open) {
        bank_close(g, id, bank, cycle);
    } else {
        bank_begin(g, id, bank, cycle);
    }
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
    d->next_try = cycle < ready ? cycle : cycle + 1u;
    return cycle >= ready;
}

bool dram_refresh(struct gpu *g, uint32_t id, uint64_t cycle)
{
    if (g->config.dram.refresh == REFRESH_BANK) {
        return bank_step(g, id, cycle);
    }
    refresh_all(g, id, cycle);
    return false;
}
