/*
 * exec_stream - records of instructions, and what their accesses touch.
 *
 * Shared memory has banks of 4 bytes. Lanes that want the same word share it; different words
 * of a bank take a pass each. Accesses of 8 bytes go half a warp at a time, of 16 bytes a
 * quarter, of 32 an eighth: each part takes passes of its own. Atomics share nothing: lanes
 * that meet in a bank follow one another.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec_run.h"

/* ---- Records ------------------------------------------------------------------------- */

static bool room(void **memory, size_t *room, size_t needed, size_t size)
{
    if (needed <= *room) {
        return true;
    }
    size_t more = *room == 0u ? 64u : *room;
    while (more < needed) {
        more *= 2u;
    }
    void *const moved = realloc(*memory, more * size);
    if (moved == NULL) {
        return false;
    }
    *memory = moved;
    *room = more;
    return true;
}

static bool more_instructions(struct exec_run *r, struct run_warp *w, const struct exec_step *s)
{
    struct record_list *const l = w->list;
    void *memory = l->instruction;
    const bool good =
        room(&memory, &l->room_instruction, l->n_instruction + 1u, sizeof *l->instruction);
    l->instruction = memory;
    return good || exec_fault_memory(r, w, s, l->n_instruction, "records");
}

bool exec_record(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                 uint32_t lanes)
{
    struct record_list *const l = w->list;
    if (l->n_instruction == l->room_instruction && !more_instructions(r, w, s)) {
        return false;
    }
    struct instruction *const i = &l->instruction[l->n_instruction++];
    *i = s->timing;
    i->lanes = lanes == UINT32_MAX ? WARP_SIZE : (uint8_t)count_lanes(lanes);
    return true;
}

/* ---- Lines --------------------------------------------------------------------------- */

static uint32_t log_of(uint32_t power)
{
    assert(power != 0u && (power & (power - 1u)) == 0u);
    return (uint32_t)__builtin_ctz(power);
}

static inline uint32_t find_line(const uint32_t *word, uint32_t n, uint32_t line)
{
    uint32_t i = 0u;
    while (i < n && access_line(word[i]) != line) {
        i++;
    }
    return i;
}

struct line_list {
    uint32_t *word;
    uint32_t n, last; /* last: the word that was touched last */
    uint32_t shift;
};

static inline void touch(struct line_list *l, uint64_t address, uint32_t bytes)
{
    const uint32_t number = (uint32_t)(address >> l->shift) & 0x0fffffffu;
    const uint32_t in_line = (uint32_t)address & ((1u << l->shift) - 1u);
    const uint32_t first = in_line >> (l->shift - 2u);
    const uint32_t final = (in_line + bytes - 1u) >> (l->shift - 2u);
    if (l->n == 0u || access_line(l->word[l->last]) != number) {
        /* Mostly it is the line of the lane before. */
        l->last = find_line(l->word, l->n, number);
        if (l->last == MAX_ACCESSES) { /* a record has no more */
            l->last--;
            return;
        }
        if (l->last == l->n) {
            l->word[l->n++] = ACCESS(number, 0u);
        }
    }
    l->word[l->last] |= ((2u << final) - (1u << first)) & 15u;
}

uint32_t exec_coalesce(const uint64_t *address, uint32_t lanes, uint32_t bytes, uint32_t line,
                       uint32_t *word)
{
    struct line_list list = { .word = word, .shift = log_of(line) };
    EACH_LANE(lane, lanes)
    {
        touch(&list, address[lane], bytes);
    }
    return list.n;
}

static void touch_range(struct line_list *l, uint64_t from, uint64_t end)
{
    while (from < end) {
        const uint64_t next = ((from >> l->shift) + 1u) << l->shift;
        touch(l, from, (uint32_t)((next < end ? next : end) - from));
        from = next;
    }
}

/* All lanes side by side, or at one place. */
static uint32_t coalesce_shape(const struct exec_access *a, uint64_t base, uint32_t bytes,
                               uint32_t line, uint32_t *word)
{
    if (a->shape == SHAPE_ANY) {
        uint64_t at[WARP_SIZE];
        EACH_LANE(lane, a->lanes)
        {
            at[lane] = base + a->address[lane];
        }
        return exec_coalesce(at, a->lanes, bytes, line, word);
    }
    struct line_list list = { .word = word, .shift = log_of(line) };
    const uint64_t from = base + a->address[0];
    touch_range(&list, from, from + (a->shape == SHAPE_ROW ? bytes * WARP_SIZE : bytes));
    return list.n;
}

/* Whether a lane before this one reads at its address. */
static bool read_before(const struct exec_access *a, uint32_t lane)
{
    for (uint32_t other = 0u; other < lane; other++) {
        if ((a->lanes >> other & 1u) != 0u && a->address[other] == a->address[lane]) {
            return true;
        }
    }
    return false;
}

