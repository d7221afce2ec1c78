/* experiment_progress - how far an experiment is; see experiment_progress.h. */

#include "gpusched/experiment/run/experiment_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tool/format.h"
#include "tool/progress.h"

static const double terminal_pause = 0.2; /* seconds */
static const double other_pause = 30.0;

void progress_begin(struct runs_progress *progress, bool quiet)
{
    progress->quiet = quiet;
    progress->terminal = isatty(STDERR_FILENO) != 0;
    progress->started = host_seconds();
    progress->last = progress->started;
}

void progress_line(struct runs_progress *progress, uint32_t running)
{
    const double now = host_seconds();
    const uint32_t left = progress->all - progress->done - progress->failed - progress->aborted;

    if (progress->quiet
        || now - progress->last < (progress->terminal ? terminal_pause : other_pause)) {
        return;
    }
    fprintf(stderr, "%s%u of %u runs done, %u failed, %u running",
            progress->terminal ? "\r\033[K" : "", progress->done, progress->all,
            progress->failed, running);
    if (progress->now > 0u && left > 0u) {
        const double each = (now - progress->started) / progress->now;
        fprintf(stderr, ", %s left", format_duration(each * left).text);
    }
    fputs(progress->terminal ? "" : "\n", stderr);
    fflush(stderr);
    progress->last = now;
    progress->shown = progress->terminal;
}

void progress_end(struct runs_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->shown = false;
}
