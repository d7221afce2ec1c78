/* replay - a vector file on the model and on its RTL; see lockstep.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lockstep/lockstep.h"
#include "lockstep/report.h"
#include "lockstep/rtl.h"
#include "lockstep/vectors.h"

struct replay {
    struct vector_reader *reader;
    struct unit *model;
    struct rtl *rtl; /* NULL: the model alone */
    void *out;       /* as the file says */
    void *state;
};

static void difference(const struct replay *replay, const char *subject, uint64_t cycle,
                       const struct unit_difference *differences, uint32_t n)
{
    char title[UNIT_TITLE];

    printf("DIFFERENCE %s, in the %s\n", unit_title(replay->model, title), subject);
    if (replay->rtl != NULL) {
        printf("  rtl        %s\n", rtl_source(replay->rtl));
    }
    printf("  cycle      %" PRIu64 " of the vectors\n\n", cycle);
    report_differences(stdout, differences, n);
}

/* The model against the file, then the RTL against the model. */
static bool cycle_equal(const struct replay *replay, uint64_t cycle)
{
    const struct unit *const model = replay->model;
    struct unit_difference differences[REPORT_DIFFERENCES];
    uint32_t n =
        unit_compare(model, UNIT_OUT, replay->out, model->out, differences, REPORT_DIFFERENCES);

    n += unit_compare(model, UNIT_REG, replay->state, unit_state(model), differences + n,
                      REPORT_DIFFERENCES - n);
    if (n > 0u) {
        difference(replay, "golden model", cycle, differences, n);
        return false;
    }
    if (replay->rtl != NULL && !rtl_equal(replay->rtl)) {
        n = rtl_compare(replay->rtl, differences, REPORT_DIFFERENCES);
        difference(replay, "RTL", cycle, differences, n);
        return false;
    }
    return true;
}

static void cycle_tick(const struct replay *replay, bool reset)
{
    if (replay->rtl != NULL) {
        rtl_tick(replay->rtl, reset);
    }
    unit_edge(replay->model, reset);
}

static int run(const struct replay *replay)
{
    struct unit *const model = replay->model;
    char title[UNIT_TITLE];
    uint64_t cycle = 0u;
    bool reset;
    int read;

    while ((read = vector_read(replay->reader, &reset, model->in, replay->out, replay->state))
           > 0) {
        unit_eval(model);
        if (replay->rtl != NULL) {
            rtl_eval(replay->rtl, reset);
        }
        if (cycle > 0u && !cycle_equal(replay, cycle)) {
            return 1;
        }
        cycle_tick(replay, reset);
        cycle++;
    }
    if (read < 0) {
        return 2;
    }
    printf("equal  %-56s %" PRIu64 " cycles of vectors, %s%s\n", unit_title(model, title),
           cycle, replay->rtl == NULL ? "golden model" : "golden model and RTL ",
           replay->rtl == NULL ? "" : rtl_source(replay->rtl));
    return 0;
}

static bool open_rtl(struct replay *replay, const struct replay_options *options)
{
    char library[1024];

    if (rtl_find(replay->model, options->library, library, sizeof library)) {
        replay->rtl = rtl_open(replay->model, library);
    }
    return replay->rtl != NULL;
}

int lockstep_replay(const struct replay_options *options)
{
    struct replay replay = { .reader = NULL };
    int status = 2;

    replay.reader = vector_reader_open(options->vectors, &replay.model);
    if (replay.reader == NULL) {
        return status;
    }
    replay.out = calloc(1u, replay.model->type->group_size[UNIT_OUT]);
    replay.state = calloc(1u, replay.model->type->group_size[UNIT_REG]);
    if (replay.out == NULL || replay.state == NULL) {
        fprintf(stderr, "%s: no memory\n", options->vectors);
    } else if (options->model_only || open_rtl(&replay, options)) {
        status = run(&replay);
    }
    rtl_close(replay.rtl);
    free(replay.out);
    free(replay.state);
    vector_reader_close(replay.reader);
    unit_close(replay.model);
    return status;
}
