/* gpu_random - random machines; see gpu_random.h. */

#include "tb/gpu/gpu_random.h"

#include "gpu/config/carveouts.h"

/* ---- Machines ------------------------------------------------------------------------ */

static void random_sms(struct gpu_config *c, uint64_t *random)
{
    c->sm.count = one_in(random, 8u) ? some(random, 70u) : some(random, 9u);
    do { /* no cluster is empty, and none has more than 64 */
        c->cluster.count = some(random, c->sm.count < 64u ? c->sm.count : 64u);
    } while ((c->sm.count + c->cluster.count - 1u) / c->cluster.count * (c->cluster.count - 1u)
                 >= c->sm.count
             || c->sm.count > c->cluster.count * 64u);
    c->sm.cta_slots = some(random, 12u);
    c->sm.barrier_latency = some(random, 9u);
    c->sm.wake_latency = random_below(random, 300u);
    c->warp.schedulers = some(random, 4u);
    c->warp.interval = one_in(random, 3u) ? some(random, 4u) : 1u;
    c->warp.width = some(random, 2u);
    c->warp.policy = random_below(random, 6u);
    c->warp.ready_queue = some(random, 12u);
    c->warp.group_ctas = random_below(random, 4u);
    c->warp.ahead = one_in(random, 2u) ? some(random, 40u) : c->warp.ahead;
    c->fetch.warps = some(random, 4u);
    c->fetch.interval = one_in(random, 2u) ? 1u : some(random, 5u);
    c->fetch.width = some(random, 4u);
    c->fetch.groups = some(random, 2u);
    c->fetch.latency = some(random, 6u);
    c->fetch.branch_latency = some(random, 9u);
    c->dispatch.policy = random_below(random, 5u);
    c->dispatch.block = 1u << random_below(random, 3u);
    c->dispatch.block_all = random_below(random, 2u) != 0u;
    c->dispatch.strict_pairs = random_below(random, 2u) != 0u;
    c->dispatch.steal = random_below(random, 2u) != 0u;
    c->claso.active_levels = random_below(random, 5u);
    c->claso.loose_levels = random_below(random, 3u);
    c->dispatch.launch_latency = random_below(random, 300u);
    c->dispatch.cta_interval = one_in(random, 4u) ? some(random, 3u) : 0u;
    c->dispatch.kernels = some(random, 4u);
}

/* What a CTA takes of an SM, and what is left of it for the L1. */
static void random_resources(struct gpu_config *c, uint64_t *random)
{
    c->sm.register_granule = 1u << random_below(random, 10u);
    c->sm.subpartitions = one_in(random, 2u) ? some(random, 8u) : 1u;
    c->sm.shared_granule = 1u << random_below(random, 11u);
    c->sm.shared_reserved = one_in(random, 2u) ? random_below(random, 2000u) : 0u;
    if (c->l1.bytes != 0u && one_in(random, 3u)) {
        c->l1.carveouts = (enum l1_carveouts)(CARVEOUTS_NONE + some(random, 3u));
        c->sm.shared_bytes = carveout_most(c->l1.carveouts);
    }
}

static void random_pipes(struct gpu_config *c, uint64_t *random)
{
#define RANDOM_PIPE(name)                \
    c->name.latency = some(random, 24u); \
    c->name.interval = some(random, 8u); \
    c->name.units = some(random, 3u);    \
    c->name.owner = one_in(random, 2u) ? PIPE_OF_SM : PIPE_OF_SCHEDULER
    RANDOM_PIPE(integer);
    RANDOM_PIPE(fp32);
    RANDOM_PIPE(fp64);
    RANDOM_PIPE(sfu);
    RANDOM_PIPE(tensor);
#undef RANDOM_PIPE
    /* Some results come later than an SM's ticks reach. */
#define RANDOM_KIND(name, kind)                                                    \
    c->name.kind##_latency = one_in(random, 2u) ? random_below(random, 700u) : 0u; \
    c->name.kind##_interval = one_in(random, 2u) ? random_below(random, 300u) : 0u
    RANDOM_KIND(integer, multiply);
    RANDOM_KIND(integer, multiply_add);
    RANDOM_KIND(integer, convert);
    RANDOM_KIND(integer, simple);
    RANDOM_KIND(integer, min_max);
    RANDOM_KIND(fp32, simple);
    RANDOM_KIND(fp32, min_max);
    RANDOM_KIND(fp32, fused);
    RANDOM_KIND(fp64, simple);
    RANDOM_KIND(fp64, min_max);
    RANDOM_KIND(fp64, fused);
    c->integer.on_fp32 = one_in(random, 3u);
    RANDOM_KIND(fp64, divide);
    RANDOM_KIND(sfu, divide);
    RANDOM_KIND(sfu, integer_divide);
#undef RANDOM_KIND
}

