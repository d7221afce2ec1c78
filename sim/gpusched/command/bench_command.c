/*
 * bench_command - runs the four kernels of the speed comparison, each in a process of its own,
 * several times, and prints the fastest of them beside what other simulators need for kernels
 * of the same shape.
 */

#include "gpusched/command/bench_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpusched/run/machine_parse.h"
#include "gpusched/run/session.h"
#include "tool/arguments.h"
#include "tool/format.h"

enum { SIZES = 2 };
static const uint32_t sizes[SIZES] = { 30u, 60u }; /* SMs */

/* Accel-Sim 1.x with a 30-SM Turing configuration, on one core of a 2-core machine: medians of
 * three runs of CUDA kernels with 640 CTAs of 256 threads. */
static const struct peer {
    const char *kernel;
    const char *workload; /* with as many instructions, within 1 %, and the same footprint */
    double rate;          /* warp instructions a second */
    double memory;        /* MB */
} peers[] = {
    { "stream", "peer-stream", 9160.0, 229.0 },
    { "compute", "compute", 112400.0, 188.0 },
    { "tile", "tile", 44700.0, 243.0 },
    { "scatter", "peer-scatter", 651.0, 187.0 },
};
enum { PEERS = sizeof peers / sizeof peers[0] };

struct outcome {
    uint64_t instructions;
    uint64_t cycles;
    double seconds; /* of CPU */
    double memory;  /* MB, at most */
};

/* ---- One run ------------------------------------------------------------------------- */

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

struct bench_options {
    uint64_t runs;
    bool naive;
    struct machine_options machine; /* what --set changes */
    bool some;                      /* kernels have been named: */
    bool wanted[PEERS];             /* these */
};

/* Of so many SMs, in clusters of five. */
static struct gpu_config config_of(const struct bench_options *options, uint32_t sms)
{
    struct gpu_config config;
    struct fault fault;

    if (machine_options_config(&options->machine, &config, &fault) != MACHINE_GOOD) {
        bad_input("bench", "--set: %s", fault_text(&fault));
    }
    config.sm.count = sms;
    config.cluster.count = sms / 5u;
    if (gpu_config_fault(&config, &fault) != NULL) {
        bad_input("bench", "--set: with %" PRIu32 " SMs: %s", sms, fault_text(&fault));
    }
    return config;
}

/* Returns false with a fault in the session, which is left open. */
static bool run(struct session *session, const char *kernel, const struct gpu_config *config,
                unsigned mode, struct outcome *out)
{
    const struct workload_choice choice = { .name = kernel };
    struct workload_machine machine = { .config = config, .mode = mode };
    struct gpu_hooks hooks = { .monitor = NULL };
    if (!session_load(session, &choice, config) || !session_run(session, &machine, &hooks)) {
        return false;
    }
    const struct result result = session_result(session, config);
    *out = (struct outcome){ .cycles = result.stats->cycles,
                             .seconds = session->processor_seconds,
                             .memory = peak_memory() };
    for (uint32_t i = 0u; i < result.stats->n_sm; i++) {
        out->instructions += result.stats->sm[i].warp_instructions;
    }
    return session_holds(session, &result);
}

/* The same in a child, whose memory is its own. */
static struct outcome run_alone(const char *kernel, const struct gpu_config *config,
                                unsigned mode)
{
    struct outcome out = { 0u, 0u, 0.0, 0.0 };
    int ends[2];
    if (pipe(ends) != 0) {
        bad_input("bench", "no pipe to a child process");
    }
    const pid_t child = fork();
    if (child == 0) {
        struct session session = { .peer = NULL };
        close(ends[0]);
        if (!run(&session, kernel, config, mode, &out)) {
            bad_input("bench", "%s", fault_text(&session.fault));
        }
        _exit(write(ends[1], &out, sizeof out) == (ssize_t)sizeof out ? 0 : BAD_INPUT);
    }
    close(ends[1]);
    const bool whole = read(ends[0], &out, sizeof out) == (ssize_t)sizeof out;
    close(ends[0]);
    int status = 0;
    (void)waitpid(child, &status, 0);
    if (child < 0 || !whole) {
        exit(BAD_INPUT); /* the child has said why */
    }
    return out;
}

