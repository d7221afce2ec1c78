/*
 * bht - Barnes and Hut's tree over points of a square, and the force on each point by it.
 *
 *   bht_split         grid nodes of a level, block 64: a block has a node, adds up its points,
 * and if they are more than 16, sorts them into four nodes of the next level. The host launches
 * it for each level bht_split_nested  grid 1, and then 4: the same, but the block launches
 * itself for the four bht_force         grid ceil(points / 64), block 64: a thread walks over
 * the tree for its point; nodes that look small from there count as one point
 *
 * Coordinates are whole numbers, so every machine builds the same tree; four nodes take the
 * next free places.
 *
 * LaPerm Table II (BHT).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { BLOCK = 64, FEW = 16, STACK = 64 };

struct node {
    int first, count, flipped; /* its points, in the other array if flipped */
    int x, y, side;            /* its corner, and how long its side is */
    int sum_x, sum_y;          /* of its points' places from the corner */
    int child;                 /* the first of four; -1: none */
};

/* What a block knows of its node. */
struct shared {
    int sum_x, sum_y, child;
    int count[4], next[4];
};

__device__ __forceinline__ int quadrant_of(const struct node *node, int2 point)
{
    const int half = node->side / 2;
    return (point.x >= node->x + half ? 1 : 0) + (point.y >= node->y + half ? 2 : 0);
}

/* Makes the four nodes: one thread. */
__device__ __forceinline__ void make_children(struct node *nodes, const struct node *node,
                                              int *used, struct shared *shared)
{
    const int half = node->side / 2;
    int first = node->first;
    shared->child = atomicAdd(used, 4);
    for (int q = 0; q < 4; q++) {
        nodes[shared->child + q] = { first,
                                     shared->count[q],
                                     !node->flipped,
                                     node->x + (q & 1) * half,
                                     node->y + (q >> 1) * half,
                                     half,
                                     0,
                                     0,
                                     -1 };
        shared->next[q] = first;
        first += shared->count[q];
    }
}

/* Whether it has children now. */
__device__ __forceinline__ bool split(struct node *nodes, int which, int2 *points, int2 *others,
                                      int *used, struct shared *shared)
{
    const struct node node = nodes[which];
    const int2 *const from = node.flipped ? others : points;
    int2 *const to = node.flipped ? points : others;
    const bool many = node.count > FEW && node.side > 1;
    if (threadIdx.x == 0) {
        *shared = {};
    }
    __syncthreads();
    for (int i = node.first + (int)threadIdx.x; i < node.first + node.count; i += BLOCK) {
        atomicAdd(&shared->sum_x, from[i].x - node.x);
        atomicAdd(&shared->sum_y, from[i].y - node.y);
        atomicAdd(&shared->count[quadrant_of(&node, from[i])], 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        nodes[which].sum_x = shared->sum_x;
        nodes[which].sum_y = shared->sum_y;
        if (many) {
            make_children(nodes, &node, used, shared);
            nodes[which].child = shared->child;
        }
    }
    __syncthreads();
    if (many) {
        for (int i = node.first + (int)threadIdx.x; i < node.first + node.count; i += BLOCK) {
            to[atomicAdd(&shared->next[quadrant_of(&node, from[i])], 1)] = from[i];
        }
    }
    return many;
}

extern "C" __global__ void bht_split(struct node *nodes, int first, int2 *points, int2 *others,
                                     int *used)
{
    __shared__ struct shared shared;
    split(nodes, first + (int)blockIdx.x, points, others, used, &shared);
}

extern "C" __global__ void bht_split_nested(struct node *nodes, int first, int2 *points,
                                            int2 *others, int *used)
{
    __shared__ struct shared shared;
    __shared__ int waiting[STACK],
        n_waiting; /* the block's own: it goes on where it cannot launch */
    if (threadIdx.x == 0) {
        waiting[0] = first + (int)blockIdx.x;
        n_waiting = 1;
    }
    __syncthreads();
    while (n_waiting > 0) {
        const bool many = split(nodes, waiting[n_waiting - 1], points, others, used, &shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            n_waiting--;
            if (many) {
                launch<bht_split_nested>(4, BLOCK, 0, cudaStreamFireAndForget)(
                    nodes, shared.child, points, others, used);
            }
            const bool failed = cudaGetLastError() != cudaSuccess;
            for (int q = 0; failed && q < 4; q++) {
                waiting[n_waiting++] = shared.child + q;
            }
        }
        __syncthreads();
    }
}

/* What count points at this distance pull, by the components. */
__device__ __forceinline__ float2 pull(float x, float y, float count)
{
    const float square = x * x + y * y + 1.0f;
    const float by = count / (square * sqrtf(square));
    return make_float2(x * by, y * by);
}

extern "C" __global__ void bht_force(const struct node *nodes, const int2 *points,
                                     const int2 *others, const int2 *bodies, int count,
                                     float2 *forces)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    const int2 own = bodies[i];
    float2 force = make_float2(0.0f, 0.0f);
    int stack[STACK];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const struct node node = nodes[stack[--top]];
        const int x = node.x + node.side / 2 - own.x, y = node.y + node.side / 2 - own.y;
        const bool far =
            (long long)x * x + (long long)y * y > 4 * (long long)node.side * node.side;
        if (far && node.count > 0) {
            const float n = (float)node.count;
            const float2 one = pull((float)(node.x - own.x) + (float)node.sum_x / n,
                                    (float)(node.y - own.y) + (float)node.sum_y / n, n);
            force = make_float2(force.x + one.x, force.y + one.y);
        } else if (node.child >= 0) {
            for (int q = 0; q < 4; q++) {
                stack[top++] = node.child + q;
            }
        } else {
            for (int k = node.first; k < node.first + node.count; k++) {
                const int2 other = (node.flipped ? others : points)[k];
                const float2 one =
                    pull((float)(other.x - own.x), (float)(other.y - own.y), 1.0f);
                force = make_float2(force.x + one.x, force.y + one.y);
            }
        }
    }
    forces[i] = force;
}
