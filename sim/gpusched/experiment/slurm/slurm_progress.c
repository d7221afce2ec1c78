/* slurm_progress - how far the tasks of Slurm are; see slurm_progress.h. */

#include "gpusched/experiment/slurm/slurm_progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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
    progress->timed = 0.0;
    progress->took = 0.0;
    progress->most = 0u;
    progress->first = 0.0;
    progress->merged = 0u;
    memset(progress->began, 0, sizeof progress->began);
    for (uint32_t task = 1u; task <= folder->tasks; task++) {
        progress->all += slurm_task_is_open(folder, task) ? folder->costs[task] : 0.0;
    }
}

/* When a file was last written; 0 without it. */
static double written(const struct slurm_folder *folder, uint32_t task, enum slurm_file which)
{
    char path[EXPERIMENT_PATH];
    struct stat found;

    return stat(slurm_task_file(folder, task, which, path), &found) != 0
               ? 0.0
               : (double)found.st_mtim.tv_sec + 1e-9 * (double)found.st_mtim.tv_nsec;
}

static double clock_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void slurm_progress_look(struct slurm_progress *progress)
{
    progress->running = 0u;
    progress->at_work = 0.0;
    progress->ran = 0.0;
}

/* What it notes first is that it begins. Tasks that run side by side end together: without
 * those that still run, the first that is merged would seem to be all that was done. */
void slurm_progress_open_task(struct slurm_progress *progress,
                              const struct slurm_folder *folder, uint32_t task)
{
    progress->began[task] = written(folder, task, SLURM_ATTEMPTS);
    if (progress->began[task] > 0.0) {
        const double seconds = fmax(0.0, clock_now() - progress->began[task]);
        progress->running++;
        progress->ran += seconds;
        progress->first = progress->first == 0.0 ? progress->began[task]
                                                 : fmin(progress->first, progress->began[task]);
        progress->most =
            progress->running > progress->most ? progress->running : progress->most;
        progress->at_work +=
            progress->took > 0.0
                ? fmin(folder->costs[task], seconds * progress->timed / progress->took)
                : 0.0;
    }
}

double slurm_progress_took(const struct slurm_progress *progress,
                           const struct slurm_folder *folder, uint32_t task)
{
    const double ended = written(folder, task, SLURM_ENDED);

    return progress->began[task] > 0.0 && ended > progress->began[task]
               ? ended - progress->began[task]
               : 0.0;
}

void slurm_progress_add(struct slurm_progress *progress, double cost, double took)
{
    progress->done += cost;
    progress->timed += took > 0.0 ? cost : 0.0;
    progress->took += took;
    progress->merged += took > 0.0 ? 1u : 0u;
}

/* What Slurm has taken from the end of a task to the beginning of the next in its place. */
static double pause_of(const struct slurm_progress *progress)
{
    const uint32_t begun = progress->merged + progress->running;
    const double there = (clock_now() - progress->first) * progress->most;

    return begun <= progress->most
               ? 0.0
               : fmax(0.0, there - progress->took - progress->ran) / (begun - progress->most);
}

/* All tasks work as fast as those that are merged, and as many at a time as did. The last do
 * not wait for a place. */
static double left(const struct slurm_progress *progress, uint32_t waiting)
{
    const uint32_t at_a_time = waiting > 0u ? progress->most : progress->running;
    const double speed = progress->timed / progress->took;
    const double rest = progress->all - progress->done - progress->at_work;

    return (fmax(0.0, rest) / speed + pause_of(progress) * waiting)
           / (at_a_time == 0u ? 1.0 : at_a_time);
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
    if (progress->timed > 0.0) {
        fprintf(stderr, "; %s left", format_duration(left(progress, queue->waiting)).text);
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
