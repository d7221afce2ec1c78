/*
 * gpu - a cycle-level model of a GPU: SMs, caches, clusters, crossbars, L2 slices, DRAM
 * and the distribution of CTAs. docs/gpu-model.md explains the machine.
 *
 *   gpu_open    builds the machine of a configuration
 *   gpu_launch  queues a kernel in a stream
 *   gpu_run     runs until all launched kernels have ended
 *   gpu_stats   what has been counted
 *
 * The same configuration, launches and hooks give the same statistics, whatever the mode.
 * Several GPUs may be open at once; one GPU is used by one thread.
 */

#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "gpu/gpu_hooks.h"
#include "gpu/gpu_record.h"
#include "gpu/gpu_stats.h"
#include "stream/stream.h"

struct gpu;

/* Fast paths that are switched off, and checks. They change the time a run takes and nothing
 * else. */
enum gpu_mode {
    GPU_STEP_ALL = 1, /* every component steps in every cycle, not when something can happen */
    GPU_NO_SKIP = 2,  /* cycles in which nothing happens are not jumped over */
    GPU_POLL = 4,     /* warp schedulers look at every warp, not at masks of ready ones */
    GPU_SCAN = 8, /* DRAM and crossbars scan their queues each cycle, not one candidate a bank,
                     or lists for each output */
    GPU_COUNT_EACH = 16, /* cycles are counted one by one, not by runs; needs the first two */
    GPU_NAIVE = 31,
    GPU_FUZZ = 32,     /* components also step at random in cycles in which nothing happens */
    GPU_VERSIONS = 64, /* lines carry versions: a stale answer ends the run (versions.h) */
};

/* Builds a GPU, or returns NULL with a fault: the configuration is impossible, or memory
 * is missing. hooks may be NULL; it is copied, and what it points to is used until
 * gpu_close. */
struct gpu *gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                     unsigned mode, struct fault *fault);
void gpu_close(struct gpu *gpu);

/* Cycles of a configuration from the issue of an instruction to that of one that reads its
 * result, for compilers; of memory, those of a hit, and 1 of what has no result. */
void gpu_latencies(const struct gpu_config *config, uint32_t cycles[OP_ALL][OPERATION_KINDS]);

/* Queues a kernel. Kernels of one stream run one after the other, in the order of their
 * launches; those of different streams may overlap: CTAs of a later kernel are issued
 * when all of the earlier ones have been (left-over policy). Returns false with a fault
 * if the kernel can never run here, as a CTA exceeds an SM, or memory is missing. source is
 * copied, and what it points to is used until gpu_close. */
bool gpu_launch(struct gpu *gpu, const struct kernel_source *source, uint32_t stream,
                struct fault *fault);

/* ---- Kernels that launch kernels -----------------------------------------------------
 * From source.more and source.ended. A child waits for nobody: whoever launches it knows its
 * order. */

struct gpu_child {
    uint32_t parent; /* kernel */
    uint32_t depth, priority;
    uint32_t sm;       /* of the CTA that launches it */
    bool group;        /* it joins a resident kernel that is like it, if there is one */
    uint64_t launched; /* cycle */
    uint64_t arrival;  /* cycle in which it reaches the queue of kernels; past: now */
};
bool gpu_launch_child(struct gpu *gpu, const struct kernel_source *source,
                      const struct gpu_child *child, struct fault *fault);
/* All that the kernel has launched has ended, too: the next of its stream follows. */
void gpu_complete(struct gpu *gpu, uint32_t kernel);
/* All that the CTA of the kernel has launched has ended: its warps go on that wait for it
 * (CHILDREN). */
void gpu_children_ended(struct gpu *gpu, uint32_t kernel, uint32_t cta);
/* Could a kernel of this shape run? */
bool gpu_can_launch(const struct gpu *gpu, const struct kernel_shape *shape,
                    struct fault *fault);
/* The SM whose warp has called source.more last. */
uint32_t gpu_calling_sm(const struct gpu *gpu);
uint32_t gpu_kernels(const struct gpu *gpu); /* launched: the number of the next */
uint32_t gpu_stream(const struct gpu *gpu, uint32_t kernel); /* of the host: its own, or of
                                                                 those that led to it */

