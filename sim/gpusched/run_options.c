/* run_options - the command line of `gpusched run`; see run_options.h. */

#include "run_options.h"

#include <argp.h>
#include <string.h>

#include "arguments.h"
#include "naive.h"

enum { STANDARD_INTERVAL = 1000, HIGHEST_INTERVAL = 1000000000 };

enum {
    KEY_SET = 's',
    KEY_TIMELINE = 256,
    KEY_SERIES,
    KEY_SERIES_SM,
    KEY_NAIVE,
};

static const char doc[] =
    "Runs a workload on a GPU and says where its cycles went.\n"
    "\v"
    "  gpusched run --gpu m2090 --workload stream\n"
    "  gpusched run -g m2090 -w stream --set warp.policy=lrr --set sm.count=16\n"
    "  gpusched run -g my.yaml -w my-workload.yaml -o out --timeline --series=500\n"
    "\n"
    "With -o come result.json, the same bytes for the same run, and host.json, what it cost "
    "here. timeline.json opens in ui.perfetto.dev. docs/results-format.md explains the files.\n"
    "\n"
    "Exit status: 0 done, 1 a failed check or a hang (statistics are written all the same), "
    "2 bad input (nothing is written).";

static const struct argp_option option_table[] = {
    { "gpu", 'g', "FILE|NAME", 0, "a configuration; NAME: configs/gpu/NAME.yaml", 0 },
    { "workload", 'w', "FILE|NAME", 0, "what to run; NAME: configs/workloads/NAME.yaml", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0, "changes the configuration: sm.count=16", 0 },
    { "output", 'o', "DIR", 0, "folder for the files; made if it is not there", 0 },
    { "timeline", KEY_TIMELINE, NULL, 0, "timeline.json: CTAs, kernels, stalls over time", 0 },
    { "series", KEY_SERIES, "N", OPTION_ARG_OPTIONAL,
      "series.csv: a row every N cycles, for timeline.json as well; 1000", 0 },
    { "series-per-sm", KEY_SERIES_SM, NULL, 0, "series_sm.csv: the same of each SM", 0 },
    { "naive", KEY_NAIVE, "LIST", OPTION_ARG_OPTIONAL,
      "fast paths switched off, for checks of the simulator: all, or some of "
      "step,skip,poll,scan,count,fuzz",
      0 },
    { "quiet", 'q', NULL, 0, "no summary and no progress", 0 },
    HELP_OPTION,
    { 0 },
};

static void check(const struct run_options *options)
{
    if (options->gpu == NULL) {
        bad_input("run", "--gpu=FILE|NAME is missing; gpusched config list shows names");
    }
    if (options->workload == NULL) {
        bad_input("run", "--workload=FILE|NAME is missing");
    }
    if (options->folder == NULL
        && (options->timeline || options->series || options->series_sm)) {
        bad_input("run", "--%s needs -o DIR, where its file goes",
                  options->timeline ? "timeline"
                  : options->series ? "series"
                                    : "series-per-sm");
    }
}

static void add_set(struct run_options *options, const char *argument)
{
    if (options->n_set == RUN_MAX_SET) {
        bad_input("run", "--set %s: at most %d are allowed", argument, RUN_MAX_SET);
    }
    if (strchr(argument, '=') == NULL) {
        bad_input("run", "--set %s: section.key=value is needed, like sm.count=16", argument);
    }
    options->set[options->n_set++] = argument;
}

static void add_naive(struct run_options *options, const char *argument)
{
    char message[256];

    if (!naive_parse(argument == NULL ? "all" : argument, &options->mode, message,
                     sizeof message)) {
        bad_input("run", "%s", message);
    }
}

static error_t parse_samples(int key, const char *argument, struct run_options *options)
{
    switch (key) {
    case KEY_TIMELINE:
        options->timeline = true;
        return 0;
    case KEY_SERIES:
        options->series = true;
        if (argument != NULL) {
            options->interval = whole_number("run", "--series", argument, 1u, HIGHEST_INTERVAL);
        }
        return 0;
    case KEY_SERIES_SM:
        options->series_sm = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *const options = state->input;

    switch (key) {
    case 'g':
        options->gpu = argument;
        return 0;
    case 'w':
        options->workload = argument;
        return 0;
    case KEY_SET:
        add_set(options, argument);
        return 0;
    case 'o':
        options->folder = argument;
        return 0;
    case KEY_NAIVE:
        add_naive(options, argument);
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        bad_input("run", "%s: only options are allowed; gpusched run --help shows them",
                  argument);
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("run", option_table, state);
    case ARGP_KEY_END:
        check(options);
        return 0;
    default:
        return parse_samples(key, argument, options);
    }
}

void run_options_parse(struct run_options *options, int argc, char **argv)
{
    static const struct argp argp = {
        option_table, parse, "--gpu=FILE|NAME --workload=FILE|NAME", doc, NULL, NULL, NULL
    };

    *options = (struct run_options){ .interval = STANDARD_INTERVAL };
    arguments_parse(&argp, argc, argv, options);
}
