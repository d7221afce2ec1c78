/* plain_exchange - what lanes tell each other; see plain.h. */

#include <string.h>

#include "plain.h"

static uint32_t word_of(const struct plain_warp *w, const struct ptx_operand *o, uint32_t lane)
{
    uint32_t word;
    memcpy(&word, (const uint8_t *)exec_source(&w->w, o) + (size_t)4u * lane, 4u);
    return word;
}

static void give_word(struct plain_warp *w, const struct ptx_operand *o, uint32_t lane,
                      uint32_t word)
{
    if (o->kind == OPERAND_REGISTER) {
        memcpy(w->w.rows + o->row + (size_t)4u * lane, &word, 4u);
    }
}

static void give_bit(struct plain_warp *w, const struct ptx_operand *o, uint32_t lane, bool bit)
{
    if (o->kind == OPERAND_REGISTER) {
        uint32_t bits;
        memcpy(&bits, w->w.rows + o->row, 4u);
        bits = (bits & ~(1u << lane)) | (bit ? 1u << lane : 0u);
        memcpy(w->w.rows + o->row, &bits, 4u);
    }
}

/* The manual's lines of shfl; a lane that is not active, or out of range, gives no value. */
static void shuffle(struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    uint32_t value[WARP_SIZE];
    memcpy(value, exec_source(&w->w, &i->src[0]), sizeof value);
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        if ((lanes >> lane & 1u) == 0u) {
            continue;
        }
        const int b = (int)(word_of(w, &i->src[1], lane) & 31u);
        const uint32_t c = word_of(w, &i->src[2], lane);
        const int segment = (int)(c >> 8 & 31u), clamp = (int)(c & 31u), me = (int)lane;
        const int most = (me & segment) | (clamp & ~segment), least = me & segment;
        const int from = i->mode == MODE_UP     ? me - b
                         : i->mode == MODE_DOWN ? me + b
                         : i->mode == MODE_BFLY ? me ^ b
                                                : least | (b & ~segment);
        const bool good = i->mode == MODE_UP ? from >= most : from <= most;
        const uint32_t got = good ? (uint32_t)from : lane;
        give_word(w, &i->dst[0], lane, (lanes >> got & 1u) != 0u ? value[got] : 0u);
        if (i->n_dst > 1u) {
            give_bit(w, &i->dst[1], lane, good);
        }
    }
}

/* Active lanes of the mask, if there is one. */
static uint32_t members(const struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const bool masked = i->n_src > 1u && i->src[1].kind != OPERAND_NONE;
    return masked ? lanes & word_of(w, &i->src[1], (uint32_t)__builtin_ctz(lanes)) : lanes;
}

static void vote(struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint32_t who = members(w, i, lanes);
    const uint32_t trues = exec_predicate(&w->w, &i->src[0]) & who;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        if ((lanes >> lane & 1u) == 0u) {
            continue;
        }
        if (i->mode == MODE_BALLOT) {
            give_word(w, &i->dst[0], lane, trues);
        } else {
            give_bit(w, &i->dst[0], lane,
                     i->mode == MODE_ANY   ? trues != 0u
                     : i->mode == MODE_ALL ? trues == who
                                           : trues == 0u || trues == who);
        }
    }
}

static void match(struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint32_t who = members(w, i, lanes);
    const size_t bytes = ptx_type_bytes(i->type);
    const uint8_t *const row = exec_source(&w->w, &i->src[0]);
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        uint32_t equal = 0u;
        for (uint32_t other = 0u; other < WARP_SIZE; other++) {
            equal |=
                memcmp(row + bytes * lane, row + bytes * other, bytes) == 0 ? 1u << other : 0u;
        }
        equal &= who;
        if ((lanes >> lane & 1u) != 0u) {
            give_word(w, &i->dst[0], lane, i->mode == MODE_ANY || equal == who ? equal : 0u);
            if (i->n_dst > 1u) {
                give_bit(w, &i->dst[1], lane, equal == who);
            }
        }
    }
}

bool plain_exchange(struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    switch (i->op) {
    case PTX_SHFL:
        shuffle(w, i, lanes);
        return true;
    case PTX_VOTE:
        vote(w, i, lanes);
        return true;
    case PTX_MATCH:
        match(w, i, lanes);
        return true;
    case PTX_ACTIVEMASK:
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            if ((lanes >> lane & 1u) != 0u) {
                give_word(w, &i->dst[0], lane, lanes);
            }
        }
        return true;
    default:
        return false;
    }
}
