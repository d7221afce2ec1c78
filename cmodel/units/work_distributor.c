/* work_distributor - CTA scheduler, credits and limits in one; see work_distributor.h. */

#include "units/work_distributor.h"

static uint32_t cluster_of(const struct work_distributor *unit, uint32_t sm)
{
    const struct work_distributor_config *const config = &unit->config;

    return sm / ((config->n_sm + config->n_cluster - 1u) / config->n_cluster);
}

static bool is_credited(const struct work_distributor *unit, uint32_t kernel)
{
    return kernel < unit->config.n_kernel && bits_has(unit->q.credited, kernel);
}

/* What the scheduler gets from outside. The limit comes later. */
static struct cta_scheduler_in scheduler_in(const struct work_distributor_in *in)
{
    return (struct cta_scheduler_in){
        .launch_valid = in->launch_valid,
        .launch_kernel = in->launch_kernel,
        .launch_keep = in->launch_keep,
        .launch_ctas = in->launch_ctas,
        .launch_sms = in->launch_sms,
        .launch_policy = in->launch_policy,
        .launch_block = in->launch_block,
        .launch_steal = in->launch_steal,
        .kernel = in->kernel,
        .room = in->room,
        .dispatch_ready = in->dispatch_ready,
    };
}

/* The dispatch that shows, if there is one, costs a credit. */
static bool is_paid_for(const struct work_distributor *unit,
                        const struct cta_scheduler_out *shown)
{
    return shown->dispatch_valid && !shown->dispatch_stolen
           && is_credited(unit, shown->dispatch_kernel);
}

/* A pool that the scheduler shows is launched in CLASO, if the kernel has credits. */
static struct claso_in credits_in(const struct work_distributor *unit,
                                  const struct work_distributor_in *in,
                                  const struct cta_scheduler_out *shown)
{
    return (struct claso_in){
        .launch_valid = shown->pool_valid && unit->q.active > 0u,
        .launch_kernel = shown->pool_kernel,
        .launch_ctas = shown->pool_blocks,
        .launch_split = shown->pool_split,
        .launch_pool = shown->pool_number,
        .launch_cores = shown->pool_sms,
        .launch_active = unit->q.active,
        .launch_loose = unit->q.loose,
        .kernel = in->kernel,
        .consume_kernel = shown->dispatch_kernel,
        .consume_core = shown->dispatch_sm,
    };
}

/* The SMs that the limiters allow a block. */
static struct bits limit_of(const struct work_distributor *unit,
                            const struct work_distributor_in *in,
                            const struct cta_scheduler_out *offers,
                            const struct claso_out *credits)
{
    struct bits limit = in->limit;

    if (!is_credited(unit, in->kernel)) {
        return limit;
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (!bits_has(offers->stolen, cluster_of(unit, sm)) && !bits_has(credits->allow, sm)) {
            bits_remove(&limit, sm);
        }
    }
    return limit;
}

static void remember_levels(const struct work_distributor *unit,
                            const struct work_distributor_in *in,
                            const struct cta_scheduler_out *shown,
                            struct work_distributor_next *next)
{
    if (in->launch_valid && shown->launch_ready) {
        next->q.active = in->launch_active;
        next->q.loose = in->launch_loose;
    }
    if (shown->pool_valid) {
        bits_remove(&next->q.credited, shown->pool_kernel);
        if (unit->q.active > 0u) {
            bits_add(&next->q.credited, shown->pool_kernel);
        }
    }
}

void work_distributor_eval_watched(const struct work_distributor *unit,
                                   const struct work_distributor_in *in,
                                   struct work_distributor_out *out,
                                   struct work_distributor_next *next,
                                   const struct unit_watch *watch)
{
    struct cta_scheduler_in to_scheduler = scheduler_in(in);
    struct cta_scheduler_out scheduler;
    struct claso_out credits;

    /* The dispatch, what is stolen and pools, which depend on neither limit nor pool_ready. */
    work_distributor_eval_scheduler(unit, &to_scheduler, &scheduler, next, watch);
    struct claso_in to_credits = credits_in(unit, in, &scheduler);
    work_distributor_eval_credits(unit, &to_credits, &credits, next, watch);

    to_scheduler.limit = limit_of(unit, in, &scheduler, &credits);
    to_scheduler.dispatch_withdraw = is_paid_for(unit, &scheduler) && !credits.consume_allowed;
    to_scheduler.pool_ready = unit->q.active == 0u || credits.launch_ready;
    work_distributor_eval_scheduler(unit, &to_scheduler, &scheduler, next, watch);
    if (is_paid_for(unit, &scheduler) && in->dispatch_ready
        && !to_scheduler.dispatch_withdraw) {
        to_credits.consume_valid = true;
        work_distributor_eval_credits(unit, &to_credits, &credits, next, watch);
    }
    next->q = unit->q;
    remember_levels(unit, in, &scheduler, next);
    *out = (struct work_distributor_out){
        .launch_ready = scheduler.launch_ready,
        .launch_error = scheduler.launch_error,
        .dispatch_valid = scheduler.dispatch_valid,
        .dispatch_kernel = scheduler.dispatch_kernel,
        .dispatch_sm = scheduler.dispatch_sm,
        .dispatch_cta = scheduler.dispatch_cta,
        .dispatch_count = scheduler.dispatch_count,
        .credit_error = credits.launch_error || credits.consume_error,
    };
    if (to_scheduler.dispatch_withdraw) {
        out->dispatch_valid = false;
        out->dispatch_kernel = out->dispatch_sm = out->dispatch_cta = out->dispatch_count = 0u;
    }
}

/* As quiet as the scheduler, for which the credits let no more pass than the limit has. */
bool work_distributor_quiet(const struct work_distributor *unit,
                            const struct work_distributor_in *in)
{
    const struct cta_scheduler_state *const scheduler = &unit->scheduler.q;
    const struct claso_state *const credits = &unit->credits.q;
    struct work_distributor_out out;
    struct work_distributor_next next;

    if (in->launch_valid || scheduler->busy || scheduler->launch_error || scheduler->going
        || bits_any(scheduler->candidates) || scheduler->looked != in->kernel || credits->busy
        || credits->launch_error || credits->consume_error) {
        return false;
    }
    if (!bits_any(in->room) || !bits_any(in->limit)) {
        return true;
    }
    work_distributor_eval(unit, in, &out, &next);
    return !bits_any(next.scheduler.q.candidates);
}

/* The dispatch is the scheduler's own. */
void work_distributor_count(const struct work_distributor *unit,
                            const struct work_distributor_in *in,
                            const struct work_distributor_out *out,
                            struct work_distributor_events *events)
{
    const struct cta_scheduler_in to_scheduler = scheduler_in(in);
    const struct cta_scheduler_out scheduler = {
        .dispatch_valid = out->dispatch_valid,
        .dispatch_kernel = out->dispatch_kernel,
        .dispatch_count = out->dispatch_count,
        .dispatch_stolen = unit->scheduler.q.stolen,
    };

    cta_scheduler_count(&unit->scheduler, &to_scheduler, &scheduler, &events->scheduler);
}

#define UNIT_COMPOSITION
#define UNIT_OWN_COUNT
#define UNIT work_distributor
#include "base/unit_define.h"
