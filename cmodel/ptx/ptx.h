/*
 * ptx - a PTX module, read and decoded: what the executor runs and the timing model is told.
 *
 *   ptx_load     text to module, or one error with file and line   ptx_scanner.l, ptx_grammar.y
 *   ptx_analyse  control flow, reconvergence, dense registers      ptx_analysis.c
 *   ptx_reorder  blocks in the order of a compiler                 ptx_order.c
 *   exec_*       functional execution of a CTA                     exec.h
 *
 * A register of a function has a number and a class; its value in the 32 lanes of a warp is a
 * row: 32 words of 32 bits (8, 16 and 32-bit types; f16x2), 32 words of 64 bits, or, for a
 * predicate, one word with a bit a lane.
 */

#ifndef PTX_H
#define PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "stream/stream.h"

enum ptx_type {
    PTX_NONE,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_F32,
    PTX_F64,
    PTX_PRED,
};
/* Bytes of a value; 0 for predicates. */
uint32_t ptx_type_bytes(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type);

enum ptx_space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_CONST,
    SPACE_LOCAL,
    SPACE_PARAM,
    SPACE_ENTRY /* of no access: addresses of entries */
};

/* Address windows of the generic space; global memory is everything else. A generic address
 * in a window is the window's base plus the address in its space. */
#define PTX_SHARED_BASE UINT64_C(0x0100000000000000)
#define PTX_LOCAL_BASE  UINT64_C(0x0200000000000000)
#define PTX_CONST_BASE  UINT64_C(0x0300000000000000)
#define PTX_WINDOW      UINT64_C(0x0000000001000000) /* bytes of each */
/* Addresses of entries, this far apart, by their number; nothing can be read or written there.
 */
#define PTX_ENTRY_BASE  UINT64_C(0x0400000000000000)
#define PTX_ENTRY_BYTES UINT64_C(16)

/* Operations: X(identifier, name in PTX). Their types and modifiers are in the instruction. */
/* clang-format off */
#define PTX_OPS(X)                                                                      \
    X(ABS, "abs") X(ACTIVEMASK, "activemask") X(ADD, "add") X(ADDC, "addc")             \
    X(AND, "and") X(ATOM, "atom") X(BAR, "bar") X(BFE, "bfe") X(BFI, "bfi")             \
    X(BFIND, "bfind") X(BMSK, "bmsk") X(BRA, "bra") X(BREV, "brev") X(BRKPT, "brkpt") X(BRX, "brx")     \
    X(CALL, "call")                                                                     \
    X(CLZ, "clz") X(CNOT, "cnot") X(COPYSIGN, "copysign") X(COS, "cos") X(CVT, "cvt")   \
    X(CVTA, "cvta") X(DIV, "div") X(DP2A, "dp2a") X(DP4A, "dp4a") X(EX2, "ex2")         \
    X(EXIT, "exit") X(FENCE, "fence") X(FMA, "fma") X(FNS, "fns")                       \
    X(ISSPACEP, "isspacep") X(LD, "ld") X(LDU, "ldu") X(LG2, "lg2") X(LOP3, "lop3")     \
    X(MAD, "mad") X(MAD24, "mad24") X(MADC, "madc") X(MATCH, "match") X(MAX, "max")     \
    X(MEMBAR, "membar") X(MIN, "min") X(MOV, "mov") X(MUL, "mul") X(MUL24, "mul24")     \
    X(NANOSLEEP, "nanosleep") X(NEG, "neg") X(NOT, "not") X(OR, "or")                   \
    X(PMEVENT, "pmevent") X(POPC, "popc") X(PREFETCH, "prefetch")                       \
    X(PREFETCHU, "prefetchu") X(PRMT, "prmt") X(RCP, "rcp") X(RED, "red")               \
    X(REM, "rem") X(RET, "ret") X(RSQRT, "rsqrt") X(SAD, "sad") X(SELP, "selp")         \
    X(SET, "set") X(SETP, "setp") X(SHF, "shf") X(SHFL, "shfl") X(SHL, "shl")           \
    X(SHR, "shr") X(SIN, "sin") X(SLCT, "slct") X(SQRT, "sqrt") X(ST, "st")             \
    X(SUB, "sub") X(SUBC, "subc") X(SZEXT, "szext") X(TANH, "tanh") X(TESTP, "testp") X(TRAP, "trap")     \
    X(VOTE, "vote") X(XOR, "xor")
/* clang-format on */

enum ptx_op {
#define PTX_ENUMERATOR(identifier, name) PTX_##identifier,
    PTX_OPS(PTX_ENUMERATOR)
#undef PTX_ENUMERATOR
        PTX_OP_COUNT
};

