/* gpu_config_blame - a key that makes a machine impossible, and why. */

#ifndef GPU_CONFIG_BLAME_H
#define GPU_CONFIG_BLAME_H

#include "gpu/config/gpu_config.h"

struct config_search {
    const struct gpu_config *config;
    struct fault *fault;
    const struct gpu_key *blamed; /* the first; NULL while all is possible */
};

void config_blame(struct config_search *search, const char *section, const char *key,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The relations of the keys of the DRAM. */
void config_check_dram(struct config_search *search);

#endif
