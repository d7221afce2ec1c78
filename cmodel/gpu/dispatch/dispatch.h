/* dispatch - kernels, the work distributor, and what the rest of the machine asks of them. */

#ifndef DISPATCH_H
#define DISPATCH_H

#include "gpu/base/blocks.h"
#include "gpu/dispatch/occupancy.h"
#include "gpu/gpu.h"
#include "gpu/units/sockets.h"

struct sm;
struct throttle;
struct share;
struct away;

enum { MAX_RESIDENT = GPU_MAX_RESIDENT }; /* kernels: dispatch.kernels */

struct kernel {
    struct kernel_source source;
    struct share *share; /* what is counted of it */
    uint32_t ctas;
    uint32_t code;          /* its text is after so many instructions of others */
    struct cta_room takes;  /* each of them, of an SM */
    uint32_t carveout;      /* of as many as fit an SM, with l1.carveouts */
    uint32_t issued, done;  /* CTAs */
    uint32_t slot;          /* of the work distributor, while it is resident */
    uint32_t block;         /* CTAs that go to an SM together */
    uint32_t next;          /* of its stream; NO_KERNEL: none yet */
    uint32_t behind;        /* in a list of kernels, not valid for its last */
    uint32_t configuration; /* the first kernel that is like it, which groups may join */
    uint32_t stamp;         /* of LaPerm's, in memory */
    uint32_t record;        /* its place there */
    uint32_t link;          /* what the kernel management unit has in memory for it */
    uint64_t order;         /* in which kernels became resident */
    uint64_t from;       /* cycle in which it starts: its latency is over, and it has a slot */
    uint32_t mate;       /* the next in its slot, or NO_KERNEL */
    uint32_t n_away;     /* its CTAs that wait for children */
    uint32_t n_back;     /* that are to come back */
    bool holds;          /* it has its slot */
    bool wants;          /* one again */
    struct bits allowed; /* SMs that the limiters allow it */
    bool group;          /* of CTAs, which looks for a kernel to join */
    bool started;        /* and its launch latency is over */
    bool told;           /* what its CTAs need is known to the room of the SMs */
    bool ended;
    bool complete; /* what it has launched has ended, too */
};

/* What the work distributor is still to be asked. */
struct launch_request {
    uint32_t kernel;
    bool keep; /* the kernel has been launched; its set of SMs has changed */
};

/* Around the work distributor, or CLASO where LaPerm is in its place, whose glue is in units.
 */
struct distributor {
    uint64_t open;                 /* the path to the SMs is free from this cycle on */
    struct bits slots;             /* in use */
    uint32_t leader[MAX_RESIDENT]; /* the kernel to which each was given */
    uint32_t mates[MAX_RESIDENT];  /* that kernel, and those that have joined it: the last */
    struct bits sms;               /* that take CTAs: neither draining nor gated */
    /* At most one of a resident kernel; the first is offered until the unit takes it. */
    struct launch_request waiting[MAX_RESIDENT];
    uint32_t n_waiting;
    bool launching; /* in this cycle a launch is offered or under way */
    bool settled;   /* not that, nothing goes out, and the path is free */
};

/* Kernels in the order in which they came. */
struct kernel_list {
    uint32_t first, last, count;
};

/* In memory, a record for each kernel that waits in the kernel management unit. */
enum { RECORDS = 1 << kmu_max_handle_w, KMU_QUEUES = 2 * kmu_max_n_sm * kmu_max_n_level };
struct records {
    struct {
        uint32_t kernel; /* or, if it is free, the next that is */
    } * of;
    uint32_t used;               /* at most so many at once; those are there */
    uint32_t first_free, n_free; /* of these */
};

/* Around LaPerm, its kernel management unit and its kernel distributor, which may be there in
 * place of the work distributor, and whose glue is in units. */
struct binding {
    struct kernel_list arrivals; /* the management unit is still to be told of */
    struct records records;
    struct kernel_list links[KMU_QUEUES]; /* whose links are in memory, of each queue */
    bool answered;                        /* memory has read one of them, in the last cycle */
    uint32_t answer_queue, answer;        /* of this queue: the link */
    uint32_t granted;          /* it gives this kernel to the distributor in this cycle */
    struct kernel_list groups; /* look for a kernel to join */
    uint32_t asking;           /* the group that the distributor is to answer */
    bool each;                 /* no cycle of both is left out */
    bool rests;                /* the next one of both may be */

