/* occupancy - see occupancy.h. */

#include "gpu/dispatch/occupancy.h"

#include "gpu/config/carveouts.h"

static uint64_t up(uint64_t n, uint64_t granule)
{
    return (n + granule - 1u) / granule * granule;
}

/* The CTAs whose warps find room in the register file. Each of its parts holds whole warps; a
 * warp's registers are rounded up to the granule. */
static uint64_t by_registers(const struct gpu_config *c, uint64_t warp, uint64_t warps)
{
    return c->sm.registers / c->sm.subpartitions / warp * c->sm.subpartitions / warps;
}

static uint64_t warp_registers(const struct gpu_config *c, const struct kernel_shape *shape)
{
    const uint64_t registers = shape->registers == 0u ? 1u : shape->registers;

    return up(registers * WARP_SIZE, c->sm.register_granule);
}

static uint64_t cta_shared(const struct gpu_config *c, const struct kernel_shape *shape)
{
    return up((uint64_t)shape->shared_bytes + c->sm.shared_reserved, c->sm.shared_granule);
}

uint32_t gpu_occupancy(const struct gpu_config *c, const struct kernel_shape *shape,
                       const char **limit)
{
    const uint64_t warps = kernel_warps(shape), shared = cta_shared(c, shape);
    const struct {
        const char *name;
        uint64_t fit;
    } limits[] = {
        { "registers", by_registers(c, warp_registers(c, shape), warps) },
        { "shared memory", shared == 0u ? UINT64_MAX : c->sm.shared_bytes / shared },
        { "warp slots", c->sm.warp_slots / warps },
        { "threads", c->sm.threads / (warps * WARP_SIZE) },
        { "CTA slots", c->sm.cta_slots },
    };
    uint64_t most = UINT64_MAX;

    for (size_t k = 0u; k < sizeof limits / sizeof *limits; k++) {
        if (limits[k].fit < most) {
            most = limits[k].fit;
            *limit = limits[k].name;
        }
    }
    return (uint32_t)most;
}

/* Room is counted by subtraction (sm_room), so registers that no CTA of the kernel can have,
 * because a part of the file has less left than a warp, count as taken by its CTAs: the fewest
 * with which one more does not fit. */
static uint64_t cta_registers(const struct gpu_config *c, const struct kernel_shape *shape)
{
    const uint64_t warp = warp_registers(c, shape), warps = kernel_warps(shape);
    const uint64_t fewest = c->sm.registers / (by_registers(c, warp, warps) + 1u) + 1u;

    return warp * warps > fewest ? warp * warps : fewest;
}

struct cta_room cta_takes(const struct gpu_config *c, const struct kernel_shape *shape)
{
    return (struct cta_room){ .registers = (uint32_t)cta_registers(c, shape),
                              .shared_bytes = (uint32_t)cta_shared(c, shape),
                              .warps = kernel_warps(shape) };
}

uint32_t cta_carveout(const struct gpu_config *c, const struct kernel_shape *shape)
{
    const char *limit = "";

    if (c->l1.carveouts == CARVEOUTS_NONE) {
        return c->sm.shared_bytes;
    }
    const uint64_t ctas = gpu_occupancy(c, shape, &limit);
    return carveout_of(c->l1.carveouts, ctas * cta_shared(c, shape));
}
