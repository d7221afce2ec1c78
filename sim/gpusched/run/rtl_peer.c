/* rtl_peer - RTL beside the dispatch path of a run; see rtl_peer.h. */

#include "gpusched/run/rtl_peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "lockstep/shadow.h"
#include "tool/format.h"

const char *const rtl_unit_names[RTL_UNITS] = { "cta_scheduler", "claso", "work_distributor",
                                                "cluster_port" };

struct rtl_peer {
    struct rtl_options options;
    struct gpu_distributor_peer distributor;
    struct gpu_cluster_peer cluster;
    struct work_distributor_watch watch;
    struct shadow *shadow[RTL_UNITS]; /* NULL for a unit that is not watched */
    struct shadow *port[GPU_MAX_CLUSTER];
    uint32_t n_port;
    struct work_distributor_events met;
    struct cluster_port_events met_by_ports;
    bool lost;
    bool differs;
    enum rtl_unit different; /* if so */
    uint64_t where;
    char origin[160];
    char name[160];
};

/* ---- Options ------------------------------------------------------------------------- */

bool rtl_units_add(const char *name, size_t length, bool units[RTL_UNITS])
{
    for (int i = 0; i < RTL_UNITS; i++) {
        if (strlen(rtl_unit_names[i]) == length
            && strncmp(name, rtl_unit_names[i], length) == 0) {
            units[i] = true;
            return true;
        }
    }
    return false;
}

bool rtl_units_parse(const char *text, struct rtl_options *options, struct fault *fault)
{
    options->active = strcmp(text, "all") == 0;
    for (int i = 0; i < RTL_UNITS; i++) {
        options->units[i] = options->active;
    }
    for (const char *name = text; !options->active;) {
        const size_t length = strcspn(name, ",");
        if (!rtl_units_add(name, length, options->units)) {
            return fault_set(
                fault,
                "%.*s: cta_scheduler, claso, work_distributor, cluster_port or all is "
                "allowed",
                (int)length, name);
        }
        if (name[length] == '\0') {
            break;
        }
        name += length + 1u;
    }
    return true;
}

void rtl_units_active(const struct gpu_config *config, bool units[RTL_UNITS])
{
    units[RTL_CLASO] = units[RTL_CLASO] && config->claso.active_levels != 0u;
    units[RTL_CLUSTER_PORT] = units[RTL_CLUSTER_PORT] && (config->icc.entries != 0u);
}

/* ---- In a cycle ---------------------------------------------------------------------- */

static void watch_scheduler(void *self, const struct cta_scheduler *unit,
                            const struct cta_scheduler_in *in, struct cta_scheduler_out *out,
                            const struct cta_scheduler_next *next)
{
    const struct rtl_peer *const peer = self;
    shadow_eval(peer->shadow[RTL_CTA_SCHEDULER], unit, in, out, next);
}

static void watch_credits(void *self, const struct claso *unit, const struct claso_in *in,
                          struct claso_out *out, const struct claso_next *next)
{
    const struct rtl_peer *const peer = self;
    shadow_eval(peer->shadow[RTL_CLASO], unit, in, out, next);
}

static bool is_stopped(const struct rtl_peer *peer)
{
    return peer->differs || peer->lost;
}

/* The edge of one of the unit's instances. */
static void edge(struct rtl_peer *peer, enum rtl_unit unit, struct shadow *shadow,
                 uint64_t gpu_cycle)
{
    if (shadow_edge(shadow, gpu_cycle)) {
        return;
    }
    peer->lost = shadow_lost(shadow);
    peer->differs = !peer->lost;
    peer->different = unit;
    peer->where = gpu_cycle;
}

