/* gpu_config_names - files by their names; see gpu_config_names.h. */

#include "gpu/config/gpu_config_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_scheduler.h"

static const struct {
    const char *folder;
    const char *noun;
} kinds[] = {
    [CONFIG_GPU] = { "gpu", "GPU" },
    [CONFIG_SCHEDULER] = { "schedulers", "scheduler" },
};

/* ---- Lists --------------------------------------------------------------------------- */

static int is_yaml(const struct dirent *entry)
{
    const char *const end = strrchr(entry->d_name, '.');

    return end != NULL && end != entry->d_name && strcmp(end, ".yaml") == 0;
}

/* Without the ending, so that a name comes before the longer ones that begin with it. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    const size_t of_a = strlen((*a)->d_name) - strlen(".yaml");
    const size_t of_b = strlen((*b)->d_name) - strlen(".yaml");
    const int order = strncmp((*a)->d_name, (*b)->d_name, of_a < of_b ? of_a : of_b);

    return order != 0 ? order : (of_a > of_b) - (of_a < of_b);
}

static void append(char *text, size_t size, const char *word)
{
    const size_t length = strlen(text);

    snprintf(text + length, size - length, "%s%s", length == 0u ? "" : ", ", word);
}

static void list(enum config_kind kind, char *text, size_t size)
{
    char folder[PLACES_PATH];
    struct dirent **entries = NULL;

    snprintf(folder, sizeof folder, "%.4000s/configs/%s", places_data(), kinds[kind].folder);
    const int n = scandir(folder, &entries, is_yaml, by_name);
    text[0] = '\0';
    if (n < 0) {
        /* These files are the program's own: without them it cannot go on. */
        fprintf(stderr, "gpusched: %s: %s\n", folder, strerror(errno));
        exit(2);
    }
    for (int i = 0; i < n; i++) {
        *strrchr(entries[i]->d_name, '.') = '\0';
        append(text, size, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

void gpu_config_names(char *text, size_t size)
{
    list(CONFIG_GPU, text, size);
}

void gpu_scheduler_names(char *text, size_t size)
{
    list(CONFIG_SCHEDULER, text, size);
}

/* ---- Looking one up ------------------------------------------------------------------ */

bool config_find(enum config_kind kind, const char *name, char path[PLACES_PATH],
                 struct fault *fault)
{
    char names[512];

    if (!places_config(kinds[kind].folder, name, path, PLACES_PATH)) {
        return fault_set(fault, "%.40s...: the path is too long", name);
    }
    if (!places_is_name(name) || access(path, F_OK) == 0) {
        return true;
    }
    list(kind, names, sizeof names);
    return fault_set(fault,
                     "%.200s: no such %s; allowed: a file (with a / or .yaml), or one of %s",
                     name, kinds[kind].noun, names);
}
