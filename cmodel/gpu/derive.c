/* derive - what the cycle loop needs of a configuration; see derive.h. */

#include "gpu/derive.h"

#include "gpu/machine.h"

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
    return value != 0u ? value : otherwise;
}

static struct domain domain_of(uint32_t mhz, uint32_t core)
{
    uint32_t a = mhz, b = core;
    while (b != 0u) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct domain){ .mul = mhz / a,
                            .div = core / a,
                            .by_mul = divisor_of(mhz / a),
                            .by_div = divisor_of(core / a) };
}

static void derive_packet(struct gpu *g, uint32_t size, uint32_t payload)
{
    const struct gpu_config *const c = &g->config;
    const uint32_t bytes = c->noc.header_bytes + payload;
    const uint32_t flits = (bytes + c->noc.channel_bytes - 1u) / c->noc.channel_bytes;
    g->packet[size].bytes = bytes;
    g->packet[size].flits = flits == 0u ? 1u : flits;
}

/* Quarters of a line, rounded up to whole parts of so many bytes. */
static void derive_parts(uint8_t parts[16], uint32_t line, uint32_t bytes)
{
    const uint32_t quarters = bytes == 0u ? 4u : bytes * 4u / line;
    const uint32_t part = (1u << quarters) - 1u;
    for (uint32_t touched = 0u; touched < 16u; touched++) {
        uint32_t set = 0u;
        for (uint32_t k = 0u; k < 4u; k += quarters) {
            set |= (touched & part << k) != 0u ? part << k : 0u;
        }
        parts[touched] = (uint8_t)set;
    }
}

