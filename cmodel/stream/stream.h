/*
 * stream - instruction streams: what a kernel source gives to the timing model.
 *
 * A source hands over one stream a warp: what the warp issues, in order, with the registers,
 * active lanes and memory accesses of each instruction. A stream may come in pieces: when the
 * last instruction of one has been issued, the source is asked for the next. What others may
 * wait for it executes no sooner. The timing model never computes values, and knows no source.
 */

#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/fault.h"

struct gpu_config;

/* X(identifier, name) */
#define OP_CLASSES(X)                                                    \
    X(OP_INTEGER, "integer")                                             \
    X(OP_FP32, "fp32")                                                   \
    X(OP_FP64, "fp64")                                                   \
    X(OP_SFU, "sfu")                                                     \
    X(OP_TENSOR, "tensor")                                               \
    X(OP_LOAD, "load") /* global or local, through the L1 */             \
    X(OP_STORE, "store")                                                 \
    X(OP_ATOMIC, "atomic") /* at the L2; dst if the old value returns */ \
    X(OP_SHARED, "shared") /* load with dst, store without */            \
    X(OP_CONSTANT, "constant")                                           \
    X(OP_TEXTURE, "texture")                                             \
    X(OP_BRANCH, "branch")                                               \
    X(OP_BARRIER, "barrier")                                             \
    X(OP_EXIT, "exit") /* last of every stream; elsewhere only with CHILDREN */

enum op_class {
#define OP_ENUMERATOR(identifier, name) identifier,
    OP_CLASSES(OP_ENUMERATOR)
#undef OP_ENUMERATOR
        OP_COUNT,
    /* An integer instruction that waits as an exit does: it issues when all earlier memory
     * accesses of its warp are complete. It counts as an integer one, and has no name. */
    OP_FENCE = OP_COUNT,
    OP_ALL
};

enum {
    WARP_SIZE = 32,
    REGISTER_NONE = 0,  /* as dst or src: no register */
    REGISTER_FIRST = 2, /* 1 is the timing model's own */
    REGISTER_LAST = 255,
    MAX_ACCESSES = 64, /* of an instruction */
};

enum instruction_flag {
    TAKEN = 1,     /* a branch after which the instruction buffer is refilled */
    UNCACHED = 2,  /* a load that no cache before the L2 may answer, join or keep */
    LOCAL = 4,     /* local memory: a load of it passes merge table and coalesced cache */
    ARRIVE = 8,    /* at a barrier, without waiting for others */
    CHILDREN = 16, /* no exit: the warp waits until what its CTA has launched is complete, as
                      gpu_children_ended says, and goes on with the next piece */
    OPERAND = 32,  /* a load of constants, of one line, which machine code has as an operand of
                      the instructions that use it */
};

/* What an arithmetic instruction does, in its flags: each may take a time of its own. */
enum operation_kind {
    KIND_PLAIN,          /* all that has no kind of its own */
    KIND_MULTIPLY,       /* of integers */
    KIND_CONVERT,        /* between whole and real numbers, or real ones of two sizes */
    KIND_DIVIDE,         /* real numbers; with doubles also reciprocals and roots */
    KIND_INTEGER_DIVIDE, /* also remainders */
    KIND_SIMPLE,         /* neither adds nor multiplies: a move, a shift, a comparison.. */
    KIND_MIN_MAX,        /* smaller or larger of two */
    KIND_MULTIPLY_ADD,   /* of integers */
    KIND_FUSED,          /* multiplication and addition of real numbers with one rounding */
    OPERATION_KINDS
};

/* A CTA has 16 barriers; the number is in the upper half of the flags of OP_BARRIER. */
enum { BARRIERS = 16 };
#define BARRIER_FLAGS(number, arrives) ((number) << 4 | ((arrives) ? ARRIVE : 0))
static inline uint32_t barrier_number(uint32_t flags)
{
    return flags >> 4;
}

/* One warp instruction as issued. 16 bytes. */
struct instruction {
    uint8_t op;       /* enum op_class */
    uint8_t dst;      /* first register written, or REGISTER_NONE */
    uint8_t n_dst;    /* registers written from dst on: 1..8; 0 without dst */
    uint8_t lanes;    /* active threads, 1..32; 0 if a predicate switched all off */
    uint8_t src[4];   /* registers read, predicates included, or REGISTER_NONE */
    uint8_t accesses; /* LOAD STORE ATOMIC CONSTANT TEXTURE: words of the stream's access
                         list it takes, 0..64, of an ATOMIC half of them turns; SHARED: passes
                         over the banks, 1..32; BARRIER: warps that it waits for; 0: all that
                         have not ended */
    uint8_t flags;    /* enum instruction_flag; of arithmetic: enum operation_kind */
    uint16_t note;    /* for warp schedulers: see the source */
    uint32_t pc;      /* index of the instruction in its kernel's text */
};

/* Registers that an instruction names: the bytes of src that are not 0, and dst. */
static inline uint32_t operands_of(const struct instruction *i)
{
    uint32_t src;
    memcpy(&src, i->src, sizeof src);
    const uint32_t used = ((src & 0x7f7f7f7fu) + 0x7f7f7f7fu) | src;
    return ((used >> 7 & 0x01010101u) * 0x01010101u >> 24) + i->n_dst;
}

