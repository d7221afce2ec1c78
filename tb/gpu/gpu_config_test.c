/*
 * Tests of the parameters of a GPU: the files of configs/gpu against the figures that their
 * sources quote, and every way in which a file, an assignment or a machine can be wrong.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/places.h"
#include "base/yaml_file.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"

static const char *const shipped[] = { "a100", "c2050",  "fermi-30",  "gtx480", "h100",
                                       "icc",  "icc-10", "icc-15",    "icc-6",  "k20c",
                                       "k20x", "m2090",  "m2090-64w", "onac32", "v100" };
enum { SHIPPED = sizeof shipped / sizeof shipped[0] };

static struct gpu_config load(const char *name)
{
    struct gpu_config config;
    struct fault fault;

    if (!gpu_config_load(name, &config, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return config;
}

/* A file of this text; path is filled in. */
static void write_file(const char *text, size_t length, char path[32])
{
    strcpy(path, "/tmp/gpu_config_XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *const file = fdopen(descriptor, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1u, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void expect_words(const char *message, const char *words)
{
    if (strstr(message, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", message, words);
    }
}

/* Every value, bit by bit; padding is no value. */
static void expect_same(const struct gpu_config *a, const struct gpu_config *b)
{
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        static const size_t sizes[] = { sizeof(uint32_t), sizeof(double), sizeof(bool),
                                        sizeof(enum warp_policy) };
        const size_t at = gpu_keys[i].offset;
        if (memcmp((const char *)a + at, (const char *)b + at, sizes[gpu_keys[i].type]) != 0) {
            fail_msg("%s.%s differs", gpu_keys[i].section, gpu_keys[i].key);
        }
    }
}

/* ---- Shipped files ------------------------------------------------------------------- */

static void the_list_of_gpus_is_that_of_the_folder(void **state)
{
    (void)state;
    char names[1024];
    char expected[1024] = "";

    for (uint32_t i = 0u; i < SHIPPED; i++) {
        strcat(strcat(expected, i == 0u ? "" : ", "), shipped[i]);
    }
    gpu_config_names(names, sizeof names);
    assert_string_equal(names, expected);
}

static bool has_source(const char *comment)
{
    static const char *const sources[] = {
        "CLASO ",
        "TH ",
        "LP ",
        "ICC ",
        "GF100 whitepaper",
        "V100 whitepaper",
        "A100 whitepaper",
        "H100 whitepaper",
        "assumed",
    };

    for (size_t i = 0u; i < sizeof sources / sizeof sources[0]; i++) {
        if (strncmp(comment, sources[i], strlen(sources[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Marks the keys that lines of the file have, each with its source; base becomes its base. */
static void read_keys(const char *name, bool *seen, char base[64])
{
    char path[PLACES_PATH];
    char line[256];
    char section[64] = "";

    assert_true(places_config("gpu", name, path, sizeof path));
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    base[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL) {
        char key[64];
        char comment[200] = "";
        if (strncmp(line, "base: ", 6u) == 0) {
            assert_int_equal(sscanf(line, "base: %63s", base), 1);
        } else if (line[0] != ' ' && line[0] != '#' && line[0] != '\n') {
            assert_int_equal(sscanf(line, "%63[a-z0-9]:", section), 1);
        } else if (line[0] == ' ') {
            assert_true(sscanf(line, " %63[^:]: %*s # %199[^\n]", key, comment) >= 1);
            const struct gpu_key *const row = gpu_key_find(section, key);
            assert_non_null(row);
            seen[row - gpu_keys] = true;
            if (!has_source(comment)) {
                fail_msg("%s: %s.%s has no source: %s", path, section, key, comment);
            }
        }
    }
    assert_int_equal(fclose(file), 0);
}

static void every_file_or_its_bases_list_every_key_with_its_source(void **state)
{
    (void)state;

    for (uint32_t i = 0u; i < SHIPPED; i++) {
        bool *const seen = calloc(gpu_key_count, sizeof *seen);
        assert_non_null(seen);
        char name[64];
        char base[64];
        snprintf(base, sizeof base, "%s", shipped[i]);
        while (base[0] != '\0') {
            memcpy(name, base, sizeof name);
            read_keys(name, seen, base);
        }
        for (uint32_t k = 0u; k < gpu_key_count; k++) {
            if (!seen[k]) {
                fail_msg("%s has no %s.%s", shipped[i], gpu_keys[k].section, gpu_keys[k].key);
            }
        }
        free(seen);
    }
}

static void a_printed_configuration_loads_again_to_the_same_values(void **state)
{
    (void)state;

    for (uint32_t i = 0u; i < SHIPPED; i++) {
        struct gpu_config config = load(shipped[i]);
        char *text = NULL;
        size_t length = 0u;
        char path[32];

        config.energy.fp32 = 0.1 + 0.2; /* 17 digits */
        config.warp.policy = WARP_TWO_LEVEL_GTO;
        config.l2.hash = !config.l2.hash;
        FILE *const memory = open_memstream(&text, &length);
        assert_non_null(memory);
        gpu_config_print(&config, memory);
        assert_int_equal(fclose(memory), 0);
        write_file(text, length, path);
        const struct gpu_config again = load(path);
        unlink(path);
        free(text);
        expect_same(&config, &again);
    }
}

/* ---- Figures of the sources ---------------------------------------------------------- */

static double pipes_of(const struct gpu_config *c, uint32_t units, enum pipe_owner owner,
                       uint32_t interval)
{
    const double pipes = (double)units * (owner == PIPE_OF_SM ? 1.0 : c->warp.schedulers);
    const double issued = (double)c->warp.schedulers * c->warp.width / c->warp.interval;
    const double executed = pipes / interval;

    return executed < issued ? executed : issued; /* warp instructions a cycle */
}

static double gflops(const struct gpu_config *c, double warps)
{
    return c->sm.count * warps * 32.0 * 2.0 * c->clock.core / 1000.0;
}

static double figure_of(const struct gpu_config *c, const char *what)
{
    const uint32_t ports = c->cluster.count < c->l2.slices ? c->cluster.count : c->l2.slices;

    if (strcmp(what, "DRAM") == 0) {
        return (double)c->l2.slices * c->dram.bus_bytes * c->dram.data_rate * c->clock.dram
               / 1000.0;
    }
    if (strcmp(what, "NoC") == 0) {
        return (double)ports * c->noc.channel_bytes * c->clock.noc / 1000.0;
    }
    if (strcmp(what, "L2") == 0) {
        return (double)c->l2.slices * c->l2.bytes / 1024.0;
    }
    if (strcmp(what, "FP64") == 0) {
        return gflops(c, pipes_of(c, c->fp64.units, c->fp64.owner, c->fp64.interval));
    }
    assert_string_equal(what, "FP32");
    return gflops(c, pipes_of(c, c->fp32.units, c->fp32.owner, c->fp32.interval));
}

/* GB/s, KB and GFLOPS as printed; they are rounded there, to half a percent at worst. */
static const struct {
    const char *gpu;
    const char *what;
    double quoted;
} figures[] = {
    { "c2050", "DRAM", 144 },     { "c2050", "L2", 6 * 128 },    { "c2050", "FP32", 1030 },
    { "m2090", "DRAM", 177 },     { "m2090", "FP32", 1330 },     { "m2090", "FP64", 665 },
    { "m2090-64w", "DRAM", 177 }, { "m2090-64w", "FP32", 1330 }, { "onac32", "DRAM", 177.4 },
    { "onac32", "FP32", 2662.4 }, { "k20x", "DRAM", 250 },       { "k20x", "FP32", 3935 },
    { "k20x", "FP64", 1311 },     { "k20c", "L2", 1536 },        { "icc", "DRAM", 720 },
    { "icc", "NoC", 716.8 },      { "icc-6", "NoC", 716.8 },     { "icc-10", "NoC", 716.8 },
    { "icc-15", "NoC", 716.8 },   { "gtx480", "DRAM", 177.4 },   { "gtx480", "FP32", 1345 },
    { "v100", "DRAM", 900 },      { "v100", "FP32", 15700 },     { "v100", "FP64", 7800 },
    { "v100", "L2", 6144 },       { "a100", "DRAM", 1555 },      { "a100", "FP32", 19500 },
    { "a100", "FP64", 9700 },     { "a100", "L2", 40960 },       { "h100", "DRAM", 3350 },
    { "h100", "FP32", 66900 },    { "h100", "FP64", 33500 },     { "h100", "L2", 51200 },
};

static void quoted_peaks_come_out(void **state)
{
    (void)state;

    for (size_t i = 0u; i < sizeof figures / sizeof figures[0]; i++) {
        const struct gpu_config config = load(figures[i].gpu);
        const double figure = figure_of(&config, figures[i].what);
        if (fabs(figure / figures[i].quoted - 1.0) > 0.0055) {
            fail_msg("%s: %s is %g, quoted as %g", figures[i].gpu, figures[i].what, figure,
                     figures[i].quoted);
        }
    }
}

/* ---- Files that are wrong ------------------------------------------------------------ */

static const struct {
    const char *text;
    const char *where; /* ":LINE: KEY: " */
    const char *words;
} wrong_files[] = {
    { "sm:\n  cuont: 3\n",
      ":2: sm.cuont: ", "the nearest is count; allowed: count, cta_slots," },
    { "sm:\n  count: 3\nsn:\n  count: 3\n",
      ":3: sn: ", "the nearest is sm; allowed: base, clock, sm," },
    { "sm:\n  count: many\n", ":2: sm.count: ", "many is given; allowed: a whole number" },
    { "sm:\n  count: 3.5\n", ":2: sm.count: ", "3.5 is given; allowed: a whole number" },
    { "sm:\n  count: 1e1\n", ":2: sm.count: ", "1e1 is given; allowed: a whole number" },
    { "sm:\n  count: 0x10\n", ":2: sm.count: ", "0x10 is given; allowed: a whole number" },
    { "sm:\n  count: -1\n", ":2: sm.count: ", "-1 is given; allowed: a whole number" },
    { "sm:\n  count: 010\n", ":2: sm.count: ", "010 is given; allowed: a whole number" },
    { "sm:\n  count: \"3\"\n", ":2: sm.count: ", "\"3\" is given; allowed: a whole number" },
    { "sm:\n  count: 4294967326\n", ":2: sm.count: ", "allowed: a whole number" },
    { "sm:\n  count:\n", ":2: sm.count: ", "nothing is given; allowed: a whole number" },
    { "sm:\n  count: [3]\n", ":2: sm.count: ", "a list is given; allowed: a single value" },
    { "sm: 3\n", ":1: sm: ", "3 is given; allowed: a mapping" },
    { "- sm\n", ":1: ", "a list is given; allowed: a mapping" },
    { "sm:\n  count: 0\n", ":2: sm.count: ", "0 is given; allowed: 1 to 192 SMs" },
    { "sm:\n  count: 193\n", ":2: sm.count: ", "193 is given; allowed: 1 to 192 SMs" },
    { "energy:\n  fp32: -0.5\n",
      ":2: energy.fp32: ", "-0.5 is given; allowed: 0 to 1000000 pJ" },
    { "energy:\n  fp32: nan\n",
      ":2: energy.fp32: ", "nan is given; allowed: a decimal number" },
    { "l2:\n  hash: yes\n", ":2: l2.hash: ", "yes is given; allowed: true or false" },
    { "warp:\n  policy: fifo\n",
      ":2: warp.policy: ", "fifo is given; allowed: lrr, gto, oldest" },
    { "warp:\n  policy: 1\n", ":2: warp.policy: ", "1 is given; allowed: lrr, gto, oldest" },
    { "sm:\n  count: 3\n  count: 4\n", ":3: sm.count: ", "first in line 2; allowed: once" },
    { "sm:\n  count: 3\nsm:\n  count: 4\n", ":3: sm: ", "first in line 1; allowed: once" },
    { "sm:\n  count: [\n", ":3: ", "not YAML" },
    { "sm:\n\tcount: 3\n", ":2: ", "not YAML" },
    { "", ":1: ", "the file is empty; allowed: keys and values" },
    { "# nothing\n", ":1: ", "the file is empty; allowed: keys and values" },
    { "sm:\n  count: 3\n---\nsm:\n", ":3: ", "a second document; allowed: one" },
    { "sm: &a\n  count: 3\nwarp: *a\n", ":3: ", "an alias; allowed: values only" },
    { "sm:\n  count: \xff\n", ":2: ", "allowed: UTF-8" },
    { "sm:\n  count: 4\n",
      ":1: cluster.count: ", "6 is more than sm.count; allowed: at most 4" },
    { "sm:\n  count: 8\ncluster:\n  request_queue: 8\n", ":3: cluster.count: ", "allowed: 4" },
    { "l1:\n  bytes: 49152\n  line: 64\n",
      ":3: l1.line: ", "differs from l2.line; allowed: 128" },
};

static void a_wrong_file_is_refused_with_line_key_and_what_is_allowed(void **state)
{
    (void)state;

    for (size_t i = 0u; i < sizeof wrong_files / sizeof wrong_files[0]; i++) {
        struct gpu_config config;
        struct fault fault;
        char where[64];
        char path[32];

        write_file(wrong_files[i].text, strlen(wrong_files[i].text), path);
        const bool good = gpu_config_load(path, &config, &fault);
        unlink(path);
        if (good) {
            fail_msg("was taken: %s", wrong_files[i].text);
        }
        snprintf(where, sizeof where, "%s%s", path, wrong_files[i].where);
        if (strncmp(fault_text(&fault), where, strlen(where)) != 0) {
            fail_msg("\"%s\" does not begin with \"%s\"", fault_text(&fault), where);
        }
        expect_words(fault_text(&fault), wrong_files[i].words);
        assert_null(strchr(fault_text(&fault), '\n'));
    }
}

static void deep_nesting_is_refused_at_once(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *const text = malloc(DEPTH + 4u);
    struct gpu_config config;
    struct fault fault;
    char path[32];

    assert_non_null(text);
    memcpy(text, "sm: ", 4u);
    memset(text + 4, '[', DEPTH);
    write_file(text, DEPTH + 4u, path);
    free(text);
    assert_false(gpu_config_load(path, &config, &fault));
    unlink(path);
    expect_words(fault_text(&fault), ":1: nested too deep; allowed: 64 levels");
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct gpu_config config;
    struct fault fault;

    assert_false(gpu_config_load("/none/such.yaml", &config, &fault));
    assert_string_equal(fault_text(&fault), "/none/such.yaml: No such file or directory");
    assert_false(gpu_config_load("/tmp", &config, &fault));
    assert_string_equal(fault_text(&fault), "/tmp: Is a directory");
    assert_false(gpu_config_load("m2091", &config, &fault));
    expect_words(
        fault_text(&fault),
        "m2091: no such GPU; allowed: a file (with a / or .yaml), or one of a100, c2050,");
    assert_false(gpu_config_load("", &config, &fault));
}

static void keys_that_a_file_leaves_out_have_their_defaults(void **state)
{
    (void)state;
    static const char text[] = "sm:\n  count: 12\nl2:\n  hash: false\nenergy:\n  l2: 1.5e2\n";
    struct gpu_config expected = gpu_config_standard();
    char path[32];

    write_file(text, sizeof text - 1u, path);
    const struct gpu_config config = load(path);
    unlink(path);
    expected.sm.count = 12u;
    expected.l2.hash = false;
    expected.energy.l2 = 150.0;
    expect_same(&config, &expected);
}

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
    { "constant.line=96 constant.bytes=9216", "constant.line", "such as 64 and 128" },
    { "l1.line=96 texture.line=96 l2.line=96 l2.interleave=96 dram.row_bytes=1920 "
      "texture.bytes=9216 l2.bytes=524544",
      "l1.line", "96 is no power of two" },
    { "l1.line=64 texture.line=64 l2.line=64", "", "" },
    { "l2.interleave=64", "l2.interleave", "allowed: multiples of 128" },
    { "l2.interleave=384", "l2.interleave", "384 is no power of two" },
    { "l2.interleave=512", "", "" },
    { "dram.row_bytes=2000", "dram.row_bytes", "allowed: multiples of 128" },
    { "dram.tRCD=29", "dram.tRCD", "29 is more than dram.tRAS; allowed: at most 28" },
    { "dram.tRAS=41", "dram.tRAS", "41 is more than dram.tRC; allowed: at most 40" },
    { "dram.tRAS=29", "dram.tRC", "40 is less than tRAS + tRP; allowed: at least 41" },
    { "dram.tRP=13", "dram.tRC", "allowed: at least 41" },
    { "clock.noc=81", "clock.noc", "allowed: from 1/16 to 8 times clock.core, 82 to 10400" },
    { "clock.noc=82", "", "" },
    { "clock.core=1000 clock.l2=8001", "clock.l2", "63 to 8000 MHz" },
    { "clock.core=1000 clock.l2=8000", "", "" },
    { "clock.dram=81", "clock.dram", "81 MHz" },
    { "clock.l2=82 l2.latency=255", "l2.latency", "core cycles; allowed: less than 4000" },
    { "clock.l2=82 l2.atomic_interval=255", "l2.atomic_interval", "take 4043 core cycles" },
    { "clock.noc=82 noc.latency=255", "noc.latency", "up to 319 cycles" },
    { "clock.dram=82 dram.tRC=255", "dram.tRC", "at clock.dram = 82 MHz" },
    { "clock.dram=82 dram.tWR=255", "dram.tWR", "core cycles" },
    { "clock.dram=82 dram.tCL=255", "dram.tWR", "core cycles" },
    { "clock.dram=82 dram.tCL=255 dram.tWR=1 dram.bus_bytes=1 dram.data_rate=1", "dram.tWR",
      "" },
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

    write_file(text, sizeof text - 1u, path);
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
        cmocka_unit_test(the_list_of_gpus_is_that_of_the_folder),
        cmocka_unit_test(every_file_or_its_bases_list_every_key_with_its_source),
        cmocka_unit_test(a_printed_configuration_loads_again_to_the_same_values),
        cmocka_unit_test(quoted_peaks_come_out),
        cmocka_unit_test(a_wrong_file_is_refused_with_line_key_and_what_is_allowed),
        cmocka_unit_test(deep_nesting_is_refused_at_once),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(keys_that_a_file_leaves_out_have_their_defaults),
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
