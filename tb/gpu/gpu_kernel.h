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

/* A number of the environment, or a standard one. Printed, to repeat a run. */
static inline uint64_t printed_number(const char *name, uint64_t standard)
{
    const char *const text = getenv(name);
    const uint64_t number = text != NULL ? strtoull(text, NULL, 0) : standard;

    print_message("%s=%" PRIu64 "\n", name, number);
    return number;
}

/* ---- Programs ------------------------------------------------------------------------ */

enum { PROGRAM_MOST = 2048, R = REGISTER_FIRST }; /* R + 3: the fourth register */

struct program {
    struct instruction code[PROGRAM_MOST];
    uint32_t length;
    uint32_t accesses; /* words of its access list */
};

/* Adds an instruction of all lanes: dst and src are registers or REGISTER_NONE; accesses are
 * those of struct instruction. Returns it, to be changed. */
static inline struct instruction *emit(struct program *p, enum op_class op, uint32_t dst,
                                       uint32_t src, uint32_t accesses)
{
    assert_true(p->length < PROGRAM_MOST);
    struct instruction *const i = &p->code[p->length];
    *i = (struct instruction){ .op = (uint8_t)op,
                               .dst = (uint8_t)dst,
                               .n_dst = dst != REGISTER_NONE,
                               .lanes = WARP_SIZE,
                               .src = { (uint8_t)src },
                               .accesses = (uint8_t)accesses,
                               .pc = p->length++ };
    p->accesses += op == OP_SHARED ? 0u : accesses;
    return i;
}

/* n equal instructions, each of which needs the result of the one before. */
static inline void emit_chain(struct program *p, enum op_class op, uint32_t n,
                              uint32_t accesses)
{
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(p, op, R, R, accesses);
    }
}

/* n equal instructions that need nothing of each other; seven results are owed at most. */
static inline void emit_free(struct program *p, enum op_class op, uint32_t n)
{
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(p, op, R + k % 250u, REGISTER_NONE, 0u);
    }
}

static inline void emit_branches(struct program *p, uint32_t n, bool taken)
{
    for (uint32_t k = 0u; k < n; k++) {
        emit(p, OP_BRANCH, REGISTER_NONE, REGISTER_NONE, 0u)->flags = taken ? TAKEN : 0u;
    }
}

static inline void emit_exit(struct program *p)
{
    (void)emit(p, OP_EXIT, REGISTER_NONE, REGISTER_NONE, 0u);
}

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
    uint32_t opened, freed, closed;
};

static inline struct hand_kernel kernel_of(const struct program *program, uint32_t ctas,
                                           uint32_t warps)
{
    return (struct hand_kernel){ .shape = { .name = "hand",
                                            .grid = { ctas, 1u, 1u },
                                            .block = { warps * WARP_SIZE, 1u, 1u },
                                            .registers = 1u,
                                            .last_register = REGISTER_LAST },
                                 .program = { program } };
}

static inline const struct program *program_of(const struct hand_kernel *k, uint32_t cta,
                                               uint32_t warp)
{
    if (k->of_cta != NULL) {
        return k->of_cta(cta);
    }
    if (k->special != NULL && cta == k->special_cta) {
        return k->special;
    }
    return k->program[warp] != NULL ? k->program[warp] : k->program[0];
}

static inline bool hand_open(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                             struct fault *fault)
{
    struct hand_kernel *const k = self;
    const uint32_t warps = kernel_warps(&k->shape);
    size_t words = 1u;

    (void)fault;
    k->opened++;
    for (uint32_t w = 0u; w < warps; w++) {
        words += program_of(k, cta, w)->accesses;
    }
    uint32_t *access = calloc(words, sizeof *access);
    assert_non_null(access);
    *handle = access;
    for (uint32_t w = 0u; w < warps; w++) {
        const struct program *const p = program_of(k, cta, w);
        warp[w] = (struct warp_stream){ p->code, access };
        for (uint32_t i = 0u; i < p->accesses; i++) {
            *access++ = k->access != NULL ? k->access(k, cta, w, i) : ACCESS(0u, 15u);
        }
    }
    return true;
}

static inline void hand_free(void *self, void *handle)
{
    struct hand_kernel *const k = self;
    k->freed++;
    free(handle);
}

static inline void hand_close(void *self)
{
    struct hand_kernel *const k = self;
    k->closed++;
}

static inline struct kernel_source source_of(struct hand_kernel *k)
{
    return (struct kernel_source){ k, k->shape, hand_open, hand_free, hand_close };
}

/* ---- Machines ------------------------------------------------------------------------ */

/* One SM, one cluster, one L2 slice, one scheduler that takes the oldest warp, one clock, no
 * launch latency, DRAM rows of 512 lines. */
static inline struct gpu_config small_config(void)
{
    struct gpu_config c = gpu_config_standard();
    c.clock.noc = c.clock.l2 = c.clock.dram = c.clock.core;
    c.sm.count = c.cluster.count = c.l2.slices = 1u;
    c.sm.cta_slots = 32u;
    c.warp.schedulers = 1u;
    c.warp.policy = WARP_OLDEST;
    c.dispatch.launch_latency = 0u;
    c.dram.row_bytes = 65536u;
    return c;
}

static inline struct gpu *open_gpu(const struct gpu_config *config,
                                   const struct gpu_hooks *hooks, unsigned mode)
{
    struct fault fault;
    struct gpu *const g = gpu_open(config, hooks, mode, &fault);
    if (g == NULL) {
        fail_msg("gpu_open: %s", fault_text(&fault));
    }
    return g;
}

static inline void launch(struct gpu *g, struct hand_kernel *kernel, uint32_t stream)
{
    const struct kernel_source source = source_of(kernel);
    struct fault fault;
    if (!gpu_launch(g, &source, stream, &fault)) {
        fail_msg("gpu_launch: %s", fault_text(&fault));
    }
}

/* Runs to the end, which must be a good one. The statistics are valid until the next call. */
static inline const struct gpu_stats *run_to_end(struct gpu *g)
{
    const enum gpu_end end = gpu_run(g);
    if (end != GPU_DONE) {
        fail_msg("gpu_run: %s", fault_text(gpu_fault(g)));
    }
    const struct gpu_stats *const s = gpu_stats(g);
    assert_int_equal(s->unanswered, 0u);
    return s;
}

/* What a kernel alone takes on a fresh machine, and what its first SM, L2 slice and DRAM count.
 */
struct outcome {
    uint64_t cycles;
    struct gpu_sm_stats sm;
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
};
static inline struct outcome run_alone(const struct gpu_config *config,
                                       struct hand_kernel *kernel)
{
    struct gpu *const g = open_gpu(config, NULL, 0u);
    launch(g, kernel, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const struct outcome o = { s->cycles, s->sm[0], s->l2[0], s->dram[0] };
    gpu_close(g);
    return o;
}

/* Cycles of one CTA of `warps` warps that all run p. */
static inline uint64_t cycles_of(const struct gpu_config *config, const struct program *p,
                                 uint32_t warps)
{
    struct hand_kernel k = kernel_of(p, 1u, warps);
    return run_alone(config, &k).cycles;
}

#endif
