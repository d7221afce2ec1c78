/* report_database - what is beside the runs; see report_database.h. */

#include "gpusched/report/data/report_database.h"

#include <string.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "tool/memory_watch.h"

void report_database_name(const char *path, char name[EXPERIMENT_NAME])
{
    static const char ending[] = ".sqlite";

    experiment_label(path, name);
    const size_t n = strlen(name);
    if (n >= sizeof ending && strcmp(name + n - strlen(ending), ending) == 0) {
        name[n - strlen(ending)] = '\0';
    }
}

bool report_has_table(struct store *store, const char *name)
{
    sqlite3_stmt *const find = sql_prepare(store, "SELECT 1 FROM sqlite_master WHERE name = ?");

    if (find == NULL) {
        return false;
    }
    sql_text(find, 1, name);
    const bool found = sql_row(store, find);
    sqlite3_finalize(find);
    return found;
}

char *report_about(struct store *store, const char *name)
{
    char *copy = NULL;

    if (!report_has_table(store, "about")) {
        return NULL; /* of an experiment that has last been run before there was one */
    }
    sqlite3_stmt *const find = sql_prepare(store, "SELECT value FROM about WHERE name = ?");
    if (find != NULL) {
        sql_text(find, 1, name);
        const char *const text = sql_row(store, find) ? sql_text_of(store, find, 0) : NULL;
        copy = text == NULL ? NULL : memory_copy(text);
    }
    sqlite3_finalize(find);
    return copy;
}

bool report_check_grid(struct store *store, const char *name, struct fault *fault)
{
    sqlite3_stmt *const wrong =
        store->format < STORE_FORMAT
            ? NULL
            : sql_prepare(store, "SELECT id FROM grid WHERE digest IS NOT " DIGEST_OF_POINT);
    const bool found = sql_row(store, wrong);

    if (found) {
        fault_set(fault,
                  "%.3000s: run %lld of the grid is not as it was written; gpusched experiment "
                  "%.100s writes it again",
                  store->path, (long long)sqlite3_column_int64(wrong, 0), name);
    } else if (sql_failed(store)) {
        *fault = *store_fault(store);
    }
    sqlite3_finalize(wrong);
    return !found && !sql_failed(store);
}
