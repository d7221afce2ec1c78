/*
 * Tests of the DRAM of the GPU model: which requests it takes first, and where lines lie.
 * FR-FCFS takes row hits first, and FCFS the order of arrival; each line is read from its row
 * and bank.
 */

#include "tb/gpu/gpu_random.h"

enum { MOST_PARTITIONS = 8, MOST_BANKS = 64 };

/* ---- Order of requests --------------------------------------------------------------- */

struct order {
    struct {
        uint32_t partition, bank, row;
        uint64_t cycle;
    } column[64];
    uint32_t n, activates;
};
static void note_order(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
                       uint32_t row, uint32_t bytes, uint64_t cycle)
{
    struct order *const o = self;
    (void)bytes;
    o->activates += command == DRAM_ACTIVATE ? 1u : 0u;
    if (command == DRAM_READ) {
        o->column[o->n].partition = partition;
        o->column[o->n].bank = bank;
        o->column[o->n].row = row;
        o->column[o->n++].cycle = cycle;
    }
}

/* Lines of two rows of one bank in turn. */
static uint32_t two_rows(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i / 2u + i % 2u * (uint32_t)k->parameter, 15u);
}

/* The columns of a warp that reads n such lines. */
static struct order order_of(const struct gpu_config *c,
                             uint32_t (*access)(const struct hand_kernel *, uint32_t, uint32_t,
                                                uint32_t),
                             uint64_t parameter, uint32_t n)
{
    static struct program text;
    struct order order = { .n = 0u };
    const struct gpu_monitor monitor = { .self = &order, .dram = note_order };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, n);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = access;
    k.parameter = parameter;
    struct gpu *const g = open_gpu(c, &hooks, 0u);
    launch(g, &k, 0u);
    (void)run_to_end(g);
    gpu_close(g);
    assert_int_equal(order.n, n);
    return order;
}

static struct order rows_in_turn(enum dram_policy policy)
{
    struct gpu_config c = small_config();
    c.dram.policy = policy;
    return order_of(&c, two_rows, c.dram.row_bytes / c.l2.line * c.dram.banks, 12u);
}

static void first_ready_serves_the_open_row_first_and_fcfs_the_order_of_arrival(void **state)
{
    (void)state;
    const struct order ready = rows_in_turn(DRAM_FR_FCFS), fcfs = rows_in_turn(DRAM_FCFS);
    assert_int_equal(ready.activates, 2u);
    assert_int_equal(fcfs.activates, 12u);
    for (uint32_t k = 0u; k < 12u; k++) {
        assert_int_equal(ready.column[k].row, k / 6u);
        assert_int_equal(fcfs.column[k].row, k % 2u);
    }
    assert_true(ready.column[11].cycle < fcfs.column[11].cycle);
}

/* Each line of a stream is read once: as many columns in each row of each bank. */
struct census {
    uint32_t of[MOST_PARTITIONS][MOST_BANKS][16];
};
static void census_command(void *self, uint32_t partition, enum dram_command command,
                           uint32_t bank, uint32_t row, uint32_t bytes, uint64_t cycle)
{
    struct census *const census = self;
    (void)cycle;
    assert_int_equal(bytes, command == DRAM_READ ? 128u : 0u);
    assert_true(row < 16u);
    census->of[partition][bank][row] += command == DRAM_READ ? 1u : 0u;
}
static uint32_t own_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    return ACCESS((cta * kernel_warps(&k->shape) + warp) * 64u + i, 15u);
}

static void every_line_of_a_stream_is_read_once_from_its_row(void **state)
{
    (void)state;
    static struct program text;
    static struct census census;
    for (uint32_t run = 0u; run < 8u; run++) {
        const uint32_t hash = run % 2u;
        struct gpu_config c = small_config();
        const struct gpu_monitor monitor = { .self = &census, .dram = census_command };
        const struct gpu_hooks hooks = { .monitor = &monitor };
        c.dram.channels = 1u << run / 2u;
        c.l2.slices = 8u / c.dram.channels;
        c.l2.hash = hash != 0u;
        c.dram.bank_hash = hash != 0u ? BANKS_XOR_ROW : BANKS_AS_THEY_ARE;
        c.dram.banks = 4u;
        c.dram.row_bytes = 1024u;
        memset(&census, 0, sizeof census);
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 64u);
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 8u, 4u); /* 2048 lines */
        k.access = own_line;
        struct gpu *const g = open_gpu(&c, &hooks, 0u);
        launch(g, &k, 0u);
        (void)run_to_end(g);
        gpu_close(g);
        for (uint32_t p = 0u; p < 8u; p++) {
            for (uint32_t b = 0u; b < 4u; b++) {
                for (uint32_t row = 0u; row < 16u; row++) {
                    assert_int_equal(census.of[p][b][row], row < 8u ? 8u : 0u);
                }
            }
        }
    }
}

/* Lines from the parameter's upper half on, so many apart as its lower half says. */
static uint32_t apart(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS((uint32_t)(k->parameter >> 32) + i * (uint32_t)k->parameter, 15u);
}

