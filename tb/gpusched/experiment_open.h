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

const char *path_of(const char *name);
void write_file(const char *name, const char *text);
int make_folder(void **state);
int remove_folder(void **state);

/* ---- An experiment ------------------------------------------------------------------- */

struct opened {
    struct experiment experiment;
    struct experiment_grid grid;
    struct experiment_figures figures;
    struct fault fault;
};

void open_experiment(struct opened *opened, const char *yaml);
void close_experiment(struct opened *opened);

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
