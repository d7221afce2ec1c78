/* memory_file - a file in memory; see memory_file.h. */

#define _GNU_SOURCE /* memfd_create */

#include "tool/memory_file.h"

#include <errno.h>
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