/* How many instructions of each class there are, their active lanes, and the registers that
 * those lanes name. */
struct issue_counts {
    struct {
        uint64_t warps, lanes;
    } of[OP_ALL];
    uint64_t operands;
};
static inline void issues_count(const struct instruction *from, const struct instruction *end,
                                struct issue_counts *sum)
{
    for (const struct instruction *i = from; i != end; i++) {
        sum->of[i->op].warps++;
        sum->of[i->op].lanes += i->lanes;
        sum->operands += (uint64_t)i->lanes * operands_of(i);
    }
}
static inline void issues_add(const struct issue_counts *more, struct issue_counts *sum)
{
    for (uint32_t op = 0u; op < OP_ALL; op++) {
        sum->of[op].warps += more->of[op].warps;
        sum->of[op].lanes += more->of[op].lanes;
    }
    sum->operands += more->operands;
}

/* A word of an access list: number of the cache line, and which quarters of it are touched.
 * The line's size is that of the cache the instruction goes to: l1.line (LOAD, STORE,
 * ATOMIC; equal to l2.line), constant.line, texture.line. Lines are below 2^28.
 *
 * The words of an ATOMIC are followed by as many turns: for each line, the most lanes that meet
 * at one address, 1..32, which follow each other there; and all its lanes, or 0: no others. */
#define ACCESS(line, quarters)    ((uint32_t)(line) << 4 | (quarters))
#define ATOMIC_TURNS(meet, lanes) ((uint32_t)(lanes) << 8 | (meet))
static inline uint32_t turns_meet(uint32_t turns)
{
    return turns & 255u;
}
static inline uint32_t turns_lanes(uint32_t turns)
{
    return turns >> 8;
}
static inline uint32_t access_line(uint32_t access)
{
    return access >> 4;
}
static inline uint32_t access_quarters(uint32_t access)
{
    return access & 15u;
}

/* A piece of a warp's stream, or all of it. A piece ends at the latest with an instruction that
 * others may wait for, and with a barrier at which the warp waits. */
struct warp_stream {
    const struct instruction *instruction; /* up to and with OP_EXIT, if n is 0 */
    const uint32_t
        *access; /* of all its instructions, in order; not NULL, though it is empty */
    uint32_t n;  /* instructions of this piece, of which the last may be OP_EXIT; 0: all */
    bool polls;  /* the warp has looked again for a value that has not come */
    const struct issue_counts *counts; /* of the piece, if the source has them; or NULL */
};

/* What the machine must know of a kernel before its first CTA. */
struct kernel_shape {
    const char *name;
    uint32_t grid[3];      /* CTAs in x, y, z; at least 1 each, below 2^32 in all */
    uint32_t block[3];     /* threads of a CTA in x, y, z; at least 1 each */
    uint32_t registers;    /* of a thread */
    uint32_t alive;        /* of them at once, by a scan of its PTX; 0 if nothing scanned it */
    uint32_t shared_bytes; /* of a CTA */
    uint8_t last_register; /* highest number used in its streams */
    const void *text;      /* the same for all launches of a kernel, and for no other kernel */
    uint32_t instructions; /* of its text; 0: their fetch always hits */
    bool cooperative;      /* its CTAs wait for each other: limiters hold none of them back */
};

/* A kernel ready to run. The functions get `self`; they may be called for several CTAs
 * that are open at once. */
struct kernel_source {
    void *self;
    struct kernel_shape shape;
    /* Executes CTA number `cta` (x fastest) and fills warp[0..warps-1]; *handle is given
     * back to free_cta. Returns false with a fault if the kernel did something illegal. */
    bool (*open_cta)(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                     struct fault *fault);
    /* The last instruction of a piece has been issued in this cycle, or the barrier opens that
     * it is: gives the next piece of the stream of the CTA's warp, which may lie where the last
     * one lay. NULL if all streams come whole. */
    bool (*more)(void *self, void *handle, uint32_t warp, uint64_t cycle,
                 struct warp_stream *stream, struct fault *fault);
    /* Adds to a fault, on a new line, what value the warp waits for; false if it waits for
     * none. NULL if no warp ever does. */
    bool (*describe)(void *self, void *handle, uint32_t warp, struct fault *fault);
    /* The CTA is off its SM, where it waits for what it has launched; all pieces have been
     * issued, and are no longer read. NULL: the source does nothing with that. */
    void (*rest)(void *self, void *handle);
    /* The CTA has ended; its streams are no longer read. */
    void (*free_cta)(void *self, void *handle);
    /* The kernel has ended; may be NULL. */
    void (*close)(void *self);
    /* The same, of a source whose kernels launch others, in place of close: it says with
     * gpu_complete when also those have ended. False with a fault: the run ends. */
    bool (*ended)(void *self, struct fault *fault);
};

static inline uint32_t kernel_ctas(const struct kernel_shape *shape)
{
    return shape->grid[0] * shape->grid[1] * shape->grid[2];
}
static inline uint32_t kernel_threads(const struct kernel_shape *shape)
{
    return shape->block[0] * shape->block[1] * shape->block[2];
}
static inline uint32_t kernel_warps(const struct kernel_shape *shape)
{
    return (kernel_threads(shape) + WARP_SIZE - 1u) / WARP_SIZE;
}

#endif
