/* sweep_options - the command line of `gpusched sweep`; see sweep_options.h. */

#include "gpusched/sweep/sweep_options.h"

#include <string.h>
#include <unistd.h>

#include "gpusched/run/machine_parse.h"
#include "tool/arguments.h"
#include "workloads/kit_run.h"

enum { LONGEST_TIMEOUT = 10000000 };

enum {
    KEY_OVER = 256,
    KEY_SIZE,
    KEY_FROM,
    KEY_TO,
    KEY_TIMEOUT,
    KEY_RETRY,
    KEY_REFRESH,
};

static const char doc[] =
    "Runs a workload with each number of CTAs that an SM may hold, or on each number of SMs, "
    "and says which number is the best and where the schedulers' cycles went. Begun again "
    "after whatever ended it, it goes on where it was."
    "\v"
    "Examples:\n"
    "  gpusched sweep hotspot -g m2090 --over=ctas    how many CTAs per SM\n"
    "  gpusched sweep hotspot -g onac32 --over=cores  how many SMs\n"
    "  gpusched sweep bfs -g m2090 --over=ctas \\\n"
    "      --scheduler=lrr -o lrr --jobs=2            with another scheduler\n"
    "\n"
    "The folder gets the experiment's file, its database, a line for each count (.csv) "
    "and a chart (.svg). docs/sweep.md says how the optimum and the type are found.\n"
    "\n"
    "Exit status: 0 all runs are done, 1 some failed, were aborted or are missing, 2 bad "
    "input, "
    "or output that cannot be written.";

static const struct argp_option option_table[] = {
    { NULL, 0, NULL, 0, "What runs, and on which GPU:", 0 },
    { "gpu", KEY_GPU, "GPU|FILE", 0, "a configuration; gpusched list gpus shows names", 0 },
    { "scheduler", KEY_SCHEDULER, "SCHEDULER,...|FILE", 0,
      "replaces the GPU's scheduling, before --set; gpusched list schedulers shows names", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0,
      "changes the configuration: l1.ways=8; gpusched config keys shows all", 0 },
    { "size", KEY_SIZE, "SIZE", 0,
      "of a CUDA workload: small if not given; gpusched list workloads shows which it has", 0 },
    { "over", KEY_OVER, "ctas|cores", 0,
      "ctas: CTAs that an SM may hold, up to those that fit; cores: SMs, the others gated", 0 },
    { "from", KEY_FROM, "N", 0, "the first count; 1 if not given", 0 },
    { "to", KEY_TO, "N", 0, "the last count; the most if not given", 0 },
    { NULL, 0, NULL, 0, "How it runs:", 0 },
    { "jobs", 'j', "N", 0, "runs at a time; as many as processors if not given", 0 },
    { "output", 'o', "DIR", 0,
      "folder of the files, made if it is not there; results if not given", 0 },
    { "timeout", KEY_TIMEOUT, "SECONDS", 0,
      "a run that takes longer has failed; no limit if not given", 0 },
    { "retry", KEY_RETRY, NULL, 0, "runs what failed once more", 0 },
    { "refresh", KEY_REFRESH, NULL, 0, "runs once more what another build of gpusched has run",
      0 },
    { "quiet", 'q', NULL, 0, "no progress and no summary", 0 },
    HELP_OPTION,
    { 0 },
};

static void set_over(struct sweep_options *options, const char *argument)
{
    if (strcmp(argument, "ctas") == 0) {
        options->over = SWEEP_OVER_CTAS;
    } else if (strcmp(argument, "cores") == 0) {
        options->over = SWEEP_OVER_CORES;
    } else {
        bad_input("sweep", "--over=%s: allowed: ctas, cores", argument);
    }
}

static void set_size(struct sweep_options *options, const char *argument)
{
    char names[WORKLOAD_SIZE_NAMES];

    if (!workload_size_named(argument, &options->workload.size)) {
        bad_input("sweep", "--size=%s: allowed: %s", argument,
                  workload_size_names(NULL, names));
    }
    options->workload.size_given = true;
}

static void check(const struct sweep_options *options)
{
    if (options->workload.name == NULL) {
        bad_input("sweep", "a workload is needed; gpusched list workloads shows names");
    }
    if (options->machine.gpu == NULL) {
        bad_input("sweep", "--gpu=GPU|FILE is missing; gpusched list gpus shows names");
    }
    if (options->over == SWEEP_OVER_NOTHING) {
        bad_input("sweep", "--over=ctas|cores is missing");
    }
    if (options->to != 0u && options->to < options->from) {
        bad_input("sweep", "--to=%u is less than --from=%u", options->to, options->from);
    }
}

static error_t parse_runs(int key, char *argument, struct sweep_options *options)
{
    switch (key) {
    case 'j':
        options->runs.jobs =
            (uint32_t)whole_number("sweep", "--jobs", argument, 1u, EXPERIMENT_JOBS);
        return 0;
    case KEY_TIMEOUT:
        options->runs.timeout =
            (double)whole_number("sweep", "--timeout", argument, 1u, LONGEST_TIMEOUT);
        return 0;
    case KEY_RETRY:
        options->runs.retry = true;
        return 0;
    case KEY_REFRESH:
        options->runs.refresh = true;
        return 0;
    case 'q':
        options->runs.quiet = true;
        return 0;
    default:
        return machine_parse("sweep", key, argument, &options->machine);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct sweep_options *const options = state->input;

    switch (key) {
    case KEY_OVER:
        set_over(options, argument);
        return 0;
    case KEY_SIZE:
        set_size(options, argument);
        return 0;
    case KEY_FROM:
        options->from = (uint32_t)whole_number("sweep", "--from", argument, 1u, GPU_MAX_SM);
        return 0;
    case KEY_TO:
        options->to = (uint32_t)whole_number("sweep", "--to", argument, 1u, GPU_MAX_SM);
        return 0;
    case 'o':
        options->folder = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (options->workload.name != NULL) {
            bad_input("sweep", "%s: one workload is allowed", argument);
        }
        options->workload.name = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("sweep", option_table, state);
    case ARGP_KEY_END:
        check(options);
        return 0;
    default:
        return parse_runs(key, argument, options);
    }
}

const struct argp sweep_argp = { option_table, parse, "WORKLOAD|FILE", doc, NULL, NULL, NULL };

void sweep_options_parse(struct sweep_options *options, int argc, char **argv)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *options = (struct sweep_options){
        .workload = { .size = SIZE_SMALL, .several = true },
        .from = 1u,
        .folder = "results",
        .runs = { .jobs = processors < 1 ? 1u : (uint32_t)processors },
    };
    arguments_parse(&sweep_argp, argc, argv, options);
}
