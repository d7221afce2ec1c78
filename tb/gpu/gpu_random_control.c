/* gpu_random_control - see gpu_random_control.h. */

#include "tb/gpu/gpu_random_control.h"

static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t state = a * UINT64_C(0x9E3779B97F4A7C15) ^ b;
    return random_bits(&state);
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

static struct bits any_sms(uint64_t seed, uint64_t cycle)
{
    struct bits sms;
    for (uint32_t word = 0u; word < sizeof sms.word / sizeof *sms.word; word++) {
        sms.word[word] = hash(seed + word, cycle);
    }
    return sms;
}

/* Lets all run. */
static void release(const struct controller *c, struct gpu *g, uint32_t n)
{
    for (uint32_t sm = 0u; sm < n; sm++) {
        gpu_resume(g, sm);
        (void)gpu_gate(g, sm, false);
        gpu_drain(g, sm, false);
    }
    for (uint32_t k = 0u; k < c->kernels; k++) {
        gpu_allow(g, k, bits_below(n));
    }
}

void control(struct controller *c, struct gpu *g, uint64_t cycle)
{
    const uint32_t n = gpu_config_of(g)->sm.count;
    const uint64_t h = hash(c->seed, cycle);
    if (cycle != c->next) {
        return;
    }
    for (uint32_t sm = 0u; sm < n; sm++) {
        note_event(c->log, NOTE_PAUSED, sm, gpu_paused(g, sm), 0u, cycle);
    }
    if (++c->calls == 60u) {
        release(c, g, n);
        c->next = 0u;
        return;
    }
    if (c->controls) {
        control_one(g, (uint32_t)(h % n), h >> 32);
    }
    if (c->limits) {
        gpu_allow(g, (uint32_t)(h >> 8) % c->kernels, any_sms(h, cycle));
    }
    c->next = cycle + 1u + (h >> 40) % (1u << c->seed % 9u);
}
