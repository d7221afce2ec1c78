/* rtl_build - has `make` build the libraries of units' RTL; see rtl.h. */

#include "rtl.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "places.h"

/* Below the build folder: rtl/claso-N_CORE.15-N_KERNEL.4.so */
void rtl_file_name(const struct unit *unit, char *text, size_t size)
{
    char name[UNIT_TITLE];

    snprintf(text, size, "%s/rtl/%s.so", places_made(), unit_file_name(unit, name));
}

static bool run(char *const *arguments)
{
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

/* Runs make for these files. Says what it makes, unless quiet. */
static bool run_make(const char *const *files, uint32_t n, bool quiet)
{
    char data[PLACES_PATH];
    char build[PLACES_PATH + sizeof "BUILD="];
    static char verbose[] = "V=1"; /* with -s: nothing is said */
    char *const first[] = { "make", "-s", "--no-print-directory", "-C", data, build, verbose };

    snprintf(data, sizeof data, "%s", places_data());
    snprintf(build, sizeof build, "BUILD=%s", places_made());
    const size_t options = sizeof first / sizeof first[0] - !quiet;
    char **const arguments = calloc(options + n + 1u, sizeof *arguments);

    if (arguments == NULL) {
        fputs("no memory\n", stderr);
        return false;
    }
    memcpy(arguments, first, options * sizeof first[0]);
    for (uint32_t i = 0u; i < n; i++) {
        arguments[options + i] = (char *)files[i];
    }
    const bool made = run(arguments);
    free(arguments);
    return made;
}

/* Only one program of this build folder has `make` build at a time: two might build the same
 * library. Returns a descriptor, whose closing lets the next one go on; -1 if it cannot be.
 * make inherits it: one that outlives a killed program keeps the others waiting. */
static int wait_for_turn(void)
{
    char lock[PLACES_PATH + sizeof "/rtl.lock"];

    snprintf(lock, sizeof lock, "%s/rtl.lock", places_made());
    const int file = open(lock, O_RDWR | O_CREAT, 0666);
    while (file >= 0 && flock(file, LOCK_EX) != 0) {
        if (errno != EINTR) {
            break; /* no locks here: as if alone */
        }
    }
    return file;
}

bool rtl_build_all(const char *const *files, uint32_t n, bool quiet)
{
    const int turn = wait_for_turn();
    const bool made = run_make(files, n, quiet);

    if (turn >= 0) {
        close(turn);
    }
    for (uint32_t i = 0u; i < n && !made; i++) {
        if (n == 1u || access(files[i], R_OK) != 0) {
            fprintf(stderr, "%s: make could not build it\n", files[i]);
        }
    }
    return made;
}

const char *rtl_build(const struct unit *unit, char *text, size_t size)
{
    const char *const file = text;

    rtl_file_name(unit, text, size);
    if (isatty(STDERR_FILENO) && access(text, R_OK) != 0) {
        fprintf(stderr, "building %s\n", text);
    }
    return rtl_build_all(&file, 1u, false) ? text : NULL;
}
