/* report_command - an experiment's page; see report_command.h. */

#include "gpusched/report/report_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gpusched/report/data/report_folder.h"
#include "gpusched/report/data/report_where.h"
#include "gpusched/report/report_many_page.h"
#include "gpusched/report/report_page.h"
#include "gpusched/report/report_text.h"
#include "gpusched/result/result_read.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"
#include "tool/output.h"

enum { FAILED = 1, KEY_BASELINE = 256 };

static const char doc[] =
    "Makes a page of an experiment's results, or of a single run - the answer, tables, charts, "
    "where the cycles went - and prints the main figures."
    "\v"
    "Examples:\n"
    "  gpusched experiment smoke -q                   into results/smoke.sqlite\n"
    "  gpusched report smoke -o smoke.html            a page of it\n"
    "  gpusched report results/smoke.sqlite -o pages/smoke.html \\\n"
    "      --baseline=lrr                             compared with another variant\n"
    "  gpusched run -g m2090 -w tile -q -o out        a single run\n"
    "  gpusched report out                            out/report.html, a page of it\n"
    "\n"
    "The page is one file, which needs no other and no network. docs/report.md says what it "
    "shows.\n"
    "\n"
    "Exit status: 0 the page is written, 1 it is, without results that are not as they were "
    "written, "
    "2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { "output", 'o', "FILE", 0,
      "the page; its folder is made if it is not there. By default, report.html in a run's "
      "folder, or NAME.html beside the database NAME.sqlite",
      0 },
    { "baseline", KEY_BASELINE, "VARIANT", 0,
      "what others are compared with; the experiment's baseline if not given", 0 },
    { "quiet", 'q', NULL, 0, "prints no table of the main figures", 0 },
    HELP_OPTION,
    { 0 },
};

struct report_options {
    const char *what;     /* an experiment's name, its file, its database; a run's folder */
    const char *output;   /* the page; NULL: beside what it is of */
    const char *baseline; /* NULL: the experiment's own */
    bool quiet;
};

struct request {
    struct report_options options;
    char database[EXPERIMENT_PATH];
    char page[OUTPUT_PATH]; /* where none is given */
    struct fault fault;
};
_Static_assert((int)RESULT_PATH == (int)OUTPUT_PATH, "the page is beside the result");

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct report_options *const options = state->input;

    switch (key) {
    case 'o':
        options->output = argument;
        return 0;
    case KEY_BASELINE:
        options->baseline = argument;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->what != NULL) {
            bad_input("report", "%s: one experiment or run is allowed", argument);
        }
        options->what = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("report", option_table, state);
    case ARGP_KEY_END:
        if (options->what == NULL) {
            bad_input("report",
                      "an experiment's name or database, or a run's folder, is needed");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* One of the two. */
struct opened {
    struct report_data data;
    struct report_many many; /* n: 0 without */
};

static bool open_data(struct request *command, struct opened *opened)
{
    const struct report_options *const options = &command->options;
    struct report_data *const data = &opened->data;

    if (!result_named(options->what)) {
        report_find_database("report", options->what, command->database);
        return report_is_many(command->database)
                   ? report_many_open(&opened->many, command->database, options->baseline,
                                      &command->fault)
                   : report_data_open(data, command->database, options->baseline,
                                      &command->fault);
    }
    if (options->baseline != NULL) {
        return fault_set(&command->fault, "--baseline: a single run has no variants");
    }
    return report_folder_open(data, options->what, &command->fault);
}

/* Without -o: report.html in the run's folder, or beside a database its name with .html. */
static bool place_page(struct request *command)
{
    static const char ending[] = ".sqlite";
    size_t n = strlen(command->database);

    if (command->options.output != NULL) {
        return true;
    }
    command->options.output = command->page;
    if (n == 0u) {
        return result_place(command->options.what, "report.html", command->page,
                            &command->fault);
    }
    if (n >= sizeof ending && strcmp(command->database + n - strlen(ending), ending) == 0) {
        n -= strlen(ending);
    }
    return snprintf(command->page, sizeof command->page, "%.*s.html", (int)n, command->database)
               < (int)sizeof command->page
           || fault_set(&command->fault, "%.100s...: the path is too long", command->database);
}

/* Folder and file name of the page. */
static bool split(struct request *command, char folder[OUTPUT_PATH], const char **name)
{
    const char *const slash = strrchr(command->options.output, '/');
    const size_t n = slash == NULL ? 0u : (size_t)(slash - command->options.output);

    *name = slash == NULL ? command->options.output : slash + 1;
    if (n >= OUTPUT_PATH || (*name)[0] == '\0' || strlen(*name) >= OUTPUT_NAME) {
        return fault_set(&command->fault,
                         "-o %.2000s: a file is needed, its name shorter than %d",
                         command->options.output, OUTPUT_NAME);
    }
    snprintf(folder, OUTPUT_PATH, "%.*s", (int)n, command->options.output);
    if (n == 0u) {
        snprintf(folder, OUTPUT_PATH, "%s", slash == NULL ? "." : "/");
    }
    return true;
}

/* NULL of a single run. */
static struct store *store_of(const struct opened *opened)
{
    return opened->many.n > 0u ? opened->many.store : opened->data.store;
}

static bool write_page(struct request *command, const struct opened *opened)
{
    static const char *const none[] = { NULL };
    const struct store *const store = store_of(opened);
    struct output output;
    char folder[OUTPUT_PATH];
    const char *name;

    if (!place_page(command) || !split(command, folder, &name)
        || !output_open(&output, folder, &command->fault)) {
        return false;
    }
    FILE *const to = output_file(&output, name, &command->fault);
    if (to == NULL) {
        output_abandon(&output);
        return false;
    }
    if (opened->many.n > 0u) {
        report_many_page(to, &opened->many);
    } else if (opened->data.store == NULL) {
        report_run_page(to, &opened->data);
    } else {
        report_page(to, &opened->data);
    }
    if (memory_lost()) {
        output_abandon(&output);
        return fault_surroundings(&command->fault, "no memory");
    }
    if (store != NULL && store_fault(store)->kind != FAULT_NONE) {
        output_abandon(&output);
        command->fault = *store_fault(store);
        return false;
    }
    return output_commit(&output, none, &command->fault);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "EXPERIMENT|DIR|FILE",
    .doc = doc,
};

static int report(int argc, char **argv)
{
    static struct request command;
    struct opened opened = { .many = { .n = 0u } };

    arguments_parse(&argp, argc, argv, &command.options);
    if (!open_data(&command, &opened)) {
        bad_input("report", "%s", fault_text(&command.fault));
    }
    const uint32_t broken =
        store_of(&opened) == NULL ? 0u : store_say_broken(store_of(&opened), "gpusched report");
    const bool good = write_page(&command, &opened);
    if (good && !command.options.quiet) {
        if (opened.many.n > 0u) {
            report_many_text(stdout, &opened.many);
        } else {
            report_text(stdout, &opened.data);
        }
        printf("\npage      %s\n", command.options.output);
    }
    report_data_free(&opened.data);
    report_many_free(&opened.many);
    if (memory_lost()) {
        bad_input("report", "no memory");
    }
    if (!good) {
        bad_input("report", "%s", fault_text(&command.fault));
    }
    return broken == 0u ? 0 : FAILED;
}

const struct command report_command = {
    .name = "report",
    .title = "makes a page of an experiment or a run, with charts",
    .argp = &argp,
    .run = report,
};
