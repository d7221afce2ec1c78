/*
 * exec_fuzz - PTX that is nearly right, executed: kernels are refused, end, or stop with a
 * located message, with timing and without, and memory ends as the same bytes in both. `make
 * fuzz`
 *
 * Inputs are PTX; what they are launched with is drawn from their bytes. Changes to them are
 * made in ptx_mutate.c.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver_context.h"
#include "gpu/config/gpu_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    KERNELS = 3,        /* of a module that are executed, at most */
    PARAMETERS = 16,    /* of a kernel */
    PARAMETER = 512,    /* bytes of one */
    LARGEST = 4096,     /* bytes of a buffer */
    INSTRUCTIONS = 2000 /* warp instructions of a CTA */
};

static uint64_t seed;

/* 0 .. n - 1. */
static uint32_t draw(uint32_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 32) % n;
}

static uint64_t hash_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t k = 0u; k < size; k++) {
        hash = (hash ^ data[k]) * UINT64_C(1099511628211);
    }
    return hash | 1u;
}

/* ---- What a kernel is launched with -------------------------------------------------- */

struct parameters {
    uint32_t n;
    uint32_t bytes[PARAMETERS];
    uint64_t value[PARAMETERS][PARAMETER / 8u];
    gsp_pointer buffer[PARAMETERS]; /* 0: the parameter is no pointer */
    uint32_t buffer_bytes[PARAMETERS];
};

static const uint32_t sizes[] = { 256u, 512u, 768u, 1024u, 2048u, 4096u, 100u, 1000u };

static uint64_t draw_scalar(void)
{
    static const uint64_t some[] = { 0u,  1u,  2u,   3u,         4u,         16u,
                                     32u, 64u, 256u, 0x3f800000, 0x7fffffff, UINT64_MAX };
    return draw(2u) == 0u ? some[draw(sizeof some / sizeof some[0])] : draw(300u);
}

static bool make_buffer(struct gsp_context *context, struct parameters *p, uint32_t i)
{
    static uint32_t words[LARGEST / 4];
    const uint32_t bytes = p->buffer_bytes[i] = sizes[draw(sizeof sizes / sizeof sizes[0])];
    const uint32_t how = draw(3u);
    for (uint32_t k = 0u; k < LARGEST / 4; k++) {
        words[k] = how == 0u   ? k % (bytes / 4u)
                   : how == 1u ? 0x3f800000u + 4099u * k
                               : draw(64u);
    }
    return gsp_malloc(context, &p->buffer[i], bytes) == GSP_OK
           && gsp_copy_in(context, p->buffer[i], words, bytes) == GSP_OK;
}

/* Eight bytes are a pointer, mostly to the start of a buffer of their own. */
static bool make_parameters(struct gsp_context *context, struct parameters *p)
{
    for (uint32_t i = 0u; i < p->n; i++) {
        p->buffer[i] = 0u;
        for (uint32_t k = 0u; k < PARAMETER / 8u; k++) {
            p->value[i][k] = k == 0u ? draw_scalar() : 3u * k;
        }
        if (p->bytes[i] == sizeof(gsp_pointer) && draw(16u) != 0u) {
            if (!make_buffer(context, p, i)) {
                return false;
            }
            p->value[i][0] = p->buffer[i] + (draw(16u) == 0u ? draw(300u) : 0u);
        }
    }
    return true;
}

/* One of the module's kernels, or NULL. */
static const struct ptx_function *draw_kernel(const struct ptx_module *module)
{
    const uint32_t from = module->n_function == 0u ? 0u : draw(module->n_function);
    for (uint32_t k = 0u; k < module->n_function; k++) {
        const struct ptx_function *const f = &module->function[(from + k) % module->n_function];
        if (f->entry) {
            return f;
        }
    }
    return NULL;
}

static bool fits(const struct ptx_function *kernel, struct parameters *p)
{
    p->n = kernel == NULL ? 0u : kernel->n_param;
    bool good = kernel != NULL && p->n <= PARAMETERS;
    for (uint32_t i = 0u; i < p->n && good; i++) {
        good = kernel->param[i].bytes <= PARAMETER;
        p->bytes[i] = (uint32_t)kernel->param[i].bytes;
    }
    return good;
}

static struct gsp_launch draw_launch(const char *kernel)
{
    static const struct gsp_dim blocks[] = { { 32u, 1u, 1u }, { 64u, 1u, 1u }, { 16u, 4u, 1u },
                                             { 37u, 1u, 1u }, { 1u, 1u, 1u },  { 8u, 4u, 3u } };
    static const struct gsp_dim grids[] = { { 1u, 1u, 1u }, { 2u, 1u, 1u }, { 2u, 2u, 1u } };
    return (struct gsp_launch){ .kernel = kernel,
                                .grid = grids[draw(sizeof grids / sizeof grids[0])],
                                .block = blocks[draw(sizeof blocks / sizeof blocks[0])],
                                .dynamic_shared = draw(3u) * 512u };
}

