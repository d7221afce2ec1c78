/* machine_options - the GPU that a command line asks for: --gpu, --scheduler and --set. */

#ifndef MACHINE_OPTIONS_H
#define MACHINE_OPTIONS_H

#include <stdint.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"

enum { MACHINE_MAX_SET = 256 };

struct machine_options {
    const char *gpu;                  /* NULL: the standard values */
    const char *scheduler;            /* NULL: the GPU's own */
    const char *set[MACHINE_MAX_SET]; /* key=value, in their order */
    uint32_t n_set;
};

/* Their keys. */
enum machine_key { KEY_GPU = 'g', KEY_SET = 's', KEY_SCHEDULER = 768 };

enum machine_taken { MACHINE_TAKEN, MACHINE_OTHER_KEY, MACHINE_TWICE, MACHINE_TOO_MANY };

/* Takes an option. MACHINE_TWICE: a scheduler has been given before; MACHINE_TOO_MANY: there is
 * no room for one more --set. */
enum machine_taken machine_options_take(int key, const char *argument,
                                        struct machine_options *options);

enum machine_fault {
    MACHINE_GOOD,
    MACHINE_BAD_GPU,
    MACHINE_BAD_SCHEDULER,
    MACHINE_BAD_SET,
    MACHINE_BAD_VALUE, /* the values do not go together; the fault names one of them */
};

/* Where the values come from, of each of gpu_keys, and how many are not calibrated; options and
 * config are good. What a scheduler or --set has changed is chosen. Returns false with a fault
 * if the GPU's file cannot be read any more. */
bool machine_options_sources(const struct machine_options *options,
                             const struct gpu_config *config, struct gpu_source *sources,
                             uint32_t *open, struct fault *fault);
/* The configuration. If it is not good, a fault says why. */
enum machine_fault machine_options_config(const struct machine_options *options,
                                          struct gpu_config *config, struct fault *fault);

#endif
