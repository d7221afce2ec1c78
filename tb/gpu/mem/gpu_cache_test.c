/*
 * Tests of what the caches of the GPU model keep: random chases hit exactly where a list of
 * lines in the order of their last use says, for each cache and many shapes.
 */

#include "gpu_listed.h"
#include "tb/gpu/gpu_random.h"

/* ---- True LRU, as a list a set ------------------------------------------------------- */

enum { MOST_SETS = 64, MOST_WAYS = 16, LOADS = LISTED };

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

/* Loads of random lines, one after the other. */
static struct outcome random_chase(const struct gpu_config *c, enum op_class op)
{
    static struct program text;
    text = (struct program){ .length = 0u };
    emit_chain(&text, op, LOADS, 1u);
    return run_listed(c, &text);
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
        touched[i] = 15u;
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

/* ---- Sectors ------------------------------------------------------------------------- */

/* Loads of random quarters of 64 lines, which stay, one after the other: each quarter crosses
 * the network once, with its sector, and comes from DRAM once, with its atom. */
static void only_the_sectors_that_are_touched_move(void **state)
{
    (void)state;
    static struct program text;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 27u; n++) {
        const uint32_t sector = 1u << n % 3u, atom = 1u << n / 3u % 3u;
        const enum op_class op = n < 18u ? OP_LOAD : OP_TEXTURE;
        struct gpu_config c = small_config();
        uint32_t l1[64] = { 0u }, l2[64] = { 0u };
        uint64_t moved = 0u, read = 0u, misses = 0u, answers = 0u;
        c.l1.bytes = c.texture.bytes = 64u * c.l1.line * 24u;
        c.l2.sector = sector * c.l2.line / 4u;
        c.dram.atom = atom * c.l2.line / 4u;
        for (uint32_t i = 0u; i < LOADS; i++) {
            const uint32_t line = lines[i] = random_below(&random, 64u);
            touched[i] = some(&random, 15u);
            const uint32_t missing = whole(touched[i], sector) & ~l1[line];
            const uint32_t fetched = whole(missing & ~l2[line], atom > sector ? atom : sector);
            l1[line] |= missing;
            l2[line] |= fetched;
            answers += missing != 0u ? 1u : 0u;
            misses += fetched != 0u ? 1u : 0u;
            moved += (uint64_t)__builtin_popcount(missing) * c.l2.line / 4u;
            read += (uint64_t)__builtin_popcount(fetched) * c.l2.line / 4u;
        }
        text = (struct program){ .length = 0u };
        emit_chain(&text, op, LOADS, 1u);
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 1u, 1u);
        k.access = listed;
        struct gpu *const g = open_gpu(&c, NULL, 0u);
        launch(g, &k, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        assert_int_equal(op == OP_LOAD ? s->sm[0].l1_miss : s->sm[0].texture_miss, answers);
        assert_int_equal(s->noc[1].bytes, answers * c.noc.header_bytes + moved);
        assert_int_equal(s->dram[0].read, misses);
        assert_int_equal(s->dram[0].bytes, read);
        gpu_close(g);
    }
}

/* ---- Stores in the L1 ---------------------------------------------------------------- */

struct place {
    uint32_t line; /* + 1; 0: empty */
    uint32_t have; /* quarters */
};
/* A set of the L1, the line used last first. */
struct l1_set {
    uint32_t ways;
    struct place place[MOST_WAYS];
};

/* Takes a line out of its set; the others move up. */
static struct place taken(struct l1_set *s, uint32_t line)
{
    uint32_t way = 0u;
    while (way < s->ways && s->place[way].line != line + 1u) {
        way++;
    }
    if (way == s->ways) {
        return (struct place){ 0u, 0u };
    }
    const struct place found = s->place[way];
    memmove(&s->place[way], &s->place[way + 1u], (s->ways - way - 1u) * sizeof found);
    s->place[s->ways - 1u] = (struct place){ 0u, 0u };
    return found;
}
static void put_first(struct l1_set *s, uint32_t line, uint32_t have)
{
    memmove(&s->place[1], &s->place[0], (s->ways - 1u) * sizeof s->place[0]);
    s->place[0] = (struct place){ line + 1u, have };
}

/* A load; true if it hits. */
static bool l1_load(struct l1_set *s, uint32_t line, uint32_t quarters, uint32_t sector)
{
    const uint32_t wanted = whole(quarters, sector);
    const struct place there = taken(s, line);
    put_first(s, line, there.have | wanted);
    return (wanted & ~there.have) == 0u;
}
/* A store. What it writes is known to the L1 where it writes whole sectors. */
static void l1_store(struct l1_set *s, uint32_t line, uint32_t quarters, uint32_t sector,
                     enum write_policy policy)
{
    const uint32_t written = 15u & ~whole(15u & ~quarters, sector);
    const struct place there = taken(s, line);
    if (policy == WRITE_EVICT) {
        return;
    }
    const uint32_t kept = policy == WRITE_ALLOCATE ? there.have | written : there.have;
    if (kept != 0u) {
        put_first(s, line, kept);
    }
}

