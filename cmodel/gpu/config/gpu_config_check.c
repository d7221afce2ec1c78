/* gpu_config_check - which machines are possible; see gpu_config.h. */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gpu/config/carveouts.h"
#include "gpu/config/gpu_config_blame.h"
#include "gpu/config/gpu_config_file.h"
#include "stream/stream.h"
#include "units/cluster_port.h"
#include "units/laperm.h"
#include "units/work_distributor.h"

/* ---- Keys ---------------------------------------------------------------------------- */

/* A key that is known when this is compiled: grids of a million GPUs ask for some dozens each.
 */
struct place {
    const char *section, *key;
    size_t offset;
};

#define PLACE(section, key)                                      \
    {                                                            \
#section, #key, offsetof(struct gpu_config, section.key) \
    }

static uint32_t number(const struct config_search *search, const struct place *place)
{
    uint32_t value;

    memcpy(&value, (const char *)search->config + place->offset, sizeof value);
    return value;
}

/* ---- Ranges -------------------------------------------------------------------------- */

static bool is_within(const struct gpu_config *config, const struct gpu_key *key)
{
    const char *const at = (const char *)config + key->offset;
    uint32_t whole;
    double real;

    switch (key->type) {
    case GPU_NUM:
        memcpy(&whole, at, sizeof whole);
        return whole >= key->lowest && whole <= key->highest;
    case GPU_REAL:
        memcpy(&real, at, sizeof real);
        return real >= key->lowest && real <= key->highest;
    case GPU_FLAG:
    case GPU_PICK:
        break; /* any value of their type */
    }
    return true;
}

static void check_ranges(struct config_search *search)
{
    char value[64];
    char allowed[128];

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        const struct gpu_key *const key = &gpu_keys[i];
        if (!is_within(search->config, key)) {
            config_blame(search, key->section, key->key, "%s is given; allowed: %s",
                         gpu_config_value(search->config, key, value, sizeof value),
                         gpu_key_allowed(key, allowed, sizeof allowed));
        }
    }
}

/* ---- Relations of two keys ----------------------------------------------------------- */

enum relation { AT_MOST, EQUAL_TO, MULTIPLE_OF };

static const struct {
    struct place of;
    enum relation relation;
    struct place to;
} relations[] = {
    { PLACE(warp, ready_queue), AT_MOST, PLACE(sm, warp_slots) },
    { PLACE(sm, active), AT_MOST, PLACE(sm, count) },
    { PLACE(cluster, count), AT_MOST, PLACE(sm, count) },
    { PLACE(constant, line), AT_MOST, PLACE(l2, line) },
    { PLACE(l1, line), EQUAL_TO, PLACE(l2, line) },
    { PLACE(texture, line), EQUAL_TO, PLACE(l2, line) },
    { PLACE(l2, interleave), MULTIPLE_OF, PLACE(l2, line) },
    { PLACE(dram, row_bytes), MULTIPLE_OF, PLACE(l2, line) },
    { PLACE(dram, bank_interleave), MULTIPLE_OF, PLACE(l2, line) },
    { PLACE(dram, tRCD), AT_MOST, PLACE(dram, tRAS) },
    { PLACE(dram, tRAS), AT_MOST, PLACE(dram, tRC) },
    { PLACE(dram, tWL), AT_MOST, PLACE(dram, tCL) },
    { PLACE(dyncta, t_mem_low), AT_MOST, PLACE(dyncta, t_mem_high) },
};

static void check_relations(struct config_search *search)
{
    for (size_t i = 0u; i < sizeof relations / sizeof relations[0]; i++) {
        const struct place *const of = &relations[i].of, *const to = &relations[i].to;
        const uint32_t value = number(search, of), limit = number(search, to);

        if (relations[i].relation == AT_MOST && value > limit) {
            config_blame(search, of->section, of->key,
                         "%" PRIu32 " is more than %s.%s; allowed: at most %" PRIu32, value,
                         to->section, to->key, limit);
        }
        if (relations[i].relation == EQUAL_TO && value != limit) {
            config_blame(search, of->section, of->key,
                         "%" PRIu32 " differs from %s.%s; allowed: %" PRIu32, value,
                         to->section, to->key, limit);
        }
        if (relations[i].relation == MULTIPLE_OF && value % limit != 0u) {
            config_blame(search, of->section, of->key,
                         "%" PRIu32 " is no multiple of %s.%s; allowed: multiples of %" PRIu32,
                         value, to->section, to->key, limit);
        }
    }
}

