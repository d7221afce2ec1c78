/*
 * Tests of the keys of a GPU: machines and assignments that are wrong, ranges, and the table of
 * keys.
 */

#include "tb/gpu/config/gpu_config_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/yaml_file.h"
#include "gpu/config/gpu_config_file.h"

/* ---- Machines that are impossible ---------------------------------------------------- */

/* Assignments to the default, and the key to blame; "" if the machine is possible. */
static const struct {
    const char *sets;
    const char *blamed;
    const char *words;
} machines[] = {
    { "", "", "" },
    { "sm.count=5", "cluster.count", "6 is more than sm.count; allowed: at most 5" },
    { "sm.count=6", "", "" },
    { "cluster.count=25", "cluster.count", "fills 15 of 25 clusters; allowed: 15" },
    { "sm.count=80", "", "" },
    { "sm.threads=1537", "sm.threads",
      "allowed: multiples of 32, at most 32 * sm.warp_slots = 1536" },
    { "sm.threads=1568", "sm.threads", "1568 threads" },
    { "sm.threads=1500", "sm.threads", "1500 threads; allowed: multiples of 32" },
    { "sm.threads=1504", "", "" },
    { "warp.ready_queue=49", "warp.ready_queue", "allowed: at most 48" },
    { "warp.ready_queue=48", "", "" },
    { "l1.bytes=49153", "l1.bytes", "allowed: multiples of 512" },
    { "constant.bytes=8000", "constant.bytes", "allowed: multiples of 128" },
    { "texture.bytes=12287", "texture.bytes", "allowed: multiples of 3072" },
    { "l2.bytes=524289", "l2.bytes", "allowed: multiples of 1024" },
    { "l1.bytes=0 constant.bytes=0 texture.bytes=0", "", "" },
    { "l1.line=64", "l1.line", "64 differs from l2.line; allowed: 128" },
    { "texture.line=64", "texture.line", "64 differs from l2.line; allowed: 128" },
    { "constant.line=256", "constant.line", "allowed: at most 128" },
    { "icache.bytes=2048 icache.line=256", "icache.line", "allowed: at most 128" },
    { "icache.bytes=2000", "icache.bytes", "multiples of 512" },
    { "icache.instruction=12", "icache.instruction", "such as 8 and 16" },
    { "constant.line=96 constant.bytes=9216", "constant.line", "such as 64 and 128" },
    { "l1.line=96 texture.line=96 l2.line=96 l2.interleave=96 dram.row_bytes=1920 "
      "texture.bytes=9216 l2.bytes=524544",
      "l1.line", "96 is no power of two" },
    { "l1.line=64 texture.line=64 l2.line=64", "", "" },
    { "l2.interleave=64", "l2.interleave", "allowed: multiples of 128" },
    { "l2.interleave=384", "l2.interleave", "384 is no power of two" },
    { "l2.interleave=512", "", "" },
    { "dram.row_bytes=2000", "dram.row_bytes", "allowed: multiples of 128" },
    { "dram.bank_interleave=200", "dram.bank_interleave", "allowed: multiples of 128" },
    { "dram.bank_interleave=384", "dram.bank_interleave",
      "384 does not divide dram.row_bytes; allowed: 0, and divisors of 2048" },
    { "dram.bank_interleave=256", "", "" },
    { "dram.channels=8", "", "" },
    { "dram.bank_hash=xor", "", "" },
    { "dram.bank_hash=xor dram.banks=12", "dram.bank_hash",
      "xor with 12 banks; allowed: none, or a power of two of them" },
    { "l2.sector=48", "l2.sector",
      "48 is no whole, half or quarter of l2.line; allowed: 0, 32, 64, 128" },
    { "dram.atom=16", "dram.atom", "allowed: 0, 32, 64, 128" },
    { "l2.sector=32 dram.atom=64", "", "" },
    { "dram.tRCD=29", "dram.tRCD", "29 is more than dram.tRAS; allowed: at most 28" },
    { "dram.tRAS=41", "dram.tRAS", "41 is more than dram.tRC; allowed: at most 40" },
    { "dram.tRAS=29", "dram.tRC", "40 is less than tRAS + tRP; allowed: at least 41" },
    { "dram.tRP=13", "dram.tRC", "allowed: at least 41" },
    { "dram.tWL=13", "dram.tWL", "13 is more than dram.tCL; allowed: at most 12" },
    { "dram.tWL=12", "", "" },
    { "dram.bank_groups=3 dram.tCCDL=3", "dram.bank_groups",
      "3 does not divide dram.banks; allowed: 0, or a divisor of 16" },
    { "dram.bank_groups=4", "dram.tCCDL", "0 is less than dram.tCCD, with bank groups" },
    { "dram.bank_groups=4 dram.tCCDL=1", "dram.tCCDL", "allowed: at least 2" },
    { "dram.bank_groups=4 dram.tCCDL=2", "", "" },
    { "dram.tCCDL=3", "dram.tCCDL",
      "3 without bank groups; allowed: 0, or dram.bank_groups of at least 1" },
    { "dram.tFAW=6", "dram.tFAW", "allowed: 0, or at least 7" },
    { "dram.tFAW=7", "", "" },
    { "dram.tREFI=4000", "dram.tRFC", "0 with dram.tREFI of 4000; allowed: both, or neither" },
    { "dram.tRFC=100", "dram.tREFI", "0 with dram.tRFC of 100; allowed: both, or neither" },
    { "dram.tREFI=192 dram.tRFC=100", "dram.tREFI", "allowed: 0, or at least 193" },
    { "dram.tREFI=193 dram.tRFC=100", "", "" },
    { "dram.refresh=bank", "dram.refresh", "bank without dram.tREFI; allowed: all, or" },
    { "dram.tRREFD=3", "dram.tRREFD", "3 with dram.refresh all; allowed: 0, or" },
    { "dram.refresh=bank dram.tREFI=767 dram.tRFC=100", "dram.tREFI",
      "767 leaves 47 cycles for each bank's turn; allowed with dram.refresh bank: at least "
      "768" },
    { "dram.refresh=bank dram.tREFI=768 dram.tRFC=100", "", "" },
    { "dram.refresh=bank dram.tREFI=768 dram.tRFC=100 dram.tRREFD=1", "dram.tREFI",
      "least 784" },
    { "dram.write_high=3", "dram.write_high", "3 without dram.write_queue; allowed: 0, or" },
    { "dram.write_low=2", "dram.write_low", "2 without dram.write_queue; allowed: 0, or" },
    { "dram.write_queue=8", "dram.write_high", "0; allowed with dram.write_queue: 1 to 8" },
    { "dram.write_queue=8 dram.write_high=9 dram.write_low=1", "dram.write_high", "1 to 8" },
    { "dram.write_queue=8 dram.write_high=6", "dram.write_low",
      "0; allowed with dram.write_queue: 1 to dram.write_high, 6" },
    { "dram.write_queue=8 dram.write_high=6 dram.write_low=7", "dram.write_low", "high, 6" },
    { "dram.write_queue=8 dram.write_high=6 dram.write_low=6", "", "" },
    { "l2.write_fetch=true dram.queue=2", "dram.queue",
      "2; allowed with l2.write_fetch: 3 to" },
    { "l2.write_fetch=true dram.queue=3", "", "" },
    { "l2.write_fetch=true dram.write_queue=1 dram.write_high=1 dram.write_low=1",
      "dram.write_queue", "1; allowed with l2.write_fetch: 0, or 2 to 64" },
    { "l2.write_fetch=true dram.queue=2 dram.write_queue=2 dram.write_high=1 dram.write_low=1",
      "", "" },
    { "l1.carveouts=volta", "l1.carveouts",
      "the largest is 98304 bytes, and sm.shared_bytes 49152; allowed: none, or" },
    { "l1.carveouts=volta sm.shared_bytes=98304", "", "" },
    { "l1.carveouts=hopper sm.shared_bytes=233472", "", "" },
    { "l1.carveouts=volta sm.shared_bytes=98304 l1.bytes=0", "l1.carveouts",
      "an L1 of 0 bytes" },
    { "l1.carveouts=volta sm.shared_bytes=98304 l1.ways=3", "l1.carveouts", "in sets of 384" },
    { "clock.noc=81", "clock.noc", "allowed: from 1/16 to 8 times clock.core, 82 to 10400" },
    { "clock.noc=82", "", "" },
    { "clock.core=1000 clock.l2=8001", "clock.l2", "63 to 8000 MHz" },
    { "clock.core=1000 clock.l2=8000", "", "" },
    { "clock.dram=81", "clock.dram", "81 MHz" },
    { "clock.l2=82 l2.latency=255", "l2.latency", "core cycles; allowed: less than 4000" },
    { "clock.l2=82 l2.atomic_interval=8", "l2.atomic_interval", "take 4059 core cycles" },
    { "clock.noc=82 noc.latency=255", "noc.latency", "up to 319 cycles" },
    { "clock.noc=82 noc.credit_latency=255", "noc.credit_latency", "take 4075 core cycles" },
    { "clock.dram=82 dram.tRC=255", "dram.tRC", "at clock.dram = 82 MHz" },
    { "clock.dram=82 dram.tWR=255", "dram.tWR", "core cycles" },
    { "clock.dram=82 dram.tCL=255", "dram.tWR", "core cycles" },
    { "clock.dram=82 dram.tCL=255 dram.tWR=1 dram.bus_bytes=1 dram.data_rate=1", "dram.tWR",
      "" },
    { "clock.dram=82 dram.tWTR=250", "dram.tWTR", "core cycles" },
    { "clock.dram=82 dram.tRTP=250", "dram.tRTP", "core cycles" },
    { "clock.dram=82 dram.tFAW=253", "dram.tFAW", "core cycles" },
    { "clock.dram=82 dram.bank_groups=4 dram.tCCDL=255", "dram.tCCDL", "core cycles" },
    { "dram.tREFI=60000 dram.tRFC=2000", "", "" },
    { "clock.dram=650 dram.tREFI=60000 dram.tRFC=2000", "dram.tRFC", "core cycles" },
    { "clock.dram=82 dram.latency=255", "dram.latency",
      "core cycles; allowed: less than 4000" },
    { "clock.l2=90 l2.latency=255", "", "" },
};

