/* gpu_random_hooks - scheduling units that do anything; see gpu_random_hooks.h. */

#include "tb/gpu/gpu_random_hooks.h"

uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t state = a * UINT64_C(0x9E3779B97F4A7C15) ^ b;
    return random_bits(&state);
}

int32_t any_warp(void *self, uint32_t sm, uint32_t scheduler, uint64_t ready,
                 const uint16_t note_of[64], uint64_t cycle)
{
    const uint64_t seed = *(const uint64_t *)self;
    uint64_t best = UINT64_MAX;
    int32_t warp = -1;
    assert_true(ready != 0u);
    for (uint32_t w = 0u; w < 64u; w++) {
        const uint64_t rank = hash(seed ^ cycle, (uint64_t)note_of[w] << 32 | sm << 8 | w);
        if ((ready >> w & 1u) != 0u && rank < best) {
            best = rank;
            warp = (int32_t)w;
        }
    }
    return hash(seed + scheduler, cycle) % 8u == 0u ? -1 : warp;
}

void placer_mask(void *self, uint32_t kernel, struct bits *room)
{
    const struct placer *const p = self;
    for (uint32_t sm = 0u; sm < GPU_MAX_SM; sm++) {
        if (p->on[kernel][sm] > hash(p->seed, kernel) % 4u) {
            bits_remove(room, sm);
        }
    }
}

int32_t placer_pick(void *self, uint32_t kernel, const struct bits *room)
{
    const struct placer *const p = self;
    uint32_t sm = (uint32_t)(hash(p->seed + kernel, p->issued) % GPU_MAX_SM);
    while (!bits_has(*room, sm)) {
        sm = (sm + 1u) % GPU_MAX_SM;
    }
    return (int32_t)sm;
}

void placer_issued(void *self, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    struct placer *const p = self;
    (void)cta;
    p->issued++;
    p->on[kernel][sm]++;
}

void placer_ended(void *self, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    (void)cta;
    ((struct placer *)self)->on[kernel][sm]--;
}

static void control_one(struct gpu *g, uint32_t sm, uint64_t action)
{
    switch (action % 7u) {
    case 0u:
    case 1u:
        gpu_pause(g, sm);
        break;
    case 2u:
        gpu_resume(g, sm);
        break;
    case 3u:
    case 4u:
        gpu_drain(g, sm, action % 7u == 3u);
        break;
    default:
        (void)gpu_gate(g, sm, action % 7u == 5u);
    }
}

uint64_t control(void *self, struct gpu *g, uint64_t cycle)
{
    struct controller *const c = self;
    const uint32_t n = gpu_config_of(g)->sm.count;
    const bool last = ++c->calls == 60u;
    for (uint32_t sm = 0u; sm < n; sm++) {
        note_event(c->log, NOTE_PAUSED, sm, gpu_paused(g, sm), 0u, cycle);
        if (last) {
            gpu_resume(g, sm);
            (void)gpu_gate(g, sm, false);
            gpu_drain(g, sm, false);
        }
    }
    if (last) {
        return UINT64_MAX;
    }
    const uint64_t h = hash(c->seed, cycle);
    control_one(g, (uint32_t)(h % n), h >> 32);
    return cycle + 1u + (h >> 40) % (1u << c->seed % 9u);
}
