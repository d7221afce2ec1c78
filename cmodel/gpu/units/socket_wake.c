/* socket_wake - glue asks for a cycle of its unit; see socket.h. */

#include "gpu/wake.h"

/* A cycle further ahead than the wheel is left to the next look at such ones, of which there is
 * one a turn of the wheel for all units, as long as there are any. */
static void arm(struct gpu *g, const struct socket *s, uint32_t sm)
{
    const uint64_t most = g->t + g->wheel_mask;

    if (s->alarm <= most) {
        wake_sm(g, sm, s->alarm);
        wake_at(g, s->alarm)->asked = true;
    } else if (g->sockets.look <= g->t) {
        g->sockets.look = most;
        (void)wake_at(g, most);
    }
}

void socket_wake(struct gpu *g, struct socket *s, uint32_t sm, uint64_t t)
{
    if (t < s->alarm || s->alarm <= g->t) {
        s->alarm = t;
        arm(g, s, sm);
    }
}

#define ARM_SM(i)        arm(g, &s->base, i)
#define ARM_SCHEDULER(i) arm(g, &s->base, i / g->schedulers)
#define ARM_CLUSTER(i)   (void)s /* its glue asks for none */
#define ARM_GPU(i)       (void)s
#define SOCKET(u, place, ...)                                                  \
    for (uint32_t i = 0u; g->sockets.u != NULL && i < g->sockets.n_##u; i++) { \
        const struct u##_socket *const s = &g->sockets.u[i];                   \
        if (s->base.alarm > g->t) {                                            \
            ARM_##place(i);                                                    \
        }                                                                      \
    }
void sockets_look(struct gpu *g)
{
#include "gpu/units/sockets.def"
}
