/*
 * btree - searches in a B+ tree with nodes of 256 keys. A CTA answers a query: a thread for
 * each key of the node, of which the one whose interval holds the wanted key names the next
 * node.
 *
 *   btree_find_key     grid queries, block 256: the record with a key
 *   btree_find_range   grid queries, block 256: the first record of a range, and its length
 *
 * A node has the lower bounds of its 256 children and, behind them, an upper bound of the last;
 * entries that are not used are as large as can be.
 *
 * Rodinia's B+ tree: "B+T-K1", "B+T-K2" in thesis Table 3.2, "B+-1", "B+-2" in Table 4.2,
 * "BT-K1", "BT-K2" in Table 4.4 (65,535 CTAs of 256 each), ICC Table 3.
 */

#include "cuda.h"

#define ORDER 256

struct node {
    int keys[ORDER + 1];
    int children[ORDER + 1]; /* nodes; in a leaf, records */
};

static __device__ bool holds(const struct node *node, int child, int key)
{
    return node->keys[child] <= key && node->keys[child + 1] > key;
}

extern "C" __global__ void btree_find_key(const struct node *nodes, int height,
                                          const int *records, const int *keys, int *answers)
{
    __shared__ int current;
    __shared__ int next;
    const int tx = threadIdx.x;
    const int key = keys[blockIdx.x];

    if (tx == 0) {
        current = 0; /* the root */
        next = 0;
    }
    __syncthreads();
    for (int level = 0; level < height; level++) {
        const struct node *node = &nodes[current];
        if (holds(node, tx, key)) {
            next = node->children[tx];
        }
        __syncthreads();
        if (tx == 0) {
            current = next;
        }
        __syncthreads();
    }
    const struct node *leaf = &nodes[current];
    if (leaf->keys[tx] == key) {
        answers[blockIdx.x] = records[leaf->children[tx]];
    }
}

/* Descends for both ends of the range at once. */
extern "C" __global__ void btree_find_range(const struct node *nodes, int height,
                                            const int *starts, const int *ends, int *firsts,
                                            int *lengths)
{
    __shared__ int current[2];
    __shared__ int next[2];
    __shared__ int first;
    const int tx = threadIdx.x;
    const int start = starts[blockIdx.x];
    const int end = ends[blockIdx.x];

    if (tx < 2) {
        current[tx] = 0;
        next[tx] = 0;
    }
    __syncthreads();
    for (int level = 0; level < height; level++) {
        const struct node *low = &nodes[current[0]];
        if (holds(low, tx, start)) {
            next[0] = low->children[tx];
        }
        const struct node *high = &nodes[current[1]];
        if (holds(high, tx, end)) {
            next[1] = high->children[tx];
        }
        __syncthreads();
        if (tx < 2) {
            current[tx] = next[tx];
        }
        __syncthreads();
    }
    const struct node *leaf = &nodes[current[0]];
    if (leaf->keys[tx] == start) {
        first = leaf->children[tx];
        firsts[blockIdx.x] = first;
    }
    __syncthreads();
    leaf = &nodes[current[1]];
    if (leaf->keys[tx] == end) {
        lengths[blockIdx.x] = leaf->children[tx] - first + 1;
    }
}
