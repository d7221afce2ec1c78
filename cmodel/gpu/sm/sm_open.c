/* sm_open - the memory of an SM: all of it is allocated before the first cycle. */

#include <stdlib.h>
#include <string.h>

#include "gpu/config/carveouts.h"
#include "gpu/machine.h"

static uint32_t log2_of(uint32_t power)
{
    return lowest(power);
}

/* Unless they have sectors, caches ask for what is one line to them. */
static void cache_sectors(const struct gpu *g, struct sm *m)
{
    for (uint32_t path = 0u; path < PATHS; path++) {
        struct cache *const c = &m->cache[path];
        c->sectored = g->l1_sectors && path != PATH_CONSTANT && path != PATH_CODE;
        for (uint32_t touched = 0u; touched < 16u; touched++) {
            c->wanted[touched] = c->sectored ? g->sectors_of[touched] : 15u;
        }
    }
}

static bool cache_open(struct cache *c, uint32_t bytes, uint32_t line, uint32_t ways,
                       uint32_t latency, uint32_t mshrs, uint32_t merges, uint32_t l2_line)
{
    const uint32_t sets = bytes == 0u ? 1u : bytes / line / ways;
    c->ways = bytes == 0u ? 0u : ways;
    c->sets = divisor_of(sets);
    c->latency = latency;
    c->merges = merges;
    c->shift = log2_of(l2_line / line);
    c->tag = calloc((size_t)sets * ways, sizeof *c->tag);
    c->target = calloc((size_t)mshrs * merges, sizeof *c->target);
    return c->tag != NULL && c->target != NULL && mshrs_open(&c->mshr, mshrs);
}

static void cache_empty(struct cache *c)
{
    memset(c->tag, 0, (size_t)c->sets.n * c->ways * sizeof *c->tag);
    if (c->written != NULL) {
        memset(c->written, 0, c->sets.n * sizeof *c->written);
    }
}

/* What is written to local memory may stay in it. */
static bool written_open(const struct gpu_config *c, struct cache *l1)
{
    if (!c->l1.local_back || l1->ways == 0u) {
        return true;
    }
    l1->written = calloc(l1->sets.n, sizeof *l1->written);
    return l1->written != NULL;
}

/* The L1 has what the carve-out leaves. Its lines are forgotten; what is on its way comes. */
static void l1_take(const struct gpu_config *c, struct sm *m)
{
    struct cache *const l1 = &m->cache[PATH_L1];
    if (c->l1.carveouts != CARVEOUTS_NONE) {
        cache_empty(l1);
        l1->sets = divisor_of((c->l1.bytes + c->sm.shared_bytes - m->carveout) / c->l1.line
                              / c->l1.ways);
    }
}

void sm_carve(const struct gpu_config *c, struct sm *m, uint32_t kernel, uint64_t shared)
{
    const uint32_t least = carveout_of(c->l1.carveouts, shared);
    const uint32_t beside = least > m->carveout ? least : m->carveout;
    const uint32_t size = m->cta_used == 0u ? kernel : beside;

    if (size != m->carveout) {
        m->carveout = size;
        l1_take(c, m);
    }
}

/* Its MSHRs have no lists: sm.missing says which warps wait. */
static bool code_open(const struct gpu *g, struct cache *c)
{
    const struct gpu_config *const config = &g->config;
    const uint32_t line = g->code_on ? config->icache.line : config->l2.line;
    c->first = CODE_LINE;
    return cache_open(c, config->icache.bytes, line, config->icache.ways, 0u,
                      config->icache.mshrs, 1u, config->l2.line);
}

/* Behind the constant cache, whose MSHRs say what it is asked for. */
static bool l15_open(const struct gpu_config *c, struct cache *l15)
{
    return cache_open(l15, c->constant.l15_bytes, c->l2.line, c->constant.l15_ways, 0u, 1u, 1u,
                      c->l2.line);
}

uint32_t sm_operations(const struct gpu_config *c)
{
    return c->ldst.queue + c->l1.mshrs * c->l1.merges + c->constant.mshrs * c->constant.merges
           + c->texture.mshrs * c->texture.merges + c->l1.latency + c->constant.latency
           + c->texture.latency + c->ldst.shared_latency + 8u;
}

static bool events_open(struct sm *m, uint32_t operations)
{
    const uint32_t constants = m->l15.ways != 0u ? m->cache[PATH_CONSTANT].mshr.n_free : 0u;
    const uint32_t n = operations + MAX_WARPS + 3u * MAX_CTAS + constants + 1u;
    m->event = calloc(n, sizeof *m->event);
    m->operation = calloc(operations, sizeof *m->operation);
    m->free_operation = calloc(operations, sizeof *m->free_operation);
    if (m->event == NULL || m->operation == NULL || m->free_operation == NULL) {
        return false;
    }
    for (uint32_t i = 1u; i + 1u < n; i++) {
        m->event[i].next = (uint16_t)(i + 1u);
    }
    m->free_event = 1u;
    for (uint32_t i = 0u; i < operations; i++) {
        m->free_operation[i] = (uint16_t)(operations - 1u - i);
    }
    m->n_free_operation = (uint16_t)operations;
    return true;
}

/* ---- The order among warps ------------------------------------------------------------ */

bool policy_by_age(enum warp_policy policy)
{
    return policy == WARP_GTO || policy == WARP_OLDEST || policy == WARP_TWO_LEVEL_GTO;
}

