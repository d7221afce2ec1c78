/* cluster - SMs that share a request port and a response FIFO: one request enters and one
 * response is delivered a cycle. Merge table and coalesced cache may sit between. */

#include <stdio.h>
#include <stdlib.h>

#include "gpu/mem/cache.h"
#include "gpu/mem/crossbar.h"

/*
 * A line as a cluster's unit knows it: that of a cache of the SM, which may be shorter than one
 * of the L2. Reads of global space go through the L1 or, if nothing writes what they read
 * (ld.nc), through the texture cache; a line that two SMs want in different caches is two.
 */
uint64_t cluster_line(const struct packet *p)
{
    const uint32_t part = p->path == PATH_ATOMIC ? 0u : p->part;
    return (uint64_t)p->line << 9 | (uint64_t)(p->path == PATH_TEXTURE) << 8 | part;
}

void cluster_deliver(struct gpu *g, uint32_t sm, const struct packet *p, uint64_t t)
{
    struct sm *const m = g->sm[sm];
    m->dirty = false;
    sm_fill(g, m, p, t);
    if (m->dirty) {
        wake_sm(g, sm, t);
    }
}

void cluster_delivered(struct gpu *g, uint32_t id, struct share *of, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    c->delivered++;
    of->cluster.delivered++;
    g->inflight--;
    g->moved = t;
    const struct queue *const q[2] = { &c->local, &c->response };
    for (uint32_t k = 0u; k < 2u; k++) {
        if (q[k]->n != 0u) {
            const uint64_t ready = queue_front(q[k])->ready;
            wake_cluster(g, id, ready > t ? ready : t + 1u);
        }
    }
}

void cluster_respond(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    struct packet p;
    if (c->local.n != 0u && queue_front(&c->local)->ready <= t) {
        p = queue_pop(&c->local);
        cluster_deliver(g, p.sm, &p, t);
    } else if (c->response.n != 0u && queue_front(&c->response)->ready <= t) {
        crossbar_room(g, 1u, id, &c->response, t + 1u);
        p = queue_pop(&c->response);
        cluster_deliver(g, p.sm, &p, t);
    } else {
        return;
    }
    cluster_delivered(g, id, p.of, t);
}

struct packet cluster_take(struct gpu *g, uint32_t id, uint32_t k, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    struct sm *const m = g->sm[c->first_sm + k];
    const struct packet p = queue_pop(&m->miss_queue);
    p.of->cluster.request_busy++;
    c->last = (k + 1u) % 64u;
    if (m->miss_queue.n == 0u) {
        c->asking &= ~BIT(k);
    }
    if (m->ldst.current == LDST_QUEUE) {
        m->held = false;
        wake_sm(g, m->id, t);
    }
    if (UNLIKELY(m->turning != 0u)) { /* there is room for one of them */
        wake_sm(g, m->id, t);
    }
    if (p.type == READ && p.path != PATH_CONSTANT && p.path != PATH_CODE && !p.local) {
        c->reads++;
        p.of->cluster.reads++;
        if (UNLIKELY(c->locality != NULL)) {
            locality_request(c->locality, cluster_line(&p), p.quarters, k, t, &p.of->locality);
        }
    }
    return p;
}

COLD void cluster_note_version(struct gpu *g, uint32_t id, const struct packet *p)
{
    struct versions *const v = g->versions;

    if (p->type != READ) {
        const bool update = p->type == WRITE && g->config.l1.write != WRITE_EVICT;
        if (!versions_sent(v, id, p->sm, p->line, update)) {
            versions_no_memory(g);
        }
    } else if (p->path == PATH_L1) {
        struct mshrs *const m = &g->sm[p->sm]->cache[PATH_L1].mshr;
        versions_asked(v, id, p->sm, mshr_asked(m, p->line, p->sectors), p->line);
    }
}

void cluster_send(struct gpu *g, uint32_t id, struct packet p, uint64_t ready)
{
    p.ready = ready;
    p.out = (uint8_t)slice_of(g, p.line);
    crossbar_enter(g, 0u, id, &g->cluster[id].request, p);
}

/* ---- Memory, all of it allocated before the first cycle ------------------------------ */

bool cluster_open(struct gpu *g, uint32_t id)
{
    struct cluster *const c = &g->cluster[id];
    c->first_sm = id * g->sms_per_cluster;
    if (g->config.cluster.locality) {
        c->locality = locality_open();
        if (c->locality == NULL) {
            return false;
        }
    }
    c->cycles.since = 1u;
    c->cycles.of = g->nobody->request;
    return queue_open(&c->request, g->config.cluster.request_queue)
           && queue_open(&c->response, g->config.cluster.response_queue + g->config.noc.latency)
           && queue_open(&c->local, 64u);
}

void cluster_close(struct cluster *c)
{
    free(c->request.slot);
    free(c->response.slot);
    free(c->local.slot);
    locality_close(c->locality);
}

uint64_t clusters_unanswered(const struct gpu *g)
{
    uint64_t left = 0u;
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        left += g->cluster[i].request.n + g->cluster[i].response.n + g->cluster[i].local.n;
    }
    return left;
}