/* The lines of slice 1, of two, are 2 i + 1; those of its channel k are every n-th of them. */
static void lines_of_a_slice_go_round_its_channels(void **state)
{
    (void)state;
    for (uint32_t n = 1u; n <= 8u; n++) {
        for (uint32_t channel = 0u; channel < n; channel++) {
            struct gpu_config c = small_config();
            c.l2.slices = 2u;
            c.l2.hash = false;
            c.l2.interleave = c.l2.line;
            c.dram.channels = n;
            c.dram.policy = DRAM_FCFS;
            c.dram.banks = 4u;
            c.dram.row_bytes = 512u; /* 4 lines */
            const uint64_t first = 2u * channel + 1u;
            const struct order order = order_of(&c, apart, first << 32 | 2u * n, 48u);
            assert_int_equal(order.n, 48u);
            for (uint32_t k = 0u; k < order.n; k++) {
                assert_int_equal(order.column[k].partition, n + channel);
                assert_int_equal(order.column[k].bank, k / 4u % 4u);
                assert_int_equal(order.column[k].row, k / 16u);
            }
        }
    }
}

/* A read in each channel at once takes no longer than one; two in the same one do. */
static void channels_work_side_by_side(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.l2.slices = 1u;
    c.dram.channels = 2u;
    c.dram.bus_bytes = 1u; /* 64 cycles a line */
    const struct order same = order_of(&c, apart, 2u, 8u), both = order_of(&c, apart, 1u, 8u);
    uint64_t first[2] = { 0u };
    for (uint32_t k = 0u; k < 8u; k++) {
        assert_int_equal(same.column[k].partition, 0u);
        assert_int_equal(same.column[k].cycle, same.column[0].cycle + 64u * k);
        const uint32_t channel = both.column[k].partition;
        first[channel] = first[channel] == 0u ? both.column[k].cycle : first[channel];
        assert_int_equal(both.column[k].cycle, first[channel] + 64u * (k / 2u));
    }
    assert_in_range(first[1] - first[0], 0u, 8u);
}

/* Rows 0 of banks 0 to 3, then rows 1; and two rows in turns of a line, of two, of a row. */
static void banks_take_turns_within_two_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t interleave, bank[8];
    } cases[] = {
        { 0u, { 0u, 0u, 0u, 0u, 1u, 1u, 1u, 1u } },
        { 128u, { 0u, 1u, 0u, 1u, 0u, 1u, 0u, 1u } },
        { 256u, { 0u, 0u, 1u, 1u, 0u, 0u, 1u, 1u } },
        { 512u, { 0u, 0u, 0u, 0u, 1u, 1u, 1u, 1u } },
    };
    for (uint32_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        struct gpu_config c = small_config();
        c.l2.slices = 1u;
        c.dram.policy = DRAM_FCFS;
        c.dram.banks = 4u;
        c.dram.row_bytes = 512u; /* 4 lines */
        c.dram.bank_interleave = cases[i].interleave;
        const struct order order = order_of(&c, own_line, 0u, 64u);
        for (uint32_t k = 0u; k < order.n; k++) {
            assert_int_equal(order.column[k].bank, cases[i].bank[k % 8u] + (k / 8u % 2u) * 2u);
            assert_int_equal(order.column[k].row, k / 16u);
        }
    }
}

/* The same lines, in the same rows. */
static void a_hash_folds_the_row_into_the_bank(void **state)
{
    (void)state;
    for (uint32_t interleave = 0u; interleave <= 128u; interleave += 128u) {
        struct gpu_config c = small_config();
        c.l2.slices = 1u;
        c.dram.policy = DRAM_FCFS;
        c.dram.banks = 4u;
        c.dram.row_bytes = 512u; /* 4 lines */
        c.dram.bank_interleave = interleave;
        const struct order plain = order_of(&c, own_line, 0u, 64u);
        c.dram.bank_hash = BANKS_XOR_ROW;
        const struct order hashed = order_of(&c, own_line, 0u, 64u);
        uint32_t moved = 0u;
        for (uint32_t k = 0u; k < 64u; k++) {
            const uint32_t row = plain.column[k].row;
            assert_int_equal(hashed.column[k].row, row);
            assert_int_equal(hashed.column[k].bank, plain.column[k].bank ^ row % 4u);
            moved += hashed.column[k].bank != plain.column[k].bank;
        }
        assert_int_equal(moved, 48u); /* row 0 of each bank stays */
    }
}

/* ---- Whose they are -------------------------------------------------------------------- */

/* What the DRAM counts when each SM reads n lines of its own, one after the other. */
static struct gpu_dram_stats reads_of(uint32_t sms, uint32_t n)
{
    static struct program text;
    struct gpu_config c = small_config();

    c.sm.count = sms;
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_LOAD, n, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, sms, 1u);
    k.access = own_line;
    return run_alone(&c, &k).dram;
}

static void reads_for_the_sm_of_the_read_before_are_counted(void **state)
{
    (void)state;
    const struct gpu_dram_stats one = reads_of(1u, 9u), two = reads_of(2u, 9u);

    assert_int_equal(one.read, 9u);
    assert_int_equal(one.same_sm, 8u);
    /* The second SM's first CTA comes a few cycles later; then they read in turn. */
    assert_int_equal(two.read, 18u);
    assert_int_equal(two.same_sm, 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_ready_serves_the_open_row_first_and_fcfs_the_order_of_arrival),
        cmocka_unit_test(every_line_of_a_stream_is_read_once_from_its_row),
        cmocka_unit_test(lines_of_a_slice_go_round_its_channels),
        cmocka_unit_test(channels_work_side_by_side),
        cmocka_unit_test(banks_take_turns_within_two_rows),
        cmocka_unit_test(a_hash_folds_the_row_into_the_bank),
        cmocka_unit_test(reads_for_the_sm_of_the_read_before_are_counted),
    };
    return cmocka_run_group_tests_name("gpu_dram_order", tests, NULL, NULL);
}