/* ---- Other rules --------------------------------------------------------------------- */

static void check_powers(struct config_search *search)
{
    static const struct place powers[] = {
        PLACE(l1, line),       PLACE(constant, line),      PLACE(texture, line),
        PLACE(icache, line),   PLACE(icache, instruction), PLACE(l2, line),
        PLACE(l2, interleave), PLACE(dispatch, block),
    };

    for (size_t i = 0u; i < sizeof powers / sizeof powers[0]; i++) {
        const uint32_t value = number(search, &powers[i]);
        uint32_t power = 1u;
        while (power * 2u <= value) {
            power *= 2u;
        }
        if (power != value) {
            config_blame(search, powers[i].section, powers[i].key,
                         "%" PRIu32
                         " is no power of two; allowed: powers of two, such as %" PRIu32
                         " and %" PRIu32,
                         value, power, power * 2u);
        }
    }
}

/* The last clusters get what is left. */
static void check_clusters(struct config_search *search)
{
    const uint32_t sms = search->config->sm.count;
    const uint32_t clusters = search->config->cluster.count;
    const uint32_t each = (sms + clusters - 1u) / clusters;
    const uint32_t used = (sms + each - 1u) / each;

    if (used < clusters) {
        config_blame(search, "cluster", "count",
                     "with %" PRIu32 " SMs a cluster, sm.count = %" PRIu32 " fills %" PRIu32
                     " of %" PRIu32 " clusters; allowed: %" PRIu32 ", or a divisor of %" PRIu32,
                     each, sms, used, clusters, used, sms);
    }
}

/* The units of a cluster's port have lists of SMs. */
static void check_coalescing(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t each = (c->sm.count + c->cluster.count - 1u) / c->cluster.count;

    if ((c->icc.entries != 0u || c->icc.lines != 0u) && each > cluster_port_max_n_sm) {
        config_blame(search, "icc", c->icc.entries != 0u ? "entries" : "lines",
                     "coalescing in clusters of %" PRIu32
                     " SMs; allowed: at most %u SMs a cluster",
                     each, (unsigned)cluster_port_max_n_sm);
    }
    if (c->icc.lines != 0u && c->icc.entries == 0u) {
        config_blame(
            search, "icc", "lines",
            "a coalesced cache without a merge table, which fills it; allowed: icc.entries "
            "of at "
            "least 1");
    }
}

static void check_instructions(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->icache.bytes != 0u && c->icache.line > c->l2.line) {
        config_blame(search, "icache", "line",
                     "%" PRIu32 " is more than l2.line; allowed: at most %" PRIu32,
                     c->icache.line, c->l2.line);
    }
}

/* Warps cannot get ready queues or groups of CTAs while they run. */
static void check_monitor(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const enum warp_policy policy = c->warp.policy;

    if (c->lcs.on && c->lcs.monitor && policy != WARP_LRR && policy != WARP_OLDEST
        && policy != WARP_GTO) {
        config_blame(search, "lcs", "monitor",
                     "warp.policy has a ready queue or groups; allowed: lrr, oldest, gto");
    }
}

/* ONAC switches SMs on that sm.active keeps off. */
static void check_detection(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->onac.mode != DETECT_OFF && c->sm.active != 0u) {
        config_blame(search, "onac", "mode",
                     "a detection among sm.active = %" PRIu32 " SMs; allowed: sm.active of 0",
                     c->sm.active);
    }
}

enum { MOST_BESIDE_PORT = 63 };

/* What CTAs have that wait goes through an input of the crossbars of its own. */
static void check_waiting(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->cdp.swap_bytes != 0u && c->cluster.count > MOST_BESIDE_PORT) {
        config_blame(search, "cdp", "swap_bytes",
                     "the crossbars have inputs for %" PRIu32
                     " clusters and no other; allowed: 0, or at most %u clusters",
                     c->cluster.count, (unsigned)MOST_BESIDE_PORT);
    }
}

