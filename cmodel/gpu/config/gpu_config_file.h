/* gpu_config_file - the parameters of a GPU in YAML files and on command lines. */

#ifndef GPU_CONFIG_FILE_H
#define GPU_CONFIG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_sources.h"

/* Bases above a GPU's file. */
enum { GPU_CONFIG_BASES = 8 };

/* Reads a file, or for a bare name such as "m2090" configs/gpu/m2090.yaml of the data
 * (places.h). The key `base` names another such file, which is read first; this one replaces
 * what it gives. Keys that no file gives have their defaults. False: the fault is one line,
 * "FILE:LINE: KEY: what is wrong; allowed: ...", of the file that has the wrong value; if
 * values do not go together, of the file that was asked for. */
bool gpu_config_load(const char *name, struct gpu_config *config, struct fault *fault);

/* Where the values come from, of each of gpu_keys: the comment beside a key in the GPU's file,
 * or in that of its base. False with a fault as above. */
bool gpu_config_sources(const char *name, struct gpu_source *sources, struct fault *fault);

/* How many values of config are not calibrated: sources are those of the GPU's file, and what
 * config has in place of the file's value is chosen. */
uint32_t gpu_config_open(const struct gpu_config *config, const struct gpu_config *file,
                         const struct gpu_source *sources);

/* The files' names without .yaml, "a100, c2050, ...". */
void gpu_config_names(char *text, size_t size);

/* Changes one key: "sm.count=30". Only the key's own range is checked, since several
 * assignments may lead to a possible machine: call gpu_config_fault after the last. */
bool gpu_config_set(struct gpu_config *config, const char *assignment, struct fault *fault);

/* The value of a key as files have it; at most size bytes with the 0. */
const char *gpu_config_value(const struct gpu_config *config, const struct gpu_key *key,
                             char *text, size_t size);

/* The values that a key may have: "1 to 192 SMs", "gto, lrr", ... */
const char *gpu_key_allowed(const struct gpu_key *key, char *text, size_t size);

enum { REMARK_SIZE = 320 };

/* The unit and meaning of a key, as gpu_config_print() writes them behind a value without
 * sources. */
const char *gpu_key_remark(const struct gpu_key *key, char *text, size_t size);

/* All of config as YAML that loads again to the same values; beside each what it means, or, if
 * sources are given, where it comes from. */
void gpu_config_print(const struct gpu_config *config, const struct gpu_source *sources,
                      FILE *to);

/* All keys, a Markdown table for each section. */
void gpu_config_table(FILE *to);

#endif
