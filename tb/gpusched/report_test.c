/*
 * Tests of what a run reports: JSON, timeline, series, numbers. A small kernel runs on the
 * real model; the reports are read back and compared with its statistics.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "gpusched/result/naive.h"
#include "gpusched/result/result_json.h"
#include "gpusched/run/recorder.h"
#include "tool/format.h"
#include "tool/output.h"

enum { KERNELS = 2, CTAS = 24, WARPS = 4, INTERVAL = 100, ROUNDS = 16 };

/* ---- A small run --------------------------------------------------------------------- */

static struct instruction text[3 * ROUNDS + 1];
static uint32_t access_list[CTAS][WARPS][ROUNDS];

static bool open_cta(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                     struct fault *fault)
{
    (void)self;
    (void)fault;
    *handle = NULL;
    for (uint32_t w = 0u; w < WARPS; w++) {
        for (uint32_t i = 0u; i < ROUNDS; i++) {
            access_list[cta][w][i] = ACCESS((cta * 16u + w * 8u + i) % 97u, 15u);
        }
        warp[w] = (struct warp_stream){ .instruction = text, .access = access_list[cta][w] };
    }
    return true;
}

static void free_cta(void *self, void *handle)
{
    (void)self;
    (void)handle;
}

static struct kernel_source small_kernel(const char *name)
{
    for (uint32_t i = 0u; i < ROUNDS; i++) {
        text[3u * i] = (struct instruction){
            .op = OP_LOAD, .dst = 2, .n_dst = 1, .lanes = 32, .accesses = 1, .pc = 3u * i
        };
        text[3u * i + 1u] = (struct instruction){
            .op = OP_FP32, .dst = 3, .n_dst = 1, .lanes = 32, .src = { 2, 3 }, .pc = 3u * i + 1u
        };
        text[3u * i + 2u] = (struct instruction){
            .op = OP_INTEGER, .dst = 4, .n_dst = 1, .lanes = 32, .src = { 4 }, .pc = 3u * i + 2u
        };
    }
    text[3 * ROUNDS] = (struct instruction){ .op = OP_EXIT, .lanes = 32, .pc = 3 * ROUNDS };
    return (struct kernel_source){
        .shape = { .name = name,
                   .grid = { 6, 4, 1 },
                   .block = { 32 * WARPS, 1, 1 },
                   .registers = 16,
                   .last_register = 4 },
        .open_cta = open_cta,
        .free_cta = free_cta,
    };
}

/* A report as text, and its end. */
struct memory {
    char *text;
    size_t size;
    FILE *file;
};

static void memory_open(struct memory *memory)
{
    memory->file = open_memstream(&memory->text, &memory->size);
    assert_non_null(memory->file);
}

struct small {
    struct gpu_config config;
    struct memory timeline, series, series_sm, result;
    struct recorder *recorder;
    struct gpu *gpu;
    const struct gpu_stats *stats;
};

static void launch(struct small *small, const struct timeline_kernel *kernels)
{
    struct fault fault;

    for (uint32_t k = 0u; k < KERNELS; k++) {
        const struct kernel_source source = small_kernel(kernels[k].shape.name);
        assert_true(gpu_launch(small->gpu, &source, k, &fault));
    }
    assert_int_equal(gpu_run(small->gpu), GPU_DONE);
    recorder_end(small->recorder, small->gpu);
    small->stats = gpu_stats(small->gpu);
}

static void small_open(struct small *small, unsigned mode)
{
    struct timeline_kernel kernels[KERNELS];
    struct fault fault;

    small->config = gpu_config_standard();
    small->config.sm.count = 6u;
    small->config.cluster.count = 2u;
    small->config.l2.slices = 3u;
    memory_open(&small->timeline);
    memory_open(&small->series);
    memory_open(&small->series_sm);
    memory_open(&small->result);
    for (uint32_t k = 0u; k < KERNELS; k++) {
        kernels[k] = (struct timeline_kernel){
            .shape = small_kernel(k == 0u ? "first" : "a \"second\"\\").shape,
            .stream = k,
        };
    }
    small->recorder =
        recorder_open(&small->config, kernels, KERNELS,
                      &(struct recorder_options){ .interval = INTERVAL,
                                                  .timeline = small->timeline.file,
                                                  .series = small->series.file,
                                                  .series_sm = small->series_sm.file });
    assert_non_null(small->recorder);
    const struct gpu_hooks hooks = { .monitor = recorder_monitor(small->recorder) };
    small->gpu = gpu_open(&small->config, &hooks, mode, &fault);
    assert_non_null(small->gpu);
    launch(small, kernels);
    assert_true(result_json_write(&(struct result){ .workload = "small",
                                                    .config = &small->config,
                                                    .stats = small->stats,
                                                    .message = "" },
                                  small->result.file));
    fclose(small->timeline.file);
    fclose(small->series.file);
    fclose(small->series_sm.file);
    fclose(small->result.file);
}

