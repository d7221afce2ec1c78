/* socket - the cycle of each unit in the machine; see socket.h. */

#include "gpu/units/socket.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/wake.h"

/* ---- A cycle ------------------------------------------------------------------------- */

/* How long a struct of inputs is, where the compiler cannot see it. For a length that it knows
 * it would fill and copy by an instruction that takes longer to begin than the C library to
 * end. */
#define IN_BYTES(u) u##_type.group_size[UNIT_IN]

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
#define IS_SUMMED  true
#define IS_COUNTED true
#define IS_EVENTS  true
#define SOCKET(u, place, when, ...)                                                  \
    static void run_##u(struct gpu *g, struct u##_socket *s, uint32_t i, bool held)  \
    {                                                                                \
        if (s->base.elsewhere) {                                                     \
            (void)tell(g, &s->base, NULL, &s->in, NULL, NULL, held);                 \
            return;                                                                  \
        }                                                                            \
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
            memcpy(&last, &s->in, IN_BYTES(u));                                      \
        }                                                                            \
        memset(&s->in, 0, IN_BYTES(u));                                              \
        u##_inputs(g, i, &s->in);                                                    \
        run_##u(g, s, i, !watched || IS_##when || same(&last, &s->in, sizeof last)); \
    }
#include "gpu/units/sockets.def"

/* ---- Units that are stepped ---------------------------------------------------------- */

/* How many cycles before cycle t were left out; they are made up for. */
static uint64_t left_out(struct socket *s, uint64_t t)
{
    const uint64_t n = s->last < t ? t - s->last - 1u : 0u; /* t: asked after its step */

    s->last += n;
    return s->elsewhere ? 0u : n;
}

static void advance(const struct unit_type *type, void *unit, const void *in, uint64_t n)
{
    if (n != 0u && type->advance != NULL) {
        type->advance(unit, in, n);
    }
}

#define MAKE_UP_STEPPED(u, i, s, in, n) advance(&u##_type, &(s)->unit, in, n)
#define MAKE_UP_EVENTS(u, i, s, in, n)  MAKE_UP_STEPPED(u, i, s, in, n)
#define MAKE_UP_SUMMED(u, i, s, in, n)            \
    do {                                          \
        const uint64_t cycles = n;                \
        if (!g->sockets.sums) {                   \
            MAKE_UP_STEPPED(u, i, s, in, cycles); \
        } else if (cycles != 0u) {                \
            u##_make_up(g, i, in, cycles);        \
        }                                         \
    } while (false)
#define MAKE_UP_COUNTED(u, i, s, in, n)           \
    do {                                          \
        const uint64_t cycles = n;                \
        if (!g->sockets.sums) {                   \
            MAKE_UP_STEPPED(u, i, s, in, cycles); \
        } else {                                  \
            u##_make_up(g, i, in, cycles);        \
        }                                         \
    } while (false)

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

/* Told of sums, it has nothing to do in a cycle in which only classes or counts of
 * instructions may have changed. */
