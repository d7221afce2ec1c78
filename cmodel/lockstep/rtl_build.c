/* rtl_build - has `make` build the libraries of units' RTL, and tries them; see rtl.h. */

#include "lockstep/rtl.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/places.h"
#include "lockstep/rtl_made.h"

/* ---- A process ----------------------------------------------------------------------- */

/* Waits for a child's end; its status as waitpid has it, or -1. */
static int wait_for(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}

/*
 * The environment of make: what its tools need to be found and to work, and nothing else.
 * A variable such as RTL or CFLAGS would change what is built.
 */
static void make_environment(char *environment[])
{
    static const char *const kept[] = { "PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH",
                                        "VERILATOR_ROOT" };
    extern char **environ;
    size_t n = 0u;

    for (char **variable = environ; *variable != NULL; variable++) {
        for (size_t i = 0u; i < sizeof kept / sizeof kept[0]; i++) {
            const size_t length = strlen(kept[i]);
            if (strncmp(*variable, kept[i], length) == 0 && (*variable)[length] == '=') {
                environment[n++] = *variable;
            }
        }
    }
    environment[n] = NULL;
}

static bool run(char *const *arguments)
{
    enum { MOST = 16 };
    char *environment[MOST];
    pid_t child;

    make_environment(environment);
    fflush(NULL);
    const int error = posix_spawnp(&child, "make", NULL, NULL, arguments, environment);
    if (error != 0) {
        fprintf(stderr, "cannot run make: %s\n", strerror(error));
        return false;
    }
    const int status = wait_for(child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- A library that loads ------------------------------------------------------------ */

/* The line that rtl_library.sh puts at its end is there. */
static bool is_whole(const char *file)
{
    static const char mark[] = "gpusched-rtl ";
    enum { DIGEST = 64, LAST = sizeof mark - 1 + DIGEST };
    char last[LAST] = "";
    FILE *const library = fopen(file, "rb");

    if (library == NULL) {
        return false;
    }
    const bool whole = fseek(library, -(long)LAST, SEEK_END) == 0
                       && fread(last, 1u, LAST, library) == LAST
                       && memcmp(last, mark, sizeof mark - 1u) == 0;
    fclose(library);
    return whole;
}

/* In a process of its own, because a damaged file may end it. */
static void try_to_load(const char *file, bool quiet)
{
    void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const struct rtl_ops *const ops = library == NULL ? NULL : dlsym(library, "rtl_ops");
    void *const instance = ops == NULL ? NULL : ops->open(NULL, NULL, 0u);

    if (instance == NULL) {
        if (!quiet) {
            fprintf(stderr, "%s\n", dlerror());
        }
        _exit(1);
    }
    ops->eval(instance, true);
    ops->tick(instance);
    _exit(0);
}

/* Files that have been loaded, as they were then: who opens one need not try it again. */
enum { REMEMBERED = 32 };
static struct stat loaded[REMEMBERED];
static uint32_t n_loaded;

static bool has_loaded(const char *file)
{
    struct stat now;
    bool found = false;

    if (stat(file, &now) != 0) {
        return false;
    }
    for (uint32_t i = 0u; i < n_loaded && i < REMEMBERED; i++) {
        const struct stat *const then = &loaded[i];
        found =
            found
            || (then->st_dev == now.st_dev && then->st_ino == now.st_ino
                && then->st_size == now.st_size && then->st_ctim.tv_sec == now.st_ctim.tv_sec
                && then->st_ctim.tv_nsec == now.st_ctim.tv_nsec);
    }
    return found;
}

bool rtl_loads(const char *file, bool quiet)
{
    if (has_loaded(file)) {
        return true;
    }
    struct stat now;
    const bool known = stat(file, &now) == 0;
    if (access(file, R_OK) != 0 || !is_whole(file)) {
        if (!quiet) {
            fprintf(stderr, "%s: %s\n", file,
                    access(file, R_OK) != 0 ? strerror(errno)
                                            : "not a whole library of RTL; make builds one");
        }
        return false;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        try_to_load(file, quiet);
    }
    const int status = child < 0 ? -1 : wait_for(child);
    if (!quiet && !WIFEXITED(status)) {
        fprintf(stderr, "%s: a damaged library of RTL: it ends whoever loads it\n", file);
    }
    const bool loads = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (loads && known) {
        loaded[n_loaded++ % REMEMBERED] = now;
    }
    return loads;
}

/* ---- Building ------------------------------------------------------------------------ */

/* Below the build folder: rtl/claso-N_CORE.15-N_KERNEL.4.so */
void rtl_file_name(const struct unit *unit, char *text, size_t size)
{
    char name[UNIT_TITLE];

    snprintf(text, size, "%s/rtl/%s.so", places_made(), unit_file_name(unit, name));
}

bool rtl_make(const char *const *goals, uint32_t n, bool quiet)
{
    char data[PLACES_PATH];
    char build[PLACES_PATH + sizeof "BUILD="];
    static char verbose[] = "V=1"; /* with -s: nothing is said */
    char *const first[] = { "make", "-s", "--no-print-directory", "-C", data, build, verbose };

    snprintf(data, sizeof data, "%s", places_data());
    snprintf(build, sizeof build, "BUILD=%s", places_below(places_made()));
    if (strpbrk(build, " \t") != NULL) {
        fprintf(stderr, "%s: RTL cannot be built in a folder with a blank in its name\n",
                places_made());
        return false;
    }
    const size_t options = sizeof first / sizeof first[0] - !quiet;
    char **const arguments = calloc(options + n + 1u, sizeof *arguments);

    if (arguments == NULL) {
        fputs("no memory\n", stderr);
        return false;
    }
    memcpy(arguments, first, options * sizeof first[0]);
    for (uint32_t i = 0u; i < n; i++) {
        arguments[options + i] = (char *)goals[i];
    }
    const bool made = run(arguments);
    free(arguments);
    return made;
}

/* The same for these files, by their names as seen from the sources. */
static bool make_files(const char *const *files, uint32_t n, bool quiet)
{
    const char **const goals = calloc(n + 1u, sizeof *goals);

    for (uint32_t i = 0u; goals != NULL && i < n; i++) {
        goals[i] = places_below(files[i]);
    }
    const bool made = goals != NULL && rtl_make(goals, n, quiet);
    free(goals);
    return made;
}

/* Removes those that are there and cannot be loaded; true if there is one. */
static bool remove_damaged(const char *const *files, uint32_t n)
{
    bool any = false;

    for (uint32_t i = 0u; i < n; i++) {
        if (!rtl_loads(files[i], true)) {
            any = remove(files[i]) == 0 || any;
        }
    }
    return any;
}

/* Names those that make might build, and returns how many they are: all but the ones that are
 * made already and load. */
static uint32_t not_made(const char *const *files, uint32_t n, const char **others)
{
    uint32_t n_other = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        if (!rtl_made(files[i]) || !rtl_loads(files[i], true)) {
            others[n_other++] = files[i];
        }
    }
    return n_other;
}

static bool build(const char *const *files, uint32_t n, bool quiet)
{
    bool made = make_files(files, n, quiet);

    if (made && remove_damaged(files, n)) {
        made = make_files(files, n, quiet);
    }
    for (uint32_t i = 0u; i < n && !made; i++) {
        if (n == 1u || access(files[i], R_OK) != 0) {
            fprintf(stderr, "%s: make could not build it\n", files[i]);
        }
    }
    return made;
}

bool rtl_build_all(const char *const *files, uint32_t n, bool quiet)
{
    const char **const others = calloc(n + 1u, sizeof *others);

    if (others == NULL) {
        fputs("no memory\n", stderr);
        return false;
    }
    const uint32_t n_other = not_made(files, n, others);
    const bool good = n_other == 0u || build(others, n_other, quiet);
    free(others);
    return good;
}

bool rtl_find(const struct unit *unit, const char *given, char *text, size_t size)
{
    const char *const file = text;
    char name[UNIT_TITLE];

    if (given == NULL) {
        rtl_file_name(unit, text, size);
        if (isatty(STDERR_FILENO) && access(text, R_OK) != 0) {
            fprintf(stderr, "building %s\n", text);
        }
        return rtl_build_all(&file, 1u, false);
    }
    if (places_is_folder(given)) {
        snprintf(text, size, "%s/%s.so", given, unit_file_name(unit, name));
    } else {
        /* A name without a slash would be looked for where the system has its libraries. */
        snprintf(text, size, "%s%s", strchr(given, '/') == NULL ? "./" : "", given);
    }
    return true;
}
