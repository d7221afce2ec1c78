/* hotspot - the host part: a chip with a few hot blocks, from ambient temperature on. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { TILE = 16, STEPS = 2 /* of a launch */ };

struct chip {
    int32_t rows, columns, steps, launches;
    float heat_inverse;                    /* time step / heat capacity of a cell, s K / J */
    float x_inverse, y_inverse, z_inverse; /* 1 / thermal resistance, W / K */
    float ambient;                         /* K */
    float *temperature, *power;
};

/* Silicon, 16 mm by 16 mm and 0.5 mm thick. */
static struct chip make_chip(struct kit *kit, int32_t side, int32_t launches)
{
    const float thickness = 0.0005f;
    const float conductivity = 100.0f;
    const float capacity = 1.75e6f;
    const float cell = 0.016f / (float)side;
    const float cell_heat = 0.5f * capacity * thickness * cell * cell;
    const float fastest = 3.0e6f / (thickness * capacity); /* K/s */
    const float along = 2.0f * conductivity * thickness;   /* W / K, between neighbours */
    /* Small cells need shorter steps: a cell must not pass its neighbours' temperature. */
    const float time_step = fminf(0.001f / fastest, cell_heat / (8.0f * along));
    const size_t n = (size_t)side * (size_t)side;
    struct chip chip = {
        .rows = side,
        .columns = side,
        .steps = STEPS,
        .launches = launches,
        .heat_inverse = time_step / cell_heat,
        .x_inverse = along,
        .y_inverse = along,
        .z_inverse = conductivity * cell * cell / thickness,
        .ambient = 80.0f + 273.15f,
    };

    chip.temperature = kit_host(kit, n * sizeof(float));
    chip.power = kit_host(kit, n * sizeof(float));
    for (size_t i = 0u; i < n; i++) {
        const size_t block =
            i / (size_t)side * 8u / (size_t)side * 8u + i % (size_t)side * 8u / (size_t)side;
        const float watts = block % 5u == 0u ? 60.0f : 6.0f; /* if all cells were like it */
        chip.temperature[i] = chip.ambient + kit_uniform(kit, 0.0f, 10.0f);
        chip.power[i] = watts / (float)n * kit_uniform(kit, 0.5f, 1.5f);
    }
    return chip;
}

/* One step of the whole chip. */
static void step(const struct chip *chip, const float *from, float *to)
{
    for (int32_t row = 0; row < chip->rows; row++) {
        for (int32_t column = 0; column < chip->columns; column++) {
            const int32_t i = row * chip->columns + column;
            const float here = from[i];
            const float north = row > 0 ? from[i - chip->columns] : here;
            const float south = row < chip->rows - 1 ? from[i + chip->columns] : here;
            const float west = column > 0 ? from[i - 1] : here;
            const float east = column < chip->columns - 1 ? from[i + 1] : here;
            to[i] = here
                    + chip->heat_inverse
                          * (chip->power[i] + (south + north - 2.0f * here) * chip->y_inverse
                             + (east + west - 2.0f * here) * chip->x_inverse
                             + (chip->ambient - here) * chip->z_inverse);
        }
    }
}

static float *expected(struct kit *kit, const struct chip *chip)
{
    const size_t n = (size_t)chip->rows * (size_t)chip->columns;
    float *from = kit_host(kit, n * sizeof(float));
    float *to = kit_host(kit, n * sizeof(float));

    for (size_t i = 0u; i < n; i++) {
        from[i] = chip->temperature[i];
    }
    for (int32_t i = 0; i < chip->launches * chip->steps; i++) {
        step(chip, from, to);
        float *const swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static bool run(struct kit *kit, enum workload_size size)
{
    static const int32_t sides[] = {
        64, 256, 512, [SIZE_TH42] = 512, [SIZE_TH44] = 2048, [SIZE_ICC] = 512
    };
    struct chip chip = make_chip(kit, sides[size], 2);
    const size_t n = (size_t)chip.rows * (size_t)chip.columns;
    const uint32_t tiles = (uint32_t)((chip.rows - 1) / (TILE - 2 * STEPS) + 1);
    const struct gsp_dim grid = { tiles, tiles, 1u };
    const struct gsp_dim block = { TILE, TILE, 1u };
    gsp_pointer power = kit_alloc_copy(kit, chip.power, n * sizeof(float));
    gsp_pointer from = kit_alloc_copy(kit, chip.temperature, n * sizeof(float));
    gsp_pointer to = kit_alloc(kit, n * sizeof(float));
    float *const got = kit_host(kit, n * sizeof(float));

    for (int32_t i = 0; i < chip.launches; i++) {
        KIT_LAUNCH(kit, "hotspot", grid, block, &from, &power, &to, &chip.rows, &chip.columns,
                   &chip.steps, &chip.heat_inverse, &chip.x_inverse, &chip.y_inverse,
                   &chip.z_inverse, &chip.ambient);
        const gsp_pointer swap = from;
        from = to;
        to = swap;
    }
    kit_copy_out(kit, got, from, n * sizeof(float));
    return kit_check_floats(kit, "temperature", got, expected(kit, &chip), n, 1e-6, 0.0);
}

static const struct kit_registers registers[] = {
    { "hotspot", 36, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_hotspot = {
    .name = "hotspot",
    .title =
        "temperatures of a chip: a 2D stencil in tiles of shared memory, two steps a launch",
    .source = "Rodinia; CLASO Table 2",
    .check = "every temperature within 1e-6 of a CPU stencil, relative",
    .run = run,
    .papers = SIZE_BIT(TH42) | SIZE_BIT(TH44) | SIZE_BIT(ICC),
    .registers = registers,
};
