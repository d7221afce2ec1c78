/* sm - the state of an SM, and what the rest of the machine asks of one. */

#ifndef SM_H
#define SM_H

#include "gpu/base/share.h"
#include "gpu/gpu.h"

/* ---- State --------------------------------------------------------------------------- */

enum { PIPES = 5, READY_MEMORY = PIPES, READY_CONTROL, READY_KINDS };
enum { LDST_IDLE, LDST_BUSY, LDST_MSHR, LDST_MERGE, LDST_QUEUE };
enum { MAX_SCHEDULERS = GPU_MAX_SCHEDULERS, MAX_CTAS = GPU_MAX_CTAS };
enum { MAX_WARPS = 64, MAX_UNITS = 8, TICKS = 256 };
enum { MAX_OPERATIONS = 60000 }; /* of an SM; their numbers have 16 bits */
enum { REGISTER_LATEST = 1 };    /* when the warp's last arithmetic result is there */

/* Warps of a scheduler have positions; masks are by position. With an age-ordered policy
 * position 0 is the oldest warp, otherwise positions are warp slots. */
struct scheduler {
    _Alignas(64) uint64_t ready[READY_KINDS]; /* operands are there, by what else is needed */
    uint64_t any;                             /* all of `ready` */
    struct classes cycles;
    uint64_t alu_wait;      /* an arithmetic result is owed, and no memory result */
    uint64_t memory_wait;   /* a memory result is owed */
    uint64_t greedy;        /* the position that issued last */
    uint64_t greedy_mask;   /* all ones for a greedy policy */
    uint64_t selected;      /* two-level: in the ready queue; otherwise all */
    uint64_t free_at;       /* it may issue again */
    struct scheduler *then; /* its turn is after this one's */
    uint32_t last;          /* position after which round robin goes on */
    uint32_t positions;     /* in use, when ordered by age */
    uint32_t number;
    uint32_t in_turn;         /* positions issue round robin, and not the lowest first */
    uint32_t class;           /* of the cycle in which its SM stepped last */
    uint32_t newly, newly_of; /* instructions of this cycle, and the slot of their CTA: lcs */
    struct warp *warp[MAX_WARPS]; /* by position */
};

/* What an issue needs comes first. What changes with one is no byte: a store to a byte may be
 * one to anything, for the compiler. */
struct warp {
    _Alignas(64) const struct instruction *next;
    const struct instruction *stop; /* `end`, or before it a load that may be an operand */
    uint64_t arrive;                /* when the fetch on its way is there; 0: none is */
    uint64_t *owed; /* by register: when its result is there; NEVER: memory owes it */
    uint64_t bit;   /* of its position in its scheduler's masks */
    uint64_t self;  /* of its slot in the SM's masks */
    struct scheduler *scheduler;
    uint16_t buffered; /* instructions in its buffer */
    uint16_t pending;  /* memory operations not completed */
    uint16_t slot;
    uint16_t coming; /* instructions of the fetch on its way */
    const uint32_t *access;
    const struct instruction *end; /* of its piece of the stream; NULL: it has all */
    uint8_t cta;
    uint8_t in_cta;   /* its number there */
    bool polls;       /* it looks for a value again: what it issues is no progress */
    uint32_t in_line; /* instructions of its line that it has not fetched */
    struct share *of; /* its kernel's */
    const struct instruction *counted; /* what it has issued before this is counted */
    const struct issue_counts *counts; /* of its piece; NULL if some of it is counted */
    uint64_t age;
    uint64_t since;      /* first cycle on the SM */
    uint32_t line;       /* of instructions, for which it waits */
    uint32_t unanswered; /* accesses of stores and the like, with noc.write_acks */
};

/* What a CTA has goes to memory, or comes back: a line after the other, as many as `lines`. */
struct swap {
    uint64_t from;  /* cycle */
    uint32_t place; /* in memory, and 1 more; 0: none */
    uint32_t lines, asked, answered;
    bool out;
};

struct cta {
    uint64_t warps;             /* by slot */
    uint64_t waits[BARRIERS];   /* of them: at this barrier */
    uint8_t arrived[BARRIERS];  /* warps, also those that do not wait */
    uint8_t expected[BARRIERS]; /* 0: all that live */
    uint32_t live;
    uint32_t kernel;
    uint32_t number;
    uint32_t code, instructions; /* of its kernel: where they begin, how many there are */
    uint32_t block;              /* number of the first CTA that came with it */
    uint64_t children;           /* warps, by slot, that wait for what it has launched */
    uint64_t to_wait;            /* that have been told to, and it is not complete */
    uint16_t opening;            /* barriers that open soon */
    bool leaving;                /* it may leave soon */
    uint64_t moved; /* cycle in which it is saved, or restored; 0: neither goes on */
    struct swap swap;
    uint64_t order; /* in which CTAs came */
    struct share *of;
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
    struct share *of;
    uint16_t operation;
    uint8_t op;
    uint8_t accesses;
    uint8_t flags;              /* enum instruction_flag */
    uint32_t own[MAX_ACCESSES]; /* access, of a stream that comes in pieces */
};

