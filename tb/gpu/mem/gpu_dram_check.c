/* gpu_dram_check - see gpu_dram_check.h. */

#include "tb/gpu/mem/gpu_dram_check.h"

#include <string.h>

#include "tb/gpu/gpu_kernel.h"

static const uint64_t long_ago = 1u << 20; /* before cycle 0; cycles are counted from here */

void dram_checker_open(struct dram_checker *c, const struct gpu_config *config)
{
    *c = (struct dram_checker){ .config = *config };
    c->per_cycle = config->dram.bus_bytes * config->dram.data_rate;
    c->atom = config->dram.atom != 0u ? config->dram.atom : config->l2.line;
}

static void rule(struct dram_checker *c, bool kept, const char *name)
{
    if (!kept && c->broken == NULL) {
        c->broken = name;
    }
}

static bool by_bank(const struct dram_checker *c)
{
    return c->config.dram.refresh == REFRESH_BANK;
}

/* The refresh after so many others is due from this cycle on; t counts from long_ago. */
static uint64_t due_after(const struct dram_checker *c, uint64_t others)
{
    const uint64_t every = c->config.dram.tREFI;
    const uint64_t turns = by_bank(c) ? c->config.dram.banks : 1u;
    return every != 0u ? long_ago + (others + 1u) * every / turns : UINT64_MAX;
}
static uint64_t due(const struct dram_checker *c, const struct checked_partition *p)
{
    return due_after(c, p->refreshes);
}

/* A refresh of this bank, or of all, is due. */
static bool is_due(const struct dram_checker *c, const struct checked_partition *p,
                   const struct checked_bank *b, uint64_t t)
{
    const bool its_turn = !by_bank(c) || b == &p->bank[p->refreshes % c->config.dram.banks];
    return t >= due(c, p) && its_turn;
}

static void check_activate(struct dram_checker *c, struct checked_partition *p,
                           struct checked_bank *b, uint32_t row, uint64_t t)
{
    const uint64_t refreshed = by_bank(c) ? b->refresh : p->refresh;
    rule(c, !is_due(c, p, b, t), "activate while a refresh is due");
    rule(c, refreshed == 0u || t >= refreshed + c->config.dram.tRFC, "tRFC");
    rule(c, p->refreshes == 0u || t >= p->refresh + c->config.dram.tRREFD, "tRREFD");
    rule(c, !b->open, "activate of an open bank");
    rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
    rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    rule(c, t >= p->activate[0] + c->config.dram.tRRD, "tRRD");
    rule(c, t >= p->activate[3] + c->config.dram.tFAW, "tFAW");
    b->open = true;
    b->row = row;
    memmove(&p->activate[1], &p->activate[0], 3u * sizeof p->activate[0]);
    b->activate = p->activate[0] = t;
    p->activates++;
}

/* What every precharge of an open bank must keep. */
static void close_bank(struct dram_checker *c, struct checked_partition *p,
                       struct checked_bank *b, uint64_t t)
{
    rule(c, t >= b->activate + c->config.dram.tRAS, "tRAS");
    rule(c, t >= b->written + c->config.dram.tWR, "tWR");
    rule(c, t > b->column, "precharge before a read has begun");
    rule(c, t >= b->read + c->config.dram.tRTP, "tRTP");
    b->open = false;
    b->precharge = t;
    p->precharges++;
}

static void check_precharge(struct dram_checker *c, struct checked_partition *p,
                            struct checked_bank *b, uint32_t row, uint64_t t)
{
    rule(c, by_bank(c) || t < due(c, p), "precharge while a refresh is due");
    rule(c, b->open, "precharge of a closed bank");
    rule(c, b->row == row, "precharge of another row");
    close_bank(c, p, b, t);
}

static void check_precharge_all(struct dram_checker *c, struct checked_partition *p, uint64_t t)
{
    rule(c, t >= due(c, p), "precharge of all banks while no refresh is due");
    rule(c, !by_bank(c), "precharge of all banks for the refresh of one");
    for (uint32_t i = 0u; i < c->config.dram.banks; i++) {
        if (p->bank[i].open) {
            close_bank(c, p, &p->bank[i], t);
        }
    }
}

static void check_refresh(struct dram_checker *c, struct checked_partition *p, uint64_t t)
{
    rule(c, t >= due(c, p), "refresh before it is due");
    rule(c, !by_bank(c), "refresh of all banks");
    for (uint32_t i = 0u; i < c->config.dram.banks; i++) {
        const struct checked_bank *const b = &p->bank[i];
        rule(c, !b->open, "refresh of an open bank");
        rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
        rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    }
    rule(c, p->refreshes == 0u || t >= p->refresh + c->config.dram.tRFC, "tRFC");
    p->refresh = t;
    p->refreshes++;
}

static void check_refresh_bank(struct dram_checker *c, struct checked_partition *p,
                               uint32_t bank, uint64_t t)
{
    struct checked_bank *const b = &p->bank[bank];
    rule(c, by_bank(c), "refresh of one bank");
    rule(c, t >= due(c, p), "refresh before it is due");
    rule(c, t < due_after(c, p->refreshes + 1u), "refresh when the next is due");
    rule(c, bank == p->refreshes % c->config.dram.banks, "refresh out of turn");
    rule(c, !b->open, "refresh of an open bank");
    rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
    rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    rule(c, t >= p->activate[0] + c->config.dram.tRRD, "tRRD");
    rule(c, p->refreshes == 0u || t >= p->refresh + c->config.dram.tRREFD, "tRREFD");
    b->refresh = p->refresh = t;
    p->refreshes++;
}

