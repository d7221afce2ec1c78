/* report_value - numbers of a run; see report_value.h. */

#include "gpusched/report/data/report_value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "gpusched/experiment/grid/experiment_figure.h"
#include "gpusched/result/figures.h"

static_assert((int)STACK_PARTS == (int)SCHEDULER_CLASSES, "every class has its colour");

/* In the order of gpu_stats.def, which is the order of the bar. */
const struct report_part report_parts[REPORT_STACKS][STACK_PARTS + 1] = {
    [STACK_SCHEDULER] = {
        { "issued", "a warp issued, or the scheduler is still busy with it", "p0" },
        { "arithmetic pipe busy", "a warp has its operands, but its pipe is busy", "p1" },
        { "load/store unit full", "a warp has its operands, but the unit is full", "p2" },
        { "waits for arithmetic", "all wait; a result of an arithmetic pipe is owed", "p3" },
        { "waits for memory", "all wait; a result of a memory operation is owed", "p4" },
        { "no warp", "no warp has an instruction", "p5" },
        { "paused", "the SM is paused", "p6" },
        { NULL, NULL, NULL },
    },
    [STACK_NOC] = {
        { "requests", "packets from clusters to L2", "p0" },
        { "responses", "packets from L2 to clusters", "p2" },
        { NULL, NULL, NULL },
    },
    [STACK_ENERGY] = {
        { "instructions", "fetch and issue, registers, arithmetic", "p0" },
        { "memories of SMs", "shared memory, L1, constant and texture cache, coalescing",
          "p1" },
        { "NoC", "packets", "p2" },
        { "L2", "accesses", "p3" },
        { "DRAM", "accesses", "p4" },
        { "SMs, static", "leakage and clock, for as long as the run takes", "p5" },
        { "rest, static", "NoC, L2 and DRAM, for as long as the run takes", "p6" },
        { NULL, NULL, NULL },
    },
};

/* The part of the bar for each component of energy_parts. */
static const struct {
    const char *name;
    uint32_t part;
} energy_part_of[] = {
    { "instruction", 0u },  { "registers", 0u },   { "arithmetic", 0u }, { "shared", 1u },
    { "l1", 1u },           { "constant", 1u },    { "texture", 1u },    { "icc", 1u },
    { "noc", 2u },          { "l2", 3u },          { "dram", 4u },       { "sm_static", 5u },
    { "other_static", 6u }, { "dram_static", 6u },
};

const struct report_gpu_value report_gpu_values[GPU_VALUES] = {
    { "SMs", "configuration.sm.count", "" },
    { "clusters", "configuration.cluster.count", "" },
    { "core clock", "configuration.clock.core", "MHz" },
    { "schedulers / SM", "configuration.warp.schedulers", "" },
    { "warps / SM", "configuration.sm.warp_slots", "" },
    { "CTAs / SM", "configuration.sm.cta_slots", "" },
    { "registers / SM", "configuration.sm.registers", "" },
    { "shared memory / SM", "configuration.sm.shared_bytes", "bytes" },
    { "L1 / SM", "configuration.l1.bytes", "bytes" },
    { "L2 slices", "configuration.l2.slices", "" },
    { "L2 / slice", "configuration.l2.bytes", "bytes" },
    { "DRAM clock", "configuration.clock.dram", "MHz" },
};

static double number_at(const json_t *result, const char *path)
{
    struct experiment_figure figure = { .name = path };

    snprintf(figure.path, sizeof figure.path, "%s", path);
    json_t *const value = experiment_figure_value(&figure, result);
    const double number = json_is_number(value) ? json_number_value(value) : (double)NAN;
    json_decref(value);
    return number;
}

static void read_energy(const json_t *result, double *parts)
{
    const json_t *const energy = json_object_get(result, "energy");

    for (uint32_t i = 0u; i < STACK_PARTS; i++) {
        parts[i] = json_is_object(energy) ? 0.0 : (double)NAN;
    }
    for (size_t i = 0u; i < sizeof energy_part_of / sizeof energy_part_of[0]; i++) {
        parts[energy_part_of[i].part] +=
            json_number_value(json_object_get(energy, energy_part_of[i].name));
    }
}

struct report_values report_values_of(const json_t *result)
{
    static const char *const paths[REPORT_VALUES] = {
        [VALUE_CYCLES] = "cycles.core",
        [VALUE_IPC] = "derived.ipc",
        [VALUE_NO_CTA_SHARE] = "derived.no_cta_share",
        [VALUE_PACKETS] = "noc.total.packets",
        [VALUE_ENERGY] = "energy.total",
        [VALUE_EDP] = "energy.edp",
        [VALUE_SECONDS] = "derived.seconds",
        [VALUE_CLOCK] = "configuration.clock.core",
        [VALUE_NOT_CALIBRATED] = "not_calibrated",
    };
    struct report_values values;
    char path[TREE_TEXT];

    for (uint32_t i = 0u; i < REPORT_VALUES; i++) {
        values.value[i] = number_at(result, paths[i]);
    }
    for (uint32_t i = 0u; i < GPU_VALUES; i++) {
        values.gpu[i] = number_at(result, report_gpu_values[i].path);
    }
    for (uint32_t i = 0u; i < STACK_PARTS; i++) {
        snprintf(path, sizeof path, "sm.total.%s", gpu_sm_counts[i].name);
        values.stack[STACK_SCHEDULER][i] = number_at(result, path);
        values.stack[STACK_NOC][i] = (double)NAN;
    }
    values.stack[STACK_NOC][0] = number_at(result, "noc.each.packets.0");
    values.stack[STACK_NOC][1] = number_at(result, "noc.each.packets.1");
    read_energy(result, values.stack[STACK_ENERGY]);
    values.limit_gpu = limit_gpu_of(result);
    values.limit = limit_of_result(result);
    return values;
}

double report_stack_sum(const struct report_values *values, enum report_stack stack)
{
    double sum = 0.0;

    for (uint32_t i = 0u; report_parts[stack][i].name != NULL; i++) {
        sum += values->stack[stack][i];
    }
    return sum;
}
