/* gpu_way - a load's way to the memory and back in closed form; see gpu_way.h. */

#include "gpu_way.h"

#include "tb/gpu/gpu_kernel.h"

/* The first cycle of a domain that runs in core cycle t or later: floor((t - 1) f / core) of
 * them have run before. */
static uint64_t first_cycle(const struct gpu_config *c, uint32_t mhz, uint64_t t)
{
    return (t - 1u) * mhz / c->clock.core + 1u;
}
/* The core cycle at whose end n cycles of a domain have run. */
static uint64_t core_cycle(const struct gpu_config *c, uint32_t mhz, uint64_t n)
{
    return (n * c->clock.core + mhz - 1u) / mhz;
}

uint32_t way_flits(const struct gpu_config *c, uint32_t payload)
{
    const uint32_t bytes = c->noc.header_bytes + payload;
    return bytes == 0u ? 1u : (bytes + c->noc.channel_bytes - 1u) / c->noc.channel_bytes;
}

/* What leaves a component in core cycle t is at the next one in a later core cycle, however
 * fast the domain is. */
static uint64_t later(uint64_t at, uint64_t t)
{
    return at > t ? at : t + 1u;
}

/* A packet that may enter the crossbar in core cycle t: when it is on the other side. */
uint64_t way_across(const struct gpu_config *c, uint64_t t, uint32_t payload)
{
    const uint64_t granted = first_cycle(c, c->clock.noc, t);
    const uint64_t arrives = granted + way_flits(c, payload) + c->noc.latency;
    return later(core_cycle(c, c->clock.noc, arrives), core_cycle(c, c->clock.noc, granted));
}

enum { LONG_AGO = 1000 }; /* cycles before the first: an activate then is as good as none */

/* The one bank of a chase on a machine with refreshes: what it allows when. */
static struct {
    bool open;
    uint64_t activate, read, precharge, refresh;
    uint64_t opened, turn; /* the last activate, LONG_AGO later; the next refresh of any bank */
} bank;

