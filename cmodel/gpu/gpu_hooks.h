/*
 * gpu_hooks - where what watches the units, and monitors and reports, attach to the GPU.
 *
 * All are optional. They are called in one fixed order within a cycle: cluster ports, SMs, then
 * dispatch.
 */

#ifndef GPU_HOOKS_H
#define GPU_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "units/cluster_port.h"
#include "units/work_distributor.h"

struct gpu;

enum { GPU_MAX_SM = BITS_MAX, GPU_MAX_CLUSTER = work_distributor_max_n_cluster };

/* What watches the work distributor, such as its RTL beside it. */
struct gpu_distributor_peer {
    void *self;
    const struct work_distributor_watch *watch; /* told of its parts; may be NULL */
    /* Told of each cycle of the unit that may change something, after its evaluation and before
     * the clock edge; *out may be replaced. cycle, gpu_cycle: the GPU's cycle, which is the
     * unit's; it is reset in cycle 0. False stops the run. */
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
    /* After every cycle whose number is a multiple of `interval`; gpu_stats is settled then,
     * and the functions that control SMs may be called. */
    uint64_t interval; /* 0: never */
    void (*sample)(void *self, struct gpu *gpu, uint64_t cycle);
    /* Called about every million host steps; false stops the run. */
    bool (*progress)(void *self, struct gpu *gpu);
};

struct gpu_hooks {
    const struct gpu_distributor_peer *distributor_peer;
    const struct gpu_cluster_peer *cluster_peer;
    const struct gpu_monitor *monitor;
};

#endif
