/* gpu_config_blame - see gpu_config_blame.h. */

#include "gpu/config/gpu_config_blame.h"

#include <stdarg.h>

#include "gpu/config/gpu_config_file.h"

void config_blame(struct config_search *search, const char *section, const char *key,
                  const char *format, ...)
{
    va_list arguments;

    if (search->blamed == NULL) {
        search->blamed = gpu_key_find(section, key);
        va_start(arguments, format);
        /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
        fault_set_list(search->fault, format, arguments);
        va_end(arguments);
    }
}
