/* cluster - SMs that share a request port and a response FIFO: one request enters and one
 * response is delivered a cycle. A cluster unit may sit between. */

#include "wake.h"

static void deliver(struct gpu *g, uint32_t sm, const struct packet *p, uint64_t t)
{
    struct sm *const m = g->sm[sm];
    m->dirty = false;
    sm_fill(g, m, p, t);
    if (m->dirty || m->ldst.current >= LDST_MSHR) {
        wake_sm(g, sm, t);
    }
}

COLD static void deliver_all(struct gpu *g, uint32_t id, struct packet *p, uint64_t t)
{
    const struct gpu_cluster_unit *const unit = g->hooks.cluster_unit;
    struct cluster *const c = &g->cluster[id];
    const uint64_t to = unit->reply(unit->self, id, p->sm - c->first_sm, p->line, t);
    const uint32_t waiting = (uint32_t)__builtin_popcountll(to);
    for (uint64_t set = to; set != 0u; set &= set - 1u) {
        deliver(g, c->first_sm + lowest(set), p, t);
    }
    /* Requests that were merged end here too. */
    g->inflight -= waiting != 0u ? waiting - 1u : 0u;
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
        struct packet p = queue_pop(&c->response);
        if (UNLIKELY(g->hooks.cluster_unit != NULL) && p.path == PATH_L1) {
            deliver_all(g, id, &p, t);
        } else {
            deliver(g, p.sm, &p, t);
        }
    } else {
        return;
    }
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

/* What a cluster unit does with a request; true if it goes on to the crossbar. */
COLD static bool ask_unit(struct gpu *g, uint32_t id, struct packet *p, uint64_t t)
{
    const struct gpu_cluster_unit *const unit = g->hooks.cluster_unit;
    struct cluster *const c = &g->cluster[id];
    const uint32_t sm = p->sm - c->first_sm;

    if (p->type != READ) {
        unit->write(unit->self, id, sm, p->line, t);
        return true;
    }
    if (p->path != PATH_L1) {
        return true;
    }
    const enum cluster_answer answer = unit->request(unit->self, id, sm, p->line, t);
    if (answer == CLUSTER_HIT) {
        p->ready = t + 1u;
        queue_push(&c->local, *p);
        wake_cluster(g, id, t + 1u);
    }
    return answer == CLUSTER_SEND;
}

static uint32_t request(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (c->asking == 0u) {
        return REQUEST_IDLE;
    }
    if (queue_full(&c->request) || queue_full(&c->local)) {
        return REQUEST_FULL;
    }
    const uint32_t k = round_robin(c->asking, c->last);
    struct sm *const m = g->sm[c->first_sm + k];
    struct packet p = queue_pop(&m->miss_queue);
    c->last = (k + 1u) % 64u;
    if (m->miss_queue.n == 0u) {
        c->asking &= ~BIT(k);
    }
    if (m->ldst.current == LDST_QUEUE) {
        wake_sm(g, m->id, t);
    }
    if (UNLIKELY(g->hooks.cluster_unit != NULL) && !ask_unit(g, id, &p, t)) {
        return REQUEST_BUSY;
    }
    p.ready = t + 1u;
    p.out = (uint8_t)slice_of(g, p.line);
    queue_push(&c->request, p);
    if (c->request.n == 1u) {
        wake_input(g, 0u, BIT(id), t + 1u);
    }
    return REQUEST_BUSY;
}

void cluster_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    respond(g, id, t);
    const uint32_t class = request(g, id, t);
    classify(&c->cycles, class, t, g->each);
    if (class != REQUEST_BUSY || g->each) {
        return;
    }
    if (c->asking != 0u && !queue_full(&c->request) && !queue_full(&c->local)) {
        wake_cluster(g, id, t + 1u);
    } else {
        classify(&c->cycles, c->asking != 0u ? REQUEST_FULL : REQUEST_IDLE, t + 1u, false);
    }
}
