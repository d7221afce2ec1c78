/* neural_network, host part: random images and weights; all layers checked. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { IMAGE = 29, SIDE1 = 13, SIDE2 = 5, TAPS = 5, OUTPUTS = 10, LAYERS = 4 };

static const struct shape {
    uint32_t maps1, maps2, hidden, images;
} sizes[] = {
    [SIZE_SMALL] = { 3, 8, 16, 1 },    [SIZE_MEDIUM] = { 6, 50, 100, 4 },
    [SIZE_PAPER] = { 6, 50, 100, 28 }, [SIZE_CLASO] = { 6, 50, 100, 28 },
    [SIZE_ICC] = { 6, 50, 100, 28 },
};

/* What a layer has: `units` maps or neurons, each with `inputs` weights and a bias. A fully
 * connected layer is one whose maps have side 1. */
struct layer {
    uint32_t units, inputs, side;
    float *weights, *out;
    gsp_pointer device_weights, device_out;
};

static float squash(double x)
{
    return (float)(1.7159 * tanh(0.66666667 * x));
}

/* Maps of side `in_side` to those of the layer: every second place of a 5 x 5 window. */
static void convolve(const float *in, uint32_t in_side, const struct layer *layer, float *out)
{
    for (size_t n = 0; n < (size_t)layer->units * layer->side * layer->side; n++) {
        const size_t x = n % layer->side, y = n / layer->side % layer->side;
        const float *weight =
            layer->weights + n / layer->side / layer->side * (1 + layer->inputs);
        double sum = (double)weight[0];
        for (size_t k = 0; k < layer->inputs; k++) {
            const size_t i = k % TAPS, j = k / TAPS % TAPS, map = k / TAPS / TAPS;
            const size_t at = (map * in_side + 2 * y + j) * in_side + 2 * x + i;
            sum += (double)weight[1 + k] * (double)in[at];
        }
        out[n] = squash(sum);
    }
}

static void connect(const float *in, const struct layer *layer, float *out)
{
    for (size_t n = 0; n < layer->units; n++) {
        const float *weight = layer->weights + n * (1 + layer->inputs);
        double sum = (double)weight[0];
        for (size_t k = 0; k < layer->inputs; k++) {
            sum += (double)weight[1 + k] * (double)in[k];
        }
        out[n] = squash(sum);
    }
}

static void forward(const float *image, const struct layer *layers, uint32_t number)
{
    const float *in = image;
    uint32_t in_side = IMAGE;

    for (size_t i = 0; i < LAYERS; i++) {
        const struct layer *layer = &layers[i];
        float *out = layer->out + (size_t)number * layer->units * layer->side * layer->side;
        if (layer->side > 1) {
            convolve(in, in_side, layer, out);
        } else {
            connect(in, layer, out);
        }
        in = out;
        in_side = layer->side;
    }
}

/* Weights small enough that neurons seldom saturate. */
static void prepare(struct kit *kit, struct layer *layer, uint32_t images)
{
    const size_t weights = (size_t)layer->units * (1 + layer->inputs);
    const size_t out = (size_t)images * layer->units * layer->side * layer->side;
    const float range = 1.5f / sqrtf((float)layer->inputs);

    layer->weights = kit_host(kit, weights * sizeof(float));
    layer->out = kit_host(kit, out * sizeof(float));
    for (size_t i = 0; i < weights; i++) {
        layer->weights[i] = kit_uniform(kit, -range, range);
    }
    layer->device_weights = kit_alloc_copy(kit, layer->weights, weights * sizeof(float));
    layer->device_out = kit_alloc(kit, out * sizeof(float));
}

static void launch(struct kit *kit, struct layer *l, uint32_t images, gsp_pointer image)
{
    static const char *const kernels[] = { "layer_1", "layer_2", "layer_3", "layer_4" };
    int32_t maps = (int32_t)l[0].units, inputs;
    gsp_pointer in = image;

    for (size_t i = 0; i < LAYERS; i++) {
        const struct gsp_dim grid = { l[i].units, images, 1 };
        const struct gsp_dim block = { l[i].side, l[i].side, 1 };
        inputs = i == 1 ? maps : (int32_t)l[i].inputs;
        if (i == 0) {
            KIT_LAUNCH(kit, kernels[i], grid, block, &in, &l[i].device_weights,
                       &l[i].device_out);
        } else {
            KIT_LAUNCH(kit, kernels[i], grid, block, &in, &l[i].device_weights,
                       &l[i].device_out, &inputs);
        }
        in = l[i].device_out;
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const struct shape *s = &sizes[size];
    const size_t pixels = (size_t)s->images * IMAGE * IMAGE;
    struct layer layers[LAYERS] = {
        { .units = s->maps1, .inputs = TAPS * TAPS, .side = SIDE1 },
        { .units = s->maps2, .inputs = s->maps1 * TAPS * TAPS, .side = SIDE2 },
        { .units = s->hidden, .inputs = s->maps2 * SIDE2 * SIDE2, .side = 1 },
        { .units = OUTPUTS, .inputs = s->hidden, .side = 1 },
    };
    float *images = kit_host(kit, pixels * sizeof(float));
    for (size_t i = 0; i < pixels; i++) {
        images[i] = kit_uniform(kit, -1.0f, 1.0f);
    }
    for (size_t i = 0; i < LAYERS; i++) {
        prepare(kit, &layers[i], s->images);
    }
    launch(kit, layers, s->images, kit_alloc_copy(kit, images, pixels * sizeof(float)));
    for (uint32_t i = 0; i < s->images; i++) {
        forward(images + (size_t)i * IMAGE * IMAGE, layers, i);
    }
    bool right = true;
    for (size_t i = 0; right && i < LAYERS; i++) {
        const size_t n = (size_t)s->images * layers[i].units * layers[i].side * layers[i].side;
        float *got = kit_host(kit, n * sizeof(float));
        kit_copy_out(kit, got, layers[i].device_out, n * sizeof(float));
        right = kit_check_floats(kit, "neuron", got, layers[i].out, n, 1e-4, 1e-4);
    }
    return right;
}

const struct cuda_workload workload_neural_network = {
    .name = "neural_network",
    .title = "recognition of digits by a network of four layers",
    .source = "CLASO Table 2 (NN), ICC Table 3 (NN)",
    .check = "all neurons of all layers within 1e-4",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(ICC),
};