static void small_close(struct small *small)
{
    gpu_close(small->gpu);
    recorder_free(small->recorder);
    free(small->timeline.text);
    free(small->series.text);
    free(small->series_sm.text);
    free(small->result.text);
}

static json_t *parsed(const struct memory *memory)
{
    json_error_t error;
    json_t *const object = json_loadb(memory->text, memory->size, 0, &error);

    if (object == NULL) {
        print_error("line %d: %s\n", error.line, error.text);
    }
    assert_non_null(object);
    return object;
}

/* ---- Numbers ------------------------------------------------------------------------- */

static void numbers_have_separators_and_units(void **state)
{
    (void)state;
    assert_string_equal(format_count(0u).text, "0");
    assert_string_equal(format_count(999u).text, "999");
    assert_string_equal(format_count(1000u).text, "1,000");
    assert_string_equal(format_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
    assert_string_equal(format_unit(0.0, "J").text, "0 J");
    assert_string_equal(format_unit(9.497e-5, "s").text, "94.97 us");
    assert_string_equal(format_unit(999.96, "W").text, "1.000 kW");
    assert_string_equal(format_unit(1.0, "s").text, "1.000 s");
    assert_string_equal(format_unit(2.5e9, "B/s").text, "2.500 GB/s");
    assert_string_equal(format_share(0.1234).text, "12.3 %");
    assert_string_equal(format_share((double)NAN).text, "-  ");
    assert_string_equal(format_duration(3723.9).text, "1:02:03");
    assert_string_equal(format_duration(59.0).text, "0:59");
}

static void a_bar_is_as_long_as_its_share(void **state)
{
    (void)state;
    assert_string_equal(format_bar(0.5, 8u, false).text, "####");
    assert_string_equal(format_bar(0.0, 8u, true).text, "");
    assert_string_equal(format_bar(0.0001, 8u, true).text, "▏");
    assert_string_equal(format_bar(1.0, 3u, true).text, "███");
    assert_string_equal(format_bar((double)NAN, 3u, true).text, "");
    assert_string_equal(format_bar(7.0, 3u, false).text, "###");
}

/* ---- result.json --------------------------------------------------------------------- */

static void totals_are_the_sums_of_their_members(void **state)
{
    (void)state;
    struct small small;
    small_open(&small, 0u);
    json_t *const result = parsed(&small.result);

    for (uint32_t g = 0u; g < COUNT_GROUPS; g++) {
        json_t *const group = json_object_get(result, count_groups[g].name);
        json_t *const each = json_object_get(group, "each");
        uint32_t n;
        count_members(&count_groups[g], small.stats, &n);
        for (const struct gpu_count *row = count_groups[g].counts; row->name != NULL; row++) {
            json_t *const column = json_object_get(each, row->name);
            json_int_t sum = 0;
            assert_int_equal(json_array_size(column), n);
            for (uint32_t i = 0u; i < n; i++) {
                sum += json_integer_value(json_array_get(column, i));
            }
            json_t *const total = json_object_get(json_object_get(group, "total"), row->name);
            assert_true(json_is_integer(total));
            assert_int_equal(json_integer_value(total), sum);
        }
    }
    json_decref(result);
    small_close(&small);
}

static void result_json_has_every_key_of_the_configuration_and_every_figure(void **state)
{
    (void)state;
    struct small small;
    small_open(&small, 0u);
    json_t *const result = parsed(&small.result);
    json_t *const derived = json_object_get(result, "derived");
    json_t *const config = json_object_get(result, "configuration");

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        assert_non_null(
            json_object_get(json_object_get(config, gpu_keys[i].section), gpu_keys[i].key));
    }
    for (const struct figure *row = figure_table; row->name != NULL; row++) {
        assert_non_null(json_object_get(derived, row->name));
    }
    for (const struct energy_part *part = energy_parts; part->name != NULL; part++) {
        assert_true(
            json_is_real(json_object_get(json_object_get(result, "energy"), part->name)));
    }
    assert_int_equal(json_array_size(json_object_get(result, "kernels")), KERNELS);
    json_decref(result);
    small_close(&small);
}

