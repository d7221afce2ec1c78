/* machine_parse - see machine_parse.h. */

#include "gpusched/run/machine_parse.h"

#include <string.h>

#include "tool/arguments.h"

error_t machine_parse(const char *command, int key, const char *argument,
                      struct machine_options *options)
{
    switch (machine_options_take(key, argument, options)) {
    case MACHINE_TAKEN:
        if (key == KEY_SET && strchr(argument, '=') == NULL) {
            bad_input(command, "--set %s: section.key=value is needed, like sm.count=16",
                      argument);
        }
        return 0;
    case MACHINE_TWICE:
        bad_input(command, "--scheduler=%s: given twice; allowed: once, --scheduler=%s,%s",
                  argument, options->scheduler, argument);
    case MACHINE_TOO_MANY:
        bad_input(command, "--set %s: at most %d are allowed", argument, MACHINE_MAX_SET);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
