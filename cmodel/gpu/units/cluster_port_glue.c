/*
 * cluster_port_glue - intra-cluster coalescing in the machine: merge table and coalesced cache
 * between a cluster's L1s and the network. In a cycle the unit sees one request and one answer;
 * in a cycle with neither, and without the start of a kernel, nothing changes in it.
 */

#include "gpu/mem/cache.h"
#include "gpu/mem/crossbar.h"

/* A read that may merge or hit: of global space, through a cache of the SM. */
static bool is_shared_read(const struct packet *p)
{
    return p->type == READ && (p->path == PATH_L1 || p->path == PATH_TEXTURE) && !p->local;
}

/* ---- Inputs -------------------------------------------------------------------------- */

void cluster_port_inputs(struct gpu *g, uint32_t id, struct cluster_port_in *in)
{
    const struct cluster *const c = &g->cluster[id];
    const struct packet *const request = c->port.request, *const reply = c->port.reply;

    in->merge = g->config.icc.entries != 0u;
    in->keep = g->config.icc.lines != 0u;
    in->fifo = g->config.icc.fifo;
    in->flush = c->port.flush;
    if (request != NULL) {
        in->request_ready = !queue_full(&c->request);
        in->request_valid = true;
        in->request_line = cluster_line(request);
        in->request_sm = request->sm - c->first_sm;
        /* A volatile read passes as a write does. */
        in->request_write = request->type != READ || request->path == PATH_UNCACHED;
        in->request_alone = !in->request_write && !is_shared_read(request);
    }
    if (reply != NULL) {
        in->reply_valid = true;
        in->reply_line = cluster_line(reply);
        in->reply_sm = reply->sm - c->first_sm;
        in->reply_tracked = reply->tracked;
    }
}

/* ---- Outputs ------------------------------------------------------------------------- */

/* A request's kernel, and an answer's. */
static void count_shares(const struct port *port, const struct cluster_port_in *in,
                         const struct cluster_port_out *out)
{
    if (in->request_valid) {
        struct share *const of = port->request->of;
        of->searches += out->request_taken && !in->request_alone;
        of->cluster.hits += out->request_hit;
        of->cluster.merged += out->request_merge;
        of->cluster.tracked += out->request_track;
    }
    if (in->reply_valid) {
        port->reply->of->searches++;
        port->reply->of->cluster.kept += out->reply_keep;
    }
}

static void count(struct port *port, const struct cluster_port_in *in,
                  const struct cluster_port_out *out)
{
    const bool asked = out->request_taken && !in->request_alone;

    count_shares(port, in, out);
    port->searches += (uint64_t)asked + (uint64_t)in->reply_valid;
    port->hits += out->request_hit;
    port->merged += out->request_merge;
    port->tracked += out->request_track;
    port->kept += out->reply_keep;
}

/* A line from the network goes to all SMs that wait for it. */
static void spread(struct gpu *g, uint32_t id, struct bits sms, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    crossbar_room(g, 1u, id, &c->response, t + 1u);
    const struct packet p = queue_pop(&c->response);
    const uint32_t n = (uint32_t)__builtin_popcountll(sms.word[0]);
    for (uint64_t set = sms.word[0]; set != 0u; set &= set - 1u) {
        cluster_deliver(g, c->first_sm + lowest(set), &p, t);
    }
    assert(n > 0u);
    g->inflight -= n - 1u; /* requests that were merged end here too */
    c->port.free = g->config.icc.serial ? t + n : t + 1u;
    cluster_delivered(g, id, p.of, t);
}

/* What the unit says of the request. */
static void pass(struct gpu *g, uint32_t id, const struct cluster_port_out *out, uint64_t t)
{
    struct cluster *const c = &g->cluster[id];
    struct packet p = cluster_take(g, id, c->port.sm, t);
    const uint64_t ready = t + 1u + (is_shared_read(&p) ? g->config.icc.lookup_latency : 0u);

    p.tracked = out->request_track;
    if (out->request_hit) {
        if (UNLIKELY(g->versions != NULL)
            && !versions_hit(g->versions, id, out->request_way, cluster_line(&p), &p.mshr)) {
            stale_answer(g, p.sm, p.line, "a way with another line");
        }
        p.ready = ready;
        queue_push(&c->local, p);
        wake_cluster(g, id, ready);
    } else if (out->request_send) {
        cluster_send(g, id, p, ready);
    }
}

void cluster_port_outputs(struct gpu *g, uint32_t id, const struct cluster_port_in *in,
                          const struct cluster_port_out *out)
{
    struct cluster *const c = &g->cluster[id];
    const struct packet kept = in->reply_valid ? *c->port.reply : (struct packet){ .line = 0u };

    count(&c->port, in, out);
    c->port.flush = false;
    c->port.taken = in->request_valid && out->request_taken;
    if (UNLIKELY(g->versions != NULL) && c->port.taken) {
        cluster_note_version(g, id, c->port.request);
    }
    if (in->reply_valid) {
        spread(g, id, out->reply_sms, g->t);
    } else if (c->port.open) {
        cluster_respond(g, id, g->t);
    } else {
        wake_cluster(g, id, c->port.free);
    }
    if (c->port.taken) {
        pass(g, id, out, g->t);
    }
    if (UNLIKELY(g->versions != NULL) && out->reply_keep) { /* after a hit of the same way */
        versions_kept(g->versions, id, out->reply_way, cluster_line(&kept), kept.mshr);
    }
    if (UNLIKELY(g->sockets.cluster_port[id].base.restless)) {
        wake_cluster(g, id, g->t + 1u);
    }
}
