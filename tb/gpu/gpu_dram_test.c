/*
 * Tests of the DRAM of the GPU model: a monitor of its own checks every command of random runs
 * against the timing rules, and fails on each rule when fed a sequence that breaks it; FR-FCFS
 * takes row hits first, and FCFS the order of arrival.
 */

#include "gpu_random.h"

/* ---- The monitor --------------------------------------------------------------------- */

enum { MOST_PARTITIONS = 8, MOST_BANKS = 64 };
static const uint64_t long_ago = 1u << 20; /* before cycle 0; cycles are counted from here */

struct bank {
    bool open;
    uint32_t row;
    uint64_t activate, precharge; /* the last ones */
    uint64_t column, written;     /* last read or write; end of the last write's data */
};
struct partition {
    struct bank bank[MOST_BANKS];
    uint64_t command, activate, column; /* the last ones of all banks */
    uint64_t bus_end;
    uint64_t reads, writes, activates, precharges, bus, bytes;
};
struct checker {
    struct gpu_config config;
    uint32_t per_cycle, atom; /* bytes */
    struct partition partition[MOST_PARTITIONS];
    const char *broken; /* the first rule that was */
};

static void checker_open(struct checker *c, const struct gpu_config *config)
{
    *c = (struct checker){ .config = *config };
    c->per_cycle = config->dram.bus_bytes * config->dram.data_rate;
    c->atom = config->dram.atom != 0u ? config->dram.atom : config->l2.line;
}

static void rule(struct checker *c, bool kept, const char *name)
{
    if (!kept && c->broken == NULL) {
        c->broken = name;
    }
}

static void check_activate(struct checker *c, struct partition *p, struct bank *b, uint32_t row,
                           uint64_t t)
{
    rule(c, !b->open, "activate of an open bank");
    rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
    rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    rule(c, t >= p->activate + c->config.dram.tRRD, "tRRD");
    b->open = true;
    b->row = row;
    b->activate = p->activate = t;
    p->activates++;
}

static void check_precharge(struct checker *c, struct partition *p, struct bank *b,
                            uint32_t row, uint64_t t)
{
    rule(c, b->open, "precharge of a closed bank");
    rule(c, b->row == row, "precharge of another row");
    rule(c, t >= b->activate + c->config.dram.tRAS, "tRAS");
    rule(c, t >= b->written + c->config.dram.tWR, "tWR");
    rule(c, t > b->column, "precharge before a read has begun");
    b->open = false;
    b->precharge = t;
    p->precharges++;
}

static void check_column(struct checker *c, struct partition *p, struct bank *b, uint32_t row,
                         uint32_t bytes, bool write, uint64_t t)
{
    const uint32_t burst = (bytes + c->per_cycle - 1u) / c->per_cycle;
    const uint64_t data = t + c->config.dram.tCL;
    rule(c, b->open, "column of a closed bank");
    rule(c, b->row == row, "column of another row");
    rule(c, t >= b->activate + c->config.dram.tRCD, "tRCD");
    rule(c, t >= p->column + c->config.dram.tCCD, "tCCD");
    rule(c, data >= p->bus_end, "data bus");
    rule(c, bytes != 0u && bytes <= c->config.l2.line && bytes % c->atom == 0u, "atoms");
    b->column = p->column = t;
    p->bus_end = data + burst;
    p->bus += burst;
    p->bytes += bytes;
    b->written = write ? p->bus_end : b->written;
    p->reads += write ? 0u : 1u;
    p->writes += write ? 1u : 0u;
}

static void check_command(void *self, uint32_t partition, enum dram_command command,
                          uint32_t bank, uint32_t row, uint32_t bytes, uint64_t cycle)
{
    struct checker *const c = self;
    struct partition *const p = &c->partition[partition];
    struct bank *const b = &p->bank[bank];
    const uint64_t t = cycle + long_ago;
    assert_true(partition < MOST_PARTITIONS && bank < MOST_BANKS);
    rule(c, bank < c->config.dram.banks, "no such bank");
    rule(c, t > p->command, "two commands in a cycle");
    p->command = t;
    if (command == DRAM_ACTIVATE) {
        check_activate(c, p, b, row, t);
    } else if (command == DRAM_PRECHARGE) {
        check_precharge(c, p, b, row, t);
    } else {
        check_column(c, p, b, row, bytes, command == DRAM_WRITE, t);
    }
}