#define LEAVES_STEPPED(place, s, i) false
#define LEAVES_SUMMED(place, s, i) \
    (g->sockets.sums && (s)->alarm != g->t && !HAPPENS_##place(i))
#define LEAVES_COUNTED(place, s, i) LEAVES_SUMMED(place, s, i)
#define LEAVES_EVENTS(place, s, i)  LEAVES_SUMMED(place, s, i)
#define HAPPENS_GPU(i)              g->sockets.happened
#define HAPPENS_SM(i)               has_stepped(g->sockets.event, i)

#define IS_DUE_GPU       true
#define IS_DUE_CLUSTER   true
#define IS_DUE_SM        has_stepped(sm, i)
#define IS_DUE_SCHEDULER has_stepped(sm, i / g->schedulers)

/* SMs of which those of its units may be due that are told of sums. */
static uint64_t happening(const struct gpu *g, const uint64_t sm[3], uint32_t word)
{
    return g->sockets.sums && !g->sockets.asked ? g->sockets.event[word] : sm[word];
}

/* Of units 64 * word and on: those that are not in it are not due. */
#define MAYBE_DUE_GPU(u, when, word)     UINT64_MAX
#define MAYBE_DUE_CLUSTER(u, when, word) UINT64_MAX
#define MAYBE_DUE_SM(u, when, word) \
    (called ? UINT64_MAX : SMS_##when(word) | g->sockets.u##_restless[word])
#define MAYBE_DUE_SCHEDULER(u, when, word) UINT64_MAX
#define SMS_STEPPED(word)                  sm[word]
#define SMS_SUMMED(word)                   happening(g, sm, word)
#define SMS_COUNTED(word)                  happening(g, sm, word)
#define SMS_EVENTS(word)                   happening(g, sm, word)

static uint64_t first_of(uint32_t n)
{
    return n < 64u ? BIT(n) - 1u : UINT64_MAX;
}

static void set_bit(uint64_t *word, uint32_t i, bool value)
{
    *word = (*word & ~BIT(i & 63u)) | (uint64_t)value << (i & 63u);
}

#define STEP_CALLED(u, place, when)
#define STEP_SUMMED(u, place, when)  STEP_STEPPED(u, place, when)
#define STEP_COUNTED(u, place, when) STEP_STEPPED(u, place, when)
#define STEP_EVENTS(u, place, when)  STEP_STEPPED(u, place, when)
#define STEP_STEPPED(u, place, when)                                                    \
    for (uint32_t word = 0u; word * 64u < g->sockets.n_##u; word++) {                   \
        uint64_t set =                                                                  \
            MAYBE_DUE_##place(u, when, word) & first_of(g->sockets.n_##u - 64u * word); \
        for (; set != 0u; set &= set - 1u) {                                            \
            const uint32_t i = 64u * word + lowest(set);                                \
            struct u##_socket *const s = &g->sockets.u[i];                              \
            struct u##_in last;                                                         \
            if (!called && !s->base.restless                                            \
                && (!IS_DUE_##place || LEAVES_##when(place, &s->base, i))) {            \
                continue;                                                               \
            }                                                                           \
            memcpy(&last, &s->in, IN_BYTES(u));                                         \
            memset(&s->in, 0, IN_BYTES(u));                                             \
            s->base.pulse = false;                                                      \
            u##_inputs(g, i, &s->in);                                                   \
            if (may_go_on(g, &s->base) && same(&last, &s->in, sizeof last)) {           \
                continue;                                                               \
            }                                                                           \
            MAKE_UP_##when(u, i, s, &last, left_out(&s->base, g->t));                   \
            s->base.restless = false;                                                   \
            run_##u(g, s, i, true);                                                     \
            s->base.last = g->t;                                                        \
            s->base.restless = s->base.restless || s->base.pulse                        \
                               || !may_rest(&u##_type, &s->base, &s->unit, &s->in);     \
            set_bit(&g->sockets.u##_restless[word], i, s->base.restless);               \
            again = again || s->base.restless;                                          \
        }                                                                               \
    }

static void note_events(struct gpu *g)
{
    const struct gpu_record *const r = &g->record;

    g->sockets.happened =
        (r->n_started | r->n_ended | r->n_kernel) != 0u || g->n_resident != g->sockets.resident;
    g->sockets.resident = g->n_resident;
    memset(g->sockets.event, 0, sizeof g->sockets.event);
    for (uint32_t k = 0u; k < r->n_started; k++) {
        set_bit(&g->sockets.event[r->started[k].sm / 64u], r->started[k].sm, true);
    }
    for (uint32_t k = 0u; k < r->n_ended; k++) {
        set_bit(&g->sockets.event[r->ended[k].sm / 64u], r->ended[k].sm, true);
    }
}

void sockets_step(struct gpu *g, const struct wake *w)
{
    const uint64_t *const sm = w->sm;
    const bool called = g->sockets.called;
    bool again = false;

    if (g->sockets.sums) {
        note_events(g);
    }
    if (UNLIKELY(g->sockets.look == g->t)) {
        sockets_look(g);
    }
    g->sockets.sm = sm;
    g->sockets.asked = w->asked;
    g->sockets.called = false; /* unless one calls them for the next cycle */
#define SOCKET(u, place, when, ...) STEP_##when(u, place, when)
#include "gpu/units/sockets.def"
    if (again || g->sockets.called) {
        (void)wake_at(g, g->t + 1u);
    }
}

#define SETTLE_CALLED(u, when)
#define SETTLE_SUMMED(u, when)  SETTLE_STEPPED(u, when)
#define SETTLE_COUNTED(u, when) SETTLE_STEPPED(u, when)
#define SETTLE_EVENTS(u, when)  SETTLE_STEPPED(u, when)
#define SETTLE_STEPPED(u, when)                                                \
    for (uint32_t i = 0u; g->sockets.u != NULL && i < g->sockets.n_##u; i++) { \
        struct u##_socket *const s = &g->sockets.u[i];                         \
        MAKE_UP_##when(u, i, s, &s->in, left_out(&s->base, g->t));             \
    }

void sockets_settle(struct gpu *g)
{
    (void)g;
#define SOCKET(u, place, when, ...) SETTLE_##when(u, when)
#include "gpu/units/sockets.def"
}

/* ---- Open and close ------------------------------------------------------------------ */

/* Inputs of the unit may be sums, if nobody watches it. */
#define SUMS_CALLED  false
#define SUMS_STEPPED false
#define SUMS_SUMMED  true
#define SUMS_COUNTED true
#define SUMS_EVENTS  false

static void seat(const struct gpu *g, struct socket *s, enum gpu_socket which, uint32_t i)
{
    const struct gpu_peer *const peer = g->hooks.peer;

    if (peer != NULL) {
        s->seat = peer->seat(peer->self, which, i, &s->watch);
        s->followed = s->seat != NULL && peer->follows != NULL && peer->follows(s->seat);
        s->elsewhere = s->followed && gpu_unit_observes(which) && peer->evaluates != NULL
                       && peer->evaluates(s->seat);
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
            g->sockets.exact =                                                               \
                g->sockets.exact || (SUMS_##when && g->sockets.u[i].base.seat != NULL);      \
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
