/* experiment_spans - CTAs in time; see experiment_spans.h. */

#include "gpusched/experiment/run/experiment_spans.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

static void cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle)
{
    struct spans *const spans = self;

    if (spans->n == spans->capacity) {
        const size_t capacity = spans->n == 0u ? 1024u : 2u * spans->n;
        struct span *const more = realloc(spans->list, capacity * sizeof *more);
        spans->lost = spans->lost || more == NULL;
        if (more != NULL) {
            spans->list = more;
            spans->capacity = capacity;
        }
    }
    if (!spans->lost) {
        spans->running[(size_t)sm * spans->n_slot + slot] = spans->n;
        spans->list[spans->n++] = (struct span){ kernel, cta, sm, slot, cycle, cycle };
    }
}

static void cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                      uint64_t cycle)
{
    struct spans *const spans = self;

    (void)kernel;
    (void)cta;
    if (!spans->lost) {
        spans->list[spans->running[(size_t)sm * spans->n_slot + slot]].ended = cycle;
    }
}

static bool progress(void *self, struct gpu *gpu)
{
    const struct spans *const spans = self;

    (void)gpu;
    return !spans->lost;
}

bool spans_open(struct spans *spans, const struct gpu_config *config)
{
    *spans = (struct spans){
        .n_slot = config->sm.cta_slots,
        .running = calloc((size_t)config->sm.count * config->sm.cta_slots,
                          sizeof *spans->running),
        .monitor = {
            .self = spans,
            .cta_started = cta_started,
            .cta_ended = cta_ended,
            .cta_left = cta_ended,
            .cta_back = cta_started,
            .progress = progress,
        },
    };
    return spans->running != NULL;
}

void spans_write(const struct spans *spans, const struct gpu_stats *stats, FILE *to)
{
    fputs("{\"kernels\":[", to);
    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        json_t *const name = json_string(stats->kernel[k].name);
        char *const quoted = json_dumps(name, JSON_ENCODE_ANY | JSON_COMPACT);
        fprintf(to, "%s%s", k == 0u ? "" : ",", quoted == NULL ? "null" : quoted);
        free(quoted);
        json_decref(name);
    }
    fputs("],\"ctas\":[", to);
    for (size_t i = 0u; i < spans->n; i++) {
        const struct span *const span = &spans->list[i];
        fprintf(to,
                "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "]",
                i == 0u ? "" : ",", span->kernel, span->cta, span->sm, span->slot,
                span->started, span->ended);
    }
    fputs("]}", to);
}
