/* query_command - SQL on an experiment's database; see query_command.h. */

#include "gpusched/query/query_command.h"

#include <argp.h>
#include <stdio.h>

#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/report/data/report_where.h"
#include "tool/arguments.h"

enum { FAILED = 1 };

static const char doc[] =
    "Prints the rows of an SQL query on an experiment's database, where the view runs has one "
    "column more than sqlite3 shows: result, the whole result.json of each run."
    "\v"
    "Examples:\n"
    "  gpusched experiment smoke -q                   into results/smoke.sqlite\n"
    "  gpusched query smoke \\\n"
    "      \"SELECT result FROM runs WHERE id = 3\"     the result.json of a run\n"
    "  gpusched query results/smoke.sqlite -s , \\\n"
    "      \"SELECT id, result ->> '$.derived.ipc' FROM runs\"  the IPC of each\n"
    "\n"
    "docs/experiments.md explains the tables. Nothing in the database is changed.\n"
    "\n"
    "Exit status: 0 done, 1 without results that are not as they were written, 2 bad input, or "
    "output that cannot be written.";

static const struct argp_option option_table[] = {
    { "separator", 's', "TEXT", 0, "between the columns; | if not given", 0 },
    HELP_OPTION,
    { 0 },
};

struct query_options {
    const char *what;
    const char *sql;
    const char *separator;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct query_options *const options = state->input;

    switch (key) {
    case 's':
        options->separator = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->sql != NULL) {
            bad_input("query", "%s: one database and one query are allowed", argument);
        }
        *(options->what == NULL ? &options->what : &options->sql) = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("query", option_table, state);
    case ARGP_KEY_END:
        if (options->sql == NULL) {
            bad_input("query",
                      "a database, or the name of an experiment, and a query are needed");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp query_argp = { option_table, parse, "DATABASE|EXPERIMENT SQL",
                                        doc,          NULL,  NULL,
                                        NULL };

/* A result.json ends its line itself. */
static void print_row(struct store *store, sqlite3_stmt *row, const char *separator)
{
    bool ended = false;

    for (int c = 0; c < sqlite3_column_count(row); c++) {
        const char *const text = sql_text_of(store, row, c);
        fputs(c == 0 ? "" : separator, stdout);
        const size_t n = text == NULL ? 0u : (size_t)sqlite3_column_bytes(row, c);
        fwrite(text == NULL ? "" : text, 1u, n, stdout);
        ended = n > 0u && text[n - 1u] == '\n';
    }
    fputs(ended ? "" : "\n", stdout);
}

/* One statement after the other. */
static void answer(struct store *store, const struct query_options *options)
{
    const char *rest = options->sql;

    while (*rest != '\0' && !sql_failed(store)) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(store->database, rest, -1, &statement, &rest) != SQLITE_OK) {
            sql_fail(store);
        }
        while (!sql_failed(store) && sql_row(store, statement)) {
            print_row(store, statement, options->separator);
        }
        sqlite3_finalize(statement);
    }
}

static int query_main(int argc, char **argv)
{
    struct query_options options = { .separator = "|" };
    char path[EXPERIMENT_PATH];
    struct fault fault;

    arguments_parse(&query_argp, argc, argv, &options);
    report_find_database("query", options.what, path);
    struct store *const store = store_open_read(path, &fault);
    if (store == NULL) {
        bad_input("query", "%s", fault_text(&fault));
    }
    const uint32_t broken = store_say_broken(store, "gpusched query");
    if (sql_run(store, "PRAGMA query_only = ON")) {
        answer(store, &options);
    }
    const bool failed = sql_failed(store);
    if (failed) {
        fprintf(stderr, "gpusched query: %s\n", fault_text(store_fault(store)));
    }
    store_close(store);
    return failed ? BAD_INPUT : broken > 0u ? FAILED : 0;
}

const struct command query_command = {
    .name = "query",
    .title = "answers SQL about an experiment's results",
    .argp = &query_argp,
    .run = query_main,
};
