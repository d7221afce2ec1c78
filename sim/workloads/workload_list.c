/* workload_list - WORKLOADS(X) comes from the Makefile: X(hotspot) X(lud) ... */

#include "workloads/workload_list.h"

#include <string.h>

#define WORKLOAD_DECLARE(name) extern const struct cuda_workload workload_##name;
#define WORKLOAD_ROW(name)     &workload_##name,

WORKLOADS(WORKLOAD_DECLARE)

const struct cuda_workload *const cuda_workloads[] = { WORKLOADS(WORKLOAD_ROW) NULL };

const struct cuda_workload *cuda_workload_named(const char *name)
{
    const struct cuda_workload *const *at = cuda_workloads;

    while (*at != NULL && strcmp((*at)->name, name) != 0) {
        at++;
    }
    return *at;
}
