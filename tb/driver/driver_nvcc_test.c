/* Tests of kernels that launch kernels, as nvcc compiles them (tb/driver/nvcc): ten programs,
 * without timing, with it, and with each mode of LaPerm. What each computes is computed here
 * again, from what CUDA promises. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/places.h"
#include "driver/driver.h"

enum { WORDS = 8192 };

/* How the programs are run. */
static const struct way {
    const char *name;
    bool timed, groups;
    enum bind_mode mode;
    uint32_t sms, kernels, entries, latency;
} ways[] = {
    { "without timing", false, false, BIND_OFF, 0u, 0u, 0u, 0u },
    { "on one SM, a kernel at a time", true, false, BIND_OFF, 1u, 1u, 1u, 0u },
    { "with latencies", true, false, BIND_OFF, 3u, 32u, 1u, 4000u },
    { "RR", true, false, BIND_RR, 3u, 32u, 128u, 0u },
    { "TB-Pri with groups", true, true, BIND_TB_PRI, 3u, 4u, 128u, 0u },
    { "SMX-Bind with an entry", true, false, BIND_SMX, 3u, 2u, 1u, 100u },
    { "Adaptive-Bind, groups with an entry", true, true, BIND_ADAPTIVE, 3u, 32u, 1u, 0u },
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static struct gpu_config config;
static struct gsp_context *context;
static struct gsp_module *module;
static gsp_pointer data;
static int32_t word[WORDS]; /* goes in before a run, and comes out after it */

static void open_way(const struct way *way, const char *file)
{
    char path[4096];
    config = gpu_config_standard();
    if (way->timed) {
        config.sm.count = way->sms;
        config.cluster.count = 1u;
        config.dispatch.kernels = way->kernels;
        config.laperm.mode = way->mode;
        config.laperm.entries = way->entries;
        config.cdp.groups = way->groups;
        config.cdp.launch_latency = config.cdp.group_latency = way->latency;
        config.cdp.lane_latency = config.cdp.group_lane_latency = way->latency / 10u;
    }
    const struct gsp_options options = { .config = way->timed ? &config : NULL };
    assert_int_equal(gsp_open(&context, &options), GSP_OK);
    (void)snprintf(path, sizeof path, "%.4000s/tb/driver/nvcc/%s.ptx", places_data(), file);
    if (gsp_module_load(context, path, &module) != GSP_OK) {
        fail_msg("%s", gsp_message(context));
    }
    assert_int_equal(gsp_malloc(context, &data, sizeof word), GSP_OK);
    memset(word, 0, sizeof word);
    print_message("%s\n", way->name);
}

#define EACH_WAY(way, file)                                                          \
    for (const struct way *way = ways; way < ways + WAYS; gsp_close(context), way++) \
        if (open_way(way, file), true)

static gsp_pointer word_at(size_t n)
{
    return data + n * sizeof word[0];
}

/* A kernel whose arguments are args, on the words. */
static void run(const char *kernel, uint32_t ctas, uint32_t threads, void **args)
{
    const struct gsp_launch launch = { .module = module,
                                       .kernel = kernel,
                                       .grid = { .x = ctas },
                                       .block = { .x = threads },
                                       .args = args };

    assert_int_equal(gsp_copy_in(context, data, word, sizeof word), GSP_OK);
    assert_int_equal(gsp_launch(context, &launch), GSP_OK);
    if (gsp_copy_out(context, word, data, sizeof word) != GSP_OK) {
        fail_msg("%s: %s", kernel, gsp_message(context));
    }
}

static void run_with(const char *kernel, uint32_t ctas, uint32_t threads, int32_t argument)
{
    run(kernel, ctas, threads, (void *[]){ &data, &argument });
}

/* The first words are these, and no other has been written. */
static void words_are(const int32_t *expected, size_t n)
{
    for (size_t i = 0u; i < WORDS; i++) {
        const int32_t right = i < n ? expected[i] : 0;
        if (word[i] != right) {
            fail_msg("word %zu is %d, not %d", i, word[i], right);
        }
    }
}

/* ---- Levels -------------------------------------------------------------------------- */

static void each_cell_of_two_levels_is_written_once(void **state)
{
    int32_t expected[6 * 6 * 8] = { 0 };

    (void)state;
    for (int32_t at = 0; at < 36; at++) {
        for (int32_t i = 0; at % 6 <= at / 6 && i < 8; i++) {
            expected[8 * at + i] = 100 * at + i;
        }
    }
    EACH_WAY(way, "launches")
    {
        run("triangle", 2u, 3u, (void *[]){ &data });
        words_are(expected, 6u * 6u * 8u);
    }
}

static void recursion_comes_to_each_word_and_ends_at_a_depth(void **state)
{
    int32_t expected[45], zero = 0, n = 45;
    int32_t left = 0;

    (void)state;
    for (int32_t i = 0; i < n; i++) {
        expected[i] = 3 * i + 1;
    }
    for (int32_t i = 300; i >= 0; i--) {
        left = (2 * left + i) % 65521;
    }
    EACH_WAY(way, "launches")
    {
        run("halve", 1u, 1u, (void *[]){ &data, &zero, &n });
        words_are(expected, 45u);
        memset(word, 0, sizeof word);
        run_with("dig", 1u, 1u, 0); /* levels 0 to 24 */
        words_are((const int32_t[]){ 65, 24, 25 }, 3u);
        memset(word, 0, sizeof word);
        run_with("onward", 1u, 1u, 300);
        words_are(&left, 1u);
    }
}

/* ---- Order --------------------------------------------------------------------------- */

static void what_is_fired_and_forgotten_is_done_before_the_tail(void **state)
{
    int32_t expected[32] = { 0 };

    (void)state;
    for (int32_t i = 0; i < 40 * 32; i++) {
        const int32_t thread = i / 32, lane = i % 32;
        expected[(7 * thread + lane) % 16] += thread * lane + 1;
    }
    memcpy(&expected[16], expected, 16u * sizeof expected[0]);
    EACH_WAY(way, "launches")
    {
        run("scatter", 1u, 40u, (void *[]){ &data });
        words_are(expected, 32u);
    }
}

/* More launches than may be pending: each is done once or refused. */
static void none_of_a_flood_is_lost(void **state)
{
    (void)state;
    EACH_WAY(way, "launches")
    {
        const gsp_pointer error = word_at(4096u);
        uint32_t ran = 0u;
        run("flood", 48u, 64u, (void *[]){ &data, (void *)(uintptr_t)&error });
        for (uint32_t i = 0u; i < 3072u; i++) {
            assert_int_equal(word[4096u + i], word[i] == 1 ? 0 : 69);
            assert_in_range(word[i], 0, 1);
            ran += (uint32_t)word[i];
        }
        assert_in_range(ran, 2048u, 3072u);
    }
}

static int32_t family(int32_t x, int32_t multiply)
{
    x *= multiply;           /* itself, */
    x = 2 * x + multiply;    /* its child, */
    return x * multiply + 5; /* and its tail launch */
}

static void tail_launches_come_last_and_in_their_order(void **state)
{
    int32_t expected[32];

    (void)state;
    for (int32_t i = 0; i < 32; i++) {
        expected[i] = family(family(50 + i, -2) + 9, 3) * 7 + 1;
    }
    EACH_WAY(way, "launches")
    {
        for (int32_t i = 0; i < 32; i++) {
            word[i] = 50;
        }
        run("order", 1u, 32u, (void *[]){ &data });
        words_are(expected, 32u);
    }
}

static void streams_are_in_order_and_wait_for_events(void **state)
{
    int32_t own[6], both[4] = { 2, 3, 0, 0 };

    (void)state;
    for (int32_t cta = 0; cta < 6; cta++) {
        own[cta] = cta + 1;
        for (int32_t i = 1; i <= 5; i++) {
            own[cta] = 4 * own[cta] + i * cta - 3;
        }
    }
    for (int32_t i = 0; i < 4; i++) {
        both[0] = 3 * both[0] + i;
    }
    both[1] = 6 * both[1] + 1;
    both[2] = 1000 * both[0] + both[1];
    EACH_WAY(way, "launches")
    {
        memcpy(word, (const int32_t[]){ 1, 2, 3, 4, 5, 6 }, 6u * sizeof word[0]);
        run("own_stream", 6u, 32u, (void *[]){ &data });
        words_are(own, 6u);
        memset(word, 0, sizeof word);
        memcpy(word, (const int32_t[]){ 2, 3, 0, -1 }, 4u * sizeof word[0]);
        run("two_streams", 1u, 1u, (void *[]){ &data });
        words_are(both, 4u);
    }
}

static void a_kernel_waits_for_what_it_has_launched(void **state)
{
    int32_t expected[3 * 64] = { 0 };

    (void)state;
    for (int32_t cta = 0; cta < 3; cta++) {
        int32_t sum[2] = { 0, 0 };
        for (int32_t i = 0; i < 16; i++) {
            sum[0] += 100 * (cta + 1) + i * i;
            sum[1] += i * i - 7;
            expected[64 * cta + i] = i * i - 7;
        }
        expected[64 * cta + 16] = sum[1];
        for (int32_t i = 0; i < 32; i++) {
            expected[64 * cta + 17 + i] = 1000 * sum[0] + sum[1] + 3 * i + cta;
        }
    }
    EACH_WAY(way, "waits")
    {
        run("twice", 3u, 32u, (void *[]){ &data });
        words_are(expected, 3u * 64u);
    }
}

/* ---- Launches ------------------------------------------------------------------------ */

static void parameters_of_every_kind_arrive(void **state)
{
    const struct pebble {
        char letter;
        double weight;
        int16_t at[3];
    } pebble = { 'd', 6.125, { -3, 400, 77 } };
    struct shelf {
        int32_t place[11];
    } shelf;
    int64_t got[125], expected[125];

    (void)state;
    for (int32_t i = 0; i < 11; i++) {
        shelf.place[i] = 1 << i;
    }
    for (int32_t i = 0; i < 5; i++) {
        int64_t *const of = &expected[25 * i];
        for (int32_t k = 0; k < 11; k++) {
            of[k] = shelf.place[k] + (k == 2 * i ? 3000 : 0);
        }
        for (int32_t k = 0; k < 4; k++) {
            of[11 + k] = (const int32_t[]){ 1, -6, 11, 16 }[k] + (k == i % 4 ? 64 : 0);
        }
        const int64_t rest[] = { -3, 400, -i, (250 + i) % 256, -9 * i, 'd' + i, 49, i % 2, i };
        memcpy(&of[15], rest, sizeof rest);
        of[24] = (INT64_C(1) << 41) - i;
    }
    EACH_WAY(way, "launches")
    {
        run("pack", 1u, 5u, (void *[]){ &data, (void *)(uintptr_t)&pebble, &shelf });
        memcpy(got, word, sizeof got);
        for (uint32_t i = 0u; i < 125u; i++) {
            assert_int_equal(got[i], expected[i]);
        }
    }
}

/* What the children of a lane add to its word, for the number that it has in a round. */
static int32_t apart(int32_t n)
{
    const int32_t threads = n % 7 + 2;
    int32_t sum = 0;
    switch (n % 4) {
    case 0: /* n, of each CTA's two threads */
        return (n % 5 + 1) * 2 * n;
    case 1:
        for (int32_t i = 0; i < 24; i++) { /* x, y and z of a block, and CTA */
            sum += 1000 * (i / 12 + 1) + 10 * (i / 2 % 3) + i / 6 % 2;
        }
        return sum;
    case 2:
        for (int32_t t = 0; t < threads; t++) {
            sum += t * t * (threads - t);
        }
        return sum;
    default:
        return -n;
    }
}

static void lanes_that_have_parted_launch_each_its_own(void **state)
{
    int32_t expected[96] = { 0 };

    (void)state;
    for (int32_t i = 0; i < 96; i++) {
        for (int32_t n = i; n > 0; n /= 3) {
            expected[i] += apart(n);
        }
    }
    EACH_WAY(way, "launches")
    {
        run("apart", 2u, 48u, (void *[]){ &data });
        words_are(expected, 96u);
    }
}

static void what_can_never_fit_is_refused_and_the_next_launch_is_not(void **state)
{
    static const int32_t expected[] = { 0, 9, 9, 0, 9, 9, 9, 1, 0 };

    (void)state;
    EACH_WAY(way, "launches")
    {
        word[8] = -1;
        run_with("too_large", 1u, 1u, 1 << 20);
        words_are(expected, 9u);
    }
}

/* ---- Breadth-first search ------------------------------------------------------------ */

enum { VERTICES = 150, EDGES = 1000 };

/* Every 15th vertex has 30 edges, and the others 3; some are not reached. */
static void make_graph(int32_t from[VERTICES + 1], int32_t to[EDGES])
{
    uint32_t random = 7u;

    from[0] = 0;
    for (int32_t v = 0; v < VERTICES; v++) {
        from[v + 1] = from[v] + (v % 15 == 0 ? 30 : 3);
        for (int32_t e = from[v]; e < from[v + 1]; e++) {
            random = random * 1664525u + 1013904223u;
            to[e] = (int32_t)((random >> 16) % (VERTICES - 20u));
        }
    }
}

/* By a queue; gives the number of vertices of many edges that are reached. */
static int32_t search(const int32_t *from, const int32_t *to, int32_t *distance)
{
    int32_t queue[VERTICES], n = 1, many = 0;

    for (int32_t v = 0; v < VERTICES; v++) {
        distance[v] = -1;
    }
    queue[0] = 1;
    distance[1] = 0;
    for (int32_t k = 0; k < n; k++) {
        const int32_t v = queue[k];
        many += from[v + 1] - from[v] > 8;
        for (int32_t e = from[v]; e < from[v + 1]; e++) {
            if (distance[to[e]] < 0) {
                distance[to[e]] = distance[v] + 1;
                queue[n++] = to[e];
            }
        }
    }
    return many;
}

static void a_search_finds_every_distance(void **state)
{
    static int32_t from[VERTICES + 1], to[EDGES], distance[VERTICES + 1];
    int32_t vertices = VERTICES, level = 0;

    (void)state;
    make_graph(from, to);
    distance[VERTICES] = search(from, to, distance);
    assert_in_range(distance[VERTICES], 1, VERTICES);
    EACH_WAY(way, "launches")
    {
        const gsp_pointer lists[] = { word_at(1024u), word_at(2048u) };
        for (uint32_t v = 0u; v < VERTICES; v++) {
            word[v] = v == 1u ? 0 : -1;
        }
        memcpy(&word[1024], from, sizeof from);
        memcpy(&word[2048], to, sizeof to);
        run("deepen", 1u, 1u,
            (void *[]){ (void *)(uintptr_t)&lists[0], (void *)(uintptr_t)&lists[1], &data,
                        &vertices, &level });
        assert_memory_equal(word, distance, sizeof distance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_of_two_levels_is_written_once),
        cmocka_unit_test(recursion_comes_to_each_word_and_ends_at_a_depth),
        cmocka_unit_test(what_is_fired_and_forgotten_is_done_before_the_tail),
        cmocka_unit_test(none_of_a_flood_is_lost),
        cmocka_unit_test(tail_launches_come_last_and_in_their_order),
        cmocka_unit_test(streams_are_in_order_and_wait_for_events),
        cmocka_unit_test(a_kernel_waits_for_what_it_has_launched),
        cmocka_unit_test(parameters_of_every_kind_arrive),
        cmocka_unit_test(lanes_that_have_parted_launch_each_its_own),
        cmocka_unit_test(what_can_never_fit_is_refused_and_the_next_launch_is_not),
        cmocka_unit_test(a_search_finds_every_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
