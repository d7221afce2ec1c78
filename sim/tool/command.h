/*
 * command - what the program knows of each of its commands. The help, the manual pages and
 * the completion of command lines are made from these and from nothing else.
 *
 * In an option's argument, and in a line of args_doc, a word says what is allowed: `text` and
 * `markdown` of text|markdown are values, words in capitals are of a kind that
 * completion_names.h lists, and "...," or "..." after a word is for more of the same.
 */

#ifndef COMMAND_H
#define COMMAND_H

#include <argp.h>

struct command {
    const char *name;
    const char *title; /* in a line, for the list of commands */
    const struct argp *argp;
    int (*run)(int argc, char **argv); /* returns the exit status */
};

/* Ends with NULL. */
extern const struct command *const commands[];

/* An option table ends with a row that has neither a name nor a text; one with a text alone
 * is a heading. */
static inline int option_is_end(const struct argp_option *option)
{
    return option->name == NULL && option->doc == NULL;
}

#endif
