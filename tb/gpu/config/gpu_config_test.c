/*
 * Tests of the parameters of a GPU: the files of configs/gpu against the figures that their
 * sources quote, and every way in which a file can be wrong.
 */

#include "tb/gpu/config/gpu_config_text.h"

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
        "Lee et al., slides",
        "GF100 whitepaper",
        "V100 whitepaper",
        "A100 whitepaper",
        "H100 whitepaper",
        "GK110 whitepaper",
        "CUDA C Programming Guide",
        "CUDA C++ Programming Guide",
        "GPGPU-Sim",
        "DRAMsim3",
        "Ramulator 2",
        "AttAcc, HBM3",
        "Accel-Sim",
        "JESD23", /* the standards of HBM */
        "NVIDIA, cuda_occupancy.h",
        "NVIDIA, CUDA C++ Best Practices Guide",
        "NVIDIA, CUDA Compiler Driver NVCC",
        "NVIDIA, CUDA Occupancy Calculator",
        "NVIDIA, Volta Tuning Guide",
        "NVIDIA, Ampere Tuning Guide",
        "NVIDIA, Hopper Tuning Guide",
        "NVIDIA, Nsight Compute",
        "NVIDIA's forum",
        "Arunkumar, HPCA 2019", /* energies, from here on */
        "Gebhart, MICRO 2011",
        "Keckler, IEEE Micro 2011",
        "O'Connor, MICRO 2017",
        "GPUWattch, ISCA 2013",
        "AccelWattch, MICRO 2021",
        "measured: ",
        "chosen", /* what is studied, or how the model runs */
        "assumed",
        "not calibrated: ", /* the base's value, whose source is not one of this GPU */
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
            assert_int_equal(sscanf(line, "%63[a-z0-9_]:", section), 1);
        } else if (line[0] == ' ') {
            assert_true(sscanf(line, " %63[^:]: %*s # %199[^\n]", key, comment) >= 1);
            const struct gpu_key *const row = gpu_key_find(section, key);
            assert_non_null(row);
            seen[row - gpu_keys] = true;
            if (!has_source(comment)) {
                fail_msg("%s: %s.%s has no source: %s", path, section, key, comment);
            }
            /* Chosen is what no source says otherwise. */
            if (strncmp(comment, "chosen", 6u) == 0 && strstr(comment, "-Sim") != NULL) {
                fail_msg("%s: %s.%s is not chosen: %s", path, section, key, comment);
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
        struct gpu_config config = load_gpu(shipped[i]);
        char *text = NULL;
        size_t length = 0u;
        char path[32];

        config.energy.fp32 = 0.1 + 0.2; /* 17 digits */
        config.warp.policy = WARP_TWO_LEVEL_GTO;
        config.l2.hash = !config.l2.hash;
        FILE *const memory = open_memstream(&text, &length);
        assert_non_null(memory);
        gpu_config_print(&config, NULL, memory);
        assert_int_equal(fclose(memory), 0);
        write_config(text, length, path);
        const struct gpu_config again = load_gpu(path);
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
        return (double)c->l2.slices * c->dram.channels * c->dram.bus_bytes * c->dram.data_rate
               * c->clock.dram / 1000.0;
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
    { "a100", "FP64", 9700 },     { "a100", "L2", 40960 / 2 },   { "h100", "DRAM", 3350 },
    { "h100", "FP32", 66900 },    { "h100", "FP64", 33500 },     { "h100", "L2", 51200 / 2 },
};

static void quoted_peaks_come_out(void **state)
{
    (void)state;

    for (size_t i = 0u; i < sizeof figures / sizeof figures[0]; i++) {
        const struct gpu_config config = load_gpu(figures[i].gpu);
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

        write_config(wrong_files[i].text, strlen(wrong_files[i].text), path);
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
    write_config(text, DEPTH + 4u, path);
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

    write_config(text, sizeof text - 1u, path);
    const struct gpu_config config = load_gpu(path);
    unlink(path);
    expected.sm.count = 12u;
    expected.l2.hash = false;
    expected.energy.l2 = 150.0;
    expect_same(&config, &expected);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
