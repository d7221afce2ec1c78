/* gpu_sources - where the values of a GPU come from, and how many nothing public gives. */

#ifndef GPU_SOURCES_H
#define GPU_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/config/gpu_config.h"

/* Of a value: a comment such as "ICC Table 2", "assumed: as the SMs" or "chosen"; "" if there
 * is none. */
struct gpu_source {
    char text[160];
};

/* Whether the value is not calibrated: it has no source, or one that begins with `assumed`. */
bool gpu_source_is_open(const struct gpu_source *source);
/* How many values of config are not calibrated: sources are those of the GPU's file, and what
 * config has in place of the file's value is chosen. */
uint32_t gpu_config_open(const struct gpu_config *config, const struct gpu_config *file,
                         const struct gpu_source *sources);

#endif
