/* slurm_folder - the files of tasks; see slurm_folder.h. */

#include "gpusched/experiment/slurm/slurm_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output_file.h"

static const char *const endings[] = { [SLURM_RUNS] = "runs",
                                       [SLURM_SQLITE] = "sqlite",
                                       [SLURM_ENDED] = "ended",
                                       [SLURM_LOG] = "log",
                                       [SLURM_ATTEMPTS] = "attempts" };

/* ---- Paths --------------------------------------------------------------------------- */

static const char *file_of(const struct slurm_folder *folder, const char *name,
                           char path[EXPERIMENT_PATH])
{
    snprintf(path, EXPERIMENT_PATH, "%.4000s/%s", folder->path, name);
    return path;
}

const char *slurm_task_file(const struct slurm_folder *folder, uint32_t task,
                            enum slurm_file which, char path[EXPERIMENT_PATH])
{
    char name[64];

    snprintf(name, sizeof name, "%u-%u.%s", folder->round, task, endings[which]);
    return file_of(folder, name, path);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

bool slurm_task_is_open(const struct slurm_folder *folder, uint32_t task)
{
    char path[EXPERIMENT_PATH];

    return is_there(slurm_task_file(folder, task, SLURM_RUNS, path));
}

bool slurm_task_has_ended(const struct slurm_folder *folder, uint32_t task)
{
    char path[EXPERIMENT_PATH];

    return is_there(slurm_task_file(folder, task, SLURM_ENDED, path));
}

/* ---- Writing ------------------------------------------------------------------------- */

/* A text for the shell. */
static void quote(const char *text, FILE *to)
{
    fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", to);
        } else {
            fputc(*text, to);
        }
    }
    fputc('\'', to);
}

/* This program, which tasks run as well. */
static void quote_program(FILE *to)
{
    char path[EXPERIMENT_PATH] = "gpusched";
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1u);

    if (n > 0) {
        path[n] = '\0';
    }
    quote(path, to);
}

/* What one task does. Its files say when it began, where, and how it ended. */
static void write_script(const struct slurm_folder *folder,
                         const struct slurm_task_options *options, FILE *to)
{
    fputs("#!/bin/sh\n# A task of `gpusched experiment --engine=slurm`.\nfolder=", to);
    quote(folder->path, to);
    fprintf(to,
            "\ntask=\"$folder/%u-$SLURM_ARRAY_TASK_ID\"\n"
            "note() { echo \"$(date -u +%%FT%%TZ) task %u-$SLURM_ARRAY_TASK_ID, attempt"
            " $((${SLURM_RESTART_COUNT:-0} + 1)), $SLURMD_NODENAME: $*\""
            " >> \"$task.attempts\"; }\n"
            "# It is merged already.\n"
            "[ -e \"$task.runs\" ] || exit 0\n"
            "rm -f \"$task.ended\"\n"
            "note begins\n",
            folder->round, folder->round);
    quote_program(to);
    fputs(" experiment ", to);
    quote(options->file, to);
    fprintf(to, " --runs=\"$task.runs\" --build=%s --quiet --jobs=%u --for=%.0f",
            experiment_program().text, options->processors, options->start_for);
    if (options->timeout > 0.0) {
        fprintf(to, " --timeout=%.0f", options->timeout);
    }
    if (options->rtl_file != NULL) {
        fputs(" --rtl-file=", to);
        quote(options->rtl_file, to);
    }
    fputs("\nstatus=$?\nnote \"ends with status $status\"\n"
          "echo \"$status\" > \"$task.ended\"\n",
          to);
}

static bool written(struct output_file *file, const char *path, struct fault *fault)
{
    return output_file_commit(file) || fault_system(fault, "%.3000s", path);
}

static bool write_runs(const struct slurm_folder *folder, const struct experiment_grid *grid,
                       const struct pack *pack, uint32_t task, struct fault *fault)
{
    char path[EXPERIMENT_PATH];
    struct output_file file;

    if (!output_file_open(&file, slurm_task_file(folder, task, SLURM_RUNS, path))) {
        return fault_system(fault, "%.3000s", path);
    }
    for (uint32_t i = pack->first[task - 1u]; i < pack->first[task]; i++) {
        fprintf(file.to, "%s\n", grid->keys[pack->runs[i]].text);
    }
    return written(&file, path, fault);
}

static bool write_job(const struct slurm_folder *folder, struct fault *fault)
{
    char path[EXPERIMENT_PATH];
    struct output_file file;

    if (!output_file_open(&file, file_of(folder, "job", path))) {
        return fault_system(fault, "%.3000s", path);
    }
    fprintf(file.to, "%s %u %u\n", folder->job, folder->round, folder->tasks);
    for (uint32_t task = 1u; task <= folder->tasks; task++) {
        fprintf(file.to, "%.6f\n", folder->costs[task]);
    }
    return written(&file, path, fault);
}

