/* sweep - a sweep is an experiment of one axis: its file, its runs and its results. */

#ifndef SWEEP_H
#define SWEEP_H

#include "gpusched/experiment/experiment_report.h"
#include "gpusched/sweep/sweep_options.h"

/* Begins as zeros, but for the options. */
struct sweep {
    struct sweep_options options;
    struct gpu_config config; /* of the options */
    char gpu[EXPERIMENT_NAME], workload[WORKLOAD_NAME];
    const char *size;                /* NULL: the workload comes in one */
    char title[2 * EXPERIMENT_NAME]; /* "hotspot small on m2090" */
    char name[EXPERIMENT_NAME];      /* of the files */
    char file[EXPERIMENT_PATH];
    struct experiment experiment;
    struct experiment_grid grid;
    struct experiment_figures figures;
    struct store *store;
    struct report report;
    uint32_t now; /* runs that have ended in this process */
    struct fault fault;
};

/* The most counts of a sweep. */
enum { SWEEP_COUNTS = GPU_MAX_SM };

/* Reads GPU and workload. Returns false with a fault, as all do. */
bool sweep_check(struct sweep *sweep);
/* The path DIR/NAME with an ending. */
bool sweep_path(struct sweep *sweep, const char *ending, char path[EXPERIMENT_PATH]);
/* Writes the experiment's file for these counts. */
bool sweep_write_file(struct sweep *sweep, const uint32_t *counts, uint32_t n);

/* Runs these counts, as far as the database does not have them; then `report` has them. */
enum runs_end sweep_run(struct sweep *sweep, const uint32_t *counts, uint32_t n);
/* All of `report` is done. */
bool sweep_is_done(const struct sweep *sweep);
/* SMs that are on. */
uint32_t sweep_all_cores(const struct sweep *sweep);
/* How many CTAs of the kernel that takes the least room fit on an SM, by the runs of `report`,
 * which are done. 0 with a fault. */
uint32_t sweep_occupancy(struct sweep *sweep);
/* The runs as a curve, whose points are freed by the caller. */
bool sweep_read(struct sweep *sweep, uint32_t most, struct sweep_curve *curve);
void sweep_close(struct sweep *sweep);

#endif
