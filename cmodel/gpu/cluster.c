/* cluster - SMs that share a request port and a response FIFO: one request enters and one
 * response is delivered a cycle. Merge table and coalesced cache may sit between. */

#include <stdio.h>
#include <stdlib.h>

#include "gpu/mem/cache.h"
#include "gpu/wake.h"

static void deliver(struct gpu *g, uint32_t sm, const struct packet *p, uint64_t t)
{
    struct sm *const m = g->sm[sm];
    m->dirty = false;
    sm_fill(g, m, p, t);
    if (m->dirty || m->ldst.current >= LDST_MSHR) {
        wake_sm(g, sm, t);
    }
}

/* An answer has been given: the cycle's, and when the next may be. */
static void delivered(struct gpu *g, struct cluster *c, uint32_t id, uint64_t t)
{
    c->delivered++;
    g->inflight--;
    g->progress = t;
    const struct queue *const q[2] = { &c->local, &c->response };
    for (uint32_t k = 0u; k < 2u; k++) {
        if (q[k]->n != 0u) {
            const uint64_t ready = queue_front(q[k])->ready;
            wake_cluster(g, id, ready > t ? ready : t + 1u);
        }
    }
}

static void respond(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (c->local.n != 0u && queue_front(&c->local)->ready <= t) {
        const struct packet p = queue_pop(&c->local);
        deliver(g, p.sm, &p, t);
    } else if (c->response.n != 0u && queue_front(&c->response)->ready <= t) {
        if (queue_full(&c->response)) {
            wake_input(g, 1u, g->crossbar[1].request[id], t + 1u);
        }
        const struct packet p = queue_pop(&c->response);
        deliver(g, p.sm, &p, t);
    } else {
        return;
    }
    delivered(g, c, id, t);
}

/* The oldest request of SM k of the cluster. */
static struct packet take(struct gpu *g, struct cluster *c, uint32_t k, uint64_t t)
{
    struct sm *const m = g->sm[c->first_sm + k];
    const struct packet p = queue_pop(&m->miss_queue);
    c->last = (k + 1u) % 64u;
    if (m->miss_queue.n == 0u) {
        c->asking &= ~BIT(k);
    }
    if (m->ldst.current == LDST_QUEUE) {
        wake_sm(g, m->id, t);
    }
    if (p.type == READ && p.path != PATH_CONSTANT && !p.local) {
        c->reads++;
        if (UNLIKELY(c->locality != NULL)) {
            locality_request(c->locality, cluster_unit_line(&p), p.quarters, k, t);
        }
    }
    return p;
}

/* A request passes the port: the version that it makes, or must be given. */
COLD static void note_version(struct gpu *g, uint32_t id, const struct packet *p)
{
    struct versions *const v = g->versions;

    if (p->type != READ) {
        const bool update = p->type == WRITE && g->config.l1.write == WRITE_THROUGH;
        if (!versions_sent(v, id, p->sm, p->line, update)) {
            fault_surroundings(&g->fault, "no memory for the versions of lines");
            g->end = GPU_ILLEGAL;
        }
    } else if (p->path == PATH_L1) {
        struct mshrs *const m = &g->sm[p->sm]->cache[PATH_L1].mshr;
        versions_asked(v, id, p->sm, mshr_find(m, p->line), p->line);
    }
}

/* A request goes to the crossbar, which sees it in cycle `ready`. */
static void send(struct gpu *g, uint32_t id, struct packet p, uint64_t ready)
{
    struct cluster *const c = &g->cluster[id];
    p.ready = ready;
    p.out = (uint8_t)slice_of(g, p.line);
    queue_push(&c->request, p);
    if (c->request.n == 1u) {
        wake_input(g, 0u, BIT(id), ready);
    }
}

static uint32_t request(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (c->asking == 0u) {
        return REQUEST_IDLE;
    }
    if (queue_full(&c->request)) {
        return REQUEST_FULL;
    }
    const struct packet p = take(g, c, round_robin(c->asking, c->last), t);
    if (UNLIKELY(g->versions != NULL)) {
        note_version(g, id, &p);
    }
    send(g, id, p, t + 1u);
    return REQUEST_BUSY;
}

/* ---- With merge table and coalesced cache -------------------------------------------- */

