/* experiment_merge - databases of parts; see experiment_merge.h. */

#include "gpusched/experiment/experiment_merge.h"

#include "gpusched/experiment/store/experiment_store_merge.h"

bool experiment_merge_check(char *const *paths, uint32_t n, struct fault *fault)
{
    for (uint32_t i = 0u; i < n; i++) {
        struct store *const from = store_merge_open(paths[i], fault);
        if (from == NULL) {
            return fault_before(fault, "--merge: ");
        }
        store_close(from);
    }
    return true;
}

static bool merge_all(struct store *store, char *const *paths, uint32_t n,
                      const struct experiment_figures *figures, struct merge_counts *counts,
                      struct fault *fault)
{
    for (uint32_t i = 0u; i < n; i++) {
        struct store *const from = store_merge_open(paths[i], fault);
        if (from == NULL) {
            return fault_before(fault, "--merge: ");
        }
        (void)store_say_broken(from, "gpusched experiment");
        const bool good =
            store_merge(store, from, figures, MERGE_REPLACE_NOTHING, counts, stderr);
        store_close(from);
        if (!good) {
            *fault = *store_fault(store);
            return false;
        }
    }
    return true;
}

enum runs_end experiment_merge(struct store *store, char *const *paths, uint32_t n,
                               const struct experiment_figures *figures, uint32_t *now,
                               struct fault *fault)
{
    struct merge_counts counts = { .taken = 0u };

    if (!store_merge_begin(store)) {
        *fault = *store_fault(store);
        return RUNS_BROKEN;
    }
    const bool merged = merge_all(store, paths, n, figures, &counts, fault);
    const bool good = merged && counts.conflicts == 0u;
    if (!store_merge_end(store, good) && merged) {
        *fault = *store_fault(store);
        return RUNS_BROKEN;
    }
    *now = good ? counts.taken : 0u;
    return !merged ? RUNS_BROKEN : good ? RUNS_ENDED : RUNS_CONFLICT;
}
