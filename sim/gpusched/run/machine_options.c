/* machine_options - the GPU that a command line asks for; see machine_options.h. */

#include "gpusched/run/machine_options.h"

#include <string.h>

#include "gpu/config/gpu_scheduler.h"

enum machine_taken machine_options_take(int key, const char *argument,
                                        struct machine_options *options)
{
    switch (key) {
    case KEY_GPU:
        options->gpu = argument;
        return MACHINE_TAKEN;
    case KEY_SCHEDULER:
        if (options->scheduler != NULL) {
            return MACHINE_TWICE;
        }
        options->scheduler = argument;
        return MACHINE_TAKEN;
    case KEY_SET:
        if (options->n_set == MACHINE_MAX_SET) {
            return MACHINE_TOO_MANY;
        }
        options->set[options->n_set++] = argument;
        return MACHINE_TAKEN;
    default:
        return MACHINE_OTHER_KEY;
    }
}

enum machine_fault machine_options_config(const struct machine_options *options,
                                          struct gpu_config *config, struct fault *fault)
{
    *config = gpu_config_standard();
    if (options->gpu != NULL && !gpu_config_load(options->gpu, config, fault)) {
        return MACHINE_BAD_GPU;
    }
    if (!gpu_config_schedule(config, options->scheduler, fault)) {
        return MACHINE_BAD_SCHEDULER;
    }
    for (uint32_t i = 0u; i < options->n_set; i++) {
        if (!gpu_config_set(config, options->set[i], fault)) {
            return MACHINE_BAD_SET;
        }
    }
    const struct gpu_key *const key = gpu_config_fault(config, fault);
    if (key != NULL) {
        fault_before(fault, "%s.%s: ", key->section, key->key);
        return MACHINE_BAD_VALUE;
    }
    return MACHINE_GOOD;
}

bool machine_options_sources(const struct machine_options *options,
                             const struct gpu_config *config, struct gpu_source *sources,
                             uint32_t *open, struct fault *fault)
{
    const char *const gpu = options->gpu != NULL ? options->gpu : "fermi-30";
    struct gpu_config file;

    if (!gpu_config_sources(gpu, sources, fault) || !gpu_config_load(gpu, &file, fault)) {
        return false;
    }
    *open = gpu_config_open(config, &file, sources);
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        if (!gpu_key_same(&gpu_keys[i], config, &file)) {
            strcpy(sources[i].text, "chosen with --scheduler or --set");
        }
    }
    return true;
}
