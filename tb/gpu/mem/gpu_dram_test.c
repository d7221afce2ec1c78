/*
 * Tests of the DRAM of the GPU model: a monitor of its own checks every command of random runs
 * against the timing rules, and fails on each rule when fed a sequence that breaks it.
 */

#include "gpu_dram_check.h"
#include "tb/gpu/gpu_random.h"

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
    static struct dram_checker checker;
    struct gpu_config config = rules_config();
    if (which == UINT32_MAX - 1u) { /* the bus alone keeps columns apart */
        config.dram.tCCD = 1u;
        commands[3].cycle = changed.cycle;
    } else if (which != UINT32_MAX) {
        commands[which] = changed;
    }
    dram_checker_open(&checker, &config);
    for (size_t k = 0u; k < sizeof commands / sizeof *commands; k++) {
        dram_check_command(&checker, 0u, commands[k].command, commands[k].bank, commands[k].row,
                           commands[k].bytes != 0u ? commands[k].bytes : 128u,
                           commands[k].cycle);
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

static const char *script_verdict(const struct gpu_config *config, const struct script *script,
                                  uint64_t last)
{
    static struct dram_checker checker;
    dram_checker_open(&checker, config);
    for (uint32_t k = 0u; k < script->n; k++) {
        const struct command *const command = &script->commands[k];
        dram_check_command(
            &checker, 0u, command->command, command->bank, 1u,
            command->command == DRAM_READ || command->command == DRAM_WRITE ? 128u : 0u,
            k + 1u == script->n ? last : command->cycle);
    }
    return checker.broken;
}

static void check_scripts(const struct gpu_config *config, const struct script *scripts,
                          size_t n)
{
    for (size_t k = 0u; k < n; k++) {
        const char *const broken = script_verdict(config, &scripts[k], scripts[k].bad);
        assert_non_null(broken);
        assert_string_equal(broken, scripts[k].rule);
        if (scripts[k].good != 0u) {
            assert_null(script_verdict(config, &scripts[k], scripts[k].good));
        }
    }
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
    const struct gpu_config config = turns_config();
    check_scripts(&config, scripts, sizeof scripts / sizeof *scripts);
}

/* Each of the 8 banks has its turn 125 cycles after the one before. */
static void the_monitor_finds_each_broken_rule_of_refreshes_of_single_banks(void **state)
{
    (void)state;
    static const struct script scripts[] = {
        { "refresh before it is due", 125u, 124u, { COMMAND(REFRESH_BANK, 0u, 0u) }, 1u },
        { "refresh when the next is due", 249u, 250u, { COMMAND(REFRESH_BANK, 0u, 0u) }, 1u },
        { "refresh out of turn", 0u, 130u, { COMMAND(REFRESH_BANK, 1u, 0u) }, 1u },
        { "refresh of all banks", 0u, 130u, { COMMAND(REFRESH, 0u, 0u) }, 1u },
        { "precharge of all banks for the refresh of one",
          0u,
          130u,
          { COMMAND(ACTIVATE, 1u, 50u), COMMAND(PRECHARGE_ALL, 0u, 0u) },
          2u },
        { "activate while a refresh is due", 124u, 125u, { COMMAND(ACTIVATE, 0u, 0u) }, 1u },
        { "column while a refresh is due",
          124u,
          125u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(READ, 0u, 0u) },
          2u },
        { "tRREFD",
          134u,
          133u,
          { COMMAND(REFRESH_BANK, 0u, 125u), COMMAND(ACTIVATE, 1u, 0u) },
          2u },
        { "tRFC",
          225u,
          224u,
          { COMMAND(REFRESH_BANK, 0u, 125u), COMMAND(ACTIVATE, 0u, 0u) },
          2u },
        { "tRP",
          141u,
          140u,
          { COMMAND(ACTIVATE, 0u, 90u), COMMAND(PRECHARGE, 0u, 130u),
            COMMAND(REFRESH_BANK, 0u, 0u) },
          3u },
        { "tRC",
          145u,
          144u,
          { COMMAND(ACTIVATE, 0u, 100u), COMMAND(PRECHARGE, 0u, 130u),
            COMMAND(REFRESH_BANK, 0u, 0u) },
          3u },
        { "tRRD",
          130u,
          129u,
          { COMMAND(ACTIVATE, 1u, 124u), COMMAND(REFRESH_BANK, 0u, 0u) },
          2u },
        { "refresh of an open bank",
          0u,
          140u,
          { COMMAND(ACTIVATE, 0u, 90u), COMMAND(REFRESH_BANK, 0u, 0u) },
          2u },
    };
    static const struct script all = {
        "refresh of one bank", 0u, 1000u, { COMMAND(REFRESH_BANK, 0u, 0u) }, 1u
    };
#undef COMMAND
    struct gpu_config config = turns_config();
    check_scripts(&config, &all, 1u);
    config.dram.refresh = REFRESH_BANK;
    config.dram.tRREFD = 9u;
    check_scripts(&config, scripts, sizeof scripts / sizeof *scripts);
}

/* r and w: a read or write begins to wait; R and W: one goes; each 20 cycles after the last,
 * or with a dot before it in the same cycle. Of at most 4 writes 3 are many, and 1 is few. */