/* Things that happen in an SM a known time later; most are in sm.due. EVENT_FETCH: with two
 * levels their order counts. EVENT_FAR: a result comes in more cycles than there are ticks, and
 * is looked at again. */
enum event_kind {
    EVENT_MEMORY,
    EVENT_FETCH,
    EVENT_CONSTANT, /* the line of an MSHR comes from the second level of constants */
    EVENT_BARRIER,
    EVENT_FAR,
    EVENT_CHILDREN,
    EVENT_LEAVE
};
struct event {
    uint16_t next;
    uint16_t subject; /* warp, operation, or CTA slot and barrier */
    uint8_t kind;
};

/* Two-level warp scheduling: rules P-3 and P-4. OWL has groups and no active queue: its ready
 * queue has those of the group whose turn it is that are not pending. */
struct two_level {
    uint64_t ready;   /* warps, by slot */
    uint64_t pending; /* wait for memory or at a barrier */
    uint32_t n_active;
    uint32_t n_group;
    uint8_t active[MAX_WARPS];
    uint64_t group[MAX_CTAS]; /* warps of each group of CTAs, the one that came first first */
};

/* What every cycle asks for comes first, in few lines of the host's cache, which has no room
 * for all SMs. Of struct classes the counts, which change now and then, are a line of their
 * own. */
struct sm {
    struct scheduler scheduler[MAX_SCHEDULERS];
    _Alignas(64) struct classes ldst;
    uint32_t queued; /* memory instructions in the load/store unit */
    uint32_t queue_head;
    uint32_t accessed; /* of the oldest */
    uint32_t memory_inflight;
    bool held;  /* the oldest cannot go on until something wakes the SM for it */
    bool dirty; /* after a fill it has something to do: it must step in this cycle */
    bool pausing, draining, gated;
    bool left;           /* a CTA has ended in this cycle */
    bool mixed;          /* it has CTAs of several kernels */
    bool reordered;      /* two-level: the ready queue has changed since the last step */
    uint64_t pipes_free; /* no pipe of the SM is busy from this cycle on */
    uint64_t ldst_free;  /* the load/store unit makes no access before this cycle */
    uint64_t issues;     /* warp instructions */
    uint64_t stepped;    /* the last cycle in which it was */
    _Alignas(64) struct classes inflight;
    uint64_t alu_latest; /* last arithmetic result of the SM */
    uint64_t waiting;    /* warps without an instruction */
    uint64_t want;       /* wait for the fetch unit */
    uint64_t redirected; /* after a taken branch */
    uint64_t missing;    /* wait for their line of instructions, before the fetch unit */
    uint64_t turning;    /* who has had turns since the SM's last cycle, all in vain */
    uint64_t turns_from; /* the first cycle of these turns */
    uint64_t fetch_free; /* the fetch unit serves nobody before this cycle */
    uint32_t fetch_last;
    uint32_t listed;               /* events in `tick` */
    uint64_t occupied[TICKS / 64]; /* ticks with events, or warps that are due */
    uint64_t alive;                /* warps that have not exited */
    uint64_t at_barrier;
    struct share *eldest; /* of the kernel of the CTA that came first; without CTAs of none */
    uint64_t counted;     /* warp instructions that have been shown to units */
    uint64_t sampled;     /* and to the core status table */
    uint64_t due[TICKS];  /* by tick: warps whose arithmetic operands, or fetch, are there */
    uint16_t tick[TICKS]; /* first event; 0: none */
    uint32_t id, cluster, in_cluster;
    uint8_t class_shown[MAX_SCHEDULERS]; /* in records */
    struct classes no_cta;
    uint64_t pipe_free[PIPES][MAX_SCHEDULERS]; /* the first of its units to be free */
    uint64_t unit_free[PIPES][MAX_SCHEDULERS][MAX_UNITS];
    struct event *event; /* from 1 */
    uint16_t free_event;
    uint16_t n_free_operation;
    uint16_t *free_operation;
    struct operation *operation;
    struct ldst_entry ldst_queue[16];
    struct queue miss_queue;
    struct warp warp[MAX_WARPS];
    struct two_level two_level;
    struct cache cache[PATHS];
    struct cache l15; /* behind that of constants; no ways: none */
    struct cta cta[MAX_CTAS];
    uint32_t swapping; /* CTAs with requests to make */
    uint32_t cta_used; /* slots */
    uint64_t warp_free;
    uint32_t registers_free, shared_free, threads_free;
    uint32_t carveout; /* shared memory that it has now, with l1.carveouts */
    uint64_t ages;
    uint64_t dry;       /* first cycle without a CTA; 0: it has never had one */
    uint32_t away;      /* CTAs that have left to wait for children, and will come back */
    uint64_t gate_open; /* first cycle in which it takes CTAs again */
    struct integral resident, off;
    uint64_t gatings;             /* how often it has been power-gated in the run */
    struct issue_counts issued;   /* when it was settled */
    struct issue_counts latest;   /* since then, of warps of one kernel; warps count the rest */
    struct share *latest_of;      /* its share */
    uint64_t issued_of[MAX_CTAS]; /* by slot, of warps that were counted: sm_issued_of */
    uint64_t told_of[MAX_CTAS];   /* and shown to lcs */
    uint64_t passes, writes, atomics, fills, local, local_hit, local_write, written_back, ctas,
        warps;
    uint64_t *owed;        /* [warp][register] */
    uint64_t no_cta_of[8]; /* no kernel's */
};

