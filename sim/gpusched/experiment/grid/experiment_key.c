/* experiment_key - the identity of a run; see experiment_key.h. */

#include "gpusched/experiment/grid/experiment_key.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/places.h"
#include "gpu/config/gpu_config_file.h"
#include "gpusched/experiment/grid/experiment_key_text.h"
#include "gpusched/experiment/grid/experiment_point.h"
#include "gpusched/workload/workload.h"
#include "tool/version.h"
#include "workloads/workload_list.h"

/* ---- Hashes -------------------------------------------------------------------------- */

static struct experiment_key hash_text(const struct hash *hash)
{
    struct experiment_key key;

    snprintf(key.text, sizeof key.text, "%016" PRIx64 "%016" PRIx64, hash->high, hash->low);
    return key;
}

static bool hash_file(const char *path, struct experiment_key *key)
{
    static unsigned char bytes[1 << 16];
    struct hash hash = hash_start;
    FILE *const from = fopen(path, "rbe");

    if (from == NULL) {
        return false;
    }
    for (size_t n = 1u; n > 0u;) {
        n = fread(bytes, 1u, sizeof bytes, from);
        hash_bytes(&hash, bytes, n);
    }
    const int reason = ferror(from) != 0 ? EIO : 0;
    fclose(from);
    *key = hash_text(&hash);
    errno = reason;
    return reason == 0;
}

struct experiment_key experiment_program(void)
{
    struct experiment_key key = { "" };

    hash_file("/proc/self/exe", &key);
    return key;
}

/* ---- Files --------------------------------------------------------------------------- */

/* Keys of all programs of a workload. */
struct contents {
    char text[WORKLOAD_PROGRAMS * sizeof(struct experiment_key)];
};

struct experiment_files {
    struct file {
        char path[EXPERIMENT_PATH];
        struct experiment_key key;
    } * list;
    uint32_t n;
    struct key_lines lines;
    /* Of the last workload. */
    char workload[EXPERIMENT_PATH];
    struct contents contents;
};

struct experiment_files *experiment_files_open(void)
{
    return calloc(1u, sizeof(struct experiment_files));
}

void experiment_files_free(struct experiment_files *files)
{
    if (files != NULL) {
        free(files->list);
        free(files);
    }
}

static const struct file *find_file(const struct experiment_files *files, const char *path)
{
    for (uint32_t i = 0u; files != NULL && i < files->n; i++) {
        if (strcmp(files->list[i].path, path) == 0) {
            return &files->list[i];
        }
    }
    return NULL;
}

static void keep_file(struct experiment_files *files, const char *path,
                      const struct experiment_key *key)
{
    struct file *const longer = realloc(files->list, (files->n + 1u) * sizeof *longer);

    if (longer != NULL) { /* otherwise it is read again */
        files->list = longer;
        snprintf(longer[files->n].path, sizeof longer->path, "%s", path);
        longer[files->n++].key = *key;
    }
}

static bool file_key(struct experiment_files *files, const char *path,
                     struct experiment_key *key)
{
    const struct file *const found = find_file(files, path);

    if (found != NULL) {
        *key = found->key;
        return true;
    }
    if (!hash_file(path, key)) {
        return false;
    }
    if (files != NULL) {
        keep_file(files, path, key);
    }
    return true;
}

/* ---- RTL ----------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The pattern of all Verilog, with a folder in which nothing stands for others. False if it
 * does not fit. */
static bool every_verilog(char *pattern, size_t size)
{
    static const char all[] = "/rtl/*/*.v";
    size_t n = 0u;

    for (const char *at = places_data(); *at != '\0'; at++) {
        if (n + 2u + sizeof all > size) {
            return false;
        }
        if (strchr("\\*?[", *at) != NULL) {
            pattern[n++] = '\\';
        }
        pattern[n++] = *at;
    }
    memcpy(pattern + n, all, sizeof all);
    return true;
}

/* Of all Verilog: which unit is made of which file is make's to know. */
static bool verilog_key(struct experiment_files *files, struct experiment_key *key)
{
    char pattern[EXPERIMENT_PATH];
    glob_t found = { .gl_pathc = 0u };
    struct hash hash = hash_start;

    bool good =
        every_verilog(pattern, sizeof pattern) && glob(pattern, GLOB_NOSORT, NULL, &found) == 0;

    errno = ENOENT;
    if (good) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_name);
    }
    for (size_t i = 0u; good && i < found.gl_pathc; i++) {
        struct experiment_key one;
        good = file_key(files, found.gl_pathv[i], &one);
        if (good) {
            hash_bytes(&hash, (const unsigned char *)one.text, sizeof one.text);
        }
    }
    *key = hash_text(&hash);
    globfree(&found);
    return good;
}

static bool rtl_key(const struct experiment_point *point, struct experiment_files *files,
                    struct experiment_key *key, struct fault *fault)
{
    const char *const file = point->rtl.library;

    if (point->rtl.mode == RTL_OFF
        || (file != NULL ? file_key(files, file, key) : verilog_key(files, key))) {
        return true;
    }
    return fault_system(fault, "%.2000s%s", file != NULL ? file : places_data(),
                        file != NULL ? "" : "/rtl");
}

/* ---- Runs ---------------------------------------------------------------------------- */

/* The file that a program's instructions come from. */
static void path_of(const char *program, char path[EXPERIMENT_PATH])
{
    char name[WORKLOAD_FILE] = "";
    struct fault fault;
    uint32_t ctas;

    /* A bad name finds no file; loading it will say what is wrong. */
    (void)workload_split(program, name, &ctas, &fault);
    const struct cuda_workload *const cuda = cuda_workload_named(name);
    if (cuda != NULL) {
        snprintf(path, EXPERIMENT_PATH, "%s/%.255s.ptx", places_kernels(),
                 workload_folder(cuda));
    } else {
        (void)places_config("workloads", name, path, EXPERIMENT_PATH);
    }
}

static bool contents_key(const struct experiment_point *point, struct experiment_files *files,
                         struct contents *contents, struct fault *fault)
{
    const char *rest = point->workload;
    char name[WORKLOAD_FILE];
    size_t at = 0u;

    if (files != NULL && strcmp(files->workload, point->workload) == 0) {
        *contents = files->contents;
        return true;
    }
    while (at < sizeof contents->text && workload_next(&rest, name)) {
        struct experiment_key file;
        char path[EXPERIMENT_PATH];
        path_of(name, path);
        if (!file_key(files, path, &file)) {
            return fault_system(fault, "%s", path);
        }
        at += (size_t)snprintf(contents->text + at, sizeof contents->text - at, "%s%s",
                               at == 0u ? "" : " ", file.text);
    }
    if (files != NULL) {
        snprintf(files->workload, sizeof files->workload, "%s", point->workload);
        files->contents = *contents;
    }
    return true;
}

bool experiment_key_make(const struct experiment_point *point, struct experiment_files *files,
                         struct experiment_key *key, char **text, struct fault *fault)
{
    struct contents contents = { "" };
    struct experiment_key rtl = { "" };
    struct hash hash = hash_start;

    if (!contents_key(point, files, &contents, fault) || !rtl_key(point, files, &rtl, fault)) {
        return false;
    }
    const bool good = key_text_make(point, contents.text, rtl.text,
                                    files == NULL ? NULL : &files->lines, &hash, text);
    *key = hash_text(&hash);
    return good ? true : fault_surroundings(fault, "no memory");
}
