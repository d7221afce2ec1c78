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

/* ---- Its database, test.sqlite ------------------------------------------------------- */

struct store *open_store(void);
/* Keeps run i of a grid, as if it had taken so many cycles; 0: as if it had failed. */
void keep_run(struct store *store, struct opened *opened, uint32_t i, unsigned cycles);
enum experiment_status status_in(struct store *store, struct opened *opened, uint32_t i);
/* What a check of the database comes to, and in `check_said` what it says. */
enum { SAID = 4096 };
extern char check_said[SAID];
int check_database(void);
/* The first figure of run i, which the store reads. */
int64_t cycles_in(struct store *store, struct opened *opened, uint32_t i);
/* What a user gets of run i, from 1. */
const char *result_of(uint32_t i);
/* What a query answers, "a|b;c|d;". */
const char *ask_database(const char *query);
/* Changes it behind the store's back. */
void change_database(const char *statements);

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