/* The first level is small, so that the second one is asked. */
static void random_constants(struct gpu_config *c, uint64_t *random)
{
    c->constant.operands = one_in(random, 2u);
    if (one_in(random, 2u)) {
        c->constant.bytes = c->constant.line * c->constant.ways << random_below(random, 3u);
        c->constant.l15_ways = some(random, 4u);
        c->constant.l15_bytes = c->l2.line * c->constant.l15_ways << random_below(random, 5u);
        c->constant.l15_latency = some(random, 255u);
    }
    c->constant.by_address = one_in(random, 2u);
}

static void random_caches(struct gpu_config *c, uint64_t *random)
{
    c->ldst.queue = some(random, 5u);
    c->ldst.interval = one_in(random, 2u) ? 1u : some(random, 5u);
    c->ldst.miss_queue = some(random, 8u);
    c->ldst.shared_latency = some(random, 40u);
    c->ldst.shared_banks = one_in(random, 2u) ? some(random, 32u) : c->ldst.shared_banks;
    c->l1.bytes = one_in(random, 4u) ? 0u : c->l1.line * c->l1.ways << random_below(random, 6u);
    c->l1.latency = some(random, 60u);
    c->l1.mshrs = some(random, 24u);
    c->l1.merges = some(random, 8u);
    c->l1.write = (enum write_policy)(some(random, 3u) - 1u);
    c->l1.local_back = one_in(random, 2u);
    c->constant.mshrs = some(random, 4u);
    c->constant.merges = some(random, 4u);
    c->constant.latency = some(random, 30u);
    c->texture.mshrs = some(random, 8u);
    c->texture.latency = some(random, 150u);
    if (one_in(random, 2u)) {
        c->texture.ways = some(random, 8u);
        c->texture.bytes = c->texture.line * c->texture.ways << random_below(random, 5u);
    }
    c->texture.merges = some(random, 8u);
    c->texture.in_l1 = one_in(random, 3u);
    if (one_in(random, 2u)) {
        c->icache.line = 32u << random_below(random, 3u);
        c->icache.ways = some(random, 4u);
        c->icache.bytes = c->icache.line * c->icache.ways << random_below(random, 5u);
        c->icache.mshrs = some(random, 4u);
        c->icache.instruction = 8u << random_below(random, 2u);
    }
    c->l2.slices = some(random, 8u);
    c->l2.bytes = c->l2.line * c->l2.ways << random_below(random, 8u);
    c->l2.sector = one_in(random, 2u) ? c->l2.line >> random_below(random, 3u) : 0u;
    c->l2.latency = some(random, 60u);
    c->l2.mshrs = some(random, 32u);
    c->l2.merges = some(random, 8u);
    c->l2.atomic_interval = some(random, 8u);
    c->l2.interleave = c->l2.line << random_below(random, 4u);
    c->l2.hash = one_in(random, 2u);
    c->l2.write_fetch = one_in(random, 3u);
    c->cluster.request_queue = some(random, 8u);
    c->cluster.response_queue = some(random, 8u);
    c->noc.queues = one_in(random, 2u) ? QUEUES_OF_OUTPUTS : QUEUE_OF_INPUT;
    c->noc.channel_bytes = 16u << random_below(random, 4u);
    c->noc.header_bytes = random_below(random, 17u);
    c->noc.latency = some(random, 12u);
    c->noc.slice_queue = some(random, 8u);
    c->noc.reply_queue = some(random, 32u);
    c->l2.atomic_lanes = one_in(random, 2u) ? some(random, 40u) : 0u;
    c->noc.write_acks = one_in(random, 2u);
    c->noc.credit_latency = one_in(random, 2u) ? random_below(random, 60u) : 0u;
    random_constants(c, random);
}

/* Half of the machines have none of these rules. */
static void random_turns(struct gpu_config *c, uint64_t *random)
{
    static const uint32_t groups[] = { 1u, 2u, 4u };
    if (one_in(random, 2u)) {
        return;
    }
    c->dram.tWL = random_below(random, c->dram.tCL + 1u);
    c->dram.tWTR = random_below(random, 24u);
    c->dram.tRTW = random_below(random, 5u);
    c->dram.tRTP = random_below(random, 24u);
    c->dram.tFAW = one_in(random, 2u) ? 0u : c->dram.tRRD + some(random, 40u);
    if (one_in(random, 2u)) {
        c->dram.bank_groups = groups[random_below(random, 3u)];
        c->dram.bank_interleave = one_in(random, 2u) ? c->l2.line : 0u;
        c->dram.tCCDL = c->dram.tCCD + random_below(random, 12u);
    }
    if (one_in(random, 2u)) {
        c->dram.tRFC = some(random, 300u);
        c->dram.tREFI = 500u + random_below(random, 2000u);
        if (one_in(random, 2u)) {
            c->dram.refresh = REFRESH_BANK;
            c->dram.tRREFD = random_below(random, 12u);
            c->dram.tREFI = c->dram.banks * 80u + random_below(random, c->dram.banks * 200u);
        }
    }
    if (one_in(random, 2u)) {
        c->dram.write_queue = (c->l2.write_fetch ? 1u : 0u) + some(random, 24u);
        c->dram.write_high = some(random, c->dram.write_queue);
        c->dram.write_low = some(random, c->dram.write_high);
    }
}

