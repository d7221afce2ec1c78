/* experiment_command - a grid of runs; see experiment_command.h. */

#include "gpusched/experiment/experiment_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "gpusched/experiment/experiment_report.h"
#include "gpusched/experiment/run/experiment_runs.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"

enum { FAILED = 1, SHOWN = 10, LONGEST_TIMEOUT = 10000000 };

enum {
    KEY_TIMEOUT = 256,
    KEY_RETRY,
    KEY_REFRESH,
    KEY_DRY_RUN,
    KEY_NO_RUN,
    KEY_CSV,
    KEY_TABLE,
    KEY_RTL_FILE,
    KEY_CHECK,
};

static const char doc[] =
    "Runs a grid of GPUs, workloads and settings in parallel, and keeps the results in a "
    "database. Begun again after whatever ended it, it goes on where it was."
    "\v"
    "Examples:\n"
    "  gpusched experiment smoke --dry-run            the runs, and which are done\n"
    "  gpusched experiment smoke                      runs what is not done yet\n"
    "  gpusched experiment smoke --table              workloads and variants\n"
    "  gpusched experiment smoke --table=l1_hit_rate  the same of another figure\n"
    "  gpusched experiment smoke --csv=smoke.csv      a line for each run\n"
    "  gpusched experiment my.yaml -o out --jobs=2    your own, in out/my.sqlite\n"
    "\n"
    "docs/experiments.md explains the file and the database.\n"
    "\n"
    "Exit status: 0 all runs are done, 1 some failed, were aborted or are missing, or --check "
    "has "
    "found something, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { NULL, 0, NULL, 0, "How it runs:", 0 },
    { "jobs", 'j', "N", 0, "runs at a time; as many as processors if not given", 0 },
    { "output", 'o', "DIR", 0,
      "folder of the database, made if it is not there; results if not given", 0 },
    { "timeout", KEY_TIMEOUT, "SECONDS", 0,
      "a run that takes longer has failed; no limit if not given", 0 },
    { "retry", KEY_RETRY, NULL, 0, "runs what failed once more", 0 },
    { "refresh", KEY_REFRESH, NULL, 0, "runs once more what another build of gpusched has run",
      0 },
    { "rtl-file", KEY_RTL_FILE, "FILE", 0,
      "a compiled RTL of the one unit in lockstep, in place of ours", 0 },
    { "quiet", 'q', NULL, 0, "no progress and no summary", 0 },
    { NULL, 0, NULL, 0, "What it says:", 0 },
    { "dry-run", KEY_DRY_RUN, NULL, 0, "checks and lists the runs, and runs none", 0 },
    { "no-run", KEY_NO_RUN, NULL, 0, "reports what has been done so far", 0 },
    { "csv", KEY_CSV, "FILE", OPTION_ARG_OPTIONAL,
      "a line for each run; to stdout without FILE", 0 },
    { "table", KEY_TABLE, "FIGURE", OPTION_ARG_OPTIONAL,
      "workloads and variants; of the experiment's first figure if none is given. gpusched "
      "stats "
      "shows names",
      0 },
    { NULL, 0, NULL, 0, "In place of all that:", 0 },
    { "check", KEY_CHECK, "FILE", 0,
      "checks a database: its format, its counts and the digests of its rows", 0 },
    HELP_OPTION,
    { 0 },
};

struct request {
    const char *file;
    const char *folder;
    const char *csv; /* "" is stdout */
    const char *table;
    const char *rtl_file;
    const char *check; /* a database; NULL: none */
    bool dry_run, no_run, want_csv, want_table;
    struct experiment_options options;
    struct experiment experiment;
    struct experiment_grid grid;
    struct experiment_figures figures;
    uint32_t figure; /* of the table */
    uint32_t now;    /* runs that have ended in this process */
    char database[EXPERIMENT_PATH];
    struct fault fault;
};

/* ---- Command line -------------------------------------------------------------------- */

