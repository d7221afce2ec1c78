/* gpu_config - the table of parameters; see gpu_config.h. Which machines are possible is
 * gpu_config_check.c. */

#include "gpu/config/gpu_config.h"

#include <string.h>

/* ---- The table ----------------------------------------------------------------------- */

#define NAME(identifier, name) name,
static const char *const warp_policy_choices[] = { WARP_POLICY(NAME) NULL };
static const char *const pipe_owner_choices[] = { PIPE_OWNER(NAME) NULL };
static const char *const write_policy_choices[] = { WRITE_POLICY(NAME) NULL };
static const char *const noc_queues_choices[] = { NOC_QUEUES(NAME) NULL };
static const char *const dram_policy_choices[] = { DRAM_POLICY(NAME) NULL };
static const char *const dram_refresh_choices[] = { DRAM_REFRESHES(NAME) NULL };
static const char *const dram_hash_choices[] = { DRAM_HASHES(NAME) NULL };
static const char *const l1_carveouts_choices[] = { L1_CARVEOUTS(NAME) NULL };
static const char *const dispatch_policy_choices[] = { DISPATCH_POLICY(NAME) NULL };
static const char *const lcs_rounding_choices[] = { LCS_ROUNDING(NAME) NULL };
static const char *const detect_mode_choices[] = { DETECT_MODE(NAME) NULL };
static const char *const bind_mode_choices[] = { BIND_MODE(NAME) NULL };
#undef NAME

#define AT(section, key) offsetof(struct gpu_config, section.key)

const struct gpu_key gpu_keys[] = {
#define NUM(section, key, standard, lowest, highest, unit, meaning) \
    { #section, #key, unit, meaning, GPU_NUM, AT(section, key), lowest, highest, NULL },
#define REAL(section, key, standard, lowest, highest, unit, meaning) \
    { #section, #key, unit, meaning, GPU_REAL, AT(section, key), lowest, highest, NULL },
#define FLAG(section, key, standard, meaning) \
    { #section, #key, "", meaning, GPU_FLAG, AT(section, key), 0, 1, NULL },
#define PICK(section, key, type, standard, meaning) \
    { #section, #key, "", meaning, GPU_PICK, AT(section, key), 0, 0, type##_choices },
#include "gpu/config/gpu_config.def"
};
const uint32_t gpu_key_count = sizeof gpu_keys / sizeof gpu_keys[0];

const struct gpu_section gpu_sections[] = {
#define SECTION(section, title) { #section, title },
#include "gpu/config/gpu_config.def"
};
const uint32_t gpu_section_count = sizeof gpu_sections / sizeof gpu_sections[0];

const struct gpu_key *gpu_key_find(const char *section, const char *key)
{
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        /* Grids of a million GPUs look for keys: few have the same first letters. */
        if (gpu_keys[i].key[0] == key[0] && gpu_keys[i].section[0] == section[0]
            && strcmp(gpu_keys[i].section, section) == 0 && strcmp(gpu_keys[i].key, key) == 0) {
            return &gpu_keys[i];
        }
    }
    return NULL;
}

bool gpu_key_same(const struct gpu_key *key, const struct gpu_config *a,
                  const struct gpu_config *b)
{
    const size_t size = key->type == GPU_REAL   ? sizeof(double)
                        : key->type == GPU_FLAG ? sizeof(bool)
                                                : sizeof(uint32_t);

    return memcmp((const char *)a + key->offset, (const char *)b + key->offset, size) == 0;
}

bool gpu_key_later(const struct gpu_key *key)
{
    static const size_t later[] = {
#define LATER(section, key) AT(section, key),
#include "gpu/config/gpu_config.def"
    };

    for (size_t i = 0u; i < sizeof later / sizeof later[0]; i++) {
        if (later[i] == key->offset) {
            return true;
        }
    }
    return false;
}

struct gpu_config gpu_config_standard(void)
{
    return (struct gpu_config){
#define SECTION(section, title)                                      .section = {
#define NUM(section, key, standard, lowest, highest, unit, meaning)  .key = standard,
#define REAL(section, key, standard, lowest, highest, unit, meaning) .key = standard,
#define FLAG(section, key, standard, meaning)                        .key = standard,
#define PICK(section, key, type, standard, meaning)                  .key = standard,
#define END(section) \
    }                \
    ,
#include "gpu/config/gpu_config.def"
    };
}