void way_begin(const struct gpu_config *c)
{
    memset(&bank, 0, sizeof bank);
    bank.refresh = c->dram.tREFI;
    bank.turn = 1u;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The bank's next command in cycle t for a read: true if it is the read. */
static bool command(const struct gpu_config *c, uint64_t t, bool *hit, uint32_t burst)
{
    if (*hit) {
        bank.precharge = latest(bank.precharge, t + burst);
        return true;
    }
    if (bank.open) {
        bank.activate = latest(bank.activate, t + c->dram.tRP);
        bank.open = false;
    } else {
        bank.read = t + c->dram.tRCD;
        bank.precharge = t + c->dram.tRAS;
        bank.activate = t + c->dram.tRC;
        bank.opened = t + LONG_AGO;
        bank.open = *hit = true;
    }
    return false;
}

/* Its refresh, which is due in this cycle, closes it; nothing is activated for so long. */
static void refreshed(const struct gpu_config *c, uint64_t due, uint64_t takes, bool *hit)
{
    const uint64_t closed = bank.open ? latest(due, bank.precharge) + c->dram.tRP : due;

    bank.activate = latest(closed, bank.activate) + takes;
    bank.open = *hit = false;
}

/* The cycle of the next command if nothing else goes before it. */
static uint64_t possible(uint64_t t, bool hit)
{
    return latest(t, hit ? bank.read : bank.open ? bank.precharge : bank.activate);
}

/* When the command of a read goes that is asked for in DRAM cycle t. What is not possible
 * before a refresh is due comes after it. */
static uint64_t read_between_refreshes(const struct gpu_config *c, uint64_t t, bool other,
                                       uint32_t burst)
{
    bool hit = bank.open && !other;

    for (;;) {
        t = possible(t, hit);
        if (t >= bank.refresh) {
            refreshed(c, bank.refresh, c->dram.tRFC, &hit);
            bank.refresh += c->dram.tREFI;
        } else if (command(c, t, &hit, burst)) {
            return t;
        }
    }
}

/* The same with refreshes of single banks, of which this is bank 0, and the k-th is the next.
 * One of another bank takes the cycle of its command, and keeps activates tRREFD away. */
static uint64_t read_between_turns(const struct gpu_config *c, uint64_t t, bool other,
                                   uint32_t burst)
{
    bool hit = bank.open && !other;

    for (;;) {
        t = possible(t, hit);
        const uint64_t due = bank.turn * c->dram.tREFI / c->dram.banks;
        const uint64_t goes = latest(due + LONG_AGO, bank.opened + c->dram.tRRD);
        const bool own = bank.turn % c->dram.banks == 1u % c->dram.banks;
        if (own && t >= due) {
            refreshed(c, due, latest(c->dram.tRFC, c->dram.tRREFD), &hit);
            bank.turn++;
        } else if (!own && t + LONG_AGO >= goes) {
            bank.activate = latest(bank.activate, goes - LONG_AGO + c->dram.tRREFD);
            bank.turn++;
            t += goes == t + LONG_AGO ? 1u : 0u;
        } else if (command(c, t, &hit, burst)) {
            return t;
        }
    }
}

/* A line that the L2 asks for in core cycle t: when it is there. */
static uint64_t from_dram(const struct gpu_config *c, uint64_t t, enum level level)
{
    const uint32_t burst = c->l2.line / (c->dram.bus_bytes * c->dram.data_rate);
    uint64_t command = t * c->clock.dram / c->clock.core + 1u;
    if (c->dram.refresh == REFRESH_BANK) {
        command = read_between_turns(c, command, level == ROW_OTHER, burst);
    } else if (c->dram.tREFI != 0u) {
        command = read_between_refreshes(c, command, level == ROW_OTHER, burst);
    } else {
        command += level == ROW_OTHER ? c->dram.tRP : 0u;
        command += level >= ROW_CLOSED ? c->dram.tRCD : 0u;
    }
    return core_cycle(c, c->clock.dram, command + c->dram.tCL + burst + c->dram.latency);
}

/* A request of `payload` bytes that is in the SM's miss queue in cycle t, for an answer of
 * `line` bytes: when that is in the SM, if it takes `port` cycles in the cluster's port. */
static uint64_t passed(const struct gpu_config *c, uint64_t t, uint64_t port, enum level level,
                       uint32_t payload, uint32_t line)
{
    const uint64_t at_port = t + 1u, at_crossbar = at_port + port;
    const uint64_t at_slice = way_across(c, at_crossbar, payload);
    uint64_t looked_up = first_cycle(c, c->clock.l2, at_slice);
    if (level != L2_HIT) {
        const uint64_t filled = from_dram(c, core_cycle(c, c->clock.l2, looked_up), level);
        looked_up = first_cycle(c, c->clock.l2, filled);
    }
    const uint64_t leaves = core_cycle(c, c->clock.l2, looked_up + c->l2.latency);
    return way_across(c, later(leaves, core_cycle(c, c->clock.l2, looked_up)), line);
}

uint64_t way_answered(const struct gpu_config *c, uint64_t t, enum level level,
                      uint32_t payload, uint32_t line)
{
    return passed(c, t, 1u, level, payload, line);
}

/* A read that merge table and coalesced cache look up, if there are any. */
static uint64_t looked_up(const struct gpu_config *c, uint64_t t, enum level level,
                          uint32_t line)
{
    const uint64_t lookup = c->icc.entries != 0u ? c->icc.lookup_latency : 0u;
    return passed(c, t, 1u + lookup, level, 0u, line);
}

/* A load that issues in cycle t: when its dependent does. */
uint64_t way_hop(const struct gpu_config *c, uint64_t t, enum level level)
{
    const uint64_t access = t + 1u; /* the load/store unit's */
    const uint64_t at_once = access + c->l1.latency;
    if (level == L1_HIT) {
        return at_once;
    }
    const uint64_t back = looked_up(c, access, level, c->l1.line);
    return back > at_once ? back : at_once;
}

uint64_t way_start(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u + c->fetch.latency;
}