static void every_mode_gives_the_same_bytes(void **state)
{
    (void)state;
    struct small fast;
    struct small naive;
    small_open(&fast, 0u);
    small_open(&naive, GPU_NAIVE);

    assert_string_equal(fast.result.text, naive.result.text);
    assert_string_equal(fast.series.text, naive.series.text);
    assert_string_equal(fast.series_sm.text, naive.series_sm.text);
    assert_string_equal(fast.timeline.text, naive.timeline.text);
    small_close(&fast);
    small_close(&naive);
}

static void what_was_run_is_what_is_reported(void **state)
{
    (void)state;
    struct small small;
    small_open(&small, 0u);
    const uint64_t issued = (uint64_t)KERNELS * CTAS * WARPS * (3u * ROUNDS + 1u);
    const struct figures figures = figures_of(&small.config, small.stats);

    assert_true(fabs(figures.ipc * (double)small.stats->cycles - (double)issued) < 1e-6);
    assert_true(figures.l1_hit_rate >= 0.0 && figures.l1_hit_rate <= 1.0);
    assert_true(isnan(figures.texture_hit_rate));
    assert_true(figures.dram_bandwidth <= figures.dram_peak);
    small_close(&small);
}

/* ---- Timeline ------------------------------------------------------------------------ */

/* The end of an event with a duration. */
static int64_t span_end(json_t *event)
{
    assert_true(json_is_integer(json_object_get(event, "ts")));
    assert_true(json_is_integer(json_object_get(event, "dur")));
    return json_integer_value(json_object_get(event, "ts"))
           + json_integer_value(json_object_get(event, "dur"));
}

static void the_timeline_shows_each_kernel_and_cta_once(void **state)
{
    (void)state;
    struct small small;
    bool seen[KERNELS][CTAS] = { { false } };
    int64_t ended[6][32] = { { 0 } }; /* of each SM's slots */
    uint32_t kernels = 0u;
    uint32_t counters = 0u;
    size_t i;
    json_t *event;
    small_open(&small, 0u);
    json_t *const timeline = parsed(&small.timeline);

    json_array_foreach(json_object_get(timeline, "traceEvents"), i, event)
    {
        const char *const kind = json_string_value(json_object_get(event, "ph"));
        const json_int_t process = json_integer_value(json_object_get(event, "pid"));
        counters += kind[0] == 'C';
        if (kind[0] != 'X') {
            continue;
        }
        json_t *const args = json_object_get(event, "args");
        const json_int_t kernel = json_integer_value(json_object_get(args, "kernel"));
        const int64_t end = span_end(event);
        /* Cycles are numbered from 1; an end is the cycle after. */
        assert_true(end <= (int64_t)small.stats->cycles + 1);
        if (process < 100) {
            kernels++;
            continue;
        }
        json_t *const at = json_object_get(args, "cta");
        const json_int_t cta = json_integer_value(json_array_get(at, 0u))
                               + 6 * json_integer_value(json_array_get(at, 1u));
        const json_int_t slot = json_integer_value(json_object_get(event, "tid"));
        assert_false(seen[kernel][cta]);
        seen[kernel][cta] = true;
        assert_true(json_integer_value(json_object_get(event, "ts"))
                    >= ended[process - 100][slot]);
        ended[process - 100][slot] = end;
    }
    for (uint32_t k = 0u; k < KERNELS; k++) {
        for (uint32_t cta = 0u; cta < CTAS; cta++) {
            assert_true(seen[k][cta]);
        }
    }
    assert_int_equal(kernels, KERNELS);
    assert_true(counters > 0u);
    json_decref(timeline);
    small_close(&small);
}