static void random_dram(struct gpu_config *c, uint64_t *random)
{
    c->dram.policy = one_in(random, 4u) ? DRAM_FCFS : DRAM_FR_FCFS;
    c->dram.atom = one_in(random, 2u) ? c->l2.line >> random_below(random, 3u) : 0u;
    c->dram.bus_bytes = 8u << random_below(random, 3u);
    c->dram.data_rate = 1u << random_below(random, 3u);
    c->dram.queue = (c->l2.write_fetch ? 3u : 2u) + random_below(random, 30u);
    c->dram.banks = some(random, 16u);
    c->dram.row_bytes = c->l2.line << random_below(random, 6u);
    c->dram.latency = one_in(random, 2u) ? random_below(random, 256u) : 0u;
    c->dram.tCL = some(random, 24u);
    c->dram.tRP = some(random, 24u);
    c->dram.tRCD = some(random, 24u);
    c->dram.tRAS = c->dram.tRCD + random_below(random, 30u);
    c->dram.tRC = c->dram.tRAS + c->dram.tRP + random_below(random, 10u);
    c->dram.tRRD = some(random, 12u);
    c->dram.tCCD = some(random, 12u);
    c->dram.tWR = some(random, 24u);
    if (one_in(random, 2u)) {
        c->dram.banks = 1u << random_below(random, 5u);
        c->dram.bank_hash = BANKS_XOR_ROW;
    }
    c->dram.channels = one_in(random, 2u) ? some(random, 8u) : 1u;
    random_turns(c, random);
    c->clock.dram = 300u + random_below(random, 3000u);
}

/* One machine in three coalesces, if its clusters are not too large for it. */
static void random_icc(struct gpu_config *c, uint64_t *random)
{
    if (one_in(random, 3u)) {
        c->icc.entries = some(random, 8u);
        c->icc.lines = random_below(random, 5u);
        c->icc.fifo = one_in(random, 2u);
        c->icc.serial = one_in(random, 2u);
        c->icc.lookup_latency = random_below(random, 6u);
    }
    c->cluster.locality = one_in(random, 2u);
}

struct gpu_config random_machine(uint64_t *random)
{
    struct gpu_config c;
    struct fault fault;
    do {
        c = gpu_config_standard();
        random_sms(&c, random);
        random_pipes(&c, random);
        random_caches(&c, random);
        random_resources(&c, random);
        random_dram(&c, random);
        random_icc(&c, random);
        c.clock.noc = one_in(random, 2u) ? c.clock.core : 300u + random_below(random, 3000u);
        c.clock.l2 = one_in(random, 2u) ? c.clock.core : 300u + random_below(random, 3000u);
        c.lcs.on = one_in(random, 3u);
        c.lcs.rounding = random_below(random, 3u);
    } while (gpu_config_fault(&c, &fault) != NULL);
    return c;
}

/* ---- Programs ------------------------------------------------------------------------ */

static uint32_t some_register(uint64_t *random)
{
    return one_in(random, 6u) ? REGISTER_NONE : R + random_below(random, RANDOM_REGISTERS);
}

static uint32_t some_accesses(uint64_t *random, uint32_t most)
{
    return one_in(random, 4u) ? some(random, most) : 1u;
}

