/* compare_databases - see compare_databases.h. */

#include "gpusched/compare/compare_databases.h"

#include <stdio.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_sql.h"
#include "tool/memory_watch.h"

enum { GPU, WORKLOAD, SIZE, VARIANT, AXES, RESULT };

#define RUNS                                                    \
    "SELECT gpu, workload, size, variant, axes,"                \
    " CASE status WHEN 'done' THEN result END"                  \
    " FROM grid LEFT JOIN temp.stored ON stored.key = grid.key" \
    " AND stored.id NOT IN (SELECT id FROM temp.broken)"

/* "m2090, hotspot small, gto" with the axes as they are written. */
static void label_of(struct store *store, sqlite3_stmt *row, char label[COMPARED_LABEL])
{
    const char *const size = sql_text_of(store, row, SIZE);
    const char *const axes = sql_text_of(store, row, AXES);
    const bool has_axes = axes != NULL && strcmp(axes, "{}") != 0;

    snprintf(label, COMPARED_LABEL, "%.100s, %.100s%s%.50s, %.100s%s%.100s",
             (const char *)sqlite3_column_text(row, GPU),
             (const char *)sqlite3_column_text(row, WORKLOAD), size == NULL ? "" : " ",
             size == NULL ? "" : size, (const char *)sqlite3_column_text(row, VARIANT),
             has_axes ? " " : "", has_axes ? axes : "");
}

static json_t *result_of(struct store *store, sqlite3_stmt *row)
{
    const char *const text = sql_text_of(store, row, RESULT);

    return text == NULL ? NULL : json_loads(text, 0u, NULL);
}

/* The same run of the other database; false if it has none. */
static bool find_same(struct store *store, sqlite3_stmt *same, struct store *of,
                      sqlite3_stmt *row)
{
    sqlite3_reset(same);
    for (int i = GPU; i <= AXES; i++) {
        sql_text(same, i + 1, sql_text_of(of, row, i));
    }
    return sql_row(store, same);
}

static void add_run(struct comparison *comparison, struct store *const stores[2],
                    sqlite3_stmt *row, sqlite3_stmt *same, struct compared_databases *found)
{
    json_t *const a = result_of(stores[0], row);
    json_t *const b = result_of(stores[1], same);
    char label[COMPARED_LABEL];

    if (a == NULL || b == NULL) {
        found->unknown++;
    } else {
        label_of(stores[0], row, label);
        comparison_add(comparison, a, b, label);
    }
    json_decref(a);
    json_decref(b);
}

static void add_runs(struct comparison *comparison, struct store *const stores[2],
                     struct compared_databases *found)
{
    sqlite3_stmt *const rows = sql_prepare(stores[0], RUNS " ORDER BY grid.id");
    sqlite3_stmt *const same =
        sql_prepare(stores[1], RUNS " WHERE gpu = ? AND workload = ? AND size IS ?"
                                    " AND variant = ? AND axes = ?");
    uint32_t shared = 0u;

    while (rows != NULL && same != NULL && sql_row(stores[0], rows)) {
        if (find_same(stores[1], same, stores[0], rows)) {
            add_run(comparison, stores, rows, same, found);
            shared++;
        } else {
            found->only[0]++;
        }
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(same);
    const uint32_t all = sql_grid_runs(stores[1]);
    found->only[1] = all > shared ? all - shared : 0u;
}

bool compare_databases(struct comparison *comparison, const char *const paths[2],
                       struct compared_databases *found, struct fault *fault)
{
    struct store *stores[2] = { NULL, NULL };
    bool good = true;

    *found = (struct compared_databases){ .broken = 0u };
    for (int i = 0; good && i < 2; i++) {
        stores[i] = store_open_read(paths[i], fault);
        good = stores[i] != NULL;
        found->broken += good ? store_say_broken(stores[i], "gpusched compare") : 0u;
    }
    if (good) {
        add_runs(comparison, stores, found);
    }
    for (int i = 0; i < 2; i++) {
        if (good && sql_failed(stores[i])) {
            *fault = *store_fault(stores[i]);
            good = false;
        }
    }
    for (int i = 0; i < 2; i++) {
        (void)store_close(stores[i]);
    }
    if (good && memory_lost()) {
        return fault_surroundings(fault, "no memory");
    }
    if (good && comparison->pairs == 0u) {
        return fault_set(fault, "%.1000s and %.1000s: no run is done in both", paths[0],
                         paths[1]);
    }
    return good;
}
