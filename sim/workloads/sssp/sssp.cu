/*
 * sssp - the shortest paths from one node of a graph to all, in rounds as Bellman and Ford's. A
 * node has a thread.
 *
 *   sssp_relax         grid ceil(nodes / 128), block 128: nodes whose distance the last round
 * has made shorter offer their neighbours a path sssp_relax_nested  the same, but a node of 16
 * edges or more launches sssp_edges         grid ceil(edges / 64), block 64: a thread has an
 * edge sssp_settle        as sssp_relax: the shortest offers become the distances
 *
 * The host launches a round until one makes no distance shorter.
 *
 * LaPerm Table II (SSSP).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 16, BLOCK = 64 };

struct node {
    int first, edges;
};

extern "C" __global__ void sssp_edges(const int *edges, const int *lengths, int count,
                                      int *offered, int distance)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        atomicMin(&offered[edges[i]], distance + lengths[i]);
    }
}

template <bool nested>
__device__ __forceinline__ void relax(const struct node *nodes, const int *edges,
                                      const int *lengths, const unsigned char *shorter,
                                      const int *distances, int *offered, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || !shorter[i]) {
        return;
    }
    const struct node node = nodes[i];
    const int distance = distances[i];
    if (nested && node.edges >= MANY) {
        launch<sssp_edges>((node.edges + BLOCK - 1) / BLOCK, BLOCK, 0, cudaStreamFireAndForget)(
            edges + node.first, lengths + node.first, node.edges, offered, distance);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    for (int e = node.first; e < node.first + node.edges; e++) {
        atomicMin(&offered[edges[e]], distance + lengths[e]);
    }
}

extern "C" __global__ void sssp_relax(const struct node *nodes, const int *edges,
                                      const int *lengths, const unsigned char *shorter,
                                      const int *distances, int *offered, int count)
{
    relax<false>(nodes, edges, lengths, shorter, distances, offered, count);
}

extern "C" __global__ void sssp_relax_nested(const struct node *nodes, const int *edges,
                                             const int *lengths, const unsigned char *shorter,
                                             const int *distances, int *offered, int count)
{
    relax<true>(nodes, edges, lengths, shorter, distances, offered, count);
}

extern "C" __global__ void sssp_settle(unsigned char *shorter, int *distances,
                                       const int *offered, int *again, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    shorter[i] = offered[i] < distances[i];
    if (offered[i] < distances[i]) {
        distances[i] = offered[i];
        *again = 1;
    }
}
