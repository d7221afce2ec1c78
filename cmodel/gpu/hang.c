/* hang - when nothing moves any more: who waits for what. */

#include "gpu/machine.h"

enum { MOST_SMS = 4 };

static void report_kernels(struct gpu *g)
{
    for (uint32_t i = g->first_live; i < g->n_kernel; i++) {
        const struct kernel *const k = &g->kernel[i];
        if (k->ended) {
            continue;
        }
        fault_add(&g->fault, "\n  kernel %u (%s): %u of %u CTAs issued, %u ended", i,
                  k->source.shape.name, k->issued, k->ctas, k->done);
        if (k->n_away != 0u) {
            fault_add(&g->fault, "; %u wait for kernels that they have launched", k->n_away);
        }
        if (!k->started) {
            fault_add(&g->fault, "; not started");
        } else if (k->issued < k->ctas && i == g->current && !bits_any(dispatch_room(g, i))) {
            fault_add(&g->fault, "; waits: no SM has room");
        } else if (k->issued < k->ctas && i == g->current) {
            fault_add(&g->fault,
                      "; waits: SMs have room, but a limiter or the work distributor refuses");
        }
    }
}

static void report_sm(struct gpu *g, const struct sm *m)
{
    static const char *const names[GPU_WARP_STATES] = {
        "without an instruction or at a barrier",
        "owed by arithmetic",
        "owed by memory",
        "blocked by a pipe",
        "blocked by the load/store unit",
        "ready",
        "ready for memory",
        "finished",
    };
    uint64_t count[GPU_WARP_STATES] = { 0u };
    gpu_warp_states(g, m->id, count);
    fault_add(&g->fault, "\n  SM %u:", m->id);
    for (uint32_t s = 0u; s < GPU_WARP_STATES; s++) {
        if (count[s] != 0u) {
            fault_add(&g->fault, " %llu warps %s;", (unsigned long long)count[s], names[s]);
        }
    }
    for (uint32_t c = 0u; c < g->config.sm.cta_slots; c++) {
        for (uint32_t b = 0u; (m->cta_used >> c & 1u) != 0u && b < BARRIERS; b++) {
            if (m->cta[c].arrived[b] != 0u) {
                fault_add(&g->fault, " CTA %u has %u of %u warps at its barrier;",
                          m->cta[c].number, m->cta[c].arrived[b], m->cta[c].live);
            }
        }
    }
    fault_add(&g->fault, " %u memory operations in flight%s%s", m->memory_inflight,
              m->pausing ? ", paused" : "", m->draining ? ", draining" : "");
}

static void report_memory(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        const struct cluster *const c = &g->cluster[i];
        if (c->request.n + c->response.n + c->local.n != 0u || c->asking != 0u) {
            fault_add(&g->fault, "\n  cluster %u: %u requests and %u responses queued", i,
                      c->request.n, c->response.n);
        }
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        const struct slice *const s = &g->slice[i];
        const uint32_t misses = g->config.l2.mshrs - s->mshr.n_free;
        uint32_t in_dram = 0u;
        for (uint32_t k = 0u; k < g->channels.n; k++) {
            in_dram += g->dram[i * g->channels.n + k].n;
        }
        if (s->request.n + s->reply.n + misses + in_dram != 0u) {
            fault_add(&g->fault,
                      "\n  L2 slice %u: %u requests, %u replies, %u misses, %u in DRAM", i,
                      s->request.n, s->reply.n, misses, in_dram);
        }
    }
}

bool hang_polls(const struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const struct sm *const m = g->sm[i];
        for (uint64_t set = m->alive; set != 0u; set &= set - 1u) {
            if (m->warp[lowest(set)].polls) {
                return true;
            }
        }
    }
    return false;
}

/* What the first warps wait for; returns how many were asked and wait for a value. */
static uint32_t report_polls(struct gpu *g, const struct sm *m, uint32_t most)
{
    uint32_t n = 0u;
    for (uint32_t slot = 0u; slot < MAX_WARPS && n < most; slot++) {
        const struct warp *const w = &m->warp[slot];
        const struct cta *const c = &m->cta[w->cta];
        if ((m->alive >> slot & 1u) == 0u) {
            continue;
        }
        const struct kernel_source *const source = &g->kernel[c->kernel].source;
        n += source->describe != NULL
             && source->describe(source->self, c->handle, w->in_cta, &g->fault);
    }
    return n;
}

void hang_report(struct gpu *g)
{
    uint32_t polls = 0u;
    uint32_t shown = 0u, more = 0u;
    fault_set(&g->fault,
              "no progress since cycle %llu (limit.watchdog = %u); %llu packets in flight",
              (unsigned long long)g->progress, g->config.limit.watchdog,
              (unsigned long long)g->inflight);
    report_kernels(g);
    for (uint32_t i = 0u; i < g->n_sm && polls < MOST_SMS; i++) {
        polls += report_polls(g, g->sm[i], MOST_SMS - polls);
    }
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (g->sm[i]->cta_used == 0u && g->sm[i]->memory_inflight == 0u) {
            continue;
        }
        if (shown < MOST_SMS) {
            report_sm(g, g->sm[i]);
            shown++;
        } else {
            more++;
        }
    }
    if (more != 0u) {
        fault_add(&g->fault, "\n  and %u more SMs with CTAs", more);
    }
    report_memory(g);
}