static void change(struct gpu_config *config, const char *sets)
{
    char words[256];
    struct fault fault;
    char *rest = NULL;

    snprintf(words, sizeof words, "%s", sets);
    for (const char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (!gpu_config_set(config, word, &fault)) {
            fail_msg("%s", fault_text(&fault));
        }
    }
}

static void an_impossible_machine_blames_the_key(void **state)
{
    (void)state;

    for (size_t i = 0u; i < sizeof machines / sizeof machines[0]; i++) {
        struct gpu_config config = gpu_config_standard();
        struct fault fault;
        char blamed[64] = "";

        change(&config, machines[i].sets);
        const struct gpu_key *const key = gpu_config_fault(&config, &fault);
        if (key != NULL) {
            snprintf(blamed, sizeof blamed, "%s.%s", key->section, key->key);
        }
        if (strcmp(blamed, machines[i].blamed) != 0) {
            fail_msg("%s: \"%s\" is blamed, not \"%s\": %s", machines[i].sets, blamed,
                     machines[i].blamed, fault_text(&fault));
        }
        expect_words(fault_text(&fault), machines[i].words);
    }
}

/* ---- Assignments --------------------------------------------------------------------- */

static void an_assignment_changes_its_key_alone(void **state)
{
    (void)state;
    struct gpu_config config = gpu_config_standard();
    struct gpu_config expected = gpu_config_standard();

    change(&config, "sm.count=60 energy.fp32=0.25 l2.hash=false dram.policy=fcfs");
    expected.sm.count = 60u;
    expected.energy.fp32 = 0.25;
    expected.l2.hash = false;
    expected.dram.policy = DRAM_FCFS;
    expect_same(&config, &expected);
}

