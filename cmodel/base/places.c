/* places - where a program's data are; see places.h. */

#define _XOPEN_SOURCE 700 // POSIX's realpath

#include "base/places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    bool found;
    char data[PLACES_PATH];
    char build[PLACES_PATH]; /* "" of an installation */
    char tool[PLACES_PATH];
    char kernels[PLACES_PATH];
    char made[PLACES_PATH]; /* "" as long as nobody has asked */
    char reports[PLACES_PATH];
} places;

enum { BAD_PLACE = 2 }; /* the exit status of bad input */

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "gpusched: %s: %s\n", what, why);
    exit(BAD_PLACE);
}

/* False, with an empty text, if it is too long. */
static bool join(char text[PLACES_PATH], const char *folder, const char *name)
{
    const int n = snprintf(text, PLACES_PATH, "%s/%s", folder, name);
    const bool fits = n >= 0 && n < PLACES_PATH;

    text[fits ? n : 0] = '\0';
    return fits;
}

/* ---- Search -------------------------------------------------------------------------- */

/* Without links, to be freed; NULL if it is not there. */
static char *real_path(const char *path)
{
    char *const resolved = realpath(path, NULL);

    if (resolved == NULL && errno == ENOMEM) {
        fail(path, "no memory");
    }
    return resolved;
}

/* Whether folder/name is there and has data; then places.data is its path without links. */
static bool has_data(const char *folder, const char *name)
{
    char path[PLACES_PATH];
    char real[PLACES_PATH];

    if (!join(path, folder, name)) {
        return false;
    }
    char *const resolved = real_path(path);
    const bool found = resolved != NULL && join(path, resolved, "configs/gpu")
                       && access(path, R_OK | X_OK) == 0
                       && snprintf(real, sizeof real, "%s", resolved) < (int)sizeof real;
    free(resolved);
    if (found) {
        memcpy(places.data, real, sizeof real);
    }
    return found;
}

static bool is_build(const char *folder)
{
    return has_data(folder, "checkout") && join(places.build, folder, "")
           && join(places.kernels, folder, "workloads");
}

static bool is_installation(const char *folder, const char *name)
{
    return has_data(folder, name) && join(places.kernels, places.data, "workloads");
}

/* Cuts the last name off; false if there is none. */
static bool cut(char *path)
{
    char *const slash = strrchr(path, '/');

    if (slash == NULL || path[1] == '\0') {
        return false;
    }
    slash[slash == path] = '\0';
    return true;
}

/* From the folder of the program up. */
static bool search(const char *program_folder)
{
    char folder[PLACES_PATH];

    snprintf(folder, sizeof folder, "%s", program_folder);
    do {
        if (is_build(folder) || is_installation(folder, "share/gpusched")) {
            return true;
        }
    } while (cut(folder));
    return false;
}

/* What GPUSCHED_DATA names. */
static bool look(const char *given)
{
    char folder[PLACES_PATH];
    char build[PLACES_PATH];
    char *const resolved = real_path(given);
    const bool fits = resolved != NULL && strlen(resolved) < sizeof folder;

    snprintf(folder, sizeof folder, "%s", fits ? resolved : "");
    free(resolved);
    return fits
           && (is_build(folder) || is_installation(folder, "share/gpusched")
               || (join(build, folder, "build") && is_build(build))
               || is_installation(folder, "."));
}

static void find(void)
{
    const char *const variable = getenv("GPUSCHED_DATA");
    const char *const given = variable != NULL && variable[0] != '\0' ? variable : NULL;
    char program[PLACES_PATH] = "";
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1u);

    if (places.found) {
        return;
    }
    program[n < 0 ? 0 : n] = '\0';
    cut(program);
    if (given != NULL ? !look(given) : !search(program)) {
        fail(given != NULL ? given : program,
             given != NULL
                 ? "GPUSCHED_DATA has no configs/gpu; allowed: a checkout with what was "
                   "built, or share/gpusched of an installation"
                 : "no data are found from here up; set GPUSCHED_DATA to a checkout, or "
                   "to share/gpusched of an installation");
    }
    cut(places.build); /* the slash at the end */
    places.found =
        join(places.tool, places.build[0] != '\0' ? places.build : program, "gpusched-unit");
}

/* ---- Made ---------------------------------------------------------------------------- */

static void find_cache(void)
{
    const char *const cache = getenv("XDG_CACHE_HOME");
    const char *const home = getenv("HOME");
    char parent[PLACES_PATH] = "";

    if (cache != NULL && cache[0] == '/') { /* the standard: others are to be ignored */
        snprintf(parent, sizeof parent, "%s", cache);
    } else if (home != NULL && home[0] == '/') {
        (void)join(parent, home, ".cache");
    }
    if (parent[0] == '\0' || !join(places.made, parent, "gpusched")) {
        fail("no folder for what is made", "set XDG_CACHE_HOME or HOME to a folder");
    }
    mkdir(parent, 0777);
    if (mkdir(places.made, 0777) != 0 && errno != EEXIST) {
        fail(places.made, strerror(errno));
    }
}

const char *places_made(void)
{
    find();
    if (places.made[0] == '\0') {
        if (places.build[0] != '\0' && access(places.build, W_OK) == 0) {
            memcpy(places.made, places.build, sizeof places.made);
        } else {
            find_cache();
        }
        (void)join(places.reports, places.made, "report");
    }
    return places.made;
}

const char *places_reports(void)
{
    (void)places_made();
    return places.reports;
}

/* ---- The others ---------------------------------------------------------------------- */

const char *places_data(void)
{
    find();
    return places.data;
}

const char *places_below(const char *path)
{
    const char *const data = places_data();
    const size_t n = strlen(data);

    return strncmp(path, data, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

const char *places_kernels(void)
{
    find();
    return places.kernels;
}

const char *places_unit_tool(void)
{
    find();
    return places.tool;
}

bool places_is_name(const char *text)
{
    static const char ending[] = ".yaml";
    const size_t n = strlen(text);
    const size_t m = sizeof ending - 1u;

    return n > 0u && strchr(text, '/') == NULL && (n < m || strcmp(text + n - m, ending) != 0);
}

bool places_config(const char *kind, const char *text, char *path, size_t size)
{
    const int n = places_is_name(text)
                      ? snprintf(path, size, "%s/configs/%s/%s.yaml", places_data(), kind, text)
                      : snprintf(path, size, "%s", text);

    return n >= 0 && (size_t)n < size;
}

bool places_is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
