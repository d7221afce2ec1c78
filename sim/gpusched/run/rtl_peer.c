/* rtl_peer - RTL beside the units of a run; see rtl_peer.h. */

#include "gpusched/run/rtl_peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "gpusched/run/rtl_peer_parts.h"
#include "lockstep/rtl.h"

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
    if (seat->parts) {
        shadow_part(shadow_at(seat, seat->last), part, out);
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

/* So that the run need not evaluate it. */
static bool evaluates(void *self)
{
    const struct seat *const seat = self;
    const struct shadow *const whole = shadow_at(seat, seat->last);

    return whole != NULL && shadow_alone(whole);
}

/* ---- Seats --------------------------------------------------------------------------- */

/* Some part is compared in its RTL. */
static bool has_parts(const struct rtl_peer *peer, uint32_t unit)
{
    for (uint32_t k = 0u; k < unit; k++) {
        if (peer->watched[k].within == &peer->watched[unit]) {
            return true;
        }
    }
    return false;
}

static void *take_seat(void *self, enum gpu_socket socket, uint32_t index,
                       const struct unit_watch **watch)
{
    struct rtl_peer *const peer = self;
    struct seat *const seat = &peer->seats[socket][index];
    bool any = false;

    for (uint32_t k = seat->first; k <= seat->last; k++) {
        any = any || shadow_at(seat, k) != NULL;
    }
    seat->parts = shadow_at(seat, seat->last) != NULL && has_parts(peer, seat->last);
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
        *seat = (struct seat){ .peer = peer,
                               .socket = socket,
                               .index = i,
                               .first = first,
                               .last = last,
                               .watch = { seat, part_evaluated } };
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

/* In a repeated run, the report may be about it: it has differed, or it is a part that was
 * compared in what has. A part alone comes first, and then the report is about it. */
static bool is_reported(const struct rtl_peer *peer, uint32_t unit, uint32_t instance)
{
    const struct watched *const wanted = &peer->watched[peer->wanted.unit];

    return peer->repeats && peer->wanted.instance == instance
           && (peer->wanted.unit == unit || peer->watched[unit].within == wanted);
}

/* In a repeated run that RTL does not drive, only what differs is watched; in others, parts are
 * where their composition is. */
static bool is_watched(const struct rtl_peer *peer, uint32_t unit, uint32_t instance)
{
    return peer->repeats ? peer->options.mode == RTL_DRIVE || is_reported(peer, unit, instance)
                         : peer->watched[unit].within == NULL;
}

static struct shadow *open_shadow(const struct rtl_peer *peer, uint32_t unit, uint32_t instance,
                                  const void *parameters, const char *library)
{
    const struct gpu_unit *const watched = &peer->watched[unit].unit;
    const struct unit_type *const type = watched->type;
    const bool counts =
        peer->options.mode == RTL_SHADOW && type->advance != NULL && watched->part == GPU_WHOLE;
    const struct shadow_options options = {
        .library = library,
        .built = peer->options.built,
        .alone = counts && gpu_unit_observes(watched->socket) && !peer->repeats
                 && !peer->options.every && !has_parts(peer, unit),
        .count = counts,
        .every = peer->options.every,
        .parts = has_parts(peer, unit),
        .vectors = peer->options.vectors,
        .report = is_reported(peer, unit, instance),
    };
    return shadow_open(peer->shadows, type->name, parameters, &options);
}

/* What runs open is built before them; a part that was compared in its composition's RTL may
 * have none of its own when the run is repeated. */
static bool build_again(const struct rtl_peer *peer, const struct gpu_unit *unit,
                        const struct gpu_config *config)
{
    char file[PLACES_PATH];

    return !peer->repeats || !peer->options.built || peer->options.library != NULL
           || (rtl_unit_library(unit, config, file, sizeof file)
               && rtl_build_all(&(const char *){ file }, 1u, true));
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
            w->shadow[i] = build_again(peer, &w->unit, config)
                               ? open_shadow(peer, unit, i, parameters, library)
                               : NULL;
            good = w->shadow[i] != NULL;
            library =
                good && peer->options.mode != RTL_OFF ? shadow_library(w->shadow[i]) : NULL;
        }
    }
    free(parameters);
    return good;
}

/* Which units are to be watched, and which of them in another's RTL: in the shadow the parts of
 * a composition that is watched, too, if the RTL is the repository's. What is given for a part
 * may be another RTL than that in the composition. */
static uint32_t choose_units(struct rtl_peer *peer, const struct gpu_config *config)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    uint32_t set = peer->options.active ? rtl_units_active(peer->options.units, config)
                                        : peer->options.units;
    const uint32_t alone = peer->options.mode == RTL_SHADOW && peer->options.library == NULL
                               ? rtl_units_alone(set)
                               : set;
    uint32_t whole = 0u;

    peer->n_watched = gpu_units(units);
    for (uint32_t k = peer->n_watched; k-- != 0u;) { /* a composition stands behind its parts */
        peer->watched[k].unit = units[k];
        if (!gpu_unit_there(&units[k], config)) {
            set &= ~(1u << k);
        }
        whole = units[k].part == GPU_WHOLE ? k : whole;
        if ((set >> k & ~(alone >> k) & 1u) != 0u) {
            peer->watched[k].within = &peer->watched[whole];
        }
    }
    return set;
}

static bool open_units(struct rtl_peer *peer, const struct gpu_config *config)
{
    const uint32_t set = choose_units(peer, config);

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        if ((set >> k & 1u) != 0u && !open_watched(peer, k, config)) {
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
    peer->hook = (struct gpu_peer){ peer, take_seat, evaluated, settled, follows, evaluates };
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
