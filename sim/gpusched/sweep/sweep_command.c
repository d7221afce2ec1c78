/* sweep_command - see sweep_command.h. */

#include "gpusched/sweep/sweep_command.h"

#include <stdlib.h>
#include <unistd.h>

#include "gpusched/sweep/sweep.h"
#include "gpusched/sweep/sweep_chart.h"
#include "gpusched/sweep/sweep_kernels.h"
#include "gpusched/sweep/sweep_text.h"
#include "tool/arguments.h"
#include "tool/memory_watch.h"
#include "tool/output.h"

enum { FAILED = 1, SHOWN = 10 };

/* ---- Counts -------------------------------------------------------------------------- */

/* What --from and --to must fit into: `what` says of what there are so many. */
static bool within(struct sweep *sweep, uint32_t most, const char *what)
{
    const struct sweep_options *const options = &sweep->options;
    const uint32_t given = options->to > options->from ? options->to : options->from;

    return given <= most
           || fault_set(&sweep->fault, "--%s=%u: %s are %u; allowed: 1 to %u",
                        given == options->to ? "to" : "from", given, what, most, most);
}

/* How many CTAs fit is a result of the first runs: of one with all the slots that the GPU has,
 * and beside it of the smallest count, which takes longest. */
static enum runs_end find_most(struct sweep *sweep, uint32_t *most)
{
    const uint32_t slots = sweep->config.sm.cta_slots;
    const uint32_t counts[] = { sweep->options.from, slots };
    const enum runs_end end = sweep_run(sweep, counts, sweep->options.from < slots ? 2u : 1u);

    if (end == RUNS_ENDED && sweep_is_done(sweep)) {
        *most = sweep_occupancy(sweep);
        return *most != 0u && within(sweep, *most, "the CTAs that fit on an SM") ? RUNS_ENDED
                                                                                 : RUNS_BROKEN;
    }
    return end;
}

/* most: 0 if that is not known, since runs are missing. */
static enum runs_end run_all(struct sweep *sweep, uint32_t *most)
{
    uint32_t counts[SWEEP_COUNTS];
    uint32_t n = 0u;
    enum runs_end end = RUNS_ENDED;

    *most = 0u;
    if (sweep->options.over == SWEEP_OVER_CTAS) {
        end = find_most(sweep, most);
    } else {
        *most = sweep_all_cores(sweep);
    }
    if (end != RUNS_ENDED || *most == 0u) {
        return end;
    }
    const uint32_t to = sweep->options.to == 0u ? *most : sweep->options.to;
    for (uint32_t count = sweep->options.from; count <= to; count++) {
        counts[n++] = count;
    }
    return sweep_run(sweep, counts, n);
}

/* ---- Files --------------------------------------------------------------------------- */

enum { FILE_CSV, FILE_KERNELS, FILE_CHART };
static const char *const endings[] = { ".csv", ".kernels.csv", ".svg" };

/* curve and kernels: not for the CSV of runs. */
static bool write_file(struct sweep *sweep, const struct sweep_curve *curve,
                       const struct sweep_kernels *kernels, int which)
{
    char path[EXPERIMENT_PATH];
    struct output_file file;

    if (!sweep_path(sweep, endings[which], path)) {
        return false;
    }
    if (output_file_open(&file, path)) {
        if (which == FILE_CSV) {
            report_csv(&sweep->report, file.to);
        } else if (which == FILE_KERNELS) {
            sweep_kernels_csv(kernels, file.to);
        } else {
            sweep_chart(sweep, curve, kernels, file.to);
        }
        if (output_file_commit(&file)) {
            return true;
        }
    }
    return fault_system(&sweep->fault, "%.3000s: cannot be written", path);
}

/* That of an earlier sweep would be of other runs. */
static void remove_file(struct sweep *sweep, int which)
{
    char path[EXPERIMENT_PATH];

    if (sweep_path(sweep, endings[which], path)) {
        unlink(path);
    }
}

/* ---- The end ------------------------------------------------------------------------- */

static void summarize(struct sweep *sweep, enum runs_end end)
{
    struct experiment_counts counts = { .all = sweep->grid.n };

    if (sweep->options.runs.quiet && end != RUNS_INTERRUPTED) {
        return;
    }
    (void)experiment_count(sweep->store, &sweep->grid, &counts);
    fprintf(stderr, "%s/%s.sqlite: %u of %u runs done, %u failed, %u aborted; %u ended now%s\n",
            sweep->options.folder, sweep->name, counts.done, counts.all, counts.failed,
            counts.aborted, sweep->now,
            end == RUNS_INTERRUPTED ? "; interrupted, the same command goes on" : "");
    report_failures(&sweep->report, SHOWN, stderr);
    if (counts.foreign > 0u) {
        fprintf(stderr,
                "  %u are of another build of gpusched; --refresh runs them once more\n",
                counts.foreign);
    }
}

/* Returns false with a fault. */
static bool say_all(struct sweep *sweep, const struct sweep_curve *curve,
                    const struct sweep_kernels *kernels)
{
    sweep_print_answer(sweep, curve, stdout);
    sweep_print_table(curve, stdout);
    sweep_kernels_print(kernels, stdout);
    if (kernels->n == 0u) {
        remove_file(sweep, FILE_KERNELS);
    }
    return write_file(sweep, curve, kernels, FILE_CSV)
           && (kernels->n == 0u || write_file(sweep, curve, kernels, FILE_KERNELS))
           && write_file(sweep, curve, kernels, FILE_CHART);
}

/* The exit status. */
static int finish(struct sweep *sweep, uint32_t most, enum runs_end end)
{
    struct sweep_curve curve;
    struct sweep_kernels kernels;

    summarize(sweep, end);
    if (!sweep_is_done(sweep) || end == RUNS_INTERRUPTED) {
        remove_file(sweep, FILE_KERNELS);
        remove_file(sweep, FILE_CHART);
        return end == RUNS_INTERRUPTED || write_file(sweep, NULL, NULL, FILE_CSV) ? FAILED
                                                                                  : BAD_INPUT;
    }
    if (!sweep_read(sweep, most, &curve)) {
        return BAD_INPUT;
    }
    const bool good =
        sweep_kernels_read(sweep, most, &kernels) && say_all(sweep, &curve, &kernels);
    sweep_kernels_free(&kernels);
    free(curve.point);
    return good && !memory_lost() ? 0 : BAD_INPUT;
}

static int sweep_main(int argc, char **argv)
{
    static struct sweep sweep;
    static struct output folder;
    uint32_t most = 0u;

    sweep_options_parse(&sweep.options, argc, argv);
    const bool ctas = sweep.options.over == SWEEP_OVER_CTAS;
    if (!sweep_check(&sweep)
        || !within(&sweep, ctas ? sweep.config.sm.cta_slots : sweep_all_cores(&sweep),
                   ctas ? "the CTA slots of an SM" : "the SMs")
        || !output_open(&folder, sweep.options.folder, &sweep.fault)) {
        bad_input("sweep", "%s", fault_text(&sweep.fault));
    }
    const enum runs_end end = run_all(&sweep, &most);
    const int status = end == RUNS_BROKEN ? BAD_INPUT : finish(&sweep, most, end);
    if (status == BAD_INPUT) {
        fprintf(stderr, "gpusched sweep: %s\n", fault_text(&sweep.fault));
    }
    sweep_close(&sweep);
    return status;
}

const struct command sweep_command = {
    .name = "sweep",
    .title = "finds the best number of CTAs per SM, or of SMs",
    .argp = &sweep_argp,
    .run = sweep_main,
};
