/*
 * gpu_hooks - where what watches the units, and monitors and reports, attach to the GPU.
 *
 * All are optional. They are called in one fixed order within a cycle: cluster ports, SMs,
 * kernels, the units that are stepped, then the work distributor.
 */

#ifndef GPU_HOOKS_H
#define GPU_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu_record.h"
#include "gpu/units/sockets.h"

struct gpu;

enum { GPU_MAX_CLUSTER = 64 };

enum dram_command {
    DRAM_ACTIVATE,
    DRAM_PRECHARGE,
    DRAM_READ,
    DRAM_WRITE,
    DRAM_PRECHARGE_ALL, /* of no bank, as the next */
    DRAM_REFRESH,
    DRAM_REFRESH_BANK
};

struct gpu_monitor {
    void *self;
    void (*kernel_started)(void *self, uint32_t kernel, uint64_t cycle);
    void (*kernel_ended)(void *self, uint32_t kernel, uint64_t cycle);
    void (*cta_started)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle);
    void (*cta_ended)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                      uint64_t cycle);
    /* bytes: read or written; cycle: of the DRAM clock, in which the command goes. A refresh
     * of all banks and its precharge are told in the order of commands, but as soon as they
     * are due. */
    void (*dram)(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
                 uint32_t row, uint32_t bytes, uint64_t cycle);
    /* After every cycle whose number is a multiple of `interval`; gpu_stats is settled then,
     * and the functions that control SMs may be called. */
    uint64_t interval; /* 0: never */
    void (*sample)(void *self, struct gpu *gpu, uint64_t cycle);
    /* A CTA has left its SM to wait for children; and it has come back, to this slot. */
    void (*cta_left)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                     uint64_t cycle);
    void (*cta_back)(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                     uint64_t cycle);
    /* Called about every million host steps; false stops the run. */
    bool (*progress)(void *self, struct gpu *gpu);
    /* A read or write that waits for its command from this cycle of the DRAM clock on. */
    void (*dram_waits)(void *self, uint32_t partition, bool write, uint64_t cycle);
};

struct gpu_hooks {
    const struct gpu_peer *peer; /* watches the units */
    const struct gpu_monitor *monitor;
    bool classes; /* gpu_record has the classes of the schedulers' cycles */
};

#endif
