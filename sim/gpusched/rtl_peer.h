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

#include "gpu.h"

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

struct rtl_options {
    enum rtl_mode mode;
    bool units[RTL_UNITS]; /* all: the compositions, in which the others are */
    const char *library;   /* of the RTL; NULL: the repository's */
    const char *vectors;   /* file for the vectors of the one unit; NULL: none */
};

/* Reads a list such as "cta_scheduler,claso" or "all". False with a message. */
bool rtl_units_parse(const char *text, bool units[RTL_UNITS], char *message, size_t size);

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

/* A line a unit: what was compared. */
void rtl_peer_print(const struct rtl_peer *peer, FILE *to);

/* False, with the reason on stderr, if vectors cannot be written. NULL is fine. */
bool rtl_peer_close(struct rtl_peer *peer);

#endif
