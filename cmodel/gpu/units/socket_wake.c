/* socket_wake - glue asks for a cycle of its unit; see socket.h. */

#include "gpu/wake.h"

void socket_wake(struct gpu *g, struct socket *s, uint32_t sm, uint64_t t)
{
    const uint64_t most = g->t + g->wheel_mask;
    const uint64_t at = t < most ? t : most;

    if (at < s->alarm || s->alarm <= g->t) {
        s->alarm = at;
        wake_sm(g, sm, at);
        wake_at(g, at)->asked = true;
    }
}
