/*
 * l1.local_back: what is written to local memory stays in the L1 if its line is there, and goes
 * to the L2 when another line needs its place.
 */

#include "gpu_listed.h"
#include "tb/gpu/gpu_random.h"

enum { MOST_SETS = 4, MOST_WAYS = 8 };

static struct gpu_config local_config(uint32_t sets, uint32_t ways)
{
    struct gpu_config c = small_config();
    c.l1.local_back = true;
    c.l1.write = WRITE_EVICT;
    c.l1.ways = ways;
    c.l1.bytes = sets * ways * c.l1.line;
    return c;
}

static struct program text;

/* ---- One after the other, as a list a set says ---------------------------------------- */

struct place {
    uint32_t line; /* + 1; 0: empty */
    uint32_t have; /* quarters */
    bool written;
};
static struct {
    uint32_t sets, ways, sector;              /* quarters of a sector */
    struct place place[MOST_SETS][MOST_WAYS]; /* the line used last first */
    uint64_t hit, stay, pass, back;
} model;

/* Takes out what is in this way: those after it move up. */
static struct place take(struct place *set, uint32_t way)
{
    const struct place p = set[way];
    memmove(&set[way], &set[way + 1u], (model.ways - way - 1u) * sizeof p);
    set[model.ways - 1u] = (struct place){ 0u, 0u, false };
    return p;
}
static void put_first(struct place *set, struct place p)
{
    memmove(&set[1], &set[0], (model.ways - 1u) * sizeof p);
    set[0] = p;
}
static uint32_t find(const struct place *set, uint32_t line)
{
    uint32_t way = 0u;
    while (way < model.ways && set[way].line != line + 1u) {
        way++;
    }
    return way;
}

static void model_load(uint32_t line, uint32_t quarters)
{
    struct place *const set = model.place[line % model.sets];
    const uint32_t way = find(set, line), wanted = whole(quarters, model.sector);
    if (way < model.ways) {
        struct place p = take(set, way);
        model.hit += (wanted & ~p.have) == 0u ? 1u : 0u;
        p.have |= wanted;
        put_first(set, p);
        return;
    }
    if (set[model.ways - 1u].written) {
        model.back++;
        (void)take(set, model.ways - 1u);
    }
    /* The oldest leaves: it has not been written. */
    (void)take(set, model.ways - 1u);
    put_first(set, (struct place){ line + 1u, wanted, false });
}

static void model_store(uint32_t line, uint32_t quarters)
{
    struct place *const set = model.place[line % model.sets];
    const uint32_t way = find(set, line);
    const bool stays = way < model.ways && (quarters & ~set[way].have) == 0u;
    if (way < model.ways) {
        struct place p = take(set, way);
        p.written = p.written || stays;
        put_first(set, p);
    }
    model.stay += stays ? 1u : 0u;
    model.pass += stays ? 0u : 1u;
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
            emit(&text, OP_LOAD, R, R, 1u)->flags = LOCAL;
        } else {
            model_store(lines[i], touched[i]);
            emit(&text, OP_STORE, REGISTER_NONE, R, 1u)->flags = LOCAL;
        }
    }
}

static void what_stays_and_what_is_written_back_is_what_a_list_says(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u), stay = 0u, back = 0u;
    for (uint32_t n = 0u; n < 120u; n++) {
        memset(&model, 0, sizeof model);
        model.sets = some(&random, MOST_SETS);
        model.ways = some(&random, MOST_WAYS);
        model.sector = n % 3u == 0u ? 4u : n % 3u;
        struct gpu_config c = local_config(model.sets, model.ways);
        c.l2.sector = model.sector == 4u ? 0u : model.sector * c.l2.line / 4u;
        c.noc.write_acks = n % 2u == 0u;
        choose(&random);
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.sm.l1_local_hit, model.hit);
        assert_int_equal(o.sm.l1_local_write, model.stay);
        assert_int_equal(o.sm.l1_write, model.pass);
        assert_int_equal(o.sm.l1_written_back, model.back);
        assert_int_equal(o.l2.write, model.pass + model.back);
        stay += model.stay;
        back += model.back;
    }
    assert_in_range(stay, 120u * LISTED / 8u, 120u * LISTED / 2u);
    assert_in_range(back, 120u * LISTED / 20u, stay);
}

/* ---- The same cycle, and others ------------------------------------------------------- */

static void step(enum op_class op, uint32_t line, uint32_t src, uint32_t flags)
{
    lines[text.accesses] = line;
    touched[text.accesses] = 15u;
    emit(&text, op, op == OP_LOAD ? R : REGISTER_NONE, src, 1u)->flags = (uint8_t)flags;
}
static void begin(void)
{
    text = (struct program){ .length = 0u };
}

