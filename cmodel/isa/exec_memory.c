/*
 * exec_memory - where the lanes of an access go in the host's memory; loads and stores.
 *
 * Every address is checked: alignment to the whole access, and bounds, which for global memory
 * are those of one allocation.
 */

#include <string.h>

#include "exec_run.h"

/* ---- Addresses ----------------------------------------------------------------------------
 */

/* Addresses of all lanes; switched-off lanes have any. Returns what they have in common below
 * the alignment. */
static uint64_t addresses(const struct run_warp *w, const struct exec_step *s, uint32_t lanes,
                          uint64_t *address)
{
    const struct ptx_operand *const o = &s->inst->src[0];
    const uint64_t plus = o->value;
    uint64_t odd = 0u;
    if (s->wide_address) {
        const uint64_t *const row = exec_source(&w->w, o);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            address[lane] = row[lane] + plus;
        }
    } else { /* 32-bit registers wrap at 32 bits */
        const uint32_t *const row = exec_source(&w->w, o);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            address[lane] = row[lane] + (uint32_t)plus;
        }
    }
    EACH_LANE(lane, lanes)
    {
        odd |= address[lane];
    }
    return odd & (s->total - 1u);
}

static void bounds(const uint64_t *address, uint32_t lanes, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0u;
    EACH_LANE(lane, lanes)
    {
        *low = address[lane] < *low ? address[lane] : *low;
        *high = address[lane] > *high ? address[lane] : *high;
    }
}

static uint32_t misaligned_lane(const struct exec_step *s, const uint64_t *address,
                                uint32_t lanes)
{
    EACH_LANE(lane, lanes)
    {
        if ((address[lane] & (s->total - 1u)) != 0u) {
            return lane;
        }
    }
    return 0u;
}

/* ---- Spaces
 * ---------------------------------------------------------------------------------- */

static uint8_t *host_at(const struct exec_run *r, uint32_t warp, uint32_t lane,
                        enum ptx_space space, uint64_t address, uint64_t bytes)
{
    const struct exec_launch *const g = r->launch;
    uint64_t size;
    const uint8_t *base;
    switch (space) {
    case SPACE_SHARED:
        size = r->shared_bytes;
        base = r->shared;
        break;
    case SPACE_LOCAL:
        size = r->function->local_bytes;
        base = r->local + (warp * WARP_SIZE + lane) * size;
        break;
    case SPACE_CONST:
        size = g->module->const_bytes;
        base = g->constants;
        break;
    case SPACE_PARAM:
        size = r->function->param_bytes;
        base = g->params;
        break;
    default:
        return device_at(g->memory, address, bytes);
    }
    /* Constants and parameters are only read: stores to them have no steps. */
    return address <= size && bytes <= size - address ? (uint8_t *)base + address : NULL;
}

static bool each_alone(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       struct exec_access *a)
{
    EACH_LANE(lane, a->lanes)
    {
        a->at[lane] = host_at(r, w->number, lane, a->space, a->address[lane], s->total);
        if (a->at[lane] == NULL) {
            return exec_fault_access(r, w, s, lane, a->space, a->address[lane]);
        }
    }
    return true;
}

/* All lanes in one stretch of memory. */
static bool together(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                     struct exec_access *a)
{
    uint64_t low, high;
    bounds(a->address, a->lanes, &low, &high);
    uint8_t *const base = a->space == SPACE_LOCAL
                              ? NULL
                              : host_at(r, w->number, 0u, a->space, low, high - low + s->total);
    if (base == NULL) {
        return each_alone(r, w, s, a);
    }
    EACH_LANE(lane, a->lanes)
    {
        a->at[lane] = base + (a->address[lane] - low);
    }
    return true;
}

static enum ptx_space window_of(uint64_t *address)
{
    if (*address - PTX_SHARED_BASE < PTX_WINDOW) {
        *address -= PTX_SHARED_BASE;
        return SPACE_SHARED;
    }
    if (*address - PTX_LOCAL_BASE < PTX_WINDOW) {
        *address -= PTX_LOCAL_BASE;
        return SPACE_LOCAL;
    }
    return SPACE_GLOBAL;
}

