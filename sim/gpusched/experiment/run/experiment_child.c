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

#include "gpusched/experiment/run/experiment_run.h"
#include "tool/memory_file.h"
#include "tool/progress.h"

/* What a child ends with; other statuses are not its own. */
enum { DONE = 0, FAILED = 1, ABORTED = 3, LONGEST_ERROR = 2000, MOST_READ = 1 << 16 };

/* ---- In the child -------------------------------------------------------------------- */

/* Never returns. */
static void be_child(const struct experiment_child *child, const struct experiment_point *point,
                     const struct experiment_key *key, pid_t parent, int said)
{
    static const int statuses[] = {
        [RUN_DONE] = DONE, [RUN_FAILED] = FAILED, [RUN_ABORTED] = ABORTED
    };
    sigset_t none;

    /* Ctrl-C is the parent's matter, and whoever kills it kills this as well. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
    if (getppid() != parent || dup2(said, STDERR_FILENO) < 0 || dup2(said, STDOUT_FILENO) < 0) {
        _exit(ABORTED);
    }
    const enum experiment_status status =
        experiment_run(point, key, child->result, child->observed);
    /* The parent's buffers are not this process's to write. */
    fflush(stderr);
    _exit(statuses[status]);
}

/* ---- In the parent ------------------------------------------------------------------- */

static void close_files(struct experiment_child *child)
{
    if (child->result != NULL) {
        fclose(child->result);
    }
    if (child->observed != NULL) {
        fclose(child->observed);
    }
    if (child->said >= 0) {
        close(child->said);
    }
    child->pid = 0;
    child->result = NULL;
    child->observed = NULL;
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
                                        .result = memory_file(),
                                        .observed = memory_file(),
                                        .started = host_seconds(),
                                        .limit = child->limit };
    if (child->result != NULL && child->observed != NULL) {
        said = open_pipe(child);
    }
    if (said >= 0) {
        fflush(NULL);
        child->pid = fork();
    }
    if (child->pid == 0) {
        before(self);
        be_child(child, point, key, parent, said);
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

/* What the child has said, one line: "; " is between its lines. To be freed; NULL without
 * memory. */
static char *reason_of(const struct experiment_child *child, const char *what)
{
    char *const text = calloc(1u, MOST_READ);
    char *const line = calloc(1u, LONGEST_ERROR);
    char *rest = text;

    if (text == NULL || line == NULL) {
        free(text);
        free(line);
        return NULL;
    }
    for (ssize_t at = 0, n = 1; n > 0 && at < MOST_READ - 1; at += n) {
        n = read(child->said, text + at, (size_t)(MOST_READ - 1 - at));
    }
    size_t at = (size_t)snprintf(line, LONGEST_ERROR, "%s", what);
    for (const char *part = child->late ? NULL : strtok_r(text, "\n", &rest);
         part != NULL && at < LONGEST_ERROR; part = strtok_r(NULL, "\n", &rest)) {
        at += (size_t)snprintf(line + at, LONGEST_ERROR - at, "%s%s", at == 0u ? "" : "; ",
                               part + strspn(part, " \t"));
    }
    for (char *c = line; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
    free(text);
    return line;
}

/* A signal by which a program ends itself. All others come from outside. */
static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL
           || number == SIGABRT || number == SIGSYS || number == SIGTRAP;
}

static enum experiment_status status_of(const struct experiment_child *child, int status)
{
    if (child->late) {
        return RUN_FAILED;
    }
    if (WIFSIGNALED(status)) {
        return is_crash(WTERMSIG(status)) ? RUN_FAILED : RUN_ABORTED;
    }
    return WEXITSTATUS(status) == DONE     ? RUN_DONE
           : WEXITSTATUS(status) == FAILED ? RUN_FAILED
                                           : RUN_ABORTED;
}

/* What is to be said of a child that did not end well. */
static char *error_of(const struct experiment_child *child, int status)
{
    char what[128] = "";

    if (child->late) {
        snprintf(what, sizeof what, "timeout: more than %.12g seconds", child->limit);
    } else if (WIFSIGNALED(status)) {
        snprintf(what, sizeof what, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == DONE) {
        snprintf(what, sizeof what, "no memory for its result");
    }
    char *const line = reason_of(child, what);
    if (line != NULL && line[0] == '\0') {
        snprintf(line, LONGEST_ERROR, "exit status %d", WEXITSTATUS(status));
    }
    return line;
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
    *outcome = (struct experiment_outcome){
        .status = ended < 0 ? RUN_ABORTED : status_of(child, status),
        .seconds = seconds,
    };
    if (outcome->status != RUN_ABORTED && WIFEXITED(status)
        && !(memory_file_text(child->result, &outcome->result)
             && memory_file_text(child->observed, &outcome->observed)
             && (outcome->status == RUN_FAILED || outcome->result != NULL))) {
        outcome->status = RUN_ABORTED;
    }
    if (outcome->status != RUN_DONE) {
        outcome->error = error_of(child, status);
    }
    close_files(child);
    return true;
}

void child_kill(struct experiment_child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close_files(child);
}
