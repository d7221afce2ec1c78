/* standard_output - output that was printed; see standard_output.h. */

#include "base/standard_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_file.h"

enum { NOT_WRITTEN = 2 }; /* exit status */

static const char *program_name;

/* A descriptor that is closed would become that of the next file, and the file would get what
 * is printed. It cannot be used after this either, and says so. */
static void occupy(int descriptor)
{
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
        /* The lowest that is free: those below are in use. */
        (void)open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/* Its reader has gone, and SIGPIPE is ignored here. */
static bool is_broken_pipe(void)
{
    struct pollfd output = { .fd = STDOUT_FILENO, .events = POLLOUT };

    return poll(&output, 1u, 0) == 1 && (output.revents & POLLERR) != 0;
}

static void check(void)
{
    if (output_written(stdout)) {
        return;
    }
    const int reason = errno;
    if (is_broken_pipe()) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "%s: standard output: cannot be written: %s\n", program_name,
            strerror(reason));
    _exit(NOT_WRITTEN);
}

void standard_output_check(const char *program)
{
    program_name = program;
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        occupy(descriptor);
    }
    signal(SIGXFSZ, SIG_IGN);
    if (atexit(check) != 0) {
        fprintf(stderr, "%s: no memory\n", program);
        _exit(NOT_WRITTEN);
    }
}