/* Lanes may be in different spaces; the record is of those in the lowest lane's. */
static bool generic(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                    struct exec_access *a)
{
    uint32_t in[SPACE_PARAM + 1] = { 0u };
    const uint32_t lanes = a->lanes;
    EACH_LANE(lane, lanes)
    {
        in[window_of(&a->address[lane])] |= 1u << lane;
    }
    enum ptx_space first = SPACE_GLOBAL;
    for (enum ptx_space space = SPACE_GLOBAL; space <= SPACE_PARAM; space++) {
        a->space = space;
        a->lanes = in[space];
        first = (in[space] >> lowest_lane(lanes) & 1u) != 0u ? space : first;
        if (in[space] != 0u && !together(r, w, s, a)) {
            return false;
        }
    }
    a->space = first;
    a->lanes = in[first];
    return true;
}

bool exec_resolve(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                  uint32_t lanes, struct exec_access *a)
{
    const uint64_t odd = addresses(w, s, lanes, a->address);
    a->space = s->inst->space;
    a->lanes = lanes;
    if (s->global_symbol) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            a->address[lane] += r->launch->global_base;
        }
    }
    if (odd != 0u) {
        const uint32_t lane = misaligned_lane(s, a->address, lanes);
        return exec_fault_access(r, w, s, lane, a->space, a->address[lane]);
    }
    if (a->space == SPACE_GENERIC ? !generic(r, w, s, a) : !together(r, w, s, a)) {
        return false;
    }
    return !r->streams || exec_record_access(r, w, s, a);
}

/* ---- Loads and stores
 * ---------------------------------------------------------------------------
 */

#define LOAD(name, type)                                                                      \
    static void name(void *row, bool wide, uint8_t *const *at, size_t offset, uint32_t lanes) \
    {                                                                                         \
        EACH_LANE(lane, lanes)                                                                \
        {                                                                                     \
            type value;                                                                       \
            memcpy(&value, at[lane] + offset, sizeof value);                                  \
            if (wide) {                                                                       \
                ((uint64_t *)row)[lane] = (uint64_t)value;                                    \
            } else {                                                                          \
                ((uint32_t *)row)[lane] = (uint32_t)value;                                    \
            }                                                                                 \
        }                                                                                     \
    }
LOAD(load_u8, uint8_t)
LOAD(load_s8, int8_t)
LOAD(load_u16, uint16_t)
LOAD(load_s16, int16_t)
LOAD(load_u32, uint32_t)
LOAD(load_s32, int32_t)
LOAD(load_u64, uint64_t)

typedef void loader(void *row, bool wide, uint8_t *const *at, size_t offset, uint32_t lanes);

/* By log2 of the bytes, and sign. */
static loader *const loaders[4][2] = {
    { load_u8, load_s8 }, { load_u16, load_s16 }, { load_u32, load_s32 }, { load_u64, load_u64 }
};

bool exec_load(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
               uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    struct exec_access a;
    if (!exec_resolve(r, w, s, lanes, &a)) {
        return false;
    }
    loader *const load = loaders[__builtin_ctz(s->bytes)][s->sign];
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (i->dst[k].kind == OPERAND_REGISTER) {
            load(exec_destination(&w->w, &i->dst[k]), (s->wide >> k & 1u) != 0u, a.at,
                 (size_t)k * s->bytes, lanes);
        }
    }
    return true;
}

#define STORE(name, type)                                                           \
    static void name(const void *row, bool wide, uint8_t *const *at, size_t offset, \
                     uint32_t lanes)                                                \
    {                                                                               \
        EACH_LANE(lane, lanes)                                                      \
        {                                                                           \
            const type value = wide ? (type)((const uint64_t *)row)[lane]           \
                                    : (type)((const uint32_t *)row)[lane];          \
            memcpy(at[lane] + offset, &value, sizeof value);                        \
        }                                                                           \
    }
STORE(store_8, uint8_t)
STORE(store_16, uint16_t)
STORE(store_32, uint32_t)
STORE(store_64, uint64_t)

typedef void storer(const void *row, bool wide, uint8_t *const *at, size_t offset,
                    uint32_t lanes);
static storer *const storers[4] = { store_8, store_16, store_32, store_64 };

bool exec_store(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    struct exec_access a;
    if (!exec_resolve(r, w, s, lanes, &a)) {
        return false;
    }
    storer *const store = storers[__builtin_ctz(s->bytes)];
    for (uint32_t k = 0u; k + 1u < i->n_src; k++) {
        store(exec_source(&w->w, &i->src[k + 1u]), (s->wide >> k & 1u) != 0u, a.at,
              (size_t)k * s->bytes, lanes);
    }
    return true;
}
