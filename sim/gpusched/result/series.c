/* series - statistics over time as CSV; see series.h. */

#include "gpusched/result/series.h"

#include <inttypes.h>
#include <math.h>

#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"

static const char *const state_names[GPU_WARP_STATES] = {
    [GPU_WARP_EMPTY] = "empty",
    [GPU_WARP_ALU_SCOREBOARD] = "alu_scoreboard",
    [GPU_WARP_MEMORY_SCOREBOARD] = "memory_scoreboard",
    [GPU_WARP_ALU_STALL] = "alu_stall",
    [GPU_WARP_MEMORY_STALL] = "memory_stall",
    [GPU_WARP_ALU_READY] = "alu_ready",
    [GPU_WARP_MEMORY_READY] = "memory_ready",
    [GPU_WARP_FINISHED] = "finished",
};

static void put_ratio(FILE *to, uint64_t a, uint64_t b)
{
    const double value = ratio(a, b);

    if (isnan(value)) {
        fputc(',', to);
    } else {
        fprintf(to, ",%.6g", value);
    }
}

static void put_classes(FILE *to, const struct gpu_sm_stats *sm, uint64_t scheduler_cycles)
{
    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        put_ratio(to, gpu_count_of(&gpu_sm_counts[i], sm), scheduler_cycles);
    }
}

static void put_class_names(FILE *to)
{
    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        fprintf(to, ",%s", gpu_sm_counts[i].name);
    }
}

/* ---- The whole GPU ------------------------------------------------------------------- */

void series_header(FILE *to)
{
    fputs("cycle,ipc", to);
    put_class_names(to);
    fputs(",resident_warps", to);
    for (uint32_t i = 0u; i < GPU_WARP_STATES; i++) {
        fprintf(to, ",warps_%s", state_names[i]);
    }
    fputs(",l1_hit_rate,l2_hit_rate,request_flits,response_flits,dram_bus_share\n", to);
}

void series_row(FILE *to, const struct interval *interval)
{
    const uint64_t cycles = interval->to - interval->from;
    const struct gpu_sm_stats *const sm = &interval->sm;
    const struct gpu_l2_stats *const l2 = &interval->l2;

    fprintf(to, "%" PRIu64, interval->to);
    put_ratio(to, sm->warp_instructions, cycles);
    put_classes(to, sm, cycles * interval->n_sm * interval->schedulers);
    put_ratio(to, sm->resident_warps, cycles);
    for (uint32_t i = 0u; i < GPU_WARP_STATES; i++) {
        fprintf(to, ",%" PRIu64, interval->warps[i]);
    }
    put_ratio(to, sm->l1_hit, sm->l1_hit + sm->l1_miss + sm->l1_merge);
    put_ratio(to, l2->hit, l2->hit + l2->miss + l2->merge);
    fprintf(to, ",%" PRIu64 ",%" PRIu64, interval->noc[0].flits, interval->noc[1].flits);
    put_ratio(to, interval->dram.bus, interval->dram_cycles * interval->n_dram);
    fputc('\n', to);
}

/* ---- Each SM ------------------------------------------------------------------------- */

void series_sm_header(FILE *to)
{
    fputs("cycle,sm,ipc", to);
    put_class_names(to);
    fputs(",no_cta,resident_warps,l1_hit_rate,l1_fill\n", to);
}

void series_sm_rows(FILE *to, const struct interval *interval)
{
    const uint64_t cycles = interval->to - interval->from;

    for (uint32_t i = 0u; i < interval->n_sm; i++) {
        const struct gpu_sm_stats *const sm = &interval->each[i];
        fprintf(to, "%" PRIu64 ",%" PRIu32, interval->to, i);
        put_ratio(to, sm->warp_instructions, cycles);
        put_classes(to, sm, cycles * interval->schedulers);
        put_ratio(to, sm->no_cta, cycles);
        put_ratio(to, sm->resident_warps, cycles);
        put_ratio(to, sm->l1_hit, sm->l1_hit + sm->l1_miss + sm->l1_merge);
        fprintf(to, ",%" PRIu64 "\n", sm->l1_fill);
    }
}
