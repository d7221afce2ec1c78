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
#include "gpusched/experiment/grid/experiment_point.h"
#include "gpusched/workload/workload.h"
#include "tool/version.h"
#include "workloads/workload_list.h"

/* ---- Hashes -------------------------------------------------------------------------- */

/* Two FNV-1a of 64 bits that begin differently and see different bytes. Nobody attacks them;
 * 128 bits are so many that two runs never meet by chance. */
struct hash {
    uint64_t low, high;
};

static const struct hash hash_start = { UINT64_C(0xcbf29ce484222325),
                                        UINT64_C(0x84222325cbf29ce4) };

static void hash_bytes(struct hash *hash, const unsigned char *bytes, size_t n)
{
    const uint64_t prime = UINT64_C(0x100000001b3);

    for (size_t i = 0u; i < n; i++) {
        hash->low = (hash->low ^ bytes[i]) * prime;
        hash->high = (hash->high ^ (unsigned char)~bytes[i]) * prime;
        hash->high ^= hash->high >> 29;
    }
}

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

struct experiment_files {
    struct file {
        char path[EXPERIMENT_PATH];
        struct experiment_key key;
    } * list;
    uint32_t n;
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

/* Those of all programs of a workload. */
struct contents {
    char text[WORKLOAD_PROGRAMS * sizeof(struct experiment_key)];
};
static bool contents_key(const struct experiment_point *point, struct experiment_files *files,
                         struct contents *contents, struct fault *fault)
{
    const char *rest = point->workload;
    char name[WORKLOAD_FILE];
    size_t at = 0u;

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
    return true;
}

/* Only where there is something: other runs have the keys they always had. */
static void write_watch(const struct experiment_point *point, const struct experiment_key *rtl,
                        FILE *to)
{
    if (point->rtl.mode != RTL_OFF) {
        fputs("rtl: shadow", to);
        struct gpu_unit units[GPU_MAX_UNITS];
        const uint32_t n = gpu_units(units);
        for (uint32_t k = 0u; k < n; k++) {
            const bool on = (point->rtl.units >> k & 1u) != 0u;
            fprintf(to, "%s%s", on ? " " : "", on ? units[k].type->name : "");
        }
        fprintf(to, "\nverilog: %s\n", rtl->text);
    }
    if (point->ctas) {
        fputs("observe: ctas\n", to);
    }
}

/* What programs say of their kernels' registers, which is not in the contents. */
static void write_registers(const struct experiment_point *point, FILE *to)
{
    const char *rest = point->workload;
    char name[WORKLOAD_FILE];

    while (workload_next(&rest, name)) {
        const struct cuda_workload *const program = cuda_workload_named(name);
        const struct kit_registers *r = program == NULL ? NULL : program->registers;
        for (; r != NULL && r->kernel != NULL; r++) {
            fprintf(to, "registers: %s %" PRIu32 "\n", r->kernel, r->count);
        }
    }
}

static void write_text(const struct experiment_point *point, const struct contents *contents,
                       const struct experiment_key *rtl, FILE *to)
{
    fprintf(to, "gpusched: %s\nworkload: %s\nsize: %s\ncontents: %s\n", GPUSCHED_VERSION,
            point->workload_label, point->size == NULL ? "-" : point->size, contents->text);
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char value[64];
        fprintf(to, "%s.%s: %s\n", gpu_keys[i].section, gpu_keys[i].key,
                gpu_config_value(&point->config, &gpu_keys[i], value, sizeof value));
    }
    fprintf(to, "not_calibrated: %" PRIu32 "\n", point->not_calibrated);
    write_registers(point, to);
    write_watch(point, rtl, to);
}

bool experiment_key_make(const struct experiment_point *point, struct experiment_files *files,
                         struct experiment_key *key, char **text, struct fault *fault)
{
    struct contents contents = { "" };
    struct experiment_key rtl = { "" };
    struct hash hash = hash_start;
    char *made = NULL;
    size_t length = 0u;

    if (!contents_key(point, files, &contents, fault)) {
        return false;
    }
    if (!rtl_key(point, files, &rtl, fault)) {
        return false;
    }
    FILE *const to = open_memstream(&made, &length);
    if (to == NULL) {
        return fault_surroundings(fault, "no memory");
    }
    write_text(point, &contents, &rtl, to);
    if (!output_text_close(to, &made)) {
        return fault_surroundings(fault, "no memory");
    }
    hash_bytes(&hash, (const unsigned char *)made, length);
    *key = hash_text(&hash);
    if (text == NULL) {
        free(made);
    } else {
        *text = made;
    }
    return true;
}
