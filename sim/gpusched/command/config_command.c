/* config_command - the parameters of GPUs; see config_command.h. */

#include "gpusched/command/config_command.h"

#include <argp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"
#include "gpusched/run/machine_parse.h"
#include "tool/arguments.h"

static const char doc[] =
    "Shows, explains and checks the parameters of GPUs."
    "\v"
    "Examples:\n"
    "  gpusched config show m2090                     its parameters\n"
    "  gpusched config show m2090 --sources           where its values come from\n"
    "  gpusched config show m2090 --sources \\\n"
    "      > my.yaml                                  a file to start from\n"
    "  gpusched config show m2090 \\\n"
    "      --scheduler=claso --set l1.ways=8          with changes\n"
    "  gpusched config keys                           what each parameter means\n"
    "  gpusched config check my.yaml                  is it a possible GPU?\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

enum { KEY_SOURCES = 512 };

static const struct argp_option option_table[] = {
    { "gpu", KEY_GPU, "GPU|FILE", 0, "show: a configuration; gpusched list gpus shows names",
      0 },
    { "scheduler", KEY_SCHEDULER, "SCHEDULER,...|FILE", 0,
      "show: replaces the GPU's scheduling; gpusched list schedulers shows names", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0, "show: changes the configuration: sm.count=16", 0 },
    { "sources", KEY_SOURCES, NULL, 0, "show: where each value comes from", 0 },
    { "format", 'f', "text|markdown", 0, "keys: text if not given", 0 },
    HELP_OPTION,
    { 0 },
};

enum config_word { NO_WORD, SHOW, KEYS, LIST, CHECK };
static const char *const word_names[] = { NULL, "show", "keys", "list", "check", NULL };

struct config_options {
    enum config_word word;
    struct machine_options machine;
    enum text_format format;
    bool sources;
    char **files; /* what follows the word */
    int n_file;
};

static enum config_word word_of(const char *name)
{
    for (int word = SHOW; word_names[word] != NULL; word++) {
        if (strcmp(word_names[word], name) == 0) {
            return (enum config_word)word;
        }
    }
    bad_input("config", "%s: no such word; there are: show, keys, list, check", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct config_options *const options = state->input;

    switch (key) {
    case KEY_SOURCES:
        options->sources = true;
        return 0;
    case 'f':
        options->format = text_format_of("config", argument);
        return 0;
    case ARGP_KEY_ARGS:
        options->word = word_of(state->argv[state->next]);
        options->files = state->argv + state->next + 1;
        options->n_file = state->argc - state->next - 1;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("config", option_table, state);
    default:
        return machine_parse("config", key, argument, &options->machine);
    }
}

/* ---- show ---------------------------------------------------------------------------- */

static int print(const struct config_options *options, const struct machine_options *machine,
                 const struct gpu_config *config)
{
    struct gpu_source sources[GPU_KEYS];
    struct fault fault;
    uint32_t open;

    if (!machine_options_sources(machine, config, sources, &open, &fault)) {
        bad_input("config", "%s", fault_text(&fault));
    }
    printf("# %" PRIu32 " of %d values are not calibrated: they follow no public source%s.\n\n",
           open, GPU_KEYS, options->sources ? "" : "; --sources shows which");
    gpu_config_print(config, options->sources ? sources : NULL, stdout);
    return 0;
}

/* Nothing is printed unless all of it is right. */
static int show(const struct config_options *options)
{
    static const char *const what[] = { [MACHINE_BAD_GPU] = "",
                                        [MACHINE_BAD_SCHEDULER] = "--scheduler: ",
                                        [MACHINE_BAD_SET] = "--set: ",
                                        [MACHINE_BAD_VALUE] = "" };
    struct machine_options machine = options->machine;
    struct gpu_config config;
    struct fault fault;

    if (options->n_file > 1 || (options->n_file == 1 && machine.gpu != NULL)) {
        bad_input("config", "show: %s: one configuration is allowed",
                  options->files[options->n_file - 1]);
    }
    if (options->n_file == 1) {
        machine.gpu = options->files[0];
    }
    const enum machine_fault bad = machine_options_config(&machine, &config, &fault);
    if (bad != MACHINE_GOOD) {
        bad_input("config", "%s%s", what[bad], fault_text(&fault));
    }
    return print(options, &machine, &config);
}

/* ---- keys, list and check ------------------------------------------------------------ */

static void print_keys(void)
{
    const struct gpu_config standard = gpu_config_standard();
    const char *section = "";
    char value[32];
    char allowed[128];

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        const struct gpu_key *const key = &gpu_keys[i];
        char name[64];
        if (strcmp(key->section, section) != 0) {
            section = key->section;
            printf("%s", i == 0u ? "" : "\n");
        }
        snprintf(name, sizeof name, "%s.%s", key->section, key->key);
        printf("%-26s %-12s %s%s%s\n", name,
               gpu_config_value(&standard, key, value, sizeof value),
               gpu_key_allowed(key, allowed, sizeof allowed),
               key->meaning[0] == '\0' ? "" : "; ", key->meaning);
    }
}

static int keys(const struct config_options *options)
{
    if (options->format == TEXT_MARKDOWN) {
        gpu_config_table(stdout);
    } else {
        print_keys();
    }
    return 0;
}

static int list(void)
{
    char names[4096];
    char *rest = NULL;

    gpu_config_names(names, sizeof names);
    for (const char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        puts(name);
    }
    return 0;
}

static int check(const struct config_options *options)
{
    struct gpu_config config;
    struct fault fault;
    int status = 0;

    if (options->n_file == 0) {
        bad_input("config", "check: a file is needed");
    }
    for (int i = 0; i < options->n_file; i++) {
        if (gpu_config_load(options->files[i], &config, &fault)) {
            printf("%s: ok\n", options->files[i]);
        } else {
            fprintf(stderr, "%s\n", fault_text(&fault));
            status = BAD_INPUT;
        }
    }
    return status;
}

/* An option that the word does not use is an error, and so is what follows the word. */
static void refuse_others(const struct config_options *options, bool gpu, bool format,
                          bool files)
{
    const struct machine_options *const machine = &options->machine;
    const char *const word = word_names[options->word];

    if (!gpu
        && (machine->gpu != NULL || machine->scheduler != NULL || machine->n_set > 0u
            || options->sources)) {
        bad_input("config", "%s: --gpu, --scheduler, --set and --sources are for show", word);
    }
    if (!format && options->format != TEXT_NOT_GIVEN) {
        bad_input("config", "%s: --format is for keys", word);
    }
    if (!files && options->n_file > 0) {
        bad_input("config", "%s: %s: only options are allowed", word, options->files[0]);
    }
}

static const char words[] = "show [GPU|FILE]\nkeys\nlist\ncheck FILE...";

static const struct argp argp = { option_table, parse, words, doc, NULL, NULL, NULL };

static int config(int argc, char **argv)
{
    struct config_options options = { .word = NO_WORD };

    arguments_parse(&argp, argc, argv, &options);
    switch (options.word) {
    case SHOW:
        refuse_others(&options, true, false, true);
        return show(&options);
    case KEYS:
        refuse_others(&options, false, true, false);
        return keys(&options);
    case LIST:
        refuse_others(&options, false, false, false);
        return list();
    case CHECK:
        refuse_others(&options, false, false, true);
        return check(&options);
    default:
        bad_input("config", "a word is needed: show, keys, list, check");
    }
}

const struct command config_command = {
    .name = "config",
    .title = "shows, explains and checks the parameters of GPUs",
    .argp = &argp,
    .run = config,
};
