/* exec_alu_blend - results go to the active lanes of a row: what all groups share. */

#include "exec/alu/exec_alu.h"

#define BITS_4(n)  1u << (n), 2u << (n), 4u << (n), 8u << (n)
#define BITS_16(n) BITS_4(n), BITS_4((n) + 4), BITS_4((n) + 8), BITS_4((n) + 12)
const uint32_t exec_alu_bit[WARP_SIZE] = { BITS_16(0), BITS_16(16) };

void exec_alu_blend_word(uint32_t *to, const uint32_t *from, uint32_t lanes)
{
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        to[l] = (lanes & exec_alu_bit[l]) != 0u ? from[l] : to[l];
    }
}

void exec_alu_blend_long(uint64_t *to, const uint64_t *from, uint32_t lanes)
{
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        to[l] = (lanes & exec_alu_bit[l]) != 0u ? from[l] : to[l];
    }
}
