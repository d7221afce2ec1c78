/* memory_file - a file in memory; see memory_file.h. */

#define _GNU_SOURCE /* memfd_create */

#include "tool/memory_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

FILE *memory_file(void)
{
    const int made = memfd_create("gpusched", MFD_CLOEXEC);
    FILE *const file = made < 0 ? NULL : fdopen(made, "w+");

    if (file == NULL && made >= 0) {
        const int reason = errno;
        close(made);
        errno = reason;
    }
    return file;
}

bool memory_file_text(FILE *file, char **text)
{
    *text = NULL;
    if (fseek(file, 0, SEEK_END) != 0) {
        return false;
    }
    const long length = ftell(file);
    if (length <= 0) {
        return length == 0;
    }
    *text = malloc((size_t)length + 1u);
    if (*text == NULL) {
        return false;
    }
    rewind(file);
    const size_t n = fread(*text, 1u, (size_t)length, file);
    (*text)[n] = '\0';
    return n == (size_t)length;
}
