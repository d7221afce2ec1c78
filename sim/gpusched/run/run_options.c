/* run_options - the command line of `gpusched run`; see run_options.h. */

#include "gpusched/run/run_options.h"

#include <argp.h>
#include <inttypes.h>
#include <string.h>

#include "base/places.h"
#include "gpusched/result/naive.h"
#include "gpusched/run/machine_parse.h"
#include "gpusched/workload/kernel_argument.h"
#include "tool/arguments.h"
#include "workloads/kit_run.h"

enum { STANDARD_INTERVAL = 1000, HIGHEST_INTERVAL = 1000000000, HIGHEST_THREADS = 1024 };

enum {
    KEY_TIMELINE = 256,
    KEY_SERIES,
    KEY_SERIES_SM,
    KEY_NAIVE,
    KEY_SIZE,
    KEY_GRAPH,
    KEY_FUNCTIONAL,
    KEY_ALONE,
    KEY_CHECK,
    KEY_FOOTPRINT,
    KEY_RTL,
    KEY_UNITS,
    KEY_RTL_FILE,
    KEY_RTL_THREADS,
    KEY_UNIT,
    KEY_VECTORS,
};

static const char doc[] =
    "Runs a workload on a GPU and says where its cycles went."
    "\v"
    "Examples:\n"
    "  gpusched run --gpu m2090 --workload stream     where the cycles went\n"
    "  gpusched run -g m2090 -w hotspot --size=medium \\\n"
    "      -o out --timeline --series=500             files for Perfetto and plots\n"
    "  gpusched run -g my.yaml -w my-workload.yaml \\\n"
    "      --scheduler=lrr --set l1.ways=8            your own, with changes\n"
    "  gpusched run -w hotspot --functional           is it right? without timing\n"
    "  gpusched run -g c2050 -w hotspot --rtl=shadow  RTL beside it, compared\n"
    "  gpusched run -g m2090 --ptx saxpy.ptx --kernel saxpy --grid 8 --block 128 \\\n"
    "      --arg i32:3 --arg buf:4000:iota32 --arg buf:4000 --arg i32:1000 \\\n"
    "      --dynamic-shared 512 --save 2=y.bin        a kernel of your own\n"
    "\n"
    "With -o come result.json, the same bytes for the same run, and host.json, what it cost "
    "here. timeline.json opens in ui.perfetto.dev. docs/results-format.md explains the files.\n"
    "\n"
    "Exit status: 0 done, 1 a failed check or a hang (statistics are written all the same), "
    "2 bad input, or output that cannot be written (no file is left half).";

static const struct argp_option option_table[] = {
#include "gpusched/run/run_options.def"
    { NULL, 0, NULL, 0, "RTL beside the model:", 0 },
    { "rtl", KEY_RTL, "off|shadow|drive", 0,
      "shadow: the model drives the GPU and RTL is compared, in every cycle; drive: RTL drives "
      "it and the model is compared; off if not given",
      0 },
    { "units", KEY_UNITS, "UNIT,...", 0,
      "whose RTL: those that `gpusched list units` has, or all, which is those that the GPU's "
      "configuration uses; all if not given",
      0 },
    { "rtl-file", KEY_RTL_FILE, "FILE|FOLDER", 0,
      "a compiled RTL of the one unit, in place of ours; or a folder that has those of all "
      "units",
      0 },
    { "rtl-threads", KEY_RTL_THREADS, "N", 0,
      "at most so many threads run RTL in the shadow, and the run's own helps; one a processor "
      "but the run's if not given",
      0 },
    HELP_OPTION,
    { 0 },
};

static const char record_doc[] =
    "Runs a workload on a GPU, and writes what goes into one of its units and what comes "
    "out, for any simulator: docs/conformance.md. Cycles that change nothing in the unit "
    "are left out."
    "\v"
    "Examples:\n"
    "  gpusched record -g c2050 -w hotspot \\\n"
    "      --unit=cta_scheduler --vectors=cta.vec     from a CUDA program\n"
    "  gpusched record -g c2050 -w hotspot --unit=claso \\\n"
    "      --vectors=claso.vec -s claso.active_levels=1  with credits in use\n"
    "  gpusched record -g my.yaml -w my-workload.yaml \\\n"
    "      --unit=work_distributor --vectors=wd.vec   from your own\n"
    "\n"
    "gpusched-unit replay FILE compares such a file with RTL and golden model.\n"
    "\n"
    "Exit status: 0 done, 1 a failed check or a hang, 2 bad input, or output that cannot be "
    "written.";

static const struct argp_option record_table[] = {
#include "gpusched/run/run_options.def"
    { NULL, 0, NULL, 0, "The vectors:", 0 },
    { "unit", KEY_UNIT, "UNIT", 0,
      "whose they are: one of `gpusched list units`, the first of several such units; the "
      "GPU's configuration must use it",
      0 },
    { "vectors", KEY_VECTORS, "FILE", 0, "where they go", 0 },
    HELP_OPTION,
    { 0 },
};

/* Without timing these say what a program may do. */
static void check_functional_set(const char *set)
{
    static const char *const keys[] = { "cdp.depth=", "cdp.pending=", "limit.instructions=" };
    bool one = false;

    for (size_t k = 0u; k < sizeof keys / sizeof keys[0]; k++) {
        one = one || strncmp(set, keys[k], strlen(keys[k])) == 0;
    }
    if (!one) {
        bad_input(
            "run",
            "--functional takes no time, so it goes without --set=%s; allowed: cdp.depth, "
            "cdp.pending and limit.instructions",
            set);
    }
}

