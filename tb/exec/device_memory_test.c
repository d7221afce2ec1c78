/* Tests of device memory: addresses, bounds, reuse, and what untouched memory costs. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "exec/device_memory.h"

static void allocations_are_aligned_and_zeroed(void **state)
{
    struct device_memory *const memory = device_memory_open();
    static const uint8_t zeros[1000];

    (void)state;
    assert_int_equal(device_alloc(memory, 1u), DEVICE_BASE);
    const uint64_t second = DEVICE_BASE + 256u + DEVICE_DISTANCE;
    assert_int_equal(device_alloc(memory, 1000u), second);
    assert_int_equal(device_alloc(memory, 1u), second + 1024u + DEVICE_DISTANCE);
    assert_memory_equal(device_at(memory, second, 1000u), zeros, 1000u);
    device_memory_close(memory);
}

static void nothing_lies_within_4_kib_of_an_allocation(void **state)
{
    static const uint64_t sizes[] = { 4096u, 1u, 255u, 256u, 100000u, 512u };
    enum { N = sizeof sizes / sizeof sizes[0] };
    struct device_memory *const memory = device_memory_open();
    uint64_t at[N];

    (void)state;
    for (uint32_t i = 0u; i < N; i++) {
        at[i] = device_alloc(memory, sizes[i]);
    }
    for (uint32_t i = 0u; i < N; i++) {
        for (uint64_t k = 1u; k <= 4096u; k++) {
            assert_null(device_at(memory, at[i] - k, 1u));
            assert_null(device_at(memory, at[i] + sizes[i] - 1u + k, 1u));
            assert_null(device_at(memory, at[i] - k, k + sizes[i]));
        }
    }
    device_memory_close(memory);
}

static void only_what_was_asked_for_can_be_accessed(void **state)
{
    struct device_memory *const memory = device_memory_open();
    const uint64_t a = device_alloc(memory, 100u);
    const uint64_t b = device_alloc(memory, 512u);

    (void)state;
    assert_non_null(device_at(memory, a + 96u, 4u));
    assert_null(device_at(memory, a + 97u, 4u));
    assert_null(device_at(memory, a + 100u, 1u));
    assert_null(device_at(memory, a - 1u, 1u));
    assert_null(device_at(memory, 0u, 1u));
    assert_null(device_at(memory, b + 512u, 4u));
    assert_null(device_at(memory, UINT64_MAX - 3u, 8u));
    assert_null(device_at(memory, b, UINT64_MAX));
    assert_ptr_equal((uint8_t *)device_at(memory, b, 1u) + 511,
                     device_at(memory, b + 511u, 1u));
    device_memory_close(memory);
}

static void freed_memory_is_gone_and_used_again(void **state)
{
    struct device_memory *const memory = device_memory_open();
    const uint64_t a = device_alloc(memory, 1024u);
    const uint64_t b = device_alloc(memory, 1024u);

    (void)state;
    memset(device_at(memory, a, 1024u), 7, 1024u);
    assert_true(device_free(memory, a));
    assert_null(device_at(memory, a, 1u));
    assert_false(device_free(memory, a));
    assert_false(device_free(memory, b + 256u));
    const uint64_t c = device_alloc(memory, 1025u);
    assert_int_equal(c, b + 1024u + DEVICE_DISTANCE);
    assert_int_equal(device_alloc(memory, 512u), a);
    assert_int_equal(*(uint8_t *)device_at(memory, a, 1u), 0);
    assert_int_equal(device_alloc(memory, 512u), c + 1280u + DEVICE_DISTANCE);
    assert_true(device_free(memory, b));
    assert_int_equal(device_alloc(memory, 512u), a + 512u + DEVICE_DISTANCE);
    device_memory_close(memory);
}

static void many_allocations_and_frees_never_overlap(void **state)
{
    enum { N = 200, ROUNDS = 5000 };
    struct device_memory *const memory = device_memory_open();
    uint64_t address[N] = { 0u };
    uint32_t bytes[N] = { 0u };
    uint32_t random = 1u;

    (void)state;
    for (uint32_t round = 0u; round < ROUNDS; round++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t i = (random >> 16u) % N;
        if (address[i] != 0u) {
            const uint8_t *const data = device_at(memory, address[i], bytes[i]);
            assert_non_null(data);
            for (uint32_t k = 0u; k < bytes[i]; k++) {
                assert_int_equal(data[k], i);
            }
            assert_true(device_free(memory, address[i]));
            address[i] = 0u;
        } else {
            bytes[i] = (random >> 8u) % 2000u + 1u;
            address[i] = device_alloc(memory, bytes[i]);
            memset(device_at(memory, address[i], bytes[i]), (int)i, bytes[i]);
        }
    }
    device_memory_close(memory);
}

static void there_is_an_end_of_memory(void **state)
{
    struct device_memory *const memory = device_memory_open();

    (void)state;
    assert_int_equal(device_alloc(memory, 0u), 0u);
    assert_int_equal(device_alloc(memory, DEVICE_LIMIT), 0u);
    assert_int_equal(device_alloc(memory, UINT64_MAX), 0u);
    device_memory_close(memory);
}

static void no_more_is_allocated_than_the_limit(void **state)
{
    struct device_memory *const memory = device_memory_open();

    (void)state;
    device_memory_limit(memory, 1000u);
    const uint64_t first = device_alloc(memory, 600u);
    assert_int_not_equal(first, 0u);
    assert_int_equal(device_alloc(memory, 401u), 0u);
    assert_int_not_equal(device_alloc(memory, 400u), 0u);
    assert_int_equal(device_alloc(memory, 1u), 0u);
    assert_true(device_free(memory, first));
    assert_int_not_equal(device_alloc(memory, 600u), 0u);
    device_memory_close(memory);
}

static void messages_name_the_nearest_allocation(void **state)
{
    struct device_memory *const memory = device_memory_open();
    char text[256];

    (void)state;
    device_describe(memory, 16u, text, sizeof text);
    assert_string_equal(text, "nothing is allocated");
    device_alloc(memory, 100u);
    device_describe(memory, DEVICE_BASE + 108u, text, sizeof text);
    assert_string_equal(text, "8 bytes past the end of the 100 allocated at 0x10000000");
    device_describe(memory, DEVICE_BASE - 4u, text, sizeof text);
    assert_string_equal(text, "4 bytes below the 100 allocated at 0x10000000");
    device_describe(memory, DEVICE_BASE + 98u, text, sizeof text);
    assert_string_equal(text, "byte 98 of the 100 allocated at 0x10000000, 2 before its end");
    device_memory_close(memory);
}

/* Where eight buffers of 1000 bytes lie with this jitter; steps from where they lie without. */
static void moved_by(const struct gpu_config *config, uint64_t steps[8])
{
    struct device_memory *const plain = device_memory_open();
    struct device_memory *const memory = device_memory_open();
    uint64_t before = 0u;

    device_memory_jitter(memory, config);
    for (uint32_t i = 0u; i < 8u; i++) {
        const uint64_t more = device_alloc(memory, 1000u) - device_alloc(plain, 1000u);
        assert_int_equal(more % 256u, 0u);
        steps[i] = (more - before) / 256u; /* of this one alone */
        before = more;
    }
    device_memory_close(plain);
    device_memory_close(memory);
}

