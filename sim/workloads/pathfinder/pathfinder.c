/* pathfinder, host part: random weights of 0 to 9, rows in launches of STEPS. */

#include "workloads/workload_kit.h"

enum { WIDTH = 256, STEPS = 20 };

static const struct {
    uint32_t columns, rows; /* rows: a multiple of STEPS, and the first */
} sizes[] = {
    [SIZE_SMALL] = { 1000, 21 },     [SIZE_MEDIUM] = { 20000, 81 },
    [SIZE_PAPER] = { 10000000, 21 }, [SIZE_TH42] = { 10000000, 21 },
    [SIZE_TH44] = { 10000000, 21 },
};

static int32_t least3(int32_t a, int32_t b, int32_t c)
{
    const int32_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Row by row, in two buffers; returns the one with the last row. */
static int32_t *expected_row(const int32_t *weights, size_t columns, size_t rows,
                             int32_t *above, int32_t *row)
{
    for (size_t x = 0; x < columns; x++) {
        above[x] = weights[x];
    }
    for (size_t y = 1; y < rows; y++) {
        for (size_t x = 0; x < columns; x++) {
            const size_t west = x > 0 ? x - 1 : x;
            const size_t east = x + 1 < columns ? x + 1 : x;
            row[x] = least3(above[west], above[x], above[east]) + weights[y * columns + x];
        }
        int32_t *swap = above;
        above = row;
        row = swap;
    }
    return above;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t columns = sizes[size].columns, rows = sizes[size].rows;
    const size_t row_bytes = columns * sizeof(int32_t);
    int32_t *weights = kit_host(kit, rows * row_bytes);
    for (size_t i = 0; i < rows * columns; i++) {
        weights[i] = (int32_t)(kit_random(kit) >> 8) % 10;
    }

    gsp_pointer from = kit_alloc_copy(kit, weights, row_bytes);
    gsp_pointer to = kit_alloc(kit, row_bytes);
    const gsp_pointer rest = kit_alloc_copy(kit, weights + columns, (rows - 1) * row_bytes);
    int32_t width = (int32_t)columns, steps = STEPS;
    const uint32_t useful = WIDTH - 2 * STEPS;
    const struct gsp_dim grid = { ((uint32_t)columns + useful - 1) / useful, 1, 1 };
    const struct gsp_dim block = { WIDTH, 1, 1 };
    for (size_t y = 1; y < rows; y += STEPS) {
        gsp_pointer slice = rest + (y - 1) * row_bytes;
        KIT_LAUNCH(kit, "pathfinder_rows", grid, block, &slice, &from, &to, &width, &steps);
        const gsp_pointer swap = from;
        from = to;
        to = swap;
    }

    int32_t *got = kit_host(kit, row_bytes);
    int32_t *above = kit_host(kit, row_bytes), *row = kit_host(kit, row_bytes);
    kit_copy_out(kit, got, from, row_bytes);
    return kit_check_ints(kit, "cost", got, expected_row(weights, columns, rows, above, row),
                          columns);
}

static const struct kit_registers registers[] = {
    { "pathfinder_rows", 16, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_pathfinder = {
    .name = "pathfinder",
    .title = "cheapest path down a grid of weights",
    .source = "Thesis Table 4.2 (Path), Table 4.4 (PATH)",
    .check = "every cost of the last row, exactly",
    .run = run,
    .papers = SIZE_BIT(TH42) | SIZE_BIT(TH44),
    .registers = registers,
};
