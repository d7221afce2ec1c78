/* rtl_peer - RTL beside the units of a run; see rtl_peer.h. */

#include "gpusched/run/rtl_peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "lockstep/shadow.h"
#include "tool/format.h"

/* A unit, and for each of them in the GPU what runs beside it. */
struct watched {
    struct gpu_unit unit;
    struct shadow **shadow;
    uint32_t n; /* 0: it is not watched */
};

/* What the GPU has at hand for one unit of a socket. */
struct seat {
    struct rtl_peer *peer;
    enum gpu_socket socket;
    uint32_t index;
    uint32_t first, last; /* in rtl_peer.watched: its parts, and last it itself */
    struct unit_watch watch;
};

struct rtl_peer {
    struct rtl_options options;
    struct gpu_peer hook;
    struct watched watched[GPU_MAX_UNITS];
    uint32_t n_watched;
    struct seat *seats[GPU_SOCKETS]; /* one for each of the socket's units */
    void *met[GPU_SOCKETS];          /* of each: the units' struct of events */
    bool lost;
    bool differs;
    uint32_t different; /* if so: which of watched */
    uint64_t where;
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

    for (uint32_t k = seat->first; k < seat->last; k++) {
        struct shadow *const shadow = shadow_at(seat, k);
        if (shadow != NULL && seat->peer->watched[k].unit.part == part) {
            shadow_eval(shadow, unit, in, out, next);
        }
    }
}

static bool is_stopped(const struct rtl_peer *peer)
{
    return peer->differs || peer->lost;
}

static void edge(struct rtl_peer *peer, uint32_t k, struct shadow *shadow, uint64_t gpu_cycle)
{
    if (shadow_edge(shadow, gpu_cycle)) {
        return;
    }
    peer->lost = shadow_lost(shadow);
    peer->differs = !peer->lost;
    peer->different = k;
    peer->where = gpu_cycle;
}

static bool evaluated(void *self, const void *unit, const void *in, void *out, const void *next,
                      uint64_t gpu_cycle)
{
    const struct seat *const seat = self;
    struct rtl_peer *const peer = seat->peer;
    struct shadow *const whole = shadow_at(seat, seat->last);

    if (is_stopped(peer)) {
        return false;
    }
    if (whole != NULL) {
        shadow_eval(whole, unit, in, out, next);
    }
    peer->watched[seat->last].unit.type->count(unit, in, out, peer->met[seat->socket]);
    for (uint32_t k = seat->first; k <= seat->last && !is_stopped(peer); k++) {
        struct shadow *const shadow = shadow_at(seat, k);
        if (shadow != NULL) {
            edge(peer, k, shadow, gpu_cycle);
        }
    }
    return !is_stopped(peer);
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

/* ---- Open and close ------------------------------------------------------------------ */

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
    return peer->seats[socket] != NULL && peer->met[socket] != NULL;
}

static struct shadow *open_shadow(const struct rtl_peer *peer, const struct gpu_unit *unit,
                                  const void *parameters, const char *library)
{
    const struct shadow_options options = {
        .rtl = peer->options.mode != RTL_OFF,
        .drive = peer->options.mode == RTL_DRIVE,
        .library = library,
        .built = peer->options.built,
        .vectors = peer->options.vectors,
        .origin = peer->origin,
        .name = peer->name,
        .folder = peer->options.mode != RTL_OFF ? places_reports() : NULL,
        .program = places_unit_tool(),
    };
    return shadow_open(unit->type->name, parameters, &options);
}

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

/* One beside each of the GPU's, all with the first one's library. Vectors are those of the
 * first. */