enum ptx_compare {
    CMP_NONE,
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_LO,
    CMP_LS,
    CMP_HI,
    CMP_HS,
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN
};
enum ptx_round {
    ROUND_NONE,
    ROUND_RN,
    ROUND_RZ,
    ROUND_RM,
    ROUND_RP, /* to a float */
    ROUND_RNI,
    ROUND_RZI,
    ROUND_RMI,
    ROUND_RPI, /* to an integer */
    ROUND_APPROX,
    ROUND_FULL
};
enum ptx_bool { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };
/* What a word after the opcode asks for, apart from types, rounding, comparison, space. */
enum ptx_mode {
    MODE_NONE,
    MODE_LO,
    MODE_HI,
    MODE_WIDE, /* mul, mad, mul24, mad24 */
    MODE_L,
    MODE_R, /* shf */
    MODE_UP,
    MODE_DOWN,
    MODE_BFLY,
    MODE_IDX, /* shfl */
    MODE_ALL,
    MODE_ANY,
    MODE_UNI,
    MODE_BALLOT, /* vote, match (all, any) */
    MODE_SYNC,
    MODE_ARRIVE,
    MODE_RED_AND,
    MODE_RED_OR,
    MODE_RED_POPC,
    MODE_WARP_SYNC, /* bar */
    MODE_ADD,
    MODE_MIN,
    MODE_MAX,
    MODE_INC,
    MODE_DEC,
    MODE_AND,
    MODE_OR,
    MODE_XOR,
    MODE_EXCH,
    MODE_CAS, /* atom, red */
    MODE_F4E,
    MODE_B4E,
    MODE_RC8,
    MODE_ECL,
    MODE_ECR,
    MODE_RC16, /* prmt */
    MODE_FINITE,
    MODE_INFINITE,
    MODE_NUMBER,
    MODE_NOTANUMBER,
    MODE_NORMAL,
    MODE_SUBNORMAL, /* testp */
    MODE_CLAMP,
    MODE_WRAP, /* bmsk, szext */
};
enum ptx_flag {
    FLAG_FTZ = 1,
    FLAG_SAT = 2,
    FLAG_CC = 4,        /* writes the carry */
    FLAG_UNIFORM = 8,   /* bra.uni */
    FLAG_TO = 16,       /* cvta.to */
    FLAG_SHIFTAMT = 32, /* bfind.shiftamt */
    FLAG_CLAMP = 64,    /* shf.clamp, otherwise wrap */
    FLAG_NC = 128,      /* ld.global.nc: through the read-only cache */
    FLAG_VOLATILE = 256,
    FLAG_UNCACHED = 512, /* a read passes the caches before the L2: .relaxed .acquire .cg .cv */
    FLAG_ORDERED = 1024, /* others may wait for it: .relaxed .acquire .release .cv .wt */
    FLAG_CTA = 2048,     /* of a fence: it orders for the threads of its CTA alone */
};

enum ptx_operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,  /* reg */
    OPERAND_IMMEDIATE, /* value: bits of the instruction's type; of an address, all of it */
    OPERAND_SPECIAL,   /* reg: enum ptx_special */
    OPERAND_ADDRESS, /* [reg + value], [value] (reg NO_REGISTER), or the address itself for mov:
                        value includes the symbol's address in its space */
    OPERAND_SINK,    /* _ */
};
enum { PTX_NO_REGISTER = 0xffff, PTX_MAX_VECTOR = 8, PTX_MAX_SOURCES = 10 };
enum ptx_special {
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_SMID,
    SREG_NSMID,
    SREG_GRIDID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_GE,
    SREG_LANEMASK_GT,
    SREG_CLOCK,
    SREG_CLOCK64,
    SREG_GLOBALTIMER,
    SREG_DYNAMIC_SMEM_SIZE,
    SREG_TOTAL_SMEM_SIZE,
    SREG_COUNT
};
struct ptx_operand {
    uint8_t kind;   /* enum ptx_operand_kind */
    uint8_t negate; /* of a predicate source: !p */
    bool constant;  /* by ptx_analyse: the row is in the function's constant rows */
    uint16_t reg;
    uint32_t row; /* by ptx_analyse: offset of its row, bytes. Registers, and special registers,
                     which are filled when the warp starts, are in the warp's rows; immediates
                     and plain addresses are constant rows. For [reg + value]: the row of reg */
    uint64_t value;
};

/* One decoded instruction. dst: what it writes; for a store or red, none. src in PTX's order.
 * LD and LDU: dst[0..vector-1], src[0] the address. ST: src[0] the address, src[1..vector].
 * ATOM: dst[0] (or SINK), src[0] address, src[1], src[2] for cas. RED: src[0], src[1].
 * SETP: dst[0], dst[1] (or NONE), src[0], src[1], src[2] (predicate, or NONE).
 * BRX: checks that src[0] is below src[1]; the branches follow as SETP and BRA.
 * SHFL: dst[0], dst[1] predicate or NONE; src[0] value, [1] lane, [2] clamp, [3] member mask.
 * CALL: of the device runtime: dst[0] or none from src[0..], one for each word.
 * MOV with vector > 1: pack (dst[0] from src[0..vector-1]) or unpack (dst[0..vector-1]). */
