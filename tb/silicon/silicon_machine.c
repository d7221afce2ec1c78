/* silicon_machine - see silicon_machine.h. */

#include "silicon_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORT = 256,
    LONG = 1280,
    REPEATS = 7,
    LINE = 128,
    MANY = 200,
    OUT_BYTES = 65536,
    MIB = 1024 * 1024
};

struct machine {
    struct gsp_context *context;
    struct gsp_module *module;
    gsp_pointer took, out;
    int links; /* of the chain that runs */
    bool failed;
};

static void must(struct machine *m, enum gsp_status status)
{
    m->failed = m->failed || status != GSP_OK;
}

/* Microseconds of the launch. */
static double run(struct machine *m, const char *kernel, uint32_t ctas, uint32_t threads,
                  void **args)
{
    const struct gsp_launch launch = { .module = m->module,
                                       .kernel = kernel,
                                       .grid = { ctas, 1, 1 },
                                       .block = { threads, 1, 1 },
                                       .args = args };
    size_t n = 0u;
    const struct silicon_launch *launches;

    if (m->failed) {
        return 0.0;
    }
    must(m, gsp_launch(m->context, &launch));
    must(m, gsp_synchronize(m->context));
    launches = silicon_launches(m->context, &n);
    return n == 0u ? 0.0 : launches[n - 1u].us;
}

static double took(struct machine *m, unsigned which)
{
    int64_t cycles[2] = { 0, 0 };

    if (!m->failed) {
        must(m, gsp_copy_out(m->context, cycles, m->took, sizeof cycles));
    }
    return (double)cycles[which];
}

static void print(const struct machine *m, const char *figure, double value, const char *unit)
{
    if (!m->failed) {
        printf("%s\t%.6g\t%s\n", figure, value, unit);
        (void)fflush(stdout);
    }
}

/* ---- Chains ---------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The least of some walks of so many links; args[links_at] is the number of links. */
static double walk(struct machine *m, const char *kernel, uint32_t threads, void **args,
                   unsigned links_at, int links)
{
    double cycles = 1e30;

    m->links = links;
    args[links_at] = &m->links;
    for (int i = 0; i < REPEATS; i++) {
        (void)run(m, kernel, 1u, threads, args);
        cycles = least(cycles, took(m, 0u));
    }
    return cycles;
}

static void chain(struct machine *m, const char *figure, const char *kernel, uint32_t threads,
                  void **args, unsigned links_at, double instructions)
{
    const double with_few = walk(m, kernel, threads, args, links_at, SHORT);
    const double with_many = walk(m, kernel, threads, args, links_at, LONG);

    print(m, figure, (with_many - with_few) / (LONG - SHORT) / instructions, "cycles");
}

static void chains(struct machine *m)
{
    int whole[3] = { 12345, 3, 5 }, divided[3] = { 3, 1000003, 1 };
    float f[3] = { 1.25f, 0.75f, 0.125f };
    double d[3] = { 1.25, 0.75, 0.125 };
    void *of_int[] = { &m->took, &m->out, &whole[0], &whole[1], &whole[2], NULL };
    void *of_quotient[] = { &m->took, &m->out, &divided[0], &divided[1], &divided[2], NULL };
    void *of_float[] = { &m->took, &m->out, &f[0], &f[1], &f[2], NULL };
    void *of_double[] = { &m->took, &m->out, &d[0], &d[1], &d[2], NULL };
    void *of_barrier[] = { &m->took, NULL };
    int words = 1024;
    void *of_shared[] = { &m->took, &m->out, &words, NULL };
    const struct {
        const char *latency, *interval, *kernel;
        void **args;
        double instructions;
    } units[] = {
        { "integer_latency", "integer_interval", "integer_pair", of_int, 2.0 },
        { "multiply_latency", "multiply_interval", "multiply", of_int, 1.0 },
        { "fp32_latency", "fp32_interval", "fp32", of_float, 1.0 },
        { "fp64_latency", "fp64_interval", "fp64", of_double, 1.0 },
        { "sfu_latency", "sfu_interval", "sfu", of_float, 1.0 },
        { "divide_latency", "divide_interval", "divide", of_float, 1.0 },
        { "integer_divide_latency", "integer_divide_interval", "integer_divide", of_quotient,
          1.0 },
        { "fp64_divide_latency", "fp64_divide_interval", "fp64_divide", of_double, 1.0 },
    };

    for (size_t i = 0u; i < sizeof units / sizeof units[0]; i++) {
        chain(m, units[i].latency, units[i].kernel, 32u, units[i].args, 5u,
              units[i].instructions);
    }
    /* 32 warps, 8 of each of an SM's 4 schedulers: from one to the next of a scheduler */
    for (size_t i = 0u; i < sizeof units / sizeof units[0]; i++) {
        chain(m, units[i].interval, units[i].kernel, 1024u, units[i].args, 5u,
              8.0 * units[i].instructions);
    }
    chain(m, "shared_latency", "shared_chase", 1u, of_shared, 3u, 1.0);
    chain(m, "barrier_latency", "barrier", 256u, of_barrier, 1u, 1.0);
}

