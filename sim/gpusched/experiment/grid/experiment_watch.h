/*
 * experiment_watch - what is watched in runs beside their results: RTL in lockstep, and when
 * CTAs ran. An experiment's file asks for it for all runs, for a variant, or both.
 */

#ifndef EXPERIMENT_WATCH_H
#define EXPERIMENT_WATCH_H

#include "gpusched/experiment/grid/experiment_tree.h"
#include "gpusched/run/rtl_peer.h"

struct experiment_watch {
    bool rtl_given, shadow;
    uint32_t units_line; /* 0: not given */
    uint32_t units;      /* see rtl_units.h */
    bool ctas, footprint;
};

/* "rtl", "units" or "observe". */
bool watch_is_key(const char *key);
/* Reads the value of such a key. Returns false with the tree's fault. */
bool watch_read(struct tree *tree, const yaml_node_t *node, const char *key, const char *place,
                struct experiment_watch *watch);
/* The variant's over that of all runs. */
struct experiment_watch watch_together(const struct experiment_watch *all,
                                       const struct experiment_watch *variant);

struct experiment;
/* Returns false with the tree's fault: units are named where there is no RTL. */
bool watch_check(struct experiment *experiment);

#endif