static void jitter_moves_each_buffer_by_up_to_so_many_steps(void **state)
{
    struct gpu_config config = gpu_config_standard();
    bool seen[6] = { false };
    uint64_t steps[8], again[8];

    (void)state;
    config.jitter.address = 5u;
    moved_by(&config, steps);
    for (uint32_t i = 0u; i < 8u; i++) {
        assert_int_equal(steps[i], 0u); /* no seed */
    }
    for (uint32_t seed = 1u; seed <= 20u; seed++) {
        config.jitter.seed = seed;
        moved_by(&config, steps);
        moved_by(&config, again);
        assert_memory_equal(steps, again, sizeof steps);
        for (uint32_t i = 0u; i < 8u; i++) {
            assert_true(steps[i] <= 5u);
            seen[steps[i]] = true;
        }
    }
    for (uint32_t i = 0u; i < 6u; i++) {
        assert_true(seen[i]);
    }
}

static void a_freed_buffers_jitter_is_free_as_well(void **state)
{
    struct gpu_config config = gpu_config_standard();
    struct device_memory *const memory = device_memory_open();

    (void)state;
    config.jitter.seed = 1u;
    config.jitter.address = 0u;
    device_memory_jitter(memory, &config);
    const uint64_t first = device_alloc(memory, 1000u);
    config.jitter.address = 1000u;
    const uint64_t second = device_alloc(memory, 1000u);
    assert_true(second > first + 1024u + DEVICE_DISTANCE); /* it has moved */
    device_alloc(memory, 1u);
    assert_true(device_free(memory, second));
    config.jitter.address = 0u;
    assert_int_equal(device_alloc(memory, 1000u), first + 1024u + DEVICE_DISTANCE);
    device_memory_close(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_zeroed),
        cmocka_unit_test(nothing_lies_within_4_kib_of_an_allocation),
        cmocka_unit_test(only_what_was_asked_for_can_be_accessed),
        cmocka_unit_test(freed_memory_is_gone_and_used_again),
        cmocka_unit_test(many_allocations_and_frees_never_overlap),
        cmocka_unit_test(there_is_an_end_of_memory),
        cmocka_unit_test(no_more_is_allocated_than_the_limit),
        cmocka_unit_test(messages_name_the_nearest_allocation),
        cmocka_unit_test(jitter_moves_each_buffer_by_up_to_so_many_steps),
        cmocka_unit_test(a_freed_buffers_jitter_is_free_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
