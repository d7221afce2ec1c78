/* dram - partitions, one for each channel of a slice: banks with an open row each, a command a
 * cycle, a data bus that takes time to turn around, and refreshes of all banks. */

#include "gpu/mem/dram.h"
#include "gpu/wake.h"

/* Rows are of one bank after the other. Where banks are interleaved, two rows take turns. */
static uint32_t row_of(const struct gpu *g, uint32_t local)
{
    const uint32_t row = divide(local, g->lines_per_row);
    const uint32_t part = divide(local, g->lines_per_turn);

    return g->config.dram.bank_interleave == 0u ? row : (row & ~1u) | (part & 1u);
}

bool dram_takes(const struct gpu *g, uint32_t id, uint32_t reads, uint32_t writes)
{
    const struct dram *const d = &g->dram[id];
    const uint32_t apart = g->config.dram.write_queue;

    if (apart == 0u) {
        return d->n + reads + writes <= g->config.dram.queue;
    }
    return d->n - d->n_writes + reads <= g->config.dram.queue && d->n_writes + writes <= apart;
}

void dram_push(struct gpu *g, uint32_t slice, uint32_t line, uint32_t quarters, bool write,
               uint32_t mshr, uint32_t sm, struct share *of)
{
    const uint32_t id = dram_of(g, slice, line);
    struct dram *const d = &g->dram[id];
    const uint64_t now = g->memory.now;
    const uint32_t row = row_of(g, divide(line_in_slice(g, line), g->channels));
    const uint32_t in_bank = divide(row, g->banks);
    struct dram_side *const side = &d->side[write && g->config.dram.write_queue != 0u];
    const uint32_t entry = lowest(~side->valid);

    assert(dram_takes(g, id, write ? 0u : 1u, write ? 1u : 0u));
    integral_set(&d->occupancy, d->occupancy.value + 1u, now + 1u);
    side->valid |= BIT(entry);
    d->n++;
    d->n_writes += write;
    side->queue[entry] = (struct dram_request){ .since = now + 1u,
                                                .of = of,
                                                .row = in_bank,
                                                .age = d->ages++,
                                                .mshr = (uint16_t)mshr,
                                                .bank = (uint8_t)(modulo(row, g->banks)
                                                                  ^ (in_bank & g->bank_folds)),
                                                .write = write,
                                                .quarters = (uint8_t)quarters,
                                                .sm = (uint8_t)sm };
    if (UNLIKELY(side != d->now)) {
        side->entries[side->queue[entry].bank] |= BIT(entry);
    } else if (!g->scan) {
        dram_bank_joined(d, entry);
    }
    if (UNLIKELY(g->monitor.dram_waits != NULL)) {
        g->monitor.dram_waits(g->monitor.self, id, write, now + 1u);
    }
    if (d->next_try > now + 1u) {
        d->next_try = now + 1u;
    }
    wake_dram(g, slice, domain_core(&g->memory, now + 1u, g->t));
}

/* ---- Commands ------------------------------------------------------------------------ */

void dram_tell(const struct gpu *g, uint32_t id, enum dram_command command, uint32_t bank,
               uint32_t row, uint32_t bytes, uint64_t cycle)
{
    if (UNLIKELY(g->monitor.dram != NULL)) {
        g->monitor.dram(g->monitor.self, id, command, bank, row, bytes, cycle);
    }
}

/* When the next read and write of the partition, and of the bank's group, may go. */
HOT void after_column(const struct gpu *g, struct dram *d, const struct dram_request *q,
                      uint64_t cycle)
{
    const uint64_t gap = cycle + g->transfer[q->quarters].gap;
    const uint32_t in_group = g->transfer[q->quarters].in_group;
    d->next_read = q->write ? cycle + g->transfer[q->quarters].to_read : gap;
    d->next_write = q->write ? gap : cycle + g->transfer[q->quarters].to_write;
    if (in_group != 0u) {
        dram_group_delay(d, g->group_of[q->bank], cycle + in_group);
    }
}

static void count_read(struct dram *d, const struct dram_request *q)
{
    const bool same = q->sm == d->last_sm && q->sm != GPU_MAX_SM;

    d->reads++;
    d->same_sm += same;
    d->last_sm = q->sm;
    q->of->dram.read++;
    q->of->dram.same_sm += same;
}

static void column(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    const struct dram_request *const q = &d->now->queue[entry];
    const uint32_t bank = q->bank;
    const uint32_t burst = g->transfer[q->quarters].burst;
    const uint32_t bytes = g->transfer[q->quarters].bytes;
    const uint64_t end = cycle + (q->write ? g->write_latency : g->config.dram.tCL) + burst;

    after_column(g, d, q, cycle);
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
        d->n_writes--;
        q->of->dram.write++;
        g->inflight--;
    } else {
        const uint32_t tail = (d->data_head + d->data_n++) % DRAM_READS;
        d->data[tail].time = end + g->config.dram.latency;
        d->data[tail].mshr = q->mshr;
        const uint64_t read = cycle + g->transfer[q->quarters].to_precharge;
        if (read > d->precharge_ok[bank]) {
            d->precharge_ok[bank] = read;
        }
        count_read(d, q);
    }
    dram_tell(g, id, q->write ? DRAM_WRITE : DRAM_READ, bank, q->row, bytes, cycle);
    integral_set(&d->occupancy, d->occupancy.value - 1u, cycle + 1u);
    q->of->dram.occupancy += cycle + 1u - q->since;
    d->now->valid &= ~BIT(entry);
    d->now->entries[bank] &= ~BIT(entry);
    if (--d->n == 0u) {
        d->now = &d->side[0];
    }
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
    g->moved = t;
    if (g->slice[d->slice].cycles.current == L2_FULL_DRAM) {
        wake_slice(g, d->slice, t);
    }
}

