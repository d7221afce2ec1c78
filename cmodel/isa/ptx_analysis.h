/* ptx_analysis - the steps of ptx_analyse. */

#ifndef PTX_ANALYSIS_H
#define PTX_ANALYSIS_H

#include "ptx.h"

/* Scratch memory of an analysis; freed at its end. */
struct ptx_scratch {
    void *block[24];
    uint32_t n;
    bool failed; /* out of memory */
};
void *ptx_scratch(struct ptx_scratch *scratch, size_t n, size_t size);
void ptx_scratch_free(struct ptx_scratch *scratch);

/* Basic blocks, and where the lanes of each branch meet again. */
bool ptx_flow(struct ptx_module *module, struct ptx_function *f, struct ptx_scratch *scratch);

/* A place for each register: slots of 32 bits, two for CLASS_64; predicates apart. Fills
 * slot[register], and f->registers; returns the predicate slots in use. */
uint32_t ptx_allocate(struct ptx_function *f, uint32_t *slot, struct ptx_scratch *scratch);

/* Rows, constant rows and the timing templates. */
bool ptx_rows(struct ptx_module *module, struct ptx_function *f, const uint32_t *slot,
              uint32_t predicates, struct ptx_scratch *scratch);

/* The class in which source k of an instruction is read. */
enum ptx_class ptx_source_class(const struct ptx_inst *i, uint32_t k);
enum ptx_class ptx_type_class(enum ptx_type type);

static inline bool ptx_ends_block(const struct ptx_inst *i)
{
    return i->op == PTX_BRA || i->op == PTX_RET || i->op == PTX_EXIT || i->op == PTX_TRAP;
}

#endif
