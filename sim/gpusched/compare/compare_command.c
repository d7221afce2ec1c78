/* compare_command - what differs between two runs; see compare_command.h. */

#include "gpusched/compare/compare_command.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpusched/compare/compare_databases.h"
#include "gpusched/compare/compare_text.h"
#include "gpusched/report/data/report_where.h"
#include "gpusched/result/result_read.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"

enum { FAILED = 1, KEY_OTHER = 256 };

static const char doc[] =
    "Compares two runs: how many cycles B takes beside A, which parameters of the GPU differ, "
    "and which counts, the largest change first. Of two databases of experiments it compares "
    "the runs that both have."
    "\v"
    "Examples:\n"
    "  gpusched run -g m2090 -w tile -q -o a          a run\n"
    "  gpusched run -g m2090 -w tile -q -o b \\\n"
    "      -s l1.ways=8                               and another one\n"
    "  gpusched compare a b                           what differs\n"
    "  gpusched compare a b --all                     every count\n"
    "\n"
    "A and B are folders of gpusched run -o, or databases or names of experiments. Runs of "
    "different workloads, or sizes, are refused without --other-workload.\n"
    "\n"
    "Exit status: 0 they are compared, 1 they are, without results that are not as they were "
    "written, 2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { "all", 'a', NULL, 0, "shows every count, equal ones as well", 0 },
    { "other-workload", KEY_OTHER, NULL, 0, "compares runs of different workloads", 0 },
    HELP_OPTION,
    { 0 },
};

struct compare_options {
    const char *names[2];
    int n;
    bool all;
    bool other_workload;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct compare_options *const options = state->input;

    switch (key) {
    case 'a':
        options->all = true;
        return 0;
    case KEY_OTHER:
        options->other_workload = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->n == 2) {
            bad_input("compare", "%s: two runs or databases are allowed", argument);
        }
        options->names[options->n++] = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("compare", option_table, state);
    case ARGP_KEY_END:
        if (options->n < 2) {
            bad_input("compare", "two runs or databases are needed: A B");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Two runs ------------------------------------------------------------------------ */

static bool compare_results(const struct compare_options *options, const json_t *a,
                            const json_t *b, struct comparison *comparison, struct fault *fault)
{
    const struct result_title title_a = result_title(a);
    const struct result_title title_b = result_title(b);

    if (strcmp(title_a.text, title_b.text) != 0 && !options->other_workload) {
        return fault_set(fault,
                         "A runs %s, and B %s; allowed: the same workload and size, or "
                         "--other-workload",
                         title_a.text, title_b.text);
    }
    comparison_add(comparison, a, b, title_a.text);
    return true;
}

static bool compare_runs(const struct compare_options *options, struct comparison *comparison,
                         struct fault *fault)
{
    json_t *const a = result_read(options->names[0], fault);
    json_t *const b = a == NULL ? NULL : result_read(options->names[1], fault);
    const bool good =
        a != NULL && b != NULL && compare_results(options, a, b, comparison, fault);

    json_decref(a);
    json_decref(b);
    return good;
}

/* ---- The command --------------------------------------------------------------------- */

static bool compare_two(const struct compare_options *options, struct comparison *comparison,
                        struct compared_databases *found, struct fault *fault)
{
    char paths[2][EXPERIMENT_PATH];
    const bool runs = result_named(options->names[0]);

    if (!comparison_open(comparison)) {
        return fault_surroundings(fault, "no memory");
    }
    if (runs != result_named(options->names[1])) {
        return fault_set(fault,
                         "%.1000s is a run, and %.1000s a database; allowed: two runs, or two "
                         "databases",
                         options->names[runs ? 0 : 1], options->names[runs ? 1 : 0]);
    }
    if (runs) {
        return compare_runs(options, comparison, fault);
    }
    if (options->other_workload) {
        return fault_set(fault, "--other-workload is for two runs; databases have pairs");
    }
    for (int i = 0; i < 2; i++) {
        report_find_database("compare", options->names[i], paths[i]);
    }
    return compare_databases(comparison, (const char *const[2]){ paths[0], paths[1] }, found,
                             fault);
}

static void print_found(const struct comparison *comparison,
                        const struct compared_databases *found)
{
    if (found->only[0] + found->only[1] + found->unknown > 0u) {
        printf("\n%" PRIu32 " runs compared; only A has %" PRIu32 ", only B %" PRIu32
               "; not done in both: %" PRIu32 "\n",
               comparison->pairs, found->only[0], found->only[1], found->unknown);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "EXPERIMENT|DIR|FILE EXPERIMENT|DIR|FILE",
    .doc = doc,
};

static int compare(int argc, char **argv)
{
    static struct comparison comparison;
    struct compare_options options = { .n = 0 };
    struct compared_databases found = { .broken = 0u };
    struct fault fault = { .kind = FAULT_NONE };

    arguments_parse(&argp, argc, argv, &options);
    if (!compare_two(&options, &comparison, &found, &fault)) {
        bad_input("compare", "%s", fault_text(&fault));
    }
    if (memory_lost()) {
        bad_input("compare", "no memory");
    }
    compare_text(stdout, &comparison, options.names, options.all);
    print_found(&comparison, &found);
    comparison_free(&comparison);
    return found.broken == 0u ? 0 : FAILED;
}

const struct command compare_command = {
    .name = "compare",
    .title = "says what differs between two runs or databases",
    .argp = &argp,
    .run = compare,
};
