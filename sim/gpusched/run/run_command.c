/* run_command - runs a workload; see run_command.h. */

#include "gpusched/run/run_command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec_check.h"
#include "exec/exec_footprint.h"
#include "gpusched/result/host_json.h"
#include "gpusched/result/nested.h"
#include "gpusched/result/result_json.h"
#include "gpusched/result/summary.h"
#include "gpusched/run/launches.h"
#include "gpusched/run/program_alone.h"
#include "gpusched/run/recorder.h"
#include "gpusched/run/run_options.h"
#include "gpusched/run/session.h"
#include "tool/arguments.h"
#include "tool/format.h"
#include "tool/output.h"

enum { FAILED = 1, MOST_PLACES = 20 };

struct run {
    struct run_options options;
    struct gpu_config config;
    uint32_t not_calibrated; /* of its values */
    struct session session;
    struct output output;
    struct recorder *recorder;
    struct launches launches;         /* without timing, of a GPU */
    struct exec_check *check;         /* NULL without --check */
    struct exec_footprint *footprint; /* the same */
    struct host host;
    uint64_t alone[WORKLOAD_PROGRAMS]; /* cycles of each of several programs */
    struct fault fault;
};

/* ---- Reading ------------------------------------------------------------------------- */

static bool read_config(struct run *run)
{
    return machine_options_config(&run->options.machine, &run->config, &run->fault)
           == MACHINE_GOOD;
}

/* How many of its values follow no public source. */
static bool read_sources(struct run *run)
{
    struct gpu_source sources[GPU_KEYS];

    return machine_options_sources(&run->options.machine, &run->config, sources,
                                   &run->not_calibrated, &run->fault);
}

/* ---- Running ------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool stop(void)
{
    return interrupted != 0;
}

/* The first signal stops the run, and its statistics are written; the second of its kind kills.
 * What is ignored stays so: shells ask for it for what runs in the background. */
static void catch_signals(void)
{
    static const int stops[] = { SIGINT, SIGTERM };
    const struct sigaction action = { .sa_handler = interrupt,
                                      .sa_flags = (int)(SA_RESETHAND | SA_RESTART) };
    struct sigaction before;

    for (size_t i = 0u; i < sizeof stops / sizeof stops[0]; i++) {
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(stops[i], &action, NULL);
        }
    }
}

static bool open_output(struct run *run)
{
    return run->options.folder == NULL
           || output_open(&run->output, run->options.folder, &run->fault);
}

static bool open_recorder(struct run *run)
{
    const struct run_options *const options = &run->options;
    const struct {
        bool wanted;
        const char *name;
    } wanted[] = {
        { options->timeline, "timeline.json" },
        { options->series, "series.csv" },
        { options->series_sm, "series_sm.csv" },
    };
    FILE *files[3] = { NULL };

    for (int i = 0; i < 3; i++) {
        if (wanted[i].wanted) {
            files[i] = output_file(&run->output, wanted[i].name, &run->fault);
            if (files[i] == NULL) {
                return false;
            }
        }
    }
    run->recorder = recorder_open(&run->config, NULL, 0u,
                                  &(struct recorder_options){
                                      .interval = options->interval,
                                      .timeline = files[0],
                                      .series = files[1],
                                      .series_sm = files[2],
                                      .progress = !options->quiet,
                                      .stop = stop,
                                  });
    if (run->recorder == NULL) {
        fault_surroundings(&run->fault, "no memory");
    }
    return run->recorder != NULL;
}

static bool open_peer(struct run *run)
{
    const struct rtl_options *const rtl = &run->options.rtl;

    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);

    /* Beside a part that does nothing RTL may stand; vectors of it would be of no use. */
    for (uint32_t k = 0u; k < n && !rtl->active; k++) {
        const bool there = rtl->mode != RTL_OFF ? gpu_unit_there(&units[k], &run->config)
                                                : gpu_unit_active(&units[k], &run->config);
        if ((rtl->units >> k & 1u) != 0u && !there
            && gpu_unit_row(units[k].type, &run->config) == k) {
            return fault_set(&run->fault, "%s: the GPU does not use it; allowed: with --set %s",
                             units[k].type->name, gpu_unit_needs(&units[k]));
        }
    }
    return session_watch(&run->session, rtl, &run->config, run->options.machine.gpu);
}

