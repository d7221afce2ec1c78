/* gpusched-unit - one scheduling unit at a time: its ports, vectors and lockstep. */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "base/standard_output.h"
#include "lockstep/lockstep.h"
#include "lockstep/sizes.h"
#include "lockstep/stimulus.h"
#include "lockstep/theirs/transactions.h"
#include "lockstep/vectors.h"
#include "tool/version.h"
#include "unit/ports.h"

enum { BAD_INPUT = 2, MAX_WORD = 40, MAX_UNIT = 64 };

static const char doc[] =
    "Runs one scheduling unit by itself.\n"
    "\n"
    "Commands:\n"
    "  ports      prints its port table\n"
    "  vectors    writes what goes into it and what must come out\n"
    "  lockstep   compares its golden model with its RTL, in every cycle\n"
    "  replay     replays a vector file on both\n"
    "  sizes      draws sets of parameters at random, a line each, for --sizes\n"
    "\v"
    "Examples:\n"
    "  gpusched-unit ports claso                      parameters, ports, registers\n"
    "  gpusched-unit lockstep claso N_CORE=15 N_KERNEL=4 \\\n"
    "      --cycles=10000 --seed=7                    RTL and model, every cycle\n"
    "  gpusched-unit lockstep icc --sizes=sizes.txt   all sizes of a file\n"
    "  gpusched-unit sizes icc --number=3 --seed=7    for such a file\n"
    "  gpusched-unit vectors claso -o claso.vec       for any simulator\n"
    "  gpusched-unit replay claso.vec                 does our RTL agree with it?\n"
    "\n"
    "Parameters that are not given have their standard value.\n"
    "\n"
    "Exit status: 0 done, 1 a difference, 2 bad input, or output that cannot be "
    "written.";

static const char arguments_doc[] = "ports UNIT [PARAM=VALUE...]\n"
                                    "vectors UNIT [PARAM=VALUE...] --output=FILE\n"
                                    "lockstep UNIT [PARAM=VALUE...]\n"
                                    "replay FILE\n"
                                    "sizes UNIT";

static const struct argp_option option_table[] = {
    { NULL, 0, NULL, 0, "What runs (vectors, lockstep):", 0 },
    { "cycles", 'c', "N", 0, "cycles to run; 100000 if not given", 0 },
    { "seed", 's', "N", 0, "of the stimulus, or of sizes; 1 if not given", 0 },
    { "number", 'n', "N", 0, "sizes: how many; 1 if not given", 0 },
    { "mode", 'm', "NAME", 0,
      "stimulus: idle, bursty, pressed, illegal, directed or mixed; mixed if not given, with "
      "--transactions bursty",
      0 },
    { "output", 'o', "FILE", 0, "vectors: where they go", 0 },
    { "stretch", 't', "N", 0,
      "cycles from a reset to the next; if not given, about 1000, and 100000 for one of four "
      "sizes",
      0 },
    { "complete", 'e', NULL, 0,
      "lockstep: fails if a directed sequence never comes to its end, an event is never met, "
      "or "
      "quiet or advance never asked for",
      0 },
    { "sizes", 'z', "FILE", 0,
      "lockstep: a line of parameters for each instance; of a file with sections, those of "
      "[sizes]",
      0 },
    { "transactions", 'x', NULL, 0,
      "lockstep, vectors: the same transfers in the same order, whatever the cycles; for a "
      "module with another latency",
      0 },
    { NULL, 0, NULL, 0, "RTL and model (lockstep, replay):", 0 },
    { "rtl", 'r', "FILE", 0,
      "a compiled RTL, or a folder of them, in place of the repository's", 0 },
    { "report", 'd', "DIR", 0, "folder for what a difference leaves; build/report if not given",
      0 },
    { "model", 'g', NULL, 0, "replay: on the golden model alone", 0 },
    { NULL, 0, NULL, 0, "The port table (ports):", 0 },
    { "format", 'f', "NAME", 0,
      "text, markdown, rtl, paths, module, bench, transactions-bench, systemverilog, "
      "dpi-bench, defines, derived or file; text if not given",
      0 },
    { 0 },
};

enum command { PORTS, VECTORS, LOCKSTEP, REPLAY, SIZES, COMMANDS };

struct unit_options {
    enum command command;
    const char *name;          /* a unit, or for replay a file */
    const char *const *params; /* PARAM=VALUE, then NULL */
    enum ports_format format;
    const char *mode; /* a kind of stimulus.h; NULL: the standard one */
    const char *output;
    const char *sizes;
    const char *rtl;
    const char *report;
    uint64_t cycles;
    uint64_t seed;
    uint64_t stretch;
    uint64_t number;
    bool complete;
    bool model_only;
    bool transactions;
};

static const char *program;
static const char standard_mode[] = "mixed";

/* ---- Command line -------------------------------------------------------------------- */

static uint64_t number(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || text[0] == '-') {
        argp_error(state, "--%s=%s: a whole number from 0 is allowed", option, text);
    }
    return value;
}

