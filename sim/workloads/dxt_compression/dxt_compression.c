/*
 * dxt_compression, host part. The CPU tries all cuts pixel by pixel and decodes what the GPU
 * has made: the error of every decoded block must be the least one.
 */

#include "workloads/workload_kit.h"

enum { CUTS = 969, BLOCKS_OF_CTA = 4, THREADS = 256 };

static const struct {
    uint32_t width, height;
} sizes[] = {
    [SIZE_SMALL] = { 16, 8 },  [SIZE_MEDIUM] = { 128, 96 },  [SIZE_PAPER] = { 512, 512 },
    [SIZE_TH3] = { 512, 512 }, [SIZE_TH44] = { 1024, 1024 },
};

struct block {
    int32_t pixel[16][3]; /* in order, when sorted */
};

struct code {
    uint32_t colours, numbers;
};

/* Every (i, j, k) with 0 <= i <= j <= k <= 16. */
static void make_cuts(uint32_t *cuts)
{
    size_t n = 0;
    for (uint32_t i = 0; i <= 16; i++) {
        for (uint32_t j = i; j <= 16; j++) {
            for (uint32_t k = j; k <= 16; k++) {
                cuts[n++] = i | j << 8 | k << 16;
            }
        }
    }
}

/* Smooth colours with some noise, and more of it in the middle. */
static void make_image(struct kit *kit, uint32_t *image, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const bool middle = x > width / 4 && x < 3 * width / 4;
            const uint32_t noise = kit_random(kit) & (middle ? 0x3f3f3f3fu : 0x07070707u);
            const uint32_t red = 180 * x / width, green = 180 * y / height;
            const uint32_t blue = 180 - 90 * x / width - 90 * y / height;
            image[y * width + x] = (red | green << 8 | blue << 16) + noise;
        }
    }
}

static struct block block_at(const uint32_t *image, uint32_t width, uint32_t number)
{
    struct block block;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t x = number % (width / 4) * 4 + i % 4;
        const uint32_t y = number / (width / 4) * 4 + i / 4;
        for (uint32_t c = 0; c < 3; c++) {
            block.pixel[i][c] = (int32_t)(image[y * width + x] >> (8 * c) & 255);
        }
    }
    return block;
}

/* Weights of the channels: the diagonal of the box around the colours. */
static void diagonal(const struct block *b, int32_t *axis)
{
    int32_t mean[3] = { 0 }, with[3] = { 0 };
    for (size_t i = 0; i < 48; i++) {
        mean[i % 3] += b->pixel[i / 3][i % 3];
    }
    for (size_t c = 0; c < 3; c++) {
        int32_t low = 255, high = 0;
        for (size_t i = 0; i < 16; i++) {
            const int32_t value = b->pixel[i][c];
            const int32_t here = 16 * value - mean[c], green = 16 * b->pixel[i][1] - mean[1];
            low = value < low ? value : low;
            high = value > high ? value : high;
            with[c] += (here * green) >> 4;
        }
        axis[c] = with[c] < 0 ? low - high : high - low;
    }
}

/* Insertion sort along the axis: equal ones stay in order. */
static void sort_pixels(struct block *b)
{
    int32_t axis[3], key[16];

    diagonal(b, axis);
    for (size_t i = 0; i < 16; i++) {
        const int32_t pixel[3] = { b->pixel[i][0], b->pixel[i][1], b->pixel[i][2] };
        const int32_t mine = pixel[0] * axis[0] + pixel[1] * axis[1] + pixel[2] * axis[2];
        size_t at = i;
        for (; at > 0 && key[at - 1] > mine; at--) {
            key[at] = key[at - 1];
            for (size_t c = 0; c < 3; c++) {
                b->pixel[at][c] = b->pixel[at - 1][c];
            }
        }
        key[at] = mine;
        for (size_t c = 0; c < 3; c++) {
            b->pixel[at][c] = pixel[c];
        }
    }
}

/* Rounds value / scale, of 0 to 255, to the nearest of 0 to top, and that back to 0 to 255. */
static int32_t rounded(int32_t value, int32_t scale, int32_t top)
{
    const int32_t twice = 2 * value * top, unit = 255 * scale;
    const int32_t bits = twice < 0 ? 0 : (twice + unit) / (2 * unit);
    const int32_t kept = bits > top ? top : bits;
    return top == 31 ? kept * 8 + kept / 4 : kept * 4 + kept / 16;
}