/* The host has copied so much to the device: with l2.host_writes the last lines of it that the
 * L2 has room for are there from now on. A line that they displace is not written back:
 * DRAM's work for copies is not counted. */
void gpu_host_wrote(struct gpu *gpu, uint64_t address, uint64_t bytes);

enum gpu_end {
    GPU_DONE,
    GPU_HUNG,    /* no progress for limit.watchdog cycles; gpu_fault says who waits */
    GPU_ILLEGAL, /* a kernel did something illegal, or, with GPU_VERSIONS, an answer was stale;
                    gpu_fault says what */
    GPU_STOPPED, /* by the hook `progress`, or by who watches a unit */
};

/* Runs until all launched kernels have ended and the memory system is empty. More may be
 * launched then, and the GPU run again; cycles and statistics go on. */
enum gpu_end gpu_run(struct gpu *gpu);
/* The same until one more kernel has ended, at most. Then kernels run, and requests are on
 * their way; more may be launched. */
enum gpu_end gpu_run_to_end_of_kernel(struct gpu *gpu);
/* With all that it has launched. */
bool gpu_has_ended(const struct gpu *gpu, uint32_t kernel);

/* What happened in the last cycle that was not jumped over. From a sample it is that of the
 * sample's cycle, if its number is. */
const struct gpu_record *gpu_record(const struct gpu *gpu);

/* Why the last run ended, if it was not done. */
const struct fault *gpu_fault(const struct gpu *gpu);
uint64_t gpu_cycle(const struct gpu *gpu); /* core cycles run */
const struct gpu_config *gpu_config_of(const struct gpu *gpu);

/* The most CTAs of this shape that fit on one SM, and what limits them. */
uint32_t gpu_occupancy(const struct gpu_config *config, const struct kernel_shape *shape,
                       const char **limit);

/* ---- Statistics ---------------------------------------------------------------------- */

/* What is known of each kernel launched, in the order of launches. */
struct gpu_kernel_stats {
    const char *name;
    uint32_t stream;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t registers;
    uint32_t shared_bytes;
    uint32_t ctas_per_sm; /* occupancy alone on an SM */
    uint32_t l1_bytes;    /* its L1 there, with l1.carveouts; otherwise 0 */
    bool nested;          /* launched by a kernel: the next four say from where */
    bool joined;          /* it is a group, and has joined a kernel */
    bool spilled;         /* it has been in memory, since LaPerm had no place on chip */
    uint32_t parent;      /* kernel */
    uint32_t depth;       /* kernels above it */
    uint32_t priority; /* the parent's and 1, of a tail launch the parent's; of the host's: 0 */
    uint32_t sm;       /* of the CTA that launched it */
    uint64_t launched; /* cycle */
    uint64_t first_cta;  /* cycle of its first dispatch */
    uint64_t ended;      /* cycle after its last CTA's end */
    uint64_t ctas;       /* finished */
    uint64_t left;       /* CTAs that have left their SM to wait for children; each time */
    uint64_t ctas_on_sm; /* nested: of these, on the SM of the CTA that launched the kernel */
    uint64_t warp_instructions;
    struct gpu_throttle_stats throttle[GPU_THROTTLES];
    struct { /* by ONAC or Seq-Det; sms: 0 without, or not yet */
        uint32_t sms;
        uint64_t cycles; /* from the kernel's start */
        bool aborted;
    } detection;
};

/* What waits in the units of LaPerm. One on its way to memory is there already, one on its way
 * back still. */
enum gpu_queue {
    GPU_QUEUE_KMU,        /* kernels on chip in the management unit, */
    GPU_QUEUE_KMU_MEMORY, /* and those of it in memory */
    GPU_QUEUE_HOST,       /* entries of queue 0, */
    GPU_QUEUE_SETS,       /* of all sets on chip, */
    GPU_QUEUE_MEMORY,     /* and of all in memory */
    GPU_QUEUES
};
struct gpu_queue_stats {
    uint64_t sum, most; /* over the cycles: their mean is sum / cycles */
};

struct gpu_energy { /* joules */
    double instruction, registers, arithmetic, shared, l1, constant, texture, icc, noc, l2,
        dram;
    double sm_static, other_static, dram_static;
    double total;
    double seconds;
    double edp; /* joule seconds */
};

