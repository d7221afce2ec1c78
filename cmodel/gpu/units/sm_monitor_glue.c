/*
 * sm_monitor_glue - the counters of what each SM does. Classes of cycles stay as they are until
 * a warp scheduler's changes; instructions and CTAs are those of one cycle. An SM without power
 * is idle, as in the statistics.
 */

#include <string.h>

#include "gpu/machine.h"

static uint32_t class_of(uint32_t class)
{
    static const uint8_t cycles[GPU_CYCLE_CLASSES] = {
        [GPU_ISSUED] = SM_CYCLE_ACTIVE,
        [GPU_PIPELINE_ALU] = SM_CYCLE_PIPELINE_ALU,
        [GPU_PIPELINE_MEMORY] = SM_CYCLE_PIPELINE_MEMORY,
        [GPU_SCOREBOARD_ALU] = SM_CYCLE_SCOREBOARD_ALU,
        [GPU_SCOREBOARD_MEMORY] = SM_CYCLE_SCOREBOARD_MEMORY,
        [GPU_IDLE] = SM_CYCLE_IDLE,
        [GPU_PAUSED] = SM_CYCLE_PAUSED,
    };
    return cycles[class];
}

/* Warp instructions that the SM has issued since it was asked last. */
static uint32_t newly_issued(struct sm *m)
{
    const uint32_t new = (uint32_t)(m->issues - m->counted);

    m->counted = m->issues;
    return new;
}

/* What the record says of classes, over what earlier ones have said; all are idle at first. */
static void note_classes(struct gpu *g, bool first)
{
    const struct gpu_record *const r = &g->record;
    uint32_t *const shown = g->sockets.sm_cycle;

    for (uint32_t k = 0u; first && k < g->schedulers * g->n_sm; k++) {
        shown[k] = SM_CYCLE_IDLE;
    }
    for (uint32_t k = 0u; k < r->n_class; k++) {
        const struct gpu_class_event *const event = &r->class_of[k];
        shown[g->schedulers * event->sm + event->scheduler] = class_of(event->class_now);
    }
}

void sm_monitor_inputs(struct gpu *g, uint32_t i, struct sm_monitor_in *in)
{
    const struct gpu_record *const r = &g->record;
    bool *const pulse = &g->sockets.sm_monitor[i].base.pulse;

    note_classes(g, g->sockets.sm_monitor[i].base.last == 0u);
    memcpy(in->cycle, g->sockets.sm_cycle, (size_t)g->schedulers * g->n_sm * sizeof *in->cycle);
    for (uint32_t word = 0u; word < 3u; word++) {
        for (uint64_t set = g->sockets.sm[word]; set != 0u; set &= set - 1u) {
            const uint32_t sm = word * 64u + lowest(set);
            in->issued[sm] = newly_issued(g->sm[sm]);
            *pulse = *pulse || in->issued[sm] != 0u;
        }
    }
    for (uint32_t k = 0u; k < r->n_started && !r->back; k++) {
        in->started[r->started[k].sm]++;
    }
    for (uint32_t k = 0u; k < r->n_ended; k++) {
        in->ended[r->ended[k].sm]++;
    }
    *pulse = *pulse || r->n_started != 0u || r->n_ended != 0u;
}

void sm_monitor_outputs(struct gpu *g, uint32_t i, const struct sm_monitor_in *in,
                        const struct sm_monitor_out *out)
{
    (void)g; /* limiters read the counts */
    (void)i;
    (void)in;
    (void)out;
}
