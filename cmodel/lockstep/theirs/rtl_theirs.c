/* rtl_theirs - another's Verilog becomes a library; see rtl_theirs.h. */

#define _XOPEN_SOURCE 700 // POSIX's realpath

#include "lockstep/theirs/rtl_theirs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"
#include "base/places.h"
#include "lockstep/rtl.h"
#include "lockstep/rtl_made.h"

/* What a path may not have: make and results take the others as they are. */
static const char refused[] = " \t'\"\\$#";

enum { PATH = PLACES_PATH, MADE = PATH + 16, LIST = 16 * PLACES_PATH, LINE = 2 * PLACES_PATH };

/* ---- What is given ------------------------------------------------------------------- */

/* The programs that make needs for a library. */
static bool has_programs(void)
{
    static const char *const programs[] = { "make", "verilator", "g++" };
    char path[PATH];
    bool good = true;

    for (size_t i = 0u; i < sizeof programs / sizeof programs[0]; i++) {
        if (!rtl_find_program(programs[i], path, sizeof path)) {
            fprintf(stderr, "%s: the program is needed, and not on the PATH\n", programs[i]);
            good = false;
        }
    }
    return good;
}

/* Adds whole paths to a setting of make: "FILES=/a/b.v /c/d.v". */
static bool add_paths(char setting[LIST], const char *const *paths, uint32_t n)
{
    char whole[PATH];

    for (uint32_t i = 0u; i < n; i++) {
        const size_t at = strlen(setting);
        if (realpath(paths[i], whole) == NULL || access(whole, R_OK) != 0) {
            fprintf(stderr, "%s: cannot be read: %s\n", paths[i], strerror(errno));
            return false;
        }
        if (strpbrk(whole, refused) != NULL || at + strlen(whole) + 2u > LIST) {
            fprintf(stderr, "%s: make cannot take a path with a blank or one of '\"\\$#\n",
                    whole);
            return false;
        }
        snprintf(setting + at, LIST - at, "%s%s", setting[at - 1u] == '=' ? "" : " ", whole);
    }
    return true;
}

/* The settings of make, and its goal. */
struct request {
    char files[LIST];
    char folders[LIST];
    char theirs[MADE + 8];
    char case_name[UNIT_TITLE + 8];
    char from[PATH + 8];
};

static bool make_goal(struct request *request, const struct rtl_theirs *theirs,
                      const char *goal)
{
    const char *const goals[] = { goal,
                                  request->files,
                                  request->folders,
                                  request->theirs,
                                  request->case_name,
                                  request->from,
                                  theirs->ports_only ? "REGISTERS=no" : "REGISTERS=" };

    return rtl_make(goals, sizeof goals / sizeof goals[0], true);
}

static bool fill_request(struct request *request, const struct unit *unit,
                         const struct rtl_theirs *theirs)
{
    char name[UNIT_TITLE];
    char here[PATH];

    if (getcwd(here, sizeof here) == NULL) {
        fprintf(stderr, "the folder cannot be found: %s\n", strerror(errno));
        return false;
    }
    snprintf(request->files, LIST, "FILES=");
    snprintf(request->folders, LIST, "FOLDERS_THEIRS=");
    snprintf(request->case_name, sizeof request->case_name, "CASE=%s",
             unit_file_name(unit, name));
    /* Names of files are whole if make cannot take the folder's. */
    snprintf(request->from, sizeof request->from, "FROM=%s",
             strpbrk(here, refused) == NULL ? here : "");
    return add_paths(request->files, theirs->files, theirs->n_file)
           && add_paths(request->folders, theirs->folders, theirs->n_folder);
}

/* ---- Where make works ---------------------------------------------------------------- */

/* A folder of its own for what make writes, among what runs make. */
static bool open_work(char work[PATH])
{
    snprintf(work, PATH, "%s/theirs.XXXXXX", places_made());
    if (mkdtemp(work) == NULL) {
        fprintf(stderr, "%s: cannot be made: %s\n", work, strerror(errno));
        return false;
    }
    return true;
}

static void name_work(char *path, const char *work, const char *file)
{
    snprintf(path, MADE, "%s/%s", work, file);
}

static void close_work(const char *work)
{
    static const char *const files[] = { "interface", "library" };
    char path[MADE];

    for (size_t i = 0u; i < sizeof files / sizeof files[0]; i++) {
        name_work(path, work, files[i]);
        (void)remove(path);
    }
    (void)rmdir(work);
}

