/* mem - the state of crossbars, L2 slices and DRAM partitions, and what
 * the rest of the machine asks of them. */

#ifndef MEM_H
#define MEM_H

#include "gpu/base/share.h"
#include "gpu/gpu.h"

/* When the inputs of a crossbar see the room that packets leave which go at an output: the last
 * of these NoC cycles, in a ring with room for all that a queue can hold. */
enum { CREDITS = 512 };
struct credits {
    uint64_t at[CREDITS];
    uint64_t given, seen;
};
struct crossbar {
    uint32_t inputs, outputs;
    bool by_output;       /* noc.queues: output */
    uint64_t busy;        /* inputs, if their queues have lists */
    uint64_t wanted;      /* outputs with a request */
    uint64_t listed;      /* inputs whose head is in `request` */
    uint64_t request[64]; /* by output: inputs whose head, or with lists any packet, wants it */
    uint64_t input_free[64]; /* NoC cycle */
    uint64_t output_free[64];
    uint32_t last[64]; /* by output: after the input granted last */
    struct queue *from[64];
    struct queue *to[64];
    struct credits *credits; /* by output; NULL without noc.credit_latency */
    struct integral blocked; /* outputs that are wanted and free, but full */
    uint64_t packets, flits, bytes;
};

enum {
    L2_IDLE,
    L2_BUSY,
    L2_FULL_REPLY,
    L2_FULL_MSHR,
    L2_FULL_MERGE,
    L2_FULL_DRAM,
    L2_FULL_SET,
    L2_ATOMIC_BUSY,
};
struct requester {
    struct share *of;
    uint16_t sm;
    uint16_t mshr;
    uint8_t type : 4;
    uint8_t path : 4;
    uint8_t part; /* or lanes: as in the packet */
    uint8_t sectors : 4;
    bool tracked : 1;
    uint8_t turns;
};
_Static_assert(sizeof(struct requester) == 16u, "many wait");
struct slice {
    struct queue request, reply;
    struct mshrs mshr;
    uint8_t *answered;        /* by MSHR: requesters served since the line came */
    struct requester *waiter; /* [mshr][merge] */
    uint16_t *returned;       /* MSHRs whose line has come; ring */
    uint32_t n_returned, returned_head;
    uint64_t atomic_until;        /* L2 cycle */
    uint64_t lanes_until;         /* the same by l2.atomic_lanes, times these */
    struct share *atomic_of, *of; /* of the last atomic; of this cycle */
    struct classes cycles;
    uint64_t hit, miss, merge, write, write_miss, fetch, atomic, writeback, replies;
    uint32_t *tag; /* [set][way]: (line + 1) << 2 | dirty << 1 | pending; most recent first */
    uint8_t *part; /* [set][way], quarters: there << 4 | dirty; NULL: lines have no sectors */
};

/* What a bank needs next. A read and a write of an open row differ in when they may go. */
enum { ACTIVATE, PRECHARGE, ROW_READ, ROW_WRITE, NO_COMMAND };
struct dram_request {
    uint64_t since; /* DRAM cycle */
    struct share *of;
    uint32_t row;
    uint32_t age;
    uint16_t mshr;
    uint8_t bank;
    bool write;
    uint8_t quarters; /* of the line */
    uint8_t sm;       /* which reads; GPU_MAX_SM: none does */
};
enum { DRAM_READS = 1024 }; /* an L2 slice has no more MSHRs */
/* Reads and writes that wait together, or with dram.write_queue each apart. */
struct dram_side {
    uint64_t valid;       /* entries of `queue` */
    uint64_t entries[64]; /* of each bank */
    struct dram_request queue[64];
};
struct dram {
    uint32_t slice;
    struct dram_side *now; /* the side that goes */
    uint32_t n, n_writes;  /* that wait, on both sides */
    uint32_t ages;
    uint64_t next_try; /* no command is possible before this DRAM cycle */
    uint64_t next_read, next_write, next_activate;
    uint64_t window[4]; /* ring: when the fourth activate after one may go */
    uint64_t refresh;   /* its next step is due in this DRAM cycle; NEVER: none */
    uint64_t refreshes; /* of banks that are over, or under way */
    uint32_t closing;   /* this bank + 1 is due; 0: none is */
    uint64_t looks;     /* for it in this core cycle, which may come before; NEVER: none */
    uint64_t activate_ok[64], precharge_ok[64], column_ok[64]; /* by bank */
    uint32_t open[64];                                         /* row + 1; 0 closed */
    /* One candidate a bank: its oldest row hit, else its oldest entry. */
    uint8_t best[64];
    uint8_t kind[64];             /* the command that the bank's candidate needs */
    uint64_t of_kind[NO_COMMAND]; /* banks whose candidate needs this command */
    uint64_t ok[NO_COMMAND][64];  /* when, by the bank's own timing; NEVER: not this kind */
    uint64_t first_ok[NO_COMMAND];
    struct dram_side side[2]; /* reads or all; writes apart */
    struct {
        uint64_t time;
        uint16_t mshr;
    } data[DRAM_READS]; /* reads whose data is on its way; ring */
    uint32_t data_head, data_n;
    struct integral occupancy;
    uint64_t reads, writes, activates, precharges;
    uint64_t same_sm;                /* reads for the SM of the read before */
    uint32_t last_sm;                /* of the last read; GPU_MAX_SM: there was none */
    uint64_t bus_saved, bytes_saved; /* by requests of less than a line */
};

/* Empty slices and DRAM partitions; crossbars between them and the clusters, which are open. */
bool memory_open(struct gpu *g);
void memory_close(struct gpu *g);
uint64_t memory_unanswered(const struct gpu *g);

void crossbar_step(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t);
void slices_step(struct gpu *g, uint64_t set, uint64_t t);
/* Before the first cycle, for the first refresh. */
void drams_wake(struct gpu *g);
void drams_step(struct gpu *g, uint64_t set, uint64_t t);
/* It has room for so many. */
bool dram_takes(const struct gpu *g, uint32_t id, uint32_t reads, uint32_t writes);
/* quarters: of the line, in whole atoms. mshr, sm: of a read. */
void dram_push(struct gpu *g, uint32_t slice, uint32_t line, uint32_t quarters, bool write,
               uint32_t mshr, uint32_t sm, struct share *of);

#endif
