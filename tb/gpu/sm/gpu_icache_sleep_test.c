/*
 * An SM whose warps ask in vain for room for their lines of instructions sleeps. It gives the
 * statistics of the run in which nothing sleeps, whatever else its warps do meanwhile: they
 * end and others come in their places, they jump, they pass by a line.
 *
 * The miss queue has one place, and the network is slow. CTA 0 stores to several lines.
 * Meanwhile it comes to its third line of code, for which there is no room. The first line of
 * the other CTAs is there, and they ask in vain for the line behind it.
 */

#include "tb/gpu/gpu_log.h"

enum { LINE = 8, LINES = 8, MOST_STORES = 9 };
/* Indices of instructions. */
enum { FIRST = 0, MISSED = LINE, STORES = 2 * LINE, LAST = (LINES - 1) * LINE };

static struct gpu_config slow_config(void)
{
    struct gpu_config c = small_config();
    c.l2.bytes = 1u << 16;
    c.icache.line = 128u;
    c.icache.instruction = 16u;
    c.icache.bytes = 16u * c.icache.line;
    c.icache.ways = 16u;
    c.fetch.width = LINE;
    c.fetch.groups = 2u;
    c.fetch.warps = 1u;
    c.sm.cta_slots = 2u;
    c.ldst.miss_queue = 1u;
    c.cluster.request_queue = 1u;
    c.noc.channel_bytes = 4u;
    return c;
}

/* ---- Programs ------------------------------------------------------------------------ */

static struct program storer, mover;

static struct instruction *emit_at(struct program *p, uint32_t pc, enum op_class op)
{
    struct instruction *const i = emit(p, op, REGISTER_NONE, REGISTER_NONE, 0u);
    i->pc = pc;
    return i;
}

/* The first n instructions of a line, or one more. The first takes its time, and the others
 * need its result. */
static void emit_begin(struct program *p, uint32_t pc, uint32_t n, enum op_class last)
{
    emit_at(p, pc, OP_INTEGER)->dst = R;
    for (uint32_t i = 1u; i < n; i++) {
        emit_at(p, pc + i, i + 1u == n ? last : OP_BRANCH)->src[0] = R;
    }
}

static void emit_storer(uint32_t stores)
{
    storer = (struct program){ .length = 0u };
    emit(&storer, OP_STORE, REGISTER_NONE, REGISTER_NONE, stores)->pc = STORES;
    for (uint32_t i = 1u; i < 2u * LINE; i++) {
        (void)emit_at(&storer, STORES + i, OP_BRANCH);
    }
    (void)emit_at(&storer, STORES + 2u * LINE, OP_EXIT);
}

/* The line at `from` so many times, of which it has n instructions, and then that at `to`. It
 * jumps from one to the next, or goes on there as to lanes that had parted. */
static void emit_mover(uint32_t from, uint32_t n, uint32_t rounds, uint32_t to, bool taken)
{
    mover = (struct program){ .length = 0u };
    for (uint32_t r = 0u; r < rounds; r++) {
        emit_begin(&mover, from, n, OP_BRANCH);
        mover.code[mover.length - 1u].flags = taken ? TAKEN : 0u;
    }
    emit_begin(&mover, to, 2u, OP_EXIT);
}

static void emit_operand(uint32_t pc)
{
    struct instruction *const i = emit(&mover, OP_CONSTANT, R + 1u + pc, REGISTER_NONE, 1u);
    i->flags = OPERAND;
    i->pc = pc;
}

/* It waits at the end of its first line, passes the operands that are the second one, and goes
 * on in the storer's line. */
static void emit_passer(void)
{
    mover = (struct program){ .length = 0u };
    emit_operand(MISSED - 3u);
    emit_begin(&mover, MISSED - 2u, 2u, OP_BRANCH);
    for (uint32_t pc = MISSED; pc < STORES; pc++) {
        emit_operand(pc);
    }
    emit_begin(&mover, STORES, LINE, OP_EXIT);
}

/* ---- Runs ---------------------------------------------------------------------------- */

static const struct program *program_of_cta(uint32_t cta)
{
    return cta == 0u ? &storer : &mover;
}

static uint32_t own_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    return ACCESS(cta == 0u ? 64u + warp * MOST_STORES + i : 0u, 15u);
}