/* LaPerm is in the place of the work distributor, and gives CTAs one by one to any SM. */
static void check_binding(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const struct gpu_config standard = gpu_config_standard();
    static const char *const others[][2] = {
        { "dispatch", "policy" },
        { "dispatch", "block" },
        { "dispatch", "strict_pairs" },
        { "dispatch", "steal" },
    };
    char given[64];
    char allowed[64];

    if (c->laperm.mode == BIND_OFF) {
        if (c->dispatch.kernels > work_distributor_max_n_kernel) {
            config_blame(search, "dispatch", "kernels",
                         "%" PRIu32
                         " are resident at once; allowed: at most %u, and more with a "
                         "laperm.mode other than off",
                         c->dispatch.kernels, (unsigned)work_distributor_max_n_kernel);
        }
        if (c->cdp.groups) {
            config_blame(search, "cdp", "groups",
                         "the work distributor has no groups; allowed: a "
                         "laperm.mode other than off");
        }
        return;
    }
    if (c->sm.count > laperm_max_n_sm) {
        config_blame(search, "laperm", "mode",
                     "%" PRIu32 " SMs have queues; allowed: at most %u SMs", c->sm.count,
                     (unsigned)laperm_max_n_sm);
    }
    for (size_t i = 0u; i < sizeof others / sizeof others[0]; i++) {
        const struct gpu_key *const key = gpu_key_find(others[i][0], others[i][1]);
        if (!gpu_key_same(key, c, &standard)) {
            config_blame(search, "laperm", "mode",
                         "it dispatches with %s.%s of %s; allowed: %s", key->section, key->key,
                         gpu_config_value(c, key, given, sizeof given),
                         gpu_config_value(&standard, key, allowed, sizeof allowed));
        }
    }
}

static void check_threads(struct config_search *search)
{
    const uint32_t threads = search->config->sm.threads;
    const uint32_t most = 32u * search->config->sm.warp_slots;

    if (threads % 32u != 0u || threads > most) {
        config_blame(search, "sm", "threads",
                     "%" PRIu32 " threads; allowed: multiples of 32, at most 32 * sm.warp_slots"
                     " = %" PRIu32,
                     threads, most);
    }
}

static void check_capacities(struct config_search *search)
{
#define CACHE(section)                                                    \
    {                                                                     \
        PLACE(section, bytes), PLACE(section, line), PLACE(section, ways) \
    }
    static const struct place caches[][3] = { CACHE(l1), CACHE(constant), CACHE(texture),
                                              CACHE(icache), CACHE(l2) };

    for (size_t i = 0u; i < sizeof caches / sizeof caches[0]; i++) {
        const uint32_t bytes = number(search, &caches[i][0]);
        const uint32_t set = number(search, &caches[i][1]) * number(search, &caches[i][2]);
        if (bytes % set != 0u) {
            config_blame(search, caches[i][0].section, "bytes",
                         "%" PRIu32
                         " is no multiple of line * ways; allowed: multiples of %" PRIu32,
                         bytes, set);
        }
    }
}

/* The second level of constants has lines of the L2. */
static void check_constants(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t set = c->l2.line * c->constant.l15_ways;

    if (c->constant.l15_bytes % set != 0u) {
        config_blame(search, "constant", "l15_bytes",
                     "%" PRIu32
                     " is no multiple of l2.line * l15_ways; allowed: multiples of %" PRIu32,
                     c->constant.l15_bytes, set);
    }
}

/* Parts of a line: the whole, a half or a quarter. */
static void check_parts(struct config_search *search)
{
    static const struct place parts[] = { PLACE(l2, sector), PLACE(dram, atom) };
    const uint32_t line = search->config->l2.line;

    for (size_t i = 0u; i < sizeof parts / sizeof parts[0]; i++) {
        const uint32_t part = number(search, &parts[i]);
        if (part != 0u && part != line && part != line / 2u && part != line / 4u) {
            config_blame(search, parts[i].section, parts[i].key,
                         "%" PRIu32
                         " is no whole, half or quarter of l2.line; allowed: 0, %" PRIu32
                         ", %" PRIu32 ", %" PRIu32,
                         part, line / 4u, line / 2u, line);
        }
    }
}

/* With carve-outs l1.bytes is what the largest leaves of the memory of L1 and shared memory. */
static void check_carveouts(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t most = carveout_most(c->l1.carveouts), set = c->l1.line * c->l1.ways;

    if (c->l1.carveouts == CARVEOUTS_NONE) {
        return;
    }
    if (c->sm.shared_bytes != most) {
        config_blame(search, "l1", "carveouts",
                     "the largest is %" PRIu32 " bytes, and sm.shared_bytes %" PRIu32
                     "; allowed: none, or those of sm.shared_bytes",
                     most, c->sm.shared_bytes);
    }
    if (c->l1.bytes == 0u || (4u * 1024u) % set != 0u) {
        config_blame(search, "l1", "carveouts",
                     "of an L1 of %" PRIu32 " bytes in sets of %" PRIu32
                     "; allowed: none, or an L1 whose sets divide 4096 bytes",
                     c->l1.bytes, set);
    }
}

