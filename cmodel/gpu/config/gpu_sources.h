/* gpu_sources - where the values of a GPU come from. */

#ifndef GPU_SOURCES_H
#define GPU_SOURCES_H

#include <stdbool.h>

/* Of a value: a comment such as "ICC Table 2", "assumed: as the SMs" or "chosen"; "" if there
 * is none. */
struct gpu_source {
    char text[160];
};

/* Whether the value is not calibrated: it has no source, or one that begins with `assumed`. */
bool gpu_source_is_open(const struct gpu_source *source);

#endif
