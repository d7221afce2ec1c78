/* memory_file - a file without a name and without a disk, to be handed to a child process. */

#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* To be read and written. NULL with errno. */
FILE *memory_file(void);

/* All that is in a file, as text that is to be freed; NULL if it is empty. Returns false if
 * there is no memory for it. */
bool memory_file_text(FILE *file, char **text);

#endif
