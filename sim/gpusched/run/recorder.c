/* recorder - one monitor for all that watches a run; see recorder.h. */

#include "gpusched/run/recorder.h"

#include <stdlib.h>

#include "gpusched/result/interval.h"
#include "gpusched/result/series.h"
#include "tool/progress.h"

struct recorder {
    struct recorder_options options;
    struct gpu_monitor monitor;
    struct timeline *timeline; /* or NULL */
    struct interval interval;
    struct progress progress;
    bool lost; /* no memory for a launch: the run is stopped */
};

/* ---- What the GPU calls -------------------------------------------------------------- */

static void kernel_started(void *self, uint32_t kernel, uint64_t cycle)
{
    struct recorder *const recorder = self;

    if (recorder->timeline != NULL && !recorder->lost) {
        recorder->lost = !timeline_kernel_started(recorder->timeline, kernel, cycle);
    }
}

static void kernel_ended(void *self, uint32_t kernel, uint64_t cycle)
{
    struct recorder *const recorder = self;

    if (recorder->timeline != NULL && !recorder->lost) {
        timeline_kernel_ended(recorder->timeline, kernel, cycle);
    }
}

static void cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle)
{
    struct recorder *const recorder = self;

    if (recorder->timeline != NULL && !recorder->lost) {
        timeline_cta_started(recorder->timeline, kernel, cta, sm, slot, cycle);
    }
}

static void cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                      uint64_t cycle)
{
    struct recorder *const recorder = self;

    (void)kernel;
    (void)cta;
    recorder->progress.done++;
    if (recorder->timeline != NULL && !recorder->lost) {
        timeline_cta_ended(recorder->timeline, sm, slot, cycle);
    }
}

static void cta_left(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                     uint64_t cycle)
{
    struct recorder *const recorder = self;

    (void)kernel;
    (void)cta;
    if (recorder->timeline != NULL && !recorder->lost) {
        timeline_cta_ended(recorder->timeline, sm, slot, cycle);
    }
}

static void sample(void *self, struct gpu *gpu, uint64_t cycle)
{
    struct recorder *const recorder = self;

    if (!interval_next(&recorder->interval, gpu, cycle)) {
        return;
    }
    if (recorder->timeline != NULL) {
        timeline_sample(recorder->timeline, &recorder->interval);
    }
    if (recorder->options.series != NULL) {
        series_row(recorder->options.series, &recorder->interval);
    }
    if (recorder->options.series_sm != NULL) {
        series_sm_rows(recorder->options.series_sm, &recorder->interval);
    }
}

static bool progress(void *self, struct gpu *gpu)
{
    struct recorder *const recorder = self;

    progress_show(&recorder->progress, gpu_cycle(gpu));
    return !recorder->lost && (recorder->options.stop == NULL || !recorder->options.stop());
}

/* ---- Opening and closing ------------------------------------------------------------- */

static bool open_files(struct recorder *recorder, const struct gpu_config *config,
                       const struct timeline_kernel *kernels, uint32_t n_kernel)
{
    const struct recorder_options *const options = &recorder->options;

    if (options->series != NULL) {
        series_header(options->series);
    }
    if (options->series_sm != NULL) {
        series_sm_header(options->series_sm);
    }
    if (options->timeline != NULL) {
        recorder->timeline = timeline_open(options->timeline, config, kernels, n_kernel);
    }
    return options->timeline == NULL || recorder->timeline != NULL;
}

void recorder_launched(void *self, const struct kernel_shape *shape, uint32_t stream,
                       const struct gpu_child *child)
{
    struct recorder *const recorder = self;
    const struct timeline_kernel kernel = { .shape = *shape,
                                            .stream = stream,
                                            .nested = child != NULL,
                                            .parent = child != NULL ? child->parent : 0u,
                                            .depth = child != NULL ? child->depth : 0u };

    recorder->progress.ctas += kernel_ctas(shape);
    if (recorder->timeline != NULL && !timeline_launch(recorder->timeline, &kernel)) {
        recorder->lost = true;
    }
}

struct recorder *recorder_open(const struct gpu_config *config,
                               const struct timeline_kernel *kernels, uint32_t n_kernel,
                               const struct recorder_options *options)
{
    struct recorder *const recorder = calloc(1u, sizeof *recorder);
    const bool samples =
        options->timeline != NULL || options->series != NULL || options->series_sm != NULL;
    uint64_t ctas = 0u;

    if (recorder == NULL) {
        return NULL;
    }
    recorder->options = *options;
    recorder->monitor = (struct gpu_monitor){
        .self = recorder,
        .kernel_started = kernel_started,
        .kernel_ended = kernel_ended,
        .cta_started = cta_started,
        .cta_ended = cta_ended,
        .cta_left = cta_left,
        .cta_back = cta_started,
        .interval = samples ? options->interval : 0u,
        .sample = sample,
        .progress = progress,
    };
    if (!interval_open(&recorder->interval, config)
        || !open_files(recorder, config, kernels, n_kernel)) {
        recorder_free(recorder);
        return NULL;
    }
    for (uint32_t k = 0u; k < n_kernel; k++) {
        ctas += kernel_ctas(&kernels[k].shape);
    }
    progress_open(&recorder->progress, options->progress, ctas);
    return recorder;
}

const struct gpu_monitor *recorder_monitor(const struct recorder *recorder)
{
    return &recorder->monitor;
}

bool recorder_lost(const struct recorder *recorder)
{
    return recorder->lost;
}

void recorder_end(struct recorder *recorder, struct gpu *gpu)
{
    progress_close(&recorder->progress);
    if (recorder->monitor.interval != 0u) {
        sample(recorder, gpu, gpu_cycle(gpu));
    }
    if (recorder->timeline != NULL) {
        timeline_close(recorder->timeline, gpu_cycle(gpu));
        recorder->timeline = NULL;
    }
}

void recorder_free(struct recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    progress_close(&recorder->progress);
    if (recorder->timeline != NULL) {
        timeline_close(recorder->timeline, 0u);
    }
    interval_close(&recorder->interval);
    free(recorder);
}
