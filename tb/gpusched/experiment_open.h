/* experiment_open - for tests of experiments: a folder for each test, and an experiment of it.
 */

#ifndef EXPERIMENT_OPEN_H
#define EXPERIMENT_OPEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fault.h"
#include "gpusched/experiment/experiment_report.h"

/* ---- A folder of one test ------------------------------------------------------------ */

static char folder[64];

static inline const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *const to = fopen(path_of(name), "w");

    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/experiment-test-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static inline int remove_folder(void **state)
{
    static const char *const names[] = { "test.yaml",       "test.sqlite", "test.sqlite-wal",
                                         "test.sqlite-shm", "kernel.yaml", "mine.yaml" };

    (void)state;
    for (size_t i = 0u; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

/* ---- An experiment ------------------------------------------------------------------- */

struct opened {
    struct experiment experiment;
    struct experiment_grid grid;
    struct experiment_figures figures;
    struct fault fault;
};

static inline void open_experiment(struct opened *opened, const char *yaml)
{
    write_file("test.yaml", yaml);
    if (!experiment_load(&opened->experiment, path_of("test.yaml"), &opened->fault)
        || !experiment_figures_open(&opened->figures, &opened->experiment)
        || !experiment_grid_open(&opened->grid, &opened->experiment)) {
        fail_msg("%s", fault_text(&opened->fault));
    }
}

static inline void close_experiment(struct opened *opened)
{
    experiment_grid_free(&opened->grid);
    experiment_figures_free(&opened->figures);
    experiment_free(&opened->experiment);
}

static const char two_policies[] = "gpus: [m2090]\n"
                                   "workloads: [mix, dependent]\n"
                                   "variants:\n"
                                   "  gto: {warp.policy: gto}\n"
                                   "  lrr: {warp.policy: lrr}\n"
                                   "axes:\n"
                                   "  ctas: {key: sm.cta_slots, values: [8, 4]}\n"
                                   "baseline: gto\n"
                                   "figures: [cycles, ipc]\n";

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
