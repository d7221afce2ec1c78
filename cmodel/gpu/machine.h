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

#include "gpu/blocks.h"
#include "gpu/dispatch/kernel_queue.h"
#include "gpu/gpu.h"
#include "gpu/mem/memory_side.h"
#include "gpu/mem/versions.h"

/* ---- SM ---------------------------------------------------------------------------- */

enum { PIPES = 5, READY_MEMORY = PIPES, READY_CONTROL, READY_KINDS };
enum {
    ISSUED,
    PIPELINE_ALU,
    PIPELINE_MEMORY,
    SCOREBOARD_ALU,
    SCOREBOARD_MEMORY,
    IDLE,
    PAUSED,
};
enum { LDST_IDLE, LDST_BUSY, LDST_MSHR, LDST_MERGE, LDST_QUEUE };
enum { MAX_SCHEDULERS = 4, MAX_WARPS = 64, MAX_CTAS = 32, MAX_UNITS = 8, TICKS = 256 };
enum { MAX_RESIDENT = 32 };      /* kernels: dispatch.kernels */
enum { MAX_OPERATIONS = 60000 }; /* of an SM; their numbers have 16 bits */
enum { REGISTER_LATEST = 1 };    /* when the warp's last arithmetic result is there */

/* Warps of a scheduler have positions; masks are by position. With an age-ordered policy
 * position 0 is the oldest warp, otherwise positions are warp slots. */
struct scheduler {
    uint64_t ready[READY_KINDS]; /* operands are there, by what the instruction needs */
    uint64_t any;                /* all of `ready` */
    uint64_t alu_wait;           /* an arithmetic result is owed, and no memory result */
    uint64_t memory_wait;        /* a memory result is owed */
    uint64_t greedy;             /* the position that issued last */
    uint64_t selected;           /* two-level: in the ready queue; otherwise all */
    uint64_t free_at;            /* it may issue again */
    uint32_t positions;          /* in use, when ordered by age */
    uint32_t last;               /* position after which round robin goes on */
    struct classes cycles;
    uint8_t warp[MAX_WARPS]; /* by position */
};

struct warp {
    const struct instruction *next;
    const uint32_t *access;
    uint64_t arrive;  /* when the fetch on its way is there; 0: none is */
    uint64_t *owed;   /* by register: when its result is there; NEVER: memory owes it */
    uint16_t pending; /* memory operations not completed */
    uint8_t buffered; /* instructions in its buffer */
    uint8_t position;
    uint8_t scheduler;
    uint8_t cta;
    uint64_t age;
};

struct cta {
    uint64_t warps; /* by slot */
    uint32_t live;
    uint32_t arrived; /* at the barrier */
    uint32_t kernel;
    uint32_t number;
    uint32_t block;  /* number of the first CTA that came with it */
    uint64_t issued; /* warp instructions */
    void *handle;
};

/* A memory instruction from issue to completion. */
struct operation {
    uint64_t earliest; /* completion not before this cycle */
    uint16_t left;     /* what it still waits for: lines, and its own way through the pipe */
    uint8_t warp;
    uint8_t dst;
    uint8_t n_dst;
    bool atomic;
};
struct ldst_entry {
    const uint32_t *access;
    uint16_t operation;
    uint8_t op;
    uint8_t accesses;
    uint8_t flags; /* enum instruction_flag */
};

/* Things that happen in an SM a known time later. */
enum event_kind { EVENT_ALU, EVENT_MEMORY, EVENT_FETCH, EVENT_BARRIER };
struct event {
    uint16_t next;
    uint16_t subject; /* warp, operation or CTA slot */
    uint8_t kind;
};

/* Two-level warp scheduling: rules P-3 and P-4. */
struct two_level {
    uint64_t ready;   /* warps, by slot */
    uint64_t pending; /* wait for memory or at a barrier */
    bool changed;     /* the ready queue, since the SM's last step */
    uint32_t n_active;
    uint8_t active[MAX_WARPS];
};

struct sm {
    struct scheduler scheduler[MAX_SCHEDULERS];
    uint64_t occupied[TICKS / 64]; /* ticks with events */
    uint64_t alive;                /* warps that have not exited */
    uint64_t waiting;              /* of them: without an instruction, or at a barrier */
    uint64_t want;                 /* of them: wait for the fetch unit */
    uint64_t redirected;           /* of them: after a taken branch */
    uint64_t at_barrier;
    uint64_t alu_latest; /* last arithmetic result of the SM */
    uint32_t memory_inflight;
    uint32_t fetch_last;
    uint32_t queued; /* memory instructions in the load/store unit */
    uint32_t queue_head;
    uint32_t accessed; /* of the oldest */
    bool dirty;        /* a fill completed something: it must step in this cycle */
    bool pausing, draining, gated;
    uint32_t id, cluster, in_cluster;
    struct classes ldst, inflight, no_cta;
    uint64_t pipes_free; /* no pipe of the SM is busy from this cycle on */
    uint64_t pipe_free[PIPES][MAX_SCHEDULERS]; /* the first of its units to be free */
    uint64_t unit_free[PIPES][MAX_SCHEDULERS][MAX_UNITS];
    uint16_t tick[TICKS]; /* first event; 0: none */
    struct event *event;  /* from 1 */
    uint16_t free_event;
    uint16_t n_free_operation;
    uint16_t *free_operation;
    struct operation *operation;
    struct ldst_entry ldst_queue[16];
    struct queue miss_queue;
    struct warp warp[MAX_WARPS];
    struct two_level two_level;
    struct cache cache[PATHS];
    struct cta cta[MAX_CTAS];
    uint32_t cta_used; /* slots */
    uint64_t warp_free;
    uint32_t registers_free, shared_free, threads_free;
    uint64_t ages;
    uint64_t gate_open; /* first cycle in which it takes CTAs again */
    struct integral resident, off;
    struct {
        uint64_t warps, lanes;
    } issued[OP_COUNT];
    uint64_t operands, passes, writes, atomics, fills, ctas, warps;
    uint64_t *owed; /* [warp][register] */
};

