/* output - files of a run, all or none; see output.h. */

#include "tool/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct path {
    char text[OUTPUT_PATH + 2 * OUTPUT_NAME];
};

static struct path path_of(const struct output *output, const char *name)
{
    struct path path;

    snprintf(path.text, sizeof path.text, "%s/%s", output->folder, name);
    return path;
}

bool output_open(struct output *output, const char *folder, struct fault *fault)
{
    struct stat found;

    memset(output, 0, sizeof *output);
    if (folder[0] == '\0' || strlen(folder) >= sizeof output->folder) {
        return fault_set(fault, "-o: the path of a folder, shorter than %d, is needed",
                         OUTPUT_PATH);
    }
    memcpy(output->folder, folder, strlen(folder) + 1u);
    output->made = mkdir(folder, 0777) == 0;
    if (!output->made && errno != EEXIST) {
        return fault_system(fault, "-o %.3000s: the folder cannot be made", folder);
    }
    if (stat(folder, &found) != 0 || !S_ISDIR(found.st_mode)) {
        return fault_set(fault, "-o %.3000s: this is no folder", folder);
    }
    return true;
}

FILE *output_file(struct output *output, const char *name, struct fault *fault)
{
    struct output_file *const file = &output->files[output->n];

    if (!output_file_open(file, path_of(output, name).text)) {
        fault_system(fault, "%.3000s/%s: cannot be written", output->folder, name);
        return NULL;
    }
    output->n++;
    return file->to;
}

static bool written(const struct output *output, const char *name)
{
    bool found = false;

    for (unsigned i = 0u; i < output->n; i++) {
        found = found || strcmp(output->files[i].path, path_of(output, name).text) == 0;
    }
    return found;
}

static bool fail(struct output *output, const struct output_file *file, struct fault *fault)
{
    fault_system(fault, "%.3000s: cannot be written", file->path);
    output_abandon(output);
    return false;
}

bool output_commit(struct output *output, const char *const *may_be_old, struct fault *fault)
{
    for (unsigned i = 0u; i < output->n; i++) {
        if (!output_file_finish(&output->files[i])) {
            return fail(output, &output->files[i], fault);
        }
    }
    for (; *may_be_old != NULL; may_be_old++) {
        if (!written(output, *may_be_old)) {
            unlink(path_of(output, *may_be_old).text);
        }
    }
    for (unsigned i = 0u; i < output->n; i++) {
        if (!output_file_name(&output->files[i])) {
            return fail(output, &output->files[i], fault);
        }
    }
    output->n = 0u;
    return true;
}

void output_abandon(struct output *output)
{
    for (unsigned i = 0u; i < output->n; i++) {
        output_file_abandon(&output->files[i]);
    }
    output->n = 0u;
    if (output->made) {
        rmdir(output->folder); /* not if someone else has put something there */
    }
}
