/* transpose, host part: one matrix, all three kernels. */

#include "workloads/workload_kit.h"

enum { TILE = 16 };

static const struct {
    uint32_t columns, rows;
} sizes[] = {
    [SIZE_SMALL] = { 96, 64 },
    [SIZE_MEDIUM] = { 1024, 768 },
    [SIZE_PAPER] = { 4096, 4096 },
    [SIZE_TH44] = { 4096, 4096 },
};

struct matrix {
    size_t columns, rows, bytes;
    int32_t *elements; /* bit patterns of floats: they are only moved */
    int32_t *expected, *got;
};

/* Where an element goes; coarse: its tile goes there, and within the tile it stays. */
static size_t place(const struct matrix *m, size_t x, size_t y, bool coarse)
{
    if (!coarse) {
        return x * m->rows + y;
    }
    const size_t row = x / TILE * TILE + y % TILE, column = y / TILE * TILE + x % TILE;
    return row * m->rows + column;
}

static bool try_kernel(struct kit *kit, const char *kernel, struct matrix *m, gsp_pointer from,
                       bool coarse)
{
    for (size_t i = 0; i < m->columns * m->rows; i++) {
        m->expected[place(m, i % m->columns, i / m->columns, coarse)] = m->elements[i];
    }
    gsp_pointer to = kit_alloc(kit, m->bytes);
    int32_t columns = (int32_t)m->columns, rows = (int32_t)m->rows;
    const struct gsp_dim grid = { (uint32_t)columns / TILE, (uint32_t)rows / TILE, 1 };
    const struct gsp_dim block = { TILE, TILE, 1 };
    KIT_LAUNCH(kit, kernel, grid, block, &from, &to, &columns, &rows);
    kit_copy_out(kit, m->got, to, m->bytes);
    return kit_check_ints(kit, kernel, m->got, m->expected, m->columns * m->rows);
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct matrix m = { .columns = sizes[size].columns, .rows = sizes[size].rows };
    m.bytes = m.columns * m.rows * sizeof(int32_t);
    m.elements = kit_host(kit, m.bytes);
    m.expected = kit_host(kit, m.bytes);
    m.got = kit_host(kit, m.bytes);
    for (size_t i = 0; i < m.columns * m.rows; i++) {
        m.elements[i] = (int32_t)kit_random(kit);
    }
    const gsp_pointer from = kit_alloc_copy(kit, m.elements, m.bytes);
    return try_kernel(kit, "transpose_naive", &m, from, false)
           && try_kernel(kit, "transpose_tiled", &m, from, false)
           && try_kernel(kit, "transpose_coarse", &m, from, true);
}

const struct cuda_workload workload_transpose = {
    .name = "transpose",
    .title = "transpose of a matrix, directly and through shared memory",
    .source = "Thesis Table 4.4 (TP-K1, TP-K2)",
    .check = "every element of all three, bit by bit",
    .run = run,
    .papers = SIZE_BIT(TH44),
};
