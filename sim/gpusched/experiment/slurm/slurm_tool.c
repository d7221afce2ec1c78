/* slurm_tool - sbatch, squeue and scancel; see slurm_tool.h. */

#include "gpusched/experiment/slurm/slurm_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output_file.h"

extern char **environ;

enum { NOT_FOUND = 127, ARGUMENT = 4096 };

/* ---- Processes ----------------------------------------------------------------------- */

/* Ctrl-C is for this process: the command is in a group of its own, and blocks no signals. */
static int start(char *const *arguments, int said, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, said, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, said, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int reason =
        posix_spawnp(child, arguments[0], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return reason;
}

/* All that comes through a pipe, to be freed; NULL without memory. */
static char *read_all(int from)
{
    char *text = NULL;
    size_t length = 0u;
    char bytes[4096];
    ssize_t n = 1;
    FILE *const to = open_memstream(&text, &length);

    while (to != NULL && n > 0) {
        n = read(from, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) {
            n = 1;
        } else if (n > 0) {
            fwrite(bytes, 1u, (size_t)n, to);
        }
    }
    return to != NULL && output_text_close(to, &text) ? text : NULL;
}

/* Runs a command to its end. Returns its exit status, or NOT_FOUND; *said is all that it has
 * said, to be freed. */
static int run(char *const *arguments, char **said)
{
    int ends[2];
    int status = 0;
    pid_t child;

    *said = NULL;
    if (pipe(ends) != 0) {
        return EXIT_FAILURE;
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int reason = start(arguments, ends[1], &child);
    close(ends[1]);
    if (reason == 0) {
        *said = read_all(ends[0]);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return reason == ENOENT                    ? NOT_FOUND
           : reason != 0 || !WIFEXITED(status) ? EXIT_FAILURE
                                               : WEXITSTATUS(status);
}

/* The last line of what a command has said; other lines are remarks. */
static bool fail(const char *command, char *said, struct fault *fault)
{
    const char *last = "it cannot be run";

    for (char *line = said == NULL ? NULL : strtok(said, "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        last = line;
    }
    return fault_surroundings(fault, "%s: %.1000s", command, last);
}

static char *argument(char text[ARGUMENT], const char *option, const char *value)
{
    snprintf(text, ARGUMENT, "--%s=%s", option, value);
    return text;
}

/* ---- Commands ------------------------------------------------------------------------ */

bool slurm_is_here(struct fault *fault)
{
    static const char *const commands[] = { "sbatch", "squeue", "scancel" };

    for (size_t i = 0u; i < sizeof commands / sizeof commands[0]; i++) {
        char name[16], option[] = "--help";
        char *said;
        snprintf(name, sizeof name, "%s", commands[i]);
        char *const arguments[] = { name, option, NULL };
        const int status = run(arguments, &said);
        free(said);
        if (status == NOT_FOUND) {
            return fault_set(fault,
                             "--engine=slurm: %s is not installed; Debian's package "
                             "slurm-client has it, or your cluster's login node",
                             name);
        }
    }
    return true;
}

bool slurm_submit(const struct slurm_array *array, struct fault *fault)
{
    char command[] = "sbatch", requeue[] = "--requeue", append[] = "--open-mode=append";
    char alone[] = "--nodes=1", one[] = "--ntasks=1";
    char name[ARGUMENT], log[ARGUMENT], folder[ARGUMENT], partition[ARGUMENT];
    char tasks[ARGUMENT], processors[ARGUMENT], script[ARGUMENT];
    char *said;
    char text[64];
    char *arguments[] = { command,
                          requeue,
                          append,
                          alone,
                          one,
                          argument(name, "job-name", array->name),
                          argument(log, "output", array->log),
                          argument(folder, "chdir", array->folder),
                          tasks,
                          processors,
                          script,
                          NULL,
                          NULL };

    snprintf(text, sizeof text, array->at_a_time == 0u ? "1-%u" : "1-%u%%%u", array->tasks,
             array->at_a_time);
    argument(tasks, "array", text);
    snprintf(text, sizeof text, "%u", array->processors);
    argument(processors, "cpus-per-task", text);
    snprintf(script, sizeof script, "%s", array->script);
    if (array->partition != NULL) {
        arguments[10] = argument(partition, "partition", array->partition);
        arguments[11] = script;
    }
    const int status = run(arguments, &said);
    const bool good = status == 0 || fail("sbatch", said, fault);
    free(said);
    return good;
}

/* A line of squeue: task|state|reason */
static void read_line(char *line, struct slurm_queue *queue)
{
    char *rest = line;
    const char *const task = strtok_r(line, "|", &rest);
    const char *const state = strtok_r(NULL, "|", &rest);
    const char *const reason = strtok_r(NULL, "|", &rest);
    const unsigned long number = task == NULL ? 0u : strtoul(task, NULL, 10);

    if (state == NULL || number < 1u || number > queue->tasks) {
        return;
    }
    queue->has[number] = true;
    if (strcmp(state, "PENDING") == 0) {
        queue->waiting++;
        snprintf(queue->reason, sizeof queue->reason, "%s", reason == NULL ? "" : reason);
    } else {
        queue->running++;
    }
}

void slurm_look(const char *name, struct slurm_queue *queue)
{
    char command[] = "squeue", bare[] = "--noheader", each[] = "--array";
    char format[] = "--format=%K|%T|%r";
    char named[ARGUMENT];
    char *const arguments[] = {
        command, bare, each, format, argument(named, "name", name), NULL
    };
    char *said;
    char *rest = NULL;

    queue->running = 0u;
    queue->waiting = 0u;
    queue->reason[0] = '\0';
    memset(queue->has, 0, (queue->tasks + 1u) * sizeof *queue->has);
    queue->known = run(arguments, &said) == 0 && said != NULL;
    for (char *line = queue->known ? strtok_r(said, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        read_line(line, queue);
    }
    free(said);
}

bool slurm_end(const char *name, struct fault *fault)
{
    char command[] = "scancel";
    char named[ARGUMENT];
    char *const arguments[] = { command, argument(named, "name", name), NULL };
    char *said;
    const int status = run(arguments, &said);
    const bool good = status == 0 || fail("scancel", said, fault);

    free(said);
    return good;
}
