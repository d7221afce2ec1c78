/* run_options - the command line of `gpusched run`; see run_options.h. */

#include "run_options.h"

#include <argp.h>
#include <string.h>

#include "arguments.h"
#include "kernel_argument.h"
#include "naive.h"

enum { STANDARD_INTERVAL = 1000, HIGHEST_INTERVAL = 1000000000 };

enum {
    KEY_SET = 's',
    KEY_TIMELINE = 256,
    KEY_SERIES,
    KEY_SERIES_SM,
    KEY_NAIVE,
    KEY_SIZE,
    KEY_FUNCTIONAL,
};

static const char doc[] =
    "Runs a workload on a GPU and says where its cycles went.\n"
    "\v"
    "  gpusched run --gpu m2090 --workload stream\n"
    "  gpusched run -g m2090 -w stream --set warp.policy=lrr --set sm.count=16\n"
    "  gpusched run -g my.yaml -w my-workload.yaml -o out --timeline --series=500\n"
    "  gpusched run -g m2090 -w hotspot --size=medium\n"
    "  gpusched run -w hotspot --functional\n"
    "  gpusched run -g m2090 --ptx saxpy.ptx --kernel saxpy --grid 16 --block 256 \\\n"
    "      --arg i32:2 --arg buf:16384:iota32 --arg buf:16384 --save 2=y.bin\n"
    "\n"
    "With -o come result.json, the same bytes for the same run, and host.json, what it cost "
    "here. timeline.json opens in ui.perfetto.dev. docs/results-format.md explains the files.\n"
    "\n"
    "Exit status: 0 done, 1 a failed check or a hang (statistics are written all the same), "
    "2 bad input (nothing is written).";

static const struct argp_option option_table[] = {
    { "gpu", 'g', "FILE|NAME", 0, "a configuration; NAME: configs/gpu/NAME.yaml", 0 },
    { "workload", 'w', "FILE|NAME", 0, "what to run; gpusched list workloads shows names", 0 },
    { "size", KEY_SIZE, "SIZE", 0, "of a CUDA workload: small, medium or paper; small", 0 },
    { "functional", KEY_FUNCTIONAL, NULL, 0, "executes and checks, without timing", 0 },
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
    { "ptx", KEY_PTX, "FILE", 0, "in place of a workload: one kernel of a PTX file", 1 },
    { "kernel", KEY_KERNEL, "NAME", 0, "its name, in PTX or in C++", 1 },
    { "grid", KEY_GRID, "X,Y,Z", 0, "CTAs", 1 },
    { "block", KEY_BLOCK, "X,Y,Z", 0, "threads of a CTA", 1 },
    { "arg", KEY_ARGUMENT, "TYPE:VALUE", 0, "the next argument: " KERNEL_ARGUMENT_FORMS, 1 },
    { "save", KEY_SAVE, "N=FILE", 0, "writes buffer argument N, from 0, after the run", 1 },
    { "dynamic-shared", KEY_DYNAMIC_SHARED, "BYTES", 0, "of a CTA", 1 },
    { "registers", KEY_REGISTERS, "N", 0, "of a thread, in place of the module's count", 1 },
    HELP_OPTION,
    { 0 },
};

static void check_functional(const struct run_options *options)
{
    if (options->folder != NULL || options->n_set != 0u || options->mode != 0u) {
        bad_input("run", "--functional takes no time, so it goes without %s",
                  options->folder != NULL ? "-o"
                  : options->n_set != 0u  ? "--set"
                                          : "--naive");
    }
}

static void check(const struct run_options *options)
{
    if (options->gpu == NULL && !options->functional) {
        bad_input("run", "--gpu=FILE|NAME is missing; gpusched list gpus shows names");
    }
    if (options->workload == NULL && options->ptx.file == NULL && options->ptx.given == NULL) {
        bad_input("run",
                  "--workload=FILE|NAME is missing; gpusched list workloads shows names");
    }
    if (options->workload != NULL && options->ptx.file != NULL) {
        bad_input("run", "--workload and --ptx: one of them is allowed");
    }
    ptx_options_check(&options->ptx);
    if (options->functional) {
        check_functional(options);
    }
    if (options->folder == NULL
        && (options->timeline || options->series || options->series_sm)) {
        bad_input("run", "--%s needs -o DIR, where its file goes",
                  options->timeline ? "timeline"
                  : options->series ? "series"
                                    : "series-per-sm");
    }
}

static void set_size(struct run_options *options, const char *argument)
{
    static const char *const names[] = { "small", "medium", "paper" };

    for (unsigned i = 0u; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(argument, names[i]) == 0) {
            options->size = (enum workload_size)i;
            options->size_given = true;
            return;
        }
    }
    bad_input("run", "--size=%s: small, medium or paper is allowed", argument);
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
        return ptx_options_parse(key, argument, &options->ptx);
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
    case KEY_SIZE:
        set_size(options, argument);
        return 0;
    case KEY_FUNCTIONAL:
        options->functional = true;
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
