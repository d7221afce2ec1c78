/* report_command - `gpusched report`: an experiment's database as a page. */

#ifndef REPORT_COMMAND_H
#define REPORT_COMMAND_H

#include "command.h"

/* Exit status: 0 the page is written, 2 bad input. */
extern const struct command report_command;

#endif