/* Whether a lane reads in this line, at an address that no lane before it has. */
static bool own_address(const struct exec_access *a, uint64_t base, uint32_t bytes,
                        uint32_t lane, uint32_t shift, uint32_t line)
{
    const bool row = a->shape == SHAPE_ROW;
    const uint64_t address =
        base + (row ? a->address[0] + (uint64_t)lane * bytes : a->address[lane]);
    return ((uint32_t)(address >> shift) & 0x0fffffffu) == line
           && (row || !read_before(a, lane));
}

/* Lines of a read of constants; of one that takes a turn for each address, each line as often
 * as it has addresses. Returns the number of words. */
static uint32_t coalesce_constant(const struct exec_launch *g, const struct exec_access *a,
                                  uint32_t bytes, uint32_t *word)
{
    const uint64_t base = a->space == SPACE_PARAM ? PARAM_AT : CONST_AT;
    const uint32_t shift = log_of(g->constant_line);
    const uint32_t n = coalesce_shape(a, base, bytes, g->constant_line, word);
    uint32_t lines[MAX_ACCESSES];
    uint32_t at = 0u;

    if (!g->constant_by_address || a->shape == SHAPE_ONE) {
        return n;
    }
    memcpy(lines, word, n * sizeof *word);
    for (uint32_t i = 0u; i < n; i++) {
        uint32_t turns = 0u;
        EACH_LANE(lane, a->lanes)
        {
            turns += own_address(a, base, bytes, lane, shift, access_line(lines[i]));
        }
        assert(turns != 0u); /* a read is aligned */
        for (uint32_t k = 0u; k < turns && at < MAX_ACCESSES; k++) {
            word[at++] = lines[i];
        }
    }
    return at;
}

/* Of lanes side by side, or in local memory: those of line i of n. */
static uint32_t share(uint32_t lanes, uint32_t i, uint32_t n)
{
    return count_lanes(lanes) * (i + 1u) / n - count_lanes(lanes) * i / n;
}

/* Puts turns behind the n lines of an atomic: the most lanes that meet at an address of each,
 * and its lanes. In local memory none meet. Returns the number of words; a record has room
 * for 32 lines. */
static uint32_t add_turns(const struct exec_access *a, uint32_t line, uint32_t n,
                          uint32_t *word)
{
    const uint32_t shift = log_of(line);

    n = n > MAX_ACCESSES / 2u ? MAX_ACCESSES / 2u : n;
    if (a->shape != SHAPE_ANY || a->space == SPACE_LOCAL) {
        const bool meet = a->shape == SHAPE_ONE && a->space != SPACE_LOCAL;
        for (uint32_t i = 0u; i < n; i++) {
            word[n + i] =
                ATOMIC_TURNS(meet ? count_lanes(a->lanes) : 1u, share(a->lanes, i, n));
        }
        return 2u * n;
    }
    memset(word + n, 0, n * sizeof *word);
    EACH_LANE(lane, a->lanes)
    {
        const uint32_t i =
            find_line(word, n, (uint32_t)(a->address[lane] >> shift) & 0x0fffffffu);
        uint32_t meet = 1u;
        for (uint32_t other = 0u; other < lane; other++) {
            meet += (a->lanes >> other & 1u) != 0u && a->address[other] == a->address[lane];
        }
        const uint32_t most = turns_meet(word[n + i]);
        word[n + i] = ATOMIC_TURNS(meet > most ? meet : most, turns_lanes(word[n + i]) + 1u);
    }
    return 2u * n;
}

/* ---- Banks --------------------------------------------------------------------------- */

enum { MAX_BANKS = 64 };

static inline void extend(uint32_t at, uint32_t *low, uint32_t *high)
{
    *low = at < *low ? at : *low;
    *high = at > *high ? at : *high;
}

/* Do all lanes lie within one word of each bank? Then no bank has two. */
static bool side_by_side(const uint64_t *address, uint32_t lanes, uint32_t bytes,
                         uint32_t banks)
{
    const uint32_t first = (uint32_t)address[lowest_lane(lanes)];
    uint32_t low = first, high = first;
    if (lanes == UINT32_MAX) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            extend((uint32_t)address[lane], &low, &high);
        }
    }
    EACH_LANE(lane, lanes == UINT32_MAX ? 0u : lanes)
    {
        extend((uint32_t)address[lane], &low, &high);
    }
    return (high + bytes - 1u) / 4u - low / 4u < banks;
}

/* The passes of lanes that go together. */
static uint32_t part_passes(const uint64_t *address, uint32_t lanes, uint32_t bytes,
                            uint32_t banks, bool shares)
{
    uint32_t seen[MAX_BANKS][WARP_SIZE];
    uint8_t n[MAX_BANKS] = { 0u };
    uint32_t most = 1u;
    if (shares && side_by_side(address, lanes, bytes, banks)) {
        return 1u;
    }
    EACH_LANE(lane, lanes)
    {
        for (uint32_t b = 0u; b < bytes; b += 4u) {
            const uint32_t word = (uint32_t)(address[lane] + b) / 4u;
            const uint32_t bank = word % banks;
            uint32_t k = shares ? 0u : n[bank];
            while (k < n[bank] && seen[bank][k] != word) {
                k++;
            }
            if (k == n[bank]) {
                seen[bank][n[bank]++] = word;
                most = n[bank] > most ? n[bank] : most;
            }
        }
    }
    return most;
}