/* ---- Clocks -------------------------------------------------------------------------- */

enum { FASTER = 8, SLOWER = 16 };

static void check_ratios(struct config_search *search)
{
    static const struct place domains[] = { PLACE(clock, noc), PLACE(clock, l2),
                                            PLACE(clock, dram) };
    const uint32_t core = search->config->clock.core;
    const uint32_t lowest = (core + SLOWER - 1u) / SLOWER;

    for (size_t i = 0u; i < sizeof domains / sizeof domains[0]; i++) {
        const uint32_t clock = number(search, &domains[i]);
        if (clock < lowest || clock > core * FASTER) {
            config_blame(search, "clock", domains[i].key,
                         "%" PRIu32 " MHz; allowed: from 1/%d to %d times clock.core, %" PRIu32
                         " to %" PRIu32 " MHz",
                         clock, SLOWER, FASTER, lowest, core * FASTER);
        }
    }
}

/* No wait for one event may be this many core cycles. */
enum { LONGEST = 4000 };

/* domain: noc, l2 or dram. */
static void check_wait(struct config_search *search, const char *domain, const char *section,
                       const char *key, uint32_t cycles)
{
    const uint32_t clock = domain[0] == 'n'   ? search->config->clock.noc
                           : domain[0] == 'l' ? search->config->clock.l2
                                              : search->config->clock.dram;
    const uint64_t core = ((uint64_t)cycles * search->config->clock.core + clock - 1u) / clock;

    if (core >= LONGEST) {
        config_blame(search, section, key,
                     "waits of up to %" PRIu32 " cycles at clock.%s = %" PRIu32
                     " MHz take %" PRIu64 " core cycles; allowed: less than %d",
                     cycles, domain, clock, core, LONGEST);
    }
}

static void check_waits(struct config_search *search)
{
    enum { MOST_FLITS = 64 };
    const struct gpu_config *const c = search->config;
    const uint32_t burst = c->l2.line / (c->dram.bus_bytes * c->dram.data_rate) + 1u;

    check_wait(search, "l2", "l2", "latency", c->l2.latency);
    check_wait(search, "l2", "l2", "atomic_interval", WARP_SIZE * c->l2.atomic_interval);
    check_wait(search, "noc", "noc", "latency", c->noc.latency + MOST_FLITS);
    check_wait(search, "noc", "noc", "credit_latency", c->noc.credit_latency + 2u);
    check_wait(search, "dram", "dram", "tRC", c->dram.tRC + c->dram.tRP);
    check_wait(search, "dram", "dram", "tWR", c->dram.tCL + burst + c->dram.tWR);
    check_wait(search, "dram", "dram", "tCL", c->dram.tRCD + c->dram.tCL + burst);
    check_wait(search, "dram", "dram", "tWTR",
               c->dram.tCL + burst + c->dram.tWTR + c->dram.tRTW);
    check_wait(search, "dram", "dram", "tRTP", burst + c->dram.tRTP + c->dram.tRP);
    check_wait(search, "dram", "dram", "tFAW", c->dram.tFAW);
    check_wait(search, "dram", "dram", "tCCDL", burst + c->dram.tCCDL);
    check_wait(search, "dram", "dram", "tRFC",
               c->dram.tRFC + c->dram.tRAS + c->dram.tRP + c->dram.tCL + burst + c->dram.tWR);
    check_wait(search, "dram", "dram", "latency", c->dram.latency + c->dram.tCL + burst);
}

const struct gpu_key *gpu_config_range_fault(const struct gpu_config *config,
                                             struct fault *fault)
{
    struct config_search search = { config, fault, NULL };

    check_ranges(&search);
    return search.blamed;
}

const struct gpu_key *gpu_config_fault(const struct gpu_config *config, struct fault *fault)
{
    struct config_search search = { config, fault, NULL };

    check_ranges(&search);
    if (search.blamed != NULL) {
        return search.blamed; /* the others divide by what may be 0 */
    }
    check_relations(&search);
    check_powers(&search);
    check_clusters(&search);
    check_coalescing(&search);
    check_instructions(&search);
    check_monitor(&search);
    check_detection(&search);
    check_waiting(&search);
    check_binding(&search);
    check_threads(&search);
    check_capacities(&search);
    check_constants(&search);
    check_parts(&search);
    config_check_dram(&search);
    check_carveouts(&search);
    check_ratios(&search);
    check_waits(&search);
    return search.blamed;
}
