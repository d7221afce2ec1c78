/*
 * machine - the state of a GPU. Private to this folder; users include gpu.h.
 *
 * Every component has a step(t): "run core cycle t of this component". Two rules make it
 * possible to step a component only when something can happen:
 *   - a step in a cycle in which nothing happens changes no state and no statistic;
 *   - a step may be left out only while the component's state, and the class under which it
 *     counts the cycle, stay those of its last step.
 * Who changes something in another component wakes it (wake.h).
 */

#ifndef MACHINE_H
#define MACHINE_H

#include "base/fault.h"
#include "gpu/base/share.h"
#include "gpu/cluster/cluster.h"
#include "gpu/dispatch/dispatch.h"
#include "gpu/dispatch/kernel_queue.h"
#include "gpu/gpu.h"
#include "gpu/mem/mem.h"
#include "gpu/mem/versions.h"
#include "gpu/sm/sm.h"
#include "gpu/units/socket.h"

/* ---- Clocks and the wake wheel ------------------------------------------------------- */

/* A clock domain beside the core's: at the end of core cycle t, t * mul / div of its cycles
 * have run. */
struct domain {
    uint64_t mul, div;
    struct divisor by_mul, by_div;
    uint64_t t;
    uint64_t now, before; /* cycles run at the end of core cycle t, and of t - 1 */
    uint64_t fraction;    /* t * mul - now * div */
};

enum { MAX_HORIZON = 4096 }; /* slots of the wheel: how far anything wakes ahead */

/* Who steps in a core cycle. One cache line. */
struct wake {
    uint64_t sm[3];
    uint64_t slice, dram, cluster;
    uint64_t input[2]; /* crossbar inputs to look at */
    bool asked;        /* units of SMs have asked for this cycle: socket_wake */
};

/* ---- The machine --------------------------------------------------------------------- */

struct gpu {
    struct gpu_config config;
    struct gpu_hooks hooks;
    struct gpu_monitor monitor;
    unsigned mode;
    bool each, poll, scan;         /* of mode */
    bool watched;                  /* an SM's cycles are counted one by one, or recorded */
    bool plain;                    /* an SM's cycle needs none of what is rare: sms_step */
    enum warp_policy first_policy; /* of the schedulers, until a unit sets another */
    bool by_age, two_level_on, owl_on;

    /* of the configuration, ready for use */
    uint32_t n_sm, n_cluster, n_slice, n_dram, schedulers, sms_per_cluster;
    uint32_t latency[PIPES][OPERATION_KINDS], interval[PIPES][OPERATION_KINDS], units[PIPES];
    uint32_t pipe_of[PIPES]; /* whose units an operation takes */
    bool shared_pipe[PIPES];
    bool can_block[PIPES]; /* a scheduler may find this pipe busy */
    uint32_t fetch_low;    /* with so many instructions left a warp asks for more */
    bool code_on;          /* instruction caches may miss */
    bool rests;            /* load/store or fetch units do not have a turn in each cycle */
    uint32_t code_shift;   /* log2 of the instructions of a line */
    struct {
        uint32_t bytes, flits;
    } packet[PACKET_SIZES];
    struct divisor slices, channels, l2_sets, lines_per_chunk, lines_per_row, lines_per_turn,
        banks;
    uint32_t bank_folds; /* bits of a row's number that are folded into that of its bank */
    uint8_t sectors_of[16], atoms_of[16]; /* quarters of a line, in whole sectors and atoms */
    uint8_t ldst_op[OP_ALL];          /* what the load/store unit takes an instruction for */
    uint8_t answer_size[ANSWERS][16]; /* by the quarters that it brings */
    bool l1_sectors, l2_sectors;      /* shorter than a line */
    struct {
        uint32_t burst, bytes;
        /* From its command: to the next read or write; from a read to a write, and back; to
         * the next in its bank group, 0 if `gap` is as long; from a read to its precharge. */
        uint32_t gap, to_write, to_read, in_group, to_precharge;
    } transfer[16];         /* by quarters read or written */
    uint32_t write_latency; /* of the DRAM */
    uint64_t group_of[64];  /* banks of a bank's group */

    struct versions *versions; /* NULL without GPU_VERSIONS */
    struct sm **sm;
    struct cluster cluster[GPU_MAX_CLUSTER];
    struct crossbar crossbar[2]; /* requests, replies */
    struct slice *slice;
    struct dram *dram;
    struct domain noc, l2, memory;

    uint64_t t; /* core cycle that runs, or runs next */
    struct wake *wheel;
    uint64_t wheel_mask;
    uint64_t busy[MAX_HORIZON / 64]; /* wheel slots in use */
    uint64_t inflight;               /* packets and DRAM writes without an end yet */
    uint64_t progress; /* cycle of the last step forward of a kernel, CTA or warp */
    uint64_t moved;    /* and of memory, which answers also those that only poll */
    uint64_t host_steps;

