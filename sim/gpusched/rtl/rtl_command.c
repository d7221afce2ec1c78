/* rtl_command - another's Verilog in the place of a unit's; see rtl_command.h. */

#include "gpusched/rtl/rtl_command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "gpusched/run/machine_parse.h"
#include "gpusched/run/rtl_peer.h"
#include "lockstep/rtl.h"
#include "lockstep/theirs/rtl_theirs.h"
#include "tool/arguments.h"

enum { PATH = 4096 };

static const char doc[] =
    "Builds a library of your own Verilog of a unit, which runs and lockstep compare with the "
    "unit's golden model. The module has the unit's name, parameters and ports; its registers "
    "may be others: those with the names and shapes of the unit's are compared as well."
    "\v"
    "Examples:\n"
    "  gpusched rtl list --gpu c2050                  a GPU's units and sizes\n"
    "  gpusched rtl build mine/claso.v -u claso \\\n"
    "      --gpu c2050                                for a run on this GPU\n"
    "  gpusched run -g c2050 -w hotspot --rtl=shadow --units=claso \\\n"
    "      --rtl-file=claso.so                        beside a kernel\n"
    "  gpusched rtl build mine/icc.v -u icc N_SM=3 \\\n"
    "      -o icc.so                                  of a size, for gpusched-unit\n"
    "\n"
    "docs/lockstep.md says what is compared.\n"
    "\n"
    "Exit status: 0 done, 2 bad input, such as a port that is missing or has another width; "
    "then no library is written.";

enum key { KEY_PORTS_ONLY = 1024 };

static const struct argp_option option_table[] = {
    { "unit", 'u', "UNIT", 0, "build: the unit whose ports the module has", 0 },
    { "gpu", KEY_GPU, "GPU|FILE", 0,
      "the unit's size is the one on this GPU; gpusched list gpus shows names", 0 },
    { "scheduler", KEY_SCHEDULER, "SCHEDULER,...|FILE", 0,
      "replaces the GPU's scheduling; gpusched list schedulers shows names", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0, "changes the configuration: sm.count=16", 0 },
    { "output", 'o', "FILE", 0,
      "build: the library; the first file's name with .so, in this folder, if not given", 0 },
    { "include", 'I', "DIR", 0,
      "build: where else its modules and included files are; may be given again", 0 },
    { "ports-only", KEY_PORTS_ONLY, NULL, 0,
      "build: no registers are compared, whatever their names are", 0 },
    HELP_OPTION,
    { 0 },
};

enum rtl_word { NO_WORD, BUILD, LIST };

struct rtl_command_options {
    enum rtl_word word;
    struct machine_options machine;
    const char *unit;
    const char *params[RTL_THEIRS_FILES + 1]; /* PARAM=VALUE, then NULL */
    uint32_t n_param;
    struct rtl_theirs theirs;
    char library[PATH]; /* its name, if none is given */
};

/* ---- Command line -------------------------------------------------------------------- */

/* "N_CORE=3" is a parameter; a file may have a = in its name behind a slash. */
static bool is_param(const char *word)
{
    const char *const equals = strchr(word, '=');

    return equals != NULL && memchr(word, '/', (size_t)(equals - word)) == NULL;
}

static void take_words(struct argp_state *state, struct rtl_command_options *options)
{
    const char *const word = state->argv[state->next];
    struct rtl_theirs *const theirs = &options->theirs;

    options->word = strcmp(word, "build") == 0  ? BUILD
                    : strcmp(word, "list") == 0 ? LIST
                                                : NO_WORD;
    if (options->word == NO_WORD) {
        bad_input("rtl", "%s: no such word; there are: build, list", word);
    }
    if (state->argc - state->next > RTL_THEIRS_FILES) {
        bad_input("rtl", "at most %d files and parameters are allowed", RTL_THEIRS_FILES - 1);
    }
    for (int i = state->next + 1; i < state->argc; i++) {
        if (is_param(state->argv[i])) {
            options->params[options->n_param++] = state->argv[i];
        } else {
            theirs->files[theirs->n_file++] = state->argv[i];
        }
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct rtl_command_options *const options = state->input;

    switch (key) {
    case 'u':
        options->unit = argument;
        return 0;
    case 'o':
        options->theirs.library = argument;
        return 0;
    case 'I':
        if (options->theirs.n_folder == RTL_THEIRS_FILES) {
            bad_input("rtl", "--include: at most %d folders are allowed", RTL_THEIRS_FILES);
        }
        options->theirs.folders[options->theirs.n_folder++] = argument;
        return 0;
    case KEY_PORTS_ONLY:
        options->theirs.ports_only = true;
        return 0;
    case ARGP_KEY_ARGS:
        take_words(state, options);
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("rtl", option_table, state);
    default:
        return machine_parse("rtl", key, argument, &options->machine);
    }
}

static bool has_machine(const struct machine_options *machine)
{
    return machine->gpu != NULL || machine->scheduler != NULL || machine->n_set > 0u;
}

static void read_config(const struct machine_options *machine, struct gpu_config *config)
{
    struct fault fault;

    if (machine_options_config(machine, config, &fault) != MACHINE_GOOD) {
        bad_input("rtl", "%s", fault_text(&fault));
    }
}

/* ---- list ---------------------------------------------------------------------------- */

static int list(const struct rtl_command_options *options)
{
    struct gpu_config config;
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);
    char title[UNIT_TITLE];

    if (options->theirs.n_file + options->n_param + options->theirs.n_folder > 0u
        || options->unit != NULL || options->theirs.library != NULL
        || options->theirs.ports_only) {
        bad_input("rtl", "list: only --gpu, --scheduler and --set are allowed");
    }
    read_config(&options->machine, &config);
    for (uint32_t k = 0u; k < n; k++) {
        const bool active = gpu_unit_active(&units[k], &config);
        if (gpu_unit_row(units[k].type, &config) != k) {
            continue;
        }
        if (!gpu_unit_there(&units[k], &config)) {
            printf("%-16s with --set %s\n", units[k].type->name, gpu_unit_needs(&units[k]));
            continue;
        }
        struct unit *const unit = rtl_unit_open(&units[k], &config);
        if (unit == NULL) {
            return BAD_INPUT;
        }
        printf("%-16s %s%s%s\n", units[k].type->name, strchr(unit_title(unit, title), ' ') + 1,
               active ? "" : "   in use with --set ", active ? "" : gpu_unit_needs(&units[k]));
        unit_close(unit);
    }
    return 0;
}

