/* gpu_throttle - see gpu_throttle.h. */

#include "gpu_throttle.h"

#include "tb/base/seed.h"

const unsigned throttle_modes[THROTTLE_MODES] = {
    0u,
    GPU_NO_SKIP | GPU_POLL,
    GPU_NAIVE,
    GPU_FUZZ,
};

/* ---- Kernels ------------------------------------------------------------------------- */

uint32_t own_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    return ACCESS(64u * cta + 8u * warp + i, 15u);
}

struct program text_of(uint32_t loads, uint32_t arithmetic)
{
    struct program text = { .length = 0u };

    for (uint32_t i = 0u; i < loads; i++) {
        (void)emit(&text, OP_LOAD, 1u, REGISTER_NONE, 1u);
        emit_chain(&text, OP_INTEGER, arithmetic, 0u);
    }
    emit_exit(&text);
    return text;
}

void launch_random(struct gpu *g, uint64_t *random, uint32_t n, struct program text[],
                   struct hand_kernel kernel[])
{
    for (uint32_t k = 0u; k < n; k++) {
        text[k] = text_of(1u + random_below(random, 6u), random_below(random, 12u));
        kernel[k] = kernel_of(&text[k], 20u + random_below(random, 200u),
                              1u + random_below(random, 4u));
        kernel[k].access = own_lines;
        kernel[k].shape.cooperative = random_below(random, 8u) == 0u;
        launch(g, &kernel[k], random_below(random, 2u));
    }
}

/* ---- Runs ---------------------------------------------------------------------------- */

void disturb_sms(struct gpu *g, uint64_t cycle)
{
    switch (cycle % 2048u) {
    case 500u:
        gpu_pause(g, 1u);
        break;
    case 900u:
        gpu_resume(g, 1u);
        break;
    case 700u:
        gpu_drain(g, 2u, true);
        break;
    case 1300u:
        (void)gpu_gate(g, 2u, true);
        break;
    case 1500u:
        (void)gpu_gate(g, 2u, false);
        gpu_drain(g, 2u, false);
        break;
    default:
        break;
    }
}

void check_sms_at(const struct gpu_throttle_stats *s, uint32_t low, uint32_t high)
{
    uint64_t sms = 0u, ctas = 0u;

    for (uint32_t n = 0u; n <= GPU_MAX_CTAS; n++) {
        sms += s->sms_at[n];
        ctas += n * s->sms_at[n];
        assert_true(s->sms_at[n] == 0u || (n >= low && n <= high));
    }
    assert_int_equal(sms, s->sms);
    assert_int_equal(ctas, s->ctas);
}

void check_modes(uint64_t (*run)(uint64_t random, unsigned mode, struct log *log),
                 uint64_t least)
{
    const uint64_t seed = printed_seed();
    uint64_t periods = 0u;

    for (uint64_t k = 0u; k < 12u; k++) {
        struct log log[THROTTLE_MODES] = { { NULL, 0u, 0u } };
        for (size_t mode = 0u; mode < THROTTLE_MODES; mode++) {
            periods += run(seed + k, throttle_modes[mode], &log[mode]);
            assert_int_equal(log[mode].n, log[0].n);
            assert_memory_equal(log[mode].word, log[0].word, log[0].n * sizeof *log[0].word);
        }
        for (size_t mode = 0u; mode < THROTTLE_MODES; mode++) {
            free(log[mode].word);
        }
    }
    assert_true(periods > least);
}