static const char *sides_verdict(const char *events)
{
    static struct dram_checker checker;
    struct gpu_config config = rules_config();
    uint64_t t = 100u;
    config.dram.write_queue = 4u;
    config.dram.write_high = 3u;
    config.dram.write_low = 2u;
    dram_checker_open(&checker, &config);
    checker.waits = true;
    dram_check_command(&checker, 0u, DRAM_ACTIVATE, 0u, 1u, 0u, t);
    for (const char *e = events; *e != '\0'; e++) {
        t += *e == '.' ? 0u : 20u;
        e += *e == '.' ? 1u : 0u;
        if (*e == 'r' || *e == 'w') {
            dram_check_waits(&checker, 0u, *e == 'w', t);
        } else {
            dram_check_command(&checker, 0u, *e == 'R' ? DRAM_READ : DRAM_WRITE, 0u, 1u, 128u,
                               t);
        }
    }
    return checker.broken;
}

static void the_monitor_finds_what_goes_out_of_turn(void **state)
{
    (void)state;
    static const char *const good[] = {
        "rR",    "wW",   "r.wR",  "r.wRW",      "r.w.w.wWWRW", "r.w.w.w.wWWWR",
        "w.rRW", "wrRW", "wrwRW", "wr.w.wWWRW", "rwwRWW",
    };
    static const struct {
        const char *events, *rule;
    } bad[] = {
        { "R", "what goes has waited" },
        { "rRR", "what goes has waited" },
        { "rwW", "write while reads go" },
        { "rwwW", "write while reads go" },
        { "r.w.w.wR", "read while writes go" },
        { "r.w.w.wWR", "read while writes go" },
        { "r.w.w.wWWW", "write while reads go" },
        { "w.w.w.w.w", "write queue" },
        { "r.r.r.r.r.r.r.r.r.r.r.r.r.r.r.r.r", "queue" },
    };
    for (size_t k = 0u; k < sizeof good / sizeof *good; k++) {
        const char *const broken = sides_verdict(good[k]);
        if (broken != NULL) {
            fail_msg("%s: %s", good[k], broken);
        }
    }
    for (size_t k = 0u; k < sizeof bad / sizeof *bad; k++) {
        const char *const broken = sides_verdict(bad[k].events);
        if (broken == NULL || strcmp(broken, bad[k].rule) != 0) {
            fail_msg("%s: %s", bad[k].events, broken != NULL ? broken : "nothing");
        }
    }
}

/* ---- Random runs --------------------------------------------------------------------- */

/* All that were due are told of; that of one bank may still be under way. */
static void check_refreshes(const struct gpu_config *c, const struct checked_partition *p,
                            uint64_t cycles)
{
    const uint32_t turns = c->dram.refresh == REFRESH_BANK ? c->dram.banks : 1u;
    uint64_t due = 0u;
    while (c->dram.tREFI != 0u && (due + 1u) * c->dram.tREFI / turns <= cycles) {
        due++;
    }
    assert_true(p->refreshes == due || (turns != 1u && p->refreshes + 1u == due));
}

static void random_runs_keep_every_timing_rule(void **state)
{
    (void)state;
    const uint64_t seed = printed_number("SEED", 1u), runs = printed_number("RUNS", 150u);
    static struct dram_checker checker;
    static struct program programs[2];
    uint64_t writes = 0u, precharges = 0u, refreshes = 0u, bank_refreshes = 0u, turns = 0u;
    for (uint64_t run = 0u; run < runs; run++) {
        uint64_t random = seed + run;
        const struct gpu_config c = random_machine(&random);
        const struct gpu_monitor monitor = { .self = &checker,
                                             .dram = dram_check_command,
                                             .dram_waits = dram_check_waits };
        const struct gpu_hooks hooks = { .monitor = &monitor };
        random_program(&programs[0], &random, 60u);
        random_program(&programs[1], &random, 60u);
        struct hand_kernel k = random_kernel(&c, &random, programs);
        dram_checker_open(&checker, &c);
        checker.waits = true;
        struct gpu *const g = open_gpu(&c, &hooks, run % 2u == 0u ? 0u : GPU_SCAN);
        launch(g, &k, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        if (checker.broken != NULL) {
            fail_msg("SEED=%" PRIu64 " RUNS=1: %s", seed + run, checker.broken);
        }
        for (uint32_t i = 0u; i < s->n_dram; i++) {
            const struct checked_partition *const p = &checker.partition[i];
            assert_int_equal(p->reads, s->dram[i].read);
            assert_int_equal(p->writes, s->dram[i].write);
            assert_int_equal(p->activates, s->dram[i].activate);
            assert_int_equal(p->precharges, s->dram[i].precharge);
            assert_int_equal(s->dram[i].bus, p->bus);
            assert_int_equal(s->dram[i].bytes, p->bytes);
            check_refreshes(&c, p, s->dram_cycles);
            turns += c.dram.write_queue != 0u ? p->turns : 0u;
            bank_refreshes += c.dram.refresh == REFRESH_BANK ? p->refreshes : 0u;
            writes += p->writes;
            refreshes += p->refreshes;
            precharges += p->precharges;
        }
        gpu_close(g);
    }
    /* The runs were of use. */
    assert_true(runs < 100u || (writes > 1000u && precharges > 1000u && refreshes > 1000u));
    assert_true(runs < 100u || (bank_refreshes > 1000u && turns > 1000u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monitor_finds_each_broken_rule),
        cmocka_unit_test(the_monitor_finds_each_broken_rule_of_turns_groups_and_refreshes),
        cmocka_unit_test(the_monitor_finds_each_broken_rule_of_refreshes_of_single_banks),
        cmocka_unit_test(the_monitor_finds_what_goes_out_of_turn),
        cmocka_unit_test(random_runs_keep_every_timing_rule),
    };
    return cmocka_run_group_tests_name("gpu_dram", tests, NULL, NULL);
}
