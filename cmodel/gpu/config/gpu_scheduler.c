/* gpu_scheduler - reads and applies schedulers; see gpu_scheduler.h. */

#include "gpu/config/gpu_scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/gpu_config_yaml.h"

enum { MOST = 8 };

struct gpu_scheduler {
    struct gpu_yaml *files[MOST];
    uint32_t n;
};

/* Ranges are checked now, on the defaults, while the file's path is known. */
static bool read_file(struct gpu_scheduler *to, const char *name, struct fault *fault)
{
    struct gpu_config config = gpu_config_standard();
    char path[PLACES_PATH];

    if (to->n == MOST) {
        return fault_set(fault, "%.200s: too many schedulers; allowed: at most %d", name, MOST);
    }
    if (!config_find(CONFIG_SCHEDULER, name, path, fault)) {
        return false;
    }
    struct gpu_yaml *const file = gpu_yaml_load(CONFIG_SCHEDULER, path, fault);
    if (file == NULL) {
        return false;
    }
    to->files[to->n++] = file;
    return gpu_yaml_apply(file, path, &config, fault);
}

/* "a,b" word by word. */
static bool read_all(struct gpu_scheduler *to, const char *names, struct fault *fault)
{
    char name[PLACES_PATH];
    size_t length;

    for (const char *at = names;; at += length + 1u) {
        length = strcspn(at, ",");
        if (length == 0u || length >= sizeof name) {
            return fault_set(fault, "%.200s: %s name; allowed: NAME or NAME,NAME", names,
                             length == 0u ? "an empty" : "too long a");
        }
        memcpy(name, at, length);
        name[length] = '\0';
        if (!read_file(to, name, fault)) {
            return false;
        }
        if (at[length] == '\0') {
            return true;
        }
    }
}

struct gpu_scheduler *gpu_scheduler_load(const char *names, struct fault *fault)
{
    struct gpu_scheduler *const scheduler = calloc(1u, sizeof *scheduler);

    if (scheduler == NULL) {
        fault_set(fault, "no memory");
        return NULL;
    }
    if (!read_all(scheduler, names, fault)) {
        gpu_scheduler_free(scheduler);
        return NULL;
    }
    return scheduler;
}

void gpu_scheduler_free(struct gpu_scheduler *scheduler)
{
    for (uint32_t i = 0u; scheduler != NULL && i < scheduler->n; i++) {
        gpu_yaml_free(CONFIG_SCHEDULER, scheduler->files[i]);
    }
    free(scheduler);
}

void gpu_scheduler_apply(const struct gpu_scheduler *scheduler, struct gpu_config *config)
{
    for (uint32_t i = 0u; i < scheduler->n; i++) {
        gpu_yaml_fill(config, scheduler->files[i]);
    }
}

const char *gpu_scheduler_title(const struct gpu_scheduler *scheduler)
{
    const char *const title = scheduler->files[scheduler->n - 1u]->title;

    return title != NULL ? title : "";
}

bool gpu_config_schedule(struct gpu_config *config, const char *names, struct fault *fault)
{
    if (names == NULL) {
        return true;
    }
    struct gpu_scheduler *const scheduler = gpu_scheduler_load(names, fault);
    if (scheduler != NULL) {
        gpu_scheduler_apply(scheduler, config);
        gpu_scheduler_free(scheduler);
    }
    return scheduler != NULL;
}