static void check_functional(const struct run_options *options)
{
    const struct machine_options *const machine = &options->machine;

    for (uint32_t k = 0u; k < machine->n_set; k++) {
        check_functional_set(machine->set[k]);
    }
    if (options->folder != NULL || machine->scheduler != NULL || options->mode != 0u
        || options->alone) {
        bad_input("run", "--functional takes no time, so it goes without %s",
                  options->folder != NULL      ? "-o"
                  : machine->scheduler != NULL ? "--scheduler"
                  : options->alone             ? "--alone"
                                               : "--naive");
    }
}

static const char *command(const struct run_options *options)
{
    return options->record ? "record" : "run";
}

static uint32_t count_units(const struct rtl_options *rtl)
{
    return rtl_units_count(rtl->units);
}

static void check_rtl(struct run_options *options)
{
    struct rtl_options *const rtl = &options->rtl;

    if (options->record) {
        if (count_units(rtl) != 1u || rtl->vectors == NULL) {
            bad_input("record", "--unit=NAME and --vectors=FILE are needed: whose vectors, and "
                                "where they go");
        }
        if (options->functional) {
            bad_input("record", "--functional takes no time, so it has no vectors");
        }
        return;
    }
    if (rtl->threads != 0u && rtl->mode != RTL_SHADOW) {
        bad_input("run", "--rtl-threads needs --rtl=shadow");
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
        rtl->units = rtl_units_all();
        rtl->active = true;
    }
    rtl->every = (options->mode & GPU_STEP_ALL) != 0u;
    if (rtl->library != NULL && count_units(rtl) != 1u && !places_is_folder(rtl->library)) {
        bad_input("run",
                  "--rtl-file is for one unit, unless it is a folder; --units names %" PRIu32,
                  count_units(rtl));
    }
}

static void check(struct run_options *options)
{
    if (options->machine.gpu == NULL && !options->functional) {
        bad_input("run", "--gpu=GPU|FILE is missing; gpusched list gpus shows names");
    }
    if (options->workload.name == NULL && options->workload.ptx.file == NULL
        && options->workload.ptx.given == NULL) {
        bad_input("run",
                  "--workload=WORKLOAD|FILE is missing; gpusched list workloads shows names");
    }
    if (options->workload.name != NULL && options->workload.ptx.file != NULL) {
        bad_input("run", "--workload and --ptx: one of them is allowed");
    }
    if (options->alone
        && (options->workload.name == NULL || strchr(options->workload.name, '+') == NULL)) {
        bad_input("run", "--alone is for several workloads: -w hotspot+bfs");
    }
    ptx_options_check(&options->workload.ptx);
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
    char names[WORKLOAD_SIZE_NAMES];

    if (!workload_size_named(argument, &options->workload.size)) {
        bad_input("run", "--size=%s: allowed: %s", argument, workload_size_names(NULL, names));
    }
    options->workload.size_given = true;
}

static void add_naive(struct run_options *options, const char *argument)
{
    struct fault fault;

    if (!naive_parse(argument == NULL ? "all" : argument, &options->mode, &fault)) {
        bad_input("run", "%s", fault_text(&fault));
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
        return ptx_options_parse(key, argument, &options->workload.ptx);
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
    struct fault fault;

    switch (key) {
    case KEY_RTL:
        set_rtl_mode(rtl, argument);
        return 0;
    case KEY_UNITS:
    case KEY_UNIT:
        if (!rtl_units_parse(argument, &rtl->units, &rtl->active, &fault)) {
            bad_input(command(options), "--%s=%s", key == KEY_UNIT ? "unit" : "units",
                      fault_text(&fault));
        }
        return 0;
    case KEY_RTL_FILE:
        rtl->library = argument;
        return 0;
    case KEY_RTL_THREADS:
        rtl->threads =
            (uint32_t)whole_number("run", "--rtl-threads", argument, 1u, HIGHEST_THREADS);
        return 0;
    case KEY_VECTORS:
        rtl->vectors = argument;
        return 0;
    default:
        return parse_samples(key, argument, options);
    }
}

static error_t parse_machine(int key, const char *argument, struct run_options *options)
{
    const error_t taken = machine_parse(command(options), key, argument, &options->machine);

    return taken == ARGP_ERR_UNKNOWN ? parse_rtl(key, argument, options) : taken;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *const options = state->input;

    switch (key) {
    case 'w':
        options->workload.name = argument;
        options->workload.several = true;
        return 0;
    case KEY_SIZE:
        set_size(options, argument);
        return 0;
    case KEY_GRAPH:
        options->workload.graph = argument;
        return 0;
    case KEY_ALONE:
        options->alone = true;
        return 0;
    case KEY_FUNCTIONAL:
        options->functional = true;
        return 0;
    case KEY_CHECK:
        options->workload.check = true;
        return 0;
    case KEY_FOOTPRINT:
        options->workload.footprint = true;
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
        return parse_machine(key, argument, options);
    }
}

const struct argp run_argp = { option_table, parse, "--gpu=GPU|FILE --workload=WORKLOAD|FILE",
                               doc,          NULL,  NULL,
                               NULL };
const struct argp record_argp = {
    record_table, parse, "--gpu=GPU|FILE --workload=WORKLOAD|FILE --unit=UNIT --vectors=FILE",
    record_doc,   NULL,  NULL,
    NULL
};

void run_options_parse(struct run_options *options, bool record, int argc, char **argv)
{
    *options = (struct run_options){ .interval = STANDARD_INTERVAL, .record = record };
    arguments_parse(record ? &record_argp : &run_argp, argc, argv, options);
}