/* ---- Runs ---------------------------------------------------------------------------- */

static const struct gpu_config *machine(uint32_t which)
{
    static struct gpu_config config[2];
    if (config[0].sm.count == 0u) {
        config[0] = gpu_config_standard();
        config[0].sm.count = 2u;
        config[0].cluster.count = 1u;
        config[0].l2.slices = 1u;
        config[0].limit.watchdog = 20000u;
        config[1] = config[0];
        config[1].icc.entries = 8u;
        config[1].icc.lines = 4u;
        config[1].claso.active_levels = 1u;
        config[1].warp.policy = WARP_TWO_LEVEL_GTO;
    }
    return &config[which];
}

static void expect(bool good, const char *what, const struct gsp_context *context)
{
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, gsp_message(context));
        abort();
    }
}

static bool is_located(const struct fault *fault)
{
    return fault->kind == FAULT_SURROUNDINGS || strstr(fault_text(fault), "fuzz.ptx:") != NULL;
}

static enum gsp_status synchronize(struct gsp_context *context, const struct gsp_launch *launch)
{
    enum gsp_status status = gsp_launch(context, launch);
    status = status == GSP_OK ? gsp_synchronize(context) : status;
    expect(status != GSP_ILLEGAL || is_located(gsp_fault(context)), "no place", context);
    return status;
}

/* What a run leaves. */
struct outcome {
    bool read;  /* the text is PTX */
    bool alone; /* one warp, which reads no clock: nothing depends on time */
    enum gsp_status status;
    size_t bytes;
    uint8_t memory[PARAMETERS * LARGEST]; /* of all buffers */
};

static bool is_alone(const struct gsp_launch *launch, const struct ptx_function *kernel)
{
    const struct gsp_dim *const g = &launch->grid, *const b = &launch->block;
    return g->x * g->y * g->z * b->x * b->y * b->z <= WARP_SIZE
           && kernel->special_row[SREG_CLOCK] == UINT32_MAX
           && kernel->special_row[SREG_CLOCK64] == UINT32_MAX
           && kernel->special_row[SREG_GLOBALTIMER] == UINT32_MAX;
}

/* Executes one of the kernels, as the seed has it. */
static void run(const char *text, size_t length, const struct gpu_config *config,
                struct outcome *o)
{
    const struct gsp_options options = { .config = config,
                                         .limit = INSTRUCTIONS,
                                         .memory = 64u << 20 };
    static struct parameters p;
    void *args[PARAMETERS];
    struct gsp_context *context;
    struct gsp_module *module;
    expect(gsp_open(&context, &options) == GSP_OK, "not opened", context);
    o->status = GSP_INVALID;
    o->bytes = 0u;
    o->read = gsp_module_load_text(context, "fuzz.ptx", text, length, &module) == GSP_OK;
    const struct ptx_function *const kernel = o->read ? draw_kernel(module->ptx) : NULL;
    if (fits(kernel, &p) && make_parameters(context, &p)) {
        struct gsp_launch launch = draw_launch(kernel->name);
        for (uint32_t i = 0u; i < p.n; i++) {
            args[i] = p.value[i];
        }
        launch.module = module;
        launch.args = args;
        o->alone = is_alone(&launch, kernel);
        o->status = synchronize(context, &launch);
        for (uint32_t i = 0u; i < p.n && o->status == GSP_OK; i++) {
            if (p.buffer[i] != 0u) {
                gsp_copy_out(context, o->memory + o->bytes, p.buffer[i], p.buffer_bytes[i]);
                o->bytes += p.buffer_bytes[i];
            }
        }
    }
    gsp_close(context);
}

static void compare(const struct outcome *plain, const struct outcome *timed)
{
    const bool done = plain->status == GSP_OK && timed->status == GSP_OK;
    if (!plain->alone) {
        return; /* warps may race, and then time decides */
    }
    if (done
        && (plain->bytes != timed->bytes
            || memcmp(plain->memory, timed->memory, plain->bytes) != 0)) {
        fprintf(stderr, "not the same memory with timing\n");
        abort();
    }
    /* A machine may be too small for a kernel, and may wait for ever. */
    if (plain->status != timed->status && timed->status != GSP_INVALID
        && timed->status != GSP_HUNG) {
        fprintf(stderr, "status %d, with timing %d\n", (int)plain->status, (int)timed->status);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct outcome plain, timed;
    const uint64_t hash = hash_of(data, size);
    seed = hash;
    run((const char *)data, size, NULL, &plain);
    if (!plain.read) {
        return -1; /* the reader has a fuzzer of its own: not worth a place in the corpus */
    }
    if (plain.status != GSP_INVALID && (hash >> 20 & 1u) != 0u) {
        seed = hash;
        run((const char *)data, size, machine(hash >> 21 & 1u), &timed);
        compare(&plain, &timed);
    }
    return 0;
}
