/* backprop, host part: forward to the hidden layer, deltas, adjustment of the weights. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { INPUTS = 16, HIDDEN = 16, COLUMNS = HIDDEN + 1 };

static const uint32_t blocks[] = {
    [SIZE_SMALL] = 16,  [SIZE_MEDIUM] = 1024, [SIZE_PAPER] = 65535, [SIZE_CLASO] = 128,
    [SIZE_TH3] = 65535, [SIZE_TH42] = 65535,  [SIZE_TH44] = 65535,  [SIZE_ICC] = 65535,
};

struct network {
    size_t inputs;
    float *input, *weights, *previous;
    float delta[COLUMNS];
};

static size_t weight_bytes(const struct network *net)
{
    return (net->inputs + 1) * COLUMNS * sizeof(float);
}

static void fill(struct kit *kit, struct network *net)
{
    net->input = kit_host(kit, (net->inputs + 1) * sizeof(float));
    net->weights = kit_host(kit, weight_bytes(net));
    net->previous = kit_host(kit, weight_bytes(net));
    for (size_t i = 0; i <= net->inputs; i++) {
        net->input[i] = i == 0 ? 1.0f : kit_uniform(kit, 0.0f, 1.0f);
        for (size_t j = 0; j < COLUMNS; j++) {
            net->weights[i * COLUMNS + j] = kit_uniform(kit, -1.0f, 1.0f);
            net->previous[i * COLUMNS + j] = kit_uniform(kit, -0.1f, 0.1f);
        }
    }
}

/* Sums of the hidden units: the host's own, or of the device's partial ones. */
static void sum_units(const struct network *net, const float *partial, float *sums)
{
    for (size_t j = 0; j < HIDDEN; j++) {
        double sum = (double)net->weights[j + 1];
        for (size_t b = 0; partial && b < net->inputs / INPUTS; b++) {
            sum += (double)partial[b * HIDDEN + j];
        }
        for (size_t i = 1; !partial && i <= net->inputs; i++) {
            sum += (double)net->input[i] * (double)net->weights[i * COLUMNS + j + 1];
        }
        sums[j] = (float)sum;
    }
}

/* Errors of the hidden units against a target of 0.1 each. */
static void set_delta(struct network *net, const float *sums)
{
    for (size_t j = 0; j < HIDDEN; j++) {
        const float out = 1.0f / (1.0f + expf(-sums[j] / (float)net->inputs));
        net->delta[j + 1] = out * (1.0f - out) * (0.1f - out);
    }
}

static void adjust(struct network *net)
{
    for (size_t i = 0; i <= net->inputs; i++) {
        for (size_t j = 1; j < COLUMNS; j++) {
            const size_t at = i * COLUMNS + j;
            net->previous[at] = 0.3f * net->delta[j] * net->input[i] + 0.3f * net->previous[at];
            net->weights[at] += net->previous[at];
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct network net = { .inputs = (size_t)blocks[size] * INPUTS };
    fill(kit, &net);
    const size_t partial_bytes = sizeof(float) * blocks[size] * HIDDEN;
    gsp_pointer input = kit_alloc_copy(kit, net.input, (net.inputs + 1) * sizeof(float));
    gsp_pointer weights = kit_alloc_copy(kit, net.weights, weight_bytes(&net));
    gsp_pointer previous = kit_alloc_copy(kit, net.previous, weight_bytes(&net));
    gsp_pointer partial = kit_alloc(kit, partial_bytes);
    const struct gsp_dim grid = { 1, blocks[size], 1 }, block = { HIDDEN, INPUTS, 1 };
    KIT_LAUNCH(kit, "backprop_forward", grid, block, &input, &weights, &partial);

    float *parts = kit_host(kit, partial_bytes), sums[HIDDEN], expected[HIDDEN];
    kit_copy_out(kit, parts, partial, partial_bytes);
    sum_units(&net, parts, sums);
    sum_units(&net, NULL, expected);
    if (!kit_check_floats(kit, "unit", sums, expected, HIDDEN, 1e-4, 1e-3)) {
        return false;
    }

    set_delta(&net, sums);
    gsp_pointer delta = kit_alloc_copy(kit, net.delta, sizeof(net.delta));
    KIT_LAUNCH(kit, "backprop_adjust", grid, block, &delta, &input, &weights, &previous);
    adjust(&net);
    const size_t n = (net.inputs + 1) * COLUMNS;
    float *got = kit_host(kit, weight_bytes(&net)), *change = kit_host(kit, weight_bytes(&net));
    kit_copy_out(kit, got, weights, weight_bytes(&net));
    kit_copy_out(kit, change, previous, weight_bytes(&net));
    return kit_check_floats(kit, "weight", got, net.weights, n, 1e-5, 1e-6)
           && kit_check_floats(kit, "change", change, net.previous, n, 1e-5, 1e-6);
}

static const struct kit_registers registers[] = {
    { "backprop_forward", 12, "thesis Table 4.2" },
    { "backprop_adjust", 24, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_backprop = {
    .name = "backprop",
    .title = "a training step of a network with a wide input layer",
    .source =
        "CLASO Table 2 (BP), thesis Tables 3.2, 4.2, 4.4 (BP-K1, BP-K2), ICC Table 3 (BP)",
    .check = "sums of the hidden units within 1e-4, all weights and changes within 1e-5",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(TH3) | SIZE_BIT(TH42) | SIZE_BIT(TH44) | SIZE_BIT(ICC),
    .registers = registers,
};
