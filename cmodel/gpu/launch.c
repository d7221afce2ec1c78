/* launch - kernels are launched: by the host, and by kernels. When they run is in dispatch. */

#include <stdlib.h>

#include "gpu/gpu.h"
#include "gpu/machine.h"

static bool no_memory(struct fault *fault)
{
    return fault_surroundings(fault, "out of memory");
}

/* ---- Launch -------------------------------------------------------------------------- */

static bool shape_possible(const struct gpu *g, const struct kernel_shape *s,
                           struct fault *fault)
{
    uint64_t ctas = 1u, threads = 1u;
    for (uint32_t k = 0u; k < 3u; k++) {
        if (s->grid[k] == 0u || s->block[k] == 0u) {
            return fault_set(fault, "kernel %s: grid and block are at least 1 in x, y and z",
                             s->name);
        }
        ctas = ctas > UINT32_MAX ? ctas : ctas * s->grid[k];
        threads = threads > UINT32_MAX ? threads : threads * s->block[k];
    }
    if (ctas >> g->config.dispatch.cta_bits != 0u) {
        return fault_set(fault,
                         "kernel %s: a grid has less than 2^%u CTAs; dispatch.cta_bits, up to "
                         "32, is how many bits their numbers have",
                         s->name, g->config.dispatch.cta_bits);
    }
    if (threads > g->config.sm.threads) {
        return fault_set(fault, "kernel %s: a CTA of %llu threads; an SM holds %u", s->name,
                         (unsigned long long)threads, g->config.sm.threads);
    }
    const char *limit = "";
    if (gpu_occupancy(&g->config, s, &limit) == 0u) {
        return fault_set(
            fault,
            "kernel %s: a CTA needs more %s than an SM has: %u registers a thread, %u "
            "threads, %u bytes of shared memory",
            s->name, limit, s->registers, (unsigned)threads, s->shared_bytes);
    }
    return true;
}

static bool grow_kernels(struct gpu *g)
{
    if (g->n_kernel < g->kernel_capacity) {
        return true;
    }
    const uint32_t capacity = g->kernel_capacity == 0u ? 16u : g->kernel_capacity * 2u;
    struct kernel *const kernel = realloc(g->kernel, capacity * sizeof *kernel);
    if (kernel != NULL) {
        g->kernel = kernel;
    }
    struct gpu_kernel_stats *const stats = realloc(g->kernel_stats, capacity * sizeof *stats);
    if (stats != NULL) {
        g->kernel_stats = stats;
    }
    if (g->sockets.kmu != NULL && !records_reserve(&g->binding.records, capacity)) {
        return false;
    }
    if (kernel == NULL || stats == NULL || !queue_reserve(&g->coming, capacity)
        || !queue_reserve(&g->ready, capacity) || !queue_reserve(&g->arriving, capacity)) {
        return false;
    }
    g->kernel_capacity = capacity;
    return true;
}

/* Every warp keeps a time for each register; rows are as long as the kernels need. */
static bool widen(struct gpu *g, uint32_t last_register)
{
    /* An odd number of cache lines, so that rows do not meet in the host's cache. */
    const uint32_t stride = ((last_register / 8u + 1u) | 1u) * 8u;
    if (stride <= g->register_stride) {
        return true;
    }
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (!sm_widen(g->sm[i], g->register_stride, stride)) {
            return false;
        }
    }
    g->register_stride = stride;
    return true;
}

/* The kernel becomes the last of its stream. If the one before it has ended, its launch begins.
 */
static void queue_kernel(struct gpu *g, uint32_t *tail, uint32_t id)
{
    const uint32_t last = *tail;
    *tail = id;
    if (last != NO_KERNEL && !g->kernel[last].complete) {
        g->kernel[last].next = id;
        return;
    }
    queue_put(&g->coming, g->t + kernel_latency(g, id), id);
    g->alarm = g->t;
}

/* Where the kernel's text lies: where it lay at an earlier launch, or behind all others, at the
 * beginning of a line. */
static bool place_code(struct gpu *g, const struct kernel_shape *s, uint32_t *code,
                       struct fault *fault)
{
    const uint32_t line = 256u / g->config.icache.instruction;
    for (uint32_t k = g->n_kernel; k-- > 0u && s->text != NULL;) {
        if (g->kernel[k].source.shape.text == s->text) {
            *code = g->kernel[k].code;
            return true;
        }
    }
    *code = g->code_end;
    if (s->instructions > CODE_MOST - g->code_end) {
        return fault_set(fault, "kernel %s: more than %u instructions in all kernels", s->name,
                         (unsigned)CODE_MOST);
    }
    g->code_end += (s->instructions + line - 1u) / line * line;
    return true;
}