static void a_wrong_assignment_changes_nothing_and_says_what_is_allowed(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        { "sm.cuont=3",
          "sm.cuont: no such key, the nearest is sm.count; allowed: sm.count, sm." },
        { "sn.count=3", "the nearest is sm.count; allowed: clock, sm, warp" },
        { "count=3", "count: no such key; allowed: clock, sm, warp" },
        { "=3", ": no such key; allowed: clock, sm, warp" },
        { "sm=3", "sm: no such key; allowed: sm.count, sm.cta_slots" },
        { "sm.count", "sm.count: no value is given; allowed: sm.count=VALUE, of 1 to 192 SMs" },
        { "sm.count=", "sm.count: \"\" is given; allowed: a whole number, 1 to 192 SMs" },
        { "sm.count=0", "sm.count: \"0\" is given; allowed: a whole number, 1 to 192 SMs" },
        { "sm.count=193", "\"193\" is given; allowed: a whole number, 1 to 192 SMs" },
        { "sm.count=4294967326", "allowed: a whole number, 1 to 192 SMs" },
        { "sm.count= 3", "allowed: a whole number, 1 to 192 SMs" },
        { "sm.count=3.0", "allowed: a whole number, 1 to 192 SMs" },
        { "energy.fp32=inf", "energy.fp32: \"inf\" is given; allowed: 0 to 1000000 pJ" },
        { "energy.fp32=1e7", "allowed: 0 to 1000000 pJ" },
        { "l2.hash=1", "l2.hash: \"1\" is given; allowed: true, false" },
        { "dram.policy=FCFS", "dram.policy: \"FCFS\" is given; allowed: fr-fcfs, fcfs" },
    };
    const struct gpu_config standard = gpu_config_standard();

    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct gpu_config config = standard;
        struct fault fault;
        if (gpu_config_set(&config, wrong[i][0], &fault)) {
            fail_msg("%s was taken", wrong[i][0]);
        }
        expect_words(fault_text(&fault), wrong[i][1]);
        expect_same(&config, &standard);
    }
}

