/* arguments - one clear error; see arguments.h. */

#include "tool/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/command.h"

_Noreturn void bad_input(const char *command, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "gpusched%s%s: ", command[0] == '\0' ? "" : " ", command);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(BAD_INPUT);
}

/* The option that `word` is or abbreviates, or NULL. */
static const struct argp_option *option_of(const struct argp_option *options, const char *word)
{
    const bool is_long = strncmp(word, "--", 2u) == 0;
    const size_t n = is_long ? strcspn(word + 2, "=") : 0u;
    const struct argp_option *option = options;

    while (
        !option_is_end(option)
        && (option->name == NULL
            || !(is_long ? strncmp(option->name, word + 2, n) == 0 : option->key == word[1]))) {
        option++;
    }
    return option_is_end(option) ? NULL : option;
}

static void list_options(const struct argp_option *options, char *text, size_t size)
{
    size_t at = 0u;

    text[0] = '\0';
    for (const struct argp_option *option = options; !option_is_end(option) && at < size;
         option++) {
        if (option->name != NULL) {
            at += (size_t)snprintf(text + at, size - at, "%s--%s", at == 0u ? "" : ", ",
                                   option->name);
        }
    }
}

_Noreturn void bad_option(const char *command, const struct argp_option *options,
                          const struct argp_state *state)
{
    char known[1024];
    const char *const word = state->argv[state->next > 0 ? state->next - 1 : 0];
    const struct argp_option *const option = option_of(options, word);

    if (option == NULL) {
        list_options(options, known, sizeof known);
        bad_input(command, "%s: no such option; there are: %s", word, known);
    }
    if (option->arg == NULL) {
        bad_input(command, "%s: --%s takes no value", word, option->name);
    }
    bad_input(command, "%s: a value is needed: --%s=%s", word, option->name, option->arg);
}

_Noreturn void show_help(const struct argp_state *state)
{
    /* Room for the longest options; without the remark that short options take values too. */
    setenv("ARGP_HELP_FMT", "no-dup-args-note,header-col=0,opt-doc-col=33", 0);
    argp_help(state->root_argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC,
              state->argv[0]);
    exit(0);
}

void arguments_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    if (argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, input) != 0) {
        bad_input("", "no memory for the command line"); /* all else is reported where it is */
    }
}

uint64_t whole_number(const char *command, const char *option, const char *text,
                      uint64_t lowest, uint64_t highest)
{
    char *end;

    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < lowest
        || value > highest) {
        bad_input(command, "%s=%s: a whole number from %" PRIu64 " to %" PRIu64 " is allowed",
                  option, text, lowest, highest);
    }
    return value;
}

enum text_format text_format_of(const char *command, const char *argument)
{
    if (strcmp(argument, "markdown") == 0) {
        return TEXT_MARKDOWN;
    }
    if (strcmp(argument, "text") != 0) {
        bad_input(command, "--format=%s: text or markdown is allowed", argument);
    }
    return TEXT_PLAIN;
}
