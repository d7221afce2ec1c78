/* experiment_run - one run of an experiment; see experiment_run.h. */

#include "gpusched/experiment/run/experiment_run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "base/places.h"
#include "exec/exec_footprint.h"
#include "gpusched/experiment/run/experiment_spans.h"
#include "gpusched/run/session.h"
#include "tool/memory_file.h"

/* A text that grows. */
struct text {
    FILE *to; /* NULL: none */
    char *text;
    size_t size;
};

/* What a run is made of. */
struct run {
    const struct experiment_point *point;
    struct session session;
    FILE *said; /* by its RTL; NULL without */
    struct spans spans;
    struct exec_footprint *footprint; /* NULL: nobody asks */
    char name[80];                    /* of the files of a report */
    /* What it comes to. */
    struct text why; /* it is not done */
    struct text result;
    struct text lockstep;
    struct text ctas;
};

/* ---- Texts --------------------------------------------------------------------------- */

static bool open_texts(struct run *run)
{
    struct text *const texts[] = { &run->why, &run->result, &run->lockstep, &run->ctas };
    bool good = true;

    for (size_t i = 0u; i < sizeof texts / sizeof texts[0]; i++) {
        texts[i]->to = open_memstream(&texts[i]->text, &texts[i]->size);
        good = good && texts[i]->to != NULL;
    }
    return good;
}

/* *taken: to be freed; NULL if it is empty. False if there was no memory for it. */
static bool close_text(struct text *text, char **taken)
{
    *taken = NULL;
    if (text->to == NULL || !output_text_close(text->to, &text->text)) {
        return false;
    }
    if (text->text[0] == '\0') {
        free(text->text);
        return true;
    }
    *taken = text->text;
    return true;
}

/* False if there was no memory for one of them. */
static bool close_texts(struct run *run, struct experiment_outcome *outcome)
{
    const bool why = close_text(&run->why, &outcome->error);
    const bool result = close_text(&run->result, &outcome->result);
    const bool lockstep = close_text(&run->lockstep, &outcome->lockstep);
    const bool ctas = close_text(&run->ctas, &outcome->ctas);

    return why && result && lockstep && ctas;
}

/* ---- Reasons ------------------------------------------------------------------------- */

/* Says why the run has failed, or why it could not be done. What its surroundings lack is not
 * the run's fault: it has no result then. */
static enum experiment_status refuse(struct run *run, const char *what,
                                     const struct fault *fault)
{
    fprintf(run->why.to, "%s%s", what, fault_text(fault));
    return fault->kind == FAULT_SURROUNDINGS ? RUN_ABORTED : RUN_FAILED;
}

/* Says what its surroundings did not give the run. */
static enum experiment_status give_up(struct run *run, const char *why)
{
    fputs(why, run->why.to);
    return RUN_ABORTED;
}

/* ---- Checks -------------------------------------------------------------------------- */

/* A file that was changed since the run was named is not what was run. */
static bool is_as_named(const struct experiment_point *point, const struct experiment_key *key)
{
    struct experiment_key now;
    struct fault fault;

    return experiment_key_make(point, NULL, &now, NULL, &fault)
           && strcmp(now.text, key->text) == 0;
}

/* ---- Lockstep ------------------------------------------------------------------------ */

/* The peer prints the report of a difference, which goes to a file of its own. */
static bool open_peer(struct run *run, const struct experiment_key *key)
{
    struct rtl_options options = run->point->rtl;

    if (options.mode == RTL_OFF) {
        return true;
    }
    snprintf(run->name, sizeof run->name, "%.40s-%.12s", run->session.workload.name, key->text);
    options.name = run->name;
    const bool watched =
        session_watch(&run->session, &options, &run->point->config, run->point->gpu_label);
    run->said = watched ? memory_file() : NULL;
    return run->said != NULL && dup2(fileno(run->said), STDOUT_FILENO) >= 0;
}

/* Copies the report. Returns false with errno. */
static bool keep_report(FILE *said, const char *path)
{
    struct output_file file;
    char bytes[4096];
    size_t n;

    if (!output_file_open(&file, path)) {
        return false;
    }
    rewind(said);
    while ((n = fread(bytes, 1u, sizeof bytes, said)) != 0u) {
        fwrite(bytes, 1u, n, file.to);
    }
    return output_file_commit(&file);
}

/* Says where the report of a difference lies. */
static void say_difference(struct run *run, const struct rtl_compared *unit, uint64_t where)
{
    char path[EXPERIMENT_PATH];

    fflush(stdout);
    mkdir(places_reports(), 0777);
    snprintf(path, sizeof path, "%s/%s-%s.txt", places_reports(), unit->unit, run->name);
    fprintf(run->why.to, "RTL and golden model of %s differ in cycle %" PRIu64 ": ", unit->unit,
            where);
    if (keep_report(run->said, path)) {
        fprintf(run->why.to, "report in %s", path);
    } else {
        fprintf(run->why.to, "%s: %s", path, strerror(errno));
    }
}

