/* synthetic_address - lines that a warp's accesses touch; see synthetic_address.h. */

#include "synthetic/synthetic_address.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Coalescing and banks ------------------------------------------------------------ */

/* The quarters of a line that bytes first..last touch. */
static uint32_t quarters(uint32_t first, uint32_t last, uint32_t line)
{
    uint32_t set = 0u;

    for (uint32_t q = first * 4u / line; q <= last * 4u / line; q++) {
        set |= 1u << q;
    }
    return set;
}

static uint32_t add_word(uint32_t *word, uint32_t n, uint32_t line, uint32_t set)
{
    for (uint32_t i = 0u; i < n; i++) {
        if (access_line(word[i]) == line) {
            word[i] |= set;
            return n;
        }
    }
    word[n] = ACCESS(line, set);
    return n + 1u;
}

uint32_t coalesce(const uint64_t *address, uint32_t lanes, uint32_t element, uint32_t line,
                  uint32_t *word)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < lanes; i++) {
        const uint64_t first = address[i];
        const uint64_t last = first + element - 1u;
        for (uint64_t l = first / line; l <= last / line; l++) {
            const uint32_t from = l == first / line ? (uint32_t)(first % line) : 0u;
            const uint32_t to = l == last / line ? (uint32_t)(last % line) : line - 1u;
            n = add_word(word, n, (uint32_t)l, quarters(from, to, line));
        }
    }
    return n;
}

uint32_t bank_passes(uint32_t lanes, uint32_t element, uint32_t stride, uint32_t banks)
{
    uint32_t seen[WARP_SIZE * 4];
    uint32_t in_bank[WARP_SIZE] = { 0u };
    uint32_t n = 0u;
    uint32_t most = 1u;

    assert(lanes <= WARP_SIZE && element <= 16u && banks >= 1u && banks <= WARP_SIZE);
    for (uint32_t lane = 0u; lane < lanes; lane++) {
        const uint32_t last = (lane * stride + element - 1u) / 4u;
        for (uint32_t word = lane * stride / 4u; word <= last; word++) {
            uint32_t i = 0u;
            while (i < n && seen[i] != word) {
                i++;
            }
            if (i == n) { /* lanes that want the same word share it */
                seen[n++] = word;
                const uint32_t passes = ++in_bank[word % banks];
                most = passes > most ? passes : most;
            }
        }
    }
    return most;
}

/* ---- Making a pattern ---------------------------------------------------------------- */

static bool by_lines(const struct pattern_shape *shape)
{
    return shape->kind == PATTERN_CHASE || shape->scattered;
}

/* Bytes from the beginning of a block to the end of its last access. */
static uint32_t reach(const struct pattern_shape *shape)
{
    return shape->offset + shape->stride * (WARP_SIZE - 1u) + shape->element;
}

static uint32_t block_bytes(const struct pattern_shape *shape)
{
    const uint32_t line = shape->line;
    const uint32_t step = shape->stride * WARP_SIZE;

    if (by_lines(shape)) {
        return line;
    }
    /* Parts of a line only if the lanes stay in their part. */
    if (step != 0u && line % step == 0u && reach(shape) <= step) {
        return step;
    }
    const uint32_t bytes = step > shape->element ? step : shape->element;
    return (bytes + line - 1u) / line * line;
}

/* What the accesses of a block reach beyond it. */
static uint32_t tail_bytes(const struct pattern_shape *shape)
{
    const uint32_t block = block_bytes(shape);

    return !by_lines(shape) && reach(shape) > block ? reach(shape) - block : 0u;
}

uint32_t pattern_least(const struct pattern_shape *shape)
{
    return shape->scattered ? shape->line * WARP_SIZE : block_bytes(shape) + tail_bytes(shape);
}

/* The words of each part of a line, or of the block. */
static bool make_template(struct pattern *pattern)
{
    const struct pattern_shape *const shape = &pattern->shape;
    const uint32_t block = block_bytes(shape);
    uint64_t address[WARP_SIZE];

    pattern->meet = shape->stride == 0u ? shape->lanes : 1u;

    pattern->template = calloc((size_t)pattern->parts * MAX_ACCESSES, sizeof(uint32_t));
    if (pattern->template == NULL) {
        return false;
    }
    for (uint32_t part = 0u; part < pattern->parts; part++) {
        for (uint32_t lane = 0u; lane < shape->lanes; lane++) {
            address[lane] =
                (uint64_t)part * block + shape->offset + (uint64_t)lane * shape->stride;
        }
        pattern->words = coalesce(address, shape->lanes, shape->element, shape->line,
                                  pattern->template + (size_t)part * pattern->words);
    }
    return true;
}

/* A visiting order of all lines is a permutation with one cycle: whoever follows it comes
 * to every line before any line again. */
static bool make_order(struct pattern *pattern)
{
    const uint32_t n = pattern->blocks;

    pattern->order = malloc(n * sizeof *pattern->order);
    if (pattern->order == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        const uint32_t j = hash_below(synthetic_hash(pattern->shape.seed, i), i + 1u);
        if (j != i) {
            pattern->order[i] = pattern->order[j];
        }
        pattern->order[j] = i;
    }
    return true;
}

