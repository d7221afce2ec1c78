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
 * levels), ICC Table 3.
 */

#include "cuda.h"

struct node {
    int first, edges;
};

extern "C" __global__ void bfs_expand(const struct node *nodes, const int *edges,
                                      unsigned char *frontier, unsigned char *found,
                                      const unsigned char *visited, int *cost, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || !frontier[i]) {
        return;
    }
    frontier[i] = 0;
    for (int e = nodes[i].first; e < nodes[i].first + nodes[i].edges; e++) {
        const int other = edges[e];
        if (!visited[other]) {
            cost[other] = cost[i] + 1;
            found[other] = 1;
        }
    }
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
