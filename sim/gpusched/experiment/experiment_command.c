/* experiment_command - a grid of runs; see experiment_command.h. */

#include "gpusched/experiment/experiment_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "gpusched/experiment/experiment_merge.h"
#include "gpusched/experiment/experiment_options.h"
#include "gpusched/experiment/experiment_report.h"
#include "gpusched/experiment/slurm/slurm_runs.h"
#include "gpusched/experiment/slurm/slurm_tool.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"

enum { FAILED = 1, SHOWN = 10 };

struct request {
    struct experiment_options options;
    struct experiment experiment;
    struct experiment_grid grid;
    struct experiment_figures figures;
    uint32_t figure; /* of the table */
    uint32_t now;    /* runs that have ended in this process */
    char database[EXPERIMENT_PATH];
    char tasks[EXPERIMENT_PATH]; /* folder of Slurm's tasks */
    struct fault fault;
};

/* ---- Reading ------------------------------------------------------------------------- */

/* A figure of the table that the experiment does not keep is kept from now on. */
static bool find_table_figure(struct request *command)
{
    struct experiment_figures *const figures = &command->figures;

    while (command->options.table != NULL && command->figure < figures->n
           && strcmp(figures->list[command->figure].name, command->options.table) != 0) {
        command->figure++;
    }
    if (command->figure < figures->n) {
        return true;
    }
    struct experiment_figure *const longer =
        realloc(figures->list, (figures->n + 1u) * sizeof *longer);
    if (longer == NULL) {
        return fault_surroundings(&command->fault, "no memory");
    }
    figures->list = longer;
    longer[figures->n].name = command->options.table;
    return experiment_figure_path(command->options.table, longer[figures->n].path,
                                  &command->fault)
           || fault_before(&command->fault, "--table: ");
}

/* That of a list of runs is beside it: a/3.runs has a/3.sqlite. */
static int path_beside(const char *list, char *path, size_t size)
{
    const char *const slash = strrchr(list, '/');
    const char *const dot = strrchr(slash == NULL ? list : slash, '.');

    return snprintf(path, size, "%.*s.sqlite",
                    (int)(dot == NULL ? strlen(list) : (size_t)(dot - list)), list);
}

static bool make_path(struct request *command)
{
    const struct experiment_options *const options = &command->options;
    const struct experiment_share *const share = &options->share;
    char part[64] = "";

    if (share->parts != 0u) {
        snprintf(part, sizeof part, ".part-%u-of-%u", share->part, share->parts);
    }
    const int n = share->list != NULL
                      ? path_beside(share->list, command->database, sizeof command->database)
                      : snprintf(command->database, sizeof command->database, "%s/%s%s.sqlite",
                                 options->folder, command->experiment.name, part);

    snprintf(command->tasks, sizeof command->tasks, "%.3900s/%s.slurm", options->folder,
             command->experiment.name);
    if (options->folder[0] != '\0' && n > 0 && (size_t)n < sizeof command->database) {
        return true;
    }
    return fault_set(&command->fault, "-o: the path of a folder, shorter than %d, is needed",
                     EXPERIMENT_PATH);
}

/* A task of a cluster must not run what is another program by now. */
static bool is_build(struct request *command)
{
    const char *const wanted = command->options.build;
    const struct experiment_key program = experiment_program();

    return wanted == NULL || strcmp(wanted, program.text) == 0
           || fault_set(&command->fault, "--build=%.64s: this program is %s", wanted,
                        program.text);
}

static bool read_experiment(struct request *command)
{
    if (!experiment_load(&command->experiment, command->options.file, &command->fault)) {
        return false;
    }
    command->experiment.rtl_file = command->options.rtl_file;
    command->experiment.reported = command->options.no_run;
    if (!experiment_figures_open(&command->figures, &command->experiment)
        || !find_table_figure(command) || !make_path(command)
        || !experiment_grid_open(&command->grid, &command->experiment)) {
        experiment_figures_free(&command->figures);
        experiment_free(&command->experiment);
        return false;
    }
    return experiment_share_take(&command->grid, &command->options.share, &command->fault);
}

