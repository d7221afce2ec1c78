/* completion_command - what the commands' tables allow, for a shell; see
 * completion_command.h. */

#include "gpusched/command/completion_command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gpu/config/gpu_config.h"
#include "gpusched/command/completion_bash.h"
#include "gpusched/command/completion_names.h"
#include "tool/arguments.h"

enum { TEXT = 256 };

static const char doc[] =
    "Prints a script by which a shell completes commands, options, and the names of GPUs, "
    "workloads, experiments, units, parameters and their values."
    "\v"
    "Examples:\n"
    "  gpusched completion bash                       what it knows\n"
    "  source <(gpusched completion bash)             for this shell\n"
    "  gpusched completion bash > gpusched.bash       to source in ~/.bashrc\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    HELP_OPTION,
    { 0 },
};

enum shell { NO_SHELL, BASH };

struct completion_options {
    enum shell shell;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct completion_options *const options = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (options->shell != NO_SHELL || strcmp(argument, "bash") != 0) {
            bad_input("completion", "%s: one shell is allowed: bash", argument);
        }
        options->shell = BASH;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("completion", option_table, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = { option_table, parse, "bash", doc, NULL, NULL, NULL };

/* ---- Names --------------------------------------------------------------------------- */

/* Names that a shell would take apart, which files may have, are not offered. */
static void print_name(void *self, const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && strchr("._-+", *at) == NULL) {
            return;
        }
    }
    printf(" %s%s", name, (const char *)self);
}

static void print_choices(const struct gpu_key *key)
{
    if (key->type == GPU_FLAG) {
        printf("    [%s.%s]='true false'\n", key->section, key->key);
    } else if (key->type == GPU_PICK) {
        printf("    [%s.%s]='", key->section, key->key);
        for (const char *const *choice = key->choices; *choice != NULL; choice++) {
            print_name("", *choice);
        }
        puts("'");
    }
}

static void print_names(void)
{
    puts("# The names of a kind, and the values of a parameter.\n"
         "declare -gA _gpusched_names=(");
    for (const struct name_kind *kind = name_kinds; kind->kind != NULL; kind++) {
        printf("    [%s]='", kind->kind);
        kind->names(print_name, strcmp(kind->kind, "KEY") == 0 ? "=" : "");
        puts("'");
    }
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        print_choices(&gpu_keys[i]);
    }
    puts(")\n");
}

/* ---- Options ------------------------------------------------------------------------- */

static void print_options(void)
{
    puts("# The options of a command.\n"
         "declare -gA _gpusched_options=(");
    for (const struct command *const *at = commands; *at != NULL; at++) {
        printf("    [%s]='", (*at)->name);
        for (const struct argp_option *option = (*at)->argp->options; !option_is_end(option);
             option++) {
            if (option->name == NULL) {
                continue;
            }
            if (option->arg == NULL || (option->flags & OPTION_ARG_OPTIONAL) != 0) {
                printf(" --%s", option->name);
            }
            if (option->arg != NULL) {
                printf(" --%s=", option->name);
            }
        }
        puts("'");
    }
    puts(")\n");
}

/* "config show" takes GPU|FILE: the words of each line of args_doc. The second word of a
 * command whose first is none of a few stands behind 2. */
static void print_words(const struct command *command)
{
    char first[TEXT] = "";
    const char *line = command->argp->args_doc;

    while (line != NULL && line[0] != '\0' && line[0] != '-') {
        const size_t word = strcspn(line, " \n");
        const size_t length = strcspn(line, "\n");
        const size_t n = strlen(first);
        snprintf(first + n, sizeof first - n, "%s%.*s", n == 0u ? "" : "|", (int)word, line);
        if (word < length) {
            const char *const more = line + word + strspn(line + word, " [");
            const bool kind = isupper((unsigned char)line[0]) != 0;
            printf("    ['%s %.*s']='%.*s'\n", command->name, kind ? 1 : (int)word,
                   kind ? "2" : line, (int)strcspn(more, ".]\n"), more);
        }
        line += length + strspn(line + length, "\n");
    }
    if (first[0] != '\0') {
        printf("    ['%s 1']='%s'\n", command->name, first);
    }
}

static void print_takes(const struct command *command)
{
    for (const struct argp_option *option = command->argp->options; !option_is_end(option);
         option++) {
        const char *const mark = (option->flags & OPTION_ARG_OPTIONAL) != 0 ? "?" : "";
        if (option->name == NULL || option->arg == NULL) {
            continue;
        }
        printf("    ['%s --%s']='%s%s'\n", command->name, option->name, mark, option->arg);
        if (isalnum(option->key)) {
            printf("    ['%s -%c']='%s%s'\n", command->name, option->key, mark, option->arg);
        }
    }
    print_words(command);
}

static int completion(int argc, char **argv)
{
    struct completion_options options = { .shell = NO_SHELL };

    arguments_parse(&argp, argc, argv, &options);
    if (options.shell == NO_SHELL) {
        bad_input("completion", "a shell is needed: bash");
    }
    puts("# bash completion for gpusched                            -*- shell-script -*-\n"
         "# Made by: gpusched completion bash\n");
    print_names();
    print_options();
    puts("# What an option takes, a command as its first word, and after a first word; with ?\n"
         "# only behind a =.\n"
         "declare -gA _gpusched_takes=(");
    for (const struct command *const *at = commands; *at != NULL; at++) {
        print_takes(*at);
    }
    puts(")\n");
    fputs(completion_bash, stdout);
    return 0;
}

const struct command completion_command = {
    .name = "completion",
    .title = "prints a script by which bash completes command lines",
    .argp = &argp,
    .run = completion,
};