void sm_policy(const struct gpu *g, struct sm *m, enum warp_policy policy)
{
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        struct scheduler *const s = &m->scheduler[k];
        s->in_turn = !policy_by_age(policy);
        s->greedy_mask = policy == WARP_GTO ? UINT64_MAX : 0u;
        s->greedy &= s->greedy_mask;
    }
}

struct sm *sm_open(const struct gpu *g, uint32_t id)
{
    const struct gpu_config *const c = &g->config;
    struct sm *const m = aligned_alloc(_Alignof(struct sm), sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    memset(m, 0, sizeof *m);
    m->id = id;
    m->cluster = id / g->sms_per_cluster;
    m->in_cluster = id % g->sms_per_cluster;
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        m->scheduler[k].number = k;
        m->scheduler[k].then = &m->scheduler[(k + 1u) % g->schedulers];
        m->scheduler[k].selected = g->two_level_on ? 0u : UINT64_MAX;
        m->scheduler[k].last = MAX_WARPS - 1u; /* so warp slot 0 is first */
        m->scheduler[k].cycles =
            (struct classes){ .since = 1u, .current = GPU_IDLE, .of = g->nobody->cycles };
        m->scheduler[k].class = m->class_shown[k] = GPU_IDLE;
    }
    sm_policy(g, m, g->first_policy);
    m->ldst.since = m->inflight.since = m->no_cta.since = 1u;
    m->no_cta.current = 1u;
    m->no_cta.of = m->no_cta_of;
    m->eldest = m->latest_of = g->nobody;
    m->ldst.of = g->nobody->ldst;
    m->inflight.of = g->nobody->inflight;
    m->resident.since = m->off.since = 1u;
    m->warp_free = c->sm.warp_slots == MAX_WARPS ? UINT64_MAX : BIT(c->sm.warp_slots) - 1u;
    m->registers_free = c->sm.registers;
    m->shared_free = m->carveout = c->sm.shared_bytes;
    m->threads_free = c->sm.threads;
    /* With carve-outs there are tags for the largest L1. */
    const uint32_t shared = c->l1.carveouts != CARVEOUTS_NONE ? c->sm.shared_bytes : 0u;
    const uint32_t l1_bytes = c->l1.bytes + shared;
#define CACHE_OPEN(path, name, size)                                               \
    cache_open(&m->cache[path], size, c->name.line, c->name.ways, c->name.latency, \
               c->name.mshrs, c->name.merges, c->l2.line)
    if (!code_open(g, &m->cache[PATH_CODE]) || !l15_open(c, &m->l15)
        || !queue_open(&m->miss_queue, c->ldst.miss_queue) || !CACHE_OPEN(PATH_L1, l1, l1_bytes)
        || !CACHE_OPEN(PATH_CONSTANT, constant, c->constant.bytes)
        || !CACHE_OPEN(PATH_TEXTURE, texture, c->texture.bytes)
        || !written_open(c, &m->cache[PATH_L1]) || !events_open(m, sm_operations(c))) {
        sm_close(m);
        return NULL;
    }
#undef CACHE_OPEN
    cache_sectors(g, m);
    l1_take(c, m);
    return m;
}

/* What should be 0 when all is done. */
uint64_t sm_unanswered(const struct gpu *g, const struct sm *m)
{
    uint64_t left = m->memory_inflight + m->queued + m->miss_queue.n;
    left += g->config.l1.mshrs - m->cache[PATH_L1].mshr.n_free;
    left += g->config.constant.mshrs - m->cache[PATH_CONSTANT].mshr.n_free;
    left += g->config.texture.mshrs - m->cache[PATH_TEXTURE].mshr.n_free;
    left += g->config.icache.mshrs - m->cache[PATH_CODE].mshr.n_free;
    return left + (uint32_t)__builtin_popcountll(m->alive)
           + (uint32_t)__builtin_popcount(m->cta_used);
}

void sm_close(struct sm *m)
{
    if (m == NULL) {
        return;
    }
    for (uint32_t path = 0u; path < PATHS; path++) {
        free(m->cache[path].tag);
        free(m->cache[path].written);
        free(m->cache[path].target);
        mshrs_close(&m->cache[path].mshr);
    }
    free(m->l15.tag);
    free(m->l15.target);
    mshrs_close(&m->l15.mshr);
    free(m->event);
    free(m->operation);
    free(m->free_operation);
    free(m->miss_queue.slot);
    free(m->owed);
    free(m);
}

void sm_invalidate(struct sm *m)
{
    cache_empty(&m->cache[PATH_L1]);
    cache_empty(&m->cache[PATH_CONSTANT]);
    cache_empty(&m->l15);
    cache_empty(&m->cache[PATH_TEXTURE]);
}

void sm_forget(struct sm *m)
{
    sm_invalidate(m);
    cache_empty(&m->cache[PATH_CODE]);
}

bool sm_widen(struct sm *m, uint32_t old_stride, uint32_t stride)
{
    uint64_t *const owed = aligned_alloc(64u, (size_t)MAX_WARPS * stride * sizeof *owed);
    if (owed == NULL) {
        return false;
    }
    memset(owed, 0, (size_t)MAX_WARPS * stride * sizeof *owed);
    for (uint32_t w = 0u; w < MAX_WARPS; w++) {
        if (m->owed != NULL) {
            memcpy(owed + (size_t)w * stride, m->owed + (size_t)w * old_stride,
                   old_stride * sizeof *owed);
        }
        m->warp[w].owed = owed + (size_t)w * stride;
    }
    free(m->owed);
    m->owed = owed;
    return true;
}