/* ---- Pointers -------------------------------------------------------------------------- */

/* Device memory with a ring of pointers, `stride` bytes apart; 0 without memory. */
static gsp_pointer ring(struct machine *m, size_t bytes, size_t stride)
{
    const size_t n = bytes / stride;
    uint64_t *const words = m->failed ? NULL : calloc(1u, bytes);
    gsp_pointer at = 0u;

    must(m, words == NULL ? GSP_MEMORY : gsp_malloc(m->context, &at, bytes));
    if (!m->failed) {
        for (size_t i = 0u; i < n; i++) {
            words[i * stride / sizeof *words] = at + (i + 1u) % n * stride;
        }
        must(m, gsp_copy_in(m->context, at, words, bytes));
    }
    free(words);
    return at;
}

static void chases(struct machine *m, gsp_pointer large, size_t large_bytes)
{
    static const struct {
        const char *figure, *kernel;
        size_t bytes, stride;
        int warm;
    } cases[] = {
        { "l1_hit_latency", "chase_ca", 4096u, LINE, 64 },
        { "l2_hit_latency_256_KiB", "chase_cg", 256u * 1024u, LINE, 4096 },
        { "l2_hit_latency_4_MiB", "chase_cg", 4u * MIB, LINE, 65536 },
        { "l2_hit_latency_20_MiB", "chase_cg", 20u * MIB, LINE, 327680 },
    };
    /* 2 MiB are a page: 66 lines on, 248 links stay in one */
    const size_t bytes = 256u * (size_t)MIB, stride = 66u * LINE;
    int64_t words = (int64_t)(large_bytes / 16u);
    void *flush[] = { &large, &m->out, &words, &words };
    double few = 1e30, many = 1e30;
    int warm = 0, links;

    for (size_t i = 0u; i < sizeof cases / sizeof cases[0] && !m->failed; i++) {
        gsp_pointer start = ring(m, cases[i].bytes, cases[i].stride);
        int first = cases[i].warm;
        void *args[] = { &m->took, &m->out, &start, &first, NULL };
        chain(m, cases[i].figure, cases[i].kernel, 1u, args, 4u, 1.0);
        must(m, gsp_free(m->context, start));
    }
    gsp_pointer start = ring(m, bytes / stride * stride, stride);
    void *args[] = { &m->took, &m->out, &start, &warm, &links };
    for (int i = 0; i < REPEATS && !m->failed; i++) {
        for (links = SHORT; links <= LONG; links += LONG - SHORT) {
            (void)run(m, "read_all", 2048u, 256u, flush); /* out of the L2 */
            (void)run(m, "chase_cg", 1u, 1u, args);
            if (links == SHORT) {
                few = least(few, took(m, 0u));
            } else {
                many = least(many, took(m, 0u));
            }
        }
    }
    print(m, "dram_latency", (many - few) / (LONG - SHORT), "cycles");
    must(m, m->failed ? GSP_OK : gsp_free(m->context, start));
}

/* ---- Rates ----------------------------------------------------------------------------- */

