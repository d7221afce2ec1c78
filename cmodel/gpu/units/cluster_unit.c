/*
 * cluster_unit - intra-cluster coalescing in the machine: the golden model of a cluster's port
 * (cluster_port.h) between its L1s and the network. In a cycle it sees one request and one
 * answer; in a cycle with neither, and without the start of a kernel, nothing changes in it.
 * Such cycles all have the same inputs. They are left out, unless what watches the unit has not
 * settled, or every component is to step in every cycle.
 */

#include <stdlib.h>

#include "gpu/wake.h"

struct cluster_port_config gpu_cluster_config(const struct gpu_config *config)
{
    const uint32_t sms =
        (config->sm.count + config->cluster.count - 1u) / config->cluster.count;
    return (struct cluster_port_config){
        .n_entry = config->icc.entries != 0u ? config->icc.entries : 1u,
        .n_line = config->icc.lines != 0u ? config->icc.lines : 1u,
        .n_sm = sms,
        .line_w = 41u,
    };
}

bool cluster_unit_open(struct gpu *g, struct cluster *c)
{
    const struct cluster_port_config config = gpu_cluster_config(&g->config);
    c->unit = calloc(1u, sizeof *c->unit);
    return c->unit != NULL && cluster_port_init(&c->unit->unit, &config) == cluster_port_ok;
}

bool cluster_unit_runs(const struct gpu *g, uint32_t id)
{
    const struct cluster_unit *const u = g->cluster[id].unit;

    return u->flush || u->restless
           || (g->hooks.cluster_peer != NULL && (g->mode & GPU_STEP_ALL) != 0u);
}

void cluster_flush(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_cluster && g->cluster[i].unit != NULL; i++) {
        g->cluster[i].unit->flush = true;
        wake_cluster(g, i, g->t + 1u);
    }
}

/*
 * A line as the unit knows it: that of a cache of the SM, which may be shorter than one of the
 * L2. Reads of global space go through the L1 or, if nothing writes what they read (ld.nc),
 * through the texture cache; a line that two SMs want in different caches is two.
 */
uint64_t cluster_unit_line(const struct packet *p)
{
    return (uint64_t)p->line << 9 | (uint64_t)(p->path == PATH_TEXTURE) << 8 | p->part;
}

bool cluster_unit_reads(const struct packet *p)
{
    return p->type == READ && (p->path == PATH_L1 || p->path == PATH_TEXTURE) && !p->local;
}

static void count(struct cluster_unit *u)
{
    const struct cluster_port_in *const in = &u->in;
    const bool asked = u->out.request_taken && !in->request_alone;
    u->searches += (uint64_t)asked + (uint64_t)in->reply_valid;
    u->hits += u->out.request_hit;
    u->merged += u->out.request_merge;
    u->tracked += u->out.request_track;
    u->kept += u->out.reply_keep;
}

COLD static void tell(struct gpu *g, uint32_t id, const struct gpu_cluster_peer *peer)
{
    struct cluster_unit *const u = g->cluster[id].unit;

    if (!peer->evaluated(peer->self, id, &u->unit, &u->in, &u->out, &u->next, g->t)) {
        g->end = GPU_STOPPED;
    }
    u->restless = peer->settled != NULL && !peer->settled(peer->self, id);
    if (u->restless) {
        wake_cluster(g, id, g->t + 1u);
    }
}

const struct cluster_port_out *cluster_unit_step(struct gpu *g, uint32_t id,
                                                 const struct packet *request, bool ready,
                                                 const struct packet *reply)
{
    struct cluster *const c = &g->cluster[id];
    struct cluster_unit *const u = c->unit;
    const struct gpu_cluster_peer *const peer = g->hooks.cluster_peer;

    u->in = (struct cluster_port_in){
        .request_ready = ready && request != NULL,
        .merge = g->config.icc.entries != 0u,
        .keep = g->config.icc.lines != 0u,
        .fifo = g->config.icc.fifo,
        .flush = u->flush,
    };
    if (request != NULL) {
        u->in.request_valid = true;
        u->in.request_line = cluster_unit_line(request);
        u->in.request_sm = request->sm - c->first_sm;
        /* A volatile read passes as a write does. */
        u->in.request_write = request->type != READ || request->path == PATH_UNCACHED;
        u->in.request_alone = !u->in.request_write && !cluster_unit_reads(request);
    }
    if (reply != NULL) {
        u->in.reply_valid = true;
        u->in.reply_line = cluster_unit_line(reply);
        u->in.reply_sm = reply->sm - c->first_sm;
        u->in.reply_tracked = reply->tracked;
    }
    cluster_port_eval(&u->unit, &u->in, &u->out, &u->next);
    if (UNLIKELY(peer != NULL)) {
        tell(g, id, peer);
    }
    cluster_port_tick(&u->unit, &u->next);
    u->flush = false;
    count(u);
    return &u->out;
}
