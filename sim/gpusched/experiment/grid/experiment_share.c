/* experiment_share - the runs of one process; see experiment_share.h. */

#include "gpusched/experiment/grid/experiment_share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_lines(struct experiment_grid *grid, const char *path, FILE *from,
                       struct fault *fault)
{
    char key[sizeof(struct experiment_key) + 2u];

    for (uint32_t line = 1u; fgets(key, sizeof key, from) != NULL; line++) {
        key[strcspn(key, "\n")] = '\0';
        const uint32_t run = experiment_grid_find(grid, key);
        if (run == grid->n) {
            return fault_at(fault, path, line, "%s: no run of this experiment has this key",
                            key);
        }
        grid->left_out[run] = false;
    }
    return ferror(from) == 0 || fault_system(fault, "%.3000s", path);
}

static bool take_list(struct experiment_grid *grid, const char *path, struct fault *fault)
{
    FILE *const from = fopen(path, "re");

    if (from == NULL) {
        return fault_system(fault, "--runs: %.3000s", path);
    }
    grid->listed = true;
    memset(grid->left_out, true, grid->n * sizeof *grid->left_out);
    const bool good = read_lines(grid, path, from, fault);
    fclose(from);
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
