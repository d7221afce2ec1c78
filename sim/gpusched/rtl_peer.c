/* rtl_peer - RTL beside the dispatch path of a run; see rtl_peer.h. */

#include "rtl_peer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "shadow.h"

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
    bool differs;
    char origin[160];
    char name[160];
};

/* ---- Options ---------------------------------------------------------------------- */

static bool add_unit(const char *name, size_t length, bool units[RTL_UNITS])
{
    if (length == 3u && strncmp(name, "all", length) == 0) {
        units[RTL_WORK_DISTRIBUTOR] = units[RTL_CLUSTER_PORT] = true;
        return true;
    }
    for (int i = 0; i < RTL_UNITS; i++) {
        if (strlen(rtl_unit_names[i]) == length
            && strncmp(name, rtl_unit_names[i], length) == 0) {
            units[i] = true;
            return true;
        }
    }
    return false;
}

bool rtl_units_parse(const char *text, bool units[RTL_UNITS], char *message, size_t size)
{
    memset(units, 0, RTL_UNITS * sizeof units[0]);
    for (const char *name = text;;) {
        const size_t length = strcspn(name, ",");
        if (!add_unit(name, length, units)) {
            snprintf(message, size,
                     "%.*s: cta_scheduler, claso, work_distributor, cluster_port or all is "
                     "allowed",
                     (int)length, name);
            return false;
        }
        if (name[length] == '\0') {
            return true;
        }
        name += length + 1u;
    }
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

static bool evaluated(void *self, const struct work_distributor *unit,
                      const struct work_distributor_in *in, struct work_distributor_out *out,
                      const struct work_distributor_next *next, uint64_t cycle,
                      uint64_t gpu_cycle)
{
    struct rtl_peer *const peer = self;

    (void)cycle;
    if (peer->differs) {
        return false; /* the RTL has stopped */
    }
    if (peer->shadow[RTL_WORK_DISTRIBUTOR] != NULL) {
        shadow_eval(peer->shadow[RTL_WORK_DISTRIBUTOR], unit, in, out, next);
    }
    for (int i = 0; i < RTL_UNITS && !peer->differs; i++) {
        peer->differs = peer->shadow[i] != NULL && !shadow_edge(peer->shadow[i], gpu_cycle);
    }
    return !peer->differs;
}

static bool port_evaluated(void *self, uint32_t cluster, const struct cluster_port *unit,
                           const struct cluster_port_in *in, struct cluster_port_out *out,
                           const struct cluster_port_next *next, uint64_t gpu_cycle)
{
    struct rtl_peer *const peer = self;

    if (peer->differs) {
        return false;
    }
    shadow_eval(peer->port[cluster], unit, in, out, next);
    peer->differs = !shadow_edge(peer->port[cluster], gpu_cycle);
    return !peer->differs;
}

/* ---- Open and close ------------------------------------------------------------------- */

static struct shadow *open_unit(const struct rtl_peer *peer, enum rtl_unit unit,
                                const void *config, const char *library)
{
    const struct shadow_options options = {
        .rtl = peer->options.mode != RTL_OFF,
        .drive = peer->options.mode == RTL_DRIVE,
        .library = library,
        .vectors = peer->options.vectors,
        .origin = peer->origin,
        .name = peer->name,
        .folder = GPUSCHED_BUILD "/report",
        .program = GPUSCHED_BUILD "/gpusched-unit",
    };
    return shadow_open(rtl_unit_names[unit], config, &options);
}

/* A cluster's port each, all with the first one's library. */
static bool open_ports(struct rtl_peer *peer, const struct gpu_config *config)
{
    const struct cluster_port_config parameters = gpu_cluster_config(config);
    const char *library = peer->options.library;

    if (!peer->options.units[RTL_CLUSTER_PORT]
        || (config->icc.entries == 0u && config->icc.lines == 0u)) {
        return true;
    }
    for (uint32_t i = 0u; i < config->cluster.count; i++) {
        peer->port[i] = open_unit(peer, RTL_CLUSTER_PORT, &parameters, library);
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
    const struct work_distributor_config parameters = gpu_distributor_config(config);
    struct work_distributor *const model = malloc(sizeof *model);
    bool ok = model != NULL && work_distributor_init(model, &parameters) == work_distributor_ok;

    for (int i = 0; ok && i < RTL_CLUSTER_PORT; i++) {
        const void *const part[RTL_CLUSTER_PORT] = { &model->scheduler.config,
                                                     &model->credits.config, &model->config };
        if (peer->options.units[i]) {
            peer->shadow[i] = open_unit(peer, (enum rtl_unit)i, part[i], peer->options.library);
            ok = peer->shadow[i] != NULL;
        }
    }
    free(model);
    return ok && open_ports(peer, config);
}

struct rtl_peer *rtl_peer_open(const struct rtl_options *options,
                               const struct gpu_config *config, const char *workload,
                               const char *gpu)
{
    struct rtl_peer *const peer = calloc(1u, sizeof *peer);

    if (peer == NULL) {
        return NULL;
    }
    peer->options = *options;
    snprintf(peer->origin, sizeof peer->origin, "run        %.60s on %.60s", workload, gpu);
    snprintf(peer->name, sizeof peer->name, "%.60s", workload);
    if (!open_all(peer, config)) {
        (void)rtl_peer_close(peer);
        return NULL;
    }
    peer->watch = (struct work_distributor_watch){
        .self = peer,
        .scheduler = peer->shadow[RTL_CTA_SCHEDULER] != NULL ? watch_scheduler : NULL,
        .credits = peer->shadow[RTL_CLASO] != NULL ? watch_credits : NULL,
    };
    peer->distributor = (struct gpu_distributor_peer){ peer, &peer->watch, evaluated };
    peer->cluster = (struct gpu_cluster_peer){ peer, port_evaluated };
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

static void print_ports(const struct rtl_peer *peer, FILE *to)
{
    uint64_t cycles = 0u;

    for (uint32_t i = 0u; i < peer->n_port; i++) {
        cycles += shadow_cycles(peer->port[i]);
    }
    if (peer->n_port != 0u) {
        fprintf(to,
                "rtl       %" PRIu32 " x cluster_port %s: equal in %s cycles of the units\n",
                peer->n_port, peer->options.mode == RTL_DRIVE ? "drive" : "in the shadow",
                format_count(cycles).text);
    }
}

void rtl_peer_print(const struct rtl_peer *peer, FILE *to)
{
    print_ports(peer, to);
    for (int i = 0; i < RTL_UNITS; i++) {
        if (peer->shadow[i] == NULL) {
            continue;
        }
        const char *const cycles = format_count(shadow_cycles(peer->shadow[i])).text;
        if (peer->options.mode == RTL_OFF) {
            fprintf(to, "recorded  %s: %s cycles\n", rtl_unit_names[i], cycles);
        } else {
            fprintf(to, "rtl       %s %s: equal in %s cycles of the unit\n", rtl_unit_names[i],
                    peer->options.mode == RTL_DRIVE ? "drives" : "in the shadow", cycles);
        }
    }
}

bool rtl_peer_close(struct rtl_peer *peer)
{
    bool ok = true;

    for (int i = 0; peer != NULL && i < RTL_UNITS; i++) {
        ok = shadow_close(peer->shadow[i]) && ok;
    }
    for (uint32_t i = 0u; peer != NULL && i < GPU_MAX_CLUSTER; i++) {
        ok = shadow_close(peer->port[i]) && ok;
    }
    free(peer);
    return ok;
}
