/* experiment_share - the runs of one process; see experiment_share.h. */

#include "gpusched/experiment/grid/experiment_share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct keyed_run {
    const char *key;
    uint32_t run;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed_run *const one = a;
    const struct keyed_run *const other = b;

    return strcmp(one->key, other->key);
}

/* Takes the run of a line back in. */
static bool take(struct experiment_grid *grid, const struct keyed_run *sorted, const char *key)
{
    const struct keyed_run wanted = { key, 0u };
    const struct keyed_run *const found =
        bsearch(&wanted, sorted, grid->n, sizeof *sorted, by_key);

    if (found != NULL) {
        grid->left_out[grid->same[found->run]] = false;
    }
    return found != NULL;
}

static bool read_lines(struct experiment_grid *grid, const struct keyed_run *sorted,
                       const char *path, FILE *from, struct fault *fault)
{
    char key[sizeof(struct experiment_key) + 2u];

    for (uint32_t line = 1u; fgets(key, sizeof key, from) != NULL; line++) {
        key[strcspn(key, "\n")] = '\0';
        if (!take(grid, sorted, key)) {
            return fault_at(fault, path, line, "%s: no run of this experiment has this key",
                            key);
        }
    }
    return ferror(from) == 0 || fault_system(fault, "%.3000s", path);
}

static bool take_list(struct experiment_grid *grid, const char *path, struct fault *fault)
{
    struct keyed_run *const sorted = calloc(grid->n, sizeof *sorted);
    FILE *const from = fopen(path, "re");
    bool good = false;

    if (from == NULL) {
        fault_system(fault, "--runs: %.3000s", path);
    } else if (sorted == NULL) {
        fault_surroundings(fault, "no memory");
    } else {
        for (uint32_t i = 0u; i < grid->n; i++) {
            sorted[i] = (struct keyed_run){ grid->keys[i].text, i };
            grid->left_out[i] = true;
        }
        qsort(sorted, grid->n, sizeof *sorted, by_key);
        good = read_lines(grid, sorted, path, from, fault);
    }
    if (from != NULL) {
        fclose(from);
    }
    free(sorted);
    return good;
}

bool experiment_share_take(struct experiment_grid *grid, const struct experiment_share *share,
                           struct fault *fault)
{
    if (share->parts == 0u && share->list == NULL) {
        return true;
    }
    grid->left_out = calloc(grid->n, sizeof *grid->left_out);
    if (grid->left_out == NULL) {
        return fault_surroundings(fault, "no memory");
    }
    if (share->list != NULL && !take_list(grid, share->list, fault)) {
        return false;
    }
    for (uint32_t i = 0u; i < grid->n && share->parts != 0u; i++) {
        grid->left_out[i] = grid->same[i] % share->parts != share->part - 1u;
    }
    for (uint32_t i = 0u; i < grid->n; i++) {
        grid->left_out[i] = grid->left_out[grid->same[i]];
    }
    return true;
}
