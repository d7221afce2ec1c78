/*
 * exec_run - a CTA in execution; shared by exec*.c, not for others.
 *
 *   exec.c            pools, programs, CTAs that are opened and given back
 *   exec_special.c    special registers
 *   exec_turns.c      turns of warps, pieces of streams, CTAs without timing
 *   exec_decode.c     instructions to steps, once for each function
 *   exec_control.c    a warp's steps: guards, branches, exits
 *   exec_paths.c      lanes that diverge
 *   exec_poll.c       warps that wait for a value
 *   exec_barrier.c    bar
 *   exec_exchange.c   shfl, vote, match, activemask
 *   exec_memory.c     addresses to host memory; ld, ldu, st
 *   exec_atomic.c     atom, red
 *   exec_runtime.c    calls of the device runtime
 *   exec_stream.c     records for the timing model
 *   exec_fault.c      what was wrong
 *   exec_check.c      what is not illegal, yet wrong
 *   exec_footprint.c  blocks of memory that CTAs access
 *
 * A warp that is timed is executed piece by piece: until its window is full, until it waits at
 * a barrier, or up to an ordering point. That instruction is recorded, and executed when the
 * timing model has issued it (exec_more).
 */

#ifndef EXEC_RUN_H
#define EXEC_RUN_H

#include "base/fault.h"
#include "exec/exec_warp.h"

enum {
    /* Each branch leaves at most two paths above, of fewer lanes: 32 lanes need 2 * 32 + 2. As
     * many again come from lanes that do not wait where the others will meet them. */
    MAX_PATHS = 4 * WARP_SIZE + 4,
    /* Without timing: warp instructions after which another warp has its turn. */
    TURN = 1 << 16,
    INDEPENDENT = 70, /* from this target on lanes wait for each other */
    POLLS = 32,       /* ordered instructions of a warp of which is known what they found */
};

/* Lines of memory that is not the device's. Constants and parameters lie below DEVICE_BASE,
 * the threads' local memory above DEVICE_LIMIT, where it wraps. */
#define CONST_AT    UINT64_C(0x01000000)
#define PARAM_AT    UINT64_C(0x08000000)
#define LOCAL_AT    DEVICE_LIMIT
#define LOCAL_BYTES UINT64_C(0x100000000)

enum step_kind {
    STEP_ALU,
    STEP_CLOCK,  /* reads a clock, then as ALU */
    STEP_ACTION, /* registers, memory and record */
    STEP_BRANCH,
    STEP_EXIT,
    STEP_BARRIER,
    STEP_NOTHING,
};

struct exec_access;
struct exec_run;
struct exec_step;
struct run_warp;

/* Returns false if it was illegal: there is a fault. */
typedef bool exec_action(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                         uint32_t lanes);

struct exec_step {
    exec_handler *handler;
    exec_action *action;
    const struct ptx_inst *inst;
    struct instruction timing; /* of inst */
    uint32_t guard_row;
    uint32_t guard_flip; /* UINT32_MAX: @!p */
    uint8_t kind;        /* enum step_kind */
    bool guarded;
    bool ordered; /* executed when it is issued */
    bool fence;   /* for other CTAs, too */
    /* of an access to memory */
    uint8_t bytes; /* of an element */
    uint8_t total; /* of a lane */
    bool wide_address;
    bool sign;          /* extend the sign */
    uint8_t wide;       /* a bit for each element whose register is CLASS_64 */
    bool global_symbol; /* the address of a global variable: from global_base */
};

struct path {
    uint32_t pc;
    uint32_t end; /* not an instruction of the path */
    uint32_t lanes;
};

/* What a warp's stream is made of; kept from CTA to CTA. */
struct record_list {
    struct instruction *instruction;
    uint32_t *access;
    size_t n_instruction, n_access, room_instruction, room_access;
};

/* What an ordered instruction has found the last time. */
struct poll {
    const struct exec_step *step;
    uint64_t hash; /* of addresses and values */
};
/* The lowest lane's. */
struct found {
    const struct exec_step *step;
    uint32_t lane;
    enum ptx_space space;
    uint64_t address, value;
};

