/* config_command - the parameters of GPUs; see config_command.h. */

#include "gpusched/command/config_command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_scheduler.h"
#include "tool/arguments.h"

enum { MOST_SETS = 256, KEY_SCHEDULER = 256 };

static const char doc[] =
    "Shows, explains and checks the parameters of GPUs."
    "\v"
    "Examples:\n"
    "  gpusched config list                           the names of GPUs\n"
    "  gpusched config show m2090                     its parameters\n"
    "  gpusched config show m2090 > my.yaml           a file to start from\n"
    "  gpusched config show m2090 \\\n"
    "      --scheduler=claso --set l1.ways=8          with changes\n"
    "  gpusched config keys                           what each parameter means\n"
    "  gpusched config check my.yaml                  is it a possible GPU?\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { "gpu", 'g', "GPU|FILE", 0, "show: a configuration; gpusched list gpus shows names", 0 },
    { "scheduler", KEY_SCHEDULER, "SCHEDULER,...|FILE", 0,
      "show: replaces the GPU's scheduling; gpusched list schedulers shows names", 0 },
    { "set", 's', "KEY=VALUE", 0, "show: changes the configuration: sm.count=16", 0 },
    { "format", 'f', "text|markdown", 0, "keys: text if not given", 0 },
    HELP_OPTION,
    { 0 },
};

struct options {
    const char *word;      /* what to do */
    const char *gpu;       /* NULL: the defaults */
    const char *scheduler; /* NULL: the GPU's own */
    const char *sets[MOST_SETS];
    uint32_t n_set;
    const char *format; /* NULL if not given */
    char **files;       /* what follows word */
    int n_file;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *const options = state->input;

    switch (key) {
    case 'g':
        options->gpu = argument;
        return 0;
    case KEY_SCHEDULER:
        if (options->scheduler != NULL) {
            bad_input("config", "--scheduler=%s: given twice; allowed: once, NAME,NAME",
                      argument);
        }
        options->scheduler = argument;
        return 0;
    case 's':
        if (options->n_set == MOST_SETS) {
            bad_input("config", "--set: given too often; %d times are allowed", MOST_SETS);
        }
        options->sets[options->n_set++] = argument;
        return 0;
    case 'f':
        if (strcmp(argument, "markdown") != 0 && strcmp(argument, "text") != 0) {
            bad_input("config", "--format=%s: text or markdown is allowed", argument);
        }
        options->format = argument;
        return 0;
    case ARGP_KEY_ARGS:
        options->word = state->argv[state->next];
        options->files = state->argv + state->next + 1;
        options->n_file = state->argc - state->next - 1;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("config", option_table, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- show ---------------------------------------------------------------------------- */

/* Nothing is printed unless all of it is right. */
static int show(const struct options *options)
{
    struct gpu_config config = gpu_config_standard();
    const char *const gpu = options->n_file > 0 ? options->files[0] : options->gpu;
    struct fault fault;

    if (options->n_file > 1 || (options->n_file == 1 && options->gpu != NULL)) {
        bad_input("config", "show: %s: one configuration is allowed",
                  options->files[options->n_file - 1]);
    }
    if (gpu != NULL && !gpu_config_load(gpu, &config, &fault)) {
        bad_input("config", "%s", fault_text(&fault));
    }
    if (!gpu_config_schedule(&config, options->scheduler, &fault)) {
        bad_input("config", "--scheduler: %s", fault_text(&fault));
    }
    for (uint32_t i = 0u; i < options->n_set; i++) {
        if (!gpu_config_set(&config, options->sets[i], &fault)) {
            bad_input("config", "--set: %s", fault_text(&fault));
        }
    }
    const struct gpu_key *const key = gpu_config_fault(&config, &fault);
    if (key != NULL) {
        bad_input("config", "%s.%s: %s", key->section, key->key, fault_text(&fault));
    }
    gpu_config_print(&config, stdout);
    return 0;
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

static int keys(const struct options *options)
{
    if (options->format != NULL && strcmp(options->format, "markdown") == 0) {
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

static int check(const struct options *options)
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
static void refuse_others(const struct options *options, bool gpu, bool format, bool files)
{
    if (!gpu && (options->gpu != NULL || options->scheduler != NULL || options->n_set > 0u)) {
        bad_input("config", "%s: --gpu, --scheduler and --set are for show", options->word);
    }
    if (!format && options->format != NULL) {
        bad_input("config", "%s: --format is for keys", options->word);
    }
    if (!files && options->n_file > 0) {
        bad_input("config", "%s: %s: only options are allowed", options->word,
                  options->files[0]);
    }
}

static const char words[] = "show [GPU|FILE]\nkeys\nlist\ncheck FILE...";

static const struct argp argp = { option_table, parse, words, doc, NULL, NULL, NULL };

static int config(int argc, char **argv)
{
    struct options options = { .word = NULL };

    arguments_parse(&argp, argc, argv, &options);
    if (options.word == NULL) {
        bad_input("config", "a word is needed: show, keys, list, check");
    }
    if (strcmp(options.word, "show") == 0) {
        refuse_others(&options, true, false, true);
        return show(&options);
    }
    if (strcmp(options.word, "keys") == 0) {
        refuse_others(&options, false, true, false);
        return keys(&options);
    }
    if (strcmp(options.word, "list") == 0) {
        refuse_others(&options, false, false, false);
        return list();
    }
    if (strcmp(options.word, "check") == 0) {
        refuse_others(&options, false, false, true);
        return check(&options);
    }
    bad_input("config", "%s: no such word; there are: show, keys, list, check", options.word);
}

const struct command config_command = {
    .name = "config",
    .title = "shows, explains and checks the parameters of GPUs",
    .argp = &argp,
    .run = config,
};
