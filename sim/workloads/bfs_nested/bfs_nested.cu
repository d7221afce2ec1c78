/*
 * bfs_nested - breadth-first search of a graph with a few nodes of many edges, a level at a
 * time: bfs, but for these nodes, which launch a kernel for their edges (CUDA dynamic
 * parallelism).
 *
 *   nested_expand   grid ceil(nodes / 128), block 128: nodes of the frontier set the cost of
 * their neighbours that have not been visited; a node of 64 edges or more launches nested_edges
 * grid ceil(edges / 64), block 64: which does so with a thread an edge bfs_advance     as in
 * bfs: what has been found becomes the frontier
 *
 * The host launches expand and advance until a level finds no node.
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 64, BLOCK = 64 };

struct node {
    int first, edges;
};

extern "C" __global__ void nested_edges(const int *edges, int count, unsigned char *found,
                                        const unsigned char *visited, int *cost, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && !visited[edges[i]]) {
        cost[edges[i]] = level;
        found[edges[i]] = 1;
    }
}

extern "C" __global__ void nested_expand(const struct node *nodes, const int *edges,
                                         unsigned char *frontier, unsigned char *found,
                                         const unsigned char *visited, int *cost, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || !frontier[i]) {
        return;
    }
    const struct node node = nodes[i];
    frontier[i] = 0;
    if (node.edges >= MANY) {
        launch<nested_edges>((node.edges + BLOCK - 1) / BLOCK, BLOCK)(
            edges + node.first, node.edges, found, visited, cost, cost[i] + 1);
        return;
    }
    for (int e = node.first; e < node.first + node.edges; e++) {
        const int other = edges[e];
        if (!visited[other]) {
            cost[other] = cost[i] + 1;
            found[other] = 1;
        }
    }
}

extern "C" __global__ void nested_advance(unsigned char *frontier, unsigned char *found,
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
