/* gpu_sources - see gpu_sources.h. */

#include "gpu/config/gpu_sources.h"

#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* `not calibrated` is what is shown of such a value, and may have been written to a file. */
bool gpu_source_is_open(const struct gpu_source *source)
{
    return source->text[0] == '\0' || begins(source->text, "assumed")
           || begins(source->text, "not calibrated");
}