    uint32_t candidate;          /* kernel that room is asked for; NO_KERNEL */
    struct kernel_list launched; /* it is still to be told of */
    struct kernel_list memory[laperm_max_n_sm][laperm_max_n_level]; /* of SMs and levels */
    uint32_t n_asked; /* of them, that it waits for */
    struct {
        uint32_t sm, level;
    } back[laperm_max_n_sm]; /* which have been read, first come, first served: n_back */
    uint32_t n_back;
    uint64_t next; /* its next cycle; those before the GPU's have been left out */
    /* Of CLASO beside it: the kernel that is to get credits in this cycle, or NO_KERNEL;
     * nothing is to be done or under way. */
    uint32_t dealing;
    bool dealt;
};

/* How full their queues are. */
struct queue_levels {
    uint32_t now[GPU_QUEUES];
    uint64_t since[GPU_QUEUES]; /* the sum has what was before this cycle */
    uint32_t of_set[laperm_max_n_sm];
    uint32_t came;    /* the kernel that LaPerm has taken in its last cycle; NO_KERNEL */
    uint32_t came_to; /* the SM of its set, if it is nested */
    struct gpu_queue_stats stats[GPU_QUEUES];
    uint64_t most_of_set;
};

/* The way of these units to the L2. */
struct record_port {
    uint64_t bit; /* in sets of clusters, after theirs; 0: there is none */
    struct queue request, response;
    uint64_t taken; /* cycle of its last request */
};

/* Around the room of the SMs, whose glue is in units. */
struct rooms {
    struct bits fits; /* SMs that a block of the kernel fits on */
    struct bits open; /* that are neither draining nor gated, nor just wake up */
    uint32_t kernel;  /* for which it is asked, and its slot; NO_KERNEL: for none yet */
    uint32_t slot, block;
    uint32_t launch[MAX_RESIDENT]; /* kernels that got a slot, n_launch, to be told in order */
    uint32_t n_launch;
    uint8_t ended[GPU_MAX_SM][MAX_RESIDENT]; /* CTAs of each slot, to be told */
    struct bits waiting;                     /* SMs that have such */
    uint8_t left[GPU_MAX_SM][MAX_RESIDENT];  /* the same, that have left to wait for children */
    struct bits leaving;
    bool dirty;   /* the unit may answer differently now */
    bool settled; /* it does not, with these inputs */
};

/* CTAs that have left their SM, and come back. */
struct returns {
    struct away *left;              /* CTAs that have left in this cycle */
    void *waiting;                  /* and those before, by kernel and number: a tsearch tree */
    struct away *first, *last;      /* that are to come back, in the order in which they may */
    bool on;                        /* there are such, or `held` has SMs */
    uint32_t n_away;                /* that still wait for children */
    uint32_t in_slot[MAX_RESIDENT]; /* of them, those of the kernels that have this slot */
    struct kernel_list kernels;     /* whose CTAs come back, and that have no slot */
    uint32_t giving;                /* the slot that is being given up; NO_KERNEL: none */
    struct bits held;               /* SMs that get no new CTAs */
    uint64_t since[GPU_MAX_SM], until[GPU_MAX_SM];
};

/* With cdp.swap_bytes what CTAs have that wait for their children is in memory: places there.
 */
struct swaps {
    uint32_t *free; /* n_free of them, the next one last; room for all */
    uint32_t n_free, room;
    uint32_t n_going, turn; /* CTAs with requests to make; the SM whose turn it is */
};

/* What limiters, which are units, let an SM have. */
struct limits {
    bool any;                            /* one of them has said something */
    uint8_t of[GPU_SOCKETS][GPU_MAX_SM]; /* CTAs, by limiter, and 1 more; 0: no limit */
};

/* What ONAC and Seq-Det, and their core status table, have the SMs do. */
struct detection {
    uint32_t kernel;      /* the last that started */
    uint64_t from;        /* cycle in which it did */
    uint64_t given_up;    /* cycle in which an open window is; NEVER or past: in none */
    struct bits held;     /* SMs that do not issue */
    struct bits left_out; /* SMs that take no CTA and are to be gated */
    struct bits closed;   /* SMs that the kernel's CTAs do not go to */
};

/* ---- Interface ----------------------------------------------------------------------- */

