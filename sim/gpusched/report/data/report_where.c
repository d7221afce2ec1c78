/* report_where - see report_where.h. */

#include "gpusched/report/data/report_where.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gpusched/experiment/grid/experiment_axis.h"
#include "tool/arguments.h"

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text);

    return n >= strlen(end) && strcmp(text + n - strlen(end), end) == 0;
}

void report_find_database(const char *command, const char *what, char path[EXPERIMENT_PATH])
{
    char label[EXPERIMENT_NAME];
    struct stat found;
    const bool there = stat(what, &found) == 0 && S_ISREG(found.st_mode);
    const bool yaml = ends_with(what, ".yaml") || ends_with(what, ".yml");

    if ((there && !yaml) || ends_with(what, ".sqlite")) {
        snprintf(path, EXPERIMENT_PATH, "%s", what);
        return;
    }
    experiment_label(what, label);
    snprintf(path, EXPERIMENT_PATH, "results/%s.sqlite", label);
    if (stat(path, &found) != 0) {
        bad_input(
            command,
            "%.1000s: there is no %s; allowed: a run's folder, a database, or an experiment "
            "that has run here: gpusched experiment %.1000s",
            what, path, what);
    }
}
