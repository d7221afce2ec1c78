/*
 * gpu_kernel - kernels made by hand, for tests of the GPU's timing: programs instruction by
 * instruction, a function that says which lines a warp touches, and a GPU that runs them.
 */

#ifndef GPU_KERNEL_H
#define GPU_KERNEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/random_bits.h"
#include "gpu/gpu.h"
#include "tb/base/seed.h"

/* From the work distributor's look at a kernel and the SMs' room to the CTA that goes out. */
enum { DISPATCH_CYCLES = 2 };

/* ---- Programs ------------------------------------------------------------------------ */

enum { PROGRAM_MOST = 2048, R = REGISTER_FIRST }; /* R + 3: the fourth register */

struct program {
    struct instruction code[PROGRAM_MOST];
    uint32_t length;
    uint32_t accesses; /* words of its access list */
};

/* Adds an instruction of all lanes: dst and src are registers or REGISTER_NONE; accesses are
 * those of struct instruction, of an atomic its lines. Returns it, to be changed. */
struct instruction *emit(struct program *p, enum op_class op, uint32_t dst, uint32_t src,
                         uint32_t accesses);

/* n equal instructions, each of which needs the result of the one before. */
void emit_chain(struct program *p, enum op_class op, uint32_t n, uint32_t accesses);

/* n equal instructions that need nothing of each other; seven results are owed at most. */
void emit_free(struct program *p, enum op_class op, uint32_t n);
void emit_branches(struct program *p, uint32_t n, bool taken);
void emit_exit(struct program *p);

/* ---- Kernels ------------------------------------------------------------------------- */

struct hand_kernel {
    struct kernel_shape shape;
    const struct program *program[64]; /* of each warp; those not given have the first one's */
    const struct program *special;     /* of all warps of one CTA, if not NULL */
    uint32_t special_cta;
    const struct program *(*of_cta)(uint32_t cta); /* of all warps of each, if not NULL */
    /* Word i of a warp's access list; NULL: all of them are line 0. */
    uint32_t (*access)(const struct hand_kernel *kernel, uint32_t cta, uint32_t warp,
                       uint32_t i);
    uint64_t parameter; /* for `access` */
    uint32_t turns;     /* of atomics: so many lanes meet at an address that another has */
    uint32_t lanes;     /* of atomics, of each line, if not 0; otherwise those that meet */
    uint32_t opened, freed, closed;
};

struct hand_kernel kernel_of(const struct program *program, uint32_t ctas, uint32_t warps);
const struct program *program_of(const struct hand_kernel *k, uint32_t cta, uint32_t warp);
bool hand_open(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
               struct fault *fault);
struct kernel_source source_of(struct hand_kernel *k);

/* ---- Machines ------------------------------------------------------------------------ */

/* One SM, one cluster, one L2 slice, one scheduler that takes the oldest warp, one clock, no
 * launch latency, DRAM rows of 512 lines. */
struct gpu_config small_config(void);
struct gpu *open_gpu(const struct gpu_config *config, const struct gpu_hooks *hooks,
                     unsigned mode);
void launch(struct gpu *g, struct hand_kernel *kernel, uint32_t stream);

/* Runs to the end, which must be a good one. The statistics are valid until the next call. */
const struct gpu_stats *run_to_end(struct gpu *g);

/* What a kernel alone takes on a fresh machine, and what its first SM, L2 slice and DRAM count.
 */
struct outcome {
    uint64_t cycles;
    struct gpu_sm_stats sm;
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
};
struct outcome run_alone(const struct gpu_config *config, struct hand_kernel *kernel);

/* Cycles of one CTA of `warps` warps that all run p. */
uint64_t cycles_of(const struct gpu_config *config, const struct program *p, uint32_t warps);

#endif