/* Consecutive CTAs of a kernel go to an SM. */
void dispatch_issue(struct gpu *g, uint32_t kernel, uint32_t sm, uint32_t cta, uint32_t count);
/* Takes note of the CTAs that have ended in this cycle. */
void dispatch_ended(struct gpu *g, uint64_t t);
/* And of those that have left in it. */
void dispatch_left(struct gpu *g, uint64_t t);
/* CTAs come back, one a cycle; SMs are held for others. */
void returns_step(struct gpu *g);
/* Without LaPerm: kernels give slots up, and get them again. */
void returns_slots(struct gpu *g);
/* The kernels in this slot have no CTAs on SMs, and give it up; and the first kernel that comes
 * back gets this one. */
void returns_give_up(struct gpu *g, uint32_t slot);
void returns_admit(struct gpu *g, uint32_t slot);
void returns_close(struct gpu *g);
/* CTAs are on their way to the SM, or may be sent to it in the next cycle. */
bool control_sends(const struct gpu *g, uint32_t sm);
/* Whether an SM, or any, takes CTAs may have changed. */
void dispatch_open(struct gpu *g, const struct sm *m);
void dispatch_opens(struct gpu *g);
/* SMs that a block of a kernel fits on, if it is the one that the room is asked for. */
struct bits dispatch_room(const struct gpu *g, uint32_t kernel);
/* For the glue of the room of the SMs, in this order in a cycle. Takes note of the CTAs that
 * have ended in it. */
void rooms_collect(struct gpu *g);
/* Takes up to `most` CTAs of one slot, this one or the lowest, that have ended on an SM which
 * is among those that wait. Returns how many. */
uint32_t rooms_ended(struct gpu *g, uint32_t sm, uint32_t first, uint32_t most, uint32_t *slot);
/* The CTA of event i of those that leave in this cycle has left its SM; and takes one of the
 * lowest slot. */
void rooms_left(struct gpu *g, uint32_t i);
uint32_t rooms_take_left(struct gpu *g, uint32_t sm);
/* A CTA of the kernel's block is on the SM. */
bool rooms_has_block(const struct gpu *g, uint32_t sm, uint32_t kernel, uint32_t block);
/* Takes the next kernel that got a slot; NULL if there is none, or it has to wait. */
const struct kernel *rooms_launch(struct gpu *g);
/* Warps that an SM has. */
uint32_t rooms_warps(const struct gpu_config *config);
/* The unit's answer. quiet: it stays, as long as the inputs do. */
void rooms_say(struct gpu *g, struct bits fits, bool quiet);
/* CTAs have come to SMs or left them, or another kernel issues. */
void dispatch_count(struct gpu *g);

/* A limiter lets the SM have at most so many CTAs, of all kernels together; they leave by
 * ending. A block of several goes to an empty SM all the same, since it cannot be cut. */
void limits_set(struct gpu *g, enum gpu_socket limiter, uint32_t sm, uint32_t ctas);
/* It lets the SM have as many as fit. */
void limits_lift(struct gpu *g, enum gpu_socket limiter, uint32_t sm);
/* SMs that every limiter lets have one more block of so many CTAs. */
struct bits limits_allow(const struct gpu *g, uint32_t block);
/* SMs that all limiters let have a block of the kernel. They do not hold for one that waits for
 * all its CTAs on the SMs at once. */
struct bits limits_of(const struct gpu *g, const struct kernel *k);

/* What a throttle, which is a limiter of an SM's CTAs, is about: `of` is in its socket. */

/* Another kernel issues CTAs than the one it is for. */
bool throttle_is_new(const struct gpu *g, const struct throttle *of);
/* CTAs of the kernel that a throttle counts as one: with strict pairs those of a block, a part
 * of which has no context. */
uint32_t throttle_counts(const struct gpu *g, uint32_t kernel);
/* It is for that one from now on, without a limit yet. */
void throttle_begin(struct gpu *g, enum gpu_throttle which, struct throttle *of);
/* Its SM may have so many CTAs, which is no limit that has been found. */
void throttle_may_have(struct gpu *g, enum gpu_throttle which, struct throttle *of,
                       uint32_t limit);
/* Counts the limit that its SM has now, and whether a period has been judged. */
void throttle_count(struct gpu *g, enum gpu_throttle which, struct throttle *of, uint32_t limit,
                    bool judged);

/* LaPerm's distributor gives a kernel that slot, and it starts; or a group gets the slot of a
 * kernel that is like it. */