static enum ports_format format(const char *name)
{
    enum ports_format format;

    if (!ports_format_of(name, &format)) {
        fprintf(stderr, "%s: --format=%s: %s is allowed\n", program, name, ports_formats);
        exit(BAD_INPUT);
    }
    return format;
}

static enum command command_of(const char *name)
{
    static const char *const names[COMMANDS] = { "ports", "vectors", "lockstep", "replay",
                                                 "sizes" };

    for (int command = 0; command < COMMANDS; command++) {
        if (strcmp(names[command], name) == 0) {
            return (enum command)command;
        }
    }
    fprintf(stderr, "%s: no command %s; there are: ports, vectors, lockstep, replay, sizes\n",
            program, name);
    exit(BAD_INPUT);
}

/* What is no option: a command, a unit or a file, parameters. */
static void take_words(struct argp_state *state, struct unit_options *options)
{
    char **const words = state->argv + state->next;
    const int n = state->argc - state->next;

    if (n > MAX_WORD) {
        argp_error(state, "%s: at most %d words are allowed", words[MAX_WORD], MAX_WORD);
    }
    if (n < 2) {
        argp_error(state, "a command and a unit (or a file) are needed");
    }
    options->command = command_of(words[0]);
    options->name = words[1];
    options->params = (const char *const *)(words + 2);
}

