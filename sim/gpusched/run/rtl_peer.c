/* rtl_peer - RTL beside the units of a run; see rtl_peer.h. */

#include "gpusched/run/rtl_peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "lockstep/shadow/shadow.h"
#include "tool/format.h"

/* A unit, and for each of them in the GPU what runs beside it. */
struct watched {
    struct gpu_unit unit;
    struct shadow **shadow; /* NULL for an instance that is not watched */
    uint32_t n;             /* 0: none is */
};

/* What the GPU has at hand for one unit of a socket. */
struct seat {
    struct rtl_peer *peer;
    enum gpu_socket socket;
    uint32_t index;
    uint32_t first, last; /* in rtl_peer.watched: its parts, and last it itself */
    struct unit_watch watch;
};

struct difference_place {
    uint32_t unit; /* which of watched */
    uint32_t instance;
    uint64_t where;
};

struct rtl_peer {
    struct rtl_options options;
    struct gpu_peer hook;
    struct shadows *shadows;
    struct watched watched[GPU_MAX_UNITS];
    uint32_t n_watched;
    struct seat *seats[GPU_SOCKETS]; /* one for each of the socket's units */
    void *met[GPU_SOCKETS];          /* of each: the units' struct of events */
    bool repeats;                    /* a run, up to the difference that `wanted` is about */
    struct difference_place wanted;
    bool lost;
    bool differs;
    struct difference_place different; /* if so */
    char origin[160];
    char name[160];
};

/* ---- In a cycle ---------------------------------------------------------------------- */

/* What runs beside a unit; NULL for nothing. */
static struct shadow *shadow_at(const struct seat *seat, uint32_t k)
{
    const struct watched *const w = &seat->peer->watched[k];

    return seat->index < w->n ? w->shadow[seat->index] : NULL;
}

static void part_evaluated(void *self, uint32_t part, const void *unit, const void *in,
                           void *out, const void *next)
{
    const struct seat *const seat = self;

    (void)unit;
    (void)next;
    for (uint32_t k = seat->first; k < seat->last; k++) {
        struct shadow *const shadow = shadow_at(seat, k);
        if (shadow != NULL && seat->peer->watched[k].unit.part == part) {
            shadow_eval(shadow, in, out);
        }
    }
}

static bool evaluated(void *self, const void *unit, const void *in, void *out, const void *next,
                      uint64_t gpu_cycle)
{
    const struct seat *const seat = self;
    struct rtl_peer *const peer = seat->peer;
    struct shadow *const whole = shadow_at(seat, seat->last);
    bool go_on = shadows_go_on(peer->shadows, gpu_cycle);

    (void)next;
    if (!go_on) {
        return false;
    }
    if (whole != NULL) {
        shadow_eval(whole, in, out);
    }
    if (whole == NULL || !shadow_counts(whole)) {
        peer->watched[seat->last].unit.type->count(unit, in, out, peer->met[seat->socket]);
    }
    for (uint32_t k = seat->first; k <= seat->last && go_on; k++) {
        struct shadow *const shadow = shadow_at(seat, k);
        go_on = shadow == NULL || shadow_edge(shadow, gpu_cycle);
    }
    return go_on;
}

static bool settled(void *self)
{
    const struct seat *const seat = self;

    for (uint32_t k = seat->first; k <= seat->last; k++) {
        const struct shadow *const shadow = shadow_at(seat, k);
        if (shadow != NULL && !shadow_settled(shadow)) {
            return false;
        }
    }
    return true;
}

/* The unit's twin steps through cycles that are left out. Its parts are shown what it shows
 * them, so that none may be. */
static bool follows(void *self)
{
    const struct seat *const seat = self;
    const struct shadow *const whole = shadow_at(seat, seat->last);

    for (uint32_t k = seat->first; k < seat->last; k++) {
        if (shadow_at(seat, k) != NULL) {
            return false;
        }
    }
    return whole != NULL && seat->peer->options.mode == RTL_SHADOW;
}

/* ---- Seats --------------------------------------------------------------------------- */

static void *take_seat(void *self, enum gpu_socket socket, uint32_t index,
                       const struct unit_watch **watch)
{
    struct rtl_peer *const peer = self;
    struct seat *const seat = &peer->seats[socket][index];
    bool any = false;

    for (uint32_t k = seat->first; k <= seat->last; k++) {
        any = any || shadow_at(seat, k) != NULL;
    }
    if (any) {
        *watch = &seat->watch;
    }
    return any ? seat : NULL;
}

