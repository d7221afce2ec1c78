/* amr, host part: a ring of flame around the middle of a cold grid, with hot gas inside. */

#include <stdlib.h>

#include "workloads/workload_kit.h"

enum { SIDE = 8, CELLS = SIDE * SIDE, LEVELS = 3, HOT = 1 << 16, BLOCK = 64 };

/* A cell is steep if its neighbours differ by more than limit / 4^level. */
static const struct {
    int32_t side, limit;
} sizes[] = {
    [SIZE_SMALL] = { 8, 78000 },
    [SIZE_MEDIUM] = { 64, 30000 },
    [SIZE_PAPER] = { 256, 7000 },
    [SIZE_LAPERM] = { 128, 11000 },
};

struct cell {
    int32_t temperature, patch;
};

struct mesh {
    int32_t side, limit;
    size_t used; /* patches */
};

static int64_t square(int64_t x)
{
    return x * x;
}

/* Inside a circle it is hot; from there the temperature falls over a fifth of the radius. */
static void make(struct kit *kit, int32_t side, struct cell *cells)
{
    const int64_t radius = (int64_t)side * 4, edge = radius / 5; /* in sixteenths of a cell */
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            const int64_t away = square(16 * x - 8 * side) + square(16 * y - 8 * side);
            const int64_t over =
                (away - square(radius)) / (2 * radius); /* about the distance */
            const int64_t hot = over < 0 ? HOT : over > edge ? 0 : HOT - HOT * over / edge;
            const int32_t noise = (int32_t)(kit_random(kit) % 64u);
            cells[y * side + x] = (struct cell){ (int32_t)hot + noise, -1 };
        }
    }
}

struct slope {
    int32_t x, y;
};

static int32_t within(int32_t x, int32_t side)
{
    return x < 0 ? 0 : x >= side ? side - 1 : x;
}

static struct slope slope_of(const struct cell *cells, int32_t side, int32_t x, int32_t y)
{
    const struct cell *row = cells + (size_t)y * (size_t)side;
    return (struct slope){
        row[within(x + 1, side)].temperature - row[within(x - 1, side)].temperature,
        cells[within(y + 1, side) * side + x].temperature
            - cells[within(y - 1, side) * side + x].temperature,
    };
}

static int32_t temperature_of(const struct cell *cell, struct slope slope, int32_t i)
{
    const int32_t along = slope.x * (2 * (i % SIDE) - 7) + slope.y * (2 * (i / SIDE) - 7);
    const int32_t here = cell->temperature + along / 32;
    const int32_t inside = within(here, HOT + 1);
    return here + inside / 16 * ((HOT - inside) / 16) / (HOT / 64);
}

/* Without patches it counts them. Else they must be what the CPU has: each in a place of its
 * own, and no other. */
struct walk {
    const struct mesh *mesh;
    const struct cell *patches;
    bool *seen;
    size_t n;
};

static bool same(struct kit *kit, struct walk *walk, const struct cell *expected,
                 const struct cell *got, int32_t side, int level);

// NOLINTNEXTLINE(misc-no-recursion): three levels deep
static bool same_patch(struct kit *kit, struct walk *walk, const struct cell *of,
                       struct slope slope, int32_t number, int level)
{
    struct cell cells[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        cells[i] = (struct cell){ temperature_of(of, slope, i), -1 };
    }
    walk->n++;
    if (walk->patches == NULL) {
        return same(kit, walk, cells, NULL, SIDE, level);
    }
    if (number < 0 || (size_t)number >= walk->mesh->used || walk->seen[number]) {
        return kit_fail(kit, "a cell of level %d has patch %d", level - 1, (int)number);
    }
    walk->seen[number] = true;
    return same(kit, walk, cells, walk->patches + (size_t)number * CELLS, SIDE, level);
}

// NOLINTNEXTLINE(misc-no-recursion): three levels deep
static bool same(struct kit *kit, struct walk *walk, const struct cell *expected,
                 const struct cell *got, int32_t side, int level)
{
    bool right = true;
    for (int32_t i = 0; right && i < side * side; i++) {
        const struct slope slope = slope_of(expected, side, i % side, i / side);
        const bool steep =
            level < LEVELS && abs(slope.x) + abs(slope.y) > walk->mesh->limit >> 2 * level;
        if (got != NULL
            && (got[i].temperature != expected[i].temperature
                || (got[i].patch >= 0) != steep)) {
            return kit_fail(kit, "a cell of level %d has temperature %d for %d, patch %d",
                            level, (int)got[i].temperature, (int)expected[i].temperature,
                            (int)got[i].patch);
        }
        if (steep) {
            right = same_patch(kit, walk, &expected[i], slope, got == NULL ? -1 : got[i].patch,
                               level + 1);
        }
    }
    return right;
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct mesh mesh = { .side = sizes[size].side, .limit = sizes[size].limit };
    const size_t bytes = (size_t)(mesh.side * mesh.side) * sizeof(struct cell);
    struct cell *cells = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    kit_seed(kit, "amr");
    make(kit, mesh.side, cells);
    struct walk count = { .mesh = &mesh };
    same(kit, &count, cells, NULL, mesh.side, 0);
    mesh.used = count.n;

    const size_t all = mesh.used * CELLS * sizeof(struct cell);
    gsp_pointer grid_cells = kit_alloc_copy(kit, cells, bytes), patches = kit_alloc(kit, all);
    gsp_pointer used = kit_alloc(kit, sizeof(int32_t));
    kit_set(kit, used, 0, sizeof(int32_t));
    const struct gsp_dim grid = { ((uint32_t)(mesh.side * mesh.side) + BLOCK - 1) / BLOCK, 1,
                                  1 };
    KIT_LAUNCH(kit, kit_workload(kit)->nested ? "amr_grid_nested" : "amr_grid", grid,
               ((struct gsp_dim){ BLOCK, 1, 1 }), &grid_cells, &mesh.side, &patches, &used,
               &mesh.limit);
    struct cell *made = kit_host(kit, all);
    kit_copy_out(kit, got, grid_cells, bytes);
    kit_copy_out(kit, made, patches, all);
    struct walk check = { &mesh, made, kit_host(kit, mesh.used * sizeof(bool)), 0 };
    return same(kit, &check, cells, got, mesh.side, 0);
}

#define SHARED                                                                      \
    .source = "LaPerm Table II (AMR)",                                              \
    .check = "which cells have a patch, and all temperatures, exactly", .run = run, \
    .papers = SIZE_BIT(LAPERM), .folder = "amr"
const struct cuda_workload workload_amr = {
    .name = "amr",
    .title = "a grid with a flame, refined three levels deep, with child kernels",
    .nested = true,
    SHARED,
};
const struct cuda_workload workload_amr_flat = {
    .name = "amr_flat",
    .title = "a grid with a flame, refined three levels deep",
    SHARED,
};