static bool open_watched(struct rtl_peer *peer, struct watched *w,
                         const struct gpu_config *config)
{
    const uint32_t n =
        peer->options.vectors != NULL ? 1u : gpu_socket_count(w->unit.socket, config);
    const char *library = peer->options.library;
    void *const parameters = parameters_of(&w->unit, config);
    bool good = parameters != NULL;

    w->shadow = calloc(n, sizeof *w->shadow);
    if (good && w->shadow == NULL) {
        fputs("no memory for the RTL\n", stderr);
        good = false;
    }
    for (uint32_t i = 0u; i < n && good; i++) {
        w->shadow[i] = open_shadow(peer, &w->unit, parameters, library);
        good = w->shadow[i] != NULL;
        w->n += good;
        library = good && peer->options.mode != RTL_OFF ? shadow_library(w->shadow[0]) : NULL;
    }
    free(parameters);
    return good;
}

static bool open_all(struct rtl_peer *peer, const struct gpu_config *config)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t set = peer->options.active ? rtl_units_active(peer->options.units, config)
                                              : peer->options.units;

    peer->n_watched = gpu_units(units);
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        struct watched *const w = &peer->watched[k];
        w->unit = units[k];
        if ((set >> k & 1u) != 0u && gpu_unit_there(&w->unit, config)
            && !open_watched(peer, w, config)) {
            return false;
        }
    }
    for (uint32_t s = 0u; s < GPU_SOCKETS; s++) {
        if (!make_seats(peer, (enum gpu_socket)s, config)) {
            fputs("no memory for the RTL\n", stderr);
            return false;
        }
    }
    return true;
}

struct rtl_peer *rtl_peer_open(const struct rtl_options *options,
                               const struct gpu_config *config, const char *workload,
                               const char *gpu)
{
    struct rtl_peer *const peer = calloc(1u, sizeof *peer);

    if (peer == NULL) {
        fputs("no memory for the RTL\n", stderr);
        return NULL;
    }
    peer->options = *options;
    peer->hook = (struct gpu_peer){ peer, take_seat, evaluated, settled };
    snprintf(peer->origin, sizeof peer->origin, "run        %.60s on %.60s", workload, gpu);
    snprintf(peer->name, sizeof peer->name, "%.60s",
             options->name != NULL ? options->name : workload);
    if (!open_all(peer, config)) {
        (void)rtl_peer_close(peer, false);
        return NULL;
    }
    return peer;
}

const struct gpu_peer *rtl_peer_hook(const struct rtl_peer *peer)
{
    return &peer->hook;
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

static uint64_t cycles_of(const struct watched *w)
{
    uint64_t cycles = 0u;

    for (uint32_t i = 0u; i < w->n; i++) {
        cycles += shadow_cycles(w->shadow[i]);
    }
    return cycles;
}

uint32_t rtl_peer_compared(const struct rtl_peer *peer,
                           struct rtl_compared units[GPU_MAX_UNITS], uint64_t *where)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct watched *const w = &peer->watched[k];
        if (w->n != 0u) {
            units[n++] = (struct rtl_compared){
                .unit = w->unit.type->name,
                .mode = peer->options.mode == RTL_DRIVE ? "drive" : "shadow",
                .source = shadow_source(w->shadow[0]),
                .instances = w->n,
                .cycles = cycles_of(w),
                .differences = peer->differs && peer->different == k,
            };
        }
    }
    *where = peer->where;
    return n;
}

/* The socket's units, or parts of them. */
static bool is_watched(const struct rtl_peer *peer, enum gpu_socket socket)
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
        if (unit->part == GPU_WHOLE && is_watched(peer, unit->socket)) {
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

bool rtl_peer_close(struct rtl_peer *peer, bool keep)
{
    bool ok = true;

    if (peer == NULL) {
        return true;
    }
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        for (uint32_t i = 0u; i < peer->watched[k].n; i++) {
            ok = shadow_close(peer->watched[k].shadow[i], keep) && ok;
        }
        free(peer->watched[k].shadow);
    }
    for (uint32_t s = 0u; s < GPU_SOCKETS; s++) {
        free(peer->seats[s]);
        free(peer->met[s]);
    }
    free(peer);
    return ok;
}