static bool make_seats(struct rtl_peer *peer, enum gpu_socket socket,
                       const struct gpu_config *config)
{
    const uint32_t n = gpu_socket_count(socket, config);
    uint32_t first = 0u;

    while (peer->watched[first].unit.socket != socket) {
        first++;
    }
    uint32_t last = first;
    while (peer->watched[last].unit.part != GPU_WHOLE) {
        last++;
    }
    peer->met[socket] = calloc(1u, peer->watched[last].unit.type->events_size);
    peer->seats[socket] = calloc(n, sizeof *peer->seats[socket]);
    for (uint32_t i = 0u; i < n && peer->seats[socket] != NULL; i++) {
        struct seat *const seat = &peer->seats[socket][i];
        *seat = (struct seat){ peer, socket, i, first, last, { seat, part_evaluated } };
    }
    if (peer->seats[socket] == NULL || peer->met[socket] == NULL) {
        fputs("no memory for the RTL\n", stderr);
        return false;
    }
    return true;
}

/* ---- What is watched ----------------------------------------------------------------- */

/* The unit's parameters on a GPU; to be freed. NULL, with the reason on stderr. */
static void *parameters_of(const struct gpu_unit *unit, const struct gpu_config *config)
{
    void *const parameters = calloc(1u, unit->type->config_size);

    if (parameters == NULL || !gpu_unit_parameters(unit, config, parameters)) {
        fputs("no memory for the units' parameters\n", stderr);
        free(parameters);
        return NULL;
    }
    return parameters;
}

bool rtl_unit_library(const struct gpu_unit *unit, const struct gpu_config *config, char *text,
                      size_t size)
{
    void *const parameters = parameters_of(unit, config);
    const bool good =
        parameters != NULL && shadow_library_of(unit->type->name, parameters, text, size);

    free(parameters);
    return good;
}

struct unit *rtl_unit_open(const struct gpu_unit *unit, const struct gpu_config *config)
{
    void *const parameters = parameters_of(unit, config);
    struct unit *opened = NULL;
    struct fault fault;

    if (parameters != NULL) {
        opened = unit_open_config(unit->type->name, parameters, &fault);
        if (opened == NULL) {
            fprintf(stderr, "%s\n", fault_text(&fault));
        }
    }
    free(parameters);
    return opened;
}

/* In a repeated run that RTL does not drive, only what differs is watched. */
static bool is_watched(const struct rtl_peer *peer, uint32_t unit, uint32_t instance)
{
    return !peer->repeats || peer->options.mode == RTL_DRIVE
           || (peer->wanted.unit == unit && peer->wanted.instance == instance);
}

static struct shadow *open_shadow(const struct rtl_peer *peer, uint32_t unit, uint32_t instance,
                                  const void *parameters, const char *library)
{
    const struct unit_type *const type = peer->watched[unit].unit.type;
    const struct shadow_options options = {
        .library = library,
        .built = peer->options.built,
        .count = peer->options.mode == RTL_SHADOW && type->advance != NULL
                 && peer->watched[unit].unit.part == GPU_WHOLE,
        .vectors = peer->options.vectors,
        .report =
            peer->repeats && peer->wanted.unit == unit && peer->wanted.instance == instance,
    };
    return shadow_open(peer->shadows, type->name, parameters, &options);
}

/* One beside each of the GPU's, all with the first one's library. Vectors are those of the
 * first. */
static bool open_watched(struct rtl_peer *peer, uint32_t unit, const struct gpu_config *config)
{
    struct watched *const w = &peer->watched[unit];
    const uint32_t n =
        peer->options.vectors != NULL ? 1u : gpu_socket_count(w->unit.socket, config);
    const char *library = peer->options.library;
    void *const parameters = parameters_of(&w->unit, config);
    bool good = parameters != NULL;

    w->shadow = calloc(n, sizeof(struct shadow *));
    if (good && w->shadow == NULL) {
        fputs("no memory for the RTL\n", stderr);
        good = false;
    }
    w->n = good ? n : 0u;
    for (uint32_t i = 0u; i < n && good; i++) {
        if (is_watched(peer, unit, i)) {
            w->shadow[i] = open_shadow(peer, unit, i, parameters, library);
            good = w->shadow[i] != NULL;
            library =
                good && peer->options.mode != RTL_OFF ? shadow_library(w->shadow[i]) : NULL;
        }
    }
    free(parameters);
    return good;
}

