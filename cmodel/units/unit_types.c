/* unit_types - all units; the Makefile gives UNITS(X) as X(claso) X(icc) ... */

#include "base/unit.h"

#define DECLARE(unit) extern const struct unit_type unit##_type;
#define LIST(unit)    &unit##_type,

UNITS(DECLARE)
const struct unit_type *const unit_types[] = { UNITS(LIST) NULL };