enum warp_state { WARP_RUNS, WARP_WAITS, WARP_ENDED };

struct run_warp {
    struct exec_warp w;
    uint32_t number;
    uint32_t alive; /* lanes that have not exited */
    enum warp_state state;
    const struct exec_step *waits; /* the barrier instruction */
    uint32_t barrier, wait_lanes;
    const struct exec_step *due; /* an ordering point: recorded, and not yet executed */
    uint32_t due_lanes;
    /* How often it has found a value again since it has done what others see; of each of its
     * paths. */
    uint32_t polls;
    bool looked; /* otherwise poll[] says nothing */
    struct poll poll[POLLS];
    struct found found;
    uint64_t executed;
    struct record_list *list;
    uint32_t depth;
    struct path path[MAX_PATHS];
};

struct run_barrier {
    uint32_t arrived;  /* warps */
    uint32_t expected; /* warps; 0: all that have not ended */
    uint32_t count;    /* of bar.red: threads, and those whose predicate is true */
    uint32_t trues;
};

struct exec_program {
    const struct ptx_function *function;
    struct exec_step *step; /* n_inst, and an exit for lanes that reach the end */
    struct ptx_inst end;
    bool warned; /* of lanes that read others which do not execute with them */
};

/* The last ordered instruction that has changed some bytes. */
struct writer {
    uint64_t address;
    const struct exec_step *step;
    const struct exec_program *program;
    uint32_t cta, thread;
};
enum { WRITERS = 4096 };

struct exec {
    struct exec_program **program;
    size_t n_program;
    struct exec_run *free; /* CTAs that are not open */
    uint64_t executed;
    void (*warn)(void *self, const char *text);
    void *warn_self;
    struct writer *writer; /* [WRITERS], by address; NULL until the first */
};

struct exec_watch; /* exec_check.c: what is known of a CTA */

/* A CTA in execution. */
struct rested;
struct exec_run {
    struct exec *exec;
    struct exec_run *next; /* in a list: free, or open without timing */
    struct exec_launch *launch;
    const struct ptx_function *function;
    const struct exec_step *step;
    struct exec_program *program;
    struct run_warp *warp;
    struct record_list *list; /* of each warp */
    struct rested *rested;    /* what it has is packed, and none of it here; NULL: it is not */
    uint32_t n_list;
    uint32_t warps, threads;
    uint32_t cta, at[3];
    uint8_t *rows, *shared, *local;
    size_t room_rows, room_shared, room_local, room_warp;
    uint32_t shared_bytes;
    struct run_barrier barrier[BARRIERS];
    uint64_t cycle;           /* of the timing model, when an ordering point is executed */
    uint64_t executed;        /* warp instructions of this turn */
    bool streams;             /* pieces of streams are recorded */
    bool performs;            /* an ordering point that has been recorded is executed */
    bool waits;               /* it was a call of a warp that waits for children now */
    bool watched;             /* somebody asks for accesses: one of the next two */
    struct exec_check *check; /* NULL: nobody asks */
    struct footprint_cta *footprint; /* the same */
    struct exec_watch *watch;
    void *of_cta; /* what the device runtime knows of it; NULL: nothing */
    struct fault *fault;
};

/* ---- exec_decode.c ------------------------------------------------------------------- */

/* Makes the steps of a function. False with a fault if an instruction is not supported. */
bool exec_decode(struct exec_program *program, const struct ptx_module *module,
                 const struct ptx_function *function, struct fault *fault);
/* All but the memory that it accesses. */
bool exec_atomic_supported(const struct ptx_inst *i);
bool exec_decode_memory(struct exec_step *s, const struct ptx_function *function,
                        const char **why);

/* ---- exec_special.c ------------------------------------------------------------------ */

/* Sets the special registers that do not change. */
void exec_fill_specials(const struct exec_run *r, struct run_warp *w);
/* Sets the clocks. */
void exec_tick(const struct exec_run *r, struct run_warp *w);

/* ---- exec.c -------------------------------------------------------------------------- */