bool slurm_folder_begin(struct slurm_folder *folder, const struct experiment_grid *grid,
                        const struct pack *pack, const struct slurm_task_options *options,
                        struct fault *fault)
{
    char path[EXPERIMENT_PATH];
    struct output_file file;

    if (mkdir(folder->path, 0777) != 0 && errno != EEXIST) {
        return fault_system(fault, "%.3000s", folder->path);
    }
    folder->round++;
    folder->tasks = pack->tasks;
    snprintf(folder->job, sizeof folder->job, "gpusched-%.100s-%llx-%x-%u",
             grid->experiment->name, (unsigned long long)time(NULL), (unsigned)getpid(),
             folder->round);
    for (char *c = folder->job; *c != '\0'; c++) {
        if (*c == ' ' || *c == ',') { /* squeue takes lists of names */
            *c = '_';
        }
    }
    for (uint32_t task = 1u; task <= pack->tasks; task++) {
        folder->costs[task] = pack->costs[task - 1u];
        if (!write_runs(folder, grid, pack, task, fault)) {
            return false;
        }
    }
    if (!output_file_open(&file, file_of(folder, "job.sh", path))) {
        return fault_system(fault, "%.3000s", path);
    }
    write_script(folder, options, file.to);
    return written(&file, path, fault) && write_job(folder, fault);
}

/* ---- Reading ------------------------------------------------------------------------- */

bool slurm_folder_open(struct slurm_folder *folder, const char *path, struct fault *fault)
{
    char file[EXPERIMENT_PATH];

    *folder = (struct slurm_folder){ .job = "" };
    snprintf(folder->path, sizeof folder->path, "%s", path);
    FILE *const from = fopen(file_of(folder, "job", file), "re");
    if (from == NULL) {
        return errno == ENOENT || fault_system(fault, "%.3000s", file);
    }
    bool good = fscanf(from, "%159s %u %u", folder->job, &folder->round, &folder->tasks) == 3
                && folder->tasks <= PACK_TASKS;
    for (uint32_t task = 1u; good && task <= folder->tasks; task++) {
        good = fscanf(from, "%lf", &folder->costs[task]) == 1;
    }
    fclose(from);
    if (!good) {
        return fault_set(fault, "%.3000s: not as it was written; allowed: its folder removed",
                         file);
    }
    return true;
}

/* ---- Ends ---------------------------------------------------------------------------- */

/* Adds a task's file to `attempts`. */
static void keep_text(const struct slurm_folder *folder, uint32_t task, enum slurm_file which,
                      FILE *to)
{
    char path[EXPERIMENT_PATH];
    char line[1024];
    FILE *const from = fopen(slurm_task_file(folder, task, which, path), "re");

    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        fputs(line, to);
    }
    if (from != NULL) {
        fclose(from);
    }
}

void slurm_task_close(const struct slurm_folder *folder, uint32_t task, bool lost)
{
    static const char *const more[] = { "-wal", "-shm" };
    char path[EXPERIMENT_PATH];
    FILE *const to = fopen(file_of(folder, "attempts", path), "ae");

    if (to != NULL) {
        keep_text(folder, task, SLURM_ATTEMPTS, to);
        keep_text(folder, task, SLURM_LOG, to);
        if (lost) {
            fprintf(to, "task %u-%u: Slurm has it no more, and it has not ended by itself\n",
                    folder->round, task);
        }
        fclose(to);
    }
    for (size_t i = 0u; i < sizeof more / sizeof more[0]; i++) {
        slurm_task_file(folder, task, SLURM_SQLITE, path);
        snprintf(path + strlen(path), sizeof path - strlen(path), "%s", more[i]);
        unlink(path);
    }
    /* The runs last: without them the task is merged. */
    for (size_t i = sizeof endings / sizeof endings[0]; i-- > 0u;) {
        unlink(slurm_task_file(folder, task, (enum slurm_file)i, path));
    }
}

void slurm_folder_end(struct slurm_folder *folder)
{
    char path[EXPERIMENT_PATH];

    for (uint32_t task = 1u; task <= folder->tasks; task++) {
        unlink(slurm_task_file(folder, task, SLURM_RUNS, path));
    }
    unlink(file_of(folder, "job.sh", path));
    unlink(file_of(folder, "job", path));
    folder->job[0] = '\0';
    folder->tasks = 0u;
}

/* ---- Cancelling ---------------------------------------------------------------------- */

bool slurm_cancel_note(const struct slurm_folder *folder, struct fault *fault)
{
    char path[EXPERIMENT_PATH];
    FILE *const to = fopen(file_of(folder, "cancel", path), "we");

    return (to != NULL && fclose(to) == 0) || fault_system(fault, "%.3000s", path);
}

bool slurm_cancel_noted(const struct slurm_folder *folder)
{
    char path[EXPERIMENT_PATH];

    return is_there(file_of(folder, "cancel", path));
}

void slurm_cancel_forget(const struct slurm_folder *folder)
{
    char path[EXPERIMENT_PATH];

    unlink(file_of(folder, "cancel", path));
}