/* ---- build --------------------------------------------------------------------------- */

/* One of the units that a GPU has, if a GPU is given; otherwise any unit. */
static struct unit *open_unit(const struct rtl_command_options *options)
{
    struct gpu_config config;
    struct fault fault;
    struct gpu_unit units[GPU_MAX_UNITS];
    (void)gpu_units(units);
    uint32_t set = 0u;

    if (!has_machine(&options->machine)) {
        struct unit *const unit = unit_open(options->unit, options->params, &fault);
        if (unit == NULL) {
            bad_input("rtl", "%s", fault_text(&fault));
        }
        return unit;
    }
    if (options->n_param > 0u) {
        bad_input("rtl",
                  "%s: the GPU has the unit's parameters; allowed: without --gpu, "
                  "--scheduler and --set",
                  options->params[0]);
    }
    if (!rtl_units_add(options->unit, strlen(options->unit), &set)) {
        char known[RTL_UNITS_TEXT];
        bad_input("rtl", "--unit=%s: on a GPU %s is allowed", options->unit,
                  rtl_units_text(known));
    }
    read_config(&options->machine, &config);
    const struct gpu_unit *const first = &units[(uint32_t)__builtin_ctz(set)];
    const struct gpu_unit *const unit = &units[gpu_unit_row(first->type, &config)];
    if (!gpu_unit_there(unit, &config)) {
        bad_input("rtl", "%s: the GPU does not use it; allowed: with --set %s",
                  unit->type->name, gpu_unit_needs(unit));
    }
    return rtl_unit_open(unit, &config);
}

/* The library that is not named: of mine/claso.v, claso.so here. */
static void name_library(struct rtl_theirs *theirs, char text[PATH])
{
    const char *const slash = strrchr(theirs->files[0], '/');
    const char *const name = slash == NULL ? theirs->files[0] : slash + 1;
    const char *const dot = strrchr(name, '.');

    snprintf(text, PATH, "%.*s.so", (int)(dot == NULL ? strlen(name) : (size_t)(dot - name)),
             name);
    theirs->library = text;
}

/* What it is made of, and the commands that use it. */
static bool show(const struct rtl_command_options *options, const struct unit *unit)
{
    const struct machine_options *const machine = &options->machine;
    const char *const library = options->theirs.library;
    char title[UNIT_TITLE];
    char file[PATH];
    struct rtl *const rtl =
        rtl_find(unit, library, file, sizeof file) ? rtl_open(unit, file) : NULL;

    if (rtl == NULL) {
        return false;
    }
    printf("%s: %s\n  RTL      %s\n  compare  gpusched-unit lockstep %s --rtl=%s\n", library,
           unit_title(unit, title), rtl_source(rtl), title, library);
    rtl_close(rtl);
    if (!has_machine(machine)) {
        return true;
    }
    printf("  run      gpusched run");
    if (machine->gpu != NULL) {
        printf(" --gpu %s", machine->gpu);
    }
    if (machine->scheduler != NULL) {
        printf(" --scheduler=%s", machine->scheduler);
    }
    for (uint32_t i = 0u; i < machine->n_set; i++) {
        printf(" --set %s", machine->set[i]);
    }
    printf(" --workload hotspot --rtl=shadow --units=%s --rtl-file=%s\n", options->unit,
           library);
    return true;
}

static int build(struct rtl_command_options *options)
{
    if (options->theirs.n_file == 0u) {
        bad_input("rtl", "build: a file of Verilog is needed");
    }
    if (options->unit == NULL) {
        bad_input("rtl", "build: --unit is needed");
    }
    if (options->theirs.library == NULL) {
        name_library(&options->theirs, options->library);
    }
    struct unit *const unit = open_unit(options);
    const bool good =
        unit != NULL && rtl_theirs_build(unit, &options->theirs) && show(options, unit);
    unit_close(unit);
    return good ? 0 : BAD_INPUT;
}

/* ---- The command --------------------------------------------------------------------- */

static const char words[] = "build FILE... [PARAM=VALUE...]\nlist";

static const struct argp argp = { option_table, parse, words, doc, NULL, NULL, NULL };

static int run(int argc, char **argv)
{
    struct rtl_command_options options = { .word = NO_WORD };

    arguments_parse(&argp, argc, argv, &options);
    switch (options.word) {
    case BUILD:
        return build(&options);
    case LIST:
        return list(&options);
    default:
        bad_input("rtl", "a word is needed: build, list");
    }
}

const struct command rtl_command = {
    .name = "rtl",
    .title = "your own Verilog in the place of a unit's",
    .argp = &argp,
    .run = run,
};