static void activate(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t bank = d->now->queue[entry].bank;
    const uint64_t spaced = cycle + g->config.dram.tRRD;
    d->window[d->activates++ & 3u] = cycle + g->config.dram.tFAW;
    const uint64_t fourth = d->window[d->activates & 3u];
    d->now->queue[entry].of->dram.activate++;
    d->open[bank] = d->now->queue[entry].row + 1u;
    const uint64_t opened = cycle + g->config.dram.tRCD;
    d->column_ok[bank] = opened > d->column_ok[bank] ? opened : d->column_ok[bank];
    d->precharge_ok[bank] = cycle + g->config.dram.tRAS;
    d->activate_ok[bank] = cycle + g->config.dram.tRC;
    d->next_activate = fourth > spaced ? fourth : spaced;
    dram_tell(g, id, DRAM_ACTIVATE, bank, d->now->queue[entry].row, 0u, cycle);
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
}

static void precharge(struct gpu *g, uint32_t id, uint32_t entry, uint64_t cycle)
{
    struct dram *const d = &g->dram[id];
    const uint32_t bank = d->now->queue[entry].bank;
    d->precharges++;
    d->now->queue[entry].of->dram.precharge++;
    dram_tell(g, id, DRAM_PRECHARGE, bank, d->open[bank] - 1u, 0u, cycle);
    d->open[bank] = 0u;
    if (d->activate_ok[bank] < cycle + g->config.dram.tRP) {
        d->activate_ok[bank] = cycle + g->config.dram.tRP;
    }
    if (!g->scan) {
        dram_bank_update(d, bank);
    }
}

/* Writes that wait apart go when they are many, or when no read waits; until they are few and
 * a read waits, or none is left. Where nothing waits reads have the turn. */
COLD static void choose_side(struct gpu *g, struct dram *d)
{
    const uint32_t reads = d->n - d->n_writes;
    if (g->config.dram.write_queue == 0u) {
        return;
    }
    const bool writing = d->now == &d->side[1];
    const bool turn =
        writing
            ? d->n_writes == 0u || (d->n_writes < g->config.dram.write_low && reads != 0u)
            : d->n_writes >= g->config.dram.write_high || (d->n_writes != 0u && reads == 0u);
    if (!turn) {
        return;
    }
    d->now = &d->side[writing ? 0 : 1];
    for (uint32_t bank = 0u; !g->scan && bank < g->config.dram.banks; bank++) {
        dram_bank_update(d, bank);
    }
}

/* At most one command in a DRAM cycle. */
static void command(struct gpu *g, uint32_t id, uint64_t cycle, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    const bool apart = g->config.dram.write_queue != 0u;
    if (UNLIKELY(apart)) {
        choose_side(g, d);
    }
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
    if (!g->scan && !apart) { /* the next cycle may be the other side's */
        const uint64_t next = dram_candidates_next(d);
        d->next_try = next > d->next_try ? next : d->next_try;
    }
}

/* A refresh may be further away than the wheel is long. */
COLD static void look_for_refresh(struct gpu *g, uint32_t id, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    const uint64_t due = domain_core(&g->memory, d->refresh, t);
    d->looks = due - t < g->wheel_mask ? due : t + g->wheel_mask;
    wake_dram(g, d->slice, d->looks);
}

HOT void dram_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct dram *const d = &g->dram[id];
    struct slice *const s = &g->slice[d->slice];
    for (uint64_t cycle = g->memory.before + 1u; cycle <= g->memory.now; cycle++) {
        if (d->data_n != 0u && d->data[d->data_head].time == cycle) {
            const uint32_t tail = s->returned_head + s->n_returned++;
            s->returned[tail < g->config.l2.mshrs ? tail : tail - g->config.l2.mshrs] =
                d->data[d->data_head].mshr;
            d->data_head = (d->data_head + 1u) % DRAM_READS;
            d->data_n--;
            wake_slice(g, d->slice, t);
        }
        if (UNLIKELY(cycle == d->refresh) && dram_refresh(g, id, cycle)) {
            choose_side(g, d);
            continue;
        }
        if (d->n != 0u && cycle >= d->next_try) {
            command(g, id, cycle, t);
        }
    }
    uint64_t next = d->data_n != 0u ? d->data[d->data_head].time : NEVER;
    if (d->n != 0u && d->next_try < next) {
        next = d->next_try;
    }
    if (UNLIKELY(t >= d->looks)) {
        look_for_refresh(g, id, t);
    }
    if (next != NEVER) {
        wake_dram(g, d->slice,
                  next > g->memory.now ? domain_core(&g->memory, next, t) : t + 1u);
    }
}

void drams_wake(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_dram && g->config.dram.tREFI != 0u; i++) {
        look_for_refresh(g, i, 0u);
    }
}

/* Set: of slices, of which one channel at least has something to do. */
void drams_step(struct gpu *g, uint64_t set, uint64_t t)
{
    const uint32_t channels = g->channels.n;
    for (; set != 0u; set &= set - 1u) {
        const uint32_t first = lowest(set) * channels;
        for (uint32_t id = first; id < first + channels; id++) {
            dram_step(g, id, t);
        }
    }
}
