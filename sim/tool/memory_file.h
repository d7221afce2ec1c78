/* memory_file - a file without a name and without a disk, to be handed to a child process. */

#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdio.h>

/* To be read and written. NULL with errno. */
FILE *memory_file(void);

#endif
