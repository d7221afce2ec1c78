/*
 * aes - AES-128 encryption in ECB mode by table lookup.
 *
 *   aes_encrypt   grid bytes / 1024, block 256, shared 6,144 B: a thread is a column of 4 bytes
 *                 of the state; a CTA encrypts 64 blocks
 *
 * A CTA copies the four tables of SubBytes, ShiftRows and MixColumns from constant to shared
 * memory. Columns of the state are exchanged through shared memory, in two buffers so that one
 * barrier a round is enough. Round keys are in constant memory. Bytes of a column are in a
 * little-endian word.
 *
 * AES of GPGPU-Sim's benchmarks: "AES" in CLASO Table 2, 257 CTAs of 256 threads. Paper size:
 * 257 CTAs, 263,168 bytes.
 */

#include "cuda.h"

#define THREADS 256
#define ROUNDS  10

__constant__ uint32_t tables[4][256]; /* of the bytes of rows 0 to 3 */
__constant__ uint32_t round_keys[4 * (ROUNDS + 1)];

extern "C" __global__ void aes_encrypt(const uint32_t *plain, uint32_t *cipher)
{
    __shared__ uint32_t table[4][256];
    __shared__ uint32_t state[2][THREADS];
    const int t = threadIdx.x;
    const int column = t & 3;
    const int block = t & ~3; /* first column of its block */
    const int at = blockIdx.x * THREADS + t;

    for (int row = 0; row < 4; row++) {
        table[row][t] = tables[row][t];
    }
    uint32_t mine = plain[at] ^ round_keys[column];
    state[0][t] = mine;
    for (int round = 1; round < ROUNDS; round++) {
        const uint32_t *from = state[(round - 1) & 1];
        __syncthreads();
        mine = table[0][from[t] & 255] ^ table[1][from[block + ((column + 1) & 3)] >> 8 & 255]
               ^ table[2][from[block + ((column + 2) & 3)] >> 16 & 255]
               ^ table[3][from[block + ((column + 3) & 3)] >> 24]
               ^ round_keys[4 * round + column];
        state[round & 1][t] = mine;
    }
    __syncthreads();

    /* The last round has no MixColumns: byte 1 of table 0 is SubBytes alone. */
    const uint32_t *from = state[(ROUNDS - 1) & 1];
    const uint32_t b0 = table[0][from[t] & 255] >> 8 & 255;
    const uint32_t b1 = table[0][from[block + ((column + 1) & 3)] >> 8 & 255] >> 8 & 255;
    const uint32_t b2 = table[0][from[block + ((column + 2) & 3)] >> 16 & 255] >> 8 & 255;
    const uint32_t b3 = table[0][from[block + ((column + 3) & 3)] >> 24] >> 8 & 255;
    cipher[at] = (b0 | b1 << 8 | b2 << 16 | b3 << 24) ^ round_keys[4 * ROUNDS + column];
}