    struct kernel *kernel;
    uint32_t code_end; /* instructions of all kernels' texts */
    uint32_t n_kernel, kernel_capacity, n_resident, n_ended;
    uint32_t first_live; /* all kernels before it have ended */
    uint32_t settled;    /* kernels before it had ended when statistics were settled last */
    uint32_t resident[MAX_RESIDENT]; /* n_resident of them, in no order */
    /* Wait for a slot: by the cycle in which their launch latency is over; those for which it
     * is, by number. */
    struct kernel_queue coming, ready;
    struct kernel_queue arriving; /* launched by kernels: by the cycle of their arrival */
    uint32_t calling;             /* SM */
    struct stream_tails tails;
    uint64_t starts;
    uint32_t current;    /* the kernel whose CTAs are issued; n_kernel: none */
    bool dispatch_dirty; /* the work distributor may answer differently now */
    struct rooms rooms;
    struct limits limits;
    struct returns returns;
    struct detection detection;
    struct distributor distributor;
    struct binding binding;
    struct queue_levels queue_levels;
    struct record_port record_port;
    struct swaps swaps;
    struct sockets sockets;
    struct gpu_record record;                     /* of this cycle */
    struct gpu_cta_event starting[GPU_MAX_BLOCK]; /* go out in this cycle: n_starting */
    uint32_t n_starting;
    bool starting_back;   /* it is one that had left */
    bool starting_beside; /* and, with strict pairs, others of its block are there */
    bool starting_last;   /* with them the kernel's last */
    /* SMs with schedulers whose class has changed; and those that do not step in a cycle, by
     * its parity, but whose class changes in it. */
    uint64_t class_changed[3], class_announced[2][3];
    uint64_t alarm; /* next kernel start, end of gating, or end of patience with a window */
    uint64_t sample_at;
    uint32_t register_stride;

    struct fault fault;
    enum gpu_end end;
    struct gpu_stats stats;
    struct gpu_sm_stats *sm_stats;
    struct gpu_cluster_stats cluster_stats[GPU_MAX_CLUSTER];
    struct gpu_noc_stats noc_stats[2];
    struct gpu_l2_stats *l2_stats;
    struct gpu_dram_stats *dram_stats;
    struct gpu_kernel_stats *kernel_stats;
    struct share *nobody; /* what belongs to no kernel */
};

/* Lines of the L2 from here on hold instructions, records of kernels, and what CTAs have that
 * wait: those of data are below (stream.h). */
enum {
    CODE_LINE = 1 << 28,
    CODE_MOST = 1 << 26, /* instructions of all kernels */
    RECORD_LINE = 1 << 29,
    SWAP_LINE = 3 << 28,
    SWAP_LINES = (1 << 28) - 1,
    LINES = (1 << 30) - 1, /* in all: a tag has 30 bits for the number, and 1 more */
};

/* An L2 line is in one slice, and there it has a number: chunks of l2.interleave bytes go
 * round the slices; the hash turns each round on, so that no stride stays in one slice. */
HOT uint32_t slice_of(const struct gpu *g, uint32_t line)
{
    const uint32_t chunk = divide(line, g->lines_per_chunk);
    if (!g->config.l2.hash) {
        return modulo(chunk, g->slices);
    }
    const uint32_t round = divide(chunk, g->slices);
    return modulo(chunk + round + divide(round, g->slices), g->slices);
}
HOT uint32_t line_in_slice(const struct gpu *g, uint32_t line)
{
    const uint32_t chunk = divide(line, g->lines_per_chunk);
    return divide(chunk, g->slices) * g->lines_per_chunk.n + modulo(line, g->lines_per_chunk);
}

/* The DRAM partition of a slice's line. */
HOT uint32_t dram_of(const struct gpu *g, uint32_t slice, uint32_t line)
{
    const uint32_t n = g->channels.n;
    return n == 1u ? slice : slice * n + modulo(line_in_slice(g, line), g->channels);
}

/* Cycle t of these. */
void clusters_step(struct gpu *g, uint64_t set, uint64_t t);
/* A kernel starts in this cycle: merge tables and coalesced caches are emptied in the next. */
void cluster_ports_flush(struct gpu *g);
/* A cycle's record begins; and gets the classes that have changed, when all SMs have run. Their
 * units are stepped, as those of the SMs that have run. */
void record_begin(struct gpu *g, uint64_t t);
void record_classes(struct gpu *g, struct wake *w, uint64_t t);
/* Switches off the SMs that the configuration does not use. */
void control_open(struct gpu *g);
void energy_collect(struct gpu *g);
/* What the counts of a kernel came to, and its part of static power. */
void energy_share(const struct gpu *g, const struct share *of, struct gpu_share *share);
void hang_report(struct gpu *g);
/* Does any warp look for a value again? */
bool hang_polls(const struct gpu *g);

#endif
