/* ptx_analysis - the steps of ptx_analyse. */

#ifndef PTX_ANALYSIS_H
#define PTX_ANALYSIS_H

#include "ptx/ptx.h"

/* Scratch memory of an analysis; freed at its end. */
struct ptx_scratch {
    void *block[48];
    uint32_t n;
    bool failed; /* out of memory */
};
void *ptx_scratch(struct ptx_scratch *scratch, size_t n, size_t size);
void ptx_scratch_free(struct ptx_scratch *scratch);

/* The blocks that may come before each block, and before the end, which is block n_block: of b
 * they are list[first[b]] to list[first[b + 1] - 1]. */
struct ptx_predecessors {
    uint32_t *first, *list;
};

/* Basic blocks with their predecessors, and where the lanes of each branch meet again. */
bool ptx_flow(struct ptx_module *module, struct ptx_function *f,
              struct ptx_predecessors *before, struct ptx_scratch *scratch);
/* Immediate post-dominators: dominator[b], for n_block + 1 blocks; n_block is the end. Blocks
 * of `lost` do not count: PTX_NO_BLOCK. */
bool ptx_dominance(const struct ptx_function *f, const struct ptx_predecessors *before,
                   const bool *lost, uint32_t *dominator, struct ptx_scratch *scratch);

/* A row for each register. Classes have rows of their own: a lane's place in a row depends on
 * the row's width, so a value of one width, alive in some lanes, would lose to one of another
 * that the other lanes write. */
struct ptx_places {
    uint32_t *row;            /* by register: number among its class; PTX_NOT_LIVE: not used */
    uint32_t n[CLASS_64 + 1]; /* rows of each class */
};
#define PTX_NOT_LIVE UINT32_MAX
/* Fills them, and f->registers. Returns false if there are too many, or no memory. */
bool ptx_allocate(struct ptx_function *f, const struct ptx_predecessors *before,
                  struct ptx_places *places, struct ptx_scratch *scratch);

/* Rows, constant rows and the timing templates. */
bool ptx_rows(struct ptx_module *module, struct ptx_function *f,
              const struct ptx_places *places, struct ptx_scratch *scratch);

/* Which loads of constants are operands in machine code, in their timing templates. */
bool ptx_constants(struct ptx_function *f, struct ptx_scratch *scratch);

/* Registers of an instruction: its guard is read. A guarded write leaves the old value in some
 * lanes. */
struct ptx_names {
    uint32_t n;
    uint16_t reg[2u * PTX_MAX_VECTOR + 4u];
};
struct ptx_names ptx_reads(const struct ptx_inst *i);
struct ptx_names ptx_writes(const struct ptx_inst *i);
bool ptx_names_register(const struct ptx_operand *o);

/* The class in which source k of an instruction is read. */
enum ptx_class ptx_source_class(const struct ptx_inst *i, uint32_t k);
enum ptx_class ptx_type_class(enum ptx_type type);

static inline bool ptx_ends_block(const struct ptx_inst *i)
{
    const bool traps = i->op == PTX_TRAP && i->guard == PTX_NO_REGISTER;
    return i->op == PTX_BRA || i->op == PTX_RET || i->op == PTX_EXIT || traps;
}

#endif