uint32_t exec_passes(const uint64_t *address, uint32_t lanes, uint32_t bytes, uint32_t banks,
                     bool shares)
{
    const uint32_t together = bytes <= 4u ? WARP_SIZE : 128u / bytes;
    uint32_t sum = 0u;
    assert(banks != 0u && banks <= MAX_BANKS);
    for (uint32_t first = 0u; first < WARP_SIZE; first += together) {
        const uint32_t part = lanes & (uint32_t)((UINT64_C(1) << together) - 1u) << first;
        sum += part == 0u ? 0u : part_passes(address, part, bytes, banks, shares);
    }
    return sum > 32u ? 32u : sum;
}

/* ---- Accesses ------------------------------------------------------------------------ */

/* Words of 4 bytes of the threads of a warp lie side by side, and warps behind each other: the
 * same variable of all lanes fills lines. */
static uint32_t coalesce_local(const struct exec_run *r, const struct run_warp *w,
                               const struct exec_access *a, const struct exec_step *s,
                               uint32_t *word)
{
    const uint64_t slot = ((uint64_t)r->function->local_bytes + 3u) / 4u * 4u * WARP_SIZE;
    const uint64_t base = ((uint64_t)r->cta * r->warps + w->number) * slot;
    struct line_list list = { .word = word, .shift = log_of(r->launch->l1_line) };
    const uint64_t row = (base + a->address[0] * WARP_SIZE) % LOCAL_BYTES;
    const uint64_t bytes = (uint64_t)s->total * WARP_SIZE;
    if (a->shape == SHAPE_ONE && s->total >= 4u && row + bytes <= LOCAL_BYTES) {
        touch_range(&list, LOCAL_AT + row, LOCAL_AT + row + bytes);
        return list.n;
    }
    EACH_LANE(lane, a->lanes)
    {
        for (uint32_t b = 0u; b < s->total; b += 4u) {
            const uint64_t offset = a->address[lane] + b;
            const uint64_t at = base + (offset / 4u * WARP_SIZE + lane) * 4u + offset % 4u;
            touch(&list, LOCAL_AT + at % LOCAL_BYTES, s->total < 4u ? s->total : 4u);
        }
    }
    return list.n;
}

static uint32_t shared_passes(const struct exec_run *r, const struct exec_access *a,
                              const struct exec_step *s)
{
    const bool atomic = s->inst->op == PTX_ATOM || s->inst->op == PTX_RED;
    const uint32_t banks = r->launch->banks;
    if (a->shape == SHAPE_ROW && banks == 32u) { /* no bank has two words */
        return s->total <= 4u ? 1u : s->total / 4u;
    }
    return exec_passes(a->address, a->lanes, s->total, banks, !atomic);
}

/* Local memory is a thread's own: its reads have nothing to look for in another SM's, and a
 * volatile one sees no other writer. */
static uint32_t access_flags(const struct exec_step *s, uint32_t op, enum ptx_space space)
{
    const bool passes = (s->inst->flags & (FLAG_VOLATILE | FLAG_UNCACHED)) != 0u;
    return space == SPACE_LOCAL ? LOCAL : op == OP_LOAD && passes ? UNCACHED : 0u;
}

bool exec_record_access(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                        const struct exec_access *a)
{
    const struct exec_launch *const g = r->launch;
    struct record_list *const l = w->list;
    struct instruction *const i = exec_last(w);
    if (a->space == SPACE_SHARED) {
        i->op = OP_SHARED;
        i->accesses = (uint8_t)shared_passes(r, a, s);
        return true;
    }
    void *memory = l->access;
    const bool good =
        room(&memory, &l->room_access, l->n_access + MAX_ACCESSES, sizeof *l->access);
    l->access = memory;
    if (!good) {
        return exec_fault_memory(r, w, s, l->n_access, "accesses");
    }
    uint32_t *const word = l->access + l->n_access;
    uint32_t n;
    if (a->space == SPACE_LOCAL) {
        n = coalesce_local(r, w, a, s, word);
    } else if (a->space == SPACE_CONST || a->space == SPACE_PARAM) {
        i->op = OP_CONSTANT; /* a generic load, too */
        n = coalesce_constant(g, a, s->total, word);
    } else {
        const uint32_t line = i->op == OP_TEXTURE ? g->texture_line : g->l1_line;
        n = coalesce_shape(a, 0u, s->total, line, word);
    }
    n = i->op == OP_ATOMIC ? add_turns(a, g->l1_line, n, word) : n;
    i->accesses = (uint8_t)n;
    if (i->op == OP_LOAD || i->op == OP_STORE) {
        i->flags = (uint8_t)access_flags(s, i->op, a->space);
    }
    l->n_access += n;
    return true;
}
