/* naive - names of the modes of a run; see naive.h. */

#include "gpusched/result/naive.h"

#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"

static const struct {
    const char *name;
    unsigned mode;
} names[] = {
    { "step", GPU_STEP_ALL },
    { "skip", GPU_NO_SKIP },
    { "poll", GPU_POLL },
    { "scan", GPU_SCAN },
    /* Counting cycles one by one needs every component in every one. */
    { "count", GPU_COUNT_EACH | GPU_STEP_ALL | GPU_NO_SKIP },
    { "fuzz", GPU_FUZZ },
    { "versions", GPU_VERSIONS },
    { "all", GPU_NAIVE },
};

enum { NAMES = sizeof names / sizeof names[0], ALL = NAMES - 1 };

bool naive_parse(const char *list, unsigned *mode, struct fault *fault)
{
    const char *at = list;
    unsigned read = 0u;

    do {
        const size_t n = strcspn(at, ",");
        size_t i = 0u;
        while (i < NAMES
               && (strlen(names[i].name) != n || strncmp(at, names[i].name, n) != 0)) {
            i++;
        }
        if (i == NAMES) {
            return fault_set(
                fault,
                "--naive=%s: %.*s is none of step, skip, poll, scan, count, fuzz, versions, "
                "all",
                list, (int)n, at);
        }
        read |= names[i].mode;
        at += n;
    } while (*at++ == ',');
    *mode |= read;
    return true;
}

const char *naive_name(size_t number)
{
    return number < NAMES ? names[number].name : NULL;
}

json_t *naive_json(unsigned mode)
{
    json_t *const array = json_array();

    for (size_t i = 0u; i < ALL; i++) {
        if ((mode & names[i].mode) == names[i].mode) {
            json_array_append_new(array, json_string(names[i].name));
        }
    }
    return array;
}
