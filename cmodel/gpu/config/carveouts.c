/* carveouts - see carveouts.h. The sizes are those of NVIDIA's tuning guides for Volta, Ampere
 * (of compute capability 8.0) and Hopper. */

#include "gpu/config/carveouts.h"

enum { SIZES = 10, KB = 1024 };
static const uint8_t sizes[][SIZES] = {
    [CARVEOUTS_VOLTA] = { 0, 8, 16, 32, 64, 96 },
    [CARVEOUTS_AMPERE] = { 0, 8, 16, 32, 64, 100, 132, 164 },
    [CARVEOUTS_HOPPER] = { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 },
};

static uint32_t size_of(enum l1_carveouts list, uint32_t k)
{
    return (uint32_t)sizes[list][k] * KB;
}

uint32_t carveout_most(enum l1_carveouts list)
{
    uint32_t most = 0u;

    for (uint32_t k = 0u; k < SIZES; k++) {
        most = size_of(list, k) > most ? size_of(list, k) : most;
    }
    return most;
}

uint32_t carveout_of(enum l1_carveouts list, uint64_t shared)
{
    const uint32_t most = carveout_most(list);
    uint32_t k = 0u;

    while (size_of(list, k) < shared && size_of(list, k) < most) {
        k++;
    }
    return size_of(list, k);
}
