/* run_options - the command line of `gpusched run`; see run_options.h. */

#include "run_options.h"

#include <argp.h>
#include <inttypes.h>
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
    KEY_RTL,
    KEY_UNITS,
    KEY_RTL_FILE,
    KEY_UNIT,
    KEY_VECTORS,
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
    { "workload", 'w', "FILE|NAME", 0,
      "what to run; gpusched list workloads shows names. Described kernels also as NAME:CTAS, "
      "in a grid of so many",
      0 },
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

static const struct argp_option rtl_table[] = {
    { "rtl", KEY_RTL, "MODE", 0,
      "off; shadow: the model drives the GPU and RTL is compared, in every cycle; drive: RTL "
      "drives it and the model is compared",
      2 },
    { "units", KEY_UNITS, "LIST", 0,
      "whose RTL: cta_scheduler, claso, work_distributor, cluster_port, or all, which is the "
      "last two: the others are in them",
      2 },
    { "rtl-file", KEY_RTL_FILE, "FILE", 0, "a compiled RTL of the one unit, in place of ours",
      2 },
    { 0 },
};

static const struct argp_option record_table[] = {
    { "unit", KEY_UNIT, "NAME", 0, "cta_scheduler, claso or work_distributor", 2 },
    { "vectors", KEY_VECTORS, "FILE", 0, "where its vectors go", 2 },
    { 0 },
};

static const char record_doc[] =
    "Runs a workload on a GPU, and writes what goes into a unit of its dispatch path and what "
    "comes out, for any simulator: docs/conformance.md. Cycles that change nothing in the unit "
    "are left out.\n"
    "\v"
    "  gpusched record -g c2050 -w hotspot --unit=claso --set claso.active_levels=1 \\\n"
    "      --vectors=claso.vec\n"
    "  build/gpusched-unit replay claso.vec\n"
    "\n"
    "Exit status: 0 done, 1 a failed check or a hang, 2 bad input.";

static void check_functional(const struct run_options *options)
{
    if (options->folder != NULL || options->n_set != 0u || options->mode != 0u) {
        bad_input("run", "--functional takes no time, so it goes without %s",
                  options->folder != NULL ? "-o"
                  : options->n_set != 0u  ? "--set"
                                          : "--naive");
    }
}

static const char *command(const struct run_options *options)
{
    return options->record ? "record" : "run";
}

static uint32_t count_units(const struct rtl_options *rtl)
{
    uint32_t n = 0u;

    for (int i = 0; i < RTL_UNITS; i++) {
        n += rtl->units[i];
    }
    return n;
}

static void check_rtl(struct run_options *options)
{
    struct rtl_options *const rtl = &options->rtl;

    if (options->record) {
        if (count_units(rtl) != 1u || rtl->vectors == NULL) {
            bad_input("record", "--unit=NAME and --vectors=FILE are needed: whose vectors, and "
                                "where they go");
        }
        return;
    }
    if (rtl->mode == RTL_OFF) {
        if (count_units(rtl) != 0u || rtl->library != NULL) {
            bad_input("run", "--%s needs --rtl=shadow or drive",
                      rtl->library != NULL ? "rtl-file" : "units");
        }
        return;
    }
    if (options->functional) {
        bad_input("run", "--functional takes no time, so it goes without --rtl");
    }
    if (count_units(rtl) == 0u) {
        rtl->units[RTL_WORK_DISTRIBUTOR] = rtl->units[RTL_CLUSTER_PORT] = true;
    }
    if (rtl->library != NULL && count_units(rtl) != 1u) {
        bad_input("run", "--rtl-file is for one unit; --units names %" PRIu32,
                  count_units(rtl));
    }
}

static void check(struct run_options *options)
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
    check_rtl(options);
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

static void set_rtl_mode(struct rtl_options *rtl, const char *argument)
{
    static const char *const names[] = { "off", "shadow", "drive" };

    for (unsigned i = 0u; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(argument, names[i]) == 0) {
            rtl->mode = (enum rtl_mode)i;
            return;
        }
    }
    bad_input("run", "--rtl=%s: off, shadow or drive is allowed", argument);
}

static error_t parse_rtl(int key, const char *argument, struct run_options *options)
{
    struct rtl_options *const rtl = &options->rtl;
    char message[256];

    switch (key) {
    case KEY_RTL:
        set_rtl_mode(rtl, argument);
        return 0;
    case KEY_UNITS:
    case KEY_UNIT:
        if (!rtl_units_parse(argument, rtl->units, message, sizeof message)) {
            bad_input(command(options), "--%s=%s", key == KEY_UNIT ? "unit" : "units", message);
        }
        return 0;
    case KEY_RTL_FILE:
        rtl->library = argument;
        return 0;
    case KEY_VECTORS:
        rtl->vectors = argument;
        return 0;
    default:
        return parse_samples(key, argument, options);
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
        bad_option(command(options), state->root_argp->options, state);
    case ARGP_KEY_END:
        check(options);
        return 0;
    default:
        return parse_rtl(key, argument, options);
    }
}

/* Two tables one after the other; `both` has room for them. */
static void join(struct argp_option *both, const struct argp_option *first,
                 const struct argp_option *second)
{
    while (first->name != NULL) {
        *both++ = *first++;
    }
    do {
        *both++ = *second;
    } while ((second++)->name != NULL);
}

void run_options_parse(struct run_options *options, bool record, int argc, char **argv)
{
    static struct argp_option both[sizeof option_table / sizeof option_table[0]
                                   + sizeof rtl_table / sizeof rtl_table[0]];
    const struct argp argp = {
        both, parse, "--gpu=FILE|NAME --workload=FILE|NAME", record ? record_doc : doc, NULL,
        NULL, NULL
    };

    join(both, option_table, record ? record_table : rtl_table);
    *options = (struct run_options){ .interval = STANDARD_INTERVAL, .record = record };
    arguments_parse(&argp, argc, argv, options);
}
