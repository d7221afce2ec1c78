/*
 * clr - colours the nodes of a graph so that no edge has one colour at both ends (Jones and
 * Plassmann). A node has a thread and a rank, which is its number, mixed.
 *
 *   clr_compare         grid ceil(nodes / 128), block 128: nodes without a colour look for
 *                       neighbours without a colour that have a higher rank
 *   clr_compare_nested  the same, but a node of 16 edges or more launches
 *   clr_edges           grid ceil(edges / 64), block 64: a thread has an edge
 *   clr_settle          as clr_compare: nodes that have found none get the round's colour
 *
 * The host launches a round until all nodes have a colour.
 *
 * LaPerm Table II (CLR).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 16, BLOCK = 64 };

struct node {
    int first, edges;
};

/* No two nodes have the same. */
__device__ __forceinline__ unsigned int rank_of(unsigned int node)
{
    node *= 0x9e3779b1u;
    node ^= node >> 15;
    node *= 0x85ebca6bu;
    return node ^ node >> 13;
}

extern "C" __global__ void clr_edges(const int *edges, int count, const int *colours,
                                     unsigned char *waits, int node)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && colours[edges[i]] == 0 && rank_of(edges[i]) > rank_of(node)) {
        waits[node] = 1;
    }
}

template <bool nested>
__device__ __forceinline__ void compare(const struct node *nodes, const int *edges,
                                        const int *colours, unsigned char *waits, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || colours[i] != 0) {
        return;
    }
    const struct node node = nodes[i];
    if (nested && node.edges >= MANY) {
        launch<clr_edges>((node.edges + BLOCK - 1) / BLOCK, BLOCK, 0, cudaStreamFireAndForget)(
            edges + node.first, node.edges, colours, waits, i);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    for (int e = node.first; e < node.first + node.edges; e++) {
        if (colours[edges[e]] == 0 && rank_of(edges[e]) > rank_of(i)) {
            waits[i] = 1;
            return;
        }
    }
}

extern "C" __global__ void clr_compare(const struct node *nodes, const int *edges,
                                       const int *colours, unsigned char *waits, int count)
{
    compare<false>(nodes, edges, colours, waits, count);
}

extern "C" __global__ void clr_compare_nested(const struct node *nodes, const int *edges,
                                              const int *colours, unsigned char *waits,
                                              int count)
{
    compare<true>(nodes, edges, colours, waits, count);
}

extern "C" __global__ void clr_settle(int *colours, unsigned char *waits, int *again, int round,
                                      int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || colours[i] != 0) {
        return;
    }
    if (waits[i]) {
        waits[i] = 0;
        *again = 1;
    } else {
        colours[i] = round;
    }
}