/* Which side goes in the cycle in which what waits has changed last: writes from when they are
 * many or no read waits, reads from when few writes wait beside one, or none does. */
static void choose(const struct dram_checker *c, struct checked_partition *p)
{
    const bool many = p->writes_wait >= c->config.dram.write_high;
    const bool few = p->writes_wait < c->config.dram.write_low;
    if (p->writing && (p->writes_wait == 0u || (few && p->reads_wait != 0u))) {
        p->writing = p->reads_wait == 0u && p->writes_wait != 0u;
    } else if (!p->writing && p->writes_wait != 0u && (many || p->reads_wait == 0u)) {
        p->writing = true;
        p->turns++;
    }
}

void dram_check_waits(void *self, uint32_t partition, bool write, uint64_t cycle)
{
    struct dram_checker *const c = self;
    struct checked_partition *const p = &c->partition[partition];
    const uint32_t writes = c->config.dram.write_queue;
    if (cycle > p->changed) {
        choose(c, p);
        p->changed = cycle;
    }
    p->writes_wait += write ? 1u : 0u;
    p->reads_wait += write ? 0u : 1u;
    rule(c,
         (writes != 0u ? p->reads_wait : p->reads_wait + p->writes_wait)
             <= c->config.dram.queue,
         "queue");
    rule(c, writes == 0u || p->writes_wait <= writes, "write queue");
}

/* A read or write goes in cycle t. */
static void check_side(struct dram_checker *c, struct checked_partition *p, bool write,
                       uint64_t t)
{
    uint32_t *const waits = write ? &p->writes_wait : &p->reads_wait;
    choose(c, p);
    rule(c, *waits != 0u && p->changed <= t, "what goes has waited");
    rule(c, c->config.dram.write_queue == 0u || p->writing == write,
         write ? "write while reads go" : "read while writes go");
    --*waits;
    p->writing = p->writing && p->reads_wait + p->writes_wait != 0u;
    p->changed = t + 1u;
}

/* Reads and writes of one bus, and of one group of banks. */
static void check_turns(struct dram_checker *c, struct checked_partition *p, uint32_t bank,
                        uint32_t burst, bool write, uint64_t t)
{
    const uint32_t atom = (c->atom + c->per_cycle - 1u) / c->per_cycle;
    const uint64_t late =
        write && c->config.dram.tWL != 0u ? c->config.dram.tWL : c->config.dram.tCL;
    rule(c, t + late >= p->bus_end, "data bus");
    rule(c, !write || t + late >= p->read_end + c->config.dram.tRTW, "tRTW");
    rule(c, write || c->config.dram.tWTR == 0u || t >= p->write_end + c->config.dram.tWTR,
         "tWTR");
    if (c->config.dram.bank_groups != 0u) {
        uint64_t *const group = &p->group[bank % c->config.dram.bank_groups];
        rule(c, t >= *group + c->config.dram.tCCDL, "tCCDL");
        *group = t + burst - atom;
    }
    p->bus_end = t + late + burst;
    *(write ? &p->write_end : &p->read_end) = p->bus_end;
    p->bank[bank].read = write ? p->bank[bank].read : t + burst - atom;
}

static void check_column(struct dram_checker *c, struct checked_partition *p, uint32_t bank,
                         uint32_t row, uint32_t bytes, bool write, uint64_t t)
{
    struct checked_bank *const b = &p->bank[bank];
    const uint32_t burst = (bytes + c->per_cycle - 1u) / c->per_cycle;
    rule(c, !is_due(c, p, b, t), "column while a refresh is due");
    rule(c, b->open, "column of a closed bank");
    rule(c, b->row == row, "column of another row");
    rule(c, t >= b->activate + c->config.dram.tRCD, "tRCD");
    rule(c, t >= p->column + c->config.dram.tCCD, "tCCD");
    check_turns(c, p, bank, burst, write, t);
    rule(c, bytes != 0u && bytes <= c->config.l2.line && bytes % c->atom == 0u, "atoms");
    b->column = p->column = t;
    p->bus += burst;
    p->bytes += bytes;
    b->written = write ? p->bus_end : b->written;
    p->reads += write ? 0u : 1u;
    p->writes += write ? 1u : 0u;
}

void dram_check_command(void *self, uint32_t partition, enum dram_command command,
                        uint32_t bank, uint32_t row, uint32_t bytes, uint64_t cycle)
{
    struct dram_checker *const c = self;
    struct checked_partition *const p = &c->partition[partition];
    struct checked_bank *const b = &p->bank[bank];
    const uint64_t t = cycle + long_ago;
    assert_true(partition < MOST_PARTITIONS && bank < MOST_BANKS);
    rule(c, bank < c->config.dram.banks, "no such bank");
    rule(c, t > p->command, "two commands in a cycle");
    p->command = t;
    if (command == DRAM_ACTIVATE) {
        check_activate(c, p, b, row, t);
    } else if (command == DRAM_PRECHARGE) {
        check_precharge(c, p, b, row, t);
    } else if (command == DRAM_PRECHARGE_ALL) {
        check_precharge_all(c, p, t);
    } else if (command == DRAM_REFRESH) {
        check_refresh(c, p, t);
    } else if (command == DRAM_REFRESH_BANK) {
        check_refresh_bank(c, p, bank, t);
    } else {
        if (c->waits) {
            check_side(c, p, command == DRAM_WRITE, cycle);
        }
        check_column(c, p, bank, row, bytes, command == DRAM_WRITE, t);
    }
}
