/* result_read - a run's files, read again; see result_read.h. */

#include "gpusched/result/result_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tool/memory_watch.h"

static bool is_folder(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text);

    return n >= strlen(end) && strcmp(text + n - strlen(end), end) == 0;
}

bool result_named(const char *path)
{
    return is_folder(path) || ends_with(path, ".json");
}

bool result_place(const char *given, const char *name, char path[RESULT_PATH],
                  struct fault *fault)
{
    const char *const slash = strrchr(given, '/');
    const bool folder = is_folder(given);
    const size_t n = folder ? strlen(given) : slash == NULL ? 0u : (size_t)(slash - given) + 1u;
    const bool between = folder && given[n - 1u] != '/';

    if (n + strlen(name) + 2u > RESULT_PATH) {
        return fault_set(fault, "%.100s...: the path is too long", given);
    }
    snprintf(path, RESULT_PATH, "%.*s%s%s", (int)n, given, between ? "/" : "", name);
    return true;
}

/* NULL with a fault; `absent` is set if there is no such file. */
static json_t *read_object(const char *path, const char *format, bool *absent,
                           struct fault *fault)
{
    json_error_t error;
    FILE *const from = fopen(path, "rbe");

    *absent = from == NULL && errno == ENOENT;
    if (from == NULL) {
        fault_system(fault, "%s", path);
        return NULL;
    }
    json_t *const object = json_loadf(from, 0u, &error);
    fclose(from);
    if (object == NULL) {
        if (memory_lost()) {
            fault_surroundings(fault, "no memory");
        } else {
            fault_at(fault, path, error.line > 0 ? (uint32_t)error.line : 0u, "no JSON: %.200s",
                     error.text);
        }
        return NULL;
    }
    const char *const its = json_string_value(json_object_get(object, "format"));
    if (its == NULL || strcmp(its, format) != 0) {
        fault_at(fault, path, 0u, "format: %.100s; allowed: %s", its == NULL ? "none" : its,
                 format);
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *result_read(const char *given, struct fault *fault)
{
    char path[RESULT_PATH];
    bool absent;

    if (!is_folder(given)) {
        return read_object(given, "gpusched-result 1", &absent, fault);
    }
    if (!result_place(given, "result.json", path, fault)) {
        return NULL;
    }
    json_t *const result = read_object(path, "gpusched-result 1", &absent, fault);
    if (absent) {
        fault_set(fault,
                  "%.2000s: there is no result.json; allowed: a folder that gpusched "
                  "run -o has written",
                  given);
    }
    return result;
}

json_t *result_read_beside(const char *given, const char *name, const char *format,
                           struct fault *fault)
{
    char path[RESULT_PATH];
    bool absent;

    if (!result_place(given, name, path, fault)) {
        return NULL;
    }
    json_t *const object = read_object(path, format, &absent, fault);
    if (absent) {
        *fault = (struct fault){ .kind = FAULT_NONE };
    }
    return object;
}

struct result_title result_title(const json_t *result)
{
    const char *const workload = json_string_value(json_object_get(result, "workload"));
    const char *const size = json_string_value(json_object_get(result, "size"));
    struct result_title title;

    snprintf(title.text, sizeof title.text, "%.300s%s%.100s", workload == NULL ? "" : workload,
             size == NULL ? "" : " ", size == NULL ? "" : size);
    return title;
}
