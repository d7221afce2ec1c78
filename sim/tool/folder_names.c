/* folder_names - names and titles of files; see folder_names.h. */

#include "tool/folder_names.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"

enum { TITLE = 256, PATH = 4096 };

static const char ending[] = ".yaml";

static int is_yaml(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);

    return n > sizeof ending - 1u
           && strcmp(entry->d_name + n - (sizeof ending - 1u), ending) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* These files are the program's own: without them it cannot go on. */
static _Noreturn void fail(const char *path)
{
    fprintf(stderr, "gpusched: %s: %s\n", path, strerror(errno));
    exit(2);
}

static void read_title(const char *folder, const char *file, char title[TITLE])
{
    char path[PATH];

    title[0] = '\0';
    snprintf(path, sizeof path, "%.3800s/%.255s", folder, file);
    FILE *const from = fopen(path, "re");
    if (from == NULL) {
        fail(path);
    }
    if (fgets(title, TITLE, from) == NULL || title[0] != '#') {
        title[0] = '\0';
    }
    title[strcspn(title, "\n")] = '\0';
    const size_t start = strspn(title, "# ");
    memmove(title, title + start, strlen(title + start) + 1u);
    fclose(from);
}

void folder_names(const char *kind,
                  void (*each)(void *self, const char *name, const char *title), void *self)
{
    char folder[PATH];
    struct dirent **entries = NULL;

    snprintf(folder, sizeof folder, "%.3500s/configs/%.100s", places_data(), kind);
    const int n = scandir(folder, &entries, is_yaml, by_name);

    if (n < 0) {
        fail(folder);
    }
    for (int i = 0; i < n; i++) {
        char title[TITLE];
        read_title(folder, entries[i]->d_name, title);
        *strrchr(entries[i]->d_name, '.') = '\0';
        each(self, entries[i]->d_name, title);
        free(entries[i]);
    }
    free(entries);
}
