/*
 * gpu_config_yaml - one YAML file of parameters as it stands: what it leaves out is not filled
 * in. gpu_config_file.h reads a GPU, gpu_scheduler.h a scheduler.
 */

#ifndef GPU_CONFIG_YAML_H
#define GPU_CONFIG_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_names.h"

/* A pointer for each key: NULL if the file leaves it out. */
struct gpu_yaml {
    char *base;  /* of a GPU */
    char *title; /* of a scheduler */
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

/* NULL: the fault is one line, "FILE:LINE: KEY: what is wrong; allowed: ...". */
struct gpu_yaml *gpu_yaml_load(enum config_kind kind, const char *path, struct fault *fault);
void gpu_yaml_free(enum config_kind kind, struct gpu_yaml *file);

/* What the file gives replaces what config has. */
void gpu_yaml_fill(struct gpu_config *config, const struct gpu_yaml *file);

/* The same. False, with a fault as above, if a value is out of its range: what config has
 * must be within the ranges. */
bool gpu_yaml_apply(const struct gpu_yaml *file, const char *path, struct gpu_config *config,
                    struct fault *fault);

/* Puts a key's place before what is wrong with it. Returns false. */
bool gpu_yaml_blame(const char *path, const struct gpu_key *key, struct fault *fault);

#endif