/* Where the text of an option goes; NULL: it has none. */
static const char **text_of(struct unit_options *options, int key)
{
    switch (key) {
    case 'm':
        return &options->mode;
    case 'o':
        return &options->output;
    case 'z':
        return &options->sizes;
    case 'r':
        return &options->rtl;
    case 'd':
        return &options->report;
    default:
        return NULL;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct unit_options *const options = state->input;
    const char **const text = text_of(options, key);

    if (text != NULL) {
        *text = argument;
        return 0;
    }
    switch (key) {
    case 'f':
        options->format = format(argument);
        return 0;
    case 'c':
        options->cycles = number(state, "cycles", argument);
        return 0;
    case 's':
        options->seed = number(state, "seed", argument);
        return 0;
    case 'n':
        options->number = number(state, "number", argument);
        return 0;
    case 't':
        options->stretch = number(state, "stretch", argument);
        return 0;
    case 'e':
        options->complete = true;
        return 0;
    case 'x':
        options->transactions = true;
        return 0;
    case 'g':
        options->model_only = true;
        return 0;
    case ARGP_KEY_ARGS:
    case ARGP_KEY_NO_ARGS:
        take_words(state, options);
        if (options->transactions
            && ((options->command != LOCKSTEP && options->command != VECTORS)
                || options->complete || options->report != NULL)) {
            argp_error(state, "--transactions: allowed with lockstep and vectors, without "
                              "--complete and --report");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Commands ------------------------------------------------------------------------ */

static struct unit *open_unit(const char *name, const char *const *params)
{
    struct fault fault;
    struct unit *const unit = unit_open(name, params, &fault);

    if (unit == NULL) {
        fprintf(stderr, "%s: %s\n", program, fault_text(&fault));
    }
    return unit;
}

static int run_ports(const struct unit_options *options)
{
    struct unit *const unit = open_unit(options->name, options->params);

    if (unit == NULL) {
        return BAD_INPUT;
    }
    ports_print(unit, options->format);
    unit_close(unit);
    return 0;
}

static bool write_vectors(const struct unit_options *options, struct unit *unit,
                          struct stimulus *stimulus)
{
    struct vector_writer *const writer = vector_writer_open(unit, options->output);

    for (uint64_t cycle = 0u; writer != NULL && cycle < options->cycles; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        vector_write(writer, reset);
        unit_edge(unit, reset);
    }
    return writer != NULL && vector_writer_close(writer);
}

/* Vectors of cycles. */
static int run_cycles(const struct unit_options *options, struct unit *unit)
{
    errno = 0;
    const char *const mode = options->mode != NULL ? options->mode : standard_mode;
    struct stimulus *const stimulus = stimulus_open(unit, mode, options->seed);
    int status = BAD_INPUT;

    if (stimulus != NULL) {
        stimulus_stretch(stimulus, options->stretch);
        status = write_vectors(options, unit, stimulus) ? 0 : BAD_INPUT;
    } else if (errno == ENOMEM) {
        fprintf(stderr, "%s: no memory for the stimulus\n", program);
    } else {
        fprintf(stderr, "%s: --mode=%s: %s is allowed\n", program, mode, stimulus_kinds);
    }
    stimulus_close(stimulus);
    return status;
}

static struct lockstep_options run_options(const struct unit_options *options)
{
    const char *const standard = options->transactions ? "bursty" : standard_mode;

    return (struct lockstep_options){
        .library = options->rtl,
        .kind = options->mode != NULL ? options->mode : standard,
        .seed = options->seed,
        .cycles = options->cycles,
        .stretch = options->stretch,
        .complete = options->complete,
        .report = options->report != NULL ? options->report : places_reports(),
        .program = program,
    };
}

static int run_vectors(const struct unit_options *options)
{
    const struct lockstep_options transactions = run_options(options);
    int status = BAD_INPUT;

    if (options->output == NULL) {
        fprintf(stderr, "%s: vectors needs --output=FILE\n", program);
        return BAD_INPUT;
    }
    struct unit *const unit = open_unit(options->name, options->params);
    if (unit != NULL && options->transactions) {
        status = transactions_write(unit, &transactions, options->output) ? 0 : BAD_INPUT;
    } else if (unit != NULL) {
        status = run_cycles(options, unit);
    }
    unit_close(unit);
    return status;
}

/*
 * Opens a unit for each line of options->sizes, and in a file of sections for each line of
 * [sizes]; n is how many. False if one cannot be.
 */
static bool open_sizes(const struct unit_options *options, struct unit **units, uint32_t *n)
{
    FILE *const file = fopen(options->sizes, "r");
    char line[1024];
    struct fault fault;
    uint32_t number = 0u;
    bool wanted = true;
    bool ok = file != NULL;

    if (file == NULL) {
        fprintf(stderr, "%s: %s: cannot be read: %s\n", program, options->sizes,
                strerror(errno));
        return false;
    }
    while (ok && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (line[0] == '[') {
            wanted = strcmp(line, "[sizes]\n") == 0;
            continue;
        }
        if (!wanted || line[0] == '#' || line[0] == '\n') {
            continue;
        }
        units[*n] = unit_open_text(options->name, line, &fault);
        ok = units[*n] != NULL && *n + 1u < MAX_UNIT;
        if (!ok) {
            fprintf(stderr, "%s: %s:%" PRIu32 ": %s\n", program, options->sizes, number,
                    units[*n] == NULL ? fault_text(&fault)
                                      : "no more than 63 sizes are allowed");
        }
        *n += units[*n] != NULL;
    }
    fclose(file);
    if (ok && *n == 0u) {
        fprintf(stderr, "%s: %s: no sizes are in it\n", program, options->sizes);
        ok = false;
    }
    return ok;
}

static int run_transactions(struct unit *const *units, uint32_t n,
                            const struct lockstep_options *options)
{
    int status = 0;

    for (uint32_t i = 0u; i < n && status == 0; i++) {
        status = transactions_run(units[i], options);
    }
    return status;
}

static int run_lockstep(const struct unit_options *options)
{
    const struct lockstep_options lockstep = run_options(options);
    struct unit *units[MAX_UNIT] = { NULL };
    uint32_t n = 0u;
    bool ok;

    if (options->sizes != NULL) {
        ok = open_sizes(options, units, &n);
    } else {
        units[0] = open_unit(options->name, options->params);
        ok = units[0] != NULL;
        n = ok;
    }
    const int status = !ok                     ? BAD_INPUT
                       : options->transactions ? run_transactions(units, n, &lockstep)
                                               : lockstep_run(units, n, &lockstep);
    for (uint32_t i = 0u; i < n; i++) {
        unit_close(units[i]);
    }
    return status;
}

static int run_replay(const struct unit_options *options)
{
    return lockstep_replay(&(struct replay_options){
        .vectors = options->name,
        .library = options->rtl,
        .model_only = options->model_only,
    });
}

static int run_sizes(const struct unit_options *options)
{
    struct fault fault;
    char title[UNIT_TITLE];
    uint64_t random = options->seed;

    for (uint64_t i = 0u; i < options->number; i++) {
        struct unit *const unit = sizes_draw(options->name, &random, &fault);
        if (unit == NULL) {
            fprintf(stderr, "%s: %s\n", program, fault_text(&fault));
            return BAD_INPUT;
        }
        unit_title(unit, title);
        printf("%s\n", title + strlen(unit->type->name) + 1u);
        unit_close(unit);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        option_table, parse, arguments_doc, doc, NULL, NULL, NULL
    };
    static int (*const commands[COMMANDS])(const struct unit_options *options) = {
        [PORTS] = run_ports,   [VECTORS] = run_vectors, [LOCKSTEP] = run_lockstep,
        [REPLAY] = run_replay, [SIZES] = run_sizes,
    };
    struct unit_options options = {
        .format = PORTS_TEXT,
        .cycles = 100000u,
        .seed = 1u,
        .number = 1u,
    };

    program = argv[0];
    standard_output_check("gpusched-unit");
    argp_program_version = "gpusched-unit " GPUSCHED_VERSION;
    argp_err_exit_status = BAD_INPUT;
    /* Room for the longest options; without the remark that short options take values too. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note,header-col=0,opt-doc-col=29", 0);
    if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0) {
        fprintf(stderr, "%s: no memory for the command line\n", program);
        return BAD_INPUT;
    }
    return commands[options.command](&options);
}
