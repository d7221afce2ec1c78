/*
 * gpu_config - the parameters of a GPU. gpu_config.def has a row for each, with its
 * range, unit and meaning; everything here is made from it.
 */

#ifndef GPU_CONFIG_H
#define GPU_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

/* The values of a PICK key: X(identifier, name in files). */
#define WARP_POLICY(X)                     \
    X(WARP_LRR, "lrr")                     \
    X(WARP_GTO, "gto")                     \
    X(WARP_OLDEST, "oldest")               \
    X(WARP_TWO_LEVEL_RR, "two-level-rr")   \
    X(WARP_TWO_LEVEL_GTO, "two-level-gto") \
    X(WARP_OWL, "owl")
#define PIPE_OWNER(X)                 \
    X(PIPE_OF_SCHEDULER, "scheduler") \
    X(PIPE_OF_SM, "sm")
#define WRITE_POLICY(X)         \
    X(WRITE_EVICT, "evict")     \
    X(WRITE_THROUGH, "through") \
    X(WRITE_ALLOCATE, "allocate")
#define NOC_QUEUES(X)          \
    X(QUEUE_OF_INPUT, "input") \
    X(QUEUES_OF_OUTPUTS, "output")
#define DRAM_POLICY(X)         \
    X(DRAM_FR_FCFS, "fr-fcfs") \
    X(DRAM_FCFS, "fcfs")
#define DRAM_REFRESHES(X) \
    X(REFRESH_ALL, "all") \
    X(REFRESH_BANK, "bank")
#define DRAM_HASHES(X)           \
    X(BANKS_AS_THEY_ARE, "none") \
    X(BANKS_XOR_ROW, "xor")
#define L1_CARVEOUTS(X)           \
    X(CARVEOUTS_NONE, "none")     \
    X(CARVEOUTS_VOLTA, "volta")   \
    X(CARVEOUTS_AMPERE, "ampere") \
    X(CARVEOUTS_HOPPER, "hopper")
#define DISPATCH_POLICY(X)                       \
    X(DISPATCH_TWO_LEVEL_RR, "two-level-rr")     \
    X(DISPATCH_GLOBAL_RR, "global-rr")           \
    X(DISPATCH_GREEDY_CLUSTER, "greedy-cluster") \
    X(DISPATCH_DISTRIBUTED, "distributed")       \
    X(DISPATCH_DISTRIBUTED_BLOCK, "distributed-block")
#define LCS_ROUNDING(X)   \
    X(LCS_FLOOR, "floor") \
    X(LCS_CEIL, "ceil")   \
    X(LCS_CEIL_PLUS_1, "ceil-plus-1")
#define DETECT_MODE(X)     \
    X(DETECT_OFF, "off")   \
    X(DETECT_ONAC, "onac") \
    X(DETECT_SEQ, "seq-det")

#define BIND_MODE(X)         \
    X(BIND_OFF, "off")       \
    X(BIND_RR, "rr")         \
    X(BIND_TB_PRI, "tb-pri") \
    X(BIND_SMX, "smx-bind")  \
    X(BIND_ADAPTIVE, "adaptive-bind")

#define GPU_ENUMERATOR(identifier, name) identifier,
enum warp_policy { WARP_POLICY(GPU_ENUMERATOR) };
enum pipe_owner { PIPE_OWNER(GPU_ENUMERATOR) };
enum write_policy { WRITE_POLICY(GPU_ENUMERATOR) };
enum noc_queues { NOC_QUEUES(GPU_ENUMERATOR) };
enum dram_policy { DRAM_POLICY(GPU_ENUMERATOR) };
enum dram_refresh { DRAM_REFRESHES(GPU_ENUMERATOR) };
enum dram_hash { DRAM_HASHES(GPU_ENUMERATOR) };
enum l1_carveouts { L1_CARVEOUTS(GPU_ENUMERATOR) };
enum dispatch_policy { DISPATCH_POLICY(GPU_ENUMERATOR) };
enum lcs_rounding { LCS_ROUNDING(GPU_ENUMERATOR) }; /* as the unit has them */
enum detect_mode { DETECT_MODE(GPU_ENUMERATOR) };
enum bind_mode { BIND_MODE(GPU_ENUMERATOR) };
#undef GPU_ENUMERATOR

struct gpu_config {
#define SECTION(section, title)                                      struct {
#define NUM(section, key, standard, lowest, highest, unit, meaning)  uint32_t key;
#define REAL(section, key, standard, lowest, highest, unit, meaning) double key;
#define FLAG(section, key, standard, meaning)                        bool key;
#define PICK(section, key, type, standard, meaning)                  enum type key;
#define END(section) \
    }                \
    section;
#include "gpu/config/gpu_config.def"
};

/* ---- The table at run time ----------------------------------------------------------- */

enum gpu_key_type { GPU_NUM, GPU_REAL, GPU_FLAG, GPU_PICK };

struct gpu_key {
    const char *section;
    const char *key;
    const char *unit;    /* "" if none */
    const char *meaning; /* "" if the key says it */
    enum gpu_key_type type;
    size_t offset; /* in struct gpu_config */
    double lowest; /* of a number */
    double highest;
    const char *const *choices; /* of a pick, by value; ends with NULL */
};

struct gpu_section {
    const char *section;
    const char *title;
};

enum {
    GPU_KEYS = 0
#define NUM(section, key, standard, lowest, highest, unit, meaning)  +1
#define REAL(section, key, standard, lowest, highest, unit, meaning) +1
#define FLAG(section, key, standard, meaning)                        +1
#define PICK(section, key, type, standard, meaning)                  +1
#include "gpu/config/gpu_config.def"
};

extern const struct gpu_key gpu_keys[];
extern const uint32_t gpu_key_count; /* GPU_KEYS */
extern const struct gpu_section gpu_sections[];
extern const uint32_t gpu_section_count;

/* The row of section.key, or NULL. */
const struct gpu_key *gpu_key_find(const char *section, const char *key);

/* Whether two configurations have the same value of a key. */
bool gpu_key_same(const struct gpu_key *key, const struct gpu_config *a,
                  const struct gpu_config *b);

/* Whether the key came when results were kept already. With its default the model does what it
 * did before, so that these results still hold. */
bool gpu_key_later(const struct gpu_key *key);

/* All keys at their defaults. */
struct gpu_config gpu_config_standard(void);

/* Looks for a number that is out of its key's range, and for combinations that no machine has.
 * Returns NULL if config is possible; otherwise the row of the key to blame, and a fault that
 * says what is wrong and what is allowed. */
const struct gpu_key *gpu_config_fault(const struct gpu_config *config, struct fault *fault);

/* The first half alone: a number that is out of its key's range. */
const struct gpu_key *gpu_config_range_fault(const struct gpu_config *config,
                                             struct fault *fault);

#endif