/* Loads and stores of random quarters, one after the other. Returns the loads that hit. */
static uint64_t emit_mixture(struct program *text, uint64_t *random, struct l1_set *set,
                             uint32_t sector, enum write_policy policy)
{
    uint64_t hits = 0u;
    *text = (struct program){ .length = 0u };
    for (uint32_t i = 0u; i < LOADS; i++) {
        lines[i] = random_below(random, 2u * set->ways + 1u);
        touched[i] = some(random, 3u) == 1u ? 15u : some(random, 15u);
        if (random_below(random, 2u) != 0u) {
            hits += l1_load(set, lines[i], touched[i], sector) ? 1u : 0u;
            (void)emit(text, OP_LOAD, R, R, 1u);
        } else {
            l1_store(set, lines[i], touched[i], sector, policy);
            (void)emit(text, OP_STORE, REGISTER_NONE, R, 1u);
        }
    }
    return hits;
}

static void the_l1_keeps_of_stores_what_its_policy_says(void **state)
{
    (void)state;
    static struct program text;
    uint64_t random = printed_number("SEED", 1u), all[3] = { 0u };
    for (uint32_t n = 0u; n < 120u; n++) {
        const uint32_t sector = n % 4u == 3u ? 4u : 1u << n % 4u;
        struct gpu_config c = small_config();
        struct l1_set set = { .ways = some(&random, MOST_WAYS) };
        c.l1.write = (enum write_policy)(n / 4u % 3u);
        c.l1.ways = set.ways;
        c.l1.bytes = set.ways * c.l1.line;
        c.l2.sector = n % 4u == 3u ? 0u : sector * c.l2.line / 4u;
        const uint64_t hits = emit_mixture(&text, &random, &set, sector, c.l1.write);
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.sm.l1_hit, hits);
        assert_int_equal(o.l2.write, o.sm.l1_write);
        assert_int_equal(o.sm.l1_hit + o.sm.l1_miss + o.sm.l1_write, LOADS);
        all[c.l1.write] += hits;
    }
    assert_true(0u < all[WRITE_EVICT] && all[WRITE_EVICT] < all[WRITE_THROUGH]
                && all[WRITE_THROUGH] < all[WRITE_ALLOCATE]);
}

/* ---- The L2 --------------------------------------------------------------------------- */

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

/* A write miss allocates, and what is dirty of a line goes to DRAM when its place is needed:
 * all of it, or with sectors those that were written, in whole atoms. */
static void the_l2_writes_back_what_is_dirty_when_a_line_is_evicted(void **state)
{
    (void)state;
    static struct program text;
    for (uint32_t n = 0u; n < 160u; n++) {
        const uint32_t stores = 1u + n % 40u, sector = n / 40u == 3u ? 4u : 1u << n / 40u;
        struct gpu_config c = small_config();
        uint64_t bytes = 0u;
        c.l1.bytes = 0u;
        c.l2.bytes = 1024u; /* one set of 8 ways */
        c.l2.sector = n / 40u == 3u ? 0u : sector * c.l2.line / 4u;
        c.dram.atom = c.l2.sector;
        text = (struct program){ .length = 0u };
        for (uint32_t i = 0u; i < stores; i++) {
            lines[i] = i;
            touched[i] = 1u + i % 15u;
            const uint32_t dirty = (uint32_t)__builtin_popcount(whole(touched[i], sector));
            bytes += i + 8u < stores ? dirty * c.l2.line / 4u : 0u;
            (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
        }
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.dram.read, 0u);
        assert_int_equal(o.l2.write, stores);
        assert_int_equal(o.l2.writeback, stores > 8u ? stores - 8u : 0u);
        assert_int_equal(o.dram.write, o.l2.writeback);
        assert_int_equal(o.dram.bytes, bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caches_of_an_sm_keep_the_lines_used_last),
        cmocka_unit_test(only_the_sectors_that_are_touched_move),
        cmocka_unit_test(the_l1_keeps_of_stores_what_its_policy_says),
        cmocka_unit_test(the_l2_keeps_the_lines_used_last),
        cmocka_unit_test(the_l2_writes_back_what_is_dirty_when_a_line_is_evicted),
    };
    return cmocka_run_group_tests_name("gpu_cache", tests, NULL, NULL);
}
