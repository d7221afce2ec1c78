/*
 * rtl_peer - the RTL of the GPU's units beside their golden models in a run, and their vectors
 * recorded from it.
 */

#ifndef RTL_PEER_H
#define RTL_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/fault.h"
#include "base/unit.h"
#include "gpu/gpu.h"
#include "gpusched/run/rtl_units.h"

/* off: the model alone. shadow: the model drives the GPU, and the RTL is checked. drive: the
 * RTL drives it, and the model is checked. */
enum rtl_mode { RTL_OFF, RTL_SHADOW, RTL_DRIVE };

struct rtl_options {
    enum rtl_mode mode;
    uint32_t units;      /* that are watched, see rtl_units.h */
    bool active;         /* all were asked for: those that the GPU does not use are left out */
    const char *library; /* of the RTL; NULL: the repository's */
    bool built;          /* the repository's is up to date */
    bool every;          /* no cycle is left out, though nothing changes in it */
    uint32_t threads;    /* that compare in the shadow, at most; 0: one a processor */
    const char *vectors; /* file for the vectors of the one unit; NULL: none */
    const char *name;    /* of a report's files; NULL: the workload's */
};

/* The file of the repository's library of a unit on this GPU. False with the reason on stderr.
 */
bool rtl_unit_library(const struct gpu_unit *unit, const struct gpu_config *config, char *text,
                      size_t size);

/* A unit with the parameters that it has on this GPU. NULL with the reason on stderr. */
struct unit *rtl_unit_open(const struct gpu_unit *unit, const struct gpu_config *config);

struct rtl_peer;

/* workload, gpu: names for a report; they must outlive the peer. NULL, with the reason on
 * stderr, if the RTL cannot be had. */
struct rtl_peer *rtl_peer_open(const struct rtl_options *options,
                               const struct gpu_config *config, const char *workload,
                               const char *gpu);
/* For gpu_hooks. */
const struct gpu_peer *rtl_peer_hook(const struct rtl_peer *peer);

/* The run has ended after this cycle of the GPU: waits until all is compared. */
void rtl_peer_end(struct rtl_peer *peer, uint64_t cycle);

/* After rtl_peer_end: a difference has been found. */
bool rtl_peer_differs(const struct rtl_peer *peer);
/* It could not go on comparing, which it has said on stderr. The run is stopped, as at a
 * difference. */
bool rtl_peer_lost(const struct rtl_peer *peer);

/*
 * After a difference: another peer, for the same run once more from its start. It keeps the
 * inputs of what differs, ends the run at the difference, and reports it on stdout. If the
 * difference does not come again it is lost. NULL as from rtl_peer_open; then rtl_peer_give_up
 * makes the first one lost.
 */
struct rtl_peer *rtl_peer_again(const struct rtl_peer *first, const struct gpu_config *config);
void rtl_peer_give_up(struct rtl_peer *peer);

/* What was compared of a unit. */
struct rtl_compared {
    const char *unit;
    const char *mode;   /* "shadow", "drive" */
    const char *source; /* its Verilog, see rtl_source */
    const char *within; /* a part that is compared in the RTL of this unit, whose Verilog and
                           cycles these are; NULL: in a library of its own */
    uint64_t cycles;    /* of all instances */
    uint32_t instances;
    uint32_t differences; /* 0, or 1: the first ends the run */
};
/* Of all that are watched, in their order, after rtl_peer_end; returns how many. where: the
 * GPU's cycle of the difference, if there is one. */
uint32_t rtl_peer_compared(const struct rtl_peer *peer,
                           struct rtl_compared units[GPU_MAX_UNITS], uint64_t *where);

/* A table of it; of a recording, a line. */
void rtl_peer_print(const struct rtl_peer *peer, FILE *to);

/* keep: its vectors are to be. False, with the reason on stderr, if they cannot be written.
 * NULL is fine. */
bool rtl_peer_close(struct rtl_peer *peer, bool keep);

#endif
