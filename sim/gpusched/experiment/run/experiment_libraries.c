/* experiment_libraries - RTL for runs; see experiment_libraries.h. */

#include "gpusched/experiment/run/experiment_libraries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lockstep/rtl.h"

enum { PATH = 512 };

/* Different files. */
struct libraries {
    char **list;
    uint32_t n;
    uint32_t missing; /* of them */
};

static bool add(struct libraries *libraries, const char *file)
{
    for (uint32_t i = 0u; i < libraries->n; i++) {
        if (strcmp(libraries->list[i], file) == 0) {
            return true;
        }
    }
    char **const longer = realloc(libraries->list, (libraries->n + 1u) * sizeof *longer);
    char *const copy = strdup(file);
    libraries->list = longer != NULL ? longer : libraries->list;
    if (longer == NULL || copy == NULL) {
        fputs("no memory for the names of RTL libraries\n", stderr);
        free(copy);
        return false;
    }
    libraries->list[libraries->n++] = copy;
    libraries->missing += access(file, R_OK) != 0;
    return true;
}

static bool add_run(struct libraries *libraries, const struct experiment_point *point)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);
    const uint32_t alone = rtl_units_alone(point->rtl.units);
    bool good = true;

    for (uint32_t k = 0u; k < n && good; k++) {
        char file[PATH];
        if ((alone >> k & 1u) != 0u) {
            good = rtl_unit_library(&units[k], &point->config, file, sizeof file)
                   && add(libraries, file);
        }
    }
    return good;
}

bool libraries_build(struct experiment_grid *grid, const bool *wanted, bool quiet)
{
    struct libraries libraries = { .n = 0u };
    bool good = true;

    for (uint32_t i = 0u; i < grid->n && good; i++) {
        struct experiment_point point;
        if (wanted[i]) {
            experiment_grid_point(grid, i, &point);
            good = point.rtl.mode == RTL_OFF || point.rtl.library != NULL
                   || add_run(&libraries, &point);
        }
    }
    if (libraries.missing != 0u && !quiet) {
        fprintf(stderr, "building %u of %u libraries of RTL\n", libraries.missing, libraries.n);
    }
    if (good && libraries.n != 0u) {
        good = rtl_build_all((const char *const *)libraries.list, libraries.n, quiet);
    }
    for (uint32_t i = 0u; i < libraries.n; i++) {
        free(libraries.list[i]);
    }
    free(libraries.list);
    return good;
}
