/* sm_free_bench - launches, starts and ends; see sm_free_bench.h. */

#include "tb/units/sm_free/sm_free_bench.h"

void sm_free_bench_open(struct sm_free_bench *bench, struct sm_free_config config)
{
    memset(bench, 0, sizeof *bench);
    assert_int_equal(sm_free_init(&bench->unit, &config), sm_free_ok);
}

void sm_free_bench_cycle(struct sm_free_bench *bench)
{
    sm_free_eval(&bench->unit, &bench->in, &bench->out, &bench->next);
    sm_free_tick(&bench->unit, &bench->next);
    bench->in.launch_valid = bench->in.started = false;
    bench->in.ended = (struct bits){ { 0u } };
}

void sm_free_bench_launch(struct sm_free_bench *bench, uint32_t slot, uint32_t registers,
                          uint32_t shared, uint32_t warps)
{
    bench->in.launch_valid = true;
    bench->in.launch_kernel = slot;
    bench->in.launch_registers = registers;
    bench->in.launch_shared = shared;
    bench->in.launch_warps = warps;
    sm_free_bench_cycle(bench);
}

void sm_free_bench_start(struct sm_free_bench *bench, uint32_t sm, uint32_t slot)
{
    bench->in.started = true;
    bench->in.started_sm = sm;
    bench->in.started_kernel = slot;
}

void sm_free_bench_end(struct sm_free_bench *bench, uint32_t sm, uint32_t slot)
{
    bits_add(&bench->in.ended, sm);
    bench->in.ended_kernel[sm] = slot;
}
