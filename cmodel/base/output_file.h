/*
 * output_file - a file that a program writes, whole or not at all.
 *
 * A regular file, or one that does not exist yet, is written under a temporary name in its
 * folder. It gets its own name when all of it is on the disk, and keeps the permissions that an
 * earlier file of the name had. Everything else - a device, a FIFO, a symbolic link - is
 * written in place and stays what it is; there, what was written before an error remains.
 *
 * A temporary is locked as long as its process lives. Whoever next writes a file to the folder
 * removes those that a killed process has left.
 */

#ifndef OUTPUT_FILE_H
#define OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct output_file {
    FILE *to;      /* to be written, and not closed; NULL: none is open */
    char *path;    /* its name */
    char *partial; /* its name until then; NULL: it is written in place */
};

/* All return false with errno if it is not possible. */
bool output_file_open(struct output_file *file, const char *path);
/* All that was written is on the disk: what may still fail is the name. */
bool output_file_finish(struct output_file *file);
/* Gives a finished file its name, and closes it. */
bool output_file_name(struct output_file *file);
/* Finishes a file and names it. After an error nothing is left. */
bool output_file_commit(struct output_file *file);

/* Whether the system has all that was put into a stream. */
bool output_written(FILE *to);

/* Closes a stream of open_memstream. False if memory was short: then *text is NULL. */
bool output_text_close(FILE *to, char **text);

/* Closes a file, and removes a temporary. Does nothing if none is open, and keeps errno. */
void output_file_abandon(struct output_file *file);

#endif
