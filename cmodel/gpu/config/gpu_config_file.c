/* gpu_config_file - reads the parameters of a GPU; see gpu_config_file.h. */

#include "gpu/config/gpu_config_file.h"

#include <cyaml/cyaml.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/places.h"
#include "base/yaml_file.h"

/* ---- Schema -------------------------------------------------------------------------- */

/* A pointer for each key: NULL if the file leaves it out. */
struct file {
#define SECTION(section, title)                                      struct {
#define NUM(section, key, standard, lowest, highest, unit, meaning)  uint32_t *key;
#define REAL(section, key, standard, lowest, highest, unit, meaning) double *key;
#define FLAG(section, key, standard, meaning)                        bool *key;
#define PICK(section, key, type, standard, meaning)                  enum type *key;
#define END(section) \
    }                \
    section;
#include "gpu/config/gpu_config.def"
};

#define STRVAL(identifier, name) { name, identifier },
static const cyaml_strval_t warp_policy_names[] = { WARP_POLICY(STRVAL) };
static const cyaml_strval_t pipe_owner_names[] = { PIPE_OWNER(STRVAL) };
static const cyaml_strval_t write_policy_names[] = { WRITE_POLICY(STRVAL) };
static const cyaml_strval_t dram_policy_names[] = { DRAM_POLICY(STRVAL) };
static const cyaml_strval_t dispatch_policy_names[] = { DISPATCH_POLICY(STRVAL) };
#undef STRVAL

/* A section is a mapping within the file's; offsets count from the section. */
#define POINTER (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)
#define OFFSET(section, key) \
    (uint32_t)(offsetof(struct file, section.key) - offsetof(struct file, section))

#define FIELD(section, name, ...)                                                    \
    {                                                                                \
        .key = #name, .data_offset = OFFSET(section, name), .value = { __VA_ARGS__ } \
    }
#define SECTION(section, title) static const cyaml_schema_field_t section##_fields[] = {
#define NUM(section, name, standard, lowest, highest, unit, meaning) \
    FIELD(section, name, CYAML_VALUE_UINT(POINTER, uint32_t)),
#define REAL(section, name, standard, lowest, highest, unit, meaning) \
    FIELD(section, name, CYAML_VALUE_FLOAT(POINTER, double)),
#define FLAG(section, name, standard, meaning) \
    FIELD(section, name, CYAML_VALUE_BOOL(POINTER, bool)),
#define PICK(section, name, type, standard, meaning)         \
    FIELD(section, name,                                     \
          CYAML_VALUE_ENUM(POINTER, enum type, type##_names, \
                           sizeof type##_names / sizeof type##_names[0])),
#define END(section) \
    CYAML_FIELD_END  \
    }                \
    ;
#include "gpu/config/gpu_config.def"

static const cyaml_schema_field_t file_fields[] = {
#define SECTION(name, title) \
    CYAML_FIELD_MAPPING(#name, CYAML_FLAG_OPTIONAL, struct file, name, name##_fields),
#include "gpu/config/gpu_config.def"
    CYAML_FIELD_END
};

static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file, file_fields),
};

/* What the file gives replaces the defaults. */
static void fill(struct gpu_config *config, const struct file *file)
{
#define TAKE(section, key)                        \
    if (file->section.key != NULL) {              \
        config->section.key = *file->section.key; \
    }
#define NUM(section, key, standard, lowest, highest, unit, meaning)  TAKE(section, key)
#define REAL(section, key, standard, lowest, highest, unit, meaning) TAKE(section, key)
#define FLAG(section, key, standard, meaning)                        TAKE(section, key)
#define PICK(section, key, type, standard, meaning)                  TAKE(section, key)
#include "gpu/config/gpu_config.def"
#undef TAKE
}

/* ---- Names of files ------------------------------------------------------------------ */

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

