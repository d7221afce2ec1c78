/* gpu_config_set - changes one parameter of a GPU; see gpu_config_file.h. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml_file.h"
#include "gpu/config/gpu_config_file.h"

static void append(char *text, size_t size, const char *word)
{
    const size_t length = strlen(text);

    snprintf(text + length, size - length, "%s%s", length == 0u ? "" : ", ", word);
}

/* Suggests the nearest of all keys; lists the keys of the section if there is one of that
 * name, otherwise the sections. */
static bool unknown(const char *name, const char *section, struct fault *fault)
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
    return fault_set(fault, "%s: no such key%s%s; allowed: %s", name,
                     nearest[0] == '\0' ? "" : ", the nearest is ", nearest, allowed);
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

bool gpu_config_set(struct gpu_config *config, const char *assignment, struct fault *fault)
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
        return unknown(name, section, fault);
    }
    if (assignment[length] == '=' && set_value(config, key, assignment + length + 1u)) {
        return true;
    }
    gpu_key_allowed(key, allowed, sizeof allowed);
    if (assignment[length] != '=') {
        return fault_set(fault, "%s: no value is given; allowed: %s=VALUE, of %s", name, name,
                         allowed);
    }
    return fault_set(fault, "%s: \"%.40s\" is given; allowed: %s%s", name,
                     assignment + length + 1u, key->type == GPU_NUM ? "a whole number, " : "",
                     allowed);
}