static void warn(void *self, const char *text)
{
    (void)self;
    fprintf(stderr, "gpusched run: warning: %s\n", text);
}

static bool open_check(struct run *run)
{
    const struct workload_choice *const wanted = &run->options.workload;

    run->check = wanted->check ? exec_check_open() : NULL;
    run->footprint = wanted->footprint ? exec_footprint_open(FOOTPRINT_BYTES) : NULL;
    return ((run->check != NULL) == wanted->check
            && (run->footprint != NULL) == wanted->footprint)
           || fault_surroundings(&run->fault, "no memory");
}

/* The exit status, which is not 0 if something was found. */
static int close_check(struct run *run, int status)
{
    if (run->check == NULL) {
        return status;
    }
    const bool found = exec_check_found(run->check) != 0u;
    exec_check_print(run->check, MOST_PLACES, "gpusched run: check: ", stderr);
    if (!found && status == 0 && !run->options.quiet) {
        printf("checked: nothing found\n");
    }
    exec_check_close(run->check);
    run->check = NULL;
    return status == 0 && found ? FAILED : status;
}

static bool run_machine(struct run *run)
{
    struct gpu_hooks hooks = { .monitor = recorder_monitor(run->recorder) };
    struct workload_machine machine = {
        .config = &run->config,
        .mode = run->options.mode,
        .launched = recorder_launched,
        .launched_self = run->recorder,
        .warn = warn,
        .check = run->check,
        .footprint = run->footprint,
    };

    catch_signals();
    if (!session_run(&run->session, &machine, &hooks)) {
        return false;
    }
    if (recorder_lost(run->recorder)) {
        return fault_surroundings(&run->fault, "no memory for the timeline");
    }
    run->host.mode = run->options.mode;
    run->host.wall_seconds = run->session.wall_seconds;
    run->host.cpu_seconds = run->session.processor_seconds;
    if (!session_abandoned(&run->session)) {
        recorder_end(run->recorder, workload_gpu(&run->session.workload));
    }
    return true;
}

/* Each program without the others. */
static bool run_alone(struct run *run)
{
    const struct workload_program *programs[WORKLOAD_PROGRAMS];
    const bool wanted = run->options.alone && !session_abandoned(&run->session)
                        && run->session.outcome.end == GPU_DONE;
    const uint32_t n = wanted ? workload_programs(&run->session.workload, programs) : 0u;
    bool good = true;

    for (uint32_t i = 0u; good && i < n; i++) {
        good = program_alone(programs[i], &run->options, &run->config, stop, &run->alone[i],
                             &run->fault);
    }
    return good;
}

/* ---- Results ------------------------------------------------------------------------- */

static bool write_files(struct run *run, const struct result *result)
{
    static const char *const optional[] = { "timeline.json", "series.csv", "series_sm.csv",
                                            NULL };
    FILE *const to = output_file(&run->output, "result.json", &run->fault);
    FILE *const host = to == NULL ? NULL : output_file(&run->output, "host.json", &run->fault);

    if (host == NULL) {
        return false;
    }
    const bool whole =
        result_json_write(result, to) && host_json_write(&run->host, result->stats, host);
    if (!whole && ferror(to) == 0 && ferror(host) == 0) {
        return fault_surroundings(&run->fault, "no memory for the results");
    }
    return output_commit(&run->output, optional, &run->fault);
}

/* Then there are no results, and not a word after its report. */
static int abandon(struct run *run)
{
    recorder_free(run->recorder);
    run->recorder = NULL;
    output_abandon(&run->output);
    return rtl_peer_differs(run->session.peer) ? FAILED : BAD_INPUT;
}

/* The exit status. */
static int report(struct run *run)
{
    if (session_abandoned(&run->session)) {
        return abandon(run);
    }
    struct result result = session_result(&run->session, &run->config);

    memcpy(result.alone, run->alone, sizeof result.alone);
    result.footprint = run->footprint;
    result.not_calibrated = run->not_calibrated;
    /* Before anything is printed: whoever reads that may have gone. */
    if (run->options.folder != NULL && !write_files(run, &result)) {
        output_abandon(&run->output);
        fprintf(stderr, "gpusched run: %s\n", fault_text(&run->fault));
        return BAD_INPUT;
    }
    if (!run->options.quiet) {
        summary_print(&result, run->options.machine.gpu, stdout);
    }
    if (!session_holds(&run->session, &result)) {
        fprintf(stderr, "gpusched run: %s\n", fault_text(&run->session.fault));
        return FAILED;
    }
    return 0;
}