void gpu_config_names(char *text, size_t size)
{
    char folder[PLACES_PATH];
    struct dirent **entries = NULL;

    snprintf(folder, sizeof folder, "%.4000s/configs/gpu", places_data());
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

/* ---- Loading ------------------------------------------------------------------------- */

/* The line of a key, or of its section if the key has its default, or 1. */
static uint32_t line_of(const char *path, const struct gpu_key *key)
{
    char name[64];

    snprintf(name, sizeof name, "%s.%s", key->section, key->key);
    const uint32_t line = yaml_line(path, name);
    const uint32_t section = line != 0u ? line : yaml_line(path, key->section);
    return section != 0u ? section : 1u;
}

static bool check(const char *path, const struct gpu_config *config, char *message, size_t size)
{
    char text[512];
    const struct gpu_key *const key = gpu_config_fault(config, text, sizeof text);

    if (key != NULL) {
        snprintf(message, size, "%s:%" PRIu32 ": %s.%s: %s", path, line_of(path, key),
                 key->section, key->key, text);
    }
    return key == NULL;
}

bool gpu_config_load(const char *path, struct gpu_config *config, char *message, size_t size)
{
    char found[PLACES_PATH];
    void *data = NULL;

    *config = gpu_config_standard();
    if (!places_config("gpu", path, found, sizeof found)) {
        snprintf(message, size, "%.40s...: the path is too long", path);
        return false;
    }
    if (places_is_name(path) && access(found, F_OK) != 0) {
        char names[512];
        gpu_config_names(names, sizeof names);
        snprintf(message, size,
                 "%.200s: no such GPU; allowed: a file (with a / or .yaml), or one of %s", path,
                 names);
        return false;
    }
    if (!yaml_load(found, &schema, &data, message, size)) {
        return false;
    }
    fill(config, data);
    yaml_unload(&schema, data);
    return check(found, config, message, size);
}

/* ---- Assignments --------------------------------------------------------------------- */

/* Suggests the nearest of all keys; lists the keys of the section if there is one of that
 * name, otherwise the sections. */
static bool unknown(const char *name, const char *section, char *message, size_t size)
{
    char allowed[512] = "";
    char row[64];
    char nearest[64] = "";
    uint32_t least = UINT32_MAX;

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        const struct gpu_key *const key = &gpu_keys[i];
        snprintf(row, sizeof row, "%s.%s", key->section, key->key);
        if (yaml_nearer(name, row, &least)) {
            memcpy(nearest, row, sizeof nearest);
        }
        if (strcmp(key->section, section) == 0) {
            append(allowed, sizeof allowed, row);
        }
    }
    for (uint32_t i = 0u; i < gpu_section_count && strchr(allowed, '.') == NULL; i++) {
        append(allowed, sizeof allowed, gpu_sections[i].section);
    }
    snprintf(message, size, "%s: no such key%s%s; allowed: %s", name,
             nearest[0] == '\0' ? "" : ", the nearest is ", nearest, allowed);
    return false;
}

static bool set_value(struct gpu_config *config, const struct gpu_key *key, const char *text)
{
    char *const at = (char *)config + key->offset;
    uint64_t whole = 0u;
    double real;

    switch (key->type) {
    case GPU_NUM:
        if (!yaml_whole(text, (uint64_t)key->highest, &whole) || (double)whole < key->lowest) {
            return false;
        }
        memcpy(at, &(uint32_t){ (uint32_t)whole }, sizeof(uint32_t));
        return true;
    case GPU_REAL:
        if (!yaml_real(text, &real) || real < key->lowest || real > key->highest) {
            return false;
        }
        memcpy(at, &real, sizeof real);
        return true;
    case GPU_FLAG:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
            return false;
        }
        memcpy(at, &(bool){ text[0] == 't' }, sizeof(bool));
        return true;
    case GPU_PICK:
        while (key->choices[whole] != NULL && strcmp(key->choices[whole], text) != 0) {
            whole++;
        }
        if (key->choices[whole] == NULL) {
            return false;
        }
        memcpy(at, &(uint32_t){ (uint32_t)whole }, sizeof(uint32_t));
        return true;
    }
    return false;
}

bool gpu_config_set(struct gpu_config *config, const char *assignment, char *message,
                    size_t size)
{
    char name[64];
    char allowed[128];
    const size_t length = strcspn(assignment, "=");

    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name),
             assignment);
    const size_t dot = strcspn(name, ".");
    const char *const last = name[dot] == '.' ? name + dot + 1u : "";
    char section[64];
    snprintf(section, sizeof section, "%.*s", (int)dot, name);
    const struct gpu_key *const key = gpu_key_find(section, last);

    if (key == NULL) {
        return unknown(name, section, message, size);
    }
    gpu_key_allowed(key, allowed, sizeof allowed);
    if (assignment[length] != '=') {
        snprintf(message, size, "%s: no value is given; allowed: %s=VALUE, of %s", name, name,
                 allowed);
        return false;
    }
    if (!set_value(config, key, assignment + length + 1u)) {
        snprintf(message, size, "%s: \"%.40s\" is given; allowed: %s%s", name,
                 assignment + length + 1u, key->type == GPU_NUM ? "a whole number, " : "",
                 allowed);
        return false;
    }
    return true;
}
