/*
 * l2.write_fetch: a write of what is not in the L2 goes on to DRAM, its line is read, and it is
 * answered when that comes.
 */

#include "gpu_listed.h"
#include "gpu_way.h"
#include "tb/gpu/gpu_random.h"

enum { LEAST_SETS = 8, MOST_SETS = 10, MOST_WAYS = 8 };

static struct gpu_config fetch_config(bool fetch)
{
    struct gpu_config c = small_config();
    c.l1.bytes = 0u;
    c.l2.write_fetch = fetch;
    c.noc.write_acks = true;
    return c;
}

static struct program text;

static void store(void)
{
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
}
static void load(uint32_t to)
{
    (void)emit(&text, OP_LOAD, (uint8_t)to, REGISTER_NONE, 1u);
}
static void fence(void)
{
    (void)emit(&text, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
}

/* ---- One after the other, as a list a set says ---------------------------------------- */

struct place {
    uint32_t line;        /* + 1; 0: empty */
    uint32_t have, dirty; /* quarters */
};
static struct {
    bool fetch;
    uint32_t sets, ways, sector, atom;        /* quarters of a sector, and of an atom */
    struct place place[MOST_SETS][MOST_WAYS]; /* the line used last first */
    uint64_t hit, miss, write, on, fetched, back, quarters;
} model;

static uint64_t moved(uint32_t quarters)
{
    const uint32_t n = (uint32_t)__builtin_popcount(quarters);
    model.quarters += n;
    return n != 0u ? 1u : 0u;
}

/* The line comes to the front of its set, and the oldest leaves, if it was not there. */
static struct place *front(uint32_t line)
{
    struct place *const set = model.place[line % model.sets];
    uint32_t way = 0u;
    while (way + 1u < model.ways && set[way].line != line + 1u) {
        way++;
    }
    struct place p = set[way];
    if (p.line != line + 1u) {
        model.back += moved(p.dirty);
        p = (struct place){ .line = line + 1u };
    }
    memmove(&set[1], &set[0], way * sizeof p);
    set[0] = p;
    return &set[0];
}

static void model_load(uint32_t line, uint32_t quarters)
{
    struct place *const p = front(line);
    const uint32_t lacks = whole(quarters, model.sector) & ~p->have;
    model.hit += lacks == 0u ? 1u : 0u;
    model.miss += moved(lacks);
    p->have |= lacks;
}

static void model_store(uint32_t line, uint32_t quarters)
{
    struct place *const p = front(line);
    const uint32_t writes = whole(quarters, model.sector), lacks = writes & ~p->have;
    model.write++;
    if (lacks != 0u && model.fetch) {
        /* A line without sectors moves in no less than atoms of what is written. */
        model.on += moved(whole(model.sector == 4u ? quarters : writes, model.atom));
        model.fetched += moved(lacks);
    } else {
        p->dirty |= writes;
    }
    p->have |= writes;
}

static void choose(uint64_t *random)
{
    text = (struct program){ .length = 0u };
    const uint32_t span = model.sets * (model.ways + 3u);
    for (uint32_t i = 0u; i < LISTED; i++) {
        lines[i] = random_below(random, span);
        touched[i] = one_in(random, 2u) ? 15u : some(random, 15u);
        if (one_in(random, 2u)) {
            model_load(lines[i], touched[i]);
            load(R);
        } else {
            model_store(lines[i], touched[i]);
            store();
        }
        fence();
    }
}

static void what_goes_to_dram_and_comes_from_it_is_what_a_list_says(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 120u; n++) {
        memset(&model, 0, sizeof model);
        struct gpu_config c = fetch_config(n % 4u != 0u);
        model.fetch = c.l2.write_fetch;
        model.sets = LEAST_SETS + random_below(&random, MOST_SETS - LEAST_SETS + 1u);
        model.ways = some(&random, MOST_WAYS);
        model.sector = 1u << random_below(&random, 3u);
        c.l2.ways = model.ways;
        c.l2.bytes = model.sets * model.ways * c.l2.line;
        model.atom = model.sector == 4u ? 1u << random_below(&random, 3u) : model.sector;
        c.l2.sector = model.sector == 4u ? 0u : model.sector * c.l2.line / 4u;
        c.dram.atom = model.atom * c.l2.line / 4u;
        choose(&random);
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.l2.hit, model.hit);
        assert_int_equal(o.l2.miss, model.miss);
        assert_int_equal(o.l2.merge, 0u);
        assert_int_equal(o.l2.write, model.write);
        assert_int_equal(o.l2.write_miss, model.on);
        assert_int_equal(o.l2.fetch, model.fetched);
        assert_int_equal(o.l2.writeback, model.back);
        assert_int_equal(o.dram.read, model.miss + model.fetched);
        assert_int_equal(o.dram.write, model.on + model.back);
        assert_int_equal(o.dram.bytes, model.quarters * c.l2.line / 4u);
        assert_true(model.back != 0u && (model.fetched != 0u) == model.fetch);
    }
}

