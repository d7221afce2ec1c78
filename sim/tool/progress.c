/* progress - how far a run is; see progress.h. */

#include "tool/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tool/format.h"

static const double quiet_seconds = 1.0; /* shorter runs show nothing */
static const double pause_seconds = 0.25;

double host_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_open(struct progress *progress, bool wanted, uint64_t ctas)
{
    const double now = host_seconds();

    *progress = (struct progress){
        .on = wanted && isatty(STDERR_FILENO),
        .started = now,
        .last = now + quiet_seconds - pause_seconds,
        .ctas = ctas,
    };
}

void progress_show(struct progress *progress, uint64_t cycle)
{
    if (!progress->on) {
        return;
    }
    const double now = host_seconds();
    if (now - progress->last < pause_seconds) {
        return;
    }
    const double seconds = now - progress->started;
    const double share =
        progress->ctas == 0u ? 0.0 : (double)progress->done / (double)progress->ctas;

    fprintf(stderr, "\r\033[K%s cycles  %s of %s CTAs  %s/s", format_count(cycle).text,
            format_count(progress->done).text, format_count(progress->ctas).text,
            format_unit((double)cycle / seconds, "cycles").text);
    if (share > 0.0 && share < 1.0) {
        fprintf(stderr, "  %s left", format_duration(seconds * (1.0 - share) / share).text);
    }
    fflush(stderr);
    progress->last = now;
    progress->shown = true;
}

void progress_close(struct progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->on = false;
}
