/* commands - the list of them; see command.h. */

#include "gpusched/command/bench_command.h"
#include "gpusched/command/completion_command.h"
#include "gpusched/command/config_command.h"
#include "gpusched/command/list_command.h"
#include "gpusched/command/stats_command.h"
#include "gpusched/compare/compare_command.h"
#include "gpusched/experiment/experiment_command.h"
#include "gpusched/query/query_command.h"
#include "gpusched/report/report_command.h"
#include "gpusched/rtl/rtl_command.h"
#include "gpusched/run/run_command.h"
#include "gpusched/sweep/sweep_command.h"
#include "tool/command.h"

const struct command *const commands[] = {
    &run_command,     &record_command, &experiment_command, &sweep_command, &report_command,
    &compare_command, &query_command,  &rtl_command,        &list_command,  &config_command,
    &stats_command,   &bench_command,  &completion_command, NULL,
};