static error_t parse_report(int key, char *argument, struct request *command)
{
    switch (key) {
    case KEY_RETRY:
        command->options.retry = true;
        return 0;
    case KEY_REFRESH:
        command->options.refresh = true;
        return 0;
    case KEY_DRY_RUN:
        command->dry_run = true;
        return 0;
    case KEY_NO_RUN:
        command->no_run = true;
        return 0;
    case KEY_CSV:
        command->want_csv = true;
        command->csv = argument == NULL ? "" : argument;
        return 0;
    case KEY_TABLE:
        command->want_table = true;
        command->table = argument;
        return 0;
    case KEY_RTL_FILE:
        command->rtl_file = argument;
        return 0;
    case KEY_CHECK:
        command->check = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct request *command)
{
    if (command->check != NULL) {
        if (command->file != NULL) {
            bad_input("experiment", "%s: --check takes a database alone", command->file);
        }
        return;
    }
    if (command->file == NULL) {
        bad_input("experiment", "a file is needed, or the name of one in configs/experiments");
    }
    if (command->want_csv && command->want_table && command->csv[0] == '\0') {
        bad_input("experiment", "--csv and --table both to stdout; allowed: --csv=FILE");
    }
    if ((command->no_run || command->dry_run)
        && (command->options.retry || command->options.refresh)) {
        bad_input("experiment", "--%s goes without --%s",
                  command->no_run ? "no-run" : "dry-run",
                  command->options.retry ? "retry" : "refresh");
    }
    if (command->no_run && !command->want_csv && !command->want_table) {
        bad_input("experiment", "--no-run goes with --csv or --table");
    }
    if (command->dry_run && (command->want_csv || command->want_table || command->no_run)) {
        bad_input("experiment", "--dry-run goes without --csv, --table and --no-run");
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *const command = state->input;

    switch (key) {
    case 'j':
        command->options.jobs =
            (uint32_t)whole_number("experiment", "--jobs", argument, 1u, EXPERIMENT_JOBS);
        return 0;
    case 'o':
        command->folder = argument;
        return 0;
    case 'q':
        command->options.quiet = true;
        return 0;
    case KEY_TIMEOUT:
        command->options.timeout =
            (double)whole_number("experiment", "--timeout", argument, 1u, LONGEST_TIMEOUT);
        return 0;
    case ARGP_KEY_ARG:
        if (command->file != NULL) {
            bad_input("experiment", "%s: one experiment is allowed", argument);
        }
        command->file = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("experiment", option_table, state);
    case ARGP_KEY_END:
        check(command);
        return 0;
    default:
        return parse_report(key, argument, command);
    }
}

/* ---- Reading ------------------------------------------------------------------------- */

/* A figure of the table that the experiment does not keep is kept from now on. */
static bool find_table_figure(struct request *command)
{
    struct experiment_figures *const figures = &command->figures;

    while (command->table != NULL && command->figure < figures->n
           && strcmp(figures->list[command->figure].name, command->table) != 0) {
        command->figure++;
    }
    if (command->figure < figures->n) {
        return true;
    }
    struct experiment_figure *const longer =
        realloc(figures->list, (figures->n + 1u) * sizeof *longer);
    if (longer == NULL) {
        return fault_surroundings(&command->fault, "no memory");
    }
    figures->list = longer;
    longer[figures->n].name = command->table;
    return experiment_figure_path(command->table, longer[figures->n].path, &command->fault)
           || fault_before(&command->fault, "--table: ");
}

static bool make_path(struct request *command)
{
    const int n = snprintf(command->database, sizeof command->database, "%s/%s.sqlite",
                           command->folder, command->experiment.name);

    if (command->folder[0] != '\0' && n > 0 && (size_t)n < sizeof command->database) {
        return true;
    }
    return fault_set(&command->fault, "-o: the path of a folder, shorter than %d, is needed",
                     EXPERIMENT_PATH);
}

static bool read_experiment(struct request *command)
{
    if (!experiment_load(&command->experiment, command->file, &command->fault)) {
        return false;
    }
    command->experiment.rtl_file = command->rtl_file;
    if (!experiment_figures_open(&command->figures, &command->experiment)
        || !find_table_figure(command) || !make_path(command)
        || !experiment_grid_open(&command->grid, &command->experiment)) {
        experiment_figures_free(&command->figures);
        experiment_free(&command->experiment);
        return false;
    }
    return true;
}

/* ---- Running ------------------------------------------------------------------------- */

static bool make_folder(struct request *command)
{
    struct stat found;

    if (mkdir(command->folder, 0777) != 0 && errno != EEXIST) {
        return fault_system(&command->fault, "-o %.3000s: the folder cannot be made",
                            command->folder);
    }
    if (stat(command->folder, &found) != 0 || !S_ISDIR(found.st_mode)) {
        return fault_set(&command->fault, "-o %.3000s: this is no folder", command->folder);
    }
    return true;
}

static void say_foreign(const struct request *command, struct store *store)
{
    struct experiment_counts counts;

    if (!command->options.refresh && experiment_count(store, &command->grid, &counts)
        && counts.foreign > 0u) {
        fprintf(stderr,
                "gpusched experiment: %u of %u results are of another build of gpusched; "
                "--refresh runs them once more\n",
                counts.foreign, counts.all);
    }
}

static enum runs_end run(struct request *command, struct store *store)
{
    (void)store_say_broken(store, "gpusched experiment");
    if (!store_grid(store, &command->grid, &command->figures)) {
        command->fault = *store_fault(store);
        return RUNS_BROKEN;
    }
    say_foreign(command, store);
    return experiment_runs(store, &command->grid, &command->figures, &command->options,
                           &command->now, &command->fault);
}

/* ---- Reports ------------------------------------------------------------------------- */

static bool write_csv(struct request *command, const struct report *report)
{
    struct output_file file;

    if (command->csv[0] == '\0') {
        report_csv(report, stdout);
        return true;
    }
    bool good = output_file_open(&file, command->csv);
    if (good) {
        report_csv(report, file.to);
        good = output_file_commit(&file);
    }
    if (!good) {
        fault_system(&command->fault, "%.3000s: cannot be written", command->csv);
    }
    return good;
}

static void summarize(const struct request *command, const struct report *report,
                      const struct experiment_counts *counts, enum runs_end end)
{
    if (command->options.quiet) {
        if (end == RUNS_INTERRUPTED) {
            fprintf(stderr, "%s: interrupted, the same command goes on\n", command->database);
        }
        return;
    }
    fprintf(stderr, "%s: %u of %u runs done, %u failed", command->database, counts->done,
            counts->all, counts->failed);
    if (counts->aborted > 0u) {
        fprintf(stderr, ", %u aborted", counts->aborted);
    }
    if (!command->no_run) {
        fprintf(stderr, "; %u ended now", command->now);
    }
    fputs(end == RUNS_INTERRUPTED ? "; interrupted, the same command goes on\n" : "\n", stderr);
    report_failures(report, SHOWN, stderr);
    if (counts->failed > 0u && !command->no_run) {
        fputs("  --retry runs what failed once more\n", stderr);
    }
    if (counts->aborted > 0u && !command->no_run) {
        fputs("  the same command runs what was aborted once more\n", stderr);
    }
}

/* The exit status. */
static int report_all(struct request *command, struct store *store, enum runs_end end)
{
    struct report report;
    struct experiment_counts counts = { .all = command->grid.n };
    bool good = true;

    /* The table's figure is one more, which no other report has. */
    const struct experiment_figures figures = {
        command->figures.list, command->figures.n + (command->figure == command->figures.n)
    };
    if (!report_open(&report, store, &command->grid, &figures, &command->fault)) {
        return BAD_INPUT;
    }
    if (store != NULL) {
        good = experiment_count(store, &command->grid, &counts);
        command->fault = *store_fault(store);
    }
    if (command->dry_run) {
        report_list(&report, stdout);
    } else {
        if (end == RUNS_ENDED && command->want_csv) {
            report.figures = &command->figures;
            good = write_csv(command, &report) && good;
            report.figures = &figures;
        }
        if (end == RUNS_ENDED && command->want_table) {
            report_table(&report, command->figure, stdout);
        }
        summarize(command, &report, &counts, end);
    }
    report_free(&report);
    if (good && memory_lost()) {
        fault_surroundings(&command->fault, "no memory for the report");
        good = false;
    }
    return !good ? BAD_INPUT : command->dry_run || counts.done == counts.all ? 0 : FAILED;
}

static int experiment(struct request *command)
{
    const bool reading = command->no_run || command->dry_run;
    struct store *store = NULL;
    enum runs_end end = RUNS_ENDED;

    if (reading) {
        /* Before its first run an experiment has no database. */
        if (command->no_run || access(command->database, F_OK) == 0) {
            store = store_open_read(command->database, &command->fault);
            end = store == NULL ? RUNS_BROKEN : RUNS_ENDED;
            if (store != NULL) {
                (void)store_say_broken(store, "gpusched experiment");
            }
        }
    } else if (make_folder(command)) {
        store = store_open(command->database, &command->fault);
        end = store == NULL ? RUNS_BROKEN : run(command, store);
    } else {
        end = RUNS_BROKEN;
    }
    const int status = end == RUNS_BROKEN ? BAD_INPUT : report_all(command, store, end);
    store_close(store);
    return status;
}

static const struct argp argp = {
    option_table, parse, "EXPERIMENT|FILE", doc, NULL, NULL, NULL
};

static int experiment_main(int argc, char **argv)
{
    static struct request command;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

    command.folder = "results";
    command.options.jobs = processors < 1 ? 1u : (uint32_t)processors;
    arguments_parse(&argp, argc, argv, &command);
    if (command.check != NULL) {
        const int found = store_check(command.check, stdout, &command.fault);
        if (found == BAD_INPUT) {
            bad_input("experiment", "%s", fault_text(&command.fault));
        }
        return found;
    }
    if (!read_experiment(&command)) {
        bad_input("experiment", "%s", fault_text(&command.fault));
    }
    const int status = experiment(&command);
    if (status == BAD_INPUT) {
        fprintf(stderr, "gpusched experiment: %s\n", fault_text(&command.fault));
    }
    experiment_grid_free(&command.grid);
    experiment_figures_free(&command.figures);
    experiment_free(&command.experiment);
    return status;
}

const struct command experiment_command = {
    .name = "experiment",
    .title = "runs many in parallel, and keeps the results",
    .argp = &argp,
    .run = experiment_main,
};
