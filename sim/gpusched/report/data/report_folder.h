/* report_folder - a single run, as `gpusched run -o FOLDER` has written it, in the form of an
 * experiment of one run. */

#ifndef REPORT_FOLDER_H
#define REPORT_FOLDER_H

#include "gpusched/report/data/report_data.h"

/* path: the folder, or its result.json. Returns false with a fault of one line.
 * report_data_free frees it. */
bool report_folder_open(struct report_data *data, const char *path, struct fault *fault);

#endif