/* ---- Results ------------------------------------------------------------------------- */

/* Returns false, and says so, if there is a difference. */
static bool write_lockstep(struct run *run)
{
    FILE *const to = run->lockstep.to;
    struct rtl_compared units[GPU_MAX_UNITS];
    uint64_t where;
    bool equal = true;
    const struct rtl_peer *const peer = run->session.peer;
    const uint32_t n = peer == NULL ? 0u : rtl_peer_compared(peer, units, &where);

    for (uint32_t i = 0u; i < n; i++) {
        fprintf(to,
                "%s{\"unit\":\"%s\",\"mode\":\"%s\",\"instances\":%" PRIu32
                ",\"cycles\":%" PRIu64 ",\"differences\":%" PRIu32,
                i == 0u ? "[" : ",", units[i].unit, units[i].mode, units[i].instances,
                units[i].cycles, units[i].differences);
        if (units[i].within != NULL) {
            fprintf(to, ",\"within\":\"%s\"", units[i].within);
        }
        if (run->point->rtl.library != NULL) {
            fprintf(to, ",\"verilog\":\"%s\"", units[i].source);
        }
        fputs(i + 1u == n ? "}]" : "}", to);
        if (units[i].differences != 0u) {
            equal = false;
            say_difference(run, &units[i], where);
        }
    }
    return equal;
}

static enum experiment_status report(struct run *run)
{
    struct result result = session_result(&run->session, &run->point->config);

    result.not_calibrated = run->point->not_calibrated;
    result.footprint = run->footprint;
    if (run->spans.lost) {
        return give_up(run, "no memory for its CTAs");
    }
    if (run->point->ctas && result.end == GPU_DONE) {
        spans_write(&run->spans, result.stats, run->ctas.to);
    }
    if (!result_json_write(&result, run->result.to)) {
        return give_up(run, "no memory for the result");
    }
    if (session_holds(&run->session, &result)) {
        return RUN_DONE;
    }
    return refuse(run, "", &run->session.fault);
}

/* ---- The run ------------------------------------------------------------------------- */

static enum experiment_status open_run(struct run *run, const struct experiment_key *key)
{
    const struct experiment_point *const point = run->point;
    const struct workload_choice choice = experiment_point_workload(point);

    if (!session_load(&run->session, &choice, &point->config)) {
        return refuse(run, "bad input: ", &run->session.fault);
    }
    if (point->ctas && !spans_open(&run->spans, &point->config)) {
        return give_up(run, "no memory for its CTAs");
    }
    run->footprint = point->footprint ? exec_footprint_open(FOOTPRINT_BYTES) : NULL;
    if ((run->footprint != NULL) != point->footprint) {
        return give_up(run, "no memory for its footprints");
    }
    return open_peer(run, key) ? RUN_DONE : give_up(run, "the RTL cannot be had");
}

static bool execute(struct run *run)
{
    struct gpu_hooks hooks = { .monitor = run->point->ctas ? &run->spans.monitor : NULL };
    struct workload_machine machine = { .config = &run->point->config,
                                        .footprint = run->footprint };

    return session_run(&run->session, &machine, &hooks);
}

static enum experiment_status run_all(struct run *run, const struct experiment_key *key)
{
    const enum experiment_status opened = open_run(run, key);

    if (opened != RUN_DONE) {
        return opened;
    }
    const bool ran = execute(run);
    if (run->session.peer != NULL && rtl_peer_lost(run->session.peer)) {
        return RUN_ABORTED; /* it has said why */
    }
    /* After a difference there is no result. */
    if (!write_lockstep(run)) {
        return RUN_FAILED;
    }
    return ran ? report(run) : refuse(run, "bad input: ", &run->session.fault);
}

static enum experiment_status run_as_named(struct run *run, const struct experiment_key *key)
{
    const enum experiment_status status = run_all(run, key);

    if (is_as_named(run->point, key)) {
        return status;
    }
    /* Whatever it came to, it was another run. */
    fputc('\n', run->why.to);
    return give_up(run, "a file of the workload or of the RTL cannot be read or has changed "
                        "since the experiment began");
}

bool experiment_run(const struct experiment_point *point, const struct experiment_key *key,
                    struct experiment_outcome *outcome)
{
    struct run run = { .point = point };
    const enum experiment_status status =
        open_texts(&run) ? run_as_named(&run, key) : RUN_ABORTED;
    struct experiment_outcome all = { .status = status };
    const bool good = close_texts(&run, &all);

    if (status == RUN_ABORTED) {
        *outcome = (struct experiment_outcome){ .status = status, .error = all.error };
        all.error = NULL;
        experiment_outcome_free(&all);
    } else {
        *outcome = all;
    }
    return good;
}
