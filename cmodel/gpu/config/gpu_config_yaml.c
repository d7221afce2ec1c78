/* gpu_config_yaml - files of parameters; see gpu_config_yaml.h. */

#include "gpu/config/gpu_config_yaml.h"

#include <cyaml/cyaml.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/yaml_file.h"

enum { LONGEST_TITLE = 80 };

/* ---- Schema -------------------------------------------------------------------------- */

#define STRVAL(identifier, name) { name, identifier },
static const cyaml_strval_t warp_policy_names[] = { WARP_POLICY(STRVAL) };
static const cyaml_strval_t pipe_owner_names[] = { PIPE_OWNER(STRVAL) };
static const cyaml_strval_t write_policy_names[] = { WRITE_POLICY(STRVAL) };
static const cyaml_strval_t noc_queues_names[] = { NOC_QUEUES(STRVAL) };
static const cyaml_strval_t dram_policy_names[] = { DRAM_POLICY(STRVAL) };
static const cyaml_strval_t dram_refresh_names[] = { DRAM_REFRESHES(STRVAL) };
static const cyaml_strval_t dram_hash_names[] = { DRAM_HASHES(STRVAL) };
static const cyaml_strval_t l1_carveouts_names[] = { L1_CARVEOUTS(STRVAL) };
static const cyaml_strval_t dispatch_policy_names[] = { DISPATCH_POLICY(STRVAL) };
static const cyaml_strval_t lcs_rounding_names[] = { LCS_ROUNDING(STRVAL) };
static const cyaml_strval_t detect_mode_names[] = { DETECT_MODE(STRVAL) };
static const cyaml_strval_t bind_mode_names[] = { BIND_MODE(STRVAL) };
#undef STRVAL

/* A section is a mapping within the file's; offsets count from the section. */
#define POINTER (CYAML_FLAG_OPTIONAL | CYAML_FLAG_POINTER)
#define OFFSET(section, key) \
    (uint32_t)(offsetof(struct gpu_yaml, section.key) - offsetof(struct gpu_yaml, section))

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

/* ---- What a file may have ------------------------------------------------------------ */

static const cyaml_schema_field_t gpu_fields[] = {
    CYAML_FIELD_STRING_PTR("base", POINTER, struct gpu_yaml, base, 0, PLACES_PATH - 1),
#define SECTION(name, title) \
    CYAML_FIELD_MAPPING(#name, CYAML_FLAG_OPTIONAL, struct gpu_yaml, name, name##_fields),
#include "gpu/config/gpu_config.def"
    CYAML_FIELD_END
};

/* Of a scheduler: these keys alone. The others are the machine's, which is another choice. */
static const cyaml_schema_field_t scheduler_warp_fields[] = {
    FIELD(warp, policy,
          CYAML_VALUE_ENUM(POINTER, enum warp_policy, warp_policy_names,
                           sizeof warp_policy_names / sizeof warp_policy_names[0])),
    FIELD(warp, ready_queue, CYAML_VALUE_UINT(POINTER, uint32_t)),
    FIELD(warp, group_ctas, CYAML_VALUE_UINT(POINTER, uint32_t)),
    CYAML_FIELD_END,
};

#define PART(name, fields) \
    CYAML_FIELD_MAPPING(#name, CYAML_FLAG_OPTIONAL, struct gpu_yaml, name, fields)
static const cyaml_schema_field_t scheduler_fields[] = {
    CYAML_FIELD_STRING_PTR("title", POINTER, struct gpu_yaml, title, 0, LONGEST_TITLE),
    PART(warp, scheduler_warp_fields),
    PART(icc, icc_fields),
    PART(dispatch, dispatch_fields),
    PART(claso, claso_fields),
    PART(dyncta, dyncta_fields),
    PART(perf_sat, perf_sat_fields),
    PART(lcs, lcs_fields),
    PART(onac, onac_fields),
    PART(laperm, laperm_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t schemas[] = {
    [CONFIG_GPU] = { CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct gpu_yaml, gpu_fields) },
    [CONFIG_SCHEDULER] = { CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct gpu_yaml,
                                               scheduler_fields) },
};

/* ---- Reading ------------------------------------------------------------------------- */

struct gpu_yaml *gpu_yaml_load(enum config_kind kind, const char *path, struct fault *fault)
{
    void *data = NULL;

    return yaml_load(path, &schemas[kind], &data, fault) ? data : NULL;
}

void gpu_yaml_free(enum config_kind kind, struct gpu_yaml *file)
{
    yaml_unload(&schemas[kind], file);
}

void gpu_yaml_fill(struct gpu_config *config, const struct gpu_yaml *file)
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

/* The line of a key; if the file has it not, of its section, of the base, or 1. */
static uint32_t line_of(const char *path, const struct gpu_key *key)
{
    char name[64];
    const char *const places[] = { name, key->section, "base" };
    uint32_t line = 0u;

    snprintf(name, sizeof name, "%s.%s", key->section, key->key);
    for (size_t i = 0u; line == 0u && i < sizeof places / sizeof places[0]; i++) {
        line = yaml_line(path, places[i]);
    }
    return line != 0u ? line : 1u;
}

bool gpu_yaml_blame(const char *path, const struct gpu_key *key, struct fault *fault)
{
    return fault_locate(fault, path, line_of(path, key), "%s.%s: ", key->section, key->key);
}

bool gpu_yaml_apply(const struct gpu_yaml *file, const char *path, struct gpu_config *config,
                    struct fault *fault)
{
    gpu_yaml_fill(config, file);
    const struct gpu_key *const key = gpu_config_range_fault(config, fault);
    return key == NULL || gpu_yaml_blame(path, key, fault);
}
