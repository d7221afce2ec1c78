/* report_command - `gpusched report`: an experiment's database as a page. */

#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

#include "tool/command.h"

/* Exit status: 0 the page is written, 1 it is without results that are broken, 2 bad input, or
 * output that cannot be written. */
extern const struct command report_command;

#endif