/* ---- Others that ask for the line ------------------------------------------------------ */

static void who_comes_while_the_line_is_read_waits_for_it(void **state)
{
    (void)state;
    for (uint32_t stores = 1u; stores <= 4u; stores++) {
        for (uint32_t loads = 0u; loads <= 3u; loads++) {
            const struct gpu_config c = fetch_config(true);
            text = (struct program){ .length = 0u };
            for (uint32_t i = 0u; i < stores + loads; i++) {
                lines[i] = 0u;
                touched[i] = 15u;
                i < stores ? store() : load(R + i);
            }
            const struct outcome o = run_listed(&c, &text);
            assert_int_equal(o.l2.write_miss, stores);
            assert_int_equal(o.l2.fetch, 1u);
            /* The SM's loads join each other. */
            assert_int_equal(o.l2.merge, loads != 0u ? 1u : 0u);
            assert_int_equal(o.l2.hit + o.l2.miss, 0u);
            assert_int_equal(o.dram.write, stores);
            assert_int_equal(o.dram.read, 1u);
        }
    }
}

/* A waiter more than an MSHR takes waits at the head, and finds the line there. */
static void an_mshr_takes_so_many_of_them(void **state)
{
    (void)state;
    for (uint32_t merges = 1u; merges <= 4u; merges++) {
        struct gpu_config c = fetch_config(true);
        c.l2.merges = merges;
        text = (struct program){ .length = 0u };
        for (uint32_t i = 0u; i < 5u; i++) {
            lines[i] = 0u;
            touched[i] = 15u;
            store();
        }
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.l2.write, 5u);
        assert_int_equal(o.l2.write_miss, merges);
        assert_int_equal(o.dram.write, merges);
        assert_true(o.l2.full_merge > c.dram.tRCD);
    }
}

/* In a short queue of DRAM there may be no room for the write, its read or what is written
 * back.
 */
static void they_wait_for_room_in_the_queue_of_dram(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u), full = 0u;
    for (uint32_t n = 0u; n < 120u; n++) {
        struct gpu_config c = fetch_config(true);
        c.l2.bytes = 1024u; /* one set of 8 ways */
        c.dram.queue = 3u + n % 4u;
        if (n % 3u == 0u) {
            c.dram.queue = 2u;
            c.dram.write_queue = 2u + n % 2u;
            c.dram.write_high = c.dram.write_low = 1u;
        }
        text = (struct program){ .length = 0u };
        uint64_t stores = 0u;
        for (uint32_t i = 0u; i < 200u; i++) {
            lines[i] = random_below(&random, 20u);
            touched[i] = some(&random, 15u);
            const bool write = !one_in(&random, 4u);
            stores += write ? 1u : 0u;
            write ? store() : load(R + i % 40u);
        }
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.l2.write, stores);
        assert_int_equal(o.dram.write, o.l2.write_miss + o.l2.writeback);
        assert_int_equal(o.dram.read, o.l2.miss + o.l2.fetch);
        full += o.l2.full_dram;
    }
    assert_true(full > 1000u);
}

/* ---- How long -------------------------------------------------------------------------- */

/* The line is read behind the write, whose burst the bus carries first. */
static void the_answer_comes_with_the_line(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 60u; n++) {
        struct gpu_config c = fetch_config(true);
        c.noc.latency = some(&random, 30u);
        c.noc.channel_bytes = 16u << random_below(&random, 4u);
        c.l2.latency = some(&random, 200u);
        c.dram.latency = some(&random, 100u);
        text = (struct program){ .length = 0u };
        lines[0] = 0u;
        touched[0] = some(&random, 15u);
        store();
        way_begin(&c);
        const uint32_t bytes = (uint32_t)__builtin_popcount(touched[0]) * c.l2.line / 4u;
        const uint32_t burst = c.l2.line / (c.dram.bus_bytes * c.dram.data_rate);
        assert_int_equal(run_listed(&c, &text).cycles,
                         way_answered(&c, way_start(&c) + 1u, ROW_CLOSED, bytes, 0u) + burst);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_to_dram_and_comes_from_it_is_what_a_list_says),
        cmocka_unit_test(who_comes_while_the_line_is_read_waits_for_it),
        cmocka_unit_test(an_mshr_takes_so_many_of_them),
        cmocka_unit_test(they_wait_for_room_in_the_queue_of_dram),
        cmocka_unit_test(the_answer_comes_with_the_line),
    };
    return cmocka_run_group_tests_name("gpu_write", tests, NULL, NULL);
}
