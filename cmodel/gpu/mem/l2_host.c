/* l2_host - what the host copies to the device or sets there may stay in the L2. */

#include "gpu/mem/l2_lines.h"

/* The line is there, as a read would have left it; what it takes the place of is lost. With the
 * kernels of another program on the GPU it may be on its way, or the set full of such lines. */
static void hold(struct gpu *g, uint32_t line)
{
    struct slice *const s = &g->slice[slice_of(g, line)];
    uint32_t *const set = l2_set(g, s, line);
    uint32_t way = l2_way(g, set, line);
    const bool is_new = way == g->config.l2.ways;

    if (is_new) {
        way = l2_victim(g, set);
    }
    if (way == g->config.l2.ways || (set[way] & PENDING) != 0u) {
        return;
    }
    l2_front(s, set, way, is_new ? (line + 1u) << 2 : set[way], is_new);
    if (s->part != NULL) {
        *l2_part(s, set, 0u) |= 0xf0u;
    }
}

void gpu_host_wrote(struct gpu *g, uint64_t address, uint64_t bytes)
{
    const uint64_t most = (uint64_t)g->slices.n * g->config.l2.bytes / g->config.l2.line;
    uint64_t line = address / g->config.l2.line;
    const uint64_t end = bytes == 0u ? line : (address + bytes - 1u) / g->config.l2.line + 1u;

    if (!g->config.l2.host_writes) {
        return;
    }
    for (line = end - line > most ? end - most : line; line < end; line++) {
        hold(g, (uint32_t)line & (CODE_LINE - 1u));
    }
}
