/*
 * nearest_neighbour - distance of every record, a latitude and a longitude, from a target; the
 * host picks the nearest ones.
 *
 *   nearest_neighbour_distance   grid ceil(records / 256), block 256
 *
 * Rodinia's (K-)Nearest Neighbor: "NN" in thesis Table 4.2 (256 threads) and Table 4.4 (50,115
 * CTAs).
 */

#include "cuda.h"

struct place {
    float latitude, longitude;
};

extern "C" __global__ void nearest_neighbour_distance(const struct place *places,
                                                      float *distances, int records,
                                                      float latitude, float longitude)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < records) {
        const float dy = latitude - places[i].latitude;
        const float dx = longitude - places[i].longitude;
        distances[i] = sqrtf(dy * dy + dx * dx);
    }
}