/* ---- The monitor itself -------------------------------------------------------------- */

struct command {
    enum dram_command command;
    uint32_t bank, row;
    uint64_t cycle;
    uint32_t bytes; /* 0: 128 */
};

static struct gpu_config rules_config(void)
{
    struct gpu_config c = small_config();
    c.dram.atom = 64u;
    c.dram.banks = 2u;
    c.dram.bus_bytes = 16u; /* bursts of 4 */
    c.dram.data_rate = 2u;
    c.dram.tCL = 10u;
    c.dram.tRCD = 12u;
    c.dram.tRP = 11u;
    c.dram.tRAS = 30u;
    c.dram.tRC = 45u;
    c.dram.tRRD = 6u;
    c.dram.tCCD = 5u;
    c.dram.tWR = 13u;
    return c;
}

/* What the monitor says of a legal sequence in which command `which` has been changed. */
static const char *verdict(uint32_t which, struct command changed)
{
    struct command commands[] = {
        { DRAM_ACTIVATE, 0u, 3u, 100u, 0u },  { DRAM_ACTIVATE, 1u, 4u, 106u, 0u },
        { DRAM_READ, 0u, 3u, 112u, 0u },      { DRAM_WRITE, 0u, 3u, 117u, 0u },
        { DRAM_READ, 1u, 4u, 122u, 0u },      { DRAM_PRECHARGE, 1u, 4u, 136u, 0u },
        { DRAM_PRECHARGE, 0u, 3u, 144u, 0u }, { DRAM_ACTIVATE, 1u, 9u, 151u, 0u },
        { DRAM_ACTIVATE, 0u, 8u, 157u, 0u },  { DRAM_WRITE, 1u, 9u, 163u, 0u },
    };
    static struct checker checker;
    struct gpu_config config = rules_config();
    if (which == UINT32_MAX - 1u) { /* the bus alone keeps columns apart */
        config.dram.tCCD = 1u;
        commands[3].cycle = changed.cycle;
    } else if (which != UINT32_MAX) {
        commands[which] = changed;
    }
    checker_open(&checker, &config);
    for (size_t k = 0u; k < sizeof commands / sizeof *commands; k++) {
        check_command(&checker, 0u, commands[k].command, commands[k].bank, commands[k].row,
                      commands[k].bytes != 0u ? commands[k].bytes : 128u, commands[k].cycle);
    }
    return checker.broken;
}

static void the_monitor_finds_each_broken_rule(void **state)
{
    (void)state;
    static const struct {
        uint32_t which;
        struct command changed;
        const char *rule;
    } rows[] = {
        { 1u, { DRAM_ACTIVATE, 1u, 4u, 105u, 0u }, "tRRD" },
        { 1u, { DRAM_ACTIVATE, 1u, 4u, 100u, 0u }, "two commands in a cycle" },
        { 1u, { DRAM_ACTIVATE, 0u, 4u, 106u, 0u }, "activate of an open bank" },
        { 1u, { DRAM_ACTIVATE, 2u, 4u, 106u, 0u }, "no such bank" },
        { 2u, { DRAM_READ, 0u, 3u, 111u, 0u }, "tRCD" },
        { 2u, { DRAM_READ, 0u, 4u, 112u, 0u }, "column of another row" },
        { 3u, { DRAM_WRITE, 0u, 3u, 116u, 0u }, "tCCD" },
        { UINT32_MAX - 1u, { DRAM_WRITE, 0u, 3u, 115u, 0u }, "data bus" },
        { 5u, { DRAM_PRECHARGE, 1u, 4u, 135u, 0u }, "tRAS" },
        { 5u, { DRAM_PRECHARGE, 1u, 5u, 136u, 0u }, "precharge of another row" },
        { 6u, { DRAM_PRECHARGE, 0u, 3u, 143u, 0u }, "tWR" },
        { 7u, { DRAM_ACTIVATE, 1u, 9u, 150u, 0u }, "tRC" },
        { 8u, { DRAM_ACTIVATE, 0u, 8u, 154u, 0u }, "tRP" },
        { 8u, { DRAM_PRECHARGE, 0u, 3u, 157u, 0u }, "precharge of a closed bank" },
        { 9u, { DRAM_WRITE, 0u, 3u, 163u, 0u }, "column of another row" },
        { 9u, { DRAM_WRITE, 1u, 9u, 163u, 32u }, "atoms" },
        { 9u, { DRAM_WRITE, 1u, 9u, 163u, 192u }, "atoms" },
    };
    assert_null(verdict(UINT32_MAX, (struct command){ DRAM_READ, 0u, 0u, 0u, 0u }));
    for (size_t k = 0u; k < sizeof rows / sizeof *rows; k++) {
        const char *const broken = verdict(rows[k].which, rows[k].changed);
        assert_non_null(broken);
        assert_string_equal(broken, rows[k].rule);
    }
}

