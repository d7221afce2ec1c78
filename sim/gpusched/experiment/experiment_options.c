/* experiment_options - the command line of `gpusched experiment`; see experiment_options.h. */

#include "gpusched/experiment/experiment_options.h"

#include <unistd.h>

#include "tool/arguments.h"

enum { LONGEST_TIMEOUT = 10000000 };

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

static error_t parse_report(int key, char *argument, struct experiment_options *options)
{
    switch (key) {
    case KEY_RETRY:
        options->runs.retry = true;
        return 0;
    case KEY_REFRESH:
        options->runs.refresh = true;
        return 0;
    case KEY_DRY_RUN:
        options->dry_run = true;
        return 0;
    case KEY_NO_RUN:
        options->no_run = true;
        return 0;
    case KEY_CSV:
        options->csv = argument == NULL ? "" : argument;
        return 0;
    case KEY_TABLE:
        options->want_table = true;
        options->table = argument;
        return 0;
    case KEY_RTL_FILE:
        options->rtl_file = argument;
        return 0;
    case KEY_CHECK:
        options->check = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct experiment_options *options)
{
    if (options->check != NULL) {
        if (options->file != NULL) {
            bad_input("experiment", "%s: --check takes a database alone", options->file);
        }
        return;
    }
    if (options->file == NULL) {
        bad_input("experiment", "a file is needed, or the name of one in configs/experiments");
    }
    if (options->csv != NULL && options->want_table && options->csv[0] == '\0') {
        bad_input("experiment", "--csv and --table both to stdout; allowed: --csv=FILE");
    }
    if ((options->no_run || options->dry_run)
        && (options->runs.retry || options->runs.refresh)) {
        bad_input("experiment", "--%s goes without --%s",
                  options->no_run ? "no-run" : "dry-run",
                  options->runs.retry ? "retry" : "refresh");
    }
    if (options->no_run && options->csv == NULL && !options->want_table) {
        bad_input("experiment", "--no-run goes with --csv or --table");
    }
    if (options->dry_run && (options->csv != NULL || options->want_table || options->no_run)) {
        bad_input("experiment", "--dry-run goes without --csv, --table and --no-run");
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct experiment_options *const options = state->input;

    switch (key) {
    case 'j':
        options->runs.jobs =
            (uint32_t)whole_number("experiment", "--jobs", argument, 1u, EXPERIMENT_JOBS);
        return 0;
    case 'o':
        options->folder = argument;
        return 0;
    case 'q':
        options->runs.quiet = true;
        return 0;
    case KEY_TIMEOUT:
        options->runs.timeout =
            (double)whole_number("experiment", "--timeout", argument, 1u, LONGEST_TIMEOUT);
        return 0;
    case ARGP_KEY_ARG:
        if (options->file != NULL) {
            bad_input("experiment", "%s: one experiment is allowed", argument);
        }
        options->file = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("experiment", option_table, state);
    case ARGP_KEY_END:
        check(options);
        return 0;
    default:
        return parse_report(key, argument, options);
    }
}

const struct argp experiment_argp = { option_table, parse, "EXPERIMENT|FILE", doc, NULL,
                                      NULL,         NULL };

void experiment_options_parse(struct experiment_options *options, int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *options = (struct experiment_options){
        .folder = "results",
        .runs = { .jobs = processors < 1 ? 1u : (uint32_t)processors },
    };
    arguments_parse(&experiment_argp, argc, argv, options);
}