static uint32_t longer(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* What follows a read or write, from its command on; its last atom begins `last` later. */
static void derive_transfer(struct gpu *g, uint32_t quarters, uint32_t last)
{
    const struct gpu_config *const c = &g->config;
    const uint32_t burst = g->transfer[quarters].burst;
    const uint32_t gap = longer(burst, c->dram.tCCD);
    const uint32_t in_group = c->dram.bank_groups != 0u ? last + c->dram.tCCDL : 0u;
    const uint32_t written = g->write_latency + burst + c->dram.tWTR;
    g->transfer[quarters].gap = gap;
    g->transfer[quarters].to_write =
        longer(gap, c->dram.tCL + burst + c->dram.tRTW - g->write_latency);
    g->transfer[quarters].to_read = c->dram.tWTR != 0u ? longer(gap, written) : gap;
    g->transfer[quarters].in_group = in_group > gap ? in_group : 0u;
    g->transfer[quarters].to_precharge =
        c->dram.tRTP != 0u ? longer(burst, last + c->dram.tRTP) : burst;
}

static void derive_groups(struct gpu *g)
{
    const struct gpu_config *const c = &g->config;
    const uint32_t groups = or_else(c->dram.bank_groups, 1u);
    for (uint32_t bank = 0u; bank < c->dram.banks; bank++) {
        g->group_of[bank] = 0u;
        for (uint32_t other = bank % groups; other < c->dram.banks; other += groups) {
            g->group_of[bank] |= BIT(other);
        }
    }
}

/* The merge table knows lines only: with it, the SMs read whole ones. */
static void derive_sectors(struct gpu *g)
{
    const struct gpu_config *const c = &g->config;
    const uint32_t per_cycle = c->dram.bus_bytes * c->dram.data_rate;
    const uint32_t atom = (or_else(c->dram.atom, c->l2.line) + per_cycle - 1u) / per_cycle;
    g->l2_sectors = c->l2.sector != 0u && c->l2.sector != c->l2.line;
    g->l1_sectors = g->l2_sectors && c->icc.entries == 0u;
    derive_parts(g->sectors_of, c->l2.line, c->l2.sector);
    derive_parts(g->atoms_of, c->l2.line, c->dram.atom);
    for (uint32_t quarters = 0u; quarters < 16u; quarters++) {
        const uint32_t n = (uint32_t)__builtin_popcount(quarters);
        const uint32_t bytes = n * c->l2.line / 4u;
        const uint32_t burst = (bytes + per_cycle - 1u) / per_cycle;
        g->transfer[quarters].bytes = bytes;
        g->transfer[quarters].burst = burst;
        derive_transfer(g, quarters, burst > atom ? burst - atom : 0u);
        for (uint32_t path = 0u; path < ANSWERS; path++) {
            const bool part = path == PATH_L1 || path == PATH_TEXTURE || path == PATH_UNCACHED
                              || path == PATH_RECORD;
            g->answer_size[path][quarters] = (uint8_t)(path == PATH_ANSWER ? SIZE_READ
                                                       : part              ? SIZE_WRITE + n
                                                              : SIZE_ANSWER + path);
        }
    }
}

/* Of all instructions that go to pipes, the first PIPES rows. */
static void pipe_times(const struct gpu_config *c, uint32_t latency[][OPERATION_KINDS],
                       uint32_t interval[][OPERATION_KINDS])
{
#define PIPE_VALUES(op, pipe)                                  \
    for (uint32_t kind = 0u; kind < OPERATION_KINDS; kind++) { \
        latency[op][kind] = c->pipe.latency;                   \
        interval[op][kind] = c->pipe.interval;                 \
    }
#define KIND_VALUES(op, pipe, number, kind)                                 \
    latency[op][number] = or_else(c->pipe.kind##_latency, c->pipe.latency); \
    interval[op][number] = or_else(c->pipe.kind##_interval, c->pipe.interval)
    PIPE_VALUES(OP_INTEGER, integer);
    KIND_VALUES(OP_INTEGER, integer, KIND_MULTIPLY, multiply);
    latency[OP_INTEGER][KIND_MULTIPLY_ADD] =
        or_else(c->integer.multiply_add_latency, latency[OP_INTEGER][KIND_MULTIPLY]);
    interval[OP_INTEGER][KIND_MULTIPLY_ADD] =
        or_else(c->integer.multiply_add_interval, interval[OP_INTEGER][KIND_MULTIPLY]);
    KIND_VALUES(OP_INTEGER, integer, KIND_CONVERT, convert);
    KIND_VALUES(OP_INTEGER, integer, KIND_SIMPLE, simple);
    KIND_VALUES(OP_INTEGER, integer, KIND_MIN_MAX, min_max);
    PIPE_VALUES(OP_FP32, fp32);
    KIND_VALUES(OP_FP32, fp32, KIND_SIMPLE, simple);
    KIND_VALUES(OP_FP32, fp32, KIND_MIN_MAX, min_max);
    KIND_VALUES(OP_FP32, fp32, KIND_FUSED, fused);
    PIPE_VALUES(OP_FP64, fp64);
    KIND_VALUES(OP_FP64, fp64, KIND_SIMPLE, simple);
    KIND_VALUES(OP_FP64, fp64, KIND_MIN_MAX, min_max);
    KIND_VALUES(OP_FP64, fp64, KIND_FUSED, fused);
    KIND_VALUES(OP_FP64, fp64, KIND_DIVIDE, divide);
    PIPE_VALUES(OP_SFU, sfu);
    KIND_VALUES(OP_SFU, sfu, KIND_DIVIDE, divide);
    KIND_VALUES(OP_SFU, sfu, KIND_INTEGER_DIVIDE, integer_divide);
    PIPE_VALUES(OP_TENSOR, tensor);
#undef PIPE_VALUES
#undef KIND_VALUES
}

static void derive_pipes(struct gpu *g)
{
    const struct gpu_config *const c = &g->config;
    for (uint32_t op = 0u; op < OP_ALL; op++) {
        g->ldst_op[op] = (uint8_t)(op == OP_TEXTURE && c->texture.in_l1 ? OP_LOAD : op);
    }
    pipe_times(c, g->latency, g->interval);
#define PIPE_UNITS(op, pipe)      \
    g->pipe_of[op] = op;          \
    g->units[op] = c->pipe.units; \
    g->shared_pipe[op] = c->pipe.owner == PIPE_OF_SM
    PIPE_UNITS(OP_INTEGER, integer);
    PIPE_UNITS(OP_FP32, fp32);
    PIPE_UNITS(OP_FP64, fp64);
    PIPE_UNITS(OP_SFU, sfu);
    PIPE_UNITS(OP_TENSOR, tensor);
#undef PIPE_UNITS
    g->pipe_of[OP_INTEGER] = c->integer.on_fp32 ? OP_FP32 : OP_INTEGER;
}

void gpu_latencies(const struct gpu_config *c, uint32_t cycles[OP_ALL][OPERATION_KINDS])
{
    uint32_t interval[PIPES][OPERATION_KINDS];
    for (uint32_t op = 0u; op < OP_ALL; op++) {
        cycles[op][KIND_PLAIN] = 1u;
    }
    pipe_times(c, cycles, interval);
    cycles[OP_LOAD][KIND_PLAIN] = c->l1.latency;
    cycles[OP_SHARED][KIND_PLAIN] = c->ldst.shared_latency;
    cycles[OP_CONSTANT][KIND_PLAIN] = c->constant.latency;
    cycles[OP_TEXTURE][KIND_PLAIN] = c->texture.in_l1 ? c->l1.latency : c->texture.latency;
}

/* A scheduler may find this pipe busy. */
static bool can_block(const struct gpu *g, uint32_t pipe)
{
    bool may = g->shared_pipe[g->pipe_of[pipe]] || g->config.warp.width > 1u;
    for (uint32_t op = 0u; op < PIPES; op++) {
        for (uint32_t kind = 0u; g->pipe_of[op] == g->pipe_of[pipe] && kind < OPERATION_KINDS;
             kind++) {
            may = may || g->interval[op][kind] > 1u;
        }
    }
    return may;
}

void gpu_derive(struct gpu *g)
{
    const struct gpu_config *const c = &g->config;
    g->n_sm = c->sm.count;
    g->n_cluster = c->cluster.count;
    g->n_slice = c->l2.slices;
    g->n_dram = c->l2.slices * c->dram.channels;
    g->schedulers = c->warp.schedulers;
    g->sms_per_cluster = (g->n_sm + g->n_cluster - 1u) / g->n_cluster;
    g->owl_on = c->warp.policy == WARP_OWL;
    g->first_policy = c->lcs.on && c->lcs.monitor ? WARP_GTO : c->warp.policy;
    g->by_age = policy_by_age(g->first_policy) || policy_by_age(c->warp.policy);
    g->two_level_on = g->owl_on || c->warp.policy == WARP_TWO_LEVEL_RR
                      || c->warp.policy == WARP_TWO_LEVEL_GTO;
    g->code_on = c->icache.bytes != 0u;
    g->rests = c->ldst.interval != 1u || c->fetch.interval != 1u;
    g->code_shift = lowest(c->icache.line / c->icache.instruction);
    g->fetch_low = c->fetch.width * (c->fetch.groups - 1u);
    derive_pipes(g);
    for (uint32_t pipe = 0u; pipe < PIPES; pipe++) {
        g->can_block[pipe] = can_block(g, pipe);
    }
    derive_packet(g, SIZE_READ, 0u);
    for (uint32_t quarters = 0u; quarters <= 4u; quarters++) {
        derive_packet(g, SIZE_WRITE + quarters, quarters * c->l2.line / 4u);
    }
    derive_packet(g, SIZE_ANSWER + PATH_CONSTANT,
                  c->constant.l15_bytes != 0u ? c->l2.line : c->constant.line);
    derive_packet(g, SIZE_ANSWER + PATH_CODE, c->icache.line);
    derive_packet(g, SIZE_ANSWER + PATH_ATOMIC, c->l2.line / 4u);
    g->slices = divisor_of(g->n_slice);
    g->l2_sets = divisor_of(c->l2.bytes / c->l2.line / c->l2.ways);
    g->lines_per_chunk = divisor_of(c->l2.interleave / c->l2.line);
    g->lines_per_row = divisor_of(c->dram.row_bytes / c->l2.line);
    g->lines_per_turn =
        divisor_of(or_else(c->dram.bank_interleave, c->dram.row_bytes) / c->l2.line);
    g->channels = divisor_of(c->dram.channels);
    g->banks = divisor_of(c->dram.banks);
    g->bank_folds = c->dram.bank_hash == BANKS_XOR_ROW ? c->dram.banks - 1u : 0u;
    g->write_latency = or_else(c->dram.tWL, c->dram.tCL);
    derive_sectors(g);
    derive_groups(g);
    g->noc = domain_of(c->clock.noc, c->clock.core);
    g->l2 = domain_of(c->clock.l2, c->clock.core);
    g->memory = domain_of(c->clock.dram, c->clock.core);
}

/* ---- How far ahead ------------------------------------------------------------------- */

static uint64_t pipes_horizon(const struct gpu *g)
{
    uint64_t most = TICKS;
    for (uint32_t pipe = 0u; pipe < PIPES; pipe++) {
        for (uint32_t kind = 0u; kind < OPERATION_KINDS; kind++) {
            most = g->latency[pipe][kind] > most ? g->latency[pipe][kind] : most;
            most = g->interval[pipe][kind] > most ? g->interval[pipe][kind] : most;
        }
    }
    return most;
}

uint64_t gpu_horizon(const struct gpu *g)
{
    const struct gpu_config *const c = &g->config;
    const uint64_t noc = (c->noc.latency + 70u) * g->noc.div / g->noc.mul;
    const uint64_t l2 =
        (c->l2.latency + WARP_SIZE * c->l2.atomic_interval) * g->l2.div / g->l2.mul;
    const uint64_t dram =
        (c->dram.tRC + c->dram.tRAS + c->dram.tRCD + c->dram.tRP + c->dram.tWR + c->dram.tCL
         + c->dram.latency + c->dram.tRRD + g->transfer[15].burst + c->dram.tCCD + c->dram.tWTR
         + c->dram.tRTW + c->dram.tRTP + c->dram.tFAW + c->dram.tCCDL + c->dram.tRFC
         + c->dram.tRREFD)
        * g->memory.div / g->memory.mul;
    const uint64_t credit = (c->noc.credit_latency + 2u) * g->noc.div / g->noc.mul;
    uint64_t most = pipes_horizon(g);
    most = noc > most ? noc : most;
    most = credit > most ? credit : most;
    most = l2 > most ? l2 : most;
    most = dram > most ? dram : most;
    return most + 64u;
}
