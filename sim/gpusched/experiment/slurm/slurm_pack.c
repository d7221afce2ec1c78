/* slurm_pack - runs packed into tasks; see slurm_pack.h. */

#include "gpusched/experiment/slurm/slurm_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_sql.h"

/* Starting a task takes Slurm about half a second, and until its next look at the queue the
 * node may wait for another. */
static const double shortest = 4.0, longest = 60.0; /* seconds of a task */
/* Of runs of which nothing is known. If they are longer, their tasks leave most of them to the
 * next array; if they were taken for long, a sweep of short ones would have too many tasks. */
static const double guess = 0.05, guess_for = 20.0;
enum {
    SHARES = 4,         /* the next task has one of so many equal parts of what is left */
    GUESSED_SHARES = 16 /* and of guesses at least one of so many of all */
};

bool pack_costs(struct store *store, const struct experiment_grid *grid, double *costs)
{
    static const char query[] =
        "WITH known AS MATERIALIZED (SELECT gpu, workload, size, avg(seconds) AS mean"
        " FROM grid JOIN results USING (key) WHERE status IN ('done', 'failed')"
        " GROUP BY gpu, workload, size)"
        " SELECT id, coalesce((SELECT mean FROM known WHERE known.gpu = grid.gpu"
        " AND known.workload = grid.workload AND known.size IS grid.size),"
        " (SELECT avg(mean) FROM known WHERE known.workload = grid.workload"
        " AND known.size IS grid.size)) FROM grid";
    sqlite3_stmt *const rows = sql_prepare(store, query);

    while (sql_row(store, rows)) {
        const int64_t run = sqlite3_column_int64(rows, 0);
        if (run >= 1 && run <= (int64_t)grid->n) {
            costs[run - 1] = sqlite3_column_type(rows, 1) == SQLITE_NULL
                                 ? PACK_UNKNOWN
                                 : sqlite3_column_double(rows, 1);
        }
    }
    sqlite3_finalize(rows);
    return !sql_failed(store);
}

struct costly {
    double cost;
    const char *key;
    uint32_t run;
};

/* Runs of one kind in the order of their keys, which are hashes: each task has some of all
 * variants and values of axes, so that it takes as long as the others for what it has. */
static int longest_first(const void *a, const void *b)
{
    const struct costly *const one = a;
    const struct costly *const other = b;
    const int order = (one->cost < other->cost) - (one->cost > other->cost);

    return order != 0 ? order : strcmp(one->key, other->key);
}

/* Seconds of the next task. Large ones first, as they cost the least, and then smaller and
 * smaller ones, so that all nodes end at about the same time, however many there are. */
static double target_of(const struct pack *pack, double left, double all)
{
    /* Two tasks that follow each other exceed it together. */
    const double most_tasks = all / (0.5 * PACK_TASKS - 1.0);
    const double least = pack->guessed ? all / GUESSED_SHARES : shortest;
    const double share = left / (pack->nodes > 2u ? 2.0 * pack->nodes : SHARES);

    return fmax(most_tasks, fmin(longest, fmax(least, share)));
}

static void fill(struct pack *pack, const struct costly *list, uint32_t n, double all)
{
    double left = all;
    double target = 0.0;

    for (uint32_t i = 0u; i < n; i++) {
        const double cost = list[i].cost;
        if (i == 0u || pack->costs[pack->tasks - 1u] + cost > target) {
            target = target_of(pack, left, all);
            pack->first[pack->tasks++] = i;
        }
        pack->costs[pack->tasks - 1u] += cost;
        pack->longest = fmax(pack->longest, pack->costs[pack->tasks - 1u]);
        pack->runs[i] = list[i].run;
        left -= cost;
    }
    pack->first[pack->tasks] = n;
}

/* The runs that are wanted, with the seconds of a processor of a task. Returns how many. */
static uint32_t collect(struct pack *pack, const struct experiment_grid *grid,
                        const bool *wanted, const double *costs, uint32_t processors,
                        struct costly *list)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < grid->n; i++) {
        if (wanted[i]) {
            const bool known = costs[i] != PACK_UNKNOWN;
            list[n++] = (struct costly){ (known ? costs[i] : guess) / processors,
                                         grid->keys[i].text, i };
            pack->guessed = pack->guessed || !known;
        }
    }
    return n;
}

bool pack_make(struct pack *pack, const struct experiment_grid *grid, const bool *wanted,
               const double *costs, uint32_t nodes, uint32_t processors)
{
    struct costly *const list = calloc(grid->n, sizeof *list);
    double all = 0.0;

    *pack = (struct pack){ .runs = calloc(grid->n, sizeof *pack->runs),
                           .first = calloc(grid->n + 1u, sizeof *pack->first),
                           .costs = calloc(grid->n, sizeof *pack->costs),
                           .nodes = nodes };
    if (list == NULL || pack->runs == NULL || pack->first == NULL || pack->costs == NULL) {
        free(list);
        pack_free(pack);
        return false;
    }
    const uint32_t n = collect(pack, grid, wanted, costs, processors, list);
    for (uint32_t i = 0u; i < n; i++) {
        all += list[i].cost;
    }
    qsort(list, n, sizeof *list, longest_first);
    fill(pack, list, n, all);
    free(list);
    return true;
}

double pack_start_for(const struct pack *pack)
{
    return pack->guessed ? guess_for : 2.0 * pack->longest + 30.0;
}

void pack_free(struct pack *pack)
{
    free(pack->runs);
    free(pack->first);
    free(pack->costs);
}