/* Why it could not be run, unless that has been said. */
static void say(const struct run *run)
{
    const struct fault *const fault =
        run->fault.kind != FAULT_NONE ? &run->fault : &run->session.fault;

    if (fault->kind != FAULT_NONE) {
        fprintf(stderr, "gpusched run: %s\n", fault_text(fault));
    }
}

/* ---- Without timing ------------------------------------------------------------------ */

static int report_functional(struct run *run)
{
    const struct workload *const workload = &run->session.workload;
    const struct workload_outcome *const outcome = &run->session.outcome;

    if (outcome->end != GPU_DONE) {
        fprintf(stderr, "gpusched run: %s: %s\n", end_name(outcome->end),
                workload_said(outcome));
        return FAILED;
    }
    if (outcome->verdict == WRONG) {
        fprintf(stderr, "gpusched run: wrong result: %s\n", workload_said(outcome));
        return FAILED;
    }
    if (!run->options.quiet) {
        printf("%s%s%s: %s warp instructions\n", workload->name,
               workload->size == NULL ? "" : " ", workload->size == NULL ? "" : workload->size,
               format_count(workload_instructions(workload)).text);
        if (outcome->verdict == RIGHT) {
            printf("verified: %s\n", workload_said(outcome));
        }
        if (run->options.machine.gpu != NULL) {
            launches_print(&run->launches, &run->config, stdout);
        }
        if (run->footprint != NULL) {
            footprints_print(run->footprint, stdout);
        }
    }
    return 0;
}

static int run_functional(struct run *run)
{
    const bool good = read_config(run) && open_check(run);
    struct workload_machine machine = {
        .limits = &run->config,
        .launched = launches_note,
        .launched_self = &run->launches,
        .warn = warn,
        .check = run->check,
        .footprint = run->footprint,
    };
    struct gpu_hooks hooks = { .monitor = NULL };

    if (!good || !session_load(&run->session, &run->options.workload, NULL)
        || !session_run(&run->session, &machine, &hooks)) {
        say(run);
        return BAD_INPUT;
    }
    if (run->launches.lost) {
        fault_surroundings(&run->fault, "no memory for the table of launches");
        say(run);
        return BAD_INPUT;
    }
    return report_functional(run);
}

/* The exit status. */
static int run_timed(struct run *run)
{
    if (read_config(run) && read_sources(run) && open_check(run)
        && session_load(&run->session, &run->options.workload, &run->config) && open_peer(run)
        && open_output(run) && open_recorder(run) && run_machine(run) && run_alone(run)) {
        const int status = report(run);
        if (run->session.peer != NULL && status == 0 && !run->options.quiet) {
            rtl_peer_print(run->session.peer, stdout);
        }
        return status;
    }
    if (session_abandoned(&run->session)) {
        return abandon(run); /* without a word after the report */
    }
    recorder_free(run->recorder); /* ends its files, which are closed next */
    run->recorder = NULL;
    output_abandon(&run->output);
    say(run);
    return BAD_INPUT;
}

static int run_or_record(bool record, int argc, char **argv)
{
    struct run *const run = calloc(1u, sizeof *run);

    if (run == NULL) {
        fputs("gpusched run: no memory\n", stderr);
        return BAD_INPUT;
    }
    run_options_parse(&run->options, record, argc, argv);
    run->host.argc = argc;
    run->host.argv = argv;
    run->host.gpu = run->options.machine.gpu;
    const int status =
        close_check(run, run->options.functional ? run_functional(run) : run_timed(run));
    const bool closed = session_close(&run->session, status != BAD_INPUT);
    exec_footprint_close(run->footprint);
    recorder_free(run->recorder);
    launches_free(&run->launches);
    free(run);
    return closed ? status : BAD_INPUT;
}

static int run_main(int argc, char **argv)
{
    return run_or_record(false, argc, argv);
}

static int record_main(int argc, char **argv)
{
    return run_or_record(true, argc, argv);
}

const struct command run_command = {
    .name = "run",
    .title = "runs a workload on a GPU",
    .argp = &run_argp,
    .run = run_main,
};
const struct command record_command = {
    .name = "record",
    .title = "runs a workload and writes a unit's vectors",
    .argp = &record_argp,
    .run = record_main,
};
