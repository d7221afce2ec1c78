/* dram - the memory of a partition: banks with an open row each, a command a cycle, a data bus.
 * Refresh and bus turnaround are not modelled. */

#include "gpu/mem/dram.h"
#include "gpu/wake.h"

void dram_push(struct gpu *g, uint32_t id, uint32_t line, uint32_t quarters, bool write,
               uint32_t mshr, struct share *of)
{
    struct dram *const d = &g->dram[id];
    const uint64_t now = g->memory.now;
    const uint32_t local = line_in_slice(g, line);
    const uint32_t row = divide(local, g->lines_per_row);
    const uint32_t entry = lowest(~d->valid);

    assert(d->n < g->config.dram.queue);
    integral_set(&d->occupancy, d->occupancy.value + 1u, now + 1u);
    d->valid |= BIT(entry);
    d->n++;
    d->queue[entry] = (struct dram_request){ .since = now + 1u,
                                             .of = of,
                                             .row = divide(row, g->banks),
                                             .age = d->ages++,
                                             .mshr = (uint16_t)mshr,
                                             .bank = (uint8_t)modulo(row, g->banks),
                                             .write = write,
                                             .quarters = (uint8_t)quarters };
    if (!g->scan) {
        dram_bank_joined(d, entry);
    }
    if (d->next_try > now + 1u) {
        d->next_try = now + 1u;
    }
    wake_dram(g, id, domain_core(&g->memory, now + 1u, g->t));
}

/* ---- Commands ------------------------------------------------------------------------ */

static void tell(const struct gpu *g, uint32_t id, enum dram_command command, uint32_t bank,
                 uint32_t row, uint32_t bytes, uint64_t cycle)
{
    if (UNLIKELY(g->monitor.dram != NULL)) {
        g->monitor.dram(g->monitor.self, id, command, bank, row, bytes, cycle);
    }
}

static void column(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    const struct dram_request *const q = &d->queue[entry];
    const uint32_t bank = q->bank;
    const uint32_t burst = g->transfer[q->quarters].burst;
    const uint32_t bytes = g->transfer[q->quarters].bytes;
    const uint64_t end = cycle + g->config.dram.tCL + burst;

    d->next_column = cycle + g->transfer[q->quarters].gap;
    if (UNLIKELY(q->quarters != 15u)) {
        d->bus_saved += g->transfer[15].burst - burst;
        d->bytes_saved += g->transfer[15].bytes - bytes;
        q->of->dram.bus += g->transfer[15].burst - burst;
        q->of->dram.bytes += g->transfer[15].bytes - bytes;
    }
    if (q->write) {
        const uint64_t recovered = end + g->config.dram.tWR;
        if (recovered > d->precharge_ok[bank]) {
            d->precharge_ok[bank] = recovered;
        }
        d->writes++;
        q->of->dram.write++;
        g->inflight--;
    } else {
        const uint32_t tail = (d->data_head + d->data_n++) % DRAM_READS;
        d->data[tail].time = end + g->config.dram.latency;
        d->data[tail].mshr = q->mshr;
        if (end > d->precharge_ok[bank] + g->config.dram.tCL) {
            d->precharge_ok[bank] = end - g->config.dram.tCL;
        }
        d->reads++;
        q->of->dram.read++;
    }
    tell(g, id, q->write ? DRAM_WRITE : DRAM_READ, bank, q->row, bytes, cycle);
    integral_set(&d->occupancy, d->occupancy.value - 1u, cycle + 1u);
    q->of->dram.occupancy += cycle + 1u - q->since;
    d->valid &= ~BIT(entry);
    d->n--;
    if (!g->scan) {
        d->entries[bank] &= ~BIT(entry);
        dram_bank_update(d, bank);
    }
    g->moved = t;
    if (g->slice[id].cycles.current == L2_FULL_DRAM) {
        wake_slice(g, id, t);
    }
}

static void activate(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t bank = d->queue[entry].bank;
    d->activates++;
    d->queue[entry].of->dram.activate++;
    d->open[bank] = d->queue[entry].row + 1u;
    d->column_ok[bank] = cycle + g->config.dram.tRCD;
    d->precharge_ok[bank] = cycle + g->config.dram.tRAS;
    d->activate_ok[bank] = cycle + g->config.dram.tRC;
    d->next_activate = cycle + g->config.dram.tRRD;
    tell(g, id, DRAM_ACTIVATE, bank, d->queue[entry].row, 0u, cycle);
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
}

static void precharge(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t bank = d->queue[entry].bank;
    d->precharges++;
    d->queue[entry].of->dram.precharge++;
    tell(g, id, DRAM_PRECHARGE, bank, d->open[bank] - 1u, 0u, cycle);
    d->open[bank] = 0u;
    if (d->activate_ok[bank] < cycle + g->config.dram.tRP) {
        d->activate_ok[bank] = cycle + g->config.dram.tRP;
    }
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
}

/* At most one command in a DRAM cycle. */
static void command(struct gpu *g, uint32_t id, uint64_t cycle, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    const struct dram_choice c = g->scan ? dram_scan(g, d, cycle) : dram_candidates(d, cycle);

    d->next_try = cycle + 1u;
    if (c.entry[COLUMN] >= 0) {
        column(g, id, (uint32_t)c.entry[COLUMN], cycle, t);
    } else if (c.entry[ACTIVATE] >= 0) {
        activate(g, id, (uint32_t)c.entry[ACTIVATE], cycle);
    } else if (c.entry[PRECHARGE] >= 0) {
        precharge(g, id, (uint32_t)c.entry[PRECHARGE], cycle);
    } else {
        d->next_try = c.next;
        return;
    }
    if (!g->scan) {
        const uint64_t next = dram_candidates_next(d);
        d->next_try = next > d->next_try ? next : d->next_try;
    }
}

HOT void dram_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    struct slice *const s = &g->slice[id];
    for (uint64_t cycle = g->memory.before + 1u; cycle <= g->memory.now; cycle++) {
        if (d->data_n != 0u && d->data[d->data_head].time == cycle) {
            const uint32_t tail = s->returned_head + s->n_returned++;
            s->returned[tail < g->config.l2.mshrs ? tail : tail - g->config.l2.mshrs] =
                d->data[d->data_head].mshr;
            d->data_head = (d->data_head + 1u) % DRAM_READS;
            d->data_n--;
            wake_slice(g, id, t);
        }
        if (d->n != 0u && cycle >= d->next_try) {
            command(g, id, cycle, t);
        }
    }
    uint64_t next = d->data_n != 0u ? d->data[d->data_head].time : NEVER;
    if (d->n != 0u && d->next_try < next) {
        next = d->next_try;
    }
    if (next != NEVER) {
        wake_dram(g, id, next > g->memory.now ? domain_core(&g->memory, next, t) : t + 1u);
    }
}

void drams_step(struct gpu *g, uint64_t set, uint64_t t)
{
    for (; set != 0u; set &= set - 1u) {
        dram_step(g, lowest(set), t);
    }
}
