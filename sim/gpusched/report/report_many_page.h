/* report_many_page - the page of an experiment of many runs, and what the terminal shows. */

#ifndef REPORT_MANY_PAGE_H
#define REPORT_MANY_PAGE_H

#include <stdio.h>

#include "gpusched/report/data/report_many.h"

void report_many_page(FILE *to, const struct report_many *many);
void report_many_text(FILE *to, const struct report_many *many);

#endif
