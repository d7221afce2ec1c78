/* commands - the list of them; see command.h. */

#include "bench_command.h"
#include "command.h"
#include "completion_command.h"
#include "config_command.h"
#include "experiment_command.h"
#include "list_command.h"
#include "report_command.h"
#include "run_command.h"
#include "stats_command.h"

const struct command *const commands[] = {
    &run_command,    &record_command, &experiment_command, &report_command,     &list_command,
    &config_command, &stats_command,  &bench_command,      &completion_command, NULL,
};
