/* gpu - a GPU is opened, given kernels, and closed. The cycle loop is in engine.c. */

#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/derive.h"
#include "gpu/machine.h"

static bool no_memory(struct fault *fault)
{
    return fault_surroundings(fault, "out of memory");
}

/* ---- Open ---------------------------------------------------------------------------- */

static bool open_versions(struct gpu *g)
{
    const struct cluster_port_socket *const port = g->sockets.cluster_port;
    if ((g->mode & GPU_VERSIONS) == 0u) {
        return true;
    }
    g->versions =
        versions_open(&(struct versions_shape){ g->n_sm, g->n_cluster, g->config.l1.mshrs,
                                                port != NULL ? port->unit.config.n_line : 1u });
    return g->versions != NULL;
}

static bool allocate(struct gpu *g)
{
    uint64_t slots = 256u;
    while (slots < gpu_horizon(g)) {
        slots *= 2u;
    }
    g->wheel_mask = slots - 1u;
    g->nobody = calloc(1u, sizeof *g->nobody);
    g->wheel = aligned_alloc(64u, slots * sizeof *g->wheel);
    g->sm = calloc(g->n_sm, sizeof(struct sm *));
    g->sm_stats = calloc(g->n_sm, sizeof *g->sm_stats);
    g->l2_stats = calloc(g->n_slice, sizeof *g->l2_stats);
    g->dram_stats = calloc(g->n_dram, sizeof *g->dram_stats);
    if (g->nobody == NULL || g->wheel == NULL || g->sm == NULL || g->sm_stats == NULL
        || g->l2_stats == NULL || g->dram_stats == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        if (!cluster_open(g, i)) {
            return false;
        }
    }
    if (!record_port_open(g) || !memory_open(g) || !sockets_open(g) || !open_versions(g)) {
        return false;
    }
    memset(g->wheel, 0, slots * sizeof *g->wheel);
    drams_wake(g);
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        g->sm[i] = sm_open(g, i);
        if (g->sm[i] == NULL) {
            return false;
        }
    }
    return true;
}

/* Limits of the model that no single key shows. */
static bool sizes_possible(const struct gpu *g, struct fault *fault)
{
    if (sm_operations(&g->config) > MAX_OPERATIONS) {
        return fault_set(
            fault,
            "l1, constant, texture: mshrs * merges and latencies of the three come to %u; "
            "at most %u memory instructions of an SM can be on their way",
            sm_operations(&g->config), (unsigned)MAX_OPERATIONS);
    }
    if (gpu_horizon(g) > MAX_HORIZON) {
        return fault_set(
            fault,
            "clock, noc, l2, dram: the latencies come to %llu core cycles; at most %u are "
            "allowed",
            (unsigned long long)gpu_horizon(g), (unsigned)MAX_HORIZON);
    }
    return true;
}

static void set_modes(struct gpu *g, unsigned mode)
{
    g->mode = mode;
    g->each = (mode & GPU_COUNT_EACH) != 0u && (mode & GPU_STEP_ALL) != 0u;
    g->poll = (mode & GPU_POLL) != 0u;
    g->scan = (mode & GPU_SCAN) != 0u || g->config.dram.policy == DRAM_FCFS;
}

/* What the units and whoever watches them are told of each cycle of an SM. */
static void choose_record(struct gpu *g)
{
    g->sockets.sums = !g->hooks.classes && !g->sockets.exact
                      && (g->mode & (GPU_STEP_ALL | GPU_FUZZ)) == 0u
                      && !gpu_units_read_classes(&g->config, true);
    g->hooks.classes = g->hooks.classes || gpu_units_read_classes(&g->config, g->sockets.sums);
    g->watched = g->each || g->hooks.classes;
    g->plain = !g->watched && !g->poll && (!g->config.lcs.on || g->sockets.sums)
               && g->config.warp.width == 1u;
}

static void attach(struct gpu *g, const struct gpu_hooks *hooks)
{
    if (hooks != NULL) {
        g->hooks = *hooks;
        g->monitor = hooks->monitor != NULL ? *hooks->monitor : g->monitor;
    }
    g->sample_at =
        g->monitor.sample != NULL && g->monitor.interval != 0u ? g->monitor.interval : NEVER;
}

struct gpu *gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                     unsigned mode, struct fault *fault)
{
    if (gpu_config_fault(config, fault) != NULL) {
        return NULL;
    }
    struct gpu *const g = calloc(1u, sizeof *g);
    if (g == NULL) {
        no_memory(fault);
        return NULL;
    }
    g->config = *config;
    g->t = 1u;
    g->alarm = NEVER;
    set_modes(g, mode);
    attach(g, hooks);
    gpu_derive(g);
    if (!sizes_possible(g, fault)) {
        gpu_close(g);
        return NULL;
    }
    if (!allocate(g)) {
        no_memory(fault);
        gpu_close(g);
        return NULL;
    }
    choose_record(g);
    g->current = 0u;
    distributor_open(g);
    control_open(g);
    return g;
}

/* Gives back what the sources of an unfinished run still have open. */
static void abandon(struct gpu *g)
{
    for (uint32_t i = 0u; g->sm != NULL && i < g->n_sm && g->sm[i] != NULL; i++) {
        for (uint32_t set = g->sm[i]->cta_used; set != 0u; set &= set - 1u) {
            const struct cta *const c = &g->sm[i]->cta[lowest(set)];
            const struct kernel_source *const source = &g->kernel[c->kernel].source;
            source->free_cta(source->self, c->handle);
        }
    }
    returns_close(g);
    for (uint32_t k = 0u; k < g->n_kernel; k++) {
        if (!g->kernel[k].ended && g->kernel[k].source.close != NULL) {
            g->kernel[k].source.close(g->kernel[k].source.self);
        }
    }
}

void gpu_close(struct gpu *g)
{
    if (g == NULL) {
        return;
    }
    abandon(g);
    for (uint32_t i = 0u; g->sm != NULL && i < g->n_sm; i++) {
        sm_close(g->sm[i]);
    }
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        cluster_close(&g->cluster[i]);
    }
    sockets_close(g);
    memory_close(g);
    record_port_close(&g->record_port);
    free(g->swaps.free);
    versions_close(g->versions);
    free(g->sm);
    for (uint32_t k = 0u; k < g->n_kernel; k++) {
        free(g->kernel[k].share);
    }
    free(g->nobody);
    free(g->wheel);
    free(g->kernel);
    free(g->coming.heap);
    free(g->ready.heap);
    free(g->arriving.heap);
    free(g->tails.table);
    free(g->binding.records.of);
    free(g->kernel_stats);
    free(g->sm_stats);
    free(g->l2_stats);
    free(g->dram_stats);
    free(g);
}

const struct fault *gpu_fault(const struct gpu *g)
{
    return &g->fault;
}
const struct gpu_record *gpu_record(const struct gpu *g)
{
    return &g->record;
}
uint64_t gpu_cycle(const struct gpu *g)
{
    return g->t - 1u;
}
const struct gpu_config *gpu_config_of(const struct gpu *g)
{
    return &g->config;
}
