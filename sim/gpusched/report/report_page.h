/* report_page - the page of an experiment, or of a single run: one file of HTML that needs
 * nothing else. */

#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "gpusched/report/data/report_data.h"

void report_page(FILE *to, const struct report_data *data);
/* Of report_folder_open. */
void report_run_page(FILE *to, const struct report_data *data);

#endif