/* ---- The table ----------------------------------------------------------------------- */

static void a_number_out_of_its_range_is_blamed_however_it_came_there(void **state)
{
    (void)state;
    struct gpu_config config = gpu_config_standard();
    struct fault fault;

    config.sm.count = 0u;
    assert_ptr_equal(gpu_config_fault(&config, &fault), gpu_key_find("sm", "count"));
    expect_words(fault_text(&fault), "0 is given; allowed: 1 to 192 SMs");
    config.sm.count = 30u;
    config.energy.fp32 = NAN;
    assert_ptr_equal(gpu_config_fault(&config, &fault), gpu_key_find("energy", "fp32"));
}

static void defaults_are_within_their_ranges(void **state)
{
    (void)state;
    struct gpu_config config = gpu_config_standard();
    const struct gpu_config standard = config;

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char assignment[128];
        char value[64];
        snprintf(assignment, sizeof assignment, "%s.%s=%s", gpu_keys[i].section,
                 gpu_keys[i].key, gpu_config_value(&config, &gpu_keys[i], value, sizeof value));
        change(&config, assignment);
    }
    expect_same(&config, &standard);
}

static void the_table_has_a_row_for_each_key(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0u;
    FILE *const memory = open_memstream(&text, &length);

    assert_non_null(memory);
    gpu_config_table(memory);
    assert_int_equal(fclose(memory), 0);
    uint32_t rows = 0u;
    for (const char *row = strstr(text, "\n| `"); row != NULL; row = strstr(row + 1, "\n| `")) {
        rows++;
    }
    assert_int_equal(rows, gpu_key_count);
    expect_words(text, "\n| `count` | 30 | 1 to 192 | SMs | streaming multiprocessors |\n");
    free(text);
}

static void lines_of_keys_are_found(void **state)
{
    (void)state;
    static const char text[] =
        "# first\nsm:\n  count: 3\nbody:\n  - op: a\n  - x: 1\n    op: b\n";
    char path[32];

    write_config(text, sizeof text - 1u, path);
    assert_int_equal(yaml_line(path, "sm"), 2);
    assert_int_equal(yaml_line(path, "sm.count"), 3);
    assert_int_equal(yaml_line(path, "body.0"), 5);
    assert_int_equal(yaml_line(path, "body.1.op"), 7);
    assert_int_equal(yaml_line(path, "body.2.op"), 0);
    assert_int_equal(yaml_line(path, "sm.none"), 0);
    assert_int_equal(yaml_line(path, "sm.count.x"), 0);
    unlink(path);
    assert_int_equal(yaml_line(path, "sm"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impossible_machine_blames_the_key),
        cmocka_unit_test(an_assignment_changes_its_key_alone),
        cmocka_unit_test(a_wrong_assignment_changes_nothing_and_says_what_is_allowed),
        cmocka_unit_test(a_number_out_of_its_range_is_blamed_however_it_came_there),
        cmocka_unit_test(defaults_are_within_their_ranges),
        cmocka_unit_test(the_table_has_a_row_for_each_key),
        cmocka_unit_test(lines_of_keys_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