struct gpu_stats {
    uint64_t cycles; /* core */
    uint64_t noc_cycles;
    uint64_t l2_cycles;
    uint64_t dram_cycles;
    uint32_t n_sm, n_cluster, n_l2, n_dram, n_kernel;
    const struct gpu_sm_stats *sm;
    const struct gpu_cluster_stats *cluster;
    const struct gpu_noc_stats *noc; /* 0 requests, 1 responses */
    const struct gpu_l2_stats *l2;
    const struct gpu_dram_stats *dram; /* of a slice the n_dram / n_l2 channels in a row */
    const struct gpu_kernel_stats *kernel;
    struct gpu_energy energy;
    const struct gpu_queue_stats *queue; /* by enum gpu_queue; NULL without LaPerm */
    uint64_t most_of_set;                /* entries on chip that one set has had */
    uint64_t tail; /* cycles from when the first SM that had CTAs has none any more to when
                      no SM has; one that still has some runs dry now */
    uint64_t unanswered; /* 0 after GPU_DONE: requests without answer, MSHRs in use, ... */
};

/* Settled at the current cycle; valid until the next call on this GPU. */
const struct gpu_stats *gpu_stats(struct gpu *gpu);

/* What belongs to one kernel of all that is counted, over all members of each group. Of energy,
 * `seconds` is its part of the time, and edp is 0. docs/gpu-model.md says what belongs to whom.
 */
struct gpu_share {
    struct gpu_sm_stats sm;
    struct gpu_cluster_stats cluster;
    struct gpu_noc_stats noc[2];
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
    struct gpu_energy energy;
};
/* Of a kernel, by the number of its launch; of the number after the last kernel's: what belongs
 * to none. As the last call of gpu_stats has settled it. */
void gpu_share(const struct gpu *gpu, uint32_t kernel, struct gpu_share *share);
void gpu_share_add(struct gpu_share *to, const struct gpu_share *from);
/* Kernels and what belongs to none come to what gpu_stats says: true unless there is a defect,
 * which the fault tells. */
bool gpu_shares_whole(const struct gpu *gpu, struct fault *fault);

/* The state of every warp slot of an SM at the end of the last cycle (thesis 5.3). */
enum gpu_warp_state {
    GPU_WARP_EMPTY, /* instruction buffer empty, or at a barrier */
    GPU_WARP_ALU_SCOREBOARD,
    GPU_WARP_MEMORY_SCOREBOARD,
    GPU_WARP_ALU_STALL, /* operands there, pipe busy */
    GPU_WARP_MEMORY_STALL,
    GPU_WARP_ALU_READY, /* could issue */
    GPU_WARP_MEMORY_READY,
    GPU_WARP_FINISHED, /* waits for the other warps of its CTA */
    GPU_WARP_STATES,
    GPU_WARP_FREE = GPU_WARP_STATES
};
/* Adds to count[state] the warps of the SM in each state. */
void gpu_warp_states(const struct gpu *gpu, uint32_t sm, uint64_t count[GPU_WARP_STATES]);

/* ---- Control of SMs (thesis 4.4) --------------------------------------------------
 * Between runs, and from gpu_monitor.sample; it holds from the next cycle on. A block of CTAs
 * that the work distributor has picked by then, at most two cycles before it shows, still goes
 * to its SM. */

/* Stops issue on the SM; instructions in flight complete, resident CTAs stay. */
void gpu_pause(struct gpu *gpu, uint32_t sm);
/* All in flight has completed since gpu_pause. */
bool gpu_paused(const struct gpu *gpu, uint32_t sm);
void gpu_resume(struct gpu *gpu, uint32_t sm);
/* No new CTA goes to a draining SM. */
void gpu_drain(struct gpu *gpu, uint32_t sm, bool draining);
/* Switches off an SM that drains, is empty and gets no block, or on again; sm.wake_latency
 * cycles later it takes CTAs. Returns false if it may not be switched off yet, or is none of
 * the first sm.active, which stay off. */
bool gpu_gate(struct gpu *gpu, uint32_t sm, bool off);
/* What limiters allow: from now on the kernel, whose number is that of its launch, gets CTAs on
 * these SMs alone. At its launch all are allowed. */
void gpu_allow(struct gpu *gpu, uint32_t kernel, struct bits sms);

#endif