/* One way: line 1 is on its way when line 0, which is there, is written. */
static void a_line_for_which_no_place_is_left_is_not_kept(void **state)
{
    (void)state;
    const struct gpu_config c = local_config(1u, 1u);
    begin();
    step(OP_LOAD, 0u, REGISTER_NONE, LOCAL);
    step(OP_LOAD, 1u, R, LOCAL);
    step(OP_STORE, 0u, REGISTER_NONE, LOCAL);
    step(OP_LOAD, 0u, R, LOCAL);
    struct outcome o = run_listed(&c, &text);
    assert_int_equal(o.sm.l1_miss, 2u);
    assert_int_equal(o.sm.l1_hit, 1u);
    assert_int_equal(o.sm.l1_local_write, 1u);
    assert_int_equal(o.sm.l1_written_back, 0u);
    assert_int_equal(o.l2.write, 0u);

    /* Line 1 has to come again, and now line 0 makes room. */
    text.length--; /* without the exit */
    step(OP_LOAD, 1u, R, LOCAL);
    o = run_listed(&c, &text);
    assert_int_equal(o.sm.l1_miss, 3u);
    assert_int_equal(o.sm.l1_written_back, 1u);
    assert_int_equal(o.l2.write, 1u);
}

/* The read that needs the place goes in the next turn. Nobody waits for an answer. */
static void a_line_is_written_back_in_a_turn_of_its_own(void **state)
{
    (void)state;
    struct gpu_config c = local_config(1u, 1u);
    for (uint32_t k = 0u; k < 2u; k++) {
        c.l1.local_back = k == 1u;
        c.noc.write_acks = k == 1u;
        begin();
        step(OP_LOAD, 0u, REGISTER_NONE, LOCAL);
        step(OP_STORE, 0u, R, LOCAL);
        step(OP_LOAD, 1u, R, LOCAL);
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.l2.write, 1u);
        assert_int_equal(o.l2.reply, 2u);
        assert_int_equal(o.sm.ldst_busy, 3u + k);
    }
}

/* A load of line 0, so many stores that the miss queue is full, and a store to line 0. */
static struct gpu_sm_stats behind_stores(const struct gpu_config *c, uint32_t stores,
                                         unsigned mode)
{
    begin();
    step(OP_LOAD, 0u, REGISTER_NONE, LOCAL);
    for (uint32_t k = 0u; k < stores; k++) {
        step(OP_STORE, 1u + k, REGISTER_NONE, 0u);
    }
    step(OP_STORE, 0u, REGISTER_NONE, LOCAL);
    emit_exit(&text);
    struct hand_kernel kernel = kernel_of(&text, 1u, 1u);
    kernel.access = listed;
    struct gpu *const g = open_gpu(c, NULL, mode);
    launch(g, &kernel, 0u);
    const struct gpu_sm_stats s = run_to_end(g)->sm[0];
    gpu_close(g);
    return s;
}

/* The unit sleeps before the full queue, and line 0 comes meanwhile. */
static void a_store_that_waits_for_the_queue_stays_as_soon_as_its_line_comes(void **state)
{
    (void)state;
    struct gpu_config c = local_config(4u, 4u);
    uint32_t stayed = 0u, passed = 0u;
    c.clock.noc = c.clock.core / 10u;
    c.noc.latency = 1u;
    c.ldst.miss_queue = 2u;
    const uint32_t stores = 20u, latency = c.l2.latency;
    for (uint32_t later = 0u; later < 200u; later++) {
        c.l2.latency = latency + later;
        const struct gpu_sm_stats s = behind_stores(&c, stores, 0u);
        const struct gpu_sm_stats each = behind_stores(&c, stores, GPU_NAIVE);
        assert_memory_equal(&s, &each, sizeof s);
        stayed += s.l1_local_write == 1u ? 1u : 0u;
        passed += s.l1_local_write == 0u ? 1u : 0u;
    }
    assert_true(stayed > 2u);
    assert_true(passed > 2u);
}

/* Stores of global memory, and those of local memory without the key, pass and drop the line.
 */
static void other_stores_pass(void **state)
{
    (void)state;
    struct gpu_config c = local_config(1u, 4u);
    for (uint32_t k = 0u; k < 2u; k++) {
        c.l1.local_back = k == 1u;
        begin();
        step(OP_LOAD, 0u, REGISTER_NONE, 0u);
        step(OP_STORE, 0u, R, k == 1u ? 0u : LOCAL);
        step(OP_LOAD, 0u, R, 0u);
        const struct outcome o = run_listed(&c, &text);
        assert_int_equal(o.sm.l1_miss, 2u);
        assert_int_equal(o.sm.l1_write, 1u);
        assert_int_equal(o.sm.l1_local_write, 0u);
    }
}

/* A kernel's start empties the L1, and sends nothing. The threads that wrote have ended. */
static void the_start_of_a_kernel_forgets_what_was_written(void **state)
{
    (void)state;
    const struct gpu_config c = local_config(1u, 1u);
    begin();
    step(OP_LOAD, 0u, REGISTER_NONE, LOCAL);
    step(OP_STORE, 0u, R, LOCAL);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = listed;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &k, 0u);
    launch(g, &k, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    assert_int_equal(s->sm[0].l1_miss, 2u);
    assert_int_equal(s->sm[0].l1_local_write, 2u);
    assert_int_equal(s->sm[0].l1_written_back, 0u);
    gpu_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_and_what_is_written_back_is_what_a_list_says),
        cmocka_unit_test(a_line_for_which_no_place_is_left_is_not_kept),
        cmocka_unit_test(a_line_is_written_back_in_a_turn_of_its_own),
        cmocka_unit_test(a_store_that_waits_for_the_queue_stays_as_soon_as_its_line_comes),
        cmocka_unit_test(other_stores_pass),
        cmocka_unit_test(the_start_of_a_kernel_forgets_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