static void run_in(const struct gpu_config *c, uint32_t ctas, unsigned mode, struct log *log)
{
    struct hand_kernel k = kernel_of(&storer, ctas, 2u);
    k.of_cta = program_of_cta;
    k.access = own_line;
    k.shape.instructions = LINES * LINE;
    struct gpu *const g = open_gpu(c, NULL, mode);
    launch(g, &k, 0u);
    log->n = 0u;
    note_stats(log, run_to_end(g));
    gpu_close(g);
}

/* Whatever the cycle in which there is room: CTA 0 stores to one line, to two, to many; and
 * the fetch unit serves in each cycle, or rests between. */
static void check_sleep(const struct gpu_config *of, uint32_t ctas)
{
    struct gpu_config c = *of;
    struct log each = { NULL, 0u, 0u }, asleep = each;
    for (uint32_t stores = 1u; stores <= MOST_STORES; stores++) {
        emit_storer(stores);
        c.fetch.interval = 1u + (stores - 1u) % 4u;
        run_in(&c, ctas, GPU_NAIVE, &each);
        run_in(&c, ctas, 0u, &asleep);
        assert_int_equal(asleep.n, each.n);
        for (size_t i = 0u; i < each.n; i++) {
            if (asleep.word[i] != each.word[i]) {
                fail_msg("%" PRIu32 " stores: word %zu is %" PRIu64 " and not %" PRIu64, stores,
                         i, asleep.word[i], each.word[i]);
            }
        }
    }
    free(each.word);
    free(asleep.word);
}

/* Movers that go to another line, on machines that fetch all of a line at once or half of it,
 * and have one MSHR or several. */
static void check_movers(uint32_t from, uint32_t n, uint32_t to, bool taken)
{
    struct gpu_config c = slow_config();
    emit_mover(from, n, 6u, to, taken);
    for (c.integer.latency = 1u; c.integer.latency < 100u; c.integer.latency *= 9u) {
        for (c.icache.mshrs = 1u; c.icache.mshrs <= 3u; c.icache.mshrs += 2u) {
            for (c.fetch.width = LINE / 2u; c.fetch.width <= LINE; c.fetch.width *= 2u) {
                check_sleep(&c, 2u);
            }
        }
    }
}

/* ---- Tests --------------------------------------------------------------------------- */

static void a_warp_that_comes_in_the_place_of_another_asks_for_itself(void **state)
{
    (void)state;
    struct gpu_config c = slow_config();
    for (c.integer.latency = 1u; c.integer.latency < 100u; c.integer.latency *= 9u) {
        emit_mover(FIRST, 0u, 0u, FIRST, false);
        check_sleep(&c, 9u);
    }
}

static void a_warp_that_jumps_asks_again(void **state)
{
    (void)state;
    check_movers(FIRST, LINE, FIRST, true);
    check_movers(FIRST, LINE, LAST, true);
}

static void a_warp_that_goes_on_elsewhere_asks_again(void **state)
{
    (void)state;
    check_movers(FIRST, LINE, FIRST, false);
    check_movers(FIRST, LINE, STORES + LINE, false);
    check_movers(FIRST, 1u, LAST, false);
}

static void a_warp_at_the_end_of_the_text_never_asks_in_vain(void **state)
{
    (void)state;
    check_movers(LAST, LINE, LAST, true);
}

static void a_warp_that_passes_a_line_asks_again(void **state)
{
    (void)state;
    struct gpu_config c = slow_config();
    c.constant.operands = true;
    c.integer.latency = 150u; /* the line of constants is there */
    emit_passer();
    for (c.fetch.latency = 1u; c.fetch.latency <= 9u; c.fetch.latency += 4u) {
        check_sleep(&c, 5u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_that_comes_in_the_place_of_another_asks_for_itself),
        cmocka_unit_test(a_warp_that_jumps_asks_again),
        cmocka_unit_test(a_warp_that_goes_on_elsewhere_asks_again),
        cmocka_unit_test(a_warp_at_the_end_of_the_text_never_asks_in_vain),
        cmocka_unit_test(a_warp_that_passes_a_line_asks_again),
    };
    return cmocka_run_group_tests_name("gpu_icache_sleep", tests, NULL, NULL);
}
