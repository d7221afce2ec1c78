/*
 * completion_names - the kinds of names that command lines have, and the names of each:
 * COMMAND, GPU, WORKLOAD, EXPERIMENT, UNIT, MODE, FIGURE, and KEY. Shells complete FILE and DIR
 * by themselves, and KEY=VALUE and N=FILE from these.
 */

#ifndef COMPLETION_NAMES_H
#define COMPLETION_NAMES_H

struct name_kind {
    const char *kind;
    void (*names)(void (*each)(void *self, const char *name), void *self);
};

/* Ends with a row whose kind is NULL. */
extern const struct name_kind name_kinds[];

#endif
