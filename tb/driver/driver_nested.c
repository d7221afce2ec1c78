#include "tb/driver/driver_nested.h"

#include <stdio.h>

#include "base/places.h"

const struct way nested_ways[WAYS] = {
    { "without timing", false, 0u, 0u, 0u, 0u },
    { "on one SM, a kernel at a time", true, 0u, 1u, 1u, 0u },
    { "on four SMs", true, 0u, 4u, 32u, 0u },
    { "with latencies", true, 0u, 4u, 32u, 5000u },
    { "by the slow paths", true, GPU_NAIVE, 4u, 32u, 0u },
    { "with wakes at random", true, GPU_FUZZ, 4u, 32u, 0u },
};

void nested_load(struct fixture *f)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
    if (gsp_module_load(f->context, path, &f->module) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    assert_int_equal(gsp_malloc(f->context, &f->data, sizeof f->word), GSP_OK);
}

void nested_open_with(struct fixture *f, const struct way *way, enum bind_mode mode)
{
    *f = (struct fixture){ .config = gpu_config_standard() };
    f->config.sm.count = way->sms;
    f->config.cluster.count = 1u;
    f->config.dispatch.kernels = way->kernels;
    f->config.laperm.mode = mode;
    f->config.cdp.group_latency = f->config.cdp.group_lane_latency = 0u;
    f->config.cdp.launch_latency = way->latency;
    f->config.cdp.lane_latency = way->latency / 10u;
    const struct gsp_options options = { .config = way->timed ? &f->config : NULL,
                                         .mode = way->mode };
    assert_int_equal(gsp_open(&f->context, &options), GSP_OK);
    nested_load(f);
}

void nested_open(struct fixture *f, const struct way *way)
{
    nested_open_with(f, way, BIND_OFF);
}

void nested_put(struct fixture *f)
{
    assert_int_equal(gsp_copy_in(f->context, f->data, f->word, sizeof f->word), GSP_OK);
}

void nested_run(struct fixture *f, const char *kernel, uint32_t ctas, uint32_t threads,
                void **args)
{
    const struct gsp_launch launch = { .module = f->module,
                                       .kernel = kernel,
                                       .grid = { .x = ctas },
                                       .block = { .x = threads },
                                       .args = args };

    assert_int_equal(gsp_launch(f->context, &launch), GSP_OK);
}

void nested_get(struct fixture *f)
{
    if (gsp_copy_out(f->context, f->word, f->data, sizeof f->word) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
}

void nested_once(struct fixture *f, const struct way *way, const char *kernel, uint32_t ctas,
                 uint32_t threads, int32_t argument)
{
    print_message("%s %s\n", kernel, way->name);
    nested_put(f);
    nested_run(f, kernel, ctas, threads, (void *[]){ &f->data, &argument });
    nested_get(f);
}
