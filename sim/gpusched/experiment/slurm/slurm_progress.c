/* slurm_progress - how far the tasks of Slurm are; see slurm_progress.h. */

#include "gpusched/experiment/slurm/slurm_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tool/format.h"
#include "tool/progress.h"

static const double terminal_pause = 0.5; /* seconds */
static const double other_pause = 30.0;

void slurm_progress_open(struct slurm_progress *progress, bool quiet)
{
    *progress = (struct slurm_progress){ .quiet = quiet,
                                         .terminal = isatty(STDERR_FILENO) != 0,
                                         .last = host_seconds() };
}

void slurm_progress_begin(struct slurm_progress *progress, const struct slurm_folder *folder)
{
    progress->all = 0.0;
    progress->done = 0.0;
    progress->started = host_seconds();
    progress->merged = progress->started;
    for (uint32_t task = 1u; task <= folder->tasks; task++) {
        progress->all += slurm_task_is_open(folder, task) ? folder->costs[task] : 0.0;
    }
}

void slurm_progress_add(struct slurm_progress *progress, double cost)
{
    progress->done += cost;
    progress->merged = host_seconds();
}

/* As long for each second of the runs that are left as for those that are merged. */
static double left(const struct slurm_progress *progress, double now)
{
    const double each = (progress->merged - progress->started) / progress->done;
    const double end = progress->merged + each * (progress->all - progress->done);

    return end > now ? end - now : 0.0;
}

void slurm_progress_line(struct slurm_progress *progress,
                         const struct experiment_counts *counts,
                         const struct slurm_queue *queue)
{
    const double now = host_seconds();

    if (progress->quiet
        || now - progress->last < (progress->terminal ? terminal_pause : other_pause)) {
        return;
    }
    fprintf(stderr, "%s%u of %u runs done, %u failed; tasks: %u running, %u waiting",
            progress->terminal ? "\r\033[K" : "", counts->done, counts->all, counts->failed,
            queue->running, queue->waiting);
    if (queue->waiting > 0u && queue->reason[0] != '\0') {
        fprintf(stderr, " (%s)", queue->reason);
    }
    if (progress->done > 0.0) {
        fprintf(stderr, "; %s left", format_duration(left(progress, now)).text);
    }
    fputs(progress->terminal ? "" : "\n", stderr);
    fflush(stderr);
    progress->last = now;
    progress->shown = progress->terminal;
}

void slurm_progress_end(struct slurm_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->shown = false;
}