/* ---- Interface ----------------------------------------------------------------------- */

/* Allocates an SM; its caches are empty. */
struct sm *sm_open(const struct gpu *g, uint32_t id);
/* Its warps issue by this policy from the next cycle on: one of those without a ready queue,
 * and without groups, if it had such a one. */
void sm_policy(const struct gpu *g, struct sm *m, enum warp_policy policy);
/* Older warps come first, but for a greedy one. */
bool policy_by_age(enum warp_policy policy);
void sm_close(struct sm *m);
/* Gives every warp room for more registers. */
bool sm_widen(struct sm *m, uint32_t old_stride, uint32_t stride);
/* A kernel starts: the caches of data are emptied. */
void sm_invalidate(struct sm *m);
/* With l1.carveouts: a CTA of a kernel with this carve-out comes, and all CTAs then have so
 * much shared memory. On an empty SM the L1 takes the kernel's size. Beside other CTAs it
 * shrinks if their shared memory asks for it. */
void sm_carve(const struct gpu_config *c, struct sm *m, uint32_t kernel, uint64_t shared);
/* The SM has no power: all its caches are. */
void sm_forget(struct sm *m);
/* The most memory instructions of an SM that can be on their way at once: in the unit's queue,
 * waiting for a line, or in the pipe of a cache that takes one a cycle. */
uint32_t sm_operations(const struct gpu_config *c);

/* Cycle t of those of 64 SMs that are in the set; returns which of them must also step in the
 * next one. */
uint64_t sms_step(struct gpu *g, struct sm *const sm[], uint64_t set, uint64_t t);
void sm_fill(struct gpu *g, struct sm *m, const struct packet *p, uint64_t t);
/* block: number of the first CTA that comes with it. */
void cta_start(struct gpu *g, struct sm *m, uint32_t kernel, uint32_t cta, uint32_t block,
               uint64_t t);
/* A CTA that has left waits for children: away from its SM, which it comes back to. */
struct away {
    struct away *next;
    struct cta cta; /* its sets of warps are by number in `warp` */
    uint64_t alive;
    uint32_t sm, n;
    struct warp warp[];
};
/* What the CTA in this slot of the SM has is on its way out, or else in, from this cycle on. */
void swap_begin(struct gpu *g, struct sm *m, uint32_t slot, bool out);
/* It still is: requests are to be made, or answers to come. */
bool swap_goes_on(const struct sm *m, uint32_t slot);
/* It has no request to make. */
void swap_stop(struct gpu *g, struct sm *m, uint32_t slot);
/* It is not to go on; its place in memory is free. */
void swap_end(struct gpu *g, struct sm *m, uint32_t slot);
/* It comes back, and is freed; its SM has room. */
void cta_return(struct gpu *g, struct sm *m, struct away *away, uint64_t t);
/* The warps of the CTA in this slot go on that wait for children. */
void cta_call(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t);
/* Ends the run with a fault: an SM was given a line that is older than a write before it. */
void stale_answer(struct gpu *g, uint32_t sm, uint32_t line, const char *from);
void versions_no_memory(struct gpu *g);

/* Instructions of all CTAs that have been in this slot. */
uint64_t sm_issued_of(const struct sm *m, uint32_t slot);
/* Counts the cycles up to `end`. */
void sm_settle(struct gpu *g, struct sm *m, uint64_t end);
uint64_t sm_unanswered(const struct gpu *g, const struct sm *m);

#endif
