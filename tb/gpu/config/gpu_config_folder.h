/* gpu_config_folder - for tests of configurations: files in a folder of their own, which is the
 * current one while a test runs. */

#ifndef GPU_CONFIG_FOLDER_H
#define GPU_CONFIG_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE = 2048, FOLDER = 64, MOST_FILES = 16 };

struct folder {
    char path[FOLDER];
    char files[MOST_FILES][FOLDER];
    unsigned n;
};

int open_folder(void **state);
int close_folder(void **state);

/* A file of this text, in place of an earlier one of the name. */
void put(struct folder *folder, const char *name, const char *text);

/* The message begins in this way, says this, and is one line. */
void expect_message(const char *message, const char *begin, const char *words);

#endif