/* ---- Running ------------------------------------------------------------------------- */

static bool make_folder(struct request *command)
{
    struct stat found;

    if (command->options.share.list != NULL) { /* in the list's folder */
        return true;
    }
    if (mkdir(command->options.folder, 0777) != 0 && errno != EEXIST) {
        return fault_system(&command->fault, "-o %.3000s: the folder cannot be made",
                            command->options.folder);
    }
    if (stat(command->options.folder, &found) != 0 || !S_ISDIR(found.st_mode)) {
        return fault_set(&command->fault, "-o %.3000s: this is no folder",
                         command->options.folder);
    }
    return true;
}

static void say_foreign(const struct request *command, struct store *store)
{
    struct experiment_counts counts;

    if (!command->options.runs.refresh && experiment_count(store, &command->grid, &counts)
        && counts.foreign > 0u) {
        fprintf(stderr,
                "gpusched experiment: %u of %u results are of another build of gpusched; "
                "--refresh runs them once more\n",
                counts.foreign, counts.all);
    }
}

static enum runs_end run_slurm(struct request *command, struct store *store)
{
    const struct experiment_options *const options = &command->options;

    return slurm_runs(store, &command->grid, &command->figures,
                      &(struct slurm_options){ .file = options->file,
                                               .rtl_file = options->rtl_file,
                                               .partition = options->partition,
                                               .nodes = options->nodes,
                                               .folder = command->tasks,
                                               .runs = options->runs },
                      &command->now, &command->fault);
}

static enum runs_end run(struct request *command, struct store *store)
{
    (void)store_say_broken(store, "gpusched experiment");
    if (!store_grid(store, &command->grid, &command->figures)) {
        command->fault = *store_fault(store);
        return RUNS_BROKEN;
    }
    if (command->options.merge) {
        return experiment_merge(store, command->options.databases, command->options.n_database,
                                &command->figures, &command->now, &command->fault);
    }
    say_foreign(command, store);
    if (command->options.slurm) {
        return run_slurm(command, store);
    }
    return experiment_runs(store, &command->grid, &command->figures, &command->options.runs,
                           &command->now, &command->fault);
}

/* ---- Reports ------------------------------------------------------------------------- */

static bool write_csv(struct request *command, const struct report *report)
{
    struct output_file file;

    if (command->options.csv[0] == '\0') {
        report_csv(report, stdout);
        return true;
    }
    bool good = output_file_open(&file, command->options.csv);
    if (good) {
        report_csv(report, file.to);
        good = output_file_commit(&file);
    }
    if (!good) {
        fault_system(&command->fault, "%.3000s: cannot be written", command->options.csv);
    }
    return good;
}

static const char *how_it_ended(enum runs_end end)
{
    return end == RUNS_INTERRUPTED ? "; interrupted, the same command goes on\n"
           : end == RUNS_CONFLICT  ? "; in conflict, so nothing is merged\n"
                                   : "\n";
}

static void summarize(const struct request *command, const struct report *report,
                      const struct experiment_counts *counts, enum runs_end end)
{
    if (command->options.runs.quiet) {
        if (end == RUNS_INTERRUPTED) {
            fprintf(stderr, "%s: interrupted, the same command goes on\n", command->database);
        }
        return;
    }
    fprintf(stderr, "%s: %u of %u runs done, %u failed", command->database, counts->done,
            counts->all, counts->failed);
    if (counts->aborted > 0u) {
        fprintf(stderr, ", %u aborted", counts->aborted);
    }
    if (!command->options.no_run) {
        fprintf(stderr, "; %u %s now", command->now,
                command->options.merge ? "merged" : "ended");
    }
    fputs(how_it_ended(end), stderr);
    report_failures(report, SHOWN, stderr);
    if (counts->failed > 0u && !command->options.no_run) {
        fputs("  --retry runs what failed once more\n", stderr);
    }
    if (counts->aborted > 0u && !command->options.no_run) {
        fputs("  the same command runs what was aborted once more\n", stderr);
    }
}

