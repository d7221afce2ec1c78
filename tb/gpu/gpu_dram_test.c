/*
 * Tests of the DRAM of the GPU model: a monitor of its own checks every command of random runs
 * against the timing rules, and fails on each rule when fed a sequence that breaks it.
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
    uint64_t read;                /* the last atom of the last read begins */
};
struct partition {
    struct bank bank[MOST_BANKS];
    uint64_t command, column; /* the last ones of all banks */
    uint64_t activate[4];     /* the last four, the latest first */
    uint64_t group[16];       /* the last atom of each bank group begins */
    uint64_t bus_end, read_end, write_end;
    uint64_t refresh, refreshes;
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

/* From this cycle on the next refresh is due; t counts from long_ago. */
static uint64_t due(const struct checker *c, const struct partition *p)
{
    const uint64_t every = c->config.dram.tREFI;
    return every != 0u ? long_ago + (p->refreshes + 1u) * every : UINT64_MAX;
}

static void check_activate(struct checker *c, struct partition *p, struct bank *b, uint32_t row,
                           uint64_t t)
{
    rule(c, t < due(c, p), "activate while a refresh is due");
    rule(c, p->refreshes == 0u || t >= p->refresh + c->config.dram.tRFC, "tRFC");
    rule(c, !b->open, "activate of an open bank");
    rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
    rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    rule(c, t >= p->activate[0] + c->config.dram.tRRD, "tRRD");
    rule(c, t >= p->activate[3] + c->config.dram.tFAW, "tFAW");
    b->open = true;
    b->row = row;
    memmove(&p->activate[1], &p->activate[0], 3u * sizeof p->activate[0]);
    b->activate = p->activate[0] = t;
    p->activates++;
}

/* What every precharge of an open bank must keep. */
static void close_bank(struct checker *c, struct partition *p, struct bank *b, uint64_t t)
{
    rule(c, t >= b->activate + c->config.dram.tRAS, "tRAS");
    rule(c, t >= b->written + c->config.dram.tWR, "tWR");
    rule(c, t > b->column, "precharge before a read has begun");
    rule(c, t >= b->read + c->config.dram.tRTP, "tRTP");
    b->open = false;
    b->precharge = t;
    p->precharges++;
}

static void check_precharge(struct checker *c, struct partition *p, struct bank *b,
                            uint32_t row, uint64_t t)
{
    rule(c, t < due(c, p), "precharge while a refresh is due");
    rule(c, b->open, "precharge of a closed bank");
    rule(c, b->row == row, "precharge of another row");
    close_bank(c, p, b, t);
}

static void check_precharge_all(struct checker *c, struct partition *p, uint64_t t)
{
    rule(c, t >= due(c, p), "precharge of all banks while no refresh is due");
    for (uint32_t i = 0u; i < c->config.dram.banks; i++) {
        if (p->bank[i].open) {
            close_bank(c, p, &p->bank[i], t);
        }
    }
}

static void check_refresh(struct checker *c, struct partition *p, uint64_t t)
{
    rule(c, t >= due(c, p), "refresh before it is due");
    for (uint32_t i = 0u; i < c->config.dram.banks; i++) {
        const struct bank *const b = &p->bank[i];
        rule(c, !b->open, "refresh of an open bank");
        rule(c, t >= b->precharge + c->config.dram.tRP, "tRP");
        rule(c, t >= b->activate + c->config.dram.tRC, "tRC");
    }
    rule(c, p->refreshes == 0u || t >= p->refresh + c->config.dram.tRFC, "tRFC");
    p->refresh = t;
    p->refreshes++;
}

/* Reads and writes of one bus, and of one group of banks. */
static void check_turns(struct checker *c, struct partition *p, uint32_t bank, uint32_t burst,
                        bool write, uint64_t t)
{
    const uint32_t atom = (c->atom + c->per_cycle - 1u) / c->per_cycle;
    const uint64_t late =
        write && c->config.dram.tWL != 0u ? c->config.dram.tWL : c->config.dram.tCL;
    rule(c, t + late >= p->bus_end, "data bus");
    rule(c, !write || t + late >= p->read_end + c->config.dram.tRTW, "tRTW");
    rule(c, write || c->config.dram.tWTR == 0u || t >= p->write_end + c->config.dram.tWTR,
         "tWTR");
    if (c->config.dram.bank_groups != 0u) {
        uint64_t *const group = &p->group[bank % c->config.dram.bank_groups];
        rule(c, t >= *group + c->config.dram.tCCDL, "tCCDL");
        *group = t + burst - atom;
    }
    p->bus_end = t + late + burst;
    *(write ? &p->write_end : &p->read_end) = p->bus_end;
    p->bank[bank].read = write ? p->bank[bank].read : t + burst - atom;
}

static void check_column(struct checker *c, struct partition *p, uint32_t bank, uint32_t row,
                         uint32_t bytes, bool write, uint64_t t)
{
    struct bank *const b = &p->bank[bank];
    const uint32_t burst = (bytes + c->per_cycle - 1u) / c->per_cycle;
    rule(c, t < due(c, p), "column while a refresh is due");
    rule(c, b->open, "column of a closed bank");
    rule(c, b->row == row, "column of another row");
    rule(c, t >= b->activate + c->config.dram.tRCD, "tRCD");
    rule(c, t >= p->column + c->config.dram.tCCD, "tCCD");
    check_turns(c, p, bank, burst, write, t);
    rule(c, bytes != 0u && bytes <= c->config.l2.line && bytes % c->atom == 0u, "atoms");
    b->column = p->column = t;
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
    } else if (command == DRAM_PRECHARGE_ALL) {
        check_precharge_all(c, p, t);
    } else if (command == DRAM_REFRESH) {
        check_refresh(c, p, t);
    } else {
        check_column(c, p, bank, row, bytes, command == DRAM_WRITE, t);
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

/* Bursts of 4 cycles, of two atoms; bank groups of the even and the odd banks. */
static struct gpu_config turns_config(void)
{
    struct gpu_config c = rules_config();
    c.dram.banks = 8u;
    c.dram.tCCD = 4u;
    c.dram.tWL = 4u;
    c.dram.tWTR = 9u;
    c.dram.tRTW = 3u;
    c.dram.tRTP = 20u;
    c.dram.tFAW = 40u;
    c.dram.bank_groups = 2u;
    c.dram.tCCDL = 7u;
    c.dram.tREFI = 1000u;
    c.dram.tRFC = 100u;
    return c;
}

/* A sequence whose last command is legal in cycle `good`, if there is one, but not in `bad`. */
struct script {
    const char *rule;
    uint64_t good, bad;
    struct command commands[6];
    uint32_t n;
};

static const char *script_verdict(const struct script *script, uint64_t last)
{
    static struct checker checker;
    const struct gpu_config config = turns_config();
    checker_open(&checker, &config);
    for (uint32_t k = 0u; k < script->n; k++) {
        const struct command *const command = &script->commands[k];
        check_command(&checker, 0u, command->command, command->bank, 1u,
                      command->command == DRAM_READ || command->command == DRAM_WRITE ? 128u
                                                                                      : 0u,
                      k + 1u == script->n ? last : command->cycle);
    }
    return checker.broken;
}

static void the_monitor_finds_each_broken_rule_of_turns_groups_and_refreshes(void **state)
{
    (void)state;
#define COMMAND(name, bank, cycle)       \
    {                                    \
        DRAM_##name, bank, 1u, cycle, 0u \
    }
    static const struct script scripts[] = {
        { "tFAW",
          140u,
          139u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(ACTIVATE, 1u, 106u),
            COMMAND(ACTIVATE, 2u, 112u), COMMAND(ACTIVATE, 3u, 118u),
            COMMAND(ACTIVATE, 4u, 0u) },
          5u },
        { "tCCDL",
          121u,
          120u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(ACTIVATE, 2u, 106u), COMMAND(READ, 0u, 112u),
            COMMAND(READ, 2u, 0u) },
          4u },
        { "tCCD",
          120u,
          119u, /* of another group */
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(ACTIVATE, 1u, 106u), COMMAND(READ, 0u, 116u),
            COMMAND(READ, 1u, 0u) },
          4u },
        { "tWTR",
          129u,
          128u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(WRITE, 0u, 112u), COMMAND(READ, 0u, 0u) },
          3u },
        { "tRTW",
          125u,
          124u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(READ, 0u, 112u), COMMAND(WRITE, 0u, 0u) },
          3u },
        { "data bus",
          125u,
          121u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(READ, 0u, 112u), COMMAND(WRITE, 0u, 0u) },
          3u },
        { "tRTP",
          134u,
          133u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(READ, 0u, 112u), COMMAND(PRECHARGE, 0u, 0u) },
          3u },
        { "tWR",
          134u,
          132u, /* with a write latency of its own */
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(WRITE, 0u, 112u), COMMAND(PRECHARGE, 0u, 0u) },
          3u },
        { "tRFC",
          1100u,
          1099u,
          { COMMAND(REFRESH, 0u, 1000u), COMMAND(ACTIVATE, 0u, 0u) },
          2u },
        { "refresh before it is due", 1000u, 999u, { COMMAND(REFRESH, 0u, 0u) }, 1u },
        { "refresh before it is due",
          2000u,
          1999u,
          { COMMAND(REFRESH, 0u, 1030u), COMMAND(REFRESH, 0u, 0u) },
          2u },
        { "tRP",
          1011u,
          1010u,
          { COMMAND(ACTIVATE, 0u, 950u), COMMAND(PRECHARGE_ALL, 0u, 1000u),
            COMMAND(REFRESH, 0u, 0u) },
          3u },
        { "tRC",
          1025u,
          1024u,
          { COMMAND(ACTIVATE, 0u, 980u), COMMAND(PRECHARGE_ALL, 0u, 1010u),
            COMMAND(REFRESH, 0u, 0u) },
          3u },
        { "tRAS",
          1020u,
          1019u,
          { COMMAND(ACTIVATE, 0u, 990u), COMMAND(PRECHARGE_ALL, 0u, 0u) },
          2u },
        { "precharge of all banks while no refresh is due",
          1000u,
          999u,
          { COMMAND(ACTIVATE, 0u, 900u), COMMAND(PRECHARGE_ALL, 0u, 0u) },
          2u },
        { "refresh of an open bank",
          0u,
          1100u,
          { COMMAND(ACTIVATE, 0u, 900u), COMMAND(REFRESH, 0u, 0u) },
          2u },
        { "activate while a refresh is due", 999u, 1000u, { COMMAND(ACTIVATE, 0u, 0u) }, 1u },
        { "precharge while a refresh is due",
          999u,
          1000u,
          { COMMAND(ACTIVATE, 0u, 900u), COMMAND(PRECHARGE, 0u, 0u) },
          2u },
        { "column while a refresh is due",
          999u,
          1000u,
          { COMMAND(ACTIVATE, 0u, 900u), COMMAND(READ, 0u, 0u) },
          2u },
    };
