/*
 * Tests of what the caches of the GPU model keep: random chases hit exactly where a list of
 * lines in the order of their last use says, for each cache and many shapes.
 */

#include "gpu_random.h"

/* ---- True LRU, as a list a set ------------------------------------------------------- */

enum { MOST_SETS = 64, MOST_WAYS = 16, LOADS = 400 };

struct lists {
    uint32_t sets, ways;
    uint32_t line[MOST_SETS][MOST_WAYS]; /* + 1; the last used first */
};

/* Uses a line; true if it was there. */
static bool use(struct lists *l, uint32_t line)
{
    uint32_t *const set = l->line[line % l->sets];
    uint32_t way = 0u;
    while (way + 1u < l->ways && set[way] != line + 1u) {
        way++;
    }
    const bool hit = set[way] == line + 1u;
    memmove(&set[1], &set[0], way * sizeof *set);
    set[0] = line + 1u;
    return hit;
}

/* ---- Chases -------------------------------------------------------------------------- */

static uint32_t lines[LOADS];

static uint32_t listed(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)cta;
    (void)warp;
    return ACCESS(lines[i], 15u);
}

/* Loads of random lines, one after the other. */
static struct outcome random_chase(const struct gpu_config *c, enum op_class op)
{
    static struct program text;
    text = (struct program){ .length = 0u };
    emit_chain(&text, op, LOADS, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = listed;
    return run_alone(c, &k);
}

/* Chooses a cache's shape and the lines; returns the hits that there are. */
static uint32_t choose(uint64_t *random, uint32_t line, uint32_t least, uint32_t *bytes,
                       uint32_t *ways)
{
    static struct lists l;
    uint32_t hits = 0u;
    do {
        l = (struct lists){ some(random, MOST_SETS), some(random, MOST_WAYS), { { 0u } } };
        *ways = l.ways;
        *bytes = l.sets * l.ways * line;
    } while (*bytes < least);
    const uint32_t span = 2u + random_below(random, 2u * l.sets * l.ways);
    for (uint32_t i = 0u; i < LOADS; i++) {
        lines[i] = random_below(random, span);
        hits += use(&l, lines[i]) ? 1u : 0u;
    }
    return hits;
}

static void the_caches_of_an_sm_keep_the_lines_used_last(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    uint64_t all = 0u;
    for (uint32_t n = 0u; n < 120u; n++) {
        struct gpu_config c = small_config();
        uint64_t hits, got;
        if (n % 3u == 0u) {
            hits = choose(&random, c.l1.line, 0u, &c.l1.bytes, &c.l1.ways);
            got = random_chase(&c, OP_LOAD).sm.l1_hit;
        } else if (n % 3u == 1u) {
            hits = choose(&random, c.constant.line, 0u, &c.constant.bytes, &c.constant.ways);
            got = random_chase(&c, OP_CONSTANT).sm.constant_hit;
        } else {
            hits = choose(&random, c.texture.line, 0u, &c.texture.bytes, &c.texture.ways);
            got = random_chase(&c, OP_TEXTURE).sm.texture_hit;
        }
        assert_int_equal(got, hits);
        all += hits;
    }
    assert_in_range(all, 120u * LOADS / 4u, 120u * LOADS * 3u / 4u);
}

static void the_l2_keeps_the_lines_used_last(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 60u; n++) {
        struct gpu_config c = small_config();
        c.l1.bytes = 0u;
        const uint64_t hits = choose(&random, c.l2.line, 1024u, &c.l2.bytes, &c.l2.ways);
        const struct outcome o = random_chase(&c, OP_LOAD);
        assert_int_equal(o.sm.l1_hit, 0u);
        assert_int_equal(o.l2.hit, hits);
        assert_int_equal(o.dram.read, LOADS - hits);
        assert_int_equal(o.dram.write, 0u);
    }
}

/* A write miss allocates, and a dirty line goes to DRAM when its place is needed. */
static void the_l2_writes_a_line_back_when_it_is_evicted(void **state)
{
    (void)state;
    static struct program text;
    struct gpu_config c = small_config();
    c.l1.bytes = 0u;
    c.l2.bytes = 1024u; /* one set of 8 ways */
    for (uint32_t stores = 1u; stores <= 40u; stores++) {
        text = (struct program){ .length = 0u };
        for (uint32_t i = 0u; i < stores; i++) {
            lines[i] = i;
            (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
        }
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 1u, 1u);
        k.access = listed;
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.dram.read, 0u);
        assert_int_equal(o.l2.write, stores);
        assert_int_equal(o.l2.writeback, stores > 8u ? stores - 8u : 0u);
        assert_int_equal(o.dram.write, o.l2.writeback);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caches_of_an_sm_keep_the_lines_used_last),
        cmocka_unit_test(the_l2_keeps_the_lines_used_last),
        cmocka_unit_test(the_l2_writes_a_line_back_when_it_is_evicted),
    };
    return cmocka_run_group_tests_name("gpu_cache", tests, NULL, NULL);
}
