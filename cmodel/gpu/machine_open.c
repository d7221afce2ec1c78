/* machine_open - the components' memory: all of it is allocated before the first cycle. */

#include <stdlib.h>
#include <string.h>

#include "gpu/machine.h"

bool queue_open(struct queue *q, uint32_t capacity)
{
    uint32_t slots = 1u;
    while (slots < capacity) {
        slots *= 2u;
    }
    *q = (struct queue){ .capacity = capacity, .mask = slots - 1u };
    q->slot = calloc(slots, sizeof *q->slot);
    return q->slot != NULL;
}

bool mshrs_open(struct mshrs *m, uint32_t n)
{
    m->free = calloc(n, sizeof *m->free);
    m->line = calloc(n, sizeof *m->line);
    m->next = calloc(n, sizeof *m->next);
    m->n = calloc(n, sizeof *m->n);
    m->written = calloc(n, sizeof *m->written);
    m->since = calloc(n, sizeof *m->since);
    if (m->free == NULL || m->line == NULL || m->next == NULL || m->n == NULL
        || m->written == NULL || m->since == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        m->free[i] = (uint16_t)(n - 1u - i);
    }
    m->n_free = n;
    memset(m->bucket, 0xff, sizeof m->bucket);
    return true;
}

void mshrs_close(struct mshrs *m)
{
    free(m->free);
    free(m->line);
    free(m->next);
    free(m->n);
    free(m->written);
    free(m->since);
}

/* ---- SM --------------------------------------------------------------------------------- */

