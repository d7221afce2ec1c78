/* driver_wait - see driver_wait.h. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/places.h"
#include "driver_wait.h"

const enum bind_mode binds[BINDS] = { BIND_OFF, BIND_RR, BIND_TB_PRI, BIND_SMX, BIND_ADAPTIVE };
const unsigned modes[MODES] = { 0u, GPU_NAIVE, GPU_FUZZ };

struct gpu_config config;
struct gsp_context *context;
struct gsp_module *module;
gsp_pointer data;
int32_t word[WAIT_WORDS];

void configure(enum bind_mode bind, uint32_t sms, uint32_t ctas, uint32_t kernels)
{
    config = gpu_config_standard();
    config.sm.count = sms;
    config.cluster.count = 1u;
    config.sm.cta_slots = ctas;
    config.dispatch.kernels = kernels;
    config.laperm.mode = bind;
    config.cdp.launch_latency = config.cdp.lane_latency = 100u;
    config.limit.watchdog = 100000u;
}

void wait_open(unsigned mode, const struct gpu_hooks *hooks)
{
    char path[4096];
    const struct gsp_options options = { .config = &config, .hooks = hooks, .mode = mode };

    assert_int_equal(gsp_open(&context, &options), GSP_OK);
    (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
    assert_int_equal(gsp_module_load(context, path, &module), GSP_OK);
    assert_int_equal(gsp_malloc(context, &data, sizeof word), GSP_OK);
    assert_int_equal(gsp_set(context, data, 0, sizeof word), GSP_OK);
}

void wait_start(const char *kernel, uint32_t ctas, uint32_t threads, int32_t argument)
{
    void *args[] = { &data, &argument };

    assert_int_equal(gsp_launch(context, &(struct gsp_launch){ .module = module,
                                                               .kernel = kernel,
                                                               .grid = { .x = ctas },
                                                               .block = { .x = threads },
                                                               .args = args }),
                     GSP_OK);
}

void wait_get(void)
{
    if (gsp_copy_out(context, word, data, sizeof word) != GSP_OK) {
        fail_msg("%s", gsp_message(context));
    }
}

static uint64_t all_that_left(void)
{
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(context));
    uint64_t left = 0u;

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        left += stats->kernel[k].left;
    }
    return left;
}

struct outcome outcome(void)
{
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(context));
    struct fault fault;

    if (!gpu_shares_whole(gsp_gpu(context), &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return (struct outcome){ stats->cycles, all_that_left(),
                             (uint64_t)(stats->energy.total * 1e15) };
}

void agree(struct outcome *first, uint32_t m, const struct outcome *got)
{
    *first = m == 0u ? *got : *first;
    assert_int_equal(first->cycles, got->cycles);
    assert_int_equal(first->left, got->left);
    assert_int_equal(first->energy, got->energy);
}
