/* experiment_point - one run of an experiment: its workload, and its GPU after all settings. */

#ifndef EXPERIMENT_POINT_H
#define EXPERIMENT_POINT_H

#include "gpu/config/gpu_config.h"
#include "gpusched/experiment/grid/experiment_axis.h"
#include "gpusched/run/run_options.h"

struct experiment_point {
    uint32_t at[EXPERIMENT_DIMENSIONS]; /* its place in each dimension */
    char gpu[EXPERIMENT_PATH];          /* name or file */
    char gpu_label[EXPERIMENT_NAME];    /* without folder and ending */
    char workload[EXPERIMENT_PATH];     /* name or file */
    char workload_label[WORKLOAD_NAME];
    const char *size; /* NULL: it comes in one */
    enum workload_size size_number;
    bool size_given; /* by the experiment's file */
    struct gpu_config config;
    uint32_t not_calibrated; /* of its values: they follow no public source */
    struct rtl_options rtl;  /* with the units that are active */
    bool ctas;               /* when they ran is kept */
    bool footprint;          /* what they share is in the result */
};

/* GPUs and schedulers that have been read: they must not change while the experiment runs. */
struct experiment_gpus {
    struct experiment_gpu *list;
    uint32_t n;
    struct experiment_scheduler *schedulers;
    uint32_t n_scheduler;
    struct { /* of the last workload, whose files it takes time to look for */
        char name[EXPERIMENT_PATH];
        char label[WORKLOAD_NAME];
        bool sizes; /* it comes in several */
    } workload;
};

/* Returns false with the tree's fault if there is no such run. The workload's file is not
 * read yet. */
bool experiment_point_make(struct experiment *experiment, struct experiment_gpus *gpus,
                           const uint32_t *at, struct experiment_point *point);
/* The names alone, without the GPU: of a run that has been made before. */
void experiment_point_names(struct experiment *experiment, struct experiment_gpus *gpus,
                            const uint32_t *at, struct experiment_point *point);
/* What gpusched run would be given. Its texts are the point's. */
struct workload_choice experiment_point_workload(const struct experiment_point *point);
void experiment_gpus_free(struct experiment_gpus *gpus);

/* "gto, warps 8": what tells a run from others of its GPU and workload. */
void experiment_point_title(const struct experiment *experiment, const uint32_t *at, char *text,
                            size_t size);

#endif
