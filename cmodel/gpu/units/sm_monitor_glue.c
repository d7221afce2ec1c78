/*
 * sm_monitor_glue - the counters of what each SM does. Classes of cycles stay as they are until
 * a warp scheduler's changes; instructions and CTAs are those of one cycle. An SM without power
 * is idle, as in the statistics.
 */

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

void sm_monitor_inputs(struct gpu *g, uint32_t i, struct sm_monitor_in *in)
{
    const struct gpu_record *const r = &g->record;
    bool *const pulse = &g->sockets.sm_monitor[i].base.pulse;

    for (uint32_t sm = 0u; sm < g->n_sm; sm++) {
        struct sm *const m = g->sm[sm];
        for (uint32_t k = 0u; k < g->schedulers; k++) {
            in->cycle[g->schedulers * sm + k] = class_of(m->class_shown[k]);
        }
        in->issued[sm] = newly_issued(m);
        *pulse = *pulse || in->issued[sm] != 0u;
    }
    for (uint32_t k = 0u; k < r->n_started; k++) {
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
