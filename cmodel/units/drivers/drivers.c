/* drivers - all drivers; the Makefile gives DRIVERS(X) as X(claso) X(icc) ... */

#include "base/stimulus_driver.h"

#include <stddef.h>
#include <string.h>

#define DECLARE(unit) extern const struct driver unit##_driver;
#define LIST(unit)    &unit##_driver,

DRIVERS(DECLARE)
const struct driver *const drivers[] = { DRIVERS(LIST) NULL };

static const struct driver none = { .unit = "" };

const struct driver *driver_find(const char *unit)
{
    for (const struct driver *const *driver = drivers; *driver != NULL; driver++) {
        if (strcmp((*driver)->unit, unit) == 0) {
            return *driver;
        }
    }
    return &none;
}
