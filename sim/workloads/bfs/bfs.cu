/*
 * bfs - breadth-first search of a graph from one node, a level at a time. A node has a thread.
 *
 *   bfs_expand   grid ceil(nodes / 512), block 512: nodes of the frontier set the cost of their
 *                neighbours that have not been visited
 *   bfs_advance  the same grid: these become the frontier
 *
 * The host launches both until a level finds no node.
 *
 * Rodinia's BFS: CLASO Table 2 (20 kernels of 512 threads, 2,560 CTAs in all: 65,536 nodes, ten
 * levels), ICC Table 3. On the graphs of LaPerm Table II blocks have 128 threads, and in place
 * of bfs_expand there may be
 *
 *   bfs_expand_nested   the same, but a node of 16 edges or more launches
 *   bfs_edges           grid ceil(edges / 64), block 64: a thread has an edge
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 16, BLOCK = 64 };

struct node {
    int first, edges;
};

extern "C" __global__ void bfs_edges(const int *edges, int count, unsigned char *found,
                                     const unsigned char *visited, int *cost, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !visited[edges[i]]) {
        cost[edges[i]] = level;
        found[edges[i]] = 1;
    }
}

template <bool nested>
__device__ __forceinline__ void expand(const struct node *nodes, const int *edges,
                                       unsigned char *frontier, unsigned char *found,
                                       const unsigned char *visited, int *cost, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || !frontier[i]) {
        return;
    }
    frontier[i] = 0;
    if (nested && nodes[i].edges >= MANY) {
        launch<bfs_edges>((nodes[i].edges + BLOCK - 1) / BLOCK, BLOCK, 0,
                          cudaStreamFireAndForget)(edges + nodes[i].first, nodes[i].edges,
                                                   found, visited, cost, cost[i] + 1);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    for (int e = nodes[i].first; e < nodes[i].first + nodes[i].edges; e++) {
        const int other = edges[e];
        if (!visited[other]) {
            cost[other] = cost[i] + 1;
            found[other] = 1;
        }
    }
}

extern "C" __global__ void bfs_expand(const struct node *nodes, const int *edges,
                                      unsigned char *frontier, unsigned char *found,
                                      const unsigned char *visited, int *cost, int count)
{
    expand<false>(nodes, edges, frontier, found, visited, cost, count);
}

extern "C" __global__ void bfs_expand_nested(const struct node *nodes, const int *edges,
                                             unsigned char *frontier, unsigned char *found,
                                             const unsigned char *visited, int *cost, int count)
{
    expand<true>(nodes, edges, frontier, found, visited, cost, count);
}

extern "C" __global__ void bfs_advance(unsigned char *frontier, unsigned char *found,
                                       unsigned char *visited, int *again, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && found[i]) {
        frontier[i] = 1;
        visited[i] = 1;
        found[i] = 0;
        *again = 1;
    }
}
