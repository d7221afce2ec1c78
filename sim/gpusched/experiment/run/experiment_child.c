/* experiment_child - a run in a process of its own; see experiment_child.h. */

#include "gpusched/experiment/run/experiment_child.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpusched/experiment/run/experiment_message.h"
#include "gpusched/experiment/run/experiment_run.h"
#include "tool/memory_file.h"
#include "tool/progress.h"

/* What a child ends with: other statuses are not its own, and then it has no outcome either. */
enum { TOLD = 0, NOT_TOLD = 3 };
enum { LONGEST_ERROR = 2000, MOST_READ = 1 << 16 };

/* ---- In the child -------------------------------------------------------------------- */

/* Never returns. */
static void be_child(const struct experiment_child *child, const struct experiment_point *point,
                     const struct experiment_key *key, void (*before)(void *self), void *self,
                     pid_t parent, int said)
{
    struct experiment_outcome outcome;
    sigset_t none;

    /* Ctrl-C is the parent's matter, and whoever kills it kills this as well. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
    if (getppid() != parent || dup2(said, STDERR_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0) {
        _exit(NOT_TOLD);
    }
    before(self);
    if (!experiment_run(point, key, &outcome) || !message_write(&outcome, child->message)) {
        fputs("no memory for the result", stderr);
        _exit(NOT_TOLD);
    }
    /* The parent's buffers are not this process's to write. */
    _exit(TOLD);
}

/* ---- In the parent ------------------------------------------------------------------- */

static void close_files(struct experiment_child *child)
{
    if (child->message != NULL) {
        fclose(child->message);
    }
    if (child->said >= 0) {
        close(child->said);
    }
    child->pid = 0;
    child->message = NULL;
    child->said = -1;
}

/* Returns the end for the child, or -1. It does not wait when the pipe is full, and nor does
 * the parent when it is empty: what is too long is lost. */
static int open_pipe(struct experiment_child *child)
{
    int ends[2];

    if (pipe(ends) != 0) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    child->said = ends[0];
    return ends[1];
}

bool child_start(struct experiment_child *child, const struct experiment_point *point,
                 const struct experiment_key *key, void (*before)(void *self), void *self,
                 struct fault *fault)
{
    const pid_t parent = getpid();
    int said = -1;

    *child = (struct experiment_child){ .pid = -1,
                                        .said = -1,
                                        .message = memory_file(),
                                        .started = host_seconds(),
                                        .limit = child->limit };
    if (child->message != NULL) {
        said = open_pipe(child);
    }
    if (said >= 0) {
        fflush(NULL);
        child->pid = fork();
    }
    if (child->pid == 0) {
        be_child(child, point, key, before, self, parent, said);
    }
    const int reason = errno;
    if (said >= 0) {
        close(said);
    }
    if (child->pid < 0) {
        close_files(child);
        return fault_surroundings(fault, "it cannot be started: %s", strerror(reason));
    }
    return true;
}

/* What the child has printed. To be freed; NULL without memory. */
static char *said_by(const struct experiment_child *child)
{
    char *const text = calloc(1u, MOST_READ);

    for (ssize_t at = 0, n = 1; text != NULL && n > 0 && at < MOST_READ - 1; at += n) {
        n = read(child->said, text + at, (size_t)(MOST_READ - 1 - at));
    }
    return text;
}

/* Adds the lines of a text, which it takes apart, to a line; "; " is between them. */
static void add_lines(char line[LONGEST_ERROR], char *text)
{
    size_t at = strlen(line);
    char *rest = text;

    for (const char *part = strtok_r(text, "\n", &rest); part != NULL && at < LONGEST_ERROR;
         part = strtok_r(NULL, "\n", &rest)) {
        at += (size_t)snprintf(line + at, LONGEST_ERROR - at, "%s%s", at == 0u ? "" : "; ",
                               part + strspn(part, " \t"));
    }
}

/* The parts of a reason as one line. what: "" or its beginning; said and error may be NULL. To
 * be freed; NULL without memory. */
static char *reason_of(const char *what, char *said, char *error)
{
    char *const line = calloc(1u, LONGEST_ERROR);

    if (line == NULL) {
        return NULL;
    }
    snprintf(line, LONGEST_ERROR, "%s", what);
    if (said != NULL) {
        add_lines(line, said);
    }
    if (error != NULL) {
        add_lines(line, error);
    }
    for (char *c = line; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
    return line;
}

/* A signal by which a program ends itself. All others come from outside. */
static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
           || number == SIGABRT || number == SIGSYS || number == SIGTRAP;
}

/* Of a child that a signal ended. */
static void judge_signal(int number, char *said, struct experiment_outcome *outcome)
{
    char what[128];

    snprintf(what, sizeof what, "killed by signal %d (%s)", number, strsignal(number));
    outcome->status = is_crash(number) ? RUN_FAILED : RUN_ABORTED;
    outcome->error = reason_of(what, said, NULL);
}

/* Of a child that has ended by itself. Without a message nobody knows what it came to. */
static void judge_exit(FILE *from, int status, char *said, struct experiment_outcome *outcome)
{
    static const char *const without[] = { [MESSAGE_FOUND] = "",
                                           [MESSAGE_NONE] = "no memory for its result",
                                           [MESSAGE_DAMAGED] = "a damaged result",
                                           [MESSAGE_NO_MEMORY] = "no memory for its result" };
    const char *what = "";

    if (status == TOLD) {
        what = without[message_read(from, outcome)];
    }
    if (outcome->status != RUN_DONE) {
        char *const line = reason_of(what, said, outcome->error);
        if (line != NULL && line[0] == '\0') {
            snprintf(line, LONGEST_ERROR, "exit status %d", status);
        }
        free(outcome->error);
        outcome->error = line;
    }
}

static void judge(const struct experiment_child *child, int status,
                  struct experiment_outcome *outcome)
{
    char what[128];
    char *const said = said_by(child);

    if (child->late) {
        snprintf(what, sizeof what, "timeout: more than %.12g seconds", child->limit);
        outcome->status = RUN_FAILED;
        outcome->error = reason_of(what, NULL, NULL);
    } else if (WIFSIGNALED(status)) {
        judge_signal(WTERMSIG(status), said, outcome);
    } else {
        judge_exit(child->message, WEXITSTATUS(status), said, outcome);
    }
    free(said);
}

bool child_ended(struct experiment_child *child, struct experiment_outcome *outcome)
{
    int status = 0;
    const double seconds = host_seconds() - child->started;
    const pid_t ended = waitpid(child->pid, &status, WNOHANG);

    if (ended == 0) {
        if (child->limit > 0.0 && seconds > child->limit && !child->late) {
            child->late = true;
            kill(child->pid, SIGKILL);
        }
        return false;
    }
    *outcome = (struct experiment_outcome){ .status = RUN_ABORTED };
    judge(child, status, outcome);
    outcome->seconds = seconds;
    close_files(child);
    return true;
}

void child_kill(struct experiment_child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close_files(child);
}
