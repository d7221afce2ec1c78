/* socket - the cycle of each unit in the machine; see socket.h. */

#include "gpu/units/socket.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/wake.h"

/* ---- A cycle ------------------------------------------------------------------------- */

/* Inputs: what is between fields is 0, since all of them were before the glue filled them in.
 */
static inline bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Shows the cycle to who watches the unit. held: its inputs are those of the last. False: the
 * run stops, and what the outputs say is not done, since they may be anything. */
COLD static bool tell(struct gpu *g, struct socket *s, const void *unit, const void *in,
                      void *out, const void *next, bool held)
{
    const struct gpu_peer *const peer = g->hooks.peer;

    if (!peer->evaluated(s->seat, unit, in, out, next, g->t)) {
        g->end = GPU_STOPPED;
        return false;
    }
    s->restless = !held || (peer->settled != NULL && !peer->settled(s->seat));
    return true;
}

/* A cycle with the inputs that are there, which are, or are not, those of the last. The inputs
 * of a stepped unit in the cycles that are left out are those of its last. */
#define IS_CALLED  false
#define IS_STEPPED true
#define SOCKET(u, place, when, ...)                                                  \
    static void run_##u(struct gpu *g, struct u##_socket *s, uint32_t i, bool held)  \
    {                                                                                \
        if (UNLIKELY(s->base.seat != NULL)) {                                        \
            u##_eval_watched(&s->unit, &s->in, &s->out, &s->next, s->base.watch);    \
            if (!tell(g, &s->base, &s->unit, &s->in, &s->out, &s->next, held)) {     \
                return;                                                              \
            }                                                                        \
        } else {                                                                     \
            u##_eval(&s->unit, &s->in, &s->out, &s->next);                           \
        }                                                                            \
        u##_outputs(g, i, &s->in, &s->out);                                          \
        u##_tick(&s->unit, &s->next);                                                \
    }                                                                                \
    void u##_step(struct gpu *g, uint32_t i)                                         \
    {                                                                                \
        struct u##_socket *const s = &g->sockets.u[i];                               \
        const bool watched = s->base.seat != NULL;                                   \
        struct u##_in last;                                                          \
        if (UNLIKELY(watched)) {                                                     \
            memcpy(&last, &s->in, sizeof last);                                      \
        }                                                                            \
        memset(&s->in, 0, sizeof s->in);                                             \
        u##_inputs(g, i, &s->in);                                                    \
        run_##u(g, s, i, !watched || IS_##when || same(&last, &s->in, sizeof last)); \
    }
#include "gpu/units/sockets.def"

/* ---- Units that are stepped ---------------------------------------------------------- */

/* The cycles before cycle t that were left out. */
static void make_up(const struct unit_type *type, void *unit, const void *in, struct socket *s,
                    uint64_t t)
{
    const uint64_t n = t - s->last - 1u;

    if (s->last >= t) { /* asked after its step, in the same cycle */
        return;
    }
    if (n != 0u && type->advance != NULL) {
        type->advance(unit, in, n);
    }
    s->last = t - 1u;
}

/* The next cycle may be left out, if its inputs are these; where somebody watches who does not
 * follow it, only if nothing changes in it. */
static bool may_rest(const struct unit_type *type, const struct socket *s, const void *unit,
                     const void *in)
{
    return (type->advance != NULL && (s->seat == NULL || s->followed))
           || (type->quiet != NULL && type->quiet(unit, in));
}

static bool has_stepped(const uint64_t sm[3], uint32_t i)
{
    return (sm[i >> 6] >> (i & 63u) & 1u) != 0u;
}

/* Its cycle is like those that are left out, if its inputs are. */
static bool may_go_on(const struct gpu *g, const struct socket *s)
{
    return !s->restless && !s->pulse && s->alarm != g->t
           && (g->mode & (GPU_STEP_ALL | GPU_FUZZ)) == 0u;
}

#define IS_DUE_GPU       true
#define IS_DUE_CLUSTER   true
#define IS_DUE_SM        has_stepped(sm, i)
#define IS_DUE_SCHEDULER has_stepped(sm, i / g->schedulers)

