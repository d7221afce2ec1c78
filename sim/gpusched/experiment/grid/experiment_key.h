/*
 * experiment_key - what a run's results depend on, as text and as a number: version, workload
 * and all files that it is made of, size, every parameter of the GPU and how many of them
 * follow no public source, and what is watched in it, with the Verilog of RTL. Not how the file
 * of the experiment names them.
 */

#ifndef EXPERIMENT_KEY_H
#define EXPERIMENT_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"

struct experiment_point;

struct experiment_key {
    char text[33]; /* 128 bits, hexadecimal */
};

/* Hashes of files that do not change while it lives. */
struct experiment_files;
struct experiment_files *experiment_files_open(void);
void experiment_files_free(struct experiment_files *files);

/* *text is to be freed; text may be NULL. Without `files` every file is read anew. Returns
 * false with a fault if a file of the workload or of the RTL cannot be read. */
bool experiment_key_make(const struct experiment_point *point, struct experiment_files *files,
                         struct experiment_key *key, char **text, struct fault *fault);

/* Of this program's own file, so that results of another build are known; "" if it cannot be
 * read. */
struct experiment_key experiment_program(void);

#endif