#undef COMMAND
    for (size_t k = 0u; k < sizeof scripts / sizeof *scripts; k++) {
        const char *const broken = script_verdict(&scripts[k], scripts[k].bad);
        assert_non_null(broken);
        assert_string_equal(broken, scripts[k].rule);
        if (scripts[k].good != 0u) {
            assert_null(script_verdict(&scripts[k], scripts[k].good));
        }
    }
}

/* ---- Random runs --------------------------------------------------------------------- */

static void random_runs_keep_every_timing_rule(void **state)
{
    (void)state;
    const uint64_t seed = printed_number("SEED", 1u), runs = printed_number("RUNS", 150u);
    static struct checker checker;
    static struct program programs[2];
    uint64_t writes = 0u, precharges = 0u, refreshes = 0u;
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
            assert_int_equal(p->refreshes,
                             c.dram.tREFI != 0u ? s->dram_cycles / c.dram.tREFI : 0u);
            writes += p->writes;
            refreshes += p->refreshes;
            precharges += p->precharges;
        }
        gpu_close(g);
    }
    /* The runs were of use. */
    assert_true(runs < 100u || (writes > 1000u && precharges > 1000u && refreshes > 1000u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monitor_finds_each_broken_rule),
        cmocka_unit_test(the_monitor_finds_each_broken_rule_of_turns_groups_and_refreshes),
        cmocka_unit_test(random_runs_keep_every_timing_rule),
    };
    return cmocka_run_group_tests_name("gpu_dram", tests, NULL, NULL);
}
