/* experiment_options - the command line of `gpusched experiment`; see experiment_options.h. */

#include "gpusched/experiment/experiment_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
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
    KEY_PART,
    KEY_RUNS,
    KEY_BUILD,
    KEY_FOR,
    KEY_MERGE,
    KEY_ENGINE,
    KEY_PARTITION,
    KEY_NODES,
    KEY_CANCEL,
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
    "Exit status: 0 all runs are done, 1 some failed, were aborted or are missing, --check has "
    "found something, or --merge a conflict, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { NULL, 0, NULL, 0, "How it runs:", 0 },
    { "jobs", 'j', "N", 0,
      "runs at a time; as many as processors if not given, and 1 in a task of Slurm", 0 },
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
    { NULL, 0, NULL, 0, "On several machines:", 0 },
    { "part", KEY_PART, "K/N", 0,
      "runs the part K of N, and keeps it in a database of its own, EXPERIMENT.part-K-of-N",
      0 },
    { "merge", KEY_MERGE, NULL, 0,
      "runs nothing, and puts the results of the databases that are named after the experiment "
      "into its own",
      0 },
    { "runs", KEY_RUNS, "FILE", 0,
      "runs those whose keys are the lines of FILE, and keeps them in a database beside it",
      0 },
    { "for", KEY_FOR, "SECONDS", 0, "starts no run after so many", 0 },
    { "build", KEY_BUILD, "DIGEST", 0,
      "runs nothing unless this is the program's digest, which results have as `program`", 0 },
    { "engine", KEY_ENGINE, "local|slurm", 0,
      "where it runs: here, or as arrays of jobs of Slurm; here if not given", 0 },
    { "partition", KEY_PARTITION, "NAME", 0, "of Slurm; its default if not given", 0 },
    { "nodes", KEY_NODES, "N", 0, "tasks of Slurm at a time, each on one node", 0 },
    { "cancel", KEY_CANCEL, NULL, 0, "ends the tasks that Slurm has", 0 },
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

/* Digits, and moves behind them; more than SHARE_PARTS if there are none or too many. */
static uint32_t number_at(const char **text)
{
    const size_t n = strspn(*text, "0123456789");
    const unsigned long value = n == 0u || n > 9u ? ULONG_MAX : strtoul(*text, NULL, 10);

    *text += n;
    return value > SHARE_PARTS ? SHARE_PARTS + 1u : (uint32_t)value;
}

/* K/N */
static void parse_part(const char *text, struct experiment_share *share)
{
    const char *rest = text;

    share->part = number_at(&rest);
    const bool split = *rest == '/';
    rest += split;
    share->parts = number_at(&rest);
    if (!split || *rest != '\0' || share->part < 1u || share->part > share->parts
        || share->parts > SHARE_PARTS) {
        bad_input("experiment", "--part: %s is given; allowed: K/N, as 3/16, with N up to %d",
                  text, SHARE_PARTS);
    }
}

static void parse_engine(const char *text, struct experiment_options *options)
{
    options->slurm = strcmp(text, "slurm") == 0;
    if (!options->slurm && strcmp(text, "local") != 0) {
        bad_input("experiment", "--engine: %s is given; allowed: local, slurm", text);
    }
}

static error_t parse_machines(int key, char *argument, struct experiment_options *options)
{
    switch (key) {
    case KEY_PART:
        parse_part(argument, &options->share);
        return 0;
    case KEY_RUNS:
        options->share.list = argument;
        return 0;
    case KEY_FOR:
        options->runs.start_for =
            (double)whole_number("experiment", "--for", argument, 1u, LONGEST_TIMEOUT);
        return 0;
    case KEY_BUILD:
        options->build = argument;
        return 0;
    case KEY_MERGE:
        options->merge = true;
        return 0;
    case KEY_ENGINE:
        parse_engine(argument, options);
        return 0;
    case KEY_PARTITION:
        options->partition = argument;
        return 0;
    case KEY_NODES:
        options->nodes =
            (uint32_t)whole_number("experiment", "--nodes", argument, 1u, EXPERIMENT_RUNS);
        return 0;
    case KEY_CANCEL:
        options->cancel = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

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
        return parse_machines(key, argument, options);
    }
}

/* The first of the options that are given, of a list of names and whether they are. */
struct given {
    const char *name;
    bool is;
};
static const char *first_given(const struct given *list, size_t n)
{
    for (size_t i = 0u; i < n; i++) {
        if (list[i].is) {
            return list[i].name;
        }
    }
    return NULL;
}

static void allow_one(const struct given *list, size_t n)
{
    const char *const first = first_given(list, n);

    for (size_t i = 0u; i < n; i++) {
        if (list[i].is && list[i].name != first) {
            bad_input("experiment", "--%s goes without --%s", first, list[i].name);
        }
    }
}

static void check_machines(const struct experiment_options *options)
{
    const bool share = options->share.parts != 0u || options->share.list != NULL;
    const bool reading = options->no_run || options->dry_run;
    const struct given ways[] = {
        { "part", options->share.parts != 0u },
        { "runs", options->share.list != NULL },
        { "merge", options->merge },
        { "engine=slurm", options->slurm },
        { "no-run", options->no_run },
    };
    const struct given reports[] = { { "csv", options->csv != NULL },
                                     { "table", options->want_table } };
    const struct given slurm[] = { { "partition", options->partition != NULL },
                                   { "nodes", options->nodes != 0u },
                                   { "cancel", options->cancel } };
    const struct given running[] = { { "retry", options->runs.retry },
                                     { "refresh", options->runs.refresh },
                                     { "dry-run", options->dry_run } };

    allow_one(ways, sizeof ways / sizeof ways[0]);
    const char *const report = first_given(reports, 2u);
    if (share && report != NULL) {
        bad_input("experiment", "--%s of a part; allowed: of all, after --merge", report);
    }
    const char *const of_slurm = first_given(slurm, 3u);
    if (!options->slurm && of_slurm != NULL) {
        bad_input("experiment", "--%s goes with --engine=slurm", of_slurm);
    }
    const char *const run = first_given(running, 3u);
    if (options->merge && run != NULL) {
        bad_input("experiment", "--merge goes without --%s", run);
    }
    if (options->merge && options->n_database == 0u) {
        bad_input("experiment", "--merge: no database is named; allowed: EXPERIMENT FILE...");
    }
    if (options->n_database != 0u && !options->merge) {
        bad_input("experiment", "%s: one experiment is allowed", options->databases[0]);
    }
    if (options->runs.start_for > 0.0 && (options->slurm || options->merge || reading)) {
        bad_input("experiment", "--for goes with runs on this machine");
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
    check_machines(options);
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
        /* All of them: the experiment, and what is merged. */
        options->file = argument;
        options->databases = &state->argv[state->next];
        options->n_database = (uint32_t)(state->argc - state->next);
        state->next = state->argc;
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

    *options = (struct experiment_options){ .folder = "results" };
    arguments_parse(&experiment_argp, argc, argv, options);
    if (options->runs.jobs == 0u) {
        /* A task of Slurm is a processor. */
        options->runs.jobs = processors < 1 || options->slurm ? 1u : (uint32_t)processors;
    }
}
