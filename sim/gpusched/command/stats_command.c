/* stats_command - a table of all counts; see stats_command.h. */

#include "gpusched/command/stats_command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "tool/arguments.h"

static const char doc[] =
    "Prints what gpusched run counts and derives: name, unit, meaning."
    "\v"
    "Examples:\n"
    "  gpusched stats                                 a table\n"
    "  gpusched stats --format=markdown               the same for a page\n"
    "  gpusched stats | grep dram                     what is known of DRAM\n"
    "\n"
    "The names are those of result.json, and of an experiment's figures.\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { "format", 'f', "text|markdown", 0, "text if not given", 0 },
    HELP_OPTION,
    { 0 },
};

struct stats_options {
    enum text_format format;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct stats_options *const options = state->input;

    switch (key) {
    case 'f':
        options->format = text_format_of("stats", argument);
        return 0;
    case ARGP_KEY_ARG:
        bad_input("stats", "%s: only options are allowed", argument);
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("stats", option_table, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void title(bool markdown, const char *name, const char *of)
{
    if (markdown) {
        printf("\n`%s`: of %s\n\n| name | unit | meaning |\n|---|---|---|\n", name, of);
    } else {
        printf("\n%s: of %s\n", name, of);
    }
}

static void row(bool markdown, const char *name, const char *unit, const char *meaning)
{
    if (markdown) {
        printf("| `%s` | %s | %s |\n", name, unit, meaning);
    } else {
        printf("  %-18s %-17s %s\n", name, unit, meaning);
    }
}

static const struct argp argp = { option_table, parse, NULL, doc, NULL, NULL, NULL };

static int stats(int argc, char **argv)
{
    struct stats_options options = { .format = TEXT_PLAIN };

    arguments_parse(&argp, argc, argv, &options);
    const bool markdown = options.format == TEXT_MARKDOWN;
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        title(markdown, count_groups[i].name, count_groups[i].of);
        for (const struct gpu_count *count = count_groups[i].counts; count->name != NULL;
             count++) {
            row(markdown, count->name, count->unit, count->meaning);
        }
    }
    title(markdown, "derived", "the whole GPU");
    for (const struct figure *figure = figure_table; figure->name != NULL; figure++) {
        row(markdown, figure->name, figure->unit, figure->meaning);
    }
    return 0;
}

const struct command stats_command = {
    .name = "stats",
    .title = "explains what a run counts",
    .argp = &argp,
    .run = stats,
};