/* Makes a CTA ready to be executed; NULL with a fault. */
struct exec_run *exec_take(struct exec *exec, struct exec_launch *launch, uint32_t cta,
                           struct fault *fault);
/* Gives it back. */
void exec_give(struct exec_run *r);
/* Room for warps, registers and memory, all of which is 0. False: there is no memory. */
bool exec_room(struct exec_run *r);

/* A CTA that has none of that gets what one that has ended had, if there is any. */
void exec_inherit(struct exec_run *r);

/* ---- exec_rest.c --------------------------------------------------------------------- */

/* What is packed is there again, or the run has a fault; or it is dropped. */
bool exec_wake(struct exec_run *r);
void exec_wake_never(struct exec_run *r);

/* ---- exec_control.c ------------------------------------------------------------------ */

/* Executes until the warp waits, ends, comes to an ordering point (with r->streams), or has
 * executed `most`. */
bool exec_turn(struct exec_run *r, struct run_warp *w, uint64_t most);
/* Executes an instruction other than an arithmetic one, and goes on behind it. */
bool exec_step_other(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     uint32_t lanes);

/* ---- exec_paths.c -------------------------------------------------------------------- */

void exec_start(struct run_warp *w, uint32_t lanes);
/* Leaves paths that have come to their end, or have no lanes. */
void exec_settle(struct run_warp *w);
/* Lanes end, wherever they are. */
void exec_retire(struct run_warp *w, uint32_t lanes);
/* Some lanes of the uppermost path jump. */
void exec_diverge(struct run_warp *w, const struct ptx_inst *i, uint32_t jump);
/* Path k goes; or becomes the uppermost. */
void exec_remove(struct run_warp *w, uint32_t k);
void exec_lift(struct run_warp *w, uint32_t k);
/* Other lanes go on, if there are any: the uppermost path polls. */
void exec_yield(struct run_warp *w);

/* ---- exec_poll.c --------------------------------------------------------------------- */

/* An ordered load, or an atomic that has changed nothing, has found these values. */
void exec_poll_found(const struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     const struct exec_access *a, uint32_t lanes);
/* The warp has done something that others may wait for. */
static inline void exec_poll_done(struct run_warp *w)
{
    w->polls = 0u;
}
/* Do all lanes of the warp wait for a value? Each path has had its turn. */
static inline bool exec_polls(const struct run_warp *w)
{
    return w->polls > 2u * w->depth;
}
/* An ordered instruction has written. */
void exec_poll_wrote(const struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     const struct exec_access *a, uint32_t lanes);
/* Adds what the warp polls. */
void exec_poll_describe(const struct exec_run *r, const struct run_warp *w,
                        struct fault *fault);

/* ---- exec_barrier.c ------------------------------------------------------------------ */

bool exec_bar(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
              uint32_t lanes);
/* After a warp has ended: who waited for it? */
void exec_bar_ended(struct exec_run *r);

/* ---- exec_exchange.c, exec_memory.c, exec_atomic.c ----------------------------------- */

exec_action exec_shfl, exec_vote, exec_match, exec_activemask, exec_symbol;
exec_action exec_call_runtime;
exec_action exec_load, exec_store, exec_atomic;

/* How all 32 lanes lie in memory: side by side, or all at one place. ANY: otherwise, or some
 * are switched off. */
enum access_shape { SHAPE_ANY, SHAPE_ROW, SHAPE_ONE };
/* What the lanes of an access address. */
struct exec_access {
    uint64_t address[WARP_SIZE]; /* in its space */
    uint8_t *at[WARP_SIZE];      /* the host's view of a lane's bytes */
    uint8_t *row; /* of those of all 32 lanes, side by side; NULL if they are not one stretch */
    enum access_shape shape;
    enum ptx_space space; /* of the generic space, that of the lowest lane */
    uint32_t lanes;       /* in that space */
};
/* The host's view of bytes at an address of a space; NULL if not all of them are there. */
uint8_t *exec_host_at(const struct exec_run *r, uint32_t warp, uint32_t lane,
                      enum ptx_space space, uint64_t address, uint64_t bytes);
