/*
 * gpu_hooks - where scheduling units, monitors and reports attach to the GPU.
 *
 * All are optional. They are called in one fixed order within a cycle: memory side
 * (cluster ports), SMs (warp schedulers), then dispatch (limiters, CTA scheduler).
 */

#ifndef GPU_HOOKS_H
#define GPU_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "units/cluster_port.h"
#include "units/work_distributor.h"

struct gpu;

enum {
    GPU_MAX_SM = BITS_MAX,
    GPU_MAX_CLUSTER = work_distributor_max_n_cluster,
    GPU_MAX_LIMITER = 8
};

/* What a unit on the dispatch path is told. kernel: number of its launch, from 0. */
struct gpu_limiter {
    void *self;
    void (*start)(void *self, uint32_t kernel, uint32_t ctas); /* becomes resident */
    /* Removes from room the SMs that may not get a CTA of kernel now. Its answer may depend on
     * what the other functions and gpu_hooks.clocked have been told, and on nothing else:
     * after a refusal it is asked again when one of them has been called, or room has changed.
     */
    void (*mask)(void *self, uint32_t kernel, struct bits *room);
    void (*issued)(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);
    void (*ended)(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);
    void (*stop)(void *self, uint32_t kernel); /* all its CTAs have ended */
};

/* In place of the configured dispatch.policy. */
struct gpu_cta_scheduler {
    void *self;
    void (*start)(void *self, uint32_t kernel, uint32_t ctas);
    /* Chooses one of room, which is not empty, for the kernel's next CTA; -1 for none. */
    int32_t (*pick)(void *self, uint32_t kernel, const struct bits *room);
    void (*issued)(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);
    void (*ended)(void *self, uint32_t kernel, uint32_t sm, uint32_t cta);
};

/* What watches the work distributor, such as its RTL beside it. */
struct gpu_distributor_peer {
    void *self;
    const struct work_distributor_watch *watch; /* told of its parts; may be NULL */
    /* Told of each cycle of the unit that may change something, after its evaluation and before
     * the clock edge; *out may be replaced. gpu_cycle: the GPU's cycle. cycle: the unit's, from
     * 0, in which it is reset. False stops the run. */
    bool (*evaluated)(void *self, const struct work_distributor *unit,
                      const struct work_distributor_in *in, struct work_distributor_out *out,
                      const struct work_distributor_next *next, uint64_t cycle,
                      uint64_t gpu_cycle);
    /* After it: may cycles be left out from now on, as long as the inputs are those of this
     * one? NULL: they may. Otherwise `evaluated` is called in the GPU's next cycle in any case.
     */
    bool (*settled)(void *self);
};

/* What watches the clusters' ports; as above, with the number of the cluster. */
struct gpu_cluster_peer {
    void *self;
    bool (*evaluated)(void *self, uint32_t cluster, const struct cluster_port *unit,
                      const struct cluster_port_in *in, struct cluster_port_out *out,
                      const struct cluster_port_next *next, uint64_t gpu_cycle);
    bool (*settled)(void *self, uint32_t cluster);
};

/* In place of the configured warp.policy. */
struct gpu_warp_scheduler {
    void *self;
    void (*place)(void *self, uint32_t sm, uint32_t warp, uint32_t kernel, uint32_t cta,
                  uint64_t age); /* a warp becomes resident */
    void (*remove)(void *self, uint32_t sm, uint32_t warp);
    /* Chooses one of `ready` (warp slots, not empty), all of this scheduler's that can issue;
     * note[w] is the note of warp w's next instruction. -1 for none. */
    int32_t (*pick)(void *self, uint32_t sm, uint32_t scheduler, uint64_t ready,
                    const uint16_t note[64], uint64_t cycle);
};

enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE };

struct gpu_monitor {
    void *self;
    void (*kernel_started)(void *self, uint32_t kernel, uint64_t cycle);
    void (*kernel_ended)(void *self, uint32_t kernel, uint64_t cycle);
    void (*cta_started)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle);
    void (*cta_ended)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                      uint64_t cycle);
    /* cycle: of the DRAM clock. */
    void (*dram)(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
                 uint32_t row, uint64_t cycle);
    /* At every multiple of `interval` cycles, before that cycle; gpu_stats is settled then. */
    uint64_t interval; /* 0: never */
    void (*sample)(void *self, struct gpu *gpu, uint64_t cycle);
    /* Called about every million host steps; false stops the run. */
    bool (*progress)(void *self, struct gpu *gpu);
};

struct gpu_hooks {
    uint32_t n_limiter;
    struct gpu_limiter limiter[GPU_MAX_LIMITER]; /* a CTA is issued where all allow it */
    const struct gpu_cta_scheduler *cta_scheduler;
    const struct gpu_distributor_peer *distributor_peer;
    const struct gpu_cluster_peer *cluster_peer;
    const struct gpu_warp_scheduler *warp_scheduler;
    const struct gpu_monitor *monitor;
    /* Clocked units: called before dispatch of cycle `cycle`; returns the next cycle in which
     * it wants to be called, later than `cycle`, UINT64_MAX for none. First called in the
     * first. */
    void *clocked_self;
    uint64_t (*clocked)(void *self, struct gpu *gpu, uint64_t cycle);
};

#endif
