/* rtl_build - has `make` build the library of a unit's RTL; see rtl.h. */

#include "rtl.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The name of the library below the build folder: rtl/claso-N_CORE.15-N_KERNEL.4.so */
static void library_name(const struct unit *unit, char *text, size_t size)
{
    char name[UNIT_TITLE];

    snprintf(text, size, "%s/rtl/%s.so", GPUSCHED_BUILD, unit_file_name(unit, name));
}

/* Runs make for one file. Says nothing while all goes well. */
static bool run_make(const char *target)
{
    static char build[] = "BUILD=" GPUSCHED_BUILD;
    char *const arguments[] = { "make",          "-s",  "--no-print-directory", "-C",
                                GPUSCHED_SOURCE, build, (char *)target,         NULL };
    extern char **environ;
    pid_t child;
    int status;

    unsetenv("MAKEFLAGS"); /* of a make that started us: this one is its own */
    unsetenv("MAKELEVEL");
    fflush(NULL);
    const int error = posix_spawnp(&child, "make", NULL, NULL, arguments, environ);
    if (error != 0) {
        fprintf(stderr, "cannot run make: %s\n", strerror(error));
        return false;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Only one program of this build folder has `make` build at a time: two might build the same
 * library. Returns a descriptor, whose closing lets the next one go on; -1 if it cannot be. */
static int wait_for_turn(void)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    const int file = open(GPUSCHED_BUILD "/rtl.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    while (file >= 0 && fcntl(file, F_SETLKW, &lock) != 0) {
        if (errno != EINTR) {
            break; /* no locks here: as if alone */
        }
    }
    return file;
}

const char *rtl_build(const struct unit *unit, char *text, size_t size)
{
    library_name(unit, text, size);
    if (isatty(STDERR_FILENO) && access(text, R_OK) != 0) {
        fprintf(stderr, "building %s\n", text);
    }
    const int turn = wait_for_turn();
    const bool made = run_make(text);
    if (turn >= 0) {
        close(turn);
    }
    if (!made) {
        fprintf(stderr, "%s: make could not build it\n", text);
        return NULL;
    }
    return text;
}