bool exec_resolve(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                  uint32_t lanes, struct exec_access *a);

/* ---- exec_stream.c ------------------------------------------------------------------- */

/* Appends the record of an instruction; false with a fault if there is no memory. */
bool exec_record(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                 uint32_t lanes);
/* The accesses of the last record. */
bool exec_record_access(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                        const struct exec_access *a);
static inline struct instruction *exec_last(const struct run_warp *w)
{
    return &w->list->instruction[w->list->n_instruction - 1u];
}
/* Words for accesses to `bytes` bytes at aligned addresses, a power of two and at most a line.
 * Returns their number. */
uint32_t exec_coalesce(const uint64_t *address, uint32_t lanes, uint32_t bytes, uint32_t line,
                       uint32_t *word);
/* Passes over the banks; see exec_stream.c. shares: lanes with the same word share its pass,
 * which those of an atomic do not. */
uint32_t exec_passes(const uint64_t *address, uint32_t lanes, uint32_t bytes, uint32_t banks,
                     bool shares);

/* ---- exec_fault.c -------------------------------------------------------------------- */

/* Says what a lane's thread did. Returns false. */
bool exec_fault(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                uint32_t lanes, const char *format, ...) __attribute__((format(printf, 5, 6)));
bool exec_fault_access(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       uint32_t lane, enum ptx_space space, uint64_t address);

/* Footprints may take no more bytes than these; or the host has none. That is no fault of the
 * kernel. */
bool exec_fault_footprint(struct exec_run *r, const struct run_warp *w,
                          const struct exec_step *s, uint32_t lanes, uint64_t bytes);
/* Memory of the host is missing, for n records or accesses, or for the CTA's warps: that is no
 * fault of the kernel. */
bool exec_fault_memory(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       size_t n, const char *what);
bool exec_fault_warps(struct exec_run *r);

const char *exec_space_name(enum ptx_space space);
/* The place and `what`, in a text of one's own. */
void exec_locate(const struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                 uint32_t lane, const char *what, char *text, size_t size);

/* ---- exec_check.c: only if r->check is there ----------------------------------------- */

/* A CTA starts. False: no memory. */
bool exec_check_start(struct exec_run *r);
void exec_watch_free(struct exec_watch *watch);
/* An access is allowed and has not taken place. */
void exec_check_access(const struct exec_run *r, const struct run_warp *w,
                       const struct exec_step *s, const struct exec_access *a);
/* The device runtime has written bytes for a lane. */
void exec_check_wrote(const struct exec_run *r, uint32_t warp, uint32_t lane,
                      enum ptx_space space, uint64_t address, uint32_t bytes);
/* `lane` takes the value of lane `from`, which does not execute the instruction. */
void exec_check_shuffle(const struct exec_run *r, const struct run_warp *w,
                        const struct exec_step *s, uint32_t lane, uint32_t from);
/* A warp arrives at a barrier; those that wait there will go on. */
void exec_check_arrive(const struct exec_run *r, uint32_t warp, uint32_t barrier);
void exec_check_leave(const struct exec_run *r, uint32_t barrier);

/* ---- exec_footprint.c ---------------------------------------------------------------- */

/* A CTA begins; false: no memory. */
bool exec_footprint_start(struct exec_run *r);
/* An access that is executed. False with a fault: no memory. */
bool exec_footprint_access(struct exec_run *r, const struct run_warp *w,
                           const struct exec_step *s, const struct exec_access *a);
/* The CTA is given back. */
void exec_footprint_end(struct exec_run *r);

/* ---- Lanes --------------------------------------------------------------------------- */

static inline uint32_t lowest_lane(uint32_t lanes)
{
    return (uint32_t)__builtin_ctz(lanes);
}
static inline uint32_t count_lanes(uint32_t lanes)
{
    return (uint32_t)__builtin_popcount(lanes);
}
#define EACH_LANE(lane, lanes)               \
    for (uint32_t set_ = (lanes), lane = 0u; \
         set_ != 0u && (lane = (uint32_t)__builtin_ctz(set_), true); set_ &= set_ - 1u)

#endif
