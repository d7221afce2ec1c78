/*
 * rtl_peer - the RTL of the dispatch path's units beside their golden models in a run, and
 * their vectors recorded from it.
 */

#ifndef RTL_PEER_H
#define RTL_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/fault.h"
#include "gpu/gpu.h"

/* off: the model alone. shadow: the model drives the GPU, and the RTL is checked. drive: the
 * RTL drives it, and the model is checked. */
enum rtl_mode { RTL_OFF, RTL_SHADOW, RTL_DRIVE };

/* The units of a run; the last is one in each cluster, if the GPU has merge tables. */
enum rtl_unit {
    RTL_CTA_SCHEDULER,
    RTL_CLASO,
    RTL_WORK_DISTRIBUTOR,
    RTL_CLUSTER_PORT,
    RTL_UNITS
};
extern const char *const rtl_unit_names[RTL_UNITS];

#define RTL_UNIT_NAMES "cta_scheduler, claso, work_distributor, cluster_port"

struct rtl_options {
    enum rtl_mode mode;
    bool units[RTL_UNITS];
    bool active;         /* of these, only what the GPU's configuration uses */
    const char *library; /* of the RTL; NULL: the repository's */
    bool built;          /* the repository's is up to date */
    const char *vectors; /* file for the vectors of the one unit; NULL: none */
    const char *name;    /* of a report's files; NULL: the workload's */
};

/* Adds the unit of a name of so many letters. False if there is none. */
bool rtl_units_add(const char *name, size_t length, bool units[RTL_UNITS]);
/* Reads a list such as "cta_scheduler,claso", or "all": those that are active. False with a
 * fault. */
bool rtl_units_parse(const char *text, struct rtl_options *options, struct fault *fault);
/* Leaves those that do something on this GPU: without credits CLASO does nothing, without merge
 * tables and coalesced caches the clusters' ports are not there. */
void rtl_units_active(const struct gpu_config *config, bool units[RTL_UNITS]);

/* The file of the repository's library of a unit on this GPU. False with the reason on stderr.
 */
bool rtl_unit_library(enum rtl_unit unit, const struct gpu_config *config, char *text,
                      size_t size);

struct rtl_peer;

/* workload, gpu: names for a report; they must outlive the peer. NULL, with the reason on
 * stderr, if the RTL cannot be had. */
struct rtl_peer *rtl_peer_open(const struct rtl_options *options,
                               const struct gpu_config *config, const char *workload,
                               const char *gpu);
const struct gpu_distributor_peer *rtl_peer_distributor(const struct rtl_peer *peer);
const struct gpu_cluster_peer *rtl_peer_cluster(const struct rtl_peer *peer);

/* A difference has been found and reported. */
bool rtl_peer_differs(const struct rtl_peer *peer);
/* There was no memory to go on comparing, which it has said on stderr. The run is stopped, as
 * at a difference. */
bool rtl_peer_lost(const struct rtl_peer *peer);

/* What was compared of a unit. */
struct rtl_compared {
    const char *unit;
    const char *mode;   /* "shadow", "drive" */
    const char *source; /* its Verilog, see rtl_source */
    uint64_t cycles;    /* of all instances */
    uint32_t instances;
    uint32_t differences; /* 0, or 1: the first ends the run */
};
/* Of all that are watched, in their order; returns how many. where: the GPU's cycle of the
 * difference, if there is one. */
uint32_t rtl_peer_compared(const struct rtl_peer *peer, struct rtl_compared units[RTL_UNITS],
                           uint64_t *where);

/* A table of it; of a recording, a line. */
void rtl_peer_print(const struct rtl_peer *peer, FILE *to);

/* keep: its vectors are to be. False, with the reason on stderr, if they cannot be written.
 * NULL is fine. */
bool rtl_peer_close(struct rtl_peer *peer, bool keep);

#endif