static struct outcome fastest_of(const char *kernel, uint32_t sms,
                                 const struct bench_options *options)
{
    const struct gpu_config config = config_of(options, sms);
    const unsigned mode = options->naive ? GPU_NAIVE : 0u;
    struct outcome best = run_alone(kernel, &config, mode);
    for (uint64_t n = 1u; n < options->runs; n++) {
        const struct outcome next = run_alone(kernel, &config, mode);
        if (next.seconds < best.seconds) {
            best = next;
        }
    }
    return best;
}

/* ---- The table ----------------------------------------------------------------------- */

static void print_row(const struct peer *peer, uint32_t sms, const struct outcome *run)
{
    const double rate = (double)run->instructions / run->seconds;
    printf("%-8s %4u  %12s  %10s  %11s  %11s  %6.1f MB", peer->kernel, sms,
           format_count(run->instructions).text, format_count(run->cycles).text,
           format_unit(rate, "").text, format_unit((double)run->cycles / run->seconds, "").text,
           run->memory);
    if (sms == sizes[0]) {
        printf("    %11s  %5.0f x  %5.0f MB", format_unit(peer->rate, "").text,
               rate / peer->rate, peer->memory);
    }
    printf("\n");
    fflush(stdout);
}

static void print_table(const struct bench_options *options)
{
    printf("%-72s    Accel-Sim, 30 SMs\n",
           options->naive ? "This model, all fast paths switched off" : "This model");
    printf("kernel    SMs   warp instr.      cycles   instr. / s   cycles / s     memory     "
           "instr. / s    ratio    memory\n");
    for (size_t k = 0u; k < PEERS; k++) {
        for (uint32_t n = 0u; n < SIZES && (options->wanted[k] || !options->some); n++) {
            const struct outcome best = fastest_of(peers[k].workload, sizes[n], options);
            print_row(&peers[k], sizes[n], &best);
        }
    }
    printf("\nCPU time, the fastest of %llu runs; reading the workload is not counted. Each "
           "kernel has 640 CTAs\nof 256 threads; Accel-Sim 1.x ran CUDA kernels of the same "
           "shape on a machine of the same kind.\n",
           (unsigned long long)options->runs);
}

/* ---- Command line -------------------------------------------------------------------- */

static const struct argp_option option_table[] = {
    { "runs", 'r', "N", 0,
      "runs of each kernel, 1 to 1000, of which the fastest counts; 5 if not given", 0 },
    { "naive", 'n', NULL, 0, "with all fast paths switched off", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0,
      "changes the configuration, but for sm.count and cluster.count: l2.sector=32", 0 },
    HELP_OPTION,
    { 0 },
};

static void want(struct bench_options *options, const char *kernel)
{
    size_t k = 0u;

    while (k < PEERS && strcmp(peers[k].kernel, kernel) != 0) {
        k++;
    }
    if (k == PEERS) {
        bad_input("bench", "%s: no such kernel; allowed: stream, compute, tile, scatter",
                  kernel);
    }
    options->some = true;
    options->wanted[k] = true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct bench_options *const options = state->input;
    switch (key) {
    case 'r':
        options->runs = whole_number("bench", "runs", argument, 1u, 1000u);
        return 0;
    case 'n':
        options->naive = true;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ARG:
        want(options, argument);
        return 0;
    case ARGP_KEY_ERROR:
        bad_option("bench", option_table, state);
    default:
        return machine_parse("bench", key, argument, &options->machine);
    }
}

static const char doc[] =
    "Measures how fast the model runs, beside other simulators: four kernels, or those that "
    "are "
    "named, on 30 and 60 SMs."
    "\v"
    "Examples:\n"
    "  gpusched bench --runs=1                        of each kernel one run\n"
    "  gpusched bench tile                            the fastest of five\n"
    "  gpusched bench tile --runs=1 --naive           what the fast paths are worth\n"
    "  gpusched bench scatter --set l2.sector=32      on another GPU\n"
    "\n"
    "Times are of the CPU, and differ from one machine to the next.\n"
    "\n"
    "Exit status: 0 done, 2 bad input, or output that cannot be written.";

static const struct argp argp = { option_table, parse, "[KERNEL...]", doc, NULL, NULL, NULL };

static int bench(int argc, char **argv)
{
    struct bench_options options = { .runs = 5u };
    arguments_parse(&argp, argc, argv, &options);
    for (uint32_t n = 0u; n < SIZES; n++) {
        (void)config_of(&options, sizes[n]); /* what is wrong is said before the table's head */
    }
    print_table(&options);
    return 0;
}

const struct command bench_command = {
    .name = "bench",
    .title = "measures how fast the model runs",
    .argp = &argp,
    .run = bench,
};