/* The error of one channel for a cut, by least squares. */
static int32_t channel_error(const struct block *b, size_t c, const uint32_t *end)
{
    int32_t aa = 0, bb = 0, ab = 0, a = 0, second_sum = 0, sum = 0, group[16], error = 0;

    for (size_t i = 0; i < 16; i++) {
        const int32_t value = b->pixel[i][c];
        group[i] = (i >= end[0]) + (i >= end[1]) + (i >= end[2]);
        const int32_t near = 3 - group[i], far = group[i];
        aa += near * near;
        bb += far * far;
        ab += near * far;
        a += near * value;
        second_sum += far * value;
        sum += value;
    }
    const int32_t det = aa * bb - ab * ab, top = c == 1 ? 63 : 31;
    int32_t first = rounded(sum, 16, top), second = first;
    if (det > 0) {
        first = rounded(3 * (a * bb - second_sum * ab) / det, 1, top);
        second = rounded(3 * (second_sum * aa - a * ab) / det, 1, top);
    }
    for (size_t i = 0; i < 16; i++) {
        const int32_t off = ((3 - group[i]) * first + group[i] * second) / 3 - b->pixel[i][c];
        error += off * off;
    }
    return error;
}

static int32_t least_error(struct block block, const uint32_t *cuts)
{
    int32_t least = INT32_MAX;

    sort_pixels(&block);
    for (size_t i = 0; i < CUTS; i++) {
        const uint32_t end[3] = { cuts[i] & 255, cuts[i] >> 8 & 255, cuts[i] >> 16 };
        int32_t error = 0;
        for (size_t c = 0; c < 3 && error < least; c++) {
            error += channel_error(&block, c, end);
        }
        least = error < least ? error : least;
    }
    return least;
}

/* Colour of 5, 6, 5 bits, channel 0 to 2, in 8 bits. */
static int32_t channel(uint32_t colour, size_t c)
{
    const uint32_t bits = c == 0 ? colour >> 11 : c == 1 ? colour >> 5 & 63 : colour & 31;
    return (int32_t)(c == 1 ? bits << 2 | bits >> 4 : bits << 3 | bits >> 2);
}

static int32_t decoded_error(const struct block *b, struct code code)
{
    int32_t error = 0;

    for (size_t c = 0; c < 3; c++) {
        const int32_t first = channel(code.colours & 0xffff, c);
        const int32_t second = channel(code.colours >> 16, c);
        const int32_t palette[4] = { first, second, (2 * first + second) / 3,
                                     (first + 2 * second) / 3 };
        for (size_t i = 0; i < 16; i++) {
            const int32_t off = palette[code.numbers >> (2 * i) & 3] - b->pixel[i][c];
            error += off * off;
        }
    }
    return error;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const uint32_t width = sizes[size].width, height = sizes[size].height;
    const uint32_t blocks = width * height / 16;
    const size_t image_bytes = (size_t)width * height * sizeof(uint32_t);
    const size_t error_bytes = blocks * sizeof(int32_t);
    uint32_t cuts[CUTS], *image = kit_host(kit, image_bytes);
    struct code *codes = kit_host(kit, blocks * sizeof(*codes));
    int32_t *got = kit_host(kit, error_bytes), *expected = kit_host(kit, error_bytes);
    make_cuts(cuts);
    make_image(kit, image, width, height);

    gsp_pointer pixels = kit_alloc_copy(kit, image, image_bytes);
    gsp_pointer device_codes = kit_alloc(kit, blocks * sizeof(*codes));
    int32_t columns = (int32_t)width;
    const struct gsp_dim grid = { blocks / BLOCKS_OF_CTA, 1, 1 }, block = { THREADS, 1, 1 };
    kit_copy_symbol(kit, "cuts", cuts, sizeof(cuts));
    KIT_LAUNCH(kit, "dxt_compress", grid, block, &pixels, &device_codes, &columns);
    kit_copy_out(kit, codes, device_codes, blocks * sizeof(*codes));
    for (uint32_t i = 0; i < blocks; i++) {
        const struct block original = block_at(image, width, i);
        if ((codes[i].colours & 0xffff) < codes[i].colours >> 16) {
            return kit_fail(kit, "block %u is not one of four colours", i);
        }
        got[i] = decoded_error(&original, codes[i]);
        expected[i] = least_error(original, cuts);
    }
    return kit_check_ints(kit, "error of block", got, expected, blocks);
}

static const struct kit_registers registers[] = {
    { "dxt_compress", 32, "thesis Table 3.3: 4 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_dxt_compression = {
    .name = "dxt_compression",
    .title = "DXT1 compression of an image",
    .source = "thesis Tables 3.3, 4.4 (DXTC)",
    .check = "every block, decoded, has exactly the least error of all 969 cuts",
    .run = run,
    .papers = SIZE_BIT(TH3) | SIZE_BIT(TH44),
    .registers = registers,
};