/* The library that was made becomes the file that was asked for. */
static bool deliver(const char *made, struct output_file *library)
{
    FILE *const from = fopen(made, "rb");
    char bytes[8192];
    size_t n;
    bool good = from != NULL;

    while (good && (n = fread(bytes, 1u, sizeof bytes, from)) != 0u) {
        good = fwrite(bytes, 1u, n, library->to) == n;
    }
    if (from != NULL) {
        good = good && ferror(from) == 0;
        fclose(from);
    }
    return good && output_file_commit(library);
}

/* ---- The interface ------------------------------------------------------------------- */

/* A port as the table has it or as the module has it; no bits: it is not there. */
struct side {
    const char *direction;
    uint32_t bits;
};

struct check {
    const struct unit *unit;
    const char *file; /* for messages */
    bool *found;      /* each port of the table */
    bool clock, reset;
    uint32_t wrong;
};

static void describe(struct side side, char *text, size_t size)
{
    if (side.bits == 0u) {
        snprintf(text, size, "none");
    } else {
        snprintf(text, size, "%s of %u bit%s", side.direction, side.bits,
                 side.bits == 1u ? "" : "s");
    }
}

static void port_wrong(struct check *check, const char *name, struct side expected,
                       struct side found)
{
    char want[64];
    char have[64];

    describe(expected, want, sizeof want);
    describe(found, have, sizeof have);
    fprintf(stderr, "%s: port %s: expected %s, found %s\n", check->file, name, want, have);
    check->wrong++;
}

/* What the table says of a port; marks it as found. */
static struct side expected_port(struct check *check, const char *name)
{
    char text[UNIT_PORT_NAME];

    if (strcmp(name, "clk") == 0 || strcmp(name, "rst_i") == 0) {
        *(name[0] == 'c' ? &check->clock : &check->reset) = true;
        return (struct side){ "an input", 1u };
    }
    for (uint32_t i = 0u; i < check->unit->n_port; i++) {
        const struct unit_port *const port = &check->unit->ports[i];
        if ((port->group == UNIT_IN || port->group == UNIT_OUT)
            && strcmp(unit_port_name(port, text), name) == 0) {
            check->found[i] = true;
            return (struct side){ port->group == UNIT_IN ? "an input" : "an output",
                                  unit_port_bits(port) };
        }
    }
    return (struct side){ "", 0u };
}

/* A line such as "VL_IN8(&kernel_i,3,0);"; of an array, "VL_IN8((&kernel_i)[4],7,0);". */
static void check_port(struct check *check, const char *line)
{
    char name[UNIT_PORT_NAME];
    int high;
    int low;
    const char *const at = strchr(line, '&');
    const char *const comma = at == NULL ? NULL : strchr(at, ',');
    const bool array = at != NULL && at[-1] == '(' && at[-2] == '(';

    if (comma == NULL || sscanf(at, "&%127[A-Za-z0-9_]", name) != 1
        || sscanf(comma, ",%d,%d", &high, &low) != 2) {
        return;
    }
    const struct side expected = expected_port(check, name);
    const struct side found = {
        array                                ? "an array"
        : strncmp(line, "VL_INOUT", 8u) == 0 ? "an inout"
        : strncmp(line, "VL_IN", 5u) == 0    ? "an input"
                                             : "an output",
        (uint32_t)(high > low ? high - low : low - high) + 1u,
    };
    if (expected.bits != found.bits || strcmp(expected.direction, found.direction) != 0) {
        port_wrong(check, name, expected, found);
    }
}

static void check_missing(struct check *check)
{
    static const struct side none = { "", 0u }, one = { "an input", 1u };
    char name[UNIT_PORT_NAME];

    if (!check->clock) {
        port_wrong(check, "clk", one, none);
    }
    if (!check->reset) {
        port_wrong(check, "rst_i", one, none);
    }
    for (uint32_t i = 0u; i < check->unit->n_port; i++) {
        const struct unit_port *const port = &check->unit->ports[i];
        if ((port->group == UNIT_IN || port->group == UNIT_OUT) && !check->found[i]) {
            unit_port_name(port, name);
            port_wrong(check, name, expected_port(check, name), none);
        }
    }
}

