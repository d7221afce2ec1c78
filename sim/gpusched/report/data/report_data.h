/*
 * report_data - an experiment's database, as a page shows it: its grid and what became of each
 * run. The database alone is enough, whatever became of the experiment's file. A single run's
 * folder is shown as an experiment of one run; see report_folder.h.
 */

#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment_axis.h"
#include "gpusched/experiment/store/experiment_store.h"
#include "gpusched/report/data/report_series.h"
#include "gpusched/report/data/report_value.h"

struct report_run {
    uint32_t id;                    /* from 1, as in the database */
    char *gpu, *workload, *variant; /* a CUDA workload with its size */
    char **axes;                    /* values, as text */
    enum experiment_status status;
    char *error;        /* NULL if none */
    uint32_t status_of; /* the id of the run whose status and error they are */
    struct report_values values;
    double *each;     /* of an ensemble, the cycles of each seed; otherwise NULL */
    json_t *lockstep; /* list; NULL if none */
    /* Of its result; NULL if there is none. */
    json_t *kernels; /* by_kernel */
    json_t *configuration;
};

struct report_data {
    struct store *store;
    char name[EXPERIMENT_NAME]; /* the database's, without folder and ending */
    char *title;                /* the name if there is none */
    char *file;                 /* the experiment's, as it was given; NULL: not kept */
    char *baseline;             /* NULL if there is none */
    bool other_baseline;        /* not the experiment's */
    uint32_t n;
    struct report_run *runs;
    uint32_t count[RUN_STATUSES]; /* of single runs, also of ensembles */
    uint32_t seeds; /* each run stands for so many, with their medians; 0: for itself */
    uint32_t n_axis;
    char *axes[EXPERIMENT_AXES]; /* names */
    uint32_t dimensions;
    uint32_t length[EXPERIMENT_DIMENSIONS];
    /* Of a single run's folder, of which `store` is NULL. */
    json_t *result;
    json_t *ctas;                /* as the database has them; NULL without a timeline */
    json_t *command;             /* its words; NULL if not known */
    struct report_series series; /* rows: 0 without */
};

/* Returns false with a fault of one line. baseline: a variant, in place of the experiment's;
 * may be NULL. */
bool report_data_open(struct report_data *data, const char *path, const char *baseline,
                      struct fault *fault);
void report_data_free(struct report_data *data);
/* What a run owns. */
void report_run_free(struct report_run *run);

/* The run at a place in all dimensions. */
const struct report_run *report_data_at(const struct report_data *data, const uint32_t *at);

/* What was observed of a run under a name; NULL if nothing. To be dereferenced. */
json_t *report_data_observed(const struct report_data *data, const struct report_run *run,
                             const char *name);

#endif
