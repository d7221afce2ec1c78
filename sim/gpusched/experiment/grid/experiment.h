/*
 * experiment - what an experiment's file asks for: the grid of runs and what is reported of
 * them. docs/experiments.md explains the keys.
 */

#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment_tree.h"
#include "gpusched/experiment/grid/experiment_watch.h"

enum {
    EXPERIMENT_OWN_AXES = 8,
    EXPERIMENT_AXES = EXPERIMENT_OWN_AXES + 1, /* and the seeds */
    EXPERIMENT_SEEDS = 64,
    EXPERIMENT_PATH = 4096,
    EXPERIMENT_NAME = 128
};

/* A word of the file and its line. Texts live as long as the experiment. */
struct experiment_word {
    const char *text;
    uint32_t line;
};

struct experiment_words {
    struct experiment_word *list;
    uint32_t n;
};

/* Assignments to keys of the GPU, as for gpusched run --set; the key scheduler is --scheduler.
 */
struct experiment_settings {
    struct experiment_setting {
        struct experiment_word key, value;
    } * list;
    uint32_t n;
};

struct experiment_machines {
    struct experiment_machine {
        struct experiment_word name;
        struct experiment_settings settings;
    } * list;
    uint32_t n;
};

struct experiment_workload {
    struct experiment_word name;
    struct experiment_word size; /* text is NULL if not given */
};

struct experiment_variant {
    struct experiment_word name;
    struct experiment_settings settings;
    struct experiment_watch watch;
};

/* A further dimension. Without a key its values stand for {name} in names of GPUs, workloads
 * and sizes. */
struct experiment_axis {
    struct experiment_word name;
    struct experiment_word key; /* text is NULL without */
    struct experiment_words values;
};

struct experiment {
    char path[EXPERIMENT_PATH];
    char given[EXPERIMENT_PATH]; /* the path or name, as the command line has it */
    char name[EXPERIMENT_NAME];  /* the file's, without folder and ending */
    struct tree tree;
    const char *title; /* "" if not given */
    struct experiment_machines gpus;
    struct experiment_workload *workloads;
    uint32_t n_workload;
    struct experiment_word size;         /* of CUDA workloads without one of their own */
    struct experiment_variant *variants; /* one, "default", if none are given */
    uint32_t n_variant;
    struct experiment_axis axes[EXPERIMENT_AXES];
    uint32_t n_axis;
    uint32_t seeds;                        /* of an ensemble, the last axis; 0: there is none */
    char seed_texts[EXPERIMENT_SEEDS][12]; /* its values */
    struct experiment_settings
        settings;     /* of all runs, after the GPU's, before the variant's */
    int32_t baseline; /* number of a variant; -1: none */
    struct experiment_words figures;
    struct experiment_watch watch; /* of all runs, under the variant's */
    const char *rtl_file;          /* in place of the repository's RTL; NULL: none */
    bool reported;                 /* nothing is run: workloads are not read, only known */
};

/* Reads a file, or for a bare name such as "smoke" configs/experiments/smoke.yaml of the
 * data (places.h). Returns false with a fault of one line; names of GPUs,
 * workloads and keys are not checked yet: see experiment_grid.h. */
bool experiment_load(struct experiment *experiment, const char *path_or_name,
                     struct fault *fault);
void experiment_free(struct experiment *experiment);

/* Calls each(self, name, comment) for the files of configs/experiments, in the order of names;
 * comment is their first line's. */
void experiment_names(void (*each)(void *self, const char *name, const char *comment),
                      void *self);

/* The last part of a path, without its ending. */
void experiment_label(const char *path, char label[EXPERIMENT_NAME]);

#endif