static bool open_units(struct rtl_peer *peer, const struct gpu_config *config)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t set = peer->options.active ? rtl_units_active(peer->options.units, config)
                                              : peer->options.units;

    peer->n_watched = gpu_units(units);
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        struct watched *const w = &peer->watched[k];
        w->unit = units[k];
        if ((set >> k & 1u) != 0u && gpu_unit_there(&w->unit, config)
            && !open_watched(peer, k, config)) {
            return false;
        }
    }
    for (uint32_t s = 0u; s < GPU_SOCKETS; s++) {
        if (!make_seats(peer, (enum gpu_socket)s, config)) {
            return false;
        }
    }
    return true;
}

/* ---- Open and close ------------------------------------------------------------------ */

static const enum shadow_mode modes[] = {
    [RTL_OFF] = SHADOW_VECTORS,
    [RTL_SHADOW] = SHADOW_ASIDE,
    [RTL_DRIVE] = SHADOW_DRIVES,
};

static bool open_shadows(struct rtl_peer *peer)
{
    const struct shadows_options options = {
        .mode = modes[peer->options.mode],
        .threads = peer->options.threads,
        .last = peer->repeats ? peer->wanted.where : UINT64_MAX,
        .origin = peer->origin,
        .name = peer->name,
        .folder = peer->options.mode != RTL_OFF ? places_reports() : NULL,
        .program = places_unit_tool(),
    };

    peer->shadows = shadows_open(&options);
    return peer->shadows != NULL;
}

/* What it watches, and the threads for it. */
static struct rtl_peer *open_peer(struct rtl_peer *peer, const struct gpu_config *config)
{
    peer->hook = (struct gpu_peer){ peer, take_seat, evaluated, settled, follows };
    if (!open_shadows(peer) || !open_units(peer, config) || !shadows_start(peer->shadows)) {
        (void)rtl_peer_close(peer, false);
        return NULL;
    }
    return peer;
}

static struct rtl_peer *new_peer(void)
{
    struct rtl_peer *const peer = calloc(1u, sizeof *peer);

    if (peer == NULL) {
        fputs("no memory for the RTL\n", stderr);
    }
    return peer;
}

struct rtl_peer *rtl_peer_open(const struct rtl_options *options,
                               const struct gpu_config *config, const char *workload,
                               const char *gpu)
{
    struct rtl_peer *const peer = new_peer();

    if (peer == NULL) {
        return NULL;
    }
    peer->options = *options;
    snprintf(peer->origin, sizeof peer->origin, "run        %.60s on %.60s", workload, gpu);
    snprintf(peer->name, sizeof peer->name, "%.60s",
             options->name != NULL ? options->name : workload);
    return open_peer(peer, config);
}

struct rtl_peer *rtl_peer_again(const struct rtl_peer *first, const struct gpu_config *config)
{
    struct rtl_peer *const peer = new_peer();

    if (peer == NULL) {
        return NULL;
    }
    peer->options = first->options;
    memcpy(peer->origin, first->origin, sizeof peer->origin);
    memcpy(peer->name, first->name, sizeof peer->name);
    peer->repeats = true;
    peer->wanted = first->different;
    return open_peer(peer, config);
}

const struct gpu_peer *rtl_peer_hook(const struct rtl_peer *peer)
{
    return &peer->hook;
}

bool rtl_peer_close(struct rtl_peer *peer, bool keep)
{
    if (peer == NULL) {
        return true;
    }
    const bool good = shadows_close(peer->shadows, keep);
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        free(peer->watched[k].shadow);
    }
    for (uint32_t s = 0u; s < GPU_SOCKETS; s++) {
        free(peer->seats[s]);
        free(peer->met[s]);
    }
    free(peer);
    return good;
}

/* ---- The end ------------------------------------------------------------------------- */

/* Which unit's shadow it is. */
static struct difference_place place_of(const struct rtl_peer *peer,
                                        const struct shadow *shadow, uint64_t where)
{
    struct difference_place place = { .where = where };

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        for (uint32_t i = 0u; i < peer->watched[k].n; i++) {
            if (peer->watched[k].shadow[i] == shadow) {
                place.unit = k;
                place.instance = i;
            }
        }
    }
    return place;
}

