/*
 * session - one run of a workload on a GPU: the path that run, record, experiments, bench and
 * the SystemC platform share. Its steps, in this order:
 *
 *   session_load    reads the workload
 *   session_watch   puts RTL beside the units of the GPU; may be left out
 *   session_run     opens the machine and runs
 *   session_result  what it came to; session_holds: whether that is as it must be
 *   session_close
 *
 * A step that returns false has put the reason into `fault`, unless it says otherwise; then
 * session_close is all that may follow.
 */

#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"
#include "gpu/gpu.h"
#include "gpusched/result/result_json.h"
#include "gpusched/run/rtl_peer.h"
#include "gpusched/workload/workload.h"

/* Begins as zeros. */
struct session {
    struct workload_choice choice;
    struct workload workload;
    struct workload_outcome outcome;
    struct rtl_peer *peer;    /* NULL without RTL and vectors */
    double wall_seconds;      /* of the run, */
    double processor_seconds; /* here */
    struct fault fault;
};

/* config: NULL for functional execution. What choice names must outlive the session. */
bool session_load(struct session *session, const struct workload_choice *choice,
                  const struct gpu_config *config);

/* gpu: its name in the report of a difference, which must outlive the session. If the RTL
 * cannot be loaded the reason is on stderr, and there is no `fault`. */
bool session_watch(struct session *session, const struct rtl_options *rtl,
                   const struct gpu_config *config, const char *gpu);

/*
 * Runs on this machine; what the session watches is put into its hooks. The machine and the
 * hooks must outlive the session. False if it is bad input after all: there is no result. At a
 * difference the workload is loaded anew and run up to it once more, without monitor and
 * without what the machine tells and checks; that run writes the report. Then the session is
 * abandoned, and its machine is the second one.
 */
bool session_run(struct session *session, struct workload_machine *machine,
                 struct gpu_hooks *hooks);

/* RTL, or a lack of memory to compare it, has ended the run, and has said why: there is no
 * result. */
bool session_abandoned(const struct session *session);

/* After a run with timing. Valid until session_close. */
struct result session_result(const struct session *session, const struct gpu_config *config);

/* What must hold after every run that is done: its kernels have ended with all their CTAs,
 * nothing waits for an answer, what kernels have of each count comes to the whole, and the
 * result is right. Otherwise false, and `fault`. */
bool session_holds(struct session *session, const struct result *result);

/* keep: recorded vectors are to be. False, with the reason on stderr, if they cannot be
 * written. */
bool session_close(struct session *session, bool keep);

#endif