static double fastest(struct machine *m, const char *kernel, uint32_t ctas, uint32_t threads,
                      void **args)
{
    double us = 1e30;

    for (int i = 0; i < REPEATS; i++) {
        us = least(us, run(m, kernel, ctas, threads, args));
    }
    return us;
}

static void rates(struct machine *m, gsp_pointer large, size_t large_bytes, double mhz)
{
    /* an odd number of pages on: not all in the same banks */
    gsp_pointer second = large + large_bytes / 2u + 4096u * 33u;
    int64_t words = (int64_t)(large_bytes / 16u), half = words / 2;
    int64_t page = 256 * 1024 / 16, middle = 16 * MIB / 16, many = 64 * middle;
    int64_t short_read = 32 * MIB / 16;
    uint32_t one = 1u, own = 65536u;
    int adds = 1024;
    void *reads[] = { &large, &m->out, &words, &words };
    void *few[] = { &large, &m->out, &words, &short_read };
    void *copies[] = { &large, &second, &half };
    void *in_l2[] = { &large, &m->out, &middle, &many };
    void *in_page[] = { &large, &m->out, &page, &many };
    void *on_one[] = { &large, &one, &adds };
    void *on_own[] = { &large, &own, &adds };
    const double moved = (double)many * 16.0;
    const double added = 256.0 * 256.0 * (double)adds;
    double us = fastest(m, "read_all", 2048u, 256u, reads);

    print(m, "dram_read", (double)large_bytes / us / 1e3, "GB/s");
    us = fastest(m, "copy_all", 2048u, 256u, copies);
    print(m, "dram_copy", (double)large_bytes / us / 1e3, "GB/s, read and written");
    (void)fastest(m, "read_all", 2048u, 256u, reads);
    us = run(m, "read_all", 2048u, 256u, few);
    print(m, "dram_read_32_MiB", 32.0 * MIB / us / 1e3, "GB/s");
    us = fastest(m, "read_all", 2048u, 256u, in_l2);
    print(m, "l2_read_16_MiB", moved / us / mhz, "bytes a cycle");
    us = fastest(m, "read_all", 2048u, 256u, in_page);
    print(m, "l2_read_256_KiB", moved / us / mhz, "bytes a cycle");
    us = fastest(m, "add_all", 256u, 256u, on_one);
    print(m, "additions_on_one", added / us / mhz, "a cycle");
    us = fastest(m, "add_all", 256u, 256u, on_own);
    print(m, "additions_on_256_KiB", added / us / mhz, "a cycle");
}

/* Megahertz of an SM that has run for a while. */
static double clock_rate(struct machine *m)
{
    int64_t count = 20000000;
    void *args[] = { &m->took, &count };

    (void)run(m, "clock_rate", 1u, 1u, args);
    (void)run(m, "clock_rate", 1u, 1u, args);
    const double cycles = took(m, 0u), ns = took(m, 1u);
    return ns > 0.0 ? 1e3 * cycles / ns : 0.0;
}

static void launches(struct machine *m)
{
    double us = 1e30;

    for (int i = 0; i < MANY; i++) {
        us = least(us, run(m, "nothing", 1u, 32u, NULL));
    }
    print(m, "empty_launch", us, "us between events");
}

bool silicon_machine(struct gsp_context *context, const char *ptx)
{
    struct machine m = { .context = context };
    const size_t large_bytes = 1024u * (size_t)MIB;
    gsp_pointer large = 0u;

    must(&m, gsp_module_load(context, ptx, &m.module));
    must(&m, m.failed ? GSP_OK : gsp_malloc(context, &m.took, 64u));
    must(&m, m.failed ? GSP_OK : gsp_malloc(context, &m.out, OUT_BYTES));
    must(&m, m.failed ? GSP_OK : gsp_malloc(context, &large, large_bytes + MIB));
    must(&m, m.failed ? GSP_OK : gsp_set(context, large, 0, large_bytes));
    const double mhz = clock_rate(&m);
    print(&m, "clock", mhz, "MHz");
    chains(&m);
    chases(&m, large, large_bytes);
    rates(&m, large, large_bytes, mhz);
    launches(&m);
    return !m.failed;
}
