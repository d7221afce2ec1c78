/* list_command - tables of names; see list_command.h. */

#include "gpusched/command/list_command.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_scheduler.h"
#include "gpusched/experiment/grid/experiment.h"
#include "gpusched/run/rtl_peer.h"
#include "gpusched/workload/workload.h"
#include "tool/arguments.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

enum { NAMES = 4096, NAME = 22 };

static const char doc[] =
    "Shows what comes with the program."
    "\v"
    "Examples:\n"
    "  gpusched list workloads                        for gpusched run --workload\n"
    "  gpusched list gpus                             for gpusched run --gpu\n"
    "  gpusched list schedulers                       for gpusched run --scheduler\n"
    "  gpusched list experiments                      for gpusched experiment\n"
    "  gpusched list units                            for --units and --unit\n"
    "\n"
    "Parameters of GPUs are for gpusched config, figures for gpusched stats.\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    HELP_OPTION,
    { 0 },
};

enum list_kind {
    LIST_NOTHING,
    LIST_WORKLOADS,
    LIST_GPUS,
    LIST_SCHEDULERS,
    LIST_EXPERIMENTS,
    LIST_UNITS,
    LIST_KINDS
};

struct list_options {
    enum list_kind kind;
};

static enum list_kind kind_of(const char *name)
{
    static const char *const names[LIST_KINDS] = { NULL,         "workloads",   "gpus",
                                                   "schedulers", "experiments", "units" };

    for (int kind = LIST_NOTHING + 1; kind < LIST_KINDS; kind++) {
        if (strcmp(names[kind], name) == 0) {
            return (enum list_kind)kind;
        }
    }
    bad_input("list", "%s: workloads, gpus, schedulers, experiments or units is needed", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct list_options *const options = state->input;

    (void)argument;
    switch (key) {
    case ARGP_KEY_ARGS:
        if (state->argc - state->next > 1) {
            bad_input("list",
                      "%s: one of workloads, gpus, schedulers, experiments, units is allowed",
                      state->argv[state->next + 1]);
        }
        options->kind = kind_of(state->argv[state->next]);
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("list", option_table, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_name(void *self, const char *name, const char *title)
{
    (void)self;
    printf("  %-*s %s\n", NAME, name, title);
}

static void list_workloads(void)
{
    char sizes[WORKLOAD_SIZE_NAMES];

    puts("CUDA programs:");
    for (const struct cuda_workload *const *at = cuda_workloads; *at != NULL; at++) {
        printf("  %-*s %s\n", NAME, (*at)->name, (*at)->title);
        printf("  %-*s   from: %s\n", NAME, "", (*at)->source);
        printf("  %-*s   checked: %s\n", NAME, "", (*at)->check);
        printf("  %-*s   sizes: %s\n", NAME, "", workload_size_names(*at, sizes));
        for (const struct kit_registers *r = (*at)->registers; r != NULL && r->kernel != NULL;
             r++) {
            printf("  %-*s   registers: %s %" PRIu32 ", %s\n", NAME, "", r->kernel, r->count,
                   r->source);
        }
    }
    puts("\nDescribed kernels, timing alone:");
    synthetic_workloads(print_name, NULL);
}

static void list_gpus(void)
{
    char names[NAMES];
    struct fault fault;
    struct gpu_config config;

    gpu_config_names(names, sizeof names);
    printf("  %-*s %5s %10s %9s %12s\n", NAME, "name", "SMs", "core MHz", "L2 slices",
           "warps/SM");
    for (char *rest = names, *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        if (gpu_config_load(name, &config, &fault)) {
            printf("  %-*s %5" PRIu32 " %10" PRIu32 " %9" PRIu32 " %12" PRIu32 "\n", NAME, name,
                   config.sm.count, config.clock.core, config.l2.slices, config.sm.warp_slots);
        } else {
            bad_input("list", "%s", fault_text(&fault));
        }
    }
}

static void list_schedulers(void)
{
    char names[NAMES];
    struct fault fault;

    gpu_scheduler_names(names, sizeof names);
    for (char *rest = names, *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        struct gpu_scheduler *const scheduler = gpu_scheduler_load(name, &fault);
        if (scheduler == NULL) {
            bad_input("list", "%s", fault_text(&fault));
        }
        print_name(NULL, name, gpu_scheduler_title(scheduler));
        gpu_scheduler_free(scheduler);
    }
}

static void print_experiment(void *self, const char *name, const char *comment)
{
    struct experiment experiment;
    struct fault fault;

    (void)comment; /* says more than a line can */
    if (experiment_load(&experiment, name, &fault)) {
        print_name(self, name, experiment.title);
        experiment_free(&experiment);
    } else {
        bad_input("list", "%s", fault_text(&fault));
    }
}

static void list_experiments(void)
{
    experiment_names(print_experiment, NULL);
}

static void list_units(void)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);

    for (uint32_t k = 0u; k < n; k++) {
        if (gpu_unit_first(units, k)) {
            puts(units[k].type->name);
        }
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "workloads|gpus|schedulers|experiments|units",
    .doc = doc,
};

static int list(int argc, char **argv)
{
    static void (*const lists[LIST_KINDS])(void) = {
        [LIST_WORKLOADS] = list_workloads,   [LIST_GPUS] = list_gpus,
        [LIST_SCHEDULERS] = list_schedulers, [LIST_EXPERIMENTS] = list_experiments,
        [LIST_UNITS] = list_units,
    };
    struct list_options options = { .kind = LIST_NOTHING };

    arguments_parse(&argp, argc, argv, &options);
    if (options.kind == LIST_NOTHING) {
        bad_input("list", "workloads, gpus, schedulers, experiments or units is needed");
    }
    lists[options.kind]();
    return 0;
}

const struct command list_command = {
    .name = "list",
    .title = "shows workloads, GPUs, schedulers, experiments and units",
    .argp = &argp,
    .run = list,
};
