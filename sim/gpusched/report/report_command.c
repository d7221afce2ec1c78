/* report_command - an experiment's page; see report_command.h. */

#include "gpusched/report/report_command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gpusched/report/data/report_data.h"
#include "gpusched/report/report_page.h"
#include "gpusched/report/report_text.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"
#include "tool/output.h"

enum { FAILED = 1, KEY_BASELINE = 256 };

static const char doc[] =
    "Makes a page of an experiment's results - tables, charts, where the cycles went - and "
    "prints the main figures."
    "\v"
    "Examples:\n"
    "  gpusched experiment smoke -q                   into results/smoke.sqlite\n"
    "  gpusched report smoke -o smoke.html            a page of it\n"
    "  gpusched report results/smoke.sqlite -o pages/smoke.html \\\n"
    "      --baseline=lrr                             compared with another variant\n"
    "\n"
    "The page is one file, which needs no other and no network. docs/report.md says what it "
    "shows.\n"
    "\n"
    "Exit status: 0 the page is written, 1 it is, without results that are not as they were "
    "written, "
    "2 bad input, or output that cannot be written.";

static const struct argp_option option_table[] = {
    { "output", 'o', "FILE", 0, "the page; its folder is made if it is not there", 0 },
    { "baseline", KEY_BASELINE, "VARIANT", 0,
      "what others are compared with; the experiment's baseline if not given", 0 },
    { "quiet", 'q', NULL, 0, "prints no table of the main figures", 0 },
    HELP_OPTION,
    { 0 },
};

struct report_options {
    const char *what;     /* an experiment's name, its file, or its database */
    const char *output;   /* the page */
    const char *baseline; /* NULL: the experiment's own */
    bool quiet;
};

struct request {
    struct report_options options;
    char database[EXPERIMENT_PATH];
    struct fault fault;
};

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
            bad_input("report", "%s: one experiment is allowed", argument);
        }
        options->what = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ERROR:
        bad_option("report", option_table, state);
    case ARGP_KEY_END:
        if (options->what == NULL) {
            bad_input("report", "an experiment's name or database is needed");
        }
        if (options->output == NULL) {
            bad_input("report", "-o FILE is needed: where the page goes");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text);

    return n >= strlen(end) && strcmp(text + n - strlen(end), end) == 0;
}

/* A file that is there is a database, unless it is an experiment's; all else is a name. */
static void find_database(struct request *command)
{
    char label[EXPERIMENT_NAME];
    struct stat found;
    const bool there = stat(command->options.what, &found) == 0 && S_ISREG(found.st_mode);
    const bool yaml =
        ends_with(command->options.what, ".yaml") || ends_with(command->options.what, ".yml");

    if ((there && !yaml) || ends_with(command->options.what, ".sqlite")) {
        snprintf(command->database, sizeof command->database, "%s", command->options.what);
        return;
    }
    experiment_label(command->options.what, label);
    snprintf(command->database, sizeof command->database, "results/%s.sqlite", label);
    if (stat(command->database, &found) != 0) {
        bad_input("report",
                  "%.1000s: there is no %s; allowed: a database, or an experiment that has run "
                  "here: gpusched experiment %.1000s",
                  command->options.what, command->database, command->options.what);
    }
}

/* Folder and file name of -o. */
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

static bool write_page(struct request *command, const struct report_data *data)
{
    static const char *const none[] = { NULL };
    struct output output;
    char folder[OUTPUT_PATH];
    const char *name;

    if (!split(command, folder, &name) || !output_open(&output, folder, &command->fault)) {
        return false;
    }
    FILE *const to = output_file(&output, name, &command->fault);
    if (to == NULL) {
        output_abandon(&output);
        return false;
    }
    report_page(to, data);
    if (memory_lost()) {
        output_abandon(&output);
        return fault_surroundings(&command->fault, "no memory");
    }
    if (data->store != NULL && store_fault(data->store)->kind != FAULT_NONE) {
        output_abandon(&output);
        command->fault = *store_fault(data->store);
        return false;
    }
    return output_commit(&output, none, &command->fault);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "EXPERIMENT|FILE",
    .doc = doc,
};

static int report(int argc, char **argv)
{
    static struct request command;
    struct report_data data;

    arguments_parse(&argp, argc, argv, &command.options);
    find_database(&command);
    if (!report_data_open(&data, command.database, command.options.baseline, &command.fault)) {
        bad_input("report", "%s", fault_text(&command.fault));
    }
    const uint32_t broken = store_say_broken(data.store, "gpusched report");
    const bool good = write_page(&command, &data);
    if (good && !command.options.quiet) {
        report_text(stdout, &data);
        printf("\npage      %s\n", command.options.output);
    }
    report_data_free(&data);
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
    .title = "makes a page of an experiment, with charts",
    .argp = &argp,
    .run = report,
};