/* The answer of the network that the port may give in this cycle; NULL for none. */
static const struct packet *reply_at(const struct cluster *c, uint64_t t)
{
    const bool local = c->local.n != 0u && queue_front(&c->local)->ready <= t;
    const struct packet *const p = c->response.n != 0u ? queue_front(&c->response) : NULL;

    return local || p == NULL || p->ready > t || (p->path != PATH_L1 && p->path != PATH_TEXTURE)
               ? NULL
               : p;
}

/* A line from the network goes to all SMs that wait for it. */
static void spread(struct gpu *g, uint32_t id, struct bits sms, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (queue_full(&c->response)) {
        wake_input(g, 1u, g->crossbar[1].request[id], t + 1u);
    }
    const struct packet p = queue_pop(&c->response);
    const uint32_t n = (uint32_t)__builtin_popcountll(sms.word[0]);
    for (uint64_t set = sms.word[0]; set != 0u; set &= set - 1u) {
        deliver(g, c->first_sm + lowest(set), &p, t);
    }
    assert(n > 0u);
    g->inflight -= n - 1u; /* requests that were merged end here too */
    c->port_free = g->config.icc.serial ? t + n : t + 1u;
    delivered(g, c, id, t);
}

/* What the unit says of the request of SM k of the cluster. Returns the class of the cycle. */
static uint32_t pass(struct gpu *g, uint32_t id, uint32_t k, const struct cluster_port_out *out,
                     uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (!out->request_taken) {
        return REQUEST_FULL;
    }
    struct packet p = take(g, c, k, t);
    const uint64_t ready =
        t + 1u + (cluster_unit_reads(&p) ? g->config.icc.lookup_latency : 0u);
    p.tracked = out->request_track;
    if (out->request_hit) {
        if (UNLIKELY(g->versions != NULL)
            && !versions_hit(g->versions, id, out->request_way, cluster_unit_line(&p),
                             &p.mshr)) {
            stale_answer(g, p.sm, p.line, "a way with another line");
        }
        p.ready = ready;
        queue_push(&c->local, p);
        wake_cluster(g, id, ready);
    } else if (out->request_send) {
        send(g, id, p, ready);
    }
    return REQUEST_BUSY;
}

static uint32_t step_unit(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    const bool open = t >= c->port_free;
    const struct packet *const reply = open ? reply_at(c, t) : NULL;
    const bool asks = c->asking != 0u && !queue_full(&c->local);
    const uint32_t k = asks ? round_robin(c->asking, c->last) : 0u;
    const struct packet *const request =
        asks ? queue_front(&g->sm[c->first_sm + k]->miss_queue) : NULL;
    struct cluster_port_out out = { .request_taken = false };

    if (request != NULL || reply != NULL || cluster_unit_runs(g, id)) {
        out = *cluster_unit_step(g, id, request, !queue_full(&c->request), reply);
    }
    const struct packet kept = reply != NULL ? *reply : (struct packet){ .line = 0u };
    if (UNLIKELY(g->versions != NULL) && out.request_taken && request != NULL) {
        note_version(g, id, request);
    }
    if (reply != NULL) {
        spread(g, id, out.reply_sms, t);
    } else if (open) {
        respond(g, id, t);
    } else {
        wake_cluster(g, id, c->port_free);
    }
    const uint32_t class = asks              ? pass(g, id, k, &out, t)
                           : c->asking != 0u ? REQUEST_FULL
                                             : REQUEST_IDLE;
    if (UNLIKELY(g->versions != NULL) && out.reply_keep) { /* after a hit of the same way */
        versions_kept(g->versions, id, out.reply_way, cluster_unit_line(&kept), kept.mshr);
    }
    return class;
}

void cluster_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    uint32_t class;
    if (c->unit != NULL) {
        class = step_unit(g, id, t);
    } else {
        respond(g, id, t);
        class = request(g, id, t);
    }
    classify(&c->cycles, class, t, g->each);
    if (class != REQUEST_BUSY || g->each) {
        return;
    }
    /* A request may hit or merge although the crossbar's queue is full. */
    const bool full = queue_full(&c->local) || (c->unit == NULL && queue_full(&c->request));
    if (c->asking != 0u && !full) {
        wake_cluster(g, id, t + 1u);
    } else {
        classify(&c->cycles, c->asking != 0u ? REQUEST_FULL : REQUEST_IDLE, t + 1u, false);
    }
}

/* ---- Memory, all of it allocated before the first cycle ------------------------------ */

bool cluster_open(struct gpu *g, uint32_t id)
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

void cluster_close(struct cluster *c)
{
    free(c->request.slot);
    free(c->response.slot);
    free(c->local.slot);
    free(c->unit);
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
