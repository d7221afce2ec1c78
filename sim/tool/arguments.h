/*
 * arguments - command lines with one clear error. argp's own errors say less and take two
 * lines, so commands parse with ARGP_NO_ERRS and report by these.
 */

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <argp.h>
#include <stdint.h>

enum { BAD_INPUT = 2 }; /* exit status */

/* Prints "gpusched COMMAND: ..." and exits with BAD_INPUT. */
_Noreturn void bad_input(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for the option at which argp stopped; for ARGP_KEY_ERROR. */
_Noreturn void bad_option(const char *command, const struct argp_option *options,
                          const struct argp_state *state);

/* The option of a command's help, which ARGP_NO_ERRS would silence. */
#define HELP_KEY 'h'
#define HELP_OPTION                                 \
    {                                               \
        "help", HELP_KEY, NULL, 0, "shows this", -1 \
    }

/* Prints a command's help and exits with 0. */
_Noreturn void show_help(const struct argp_state *state);

/* Parses with one clear error; see above. */
void arguments_parse(const struct argp *argp, int argc, char **argv, void *input);

/* An argument that must be a whole number of lowest..highest. */
uint64_t whole_number(const char *command, const char *option, const char *text,
                      uint64_t lowest, uint64_t highest);

/* What --format asks for. */
enum text_format { TEXT_NOT_GIVEN, TEXT_PLAIN, TEXT_MARKDOWN };
enum text_format text_format_of(const char *command, const char *argument);

#endif
