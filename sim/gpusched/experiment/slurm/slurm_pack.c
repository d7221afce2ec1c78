/* slurm_pack - runs packed into tasks; see slurm_pack.h. */

#include "gpusched/experiment/slurm/slurm_pack.h"

#include <stdlib.h>

#include "gpusched/experiment/store/experiment_sql.h"

/* Starting a task takes Slurm about half a second. */
static const double shortest = 5.0, usual = 60.0; /* seconds of a task */

bool pack_costs(struct store *store, const struct experiment_grid *grid, double *costs)
{
    static const char query[] =
        "WITH known AS MATERIALIZED (SELECT gpu, workload, size, avg(seconds) AS mean"
        " FROM grid JOIN results USING (key) WHERE status IN ('done', 'failed')"
        " GROUP BY gpu, workload, size)"
        " SELECT id, coalesce((SELECT mean FROM known WHERE known.gpu = grid.gpu"
        " AND known.workload = grid.workload AND known.size IS grid.size),"
        " (SELECT avg(mean) FROM known WHERE known.workload = grid.workload"
        " AND known.size IS grid.size), 1.0) FROM grid";
    sqlite3_stmt *const rows = sql_prepare(store, query);

    while (sql_row(store, rows)) {
        const int64_t run = sqlite3_column_int64(rows, 0);
        if (run >= 1 && run <= (int64_t)grid->n) {
            costs[run - 1] = sqlite3_column_double(rows, 1);
        }
    }
    sqlite3_finalize(rows);
    return !sql_failed(store);
}

struct costly {
    double cost;
    uint32_t run;
};

static int longest_first(const void *a, const void *b)
{
    const struct costly *const one = a;
    const struct costly *const other = b;
    const int order = (one->cost < other->cost) - (one->cost > other->cost);

    return order != 0 ? order : (one->run > other->run) - (one->run < other->run);
}

/* Some tasks for each node, so that all end at about the same time, and not too many. */
static double target_of(double all, uint32_t nodes)
{
    const double tasks = nodes > 4u ? 4.0 * nodes : 16.0;
    const double share = all / tasks;
    const double least =
        all / (0.5 * PACK_TASKS - 1.0); /* two that follow exceed it together */
    const double target = share < shortest ? shortest : share > usual ? usual : share;

    return target < least ? least : target;
}

static void fill(struct pack *pack, const struct costly *list, uint32_t n, double processors)
{
    for (uint32_t i = 0u; i < n; i++) {
        const double cost = list[i].cost / processors;
        if (i == 0u || pack->costs[pack->tasks - 1u] + cost > pack->target) {
            pack->first[pack->tasks++] = i;
        }
        pack->costs[pack->tasks - 1u] += cost;
        pack->runs[i] = list[i].run;
    }
    pack->first[pack->tasks] = n;
}

bool pack_make(struct pack *pack, const struct experiment_grid *grid, const bool *wanted,
               const double *costs, uint32_t nodes, uint32_t processors)
{
    struct costly *const list = calloc(grid->n, sizeof *list);
    double all = 0.0;
    uint32_t n = 0u;

    *pack = (struct pack){ .runs = calloc(grid->n, sizeof *pack->runs),
                           .first = calloc(grid->n + 1u, sizeof *pack->first),
                           .costs = calloc(grid->n, sizeof *pack->costs) };
    if (list == NULL || pack->runs == NULL || pack->first == NULL || pack->costs == NULL) {
        free(list);
        pack_free(pack);
        return false;
    }
    for (uint32_t i = 0u; i < grid->n; i++) {
        if (wanted[i]) {
            list[n++] = (struct costly){ costs[i], i };
            all += costs[i] / processors;
        }
    }
    qsort(list, n, sizeof *list, longest_first);
    pack->target = target_of(all, nodes);
    fill(pack, list, n, processors);
    free(list);
    return true;
}

void pack_free(struct pack *pack)
{
    free(pack->runs);
    free(pack->first);
    free(pack->costs);
}
