/* work_distributor_cycle - what the tests of the work distributor share; see
 * work_distributor_cycle.h. */

#include "tb/units/work_distributor/work_distributor_cycle.h"

void make_distributor(struct work_distributor *unit, struct work_distributor_config config)
{
    assert_int_equal(work_distributor_init(unit, &config), work_distributor_ok);
}

struct work_distributor_out run_cycle(struct work_distributor *unit,
                                      struct work_distributor_in in)
{
    struct work_distributor_out out;
    static struct work_distributor_next next;

    work_distributor_eval(unit, &in, &out, &next);
    work_distributor_tick(unit, &next);
    assert_false(out.credit_error);
    return out;
}

struct work_distributor_out request_once(struct work_distributor *unit,
                                         struct work_distributor_in in)
{
    const struct work_distributor_in none = {
        .kernel = in.kernel,
        .dispatch_ready = in.dispatch_ready,
    };

    (void)run_cycle(unit, in);
    (void)run_cycle(unit, none);
    return run_cycle(unit, none);
}

struct work_distributor_in request_of(uint32_t slot, struct bits sms)
{
    return (struct work_distributor_in){
        .kernel = slot,
        .room = sms,
        .limit = sms,
        .dispatch_ready = true,
    };
}

struct work_distributor_in start_of(uint32_t slot, struct work work)
{
    return (struct work_distributor_in){
        .launch_valid = true,
        .launch_kernel = slot,
        .launch_ctas = work.grid.ctas,
        .launch_sms = work.grid.sms,
        .launch_policy = work.grid.policy,
        .launch_block = work.grid.block,
        .launch_steal = work.grid.steal,
        .launch_active = work.active,
        .launch_loose = work.loose,
    };
}

struct work_distributor_in change_of(uint32_t slot, struct bits sms, uint32_t active,
                                     uint32_t loose)
{
    struct work_distributor_in in =
        start_of(slot, (struct work){ { .sms = sms }, active, loose });

    in.launch_keep = true;
    return in;
}

void run_start(struct work_distributor *unit, struct work_distributor_in in)
{
    uint32_t cycles = 0u;

    assert_true(run_cycle(unit, in).launch_ready);
    assert_false(unit->scheduler.q.launch_error);
    while (unit->scheduler.q.busy || unit->credits.q.busy) {
        (void)run_cycle(unit, (struct work_distributor_in){ .launch_valid = false });
        assert_in_range(++cycles, 1, 10000);
    }
}

void start(struct work_distributor *unit, uint32_t slot, struct work work)
{
    run_start(unit, start_of(slot, work));
}

void serve(struct work_distributor *unit, struct placement *placement, uint32_t slot,
           struct bits sms, uint32_t block, uint32_t most)
{
    while (placement->total < most) {
        struct work_distributor_in in = request_of(slot, sms);
        in.room = room_in(placement, 1u << block);
        in.room.word[0] &= sms.word[0];
        const struct work_distributor_out out = request_once(unit, in);
        if (!out.dispatch_valid) {
            return;
        }
        assert_true(bits_has(in.room, out.dispatch_sm));
        place(placement, out.dispatch_sm, out.dispatch_cta, out.dispatch_count);
    }
}

uint64_t credit_of(const struct work_distributor *unit, uint32_t slot, uint32_t sm)
{
    return claso_local(&unit->credits, slot, sm);
}

struct work_distributor_in some_work(uint64_t *random, const struct work_distributor *unit)
{
    const struct cta_scheduler_in in = some_inputs(random, &unit->scheduler);
    const uint32_t level_w = unit->config.level_w;
    const uint32_t active = some_number(random, level_w), loose = some_number(random, level_w);
    const bool small = !one_in(random, 4u);

    return (struct work_distributor_in){
        .launch_valid = in.launch_valid,
        .launch_kernel = in.launch_kernel,
        .launch_keep = in.launch_keep,
        .launch_ctas = in.launch_ctas,
        .launch_sms = in.launch_sms,
        .launch_policy = in.launch_policy,
        .launch_block = in.launch_block,
        .launch_steal = in.launch_steal,
        .launch_active = small ? active % 3u : active,
        .launch_loose = small ? loose % 2u : loose,
        .kernel = in.kernel,
        .room = in.room,
        .limit = in.limit,
        .dispatch_ready = in.dispatch_ready,
    };
}
