/* gpu_config_print - shows the parameters of a GPU; see gpu_config_file.h. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/gpu_config_file.h"

/* As short as it can be and still be read back to the same value. */
static void print_real(double value, char *text, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) >= value && strtod(text, NULL) <= value) {
            return;
        }
    }
}

const char *gpu_config_value(const struct gpu_config *config, const struct gpu_key *key,
                             char *text, size_t size)
{
    const char *const at = (const char *)config + key->offset;
    uint32_t whole;
    double real;
    bool flag;

    switch (key->type) {
    case GPU_NUM:
        memcpy(&whole, at, sizeof whole);
        snprintf(text, size, "%" PRIu32, whole);
        break;
    case GPU_REAL:
        memcpy(&real, at, sizeof real);
        print_real(real, text, size);
        break;
    case GPU_FLAG:
        memcpy(&flag, at, sizeof flag);
        snprintf(text, size, "%s", flag ? "true" : "false");
        break;
    case GPU_PICK:
        memcpy(&whole, at, sizeof whole);
        snprintf(text, size, "%s", key->choices[whole]);
        break;
    }
    return text;
}

/* Without the unit. */
static void print_range(const struct gpu_key *key, char *text, size_t size)
{
    size_t length = 0u;

    switch (key->type) {
    case GPU_NUM:
    case GPU_REAL:
        snprintf(text, size, "%.10g to %.10g", key->lowest, key->highest);
        break;
    case GPU_FLAG:
        snprintf(text, size, "true, false");
        break;
    case GPU_PICK:
        for (uint32_t i = 0u; key->choices[i] != NULL && length < size; i++) {
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       i == 0u ? "" : ", ", key->choices[i]);
        }
        break;
    }
}

const char *gpu_key_allowed(const struct gpu_key *key, char *text, size_t size)
{
    print_range(key, text, size);
    if (key->unit[0] != '\0') {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, " %s", key->unit);
    }
    return text;
}

const char *gpu_key_remark(const struct gpu_key *key, char *text, size_t size)
{
    const char *const colon = key->unit[0] != '\0' && key->meaning[0] != '\0' ? ": " : "";

    snprintf(text, size, "%s%s%s", key->unit, colon, key->meaning);
    return text;
}

/* What is behind a value: its unit and meaning, or where it comes from. */
static void print_remark(const struct gpu_key *key, const struct gpu_source *sources,
                         char *text, size_t size)
{
    if (sources == NULL) {
        gpu_key_remark(key, text, size);
        return;
    }
    const struct gpu_source *const source = &sources[key - gpu_keys];
    /* A file that was written so says it already. */
    const bool open = gpu_source_is_open(source)
                      && strncmp(source->text, "not calibrated", strlen("not calibrated")) != 0;
    snprintf(text, size, "%s%s%s", open ? "not calibrated" : "",
             open && source->text[0] != '\0' ? "; " : "", source->text);
}

void gpu_config_print(const struct gpu_config *config, const struct gpu_source *sources,
                      FILE *to)
{
    const struct gpu_key *key = gpu_keys;
    char line[64];
    char value[32];
    char remark[REMARK_SIZE];

    for (uint32_t i = 0u; i < gpu_section_count; i++) {
        const struct gpu_section *const section = &gpu_sections[i];
        fprintf(to, "%s%s: # %s\n", i == 0u ? "" : "\n", section->section, section->title);
        for (; key < gpu_keys + gpu_key_count && strcmp(key->section, section->section) == 0;
             key++) {
            snprintf(line, sizeof line, "  %s: %s", key->key,
                     gpu_config_value(config, key, value, sizeof value));
            print_remark(key, sources, remark, sizeof remark);
            if (remark[0] == '\0') {
                fprintf(to, "%s\n", line);
            } else {
                fprintf(to, "%-28s # %s\n", line, remark);
            }
        }
    }
}

void gpu_config_table(FILE *to)
{
    const struct gpu_config standard = gpu_config_standard();
    const struct gpu_key *key = gpu_keys;
    char value[32];
    char range[128];

    for (uint32_t i = 0u; i < gpu_section_count; i++) {
        const struct gpu_section *const section = &gpu_sections[i];
        fprintf(to, "%s**`%s`** %s\n\n", i == 0u ? "" : "\n", section->section, section->title);
        fprintf(to, "| key | default | range | unit | meaning |\n|---|---|---|---|---|\n");
        for (; key < gpu_keys + gpu_key_count && strcmp(key->section, section->section) == 0;
             key++) {
            print_range(key, range, sizeof range);
            fprintf(to, "| `%s` | %s | %s | %s | %s |\n", key->key,
                    gpu_config_value(&standard, key, value, sizeof value), range, key->unit,
                    key->meaning);
        }
    }
}
