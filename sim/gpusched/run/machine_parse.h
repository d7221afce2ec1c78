/* machine_parse - --gpu, --scheduler and --set on the command line of any command. */

#ifndef MACHINE_PARSE_H
#define MACHINE_PARSE_H

#include <argp.h>

#include "gpusched/run/machine_options.h"

/* Takes one of these options; ARGP_ERR_UNKNOWN if it is another. Ends the command with one line
 * if it is given too often, or if --set is no KEY=VALUE. */
error_t machine_parse(const char *command, int key, const char *argument,
                      struct machine_options *options);

#endif