/* The events that shadows have counted. */
static void add_met(struct rtl_peer *peer)
{
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct watched *const w = &peer->watched[k];
        for (uint32_t i = 0u; w->unit.part == GPU_WHOLE && i < w->n; i++) {
            if (w->shadow[i] != NULL) {
                shadow_met(w->shadow[i], peer->met[w->unit.socket]);
            }
        }
    }
}

void rtl_peer_end(struct rtl_peer *peer, uint64_t cycle)
{
    uint64_t where;

    shadows_end(peer->shadows, cycle);
    add_met(peer);
    const struct shadow *const first = shadows_first(peer->shadows, &where);
    peer->lost = shadows_lost(peer->shadows);
    peer->differs = !peer->lost && first != NULL;
    if (peer->differs) {
        peer->different = place_of(peer, first, where);
    } else if (!peer->lost && peer->repeats) {
        fprintf(stderr,
                "RTL and golden model of %s differ in cycle %" PRIu64
                ", and not when the run is repeated\n",
                peer->watched[peer->wanted.unit].unit.type->name, peer->wanted.where);
        peer->lost = true;
    }
}

void rtl_peer_give_up(struct rtl_peer *peer)
{
    peer->lost = true;
    peer->differs = false;
}

bool rtl_peer_differs(const struct rtl_peer *peer)
{
    return peer->differs;
}

bool rtl_peer_lost(const struct rtl_peer *peer)
{
    return peer->lost;
}

/* ---- What was compared --------------------------------------------------------------- */

uint32_t rtl_peer_compared(const struct rtl_peer *peer,
                           struct rtl_compared units[GPU_MAX_UNITS], uint64_t *where)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct watched *const w = &peer->watched[k];
        struct rtl_compared all = {
            .unit = w->unit.type->name,
            .mode = peer->options.mode == RTL_DRIVE ? "drive" : "shadow",
            .differences = peer->differs && peer->different.unit == k,
        };
        for (uint32_t i = 0u; i < w->n; i++) {
            if (w->shadow[i] != NULL) {
                all.source = shadow_source(w->shadow[i]);
                all.instances++;
                all.cycles += shadow_cycles(w->shadow[i]);
            }
        }
        if (all.instances != 0u) {
            units[n++] = all;
        }
    }
    *where = peer->different.where;
    return n;
}

/* The socket's units, or parts of them, are watched. */
static bool any_watched(const struct rtl_peer *peer, enum gpu_socket socket)
{
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        if (peer->watched[k].unit.socket == socket && peer->watched[k].n != 0u) {
            return true;
        }
    }
    return false;
}

static void print_met(const struct unit_type *type, const void *events, FILE *to)
{
    for (uint32_t i = 0u; i < type->n_event; i++) {
        const struct unit_event event = unit_event(type, i);
        fprintf(to, "  %-52s %14s\n", event.meaning,
                format_count(unit_event_met(&event, events)).text);
    }
}

void rtl_peer_print(const struct rtl_peer *peer, FILE *to)
{
    struct rtl_compared units[GPU_MAX_UNITS];
    uint64_t where;
    const uint32_t n = rtl_peer_compared(peer, units, &where);

    if (peer->options.mode == RTL_OFF) {
        for (uint32_t i = 0u; i < n; i++) {
            fprintf(to, "recorded  %s: %s cycles\n", units[i].unit,
                    format_count(units[i].cycles).text);
        }
        return;
    }
    fputs("\nMet beside RTL\n", to);
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct gpu_unit *const unit = &peer->watched[k].unit;
        if (unit->part == GPU_WHOLE && any_watched(peer, unit->socket)) {
            print_met(unit->type, peer->met[unit->socket], to);
        }
    }
    fprintf(to, "\nRTL in lockstep, %s\n  %-22s %14s %14s %14s  %s\n",
            peer->options.mode == RTL_DRIVE ? "drives the GPU" : "in the shadow", "unit",
            "instances", "cycles", "differences", "Verilog");
    for (uint32_t i = 0u; i < n; i++) {
        fprintf(to, "  %-22s %14" PRIu32 " %14s %14" PRIu32 "  %s\n", units[i].unit,
                units[i].instances, format_count(units[i].cycles).text, units[i].differences,
                units[i].source);
    }
}