/* What Verilator says, in words of ours where it is about the unit. */
static void check_error(struct check *check, const char *line)
{
    static const char params[] =
        "Parameters from the command line were not found in the design:";
    static const char top[] = "Specified --top-module";
    const char *const text = line + strlen("%Error") + strspn(line + strlen("%Error"), ": ");
    char here[PATH];

    if (strncmp(text, "Exiting due to", 14u) == 0
        || strncmp(text, "Cannot continue", 15u) == 0) {
        return;
    }
    check->wrong++;
    if (strncmp(text, top, sizeof top - 1u) == 0) {
        fprintf(stderr, "%s: module %s: expected, and not in it\n", check->file,
                check->unit->type->name);
        return;
    }
    if (strncmp(text, params, sizeof params - 1u) == 0) {
        char names[LINE];
        char *rest = NULL;
        snprintf(names, sizeof names, "%s", text + sizeof params - 1u);
        for (char *name = strtok_r(names, " ,", &rest); name != NULL;
             name = strtok_r(NULL, " ,", &rest)) {
            fprintf(stderr, "%s: parameter %s: expected, and not one of module %s\n",
                    check->file, name, check->unit->type->name);
        }
        return;
    }
    const size_t length = getcwd(here, sizeof here) == NULL ? 0u : strlen(here);
    const bool inside = length > 1u && strncmp(text, here, length) == 0 && text[length] == '/';
    fprintf(stderr, "%s\n", inside ? text + length + 1u : text);
}

static void check_line(struct check *check, char *line)
{
    line += strspn(line, " ");
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "VL_", 3u) == 0) {
        check_port(check, line);
    } else if (strncmp(line, "%Error", 6u) == 0) {
        check_error(check, line);
    } else if (strncmp(line, "task ", 5u) == 0) {
        fprintf(stderr, "%s: %s: expected no system task\n", check->file, line + 5u);
        check->wrong++;
    } else {
        fprintf(stderr,
                "%s: %s: expected registers of a fixed size, which hold all of its state\n",
                check->file, line);
        check->wrong++;
    }
}

/* Reads what rtl_interface.sh has left. False, with all that is wrong on stderr. */
static bool check_interface(const struct unit *unit, const struct rtl_theirs *theirs,
                            const char *interface)
{
    struct check check = { .unit = unit,
                           .file = theirs->files[0],
                           .found = calloc(unit->n_port, sizeof(bool)) };
    FILE *const from = fopen(interface, "r");
    char line[LINE];
    bool errors = false;

    if (from == NULL || check.found == NULL) {
        fprintf(stderr, "%s: %s\n", interface, strerror(errno));
        check.wrong++;
    }
    while (check.found != NULL && from != NULL && fgets(line, sizeof line, from) != NULL) {
        errors = errors || line[0] == '%';
        check_line(&check, line);
    }
    if (check.found != NULL && from != NULL && !errors) {
        check_missing(&check);
    }
    if (from != NULL) {
        fclose(from);
    }
    free(check.found);
    return check.wrong == 0u;
}

/* Has make build the library, if the interface is the unit's. */
static bool build(struct request *request, const struct unit *unit,
                  const struct rtl_theirs *theirs, const char *work)
{
    char path[MADE];

    name_work(path, work, "interface");
    snprintf(request->theirs, sizeof request->theirs, "THEIRS=%s", path);
    if (!make_goal(request, theirs, "their_interface")
        || !check_interface(unit, theirs, path)) {
        return false;
    }
    name_work(path, work, "library");
    snprintf(request->theirs, sizeof request->theirs, "THEIRS=%s", path);
    return make_goal(request, theirs, "their_library");
}

bool rtl_theirs_build(const struct unit *unit, const struct rtl_theirs *theirs)
{
    struct request *const request = calloc(1u, sizeof *request);
    struct output_file library = { .to = NULL };
    char work[PATH];
    char made[MADE];

    if (request == NULL || !has_programs() || !fill_request(request, unit, theirs)
        || !open_work(work)) {
        free(request);
        return false;
    }
    name_work(made, work, "library");
    bool good = output_file_open(&library, theirs->library);
    const bool built = good && build(request, unit, theirs, work);
    good = good && (!built || deliver(made, &library));
    if (!good) {
        fprintf(stderr, "%s: cannot be written: %s\n", theirs->library, strerror(errno));
    }
    output_file_abandon(&library);
    close_work(work);
    free(request);
    return good && built;
}
