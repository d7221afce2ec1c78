/* ptx_options - shapes are X, X,Y or X,Y,Z; see ptx_options.h. */

#include "gpusched/workload/ptx_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/arguments.h"

enum { MOST_THREADS = 1024, MOST_SHARED = 1 << 20, MOST_REGISTERS = 255 };

static void read_shape(const char *option, const char *text, uint32_t highest,
                       uint32_t shape[3])
{
    const char *at = text;

    for (int i = 0; i < 3; i++) {
        char part[16];
        const size_t n = strcspn(at, ",");
        if (i > 0 && *at == '\0') {
            shape[i] = 1u;
            continue;
        }
        snprintf(part, sizeof part, "%.*s", n < sizeof part ? (int)n : (int)sizeof part - 1,
                 at);
        shape[i] = (uint32_t)whole_number("run", option, part, 1u, highest);
        at += n + (at[n] == ',' ? 1u : 0u);
    }
    if (*at != '\0') {
        bad_input("run", "%s=%s: X, X,Y or X,Y,Z is allowed", option, text);
    }
}

static void add(const char *option, const char *text, const char **list, uint32_t *n)
{
    if (*n == PTX_MAX_ARGUMENT) {
        bad_input("run", "%s %s: at most %d are allowed", option, text, PTX_MAX_ARGUMENT);
    }
    list[(*n)++] = text;
}

error_t ptx_options_parse(int key, const char *argument, struct ptx_options *options)
{
    static const char *const names[] = {
        "--ptx",  "--kernel",         "--grid",      "--block",      "--arg",
        "--save", "--dynamic-shared", "--registers", "--cooperative"
    };

    if (key < KEY_PTX || key > KEY_COOPERATIVE) {
        return ARGP_ERR_UNKNOWN;
    }
    const char *const name = names[key - KEY_PTX];
    options->given = name;
    switch (key) {
    case KEY_PTX:
        options->file = argument;
        break;
    case KEY_KERNEL:
        options->kernel = argument;
        break;
    case KEY_GRID:
        read_shape(name, argument, INT32_MAX, options->grid);
        break;
    case KEY_BLOCK:
        read_shape(name, argument, MOST_THREADS, options->block);
        break;
    case KEY_ARGUMENT:
        add(name, argument, options->argument, &options->n_argument);
        break;
    case KEY_SAVE:
        add(name, argument, options->save, &options->n_save);
        break;
    case KEY_DYNAMIC_SHARED:
        options->dynamic_shared =
            (uint32_t)whole_number("run", name, argument, 0u, MOST_SHARED);
        break;
    case KEY_COOPERATIVE:
        options->cooperative = true;
        break;
    default:
        options->registers = (uint32_t)whole_number("run", name, argument, 1u, MOST_REGISTERS);
        break;
    }
    return 0;
}

static void read_arguments(struct ptx_options *options)
{
    struct fault fault;

    for (uint32_t i = 0u; i < options->n_argument; i++) {
        if (!kernel_argument_parse(options->argument[i], &options->value[i], &fault)) {
            bad_input("run", "%s", fault_text(&fault));
        }
    }
}

static void read_saves(struct ptx_options *options)
{
    for (uint32_t i = 0u; i < options->n_save; i++) {
        const char *const text = options->save[i];
        char *end;
        const unsigned long number = strtoul(text, &end, 10);
        if (end == text || *end != '=' || end[1] == '\0' || number >= options->n_argument
            || options->value[number].bytes != 0u) {
            bad_input("run",
                      "--save %.200s: NUMBER=FILE is allowed, the number of a buffer argument; "
                      "the first argument is 0",
                      text);
        }
        options->saved[number] = end + 1;
    }
}

void ptx_options_check(struct ptx_options *options)
{
    if (options->file == NULL && options->given != NULL) {
        bad_input("run", "%s needs --ptx FILE", options->given);
    }
    if (options->file == NULL) {
        return;
    }
    if (options->kernel == NULL) {
        bad_input("run", "--ptx needs --kernel NAME");
    }
    if (options->grid[0] == 0u || options->block[0] == 0u) {
        bad_input("run", "--ptx needs --grid X,Y,Z and --block X,Y,Z");
    }
    read_arguments(options);
    read_saves(options);
}