struct ptx_inst {
    uint8_t op;          /* enum ptx_op */
    uint8_t type;        /* of the result, or of the access */
    uint8_t source_type; /* second type: cvt, set, slct, shfl..; otherwise `type` */
    uint8_t space;
    uint8_t round, compare, boolean, mode;
    uint16_t flags;
    uint8_t vector; /* elements: 1, 2, 4 (8 for b8 packs) */
    uint8_t n_dst, n_src;
    uint8_t lut; /* lop3 */
    bool guard_negate;
    uint16_t guard; /* predicate register, or PTX_NO_REGISTER */
    struct ptx_operand dst[PTX_MAX_VECTOR];
    struct ptx_operand src[PTX_MAX_SOURCES];
    uint32_t target; /* BRA: instruction index; CALL: enum ptx_runtime */
    uint32_t line;   /* in the file */

    /* filled by ptx_analyse */
    uint32_t
        reconverge; /* instruction at which the lanes of a branch meet; n_inst: at the exit */
    uint32_t block; /* basic block */
    struct instruction timing; /* op, dst, n_dst, src; pc; the rest is set when it executes */
};

static inline bool ptx_reads_carry(const struct ptx_inst *i)
{
    return i->op == PTX_ADDC || i->op == PTX_SUBC || i->op == PTX_MADC;
}

enum ptx_class { CLASS_PREDICATE, CLASS_32, CLASS_64 };
struct ptx_register {
    const char *name;
    uint8_t type;    /* as declared */
    uint8_t class;   /* enum ptx_class */
    uint32_t offset; /* of its row in a warp's registers, bytes; set by ptx_analyse */
};
struct ptx_variable { /* of module or function scope */
    const char *name;
    uint8_t space; /* GLOBAL, CONST, SHARED, LOCAL, PARAM */
    uint8_t type;
    uint32_t align;
    uint64_t bytes;      /* 0: extern shared, sized at launch */
    uint64_t address;    /* in its space; of global variables when the module is loaded */
    const uint8_t *init; /* bytes, or NULL for zeros */
    uint32_t line;
};
struct ptx_block {         /* basic block */
    uint32_t first, end;   /* instructions */
    uint32_t successor[2]; /* blocks; PTX_NO_BLOCK if none */
};
#define PTX_NO_BLOCK UINT32_MAX

struct ptx_function {
    const char *name;
    bool entry; /* .entry; others are inlined at their calls when read */
    uint32_t line;
    uint32_t n_param, n_register, n_inst, n_block;
    struct ptx_variable *param; /* address: offset in the parameter block */
    uint32_t param_bytes;
    struct ptx_register *reg;
    struct ptx_inst *inst; /* ends with RET or EXIT */
    struct ptx_block *block;
    uint32_t shared_bytes; /* static, module scope included */
    uint32_t local_bytes;  /* of a thread */
    uint32_t max_threads;  /* .maxntid product; 0 if not given */
    /* by ptx_analyse */
    uint32_t row_bytes; /* of a warp's rows: registers and special registers in use */
    uint32_t
        special_row[SREG_COUNT]; /* offset of a special register's row; UINT32_MAX: not used.
                                    CLASS_64 for clock64 and globaltimer, else CLASS_32 */
    uint32_t constant_bytes;     /* of the constant rows */
    uint8_t *constant_rows; /* an immediate in all 32 lanes: CLASS_32 or CLASS_64 by the type it
                               is read as; a predicate immediate as one word */
    uint32_t registers;     /* 32-bit registers of a thread after linear scan */
};
struct ptx_module {
    const char *file;
    uint32_t target; /* 70 of sm_70; 0 if the text has none */
    uint32_t n_function, n_variable;
    struct ptx_function *function;
    struct ptx_variable *variable;      /* global and const */
    uint64_t global_bytes, const_bytes; /* of the variables, laid out from 0 */
    void *arena;                        /* owns all memory of the module */
};

/* Reads and analyses a module. NULL with a fault "FILE:LINE: ..." if something is wrong or
 * unsupported: then also what is supported. */
struct ptx_module *ptx_load(const char *path, struct fault *fault);
/* The same from memory; name stands for the file in messages. */
struct ptx_module *ptx_load_text(const char *name, const char *text, size_t length,
                                 struct fault *fault);
void ptx_free(struct ptx_module *module);
/* An entry by name, or NULL. */
const struct ptx_function *ptx_entry(const struct ptx_module *module, const char *name);

/* How a compiler orders the instructions of a basic block. */
struct ptx_order {
    /* Cycles from an instruction to one that reads its result; of memory, those of a hit. */
    uint32_t cycles[OP_ALL][OPERATION_KINDS];
    bool operands;      /* loads that machine code has as operands take no time */
    uint32_t registers; /* of a thread, with which an SM has all its warps */
    uint32_t granule;   /* in which registers are given to a thread; 1 or more */
};
/* Puts the instructions of each entry's blocks into the order of a list scheduler (ptx_order.c)
 * and analyses the entries again. What they compute stays the same, unless one reads through
 * ld.global.nc what it writes, which PTX leaves undefined. False with a fault without memory.
 */
bool ptx_reorder(struct ptx_module *module, const struct ptx_order *order, struct fault *fault);

/* For the reader: fills reconverge, block, timing, rows and register counts of an entry.
 * Returns false with a fault (unreachable reconvergence, too many registers...). */
bool ptx_analyse(struct ptx_module *module, struct ptx_function *function, struct fault *fault);

#endif