/* The first kernel of the same configuration; this one, if there is none. */
static uint32_t configuration_of(const struct gpu *g, const struct kernel_shape *s)
{
    for (uint32_t k = g->n_kernel; k-- > 0u && g->sockets.kdu != NULL;) {
        if (distributor_alike(&g->kernel[k].source.shape, s)) {
            return g->kernel[k].configuration;
        }
    }
    return g->n_kernel;
}

/* What the carve-out of its CTAs leaves; 0 without carve-outs. */
static uint32_t l1_bytes(const struct gpu_config *c, const struct kernel_shape *s)
{
    return c->l1.carveouts == CARVEOUTS_NONE
               ? 0u
               : c->l1.bytes + c->sm.shared_bytes - cta_carveout(c, s);
}

/* The kernel exists, and waits for nothing yet. */
static bool add_kernel(struct gpu *g, const struct kernel_source *source, uint32_t stream,
                       struct fault *fault)
{
    const struct kernel_shape *const s = &source->shape;
    const char *limit = "";
    uint32_t code;
    if (!shape_possible(g, s, fault) || !place_code(g, s, &code, fault)) {
        return false;
    }
    if (!grow_kernels(g) || !widen(g, s->last_register)) {
        return no_memory(fault);
    }
    struct share *const share = calloc(1u, sizeof *share);
    if (share == NULL) {
        return no_memory(fault);
    }
    const bool idle = g->current == g->n_kernel;
    g->kernel[g->n_kernel] = (struct kernel){ .source = *source,
                                              .share = share,
                                              .ctas = kernel_ctas(s),
                                              .code = code,
                                              .takes = cta_takes(&g->config, s),
                                              .carveout = cta_carveout(&g->config, s),
                                              .allowed = bits_below(g->n_sm),
                                              .next = NO_KERNEL,
                                              .configuration = configuration_of(g, s) };
    g->kernel_stats[g->n_kernel] =
        (struct gpu_kernel_stats){ .name = s->name,
                                   .stream = stream,
                                   .grid = { s->grid[0], s->grid[1], s->grid[2] },
                                   .block = { s->block[0], s->block[1], s->block[2] },
                                   .registers = s->registers,
                                   .shared_bytes = s->shared_bytes,
                                   .ctas_per_sm = gpu_occupancy(&g->config, s, &limit),
                                   .l1_bytes = l1_bytes(&g->config, s),
                                   .launched = g->t };
    g->n_kernel++;
    g->current = idle ? g->n_kernel : g->current;
    return true;
}

bool gpu_launch(struct gpu *g, const struct kernel_source *source, uint32_t stream,
                struct fault *fault)
{
    uint32_t *const tail = stream_tail(&g->tails, stream);
    if (tail == NULL) {
        return no_memory(fault);
    }
    if (!add_kernel(g, source, stream, fault)) {
        return false;
    }
    queue_kernel(g, tail, g->n_kernel - 1u);
    return true;
}

bool gpu_launch_child(struct gpu *g, const struct kernel_source *source,
                      const struct gpu_child *child, struct fault *fault)
{
    const uint32_t id = g->n_kernel;
    if (!add_kernel(g, source, g->kernel_stats[child->parent].stream, fault)) {
        return false;
    }
    struct gpu_kernel_stats *const stats = &g->kernel_stats[id];
    stats->nested = true;
    stats->parent = child->parent;
    stats->depth = child->depth;
    stats->priority = child->priority;
    stats->sm = child->sm;
    stats->launched = child->launched;
    g->kernel[id].group = child->group;
    const uint64_t arrival = child->arrival > g->t ? child->arrival : g->t;
    queue_put(&g->arriving, arrival, id);
    g->alarm = arrival < g->alarm ? arrival : g->alarm;
    return true;
}

bool gpu_can_launch(const struct gpu *g, const struct kernel_shape *shape, struct fault *fault)
{
    return shape_possible(g, shape, fault);
}

uint32_t gpu_calling_sm(const struct gpu *g)
{
    return g->calling;
}

uint32_t gpu_kernels(const struct gpu *g)
{
    return g->n_kernel;
}

uint32_t gpu_stream(const struct gpu *g, uint32_t kernel)
{
    return g->kernel_stats[kernel].stream;
}
