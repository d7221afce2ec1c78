/* rooms - which SMs take CTAs, and have room for a block of the kernel that issues. */

#include "gpu/machine.h"

void dispatch_open(struct gpu *g, const struct sm *m)
{
    if (!m->draining && !m->gated && g->t >= m->gate_open) {
        bits_add(&g->rooms.open, m->id);
    } else {
        bits_remove(&g->rooms.open, m->id);
    }
    g->dispatch_dirty = true;
}

void dispatch_opens(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        dispatch_open(g, g->sm[i]);
    }
}

struct bits dispatch_room(const struct gpu *g, uint32_t kernel)
{
    const struct rooms *const rooms = &g->rooms;
    struct bits room = { { 0u } };

    for (uint32_t w = 0u; kernel < g->n_kernel && kernel == rooms->kernel && w < 3u; w++) {
        room.word[w] = rooms->fits.word[w] & rooms->open.word[w];
    }
    return room;
}

void dispatch_count(struct gpu *g)
{
    g->rooms.dirty = true;
    g->dispatch_dirty = true;
}