/* ---- Clocks and the wake wheel ----------------------------------------------------- */

/* A clock domain beside the core's: at the end of core cycle t, t * mul / div of its cycles
 * have run. */
struct domain {
    uint64_t mul, div;
    uint64_t now, before; /* cycles run at the end of core cycle t, and of t - 1 */
    uint64_t fraction;    /* t * mul - now * div */
};

enum { MAX_HORIZON = 4096 }; /* slots of the wheel: how far anything wakes ahead */

/* Who steps in a core cycle. One cache line. */
struct wake {
    uint64_t sm[3];
    uint64_t slice, dram, cluster;
    uint64_t input[2]; /* crossbar inputs to look at */
};

/* ---- Work distribution --------------------------------------------------------------- */

struct kernel {
    struct kernel_source source;
    uint32_t ctas, warps, registers; /* of a CTA: warps, registers with granule */
    uint32_t issued, done;           /* CTAs */
    uint32_t slot;                   /* of the work distributor, while it is resident */
    uint32_t block;                  /* CTAs that go to an SM together */
    uint32_t whole_blocks;           /* that fit on an SM when it has no other kernel's CTAs */
    uint32_t next;                   /* of its stream; NO_KERNEL: none yet */
    uint64_t order;                  /* in which kernels became resident */
    bool started, ended;
    bool unlaunched; /* the work distributor waits for an SM that takes CTAs */
};

/* The golden model of the work distributor, and its ports in this cycle. */
struct distributor {
    struct work_distributor unit;
    struct work_distributor_in in;
    struct work_distributor_out out;
    struct work_distributor_next next;
    uint64_t cycle;  /* of the unit, whose launches take no time of the GPU */
    uint32_t slots;  /* in use */
    struct bits sms; /* that take CTAs: neither draining nor gated */
};

struct gpu {
    struct gpu_config config;
    struct gpu_hooks hooks;
    struct gpu_monitor monitor;
    unsigned mode;
    bool each, poll, scan; /* of mode */
    bool by_age, two_level_on;

    /* of the configuration, ready for use */
    uint32_t n_sm, n_cluster, n_slice, schedulers, sms_per_cluster;
    uint32_t latency[PIPES], interval[PIPES], units[PIPES];
    bool shared_pipe[PIPES];
    bool can_block[PIPES]; /* a scheduler may find this pipe busy */
    uint64_t greedy_mask;  /* all ones for a greedy policy */
    uint32_t fetch_low;    /* with so many instructions left a warp asks for more */
    uint32_t flits_read, flits_write[5], flits_reply[ANSWERS];
    struct divisor slices, l2_sets, lines_per_chunk, lines_per_row, banks;
    uint32_t burst, column_gap;

    struct versions *versions; /* NULL without GPU_VERSIONS */
    struct sm **sm;
    struct cluster cluster[GPU_MAX_CLUSTER];
    struct crossbar crossbar[2]; /* requests, replies */
    struct slice *slice;
    struct dram *dram;
    struct domain noc, l2, memory;

    uint64_t t;    /* core cycle that runs, or runs next */
    bool stepping; /* it runs, and its SMs have */
    struct wake *wheel;
    uint64_t wheel_mask;
    uint64_t busy[MAX_HORIZON / 64]; /* wheel slots in use */
    uint64_t inflight;               /* packets and DRAM writes without an end yet */
    uint64_t progress;               /* cycle of the last step forward */
    uint64_t host_steps;

    struct kernel *kernel;
    uint32_t n_kernel, kernel_capacity, n_resident, n_ended;
    uint32_t first_live;               /* all kernels before it have ended */
    uint32_t resident[MAX_RESIDENT];   /* n_resident of them, in no order */
    struct kernel_queue coming, ready; /* by the cycle in which they may start; by number */
    struct stream_tails tails;
    uint64_t starts;
    uint32_t current;    /* the kernel whose CTAs are issued; n_kernel: none */
    struct bits room;    /* SMs that a block of it fits on */
    bool dispatch_dirty; /* the work distributor may answer differently now */
    struct distributor distributor;
    uint64_t alarm; /* next kernel start, clocked call or end of gating */
    uint64_t clocked_at;
    uint64_t sample_at;
    uint32_t register_stride;