void kernels_admit(struct gpu *g, uint32_t kernel, uint32_t slot);
void kernels_join(struct gpu *g, uint32_t kernel, uint32_t slot);
/* It has no slot any more; and gets this one, in which its last CTAs come back. */
void kernels_leave(struct gpu *g, uint32_t kernel);
void kernels_resume(struct gpu *g, uint32_t kernel, uint32_t slot);
/* What comes in this cycle; then the units have theirs; and then kernels start. They end. */
void kernels_come(struct gpu *g, uint64_t t);
void kernels_step(struct gpu *g, uint64_t t);
void kernel_end(struct gpu *g, uint32_t id, uint64_t t);
/* Its start empties the L1 caches, and merge tables and coalesced caches. */
bool kernel_flushes(const struct gpu *g, uint32_t id);
/* Cycles from the beginning of its launch to its start. */
uint64_t kernel_latency(const struct gpu *g, uint32_t id);
/* The kernel that issues CTAs: the earliest resident one that has any left; with LaPerm, which
 * takes those of several in turn, the earliest of the host. */
void kernels_choose(struct gpu *g);

void distributor_open(struct gpu *g);
/* Gives the kernel this slot, and asks for its launch. */
void distributor_start(struct gpu *g, struct kernel *k, uint32_t slot);
/* The same function, shape of the CTA, and shared memory. */
bool distributor_alike(const struct kernel_shape *a, const struct kernel_shape *b);
/* The lowest that is free; dispatch.kernels if none is. */
uint32_t distributor_slot(const struct gpu *g);
/* It is free. */
void distributor_free(struct gpu *g, uint32_t slot);
/* Kernels that have no slot yet may take one. */
bool distributor_has_slot(const struct gpu *g);
/* The unit has taken the first launch that waits. */
void distributor_launched(struct gpu *g);
/* The kernel has issued all its CTAs. */
void distributor_exhausted(struct gpu *g, uint32_t kernel);
/* The SMs that take CTAs may have changed. */
void distributor_sms(struct gpu *g);

/* The last of a list of kernels; and the first, of which there is one. */
void list_put(struct gpu *g, struct kernel_list *list, uint32_t kernel);
uint32_t list_take(const struct gpu *g, struct kernel_list *list);
/* Room for the records of so many kernels; false if there is no memory. */
bool records_reserve(struct records *r, uint32_t count);
/* A record that is free; false if none is. It is a kernel's; and free again, whose it was. */
bool record_free(const struct gpu *g, uint32_t *record);
/* One is free beside so many, and beside that of a launch on its way to memory. */
bool record_spare(const struct gpu *g, uint32_t beside);
void record_take(struct gpu *g, uint32_t record, uint32_t kernel);
uint32_t record_give(struct gpu *g, uint32_t record);
bool record_port_open(struct gpu *g);
void record_port_close(struct record_port *port);
/* It takes a request in this cycle; and gets one: who: for whom an answer is, a place of
 * LaPerm's memory, or LINKS and a queue of the kernel management unit, or SWAPS and a place of
 * a CTA on an SM. */
enum { LINKS = 1 << 10, SWAPS = 1 << 13 };
bool record_port_ready(const struct gpu *g);
void record_port_ask(struct gpu *g, uint32_t record, bool write, uint32_t who);
void record_port_ask_line(struct gpu *g, uint32_t line, bool write, uint32_t who);

/* A request, if a CTA has one to make whose registers and shared memory are on their way. */
void swaps_step(struct gpu *g);
/* The number of a line of what the CTA has that is in this place. */
uint32_t swaps_line(const struct gpu *g, uint32_t place, uint32_t line);
void record_port_step(struct gpu *g, uint64_t t);
void binding_answer(struct gpu *g, uint32_t who);
/* The level of the kernel that launched a nested one; LaPerm's highest, if it is above. */
uint32_t binding_parent(const struct gpu *g, uint32_t kernel);
/* The distributor has a free slot. */
bool kdu_has_room(const struct gpu *g);
/* Their cycles can be left out until something comes. */
bool kmu_rests(const struct gpu *g);
bool kdu_rests(const struct gpu *g);
/* LaPerm gets a kernel that has started. */
void binding_launch(struct gpu *g, uint32_t kernel);
/* SMs that may take a CTA of the candidate, if it is of a kernel of the host. */
struct bits credits_of(const struct gpu *g);
/* What waits in these units has come and gone in this cycle; call them with the outputs. */
void queues_of_kmu(struct gpu *g, const struct kmu_in *in, const struct kmu_out *out);
void queues_of_laperm(struct gpu *g, const struct laperm_in *in, const struct laperm_out *out);
/* The sums are those of the cycles before this one. */
void queues_settle(struct gpu *g);
/* Looks for which kernel room is asked for in this cycle. */
void binding_look(struct gpu *g);

#endif
