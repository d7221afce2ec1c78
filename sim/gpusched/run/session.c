/* session - see session.h. */

#include "gpusched/run/session.h"

#include <inttypes.h>
#include <stdio.h>

#include "gpusched/result/host_json.h"
#include "tool/progress.h"

bool session_load(struct session *session, const struct workload_choice *choice,
                  const struct gpu_config *config)
{
    session->choice = *choice;
    return workload_load(&session->workload, choice, config, &session->fault);
}

bool session_watch(struct session *session, const struct rtl_options *rtl,
                   const struct gpu_config *config, const char *gpu)
{
    if (rtl->mode == RTL_OFF && rtl->vectors == NULL) {
        return true;
    }
    session->peer = rtl_peer_open(rtl, config, session->workload.name, gpu);
    return session->peer != NULL;
}

/* Nobody has asked for the run to end. */
static bool goes_on(const struct gpu_hooks *hooks, struct gpu *gpu)
{
    const struct gpu_monitor *const monitor = hooks->monitor;

    return monitor == NULL || monitor->progress == NULL
           || monitor->progress(monitor->self, gpu);
}

/* The same run from its start, up to what the peer is there for. Of those who look on, only who
 * may end it does. */
static bool run_again(struct session *session, const struct workload_machine *first,
                      struct rtl_peer *peer)
{
    struct gpu_hooks hooks = *first->hooks;
    struct workload_machine machine = { .config = first->config, .mode = first->mode };
    struct workload *const workload = &session->workload;
    struct workload_outcome outcome;
    struct gpu_monitor monitor = { .self = NULL };

    if (hooks.monitor != NULL) {
        monitor.self = hooks.monitor->self;
        monitor.progress = hooks.monitor->progress;
        hooks.monitor = &monitor;
    }
    hooks.peer = rtl_peer_hook(peer);
    machine.hooks = &hooks;
    if (!workload_load(workload, &session->choice, first->config, &session->fault)
        || !workload_open(workload, &machine, &session->fault)) {
        return false;
    }
    (void)workload_run(workload, &outcome, &session->fault);
    if (!goes_on(&hooks, workload_gpu(workload))) {
        fault_set(&session->fault, "it has been interrupted");
        return false;
    }
    rtl_peer_end(peer, gpu_cycle(workload_gpu(workload)));
    return true;
}

/* Has the difference reported that the run has come to. */
static void repeat(struct session *session, const struct workload_machine *machine)
{
    struct rtl_peer *const peer = rtl_peer_again(session->peer, machine->config);

    workload_free(&session->workload);
    session->workload = (struct workload){ .self = NULL };
    if (peer != NULL && run_again(session, machine, peer)) {
        (void)rtl_peer_close(session->peer, false);
        session->peer = peer;
        return;
    }
    if (peer != NULL) {
        fprintf(stderr, "the run cannot be repeated: %s\n", fault_text(&session->fault));
    }
    (void)rtl_peer_close(peer, false);
    rtl_peer_give_up(session->peer);
}

bool session_run(struct session *session, struct workload_machine *machine,
                 struct gpu_hooks *hooks)
{
    if (session->peer != NULL) {
        hooks->peer = rtl_peer_hook(session->peer);
    }
    machine->hooks = hooks;
    if (!workload_open(&session->workload, machine, &session->fault)) {
        return false;
    }
    const double wall = host_seconds();
    const double processor = host_cpu_seconds();
    const bool ran = workload_run(&session->workload, &session->outcome, &session->fault);
    if (session->peer != NULL) {
        rtl_peer_end(session->peer, gpu_cycle(workload_gpu(&session->workload)));
    }
    session->wall_seconds = host_seconds() - wall;
    session->processor_seconds = host_cpu_seconds() - processor;
    if (session->peer != NULL && rtl_peer_differs(session->peer)) {
        if (goes_on(hooks, workload_gpu(&session->workload))) {
            repeat(session, machine);
        } else {
            rtl_peer_give_up(session->peer);
        }
    }
    return ran;
}

bool session_abandoned(const struct session *session)
{
    return session->peer != NULL
           && (rtl_peer_differs(session->peer) || rtl_peer_lost(session->peer));
}

struct result session_result(const struct session *session, const struct gpu_config *config)
{
    struct gpu *const gpu = workload_gpu(&session->workload);
    const struct workload_outcome *const outcome = &session->outcome;

    struct result result = {
        .workload = session->workload.name,
        .config = config,
        .stats = gpu_stats(gpu),
        .gpu = gpu,
        .size = session->workload.size,
        .end = outcome->end,
        .message = outcome->end == GPU_DONE ? "" : fault_text(gpu_fault(gpu)),
        .verdict = outcome->verdict,
        .check = workload_said(outcome),
    };
    result.n_program = workload_programs(&session->workload, result.program);
    return result;
}

bool session_holds(struct session *session, const struct result *result)
{
    const struct gpu_stats *const stats = result->stats;
    uint64_t wanted = 0u;
    uint64_t ended = 0u;
    struct fault shares = { .kind = FAULT_NONE };

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        const uint32_t *const grid = stats->kernel[k].grid;
        wanted += (uint64_t)grid[0] * grid[1] * grid[2];
        ended += stats->kernel[k].ctas;
    }
    if (result->end != GPU_DONE) {
        fault_set(&session->fault, "%s at cycle %" PRIu64 ": %s", end_name(result->end),
                  stats->cycles, result->message[0] == '\0' ? "interrupted" : result->message);
    } else if (stats->unanswered != 0u || wanted != ended) {
        fault_set(&session->fault,
                  "check failed: %" PRIu64 " requests without an answer, %" PRIu64
                  " of %" PRIu64 " CTAs ended",
                  stats->unanswered, ended, wanted);
    } else if (!gpu_shares_whole(workload_gpu(&session->workload), &shares)) {
        fault_set(&session->fault, "check failed: %s", fault_text(&shares));
    } else if (result->verdict == WRONG) {
        fault_set(&session->fault, "wrong result: %s", result->check);
    } else {
        return true;
    }
    return false;
}

bool session_close(struct session *session, bool keep)
{
    const bool good = rtl_peer_close(session->peer, keep);

    session->peer = NULL;
    workload_free(&session->workload);
    return good;
}