    char message[4096];
    enum gpu_end end;
    struct gpu_stats stats;
    struct gpu_sm_stats *sm_stats;
    struct gpu_cluster_stats cluster_stats[GPU_MAX_CLUSTER];
    struct gpu_noc_stats noc_stats[2];
    struct gpu_l2_stats *l2_stats;
    struct gpu_dram_stats *dram_stats;
    struct gpu_kernel_stats *kernel_stats;
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

/* ---- Components ---------------------------------------------------------------------- */

/* Returns true if the SM must also step in the next cycle. */
bool sm_step(struct gpu *g, struct sm *m, uint64_t t);
void ldst_step(struct gpu *g, struct sm *m, uint64_t t);
void sm_fill(struct gpu *g, struct sm *m, const struct packet *p, uint64_t t);
uint32_t scheduler_poll(struct gpu *g, struct sm *m, uint32_t k, uint64_t t, int32_t *position);
/* block: number of the first CTA that comes with it. */
void cta_start(struct gpu *g, struct sm *m, uint32_t kernel, uint32_t cta, uint32_t block,
               uint64_t t);
void cta_end(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t);
void sm_settle(struct gpu *g, struct sm *m, uint64_t end);
/* The most memory instructions of an SM that can be on their way at once: in the unit's queue,
 * waiting for a line, or in the pipe of a cache that takes one a cycle. */
uint32_t sm_operations(const struct gpu_config *c);
/* Allocates an SM; its L1, constant and texture cache are empty. */
struct sm *sm_open(const struct gpu *g, uint32_t id);
void sm_close(struct sm *m);
void sm_invalidate(struct sm *m);
/* Gives every warp room for more registers. */
bool sm_widen(struct sm *m, uint32_t old_stride, uint32_t stride);
bool mshrs_open(struct mshrs *m, uint32_t n);
void mshrs_close(struct mshrs *m);
bool queue_open(struct queue *q, uint32_t capacity);
bool memory_open(struct gpu *g);
void memory_close(struct gpu *g);
uint64_t memory_unanswered(const struct gpu *g);
uint64_t sm_unanswered(const struct gpu *g, const struct sm *m);
void stats_collect(struct gpu *g);
void energy_collect(struct gpu *g);

/* Ends the run with a message: an SM was given a line that is older than a write before it. */
void stale_answer(struct gpu *g, uint32_t sm, uint32_t line, const char *from);

void cluster_step(struct gpu *g, uint32_t id, uint64_t t);
bool cluster_unit_open(struct gpu *g, struct cluster *c);
/* It must run although there is neither request nor reply. */
bool cluster_unit_runs(const struct gpu *g, uint32_t id);
/* A cycle of the cluster's port: request and reply may be NULL; ready: the network takes one.
 */
const struct cluster_port_out *cluster_unit_step(struct gpu *g, uint32_t id,
                                                 const struct packet *request, bool ready,
                                                 const struct packet *reply);
/* A read that may merge or hit: of global space, through a cache of the SM. */
bool cluster_unit_reads(const struct packet *p);
/* The line that a read or write of global space names to the unit. */
uint64_t cluster_unit_line(const struct packet *p);
void cluster_flush(struct gpu *g);
void crossbar_step(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t);
void slice_step(struct gpu *g, uint32_t id, uint64_t t);
void dram_step(struct gpu *g, uint32_t id, uint64_t t);
void dram_push(struct gpu *g, uint32_t id, uint32_t line, bool write, uint32_t mshr);

void dispatch_step(struct gpu *g, uint64_t t);
void dispatch_ended(struct gpu *g, struct sm *m, uint32_t kernel, uint32_t cta, uint64_t t);
void dispatch_room(struct gpu *g, const struct sm *m);
void dispatch_rooms(struct gpu *g);

void kernels_step(struct gpu *g, uint64_t t);
void kernel_end(struct gpu *g, uint32_t id, uint64_t t);
/* The kernel that issues CTAs: the earliest resident one that has any left. */
void kernels_choose(struct gpu *g);

void distributor_open(struct gpu *g);
/* Gives the kernel a slot, and has it launched. */
void distributor_start(struct gpu *g, struct kernel *k);
void distributor_stop(struct gpu *g, const struct kernel *k);
/* The SMs that take CTAs may have changed. */
void distributor_sms(struct gpu *g);
/* A cycle: what goes out, when SMs in room have room and those in limit may have it. */
const struct work_distributor_out *distributor_step(struct gpu *g, struct bits room,
                                                    struct bits limit);
/* Cycles with the inputs of the last one may be left out. */
bool distributor_settled(const struct gpu *g);

void hang_report(struct gpu *g);
void two_level_add(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_leave(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_return(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_remove(struct gpu *g, struct sm *m, uint32_t warp);
uint64_t two_level_mask(const struct sm *m, uint32_t scheduler, uint32_t schedulers);

#endif