static bool evaluated(void *self, const struct work_distributor *unit,
                      const struct work_distributor_in *in, struct work_distributor_out *out,
                      const struct work_distributor_next *next, uint64_t cycle,
                      uint64_t gpu_cycle)
{
    struct rtl_peer *const peer = self;

    (void)cycle;
    if (is_stopped(peer)) {
        return false;
    }
    if (peer->shadow[RTL_WORK_DISTRIBUTOR] != NULL) {
        shadow_eval(peer->shadow[RTL_WORK_DISTRIBUTOR], unit, in, out, next);
    }
    work_distributor_count(unit, in, out, &peer->met);
    for (int i = 0; i < RTL_UNITS && !is_stopped(peer); i++) {
        if (peer->shadow[i] != NULL) {
            edge(peer, (enum rtl_unit)i, peer->shadow[i], gpu_cycle);
        }
    }
    return !is_stopped(peer);
}

static bool settled(void *self)
{
    const struct rtl_peer *const peer = self;

    for (int i = 0; i < RTL_UNITS; i++) {
        if (peer->shadow[i] != NULL && !shadow_settled(peer->shadow[i])) {
            return false;
        }
    }
    return true;
}

static bool port_evaluated(void *self, uint32_t cluster, const struct cluster_port *unit,
                           const struct cluster_port_in *in, struct cluster_port_out *out,
                           const struct cluster_port_next *next, uint64_t gpu_cycle)
{
    struct rtl_peer *const peer = self;

    if (is_stopped(peer) || cluster >= peer->n_port) {
        return !is_stopped(peer);
    }
    cluster_port_count(unit, in, out, &peer->met_by_ports);
    shadow_eval(peer->port[cluster], unit, in, out, next);
    edge(peer, RTL_CLUSTER_PORT, peer->port[cluster], gpu_cycle);
    return !is_stopped(peer);
}

static bool port_settled(void *self, uint32_t cluster)
{
    const struct rtl_peer *const peer = self;

    return cluster >= peer->n_port || shadow_settled(peer->port[cluster]);
}

/* ---- Open and close ------------------------------------------------------------------ */

static struct shadow *open_unit(const struct rtl_peer *peer, enum rtl_unit unit,
                                const void *config, const char *library)
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
    return shadow_open(rtl_unit_names[unit], config, &options);
}

/* The parameters of the units on a GPU. */
struct parameters {
    struct work_distributor model; /* of whose parts are those of the parts */
    struct cluster_port_config port;
    const void *of[RTL_UNITS];
};

/* NULL, with the reason on stderr, if there are none. To be freed. */
static struct parameters *parameters_of(const struct gpu_config *config)
{
    const struct work_distributor_config distributor = gpu_distributor_config(config);
    struct parameters *const parameters = malloc(sizeof *parameters);

    if (parameters == NULL
        || work_distributor_init(&parameters->model, &distributor) != work_distributor_ok) {
        fputs("no memory for the units' parameters\n", stderr);
        free(parameters);
        return NULL;
    }
    parameters->port = gpu_cluster_config(config);
    parameters->of[RTL_CTA_SCHEDULER] = &parameters->model.scheduler.config;
    parameters->of[RTL_CLASO] = &parameters->model.credits.config;
    parameters->of[RTL_WORK_DISTRIBUTOR] = &parameters->model.config;
    parameters->of[RTL_CLUSTER_PORT] = &parameters->port;
    return parameters;
}

bool rtl_unit_library(enum rtl_unit unit, const struct gpu_config *config, char *text,
                      size_t size)
{
    struct parameters *const parameters = parameters_of(config);
    const bool good =
        parameters != NULL
        && shadow_library_of(rtl_unit_names[unit], parameters->of[unit], text, size);

    free(parameters);
    return good;
}

/* A cluster's port each, all with the first one's library. Vectors are those of the first. */
static bool open_ports(struct rtl_peer *peer, const struct gpu_config *config,
                       const struct parameters *parameters)
{
    const uint32_t n = peer->options.vectors != NULL ? 1u : config->cluster.count;
    const char *library = peer->options.library;

    for (uint32_t i = 0u; i < n; i++) {
        peer->port[i] =
            open_unit(peer, RTL_CLUSTER_PORT, parameters->of[RTL_CLUSTER_PORT], library);
        if (peer->port[i] == NULL) {
            return false;
        }
        peer->n_port++;
        library = peer->options.mode == RTL_OFF ? NULL : shadow_library(peer->port[0]);
    }
    return true;
}