/* By chance, in percent: the classes and what they need. */
static void emit_random(struct program *p, uint64_t *random, uint32_t chance)
{
    const uint32_t dst = R + random_below(random, RANDOM_REGISTERS);
    const uint32_t a = some_register(random), maybe = one_in(random, 2u) ? dst : REGISTER_NONE;
    struct instruction *i;
    if (chance < 52u) {
        const enum op_class op = chance < 20u   ? OP_INTEGER
                                 : chance < 38u ? OP_FP32
                                 : chance < 42u ? OP_FP64
                                 : chance < 48u ? OP_SFU
                                                : OP_TENSOR;
        i = emit(p, op, one_in(random, 9u) ? REGISTER_NONE : dst, a, 0u);
        i->src[2] = (uint8_t)some_register(random);
        i->flags = (uint8_t)random_below(random, OPERATION_KINDS);
    } else if (chance < 63u) {
        i = emit(p, OP_LOAD, dst, a, some_accesses(random, 32u));
        i->flags = (uint8_t)(one_in(random, 6u) ? UNCACHED : one_in(random, 6u) ? LOCAL : 0u);
    } else if (chance < 68u) {
        const enum op_class op = one_in(random, 2u) ? OP_CONSTANT : OP_TEXTURE;
        i = emit(p, op, dst, a, some_accesses(random, 8u));
        i->flags = op == OP_CONSTANT && i->accesses == 1u ? OPERAND : 0u;
    } else if (chance < 75u) {
        i = emit(p, OP_STORE, REGISTER_NONE, a, some_accesses(random, 32u));
        i->src[1] = (uint8_t)dst;
        i->flags = (uint8_t)(one_in(random, 2u) ? LOCAL : 0u);
    } else if (chance < 78u) {
        i = emit(p, OP_ATOMIC, maybe, a, some(random, 4u));
    } else if (chance < 88u) {
        i = emit(p, OP_SHARED, maybe, a, some_accesses(random, 32u));
    } else if (chance < 93u) {
        const enum op_class op = one_in(random, 3u) ? OP_FENCE : OP_BARRIER;
        i = emit(p, op, REGISTER_NONE, REGISTER_NONE, 0u);
    } else {
        i = emit(p, OP_BRANCH, REGISTER_NONE, a, 0u);
        i->flags = (uint8_t)(one_in(random, 3u) ? 0u : TAKEN);
    }
    i->note = (uint16_t)random_bits(random);
    if (i->dst != REGISTER_NONE && one_in(random, 8u)) {
        i->n_dst = (uint8_t)some(random, 8u);
    }
    i->lanes = (uint8_t)(one_in(random, 3u) ? some(random, WARP_SIZE) : WARP_SIZE);
    if (i->op < OP_BRANCH && one_in(random, 20u)) { /* its predicate is off */
        p->accesses -= i->op == OP_SHARED ? 0u : i->accesses;
        i->accesses = i->lanes = 0u;
    }
    if (i->op == OP_CONSTANT && (i->flags & OPERAND) != 0u) { /* it has no predicate */
        p->accesses += i->accesses == 0u ? 1u : 0u;
        i->accesses = 1u;
        i->lanes = WARP_SIZE;
    }
}

void random_program(struct program *p, uint64_t *random, uint32_t most)
{
    const uint32_t length = some(random, most), style = random_below(random, 4u);
    *p = (struct program){ .length = 0u };
    /* Half of them begin with parameters. */
    for (uint32_t k = one_in(random, 2u) ? some(random, 3u) : 0u; k != 0u; k--) {
        emit(p, OP_CONSTANT, R + k, REGISTER_NONE, 1u)->flags = OPERAND;
    }
    for (uint32_t k = 0u; k < length; k++) {
        uint32_t chance = random_below(random, 100u);
        if (style == 0u && chance < 45u) { /* mostly memory */
            chance = 52u + random_below(random, 36u);
        }
        emit_random(p, random, chance);
    }
    emit_exit(p);
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* Lines of a span that depends on the kernel; the warps share them. */
static uint32_t random_access(const struct hand_kernel *k, uint32_t cta, uint32_t warp,
                              uint32_t i)
{
    uint64_t state = k->parameter ^ ((uint64_t)cta << 40 | (uint64_t)warp << 32 | i);
    const uint32_t span = 16u << k->parameter % 12u;
    const uint32_t line = random_below(&state, span);
    const uint32_t own = (cta * 64u + warp) * 8u + i;
    return ACCESS(one_in(&state, 3u) ? own : line, some(&state, 15u));
}

struct hand_kernel random_kernel(const struct gpu_config *c, uint64_t *random,
                                 const struct program program[2])
{
    const char *limit;
    struct hand_kernel k;
    do {
        k = kernel_of(&program[0], some(random, 6u), some(random, 8u));
        k.shape.grid[1] = some(random, 3u);
        k.shape.grid[2] = some(random, 3u);
        k.shape.block[0] -= random_below(random, WARP_SIZE);
        k.shape.registers = some(random, 63u);
        k.turns = random_below(random, WARP_SIZE);
        k.lanes = one_in(random, 2u) ? some(random, WARP_SIZE) : 0u;
        k.shape.shared_bytes = one_in(random, 2u) ? 0u : random_below(random, 20000u);
        k.shape.last_register = R + RANDOM_REGISTERS + 8u;
        k.access = random_access;
        k.parameter = random_bits(random);
        for (uint32_t w = 1u; w < 64u; w++) {
            k.program[w] = &program[one_in(random, 2u) ? 1u : 0u];
        }
    } while (gpu_occupancy(c, &k.shape, &limit) == 0u);
    return k;
}