bool pattern_init(struct pattern *pattern, const struct pattern_shape *shape)
{
    const uint32_t block = block_bytes(shape);
    const uint32_t most = REGION_BYTES - shape->moved;
    const uint32_t bytes =
        shape->footprint == 0u || shape->footprint > most ? most : shape->footprint;

    *pattern = (struct pattern){
        .shape = *shape,
        .base = shape->region * (REGION_BYTES / shape->line) + shape->moved / shape->line,
        .blocks = (bytes - tail_bytes(shape)) / block,
        .block_lines = block / shape->line,
        .parts = block < shape->line ? shape->line / block : 1u,
        .meet = 1u,
    };
    if (shape->lanes == 0u) {
        return true;
    }
    if (shape->kind == PATTERN_CHASE) {
        pattern->words = 1u;
        return make_order(pattern);
    }
    if (shape->scattered) {
        pattern->words = shape->lanes;
        return true;
    }
    return make_template(pattern);
}

void pattern_free(struct pattern *pattern)
{
    free(pattern->template);
    free(pattern->order);
}

/* ---- Words of an access -------------------------------------------------------------- */

static uint32_t block_words(const struct pattern *pattern, uint64_t number, uint32_t *word)
{
    assert(pattern->blocks != 0u);
    const uint32_t block =
        (uint32_t)(number < pattern->blocks ? number : number % pattern->blocks);
    const uint32_t *template = pattern->template;
    uint32_t line = pattern->base;

    if (pattern->parts == 1u) {
        line += block * pattern->block_lines;
    } else {
        line += block / pattern->parts;
        template += (size_t)(block % pattern->parts) * pattern->words;
    }
    for (uint32_t i = 0u; i < pattern->words; i++) {
        word[i] = template[i] + ACCESS(line, 0u);
    }
    return pattern->words;
}

/* A different line for each lane: each draws from a stripe of its own. Which stripe is
 * turned for each access, so that no part of the footprint is always asked first. */
static uint32_t lane_words(const struct pattern *pattern, uint64_t number, uint32_t *word)
{
    const struct pattern_shape *const shape = &pattern->shape;
    const uint32_t stripe = pattern->blocks / shape->lanes;
    const uint32_t slots = shape->line / shape->element;
    uint32_t turn = hash_below(synthetic_hash(~shape->seed, number), shape->lanes);

    for (uint32_t lane = 0u; lane < shape->lanes; lane++) {
        const uint64_t hash = synthetic_hash(shape->seed, number * WARP_SIZE + lane);
        const uint32_t line = pattern->base + turn * stripe + hash_below(hash, stripe);
        const uint32_t first = hash_below(hash << 32, slots) * shape->element;
        word[lane] = ACCESS(line, quarters(first, first + shape->element - 1u, shape->line));
        turn = turn + 1u == shape->lanes ? 0u : turn + 1u;
    }
    return shape->lanes;
}

static uint32_t chase_word(const struct pattern *pattern, uint64_t global, uint32_t execution,
                           uint32_t *word)
{
    const uint32_t start =
        hash_below(synthetic_hash(~pattern->shape.seed, global), pattern->blocks);
    const uint64_t at = ((uint64_t)start + execution) % pattern->blocks;

    word[0] = ACCESS(pattern->base + pattern->order[at], 1u);
    return 1u;
}

static uint32_t line_words(const struct pattern *pattern, const struct place *place,
                           uint32_t execution, uint32_t executions, uint32_t *word)
{
    const struct pattern_shape *const shape = &pattern->shape;
    const uint64_t number = execution * place->all + place->global;

    if (shape->lanes == 0u) {
        return 0u;
    }
    switch (shape->kind) {
    case PATTERN_TILE:
        return block_words(pattern,
                           ((uint64_t)(place->cta / shape->group) * executions + execution)
                                   * place->warps
                               + place->warp,
                           word);
    case PATTERN_RANDOM:
        return shape->scattered
                   ? lane_words(pattern, number, word)
                   : block_words(
                       pattern,
                       hash_below(synthetic_hash(shape->seed, number), pattern->blocks), word);
    case PATTERN_CHASE:
        return chase_word(pattern, place->global, execution, word);
    case PATTERN_SAME:
        return block_words(pattern, 0u, word);
    default:
        return block_words(pattern, number, word);
    }
}

uint32_t pattern_words(const struct pattern *pattern, const struct place *place,
                       uint32_t execution, uint32_t executions, uint32_t *word)
{
    const uint32_t n = line_words(pattern, place, execution, executions, word);

    if (!pattern->shape.turns) {
        return n;
    }
    for (uint32_t i = 0u; i < n; i++) {
        const uint32_t lanes = pattern->shape.lanes;
        word[n + i] = ATOMIC_TURNS(pattern->meet, lanes * (i + 1u) / n - lanes * i / n);
    }
    return 2u * n;
}