/* ---- Random runs --------------------------------------------------------------------- */

static void random_runs_keep_every_timing_rule(void **state)
{
    (void)state;
    const uint64_t seed = printed_number("SEED", 1u), runs = printed_number("RUNS", 150u);
    static struct checker checker;
    static struct program programs[2];
    uint64_t writes = 0u, precharges = 0u;
    for (uint64_t run = 0u; run < runs; run++) {
        uint64_t random = seed + run;
        const struct gpu_config c = random_machine(&random);
        const struct gpu_monitor monitor = { .self = &checker, .dram = check_command };
        const struct gpu_hooks hooks = { .monitor = &monitor };
        random_program(&programs[0], &random, 60u);
        random_program(&programs[1], &random, 60u);
        struct hand_kernel k = random_kernel(&c, &random, programs);
        checker_open(&checker, &c);
        struct gpu *const g = open_gpu(&c, &hooks, run % 2u == 0u ? 0u : GPU_SCAN);
        launch(g, &k, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        if (checker.broken != NULL) {
            fail_msg("SEED=%" PRIu64 " RUNS=1: %s", seed + run, checker.broken);
        }
        for (uint32_t i = 0u; i < s->n_l2; i++) {
            const struct partition *const p = &checker.partition[i];
            assert_int_equal(p->reads, s->dram[i].read);
            assert_int_equal(p->writes, s->dram[i].write);
            assert_int_equal(p->activates, s->dram[i].activate);
            assert_int_equal(p->precharges, s->dram[i].precharge);
            assert_int_equal(s->dram[i].bus, p->bus);
            assert_int_equal(s->dram[i].bytes, p->bytes);
            writes += p->writes;
            precharges += p->precharges;
        }
        gpu_close(g);
    }
    /* The runs were of use. */
    assert_true(runs < 100u || (writes > 1000u && precharges > 1000u));
}

/* ---- Order of requests --------------------------------------------------------------- */

struct order {
    struct command column[64];
    uint32_t n, activates;
};
static void note_order(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
                       uint32_t row, uint32_t bytes, uint64_t cycle)
{
    struct order *const o = self;
    (void)partition;
    o->activates += command == DRAM_ACTIVATE ? 1u : 0u;
    if (command == DRAM_READ) {
        o->column[o->n++] = (struct command){ command, bank, row, cycle, bytes };
    }
}

/* Lines of two rows of one bank in turn. */
static uint32_t two_rows(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i / 2u + i % 2u * (uint32_t)k->parameter, 15u);
}

static struct order rows_in_turn(enum dram_policy policy)
{
    static struct program text;
    struct gpu_config c = small_config();
    struct order order = { .n = 0u };
    const struct gpu_monitor monitor = { .self = &order, .dram = note_order };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    c.dram.policy = policy;
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 12u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = two_rows;
    k.parameter = c.dram.row_bytes / c.l2.line * c.dram.banks;
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &k, 0u);
    (void)run_to_end(g);
    gpu_close(g);
    assert_int_equal(order.n, 12u);
    return order;
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
    for (uint32_t hash = 0u; hash < 2u; hash++) {
        struct gpu_config c = small_config();
        const struct gpu_monitor monitor = { .self = &census, .dram = census_command };
        const struct gpu_hooks hooks = { .monitor = &monitor };
        c.l2.slices = 8u;
        c.l2.hash = hash != 0u;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monitor_finds_each_broken_rule),
        cmocka_unit_test(random_runs_keep_every_timing_rule),
        cmocka_unit_test(first_ready_serves_the_open_row_first_and_fcfs_the_order_of_arrival),
        cmocka_unit_test(every_line_of_a_stream_is_read_once_from_its_row),
    };
    return cmocka_run_group_tests_name("gpu_dram", tests, NULL, NULL);
}
