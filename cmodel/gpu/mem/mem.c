/* mem - the memory of crossbars, L2 slices and DRAM partitions: all of it is allocated before
 * the first cycle. */

#include "gpu/mem/mem.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/mem/crossbar.h"

static bool slice_open(struct gpu *g, uint32_t id)
{
    const struct gpu_config *const c = &g->config;
    struct slice *const s = &g->slice[id];
    s->cycles.since = 1u;
    s->cycles.of = g->nobody->l2_cycles;
    s->of = s->atomic_of = g->nobody;
    s->answered = calloc(c->l2.mshrs, sizeof *s->answered);
    s->waiter = calloc((size_t)c->l2.mshrs * c->l2.merges, sizeof *s->waiter);
    s->returned = calloc(c->l2.mshrs, sizeof *s->returned);
    s->tag = calloc((size_t)g->l2_sets.n * c->l2.ways, sizeof *s->tag);
    s->part = g->l2_sectors ? calloc((size_t)g->l2_sets.n * c->l2.ways, sizeof *s->part) : NULL;
    return s->answered != NULL && (s->part != NULL || !g->l2_sectors) && s->waiter != NULL
           && s->returned != NULL && s->tag != NULL && mshrs_open(&s->mshr, c->l2.mshrs)
           && queue_open(&s->request, c->noc.slice_queue + c->noc.latency)
           && queue_open(&s->reply, c->noc.reply_queue + c->l2.latency);
}

static void dram_open(struct dram *d, uint32_t slice, const struct gpu_config *c)
{
    d->slice = slice;
    d->next_try = NEVER;
    d->looks = NEVER;
    d->last_sm = GPU_MAX_SM;
    d->now = &d->side[0];
    d->refresh = c->dram.tREFI == 0u               ? NEVER
                 : c->dram.refresh == REFRESH_BANK ? c->dram.tREFI / c->dram.banks
                                                   : c->dram.tREFI;
    memset(d->kind, NO_COMMAND, sizeof d->kind);
    memset(d->ok, 0xff, sizeof d->ok);
    memset(d->first_ok, 0xff, sizeof d->first_ok);
    d->occupancy.since = 1u;
}

static bool crossbars_open(struct gpu *g)
{
    struct crossbar *const requests = &g->crossbar[0], *const replies = &g->crossbar[1];
    requests->inputs = replies->outputs = g->n_cluster + (g->record_port.bit != 0u);
    requests->outputs = replies->inputs = g->n_slice;
    requests->blocked.since = replies->blocked.since = 1u;
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        requests->from[i] = &g->cluster[i].request;
        replies->to[i] = &g->cluster[i].response;
    }
    if (g->record_port.bit != 0u) {
        requests->from[g->n_cluster] = &g->record_port.request;
        replies->to[g->n_cluster] = &g->record_port.response;
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        requests->to[i] = &g->slice[i].request;
        replies->from[i] = &g->slice[i].reply;
    }
    if (!credits_open(g, requests) || !credits_open(g, replies)) {
        return false;
    }
    requests->by_output = replies->by_output = g->config.noc.queues == QUEUES_OF_OUTPUTS;
    return !requests->by_output || (g->mode & GPU_SCAN) != 0u
           || (crossbar_queues_open(requests) && crossbar_queues_open(replies));
}

bool memory_open(struct gpu *g)
{
    g->slice = calloc(g->n_slice, sizeof *g->slice);
    g->dram = calloc(g->n_dram, sizeof *g->dram);
    if (g->slice == NULL || g->dram == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        if (!slice_open(g, i)) {
            return false;
        }
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        dram_open(&g->dram[i], divide(i, g->channels), &g->config);
    }
    return crossbars_open(g);
}

void memory_close(struct gpu *g)
{
    for (uint32_t i = 0u; g->slice != NULL && i < g->n_slice; i++) {
        struct slice *const s = &g->slice[i];
        mshrs_close(&s->mshr);
        free(s->answered);
        free(s->waiter);
        free(s->returned);
        free(s->tag);
        free(s->part);
        free(s->request.slot);
        free(s->reply.slot);
    }
    free(g->crossbar[0].credits);
    free(g->crossbar[1].credits);
    crossbar_queues_close(&g->crossbar[0]);
    crossbar_queues_close(&g->crossbar[1]);
    free(g->slice);
    free(g->dram);
}

uint64_t memory_unanswered(const struct gpu *g)
{
    uint64_t left = 0u;
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        const struct slice *const s = &g->slice[i];
        left += s->request.n + s->reply.n + (g->config.l2.mshrs - s->mshr.n_free);
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        left += g->dram[i].n + g->dram[i].data_n;
    }
    return left;
}
