/* cluster_step - a cycle of a cluster: its port takes one request and gives one answer. */

#include "gpu/mem/cache.h"
#include "gpu/wake.h"

/* ---- Without merge table and coalesced cache ----------------------------------------- */

static uint32_t request(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    if (c->asking == 0u) {
        return REQUEST_IDLE;
    }
    if (queue_full(&c->request)) {
        return REQUEST_FULL;
    }
    const struct packet p = cluster_take(g, id, round_robin(c->asking, c->last), t);
    if (UNLIKELY(g->versions != NULL)) {
        cluster_note_version(g, id, &p);
    }
    cluster_send(g, id, p, t + 1u);
    return REQUEST_BUSY;
}

/* ---- With them ----------------------------------------------------------------------- */

void cluster_ports_flush(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_cluster && g->sockets.cluster_port != NULL; i++) {
        g->cluster[i].port.flush = true;
        wake_cluster(g, i, g->t + 1u);
    }
}

/* The answer of the network that the port may give in this cycle; NULL for none. */
static const struct packet *reply_at(const struct cluster *c, uint64_t t)
{
    const bool local = c->local.n != 0u && queue_front(&c->local)->ready <= t;
    const struct packet *const p = c->response.n != 0u ? queue_front(&c->response) : NULL;

    return local || p == NULL || p->ready > t || (p->path != PATH_L1 && p->path != PATH_TEXTURE)
               ? NULL
               : p;
}

static void look(struct gpu *g, struct cluster *c, uint64_t t)
{
    struct port *const port = &c->port;
    const bool asks = c->asking != 0u && !queue_full(&c->local);

    port->taken = false;
    port->open = t >= port->free;
    port->reply = port->open ? reply_at(c, t) : NULL;
    port->sm = asks ? round_robin(c->asking, c->last) : 0u;
    port->request = asks ? queue_front(&g->sm[c->first_sm + port->sm]->miss_queue) : NULL;
}

/* Returns the class of the cycle. */
static uint32_t request_unit(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    struct port *const port = &c->port;
    const struct socket *const s = &g->sockets.cluster_port[id].base;

    look(g, c, t);
    const bool asks = port->request != NULL;
    if (asks || port->reply != NULL || port->flush || s->restless
        || (s->seat != NULL && (g->mode & GPU_STEP_ALL) != 0u)) {
        cluster_port_step(g, id);
    } else if (port->open) {
        cluster_respond(g, id, t);
    } else {
        wake_cluster(g, id, port->free);
    }
    return port->taken ? REQUEST_BUSY : c->asking != 0u || asks ? REQUEST_FULL : REQUEST_IDLE;
}

/* ---- A cycle ------------------------------------------------------------------------- */

/* Cycle t of the port is of this class: the kernel's whose request waits, or nobody's. Requests
 * that go count for their kernels one by one (cluster_take). */
HOT void port_cycle(const struct gpu *g, struct cluster *c, uint32_t class, uint64_t t)
{
    struct share *of = g->nobody;
    if (class == REQUEST_FULL) {
        const uint32_t sm = c->first_sm + round_robin(c->asking, c->last);
        of = queue_front(&g->sm[sm]->miss_queue)->of;
    }
    classes_own(&c->cycles, of->request, t, g->each);
    classify(&c->cycles, class, t, g->each);
}

HOT void cluster_step(struct gpu *g, uint32_t id, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    uint32_t class;
    if (g->sockets.cluster_port != NULL) {
        class = request_unit(g, id, t);
    } else {
        cluster_respond(g, id, t);
        class = request(g, id, t);
    }
    port_cycle(g, c, class, t);
    if (class != REQUEST_BUSY || g->each) {
        return;
    }
    /* A request may hit or merge although the crossbar's queue is full. */
    const bool full =
        queue_full(&c->local) || (g->sockets.cluster_port == NULL && queue_full(&c->request));
    if (c->asking != 0u && !full) {
        wake_cluster(g, id, t + 1u);
    } else {
        port_cycle(g, c, c->asking != 0u ? REQUEST_FULL : REQUEST_IDLE, t + 1u);
    }
}

void clusters_step(struct gpu *g, uint64_t set, uint64_t t)
{
    for (; set != 0u; set &= set - 1u) {
        cluster_step(g, lowest(set), t);
    }
}
