/* gpu_config_names - the files that configurations are read from, by their names. */

#ifndef GPU_CONFIG_NAMES_H
#define GPU_CONFIG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"
#include "base/places.h"

enum config_kind { CONFIG_GPU, CONFIG_SCHEDULER };

/* The path of what is named, or given as a file (places.h). A file need not exist. False:
 * the fault says that there is no such name, and lists those there are. */
bool config_find(enum config_kind kind, const char *name, char path[PLACES_PATH],
                 struct fault *fault);

#endif
