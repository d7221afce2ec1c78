/* experiment_child - a run in a process of its own; see experiment_child.h. */

#include "experiment_child.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiment_run.h"
#include "progress.h"

enum { FAILED = 1, LONGEST_ERROR = 2000 };

/* ---- In the child ------------------------------------------------------------------------ */

/* Never returns. */
static void be_child(const struct experiment_child *child, const struct experiment_point *point,
                     const struct experiment_key *key, pid_t parent)
{
    sigset_t none;

    /* Ctrl-C is the parent's matter, and whoever kills it kills this as well. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL);
    if (getppid() != parent || dup2(fileno(child->errors), STDERR_FILENO) < 0
        || dup2(fileno(child->errors), STDOUT_FILENO) < 0) {
        _exit(FAILED);
    }
    const bool good = experiment_run(point, key, child->result, child->observed);
    /* The parent's buffers are not this process's to write. */
    fflush(stderr);
    _exit(good ? 0 : FAILED);
}

/* ---- In the parent ----------------------------------------------------------------------- */

static void close_files(struct experiment_child *child)
{
    if (child->result != NULL) {
        fclose(child->result);
    }
    if (child->errors != NULL) {
        fclose(child->errors);
    }
    if (child->observed != NULL) {
        fclose(child->observed);
    }
    child->pid = 0;
    child->result = NULL;
    child->errors = NULL;
    child->observed = NULL;
}

bool child_start(struct experiment_child *child, const struct experiment_point *point,
                 const struct experiment_key *key, void (*before)(void *self), void *self,
                 char *message, size_t size)
{
    const pid_t parent = getpid();

    child->result = tmpfile();
    child->errors = tmpfile();
    child->observed = tmpfile();
    child->late = false;
    child->started = host_seconds();
    child->pid = -1;
    if (child->result != NULL && child->errors != NULL && child->observed != NULL) {
        fflush(NULL);
        child->pid = fork();
    }
    if (child->pid == 0) {
        before(self);
        be_child(child, point, key, parent);
    }
    if (child->pid < 0) {
        snprintf(message, size, "a run cannot be started: %s", strerror(errno));
        close_files(child);
        return false;
    }
    return true;
}

/* All of a file as text; NULL if there is none or no memory. */
static char *text_of(FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    const long length = ftell(file);
    char *const text = length <= 0 ? NULL : malloc((size_t)length + 1u);
    if (text == NULL) {
        return NULL;
    }
    rewind(file);
    text[fread(text, 1u, (size_t)length, file)] = '\0';
    return text;
}

/* One line: where a report has several, "; " is between them. */
static char *one_line(char *text, const char *what)
{
    char *const line = calloc(1u, LONGEST_ERROR);
    char *rest = text;

    if (line == NULL) {
        return NULL;
    }
    size_t at = (size_t)snprintf(line, LONGEST_ERROR, "%s", what);
    for (const char *part = text == NULL ? NULL : strtok_r(text, "\n", &rest);
         part != NULL && at < LONGEST_ERROR; part = strtok_r(NULL, "\n", &rest)) {
        at += (size_t)snprintf(line + at, LONGEST_ERROR - at, "%s%s", at == 0u ? "" : "; ",
                               part + strspn(part, " \t"));
    }
    for (char *c = line; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
    return line;
}

/* What is to be said of a child that did not end well. */
static char *error_of(const struct experiment_child *child, int status)
{
    char what[128] = "";
    char *const text = text_of(child->errors);

    if (child->late) {
        snprintf(what, sizeof what, "timeout: more than %.12g seconds", child->limit);
    } else if (WIFSIGNALED(status)) {
        snprintf(what, sizeof what, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else if (text == NULL) {
        snprintf(what, sizeof what, "exit status %d", WEXITSTATUS(status));
    }
    char *const line = one_line(child->late ? NULL : text, what);
    free(text);
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
    char *const result = WIFEXITED(status) ? text_of(child->result) : NULL;
    const bool good =
        ended == child->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0 && result != NULL;
    *outcome = (struct experiment_outcome){
        .status = good ? RUN_DONE : RUN_FAILED,
        .error = good ? NULL : error_of(child, status),
        .result = result,
        .observed = WIFEXITED(status) ? text_of(child->observed) : NULL,
        .seconds = seconds,
    };
    close_files(child);
    return true;
}

void child_kill(struct experiment_child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close_files(child);
}
