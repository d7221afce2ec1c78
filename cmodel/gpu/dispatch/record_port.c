/*
 * record_port - the way from LaPerm's units to the L2, where kernels that wait have records,
 * and the kernel management unit has links to them; and of what CTAs have that wait for their
 * children, with cdp.swap_bytes. It is one more input and output of the
 * crossbars, after the clusters', and takes a request and gives an answer a cycle. A record is
 * a quarter of a line of the L2, as are eight links. What is in them the units' glue has.
 */

#include <stdlib.h>

#include "gpu/mem/crossbar.h"

bool record_port_open(struct gpu *g)
{
    struct record_port *const port = &g->record_port;
    const struct gpu_config *const c = &g->config;

    if (c->laperm.mode == BIND_OFF && c->cdp.swap_bytes == 0u) {
        return true;
    }
    port->bit = BIT(g->n_cluster);
    return queue_open(&port->request, c->cluster.request_queue)
           && queue_open(&port->response, c->cluster.response_queue + c->noc.latency);
}

void record_port_close(struct record_port *port)
{
    free(port->request.slot);
    free(port->response.slot);
}

bool record_port_ready(const struct gpu *g)
{
    return !queue_full(&g->record_port.request) && g->record_port.taken != g->t;
}

static void ask(struct gpu *g, uint32_t line, uint32_t quarters, bool write, uint32_t who)
{
    struct record_port *const port = &g->record_port;
    const uint32_t written = (uint32_t)__builtin_popcount(quarters);

    assert(record_port_ready(g));
    port->taken = g->t;
    g->inflight++;
    crossbar_enter(g, 0u, g->n_cluster, &port->request,
                   (struct packet){ .ready = g->t + 1u,
                                    .of = g->nobody,
                                    .line = line,
                                    .sm = GPU_MAX_SM,
                                    .mshr = (uint16_t)who,
                                    .type = write ? WRITE : READ,
                                    .path = PATH_RECORD,
                                    .out = (uint8_t)slice_of(g, line),
                                    .size = (uint8_t)(write ? SIZE_WRITE + written : SIZE_READ),
                                    .quarters = quarters & 15u,
                                    .sectors = g->sectors_of[quarters] & 15u });
}

void record_port_ask(struct gpu *g, uint32_t record, bool write, uint32_t who)
{
    ask(g, RECORD_LINE + record / 4u, 1u << record % 4u, write, who);
}

void record_port_ask_line(struct gpu *g, uint32_t line, bool write, uint32_t who)
{
    ask(g, line, 15u, write, who);
}

void record_port_step(struct gpu *g, uint64_t t)
{
    struct queue *const q = &g->record_port.response;

    g->alarm = t; /* there may be room for a request, or an answer */
    g->dispatch_dirty = true;
    if (q->n == 0u || queue_front(q)->ready > t) {
        return;
    }
    crossbar_room(g, 1u, g->n_cluster, q, t + 1u);
    const uint32_t who = queue_pop(q).mshr;
    if (who >= SWAPS) {
        const uint32_t place = who - SWAPS;
        g->sm[place / MAX_CTAS]->cta[place % MAX_CTAS].swap.answered++;
        g->progress = t;
    } else {
        binding_answer(g, who);
    }
    g->inflight--;
    g->moved = t;
    if (q->n != 0u) {
        const uint64_t ready = queue_front(q)->ready;
        wake_cluster(g, g->n_cluster, ready > t ? ready : t + 1u);
    }
}
