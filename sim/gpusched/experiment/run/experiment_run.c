/* experiment_run - one run of an experiment; see experiment_run.h. */

#include "gpusched/experiment/run/experiment_run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_file.h"
#include "base/places.h"
#include "gpusched/experiment/run/experiment_spans.h"
#include "gpusched/run/session.h"
#include "tool/memory_file.h"

/* What a run is made of. */
struct run {
    const struct experiment_point *point;
    struct session session;
    FILE *said; /* by its RTL; NULL without */
    struct spans spans;
    char name[80]; /* of the files of a report */
};

/* ---- Reasons ------------------------------------------------------------------------- */

/* Says why the run has failed, or why it could not be done. What its surroundings lack is not
 * the run's fault: it has no result then. */
static enum experiment_status refuse(const char *what, const struct fault *fault)
{
    fprintf(stderr, "%s%s", what, fault_text(fault));
    return fault->kind == FAULT_SURROUNDINGS ? RUN_ABORTED : RUN_FAILED;
}

/* Says what its surroundings did not give the run. */
static enum experiment_status give_up(const char *why)
{
    fputs(why, stderr);
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
static void say_difference(const struct run *run, const struct rtl_compared *unit,
                           uint64_t where)
{
    char path[EXPERIMENT_PATH];

    fflush(stdout);
    mkdir(places_reports(), 0777);
    snprintf(path, sizeof path, "%s/%s-%s.txt", places_reports(), unit->unit, run->name);
    fprintf(stderr, "the RTL of %s differs from its model in cycle %" PRIu64 ": ", unit->unit,
            where);
    if (keep_report(run->said, path)) {
        fprintf(stderr, "report in %s", path);
    } else {
        fprintf(stderr, "%s: %s", path, strerror(errno));
    }
}

/* ---- Results ------------------------------------------------------------------------- */

/* Returns false, and says so, if there is a difference. */
static bool write_lockstep(const struct run *run, FILE *to)
{
    struct rtl_compared units[RTL_UNITS];
    uint64_t where;
    bool equal = true;
    const struct rtl_peer *const peer = run->session.peer;
    const uint32_t n = peer == NULL ? 0u : rtl_peer_compared(peer, units, &where);

    for (uint32_t i = 0u; i < n; i++) {
        fprintf(to,
                "%s{\"unit\":\"%s\",\"mode\":\"%s\",\"instances\":%" PRIu32
                ",\"cycles\":%" PRIu64 ",\"differences\":%" PRIu32 "}%s",
                i == 0u ? "lockstep [" : ",", units[i].unit, units[i].mode, units[i].instances,
                units[i].cycles, units[i].differences, i + 1u == n ? "]\n" : "");
        if (units[i].differences != 0u) {
            equal = false;
            say_difference(run, &units[i], where);
        }
    }
    return equal;
}

static void write_spans(const struct run *run, const struct gpu_stats *stats, FILE *to)
{
    if (run->point->ctas && run->session.outcome.end == GPU_DONE) {
        fputs("ctas ", to);
        spans_write(&run->spans, stats, to);
        fputc('\n', to);
    }
}

static enum experiment_status report(struct run *run, FILE *to, FILE *observed)
{
    struct result result = session_result(&run->session, &run->point->config);

    if (run->spans.lost) {
        result.message = "no memory";
    }
    write_spans(run, result.stats, observed);
    if (!result_json_write(&result, to) || !output_written(to) || !output_written(observed)) {
        return give_up("no memory for the result");
    }
    if (session_holds(&run->session, &result)) {
        return RUN_DONE;
    }
    if (run->spans.lost && result.end != GPU_DONE) {
        fault_by(&run->session.fault, FAULT_SURROUNDINGS);
    }
    return refuse("", &run->session.fault);
}

/* ---- The run ------------------------------------------------------------------------- */

static enum experiment_status open_run(struct run *run, const struct experiment_key *key)
{
    const struct experiment_point *const point = run->point;
    const struct workload_choice choice = experiment_point_workload(point);

    if (!session_load(&run->session, &choice, &point->config)) {
        return refuse("bad input: ", &run->session.fault);
    }
    if (point->ctas && !spans_open(&run->spans, &point->config)) {
        return give_up("no memory for its CTAs");
    }
    return open_peer(run, key) ? RUN_DONE : give_up("the RTL cannot be had");
}

static bool execute(struct run *run)
{
    struct gpu_hooks hooks = { .monitor = run->point->ctas ? &run->spans.monitor : NULL };
    struct workload_machine machine = { .config = &run->point->config };

    return session_run(&run->session, &machine, &hooks);
}

static enum experiment_status run_all(struct run *run, const struct experiment_key *key,
                                      FILE *result, FILE *observed)
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
    if (!write_lockstep(run, observed)) {
        return output_written(observed) ? RUN_FAILED : give_up("no memory for the result");
    }
    return ran ? report(run, result, observed) : refuse("bad input: ", &run->session.fault);
}

enum experiment_status experiment_run(const struct experiment_point *point,
                                      const struct experiment_key *key, FILE *result,
                                      FILE *observed)
{
    struct run run = { .point = point };
    const enum experiment_status status = run_all(&run, key, result, observed);

    if (is_as_named(point, key)) {
        return status;
    }
    /* Whatever it came to, it was another run. */
    fputs(status == RUN_DONE ? "" : "\n", stderr);
    return give_up("a file of the workload or of the RTL cannot be read or has changed since "
                   "the experiment began");
}