/* Of units 64 * word and on: those that are not in it are not due. */
#define MAYBE_DUE_GPU(u, word)     UINT64_MAX
#define MAYBE_DUE_CLUSTER(u, word) UINT64_MAX
#define MAYBE_DUE_SM(u, word) \
    (g->sockets.called ? UINT64_MAX : sm[word] | g->sockets.u##_restless[word])
#define MAYBE_DUE_SCHEDULER(u, word) UINT64_MAX

static uint64_t first_of(uint32_t n)
{
    return n < 64u ? BIT(n) - 1u : UINT64_MAX;
}

static void set_bit(uint64_t *word, uint32_t i, bool value)
{
    *word = (*word & ~BIT(i & 63u)) | (uint64_t)value << (i & 63u);
}

#define STEP_CALLED(u, place)
#define STEP_STEPPED(u, place)                                                               \
    for (uint32_t word = 0u; word * 64u < g->sockets.n_##u; word++) {                        \
        uint64_t set = MAYBE_DUE_##place(u, word) & first_of(g->sockets.n_##u - 64u * word); \
        for (; set != 0u; set &= set - 1u) {                                                 \
            const uint32_t i = 64u * word + lowest(set);                                     \
            struct u##_socket *const s = &g->sockets.u[i];                                   \
            struct u##_in last;                                                              \
            if (!IS_DUE_##place && !s->base.restless && !g->sockets.called) {                \
                continue;                                                                    \
            }                                                                                \
            memcpy(&last, &s->in, sizeof last);                                              \
            memset(&s->in, 0, sizeof s->in);                                                 \
            s->base.pulse = false;                                                           \
            u##_inputs(g, i, &s->in);                                                        \
            if (may_go_on(g, &s->base) && same(&last, &s->in, sizeof last)) {                \
                continue;                                                                    \
            }                                                                                \
            make_up(&u##_type, &s->unit, &last, &s->base, g->t);                             \
            s->base.restless = false;                                                        \
            run_##u(g, s, i, true);                                                          \
            s->base.last = g->t;                                                             \
            s->base.restless = s->base.restless || s->base.pulse                             \
                               || !may_rest(&u##_type, &s->base, &s->unit, &s->in);          \
            set_bit(&g->sockets.u##_restless[word], i, s->base.restless);                    \
            again = again || s->base.restless;                                               \
        }                                                                                    \
    }

void sockets_step(struct gpu *g, const uint64_t sm[3])
{
    bool again = false;

    g->sockets.sm = sm;
#define SOCKET(u, place, when, ...) STEP_##when(u, place)
#include "gpu/units/sockets.def"
    g->sockets.called = false;
    if (again) {
        (void)wake_at(g, g->t + 1u);
    }
}

#define SETTLE_CALLED(u)
#define SETTLE_STEPPED(u)                                                      \
    for (uint32_t i = 0u; g->sockets.u != NULL && i < g->sockets.n_##u; i++) { \
        struct u##_socket *const s = &g->sockets.u[i];                         \
        make_up(&u##_type, &s->unit, &s->in, &s->base, g->t);                  \
    }

void sockets_settle(struct gpu *g)
{
    (void)g;
#define SOCKET(u, place, when, ...) SETTLE_##when(u)
#include "gpu/units/sockets.def"
}

/* ---- Open and close ------------------------------------------------------------------ */

static void seat(const struct gpu *g, struct socket *s, enum gpu_socket which, uint32_t i)
{
    const struct gpu_peer *const peer = g->hooks.peer;

    if (peer != NULL) {
        s->seat = peer->seat(peer->self, which, i, &s->watch);
        s->followed = s->seat != NULL && peer->follows != NULL && peer->follows(s->seat);
    }
}

#define SOCKET(u, place, when, ...)                                                          \
    static bool open_##u(struct gpu *g)                                                      \
    {                                                                                        \
        const struct gpu_unit whole = { &u##_type, SOCKET_##u, GPU_WHOLE };                  \
        const uint32_t n = gpu_socket_count(SOCKET_##u, &g->config);                         \
        struct u##_config parameters;                                                        \
        if (!gpu_unit_active(&whole, &g->config)) {                                          \
            return true;                                                                     \
        }                                                                                    \
        g->sockets.u = calloc(n, sizeof *g->sockets.u);                                      \
        if (g->sockets.u == NULL || !gpu_unit_parameters(&whole, &g->config, &parameters)) { \
            return false;                                                                    \
        }                                                                                    \
        for (uint32_t i = 0u; i < n; i++) {                                                  \
            const enum u##_error error = u##_init(&g->sockets.u[i].unit, &parameters);       \
            assert(error == u##_ok); /* the configuration's ranges are within these */       \
            (void)error;                                                                     \
            seat(g, &g->sockets.u[i].base, SOCKET_##u, i);                                   \
            g->sockets.u[i].base.restless = IS_##when; /* its first cycle is stepped */      \
            set_bit(&g->sockets.u##_restless[i / 64u], i, IS_##when);                        \
        }                                                                                    \
        g->sockets.n_##u = n;                                                                \
        g->sockets.stepped = g->sockets.stepped || IS_##when;                                \
        return true;                                                                         \
    }
#include "gpu/units/sockets.def"

bool sockets_open(struct gpu *g)
{
#define SOCKET(u, ...) open_##u(g) &&
    return
#include "gpu/units/sockets.def"
        true;
}

void sockets_close(struct gpu *g)
{
#define SOCKET(u, ...) free(g->sockets.u);
#include "gpu/units/sockets.def"
}