static bool open_all(struct rtl_peer *peer, const struct gpu_config *config)
{
    struct parameters *const parameters = parameters_of(config);
    const bool has_ports = config->icc.entries != 0u;
    bool ok = parameters != NULL;

    if (peer->options.active) {
        rtl_units_active(config, peer->options.units);
    }
    for (int i = 0; ok && i < RTL_CLUSTER_PORT; i++) {
        if (peer->options.units[i]) {
            peer->shadow[i] =
                open_unit(peer, (enum rtl_unit)i, parameters->of[i], peer->options.library);
            ok = peer->shadow[i] != NULL;
        }
    }
    if (ok && peer->options.units[RTL_CLUSTER_PORT] && has_ports) {
        ok = open_ports(peer, config, parameters);
    }
    free(parameters);
    return ok;
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
    snprintf(peer->origin, sizeof peer->origin, "run        %.60s on %.60s", workload, gpu);
    snprintf(peer->name, sizeof peer->name, "%.60s",
             options->name != NULL ? options->name : workload);
    if (!open_all(peer, config)) {
        (void)rtl_peer_close(peer, false);
        return NULL;
    }
    peer->watch = (struct work_distributor_watch){
        .self = peer,
        .scheduler = peer->shadow[RTL_CTA_SCHEDULER] != NULL ? watch_scheduler : NULL,
        .credits = peer->shadow[RTL_CLASO] != NULL ? watch_credits : NULL,
    };
    peer->distributor = (struct gpu_distributor_peer){ peer, &peer->watch, evaluated, settled };
    peer->cluster = (struct gpu_cluster_peer){ peer, port_evaluated, port_settled };
    return peer;
}

const struct gpu_distributor_peer *rtl_peer_distributor(const struct rtl_peer *peer)
{
    return &peer->distributor;
}

const struct gpu_cluster_peer *rtl_peer_cluster(const struct rtl_peer *peer)
{
    return peer->n_port == 0u ? NULL : &peer->cluster;
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

static uint64_t cycles_of(const struct rtl_peer *peer, enum rtl_unit unit)
{
    uint64_t cycles = 0u;

    if (unit != RTL_CLUSTER_PORT) {
        return shadow_cycles(peer->shadow[unit]);
    }
    for (uint32_t i = 0u; i < peer->n_port; i++) {
        cycles += shadow_cycles(peer->port[i]);
    }
    return cycles;
}

uint32_t rtl_peer_compared(const struct rtl_peer *peer, struct rtl_compared units[RTL_UNITS],
                           uint64_t *where)
{
    uint32_t n = 0u;

    for (int i = 0; i < RTL_UNITS; i++) {
        const uint32_t instances =
            i == RTL_CLUSTER_PORT ? peer->n_port : peer->shadow[i] != NULL;
        if (instances != 0u) {
            units[n++] = (struct rtl_compared){
                .unit = rtl_unit_names[i],
                .mode = peer->options.mode == RTL_DRIVE ? "drive" : "shadow",
                .source =
                    shadow_source(i == RTL_CLUSTER_PORT ? peer->port[0] : peer->shadow[i]),
                .instances = instances,
                .cycles = cycles_of(peer, (enum rtl_unit)i),
                .differences = peer->differs && (int)peer->different == i,
            };
        }
    }
    *where = peer->where;
    return n;
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
    struct rtl_compared units[RTL_UNITS];
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
    print_met(&work_distributor_type, &peer->met, to);
    if (peer->n_port != 0u) {
        print_met(&cluster_port_type, &peer->met_by_ports, to);
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

    for (int i = 0; peer != NULL && i < RTL_UNITS; i++) {
        ok = shadow_close(peer->shadow[i], keep) && ok;
    }
    for (uint32_t i = 0u; peer != NULL && i < GPU_MAX_CLUSTER; i++) {
        ok = shadow_close(peer->port[i], keep) && ok;
    }
    free(peer);
    return ok;
}