/* The exit status. */
static int report_all(struct request *command, struct store *store, enum runs_end end)
{
    struct report report;
    struct experiment_counts counts = { .all = 0u };
    bool good = true;

    /* The table's figure is one more, which no other report has. */
    const struct experiment_figures figures = {
        command->figures.list, command->figures.n + (command->figure == command->figures.n)
    };
    if (!report_open(&report, store, &command->grid, &figures, &command->fault)) {
        return BAD_INPUT;
    }
    for (uint32_t i = 0u; i < command->grid.n; i++) {
        counts.all += experiment_grid_has(&command->grid, i);
    }
    counts.done = report_count(&report, RUN_DONE);
    counts.failed = report_count(&report, RUN_FAILED);
    counts.aborted = report_count(&report, RUN_ABORTED);
    if (command->options.dry_run) {
        report_list(&report, stdout);
    } else {
        if (end == RUNS_ENDED && command->options.csv != NULL) {
            report.figures = &command->figures;
            good = write_csv(command, &report) && good;
            report.figures = &figures;
        }
        if (end == RUNS_ENDED && command->options.want_table) {
            report_table(&report, command->figure, stdout);
        }
        summarize(command, &report, &counts, end);
    }
    report_free(&report);
    if (good && memory_lost()) {
        fault_surroundings(&command->fault, "no memory for the report");
        good = false;
    }
    const bool all_done = counts.done == counts.all && end != RUNS_CONFLICT;
    return !good ? BAD_INPUT : command->options.dry_run || all_done ? 0 : FAILED;
}

static int experiment(struct request *command)
{
    const bool reading = command->options.no_run || command->options.dry_run;
    struct store *store = NULL;
    enum runs_end end = RUNS_ENDED;

    if (reading) {
        /* Before its first run an experiment has no database. */
        if (command->options.no_run || access(command->database, F_OK) == 0) {
            store = store_open_read(command->database, &command->fault);
            end = store == NULL ? RUNS_BROKEN : RUNS_ENDED;
            if (store != NULL) {
                (void)store_say_broken(store, "gpusched experiment");
            }
        }
    } else if (make_folder(command)
               && (!command->options.merge
                   || experiment_merge_check(command->options.databases,
                                             command->options.n_database, &command->fault))) {
        store = store_open(command->database, &command->fault);
        end = store == NULL ? RUNS_BROKEN : run(command, store);
    } else {
        end = RUNS_BROKEN;
    }
    const int status = end == RUNS_BROKEN ? BAD_INPUT : report_all(command, store, end);
    store_close(store);
    return status;
}

/* A process that waits for the tasks merges what they have done; otherwise the next one does.
 */
static int cancel(struct request *command)
{
    if (!slurm_cancel(command->tasks, &command->fault)) {
        return BAD_INPUT;
    }
    if (!command->options.runs.quiet) {
        fprintf(stderr, "%s: cancelled, what has been done is kept\n", command->database);
    }
    return 0;
}

static int experiment_main(int argc, char **argv)
{
    static struct request command;

    experiment_options_parse(&command.options, argc, argv);
    if (command.options.check != NULL) {
        const int found = store_check(command.options.check, stdout, &command.fault);
        if (found == BAD_INPUT) {
            bad_input("experiment", "%s", fault_text(&command.fault));
        }
        return found;
    }
    if ((command.options.slurm && !slurm_is_here(&command.fault)) || !is_build(&command)
        || !read_experiment(&command)) {
        bad_input("experiment", "%s", fault_text(&command.fault));
    }
    const int status = command.options.cancel ? cancel(&command) : experiment(&command);
    if (status == BAD_INPUT) {
        fprintf(stderr, "gpusched experiment: %s\n", fault_text(&command.fault));
    }
    experiment_grid_free(&command.grid);
    experiment_figures_free(&command.figures);
    experiment_free(&command.experiment);
    return status;
}

const struct command experiment_command = {
    .name = "experiment",
    .title = "runs many in parallel, and keeps the results",
    .argp = &experiment_argp,
    .run = experiment_main,
};