/* ---- Series -------------------------------------------------------------------------- */

static uint32_t commas(const char *line)
{
    uint32_t n = 0u;

    for (; *line != '\n' && *line != '\0'; line++) {
        n += *line == ',';
    }
    return n;
}

static void every_row_of_a_series_has_the_columns_of_its_header(void **state)
{
    (void)state;
    struct small small;
    small_open(&small, 0u);
    const char *const texts[] = { small.series.text, small.series_sm.text };

    for (int t = 0; t < 2; t++) {
        const uint32_t columns = commas(texts[t]);
        assert_true(columns > 10u);
        for (const char *row = texts[t]; *row != '\0'; row = strchr(row, '\n') + 1) {
            assert_int_equal(commas(row), columns);
        }
    }
    small_close(&small);
}

static void a_series_covers_all_cycles_and_classes_share_each_interval(void **state)
{
    (void)state;
    struct small small;
    small_open(&small, 0u);
    uint64_t before = 0u;

    for (const char *row = strchr(small.series.text, '\n') + 1; *row != '\0';
         row = strchr(row, '\n') + 1) {
        char *at;
        const uint64_t cycle = strtoull(row, &at, 10);
        double shares = 0.0;
        assert_true(cycle > before && cycle - before <= INTERVAL);
        strtod(at + 1, &at); /* IPC */
        for (int i = 0; i < SCHEDULER_CLASSES; i++) {
            shares += strtod(at + 1, &at);
        }
        assert_true(fabs(shares - 1.0) < 1e-4);
        before = cycle;
    }
    assert_int_equal(before, small.stats->cycles);
    small_close(&small);
}

/* ---- Files and modes ----------------------------------------------------------------- */

static void files_get_their_names_at_the_end_or_never(void **state)
{
    (void)state;
    static const char *const none[] = { NULL };
    char folder[] = "/tmp/report_test_XXXXXX";
    char path[64];
    struct fault fault;
    struct output output;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sub/a", folder);
    path[strlen(path) - 2u] = '\0';
    for (int commit = 0; commit < 2; commit++) {
        char file[80];
        snprintf(file, sizeof file, "%s/a", path);
        assert_true(output_open(&output, path, &fault));
        FILE *const to = output_file(&output, "a", &fault);
        assert_non_null(to);
        fputs("text\n", to);
        assert_int_not_equal(access(file, F_OK), 0);
        if (commit == 0) {
            output_abandon(&output);
            assert_int_not_equal(access(path, F_OK), 0);
        } else {
            assert_true(output_commit(&output, none, &fault));
            assert_int_equal(access(file, F_OK), 0);
            unlink(file);
        }
    }
    rmdir(path);
    rmdir(folder);
}

static void fast_paths_are_named_one_by_one_or_all(void **state)
{
    (void)state;
    struct fault fault;
    unsigned mode = 0u;

    assert_true(naive_parse("all", &mode, &fault));
    assert_int_equal(mode, GPU_NAIVE);
    mode = 0u;
    assert_true(naive_parse("skip,poll", &mode, &fault));
    assert_int_equal(mode, GPU_NO_SKIP | GPU_POLL);
    assert_false(naive_parse("skip,", &mode, &fault));
    assert_false(naive_parse("ski", &mode, &fault));
    assert_false(naive_parse("", &mode, &fault));
    assert_int_equal(mode, GPU_NO_SKIP | GPU_POLL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_separators_and_units),
        cmocka_unit_test(a_bar_is_as_long_as_its_share),
        cmocka_unit_test(totals_are_the_sums_of_their_members),
        cmocka_unit_test(result_json_has_every_key_of_the_configuration_and_every_figure),
        cmocka_unit_test(every_mode_gives_the_same_bytes),
        cmocka_unit_test(what_was_run_is_what_is_reported),
        cmocka_unit_test(the_timeline_shows_each_kernel_and_cta_once),
        cmocka_unit_test(every_row_of_a_series_has_the_columns_of_its_header),
        cmocka_unit_test(a_series_covers_all_cycles_and_classes_share_each_interval),
        cmocka_unit_test(files_get_their_names_at_the_end_or_never),
        cmocka_unit_test(fast_paths_are_named_one_by_one_or_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