static uint32_t log2_of(uint32_t power)
{
    return lowest(power);
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

uint32_t sm_operations(const struct gpu_config *c)
{
    return c->ldst.queue + c->l1.mshrs * c->l1.merges + c->constant.mshrs * c->constant.merges
           + c->texture.mshrs * c->texture.merges + c->l1.latency + c->constant.latency
           + c->texture.latency + c->ldst.shared_latency + 8u;
}

static bool events_open(struct sm *m, uint32_t operations)
{
    const uint32_t n = operations + MAX_WARPS + MAX_CTAS + 1u;
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

struct sm *sm_open(const struct gpu *g, uint32_t id)
{
    const struct gpu_config *const c = &g->config;
    struct sm *const m = calloc(1u, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->id = id;
    m->cluster = id / g->sms_per_cluster;
    m->in_cluster = id % g->sms_per_cluster;
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        m->scheduler[k].selected = g->two_level_on ? 0u : UINT64_MAX;
        m->scheduler[k].last = MAX_WARPS - 1u; /* so warp slot 0 is first */
        m->scheduler[k].cycles = (struct classes){ .since = 1u, .current = IDLE };
    }
    m->ldst.since = m->inflight.since = m->no_cta.since = 1u;
    m->no_cta.current = 1u;
    m->resident.since = m->off.since = 1u;
    m->warp_free = c->sm.warp_slots == MAX_WARPS ? UINT64_MAX : BIT(c->sm.warp_slots) - 1u;
    m->registers_free = c->sm.registers;
    m->shared_free = c->sm.shared_bytes;
    m->threads_free = c->sm.threads;
#define CACHE_OPEN(path, name)                                                              \
    cache_open(&m->cache[path], c->name.bytes, c->name.line, c->name.ways, c->name.latency, \
               c->name.mshrs, c->name.merges, c->l2.line)
    if (!events_open(m, sm_operations(c)) || !queue_open(&m->miss_queue, c->ldst.miss_queue)
        || !CACHE_OPEN(PATH_L1, l1) || !CACHE_OPEN(PATH_CONSTANT, constant)
        || !CACHE_OPEN(PATH_TEXTURE, texture)) {
        sm_close(m);
        return NULL;
    }
#undef CACHE_OPEN
    return m;
}

void sm_close(struct sm *m)
{
    if (m == NULL) {
        return;
    }
    for (uint32_t path = 0u; path < PATHS; path++) {
        free(m->cache[path].tag);
        free(m->cache[path].target);
        mshrs_close(&m->cache[path].mshr);
    }
    free(m->event);
    free(m->operation);
    free(m->free_operation);
    free(m->miss_queue.slot);
    free(m->owed);
    free(m);
}

void sm_invalidate(struct sm *m)
{
    for (uint32_t path = 0u; path < PATHS; path++) {
        struct cache *const c = &m->cache[path];
        memset(c->tag, 0, (size_t)c->sets.n * c->ways * sizeof *c->tag);
    }
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

/* ---- Memory side --------------------------------------------------------------------------
 */

static bool cluster_open(struct gpu *g, uint32_t id)
{
    struct cluster *const c = &g->cluster[id];
    c->first_sm = id * g->sms_per_cluster;
    if ((g->config.icc.entries != 0u || g->config.icc.lines != 0u)
        && !cluster_unit_open(g, c)) {
        return false;
    }
    if (g->config.cluster.locality) {
        c->locality = locality_open();
        if (c->locality == NULL) {
            return false;
        }
    }
    c->cycles.since = 1u;
    return queue_open(&c->request, g->config.cluster.request_queue)
           && queue_open(&c->response, g->config.cluster.response_queue)
           && queue_open(&c->local, 64u);
}

static bool slice_open(struct gpu *g, uint32_t id)
{
    const struct gpu_config *const c = &g->config;
    struct slice *const s = &g->slice[id];
    s->cycles.since = 1u;
    s->answered = calloc(c->l2.mshrs, sizeof *s->answered);
    s->waiter = calloc((size_t)c->l2.mshrs * c->l2.merges, sizeof *s->waiter);
    s->returned = calloc(c->l2.mshrs, sizeof *s->returned);
    s->tag = calloc((size_t)g->l2_sets.n * c->l2.ways, sizeof *s->tag);
    return s->answered != NULL && s->waiter != NULL && s->returned != NULL && s->tag != NULL
           && mshrs_open(&s->mshr, c->l2.mshrs) && queue_open(&s->request, c->noc.slice_queue)
           && queue_open(&s->reply, c->noc.reply_queue);
}

static void dram_open(struct dram *d)
{
    d->next_try = NEVER;
    memset(d->ok, 0xff, sizeof d->ok);
    memset(d->first_ok, 0xff, sizeof d->first_ok);
    d->occupancy.since = 1u;
}

static void crossbars_open(struct gpu *g)
{
    struct crossbar *const requests = &g->crossbar[0], *const replies = &g->crossbar[1];
    requests->inputs = replies->outputs = g->n_cluster;
    requests->outputs = replies->inputs = g->n_slice;
    requests->blocked.since = replies->blocked.since = 1u;
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        requests->from[i] = &g->cluster[i].request;
        replies->to[i] = &g->cluster[i].response;
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        requests->to[i] = &g->slice[i].request;
        replies->from[i] = &g->slice[i].reply;
    }
}

bool memory_open(struct gpu *g)
{
    g->slice = calloc(g->n_slice, sizeof *g->slice);
    g->dram = calloc(g->n_slice, sizeof *g->dram);
    if (g->slice == NULL || g->dram == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        if (!cluster_open(g, i)) {
            return false;
        }
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        if (!slice_open(g, i)) {
            return false;
        }
        dram_open(&g->dram[i]);
    }
    crossbars_open(g);
    return true;
}

void memory_close(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        free(g->cluster[i].request.slot);
        free(g->cluster[i].response.slot);
        free(g->cluster[i].local.slot);
        free(g->cluster[i].unit);
        locality_close(g->cluster[i].locality);
    }
    for (uint32_t i = 0u; g->slice != NULL && i < g->n_slice; i++) {
        struct slice *const s = &g->slice[i];
        mshrs_close(&s->mshr);
        free(s->answered);
        free(s->waiter);
        free(s->returned);
        free(s->tag);
        free(s->request.slot);
        free(s->reply.slot);
    }
    free(g->slice);
    free(g->dram);
}
