/* gpu_kernel - kernels made by hand; see gpu_kernel.h. */

#include "tb/gpu/gpu_kernel.h"

/* ---- Programs ------------------------------------------------------------------------ */

struct instruction *emit(struct program *p, enum op_class op, uint32_t dst, uint32_t src,
                         uint32_t accesses)
{
    const uint32_t words = op == OP_ATOMIC ? 2u * accesses : accesses;

    assert_true(p->length < PROGRAM_MOST);
    struct instruction *const i = &p->code[p->length];
    *i = (struct instruction){ .op = (uint8_t)op,
                               .dst = (uint8_t)dst,
                               .n_dst = dst != REGISTER_NONE,
                               .lanes = WARP_SIZE,
                               .src = { (uint8_t)src },
                               .accesses = (uint8_t)words,
                               .pc = p->length++ };
    p->accesses += op == OP_SHARED ? 0u : words;
    return i;
}

void emit_chain(struct program *p, enum op_class op, uint32_t n, uint32_t accesses)
{
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(p, op, R, R, accesses);
    }
}

void emit_free(struct program *p, enum op_class op, uint32_t n)
{
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(p, op, R + k % 250u, REGISTER_NONE, 0u);
    }
}

void emit_branches(struct program *p, uint32_t n, bool taken)
{
    for (uint32_t k = 0u; k < n; k++) {
        emit(p, OP_BRANCH, REGISTER_NONE, REGISTER_NONE, 0u)->flags = taken ? TAKEN : 0u;
    }
}

void emit_exit(struct program *p)
{
    (void)emit(p, OP_EXIT, REGISTER_NONE, REGISTER_NONE, 0u);
}

/* ---- Kernels ------------------------------------------------------------------------- */

struct hand_kernel kernel_of(const struct program *program, uint32_t ctas, uint32_t warps)
{
    return (struct hand_kernel){ .shape = { .name = "hand",
                                            .grid = { ctas, 1u, 1u },
                                            .block = { warps * WARP_SIZE, 1u, 1u },
                                            .registers = 1u,
                                            .last_register = REGISTER_LAST,
                                            .text = program,
                                            .instructions = program->length },
                                 .program = { program } };
}

const struct program *program_of(const struct hand_kernel *k, uint32_t cta, uint32_t warp)
{
    if (k->of_cta != NULL) {
        return k->of_cta(cta);
    }
    if (k->special != NULL && cta == k->special_cta) {
        return k->special;
    }
    return k->program[warp] != NULL ? k->program[warp] : k->program[0];
}

/* The words of a warp's instructions. Returns where they end. */
static uint32_t *words_of(const struct hand_kernel *k, const struct program *p, uint32_t cta,
                          uint32_t warp, uint32_t *word)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < p->length; i++) {
        const struct instruction *const in = &p->code[i];
        const uint32_t lines = in->op == OP_ATOMIC ? in->accesses / 2u : in->accesses;
        for (uint32_t j = 0u; in->op != OP_SHARED && j < in->accesses; j++, n++) {
            *word++ = j >= lines          ? ATOMIC_TURNS(k->turns + 1u, k->lanes)
                      : k->access != NULL ? k->access(k, cta, warp, n)
                                          : ACCESS(0u, 15u);
        }
    }
    assert_int_equal(n, p->accesses);
    return word;
}

bool hand_open(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
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
        warp[w] = (struct warp_stream){ .instruction = p->code, .access = access };
        access = words_of(k, p, cta, w, access);
    }
    return true;
}

static void hand_free(void *self, void *handle)
{
    struct hand_kernel *const k = self;
    k->freed++;
    free(handle);
}

static void hand_close(void *self)
{
    struct hand_kernel *const k = self;
    k->closed++;
}

struct kernel_source source_of(struct hand_kernel *k)
{
    return (struct kernel_source){ .self = k,
                                   .shape = k->shape,
                                   .open_cta = hand_open,
                                   .free_cta = hand_free,
                                   .close = hand_close };
}

/* ---- Machines ------------------------------------------------------------------------ */

struct gpu_config small_config(void)
{
    struct gpu_config c = gpu_config_standard();
    c.clock.noc = c.clock.l2 = c.clock.dram = c.clock.core;
    c.sm.count = c.cluster.count = c.l2.slices = 1u;
    c.sm.cta_slots = 32u;
    c.warp.schedulers = 1u;
    c.warp.policy = WARP_OLDEST;
    c.dispatch.launch_latency = 40u; /* hides the work distributor's launch */
    c.dram.row_bytes = 65536u;
    return c;
}

struct gpu *open_gpu(const struct gpu_config *config, const struct gpu_hooks *hooks,
                     unsigned mode)
{
    struct fault fault;
    struct gpu *const g = gpu_open(config, hooks, mode, &fault);
    if (g == NULL) {
        fail_msg("gpu_open: %s", fault_text(&fault));
    }
    return g;
}

void launch(struct gpu *g, struct hand_kernel *kernel, uint32_t stream)
{
    const struct kernel_source source = source_of(kernel);
    struct fault fault;
    if (!gpu_launch(g, &source, stream, &fault)) {
        fail_msg("gpu_launch: %s", fault_text(&fault));
    }
}

const struct gpu_stats *run_to_end(struct gpu *g)
{
    const enum gpu_end end = gpu_run(g);
    if (end != GPU_DONE) {
        fail_msg("gpu_run: %s", fault_text(gpu_fault(g)));
    }
    const struct gpu_stats *const s = gpu_stats(g);
    assert_int_equal(s->unanswered, 0u);
    return s;
}

struct outcome run_alone(const struct gpu_config *config, struct hand_kernel *kernel)
{
    struct gpu *const g = open_gpu(config, NULL, 0u);
    launch(g, kernel, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const struct outcome o = { s->cycles, s->sm[0], s->l2[0], s->dram[0] };
    gpu_close(g);
    return o;
}

uint64_t cycles_of(const struct gpu_config *config, const struct program *p, uint32_t warps)
{
    struct hand_kernel k = kernel_of(p, 1u, warps);
    return run_alone(config, &k).cycles;
}
