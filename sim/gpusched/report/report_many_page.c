/* report_many_page - the page of an experiment of many runs; see report_many_page.h. */

#include "gpusched/report/report_many_page.h"

#include <math.h>
#include <stdlib.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_table.h"
#include "tool/format.h"
#include "tool/memory_watch.h"
#include "tool/version.h"

enum { ROWS = 40, COLUMNS = 12 /* more variants are too wide a table */, SENTENCE = 2048 };

static const char *variant_name(const struct report_many *many, uint32_t variant)
{
    return many->list[DIMENSION_VARIANT].values[variant];
}

static const char *dimension_name(const struct report_many *many, uint32_t dimension)
{
    static const char *const names[] = { "GPU", "workload", "variant" };

    return dimension < DIMENSION_AXIS ? names[dimension] : many->list[dimension].name;
}

/* The variants that have values. */
static bool is_compared(const struct report_many *many, uint32_t variant)
{
    return many->baseline == NULL || variant != many->base;
}

/* Of each variant, at sums[i * variants + i]; to be freed. NULL without memory. */
static struct many_sum *sums_of(const struct report_many *many, uint32_t dimension)
{
    const size_t variants = many->list[DIMENSION_VARIANT].n;
    struct many_sum *const sums = memory_take(many->list[dimension].n * variants, sizeof *sums);

    if (sums != NULL) {
        report_many_sums(many, dimension, sums);
    }
    return sums;
}

static struct text shown(const struct report_many *many, double value)
{
    return many->baseline != NULL ? html_ratio(value) : html_count(value);
}

/* ---- The answer ---------------------------------------------------------------------- */

static void answer(const struct report_many *many, char text[SENTENCE])
{
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    struct many_sum *const sums = sums_of(many, DIMENSION_VARIANT);
    const struct many_sum *best = NULL;
    uint32_t which = 0u;

    for (uint32_t v = 0u; sums != NULL && v < variants; v++) {
        const struct many_sum *const sum = &sums[(size_t)v * variants + v];
        const bool better =
            best == NULL
            || (many->baseline != NULL ? sum->mean > best->mean : sum->mean < best->mean);
        if (is_compared(many, v) && sum->n > 0u && better) {
            best = sum;
            which = v;
        }
    }
    if (best == NULL) {
        snprintf(text, SENTENCE, "No run is done%s yet.",
                 many->baseline == NULL ? "" : " with its baseline");
    } else if (many->baseline != NULL) {
        snprintf(
            text, SENTENCE,
            "%s%.300s is %.3f times as fast as %.300s (geometric mean of %u pairs of runs; "
            "%.3f in run %u to %.3f in run %u).",
            variants > 2u ? "The fastest variant, " : "", variant_name(many, which), best->mean,
            many->baseline, best->n, best->low, best->low_run, best->high, best->high_run);
    } else {
        snprintf(text, SENTENCE,
                 "%.300s takes %s cycles (geometric mean of %u runs; %s in run %u to %s in run "
                 "%u).",
                 variant_name(many, which), format_count((uint64_t)best->mean).text, best->n,
                 format_count((uint64_t)best->low).text, best->low_run,
                 format_count((uint64_t)best->high).text, best->high_run);
    }
    free(sums);
}

/* ---- Tables -------------------------------------------------------------------------- */

static void variant_row(FILE *to, const struct report_many *many, uint32_t variant,
                        const struct many_sum *sum)
{
    fputs("<tr>", to);
    table_row_heading(to, variant_name(many, variant));
    fprintf(to, "<td>%s</td><td>%s</td>", html_count((double)sum->n).text,
            shown(many, sum->mean).text);
    if (sum->n == 0u) {
        fputs("<td>-</td><td>-</td></tr>\n", to);
        return;
    }
    fprintf(to, "<td>%s<small>run %u</small></td>", shown(many, sum->low).text, sum->low_run);
    fprintf(to, "<td>%s<small>run %u</small></td></tr>\n", shown(many, sum->high).text,
            sum->high_run);
}

static void variants_table(FILE *to, const struct report_many *many)
{
    static const char *const heads[] = { "runs", "geometric mean", "least", "most" };
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    struct many_sum *const sums = sums_of(many, DIMENSION_VARIANT);

    if (sums == NULL) {
        return;
    }
    table_begin(to,
                many->baseline != NULL ? "Speedup of each variant" : "Cycles of each variant",
                NULL, "matrix");
    fputs("<th></th>", to);
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_body(to);
    for (uint32_t v = 0u; v < variants; v++) {
        if (is_compared(many, v)) {
            variant_row(to, many, v, &sums[(size_t)v * variants + v]);
        }
    }
    table_end(to);
    free(sums);
}

/* Of ROWS values of a longer list, the i-th. */
static uint32_t value_at(uint32_t n, uint32_t i)
{
    return n <= ROWS ? i : (uint32_t)((uint64_t)i * (n - 1u) / (ROWS - 1u));
}

static void dimension_rows(FILE *to, const struct report_many *many, uint32_t dimension,
                           const struct many_sum *sums)
{
    const struct many_list *const list = &many->list[dimension];
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;

    for (uint32_t i = 0u; i < list->n && i < ROWS; i++) {
        const uint32_t value = value_at(list->n, i);
        fputs("<tr>", to);
        table_row_heading(to, list->values[value]);
        for (uint32_t v = 0u; v < variants && v < COLUMNS; v++) {
            if (is_compared(many, v)) {
                fprintf(to, "<td>%s</td>",
                        shown(many, sums[(size_t)value * variants + v].mean).text);
            }
        }
        fputs("</tr>\n", to);
    }
}

static void dimension_table(FILE *to, const struct report_many *many, uint32_t dimension)
{
    const struct many_list *const list = &many->list[dimension];
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    struct many_sum *const sums = sums_of(many, dimension);
    char title[640], note[640];

    if (sums == NULL) {
        return;
    }
    snprintf(title, sizeof title, "%s by %.500s", many->baseline != NULL ? "Speedup" : "Cycles",
             dimension_name(many, dimension));
    int n = snprintf(note, sizeof note, "Geometric means of all runs with the value.");
    if (list->n > ROWS) {
        n += snprintf(note + n, sizeof note - (size_t)n, " %u of %u values are shown.",
                      (unsigned)ROWS, list->n);
    }
    if (variants > COLUMNS) {
        snprintf(note + n, sizeof note - (size_t)n, " The first %u of %u variants are shown.",
                 (unsigned)COLUMNS, variants);
    }
    table_begin(to, title, note, "matrix dense");
    table_heading(to, "", dimension_name(many, dimension));
    for (uint32_t v = 0u; v < variants && v < COLUMNS; v++) {
        if (is_compared(many, v)) {
            table_heading(to, "", variant_name(many, v));
        }
    }
    table_body(to);
    dimension_rows(to, many, dimension, sums);
    table_end(to);
    free(sums);
}

/* ---- Runs ---------------------------------------------------------------------------- */

static void state(FILE *to, const struct report_many *many)
{
    fprintf(to, "<p class=\"state\"><b>%u of %u</b> runs done", many->count[RUN_DONE], many->n);
    if (many->count[RUN_FAILED] > 0u) {
        fprintf(to, ", <span class=\"failed\">%u failed</span>", many->count[RUN_FAILED]);
    }
    if (many->count[RUN_ABORTED] > 0u) {
        fprintf(to, ", <span class=\"failed\">%u aborted</span>", many->count[RUN_ABORTED]);
    }
    if (many->count[RUN_PENDING] > 0u) {
        fprintf(to, ", %u not run yet", many->count[RUN_PENDING]);
    }
    fputs("</p>\n", to);
}

static void failures(FILE *to, const struct report_many *many)
{
    const uint32_t all = many->count[RUN_FAILED] + many->count[RUN_ABORTED];
    char note[128];

    if (many->failures == 0u) {
        return;
    }
    snprintf(note, sizeof note, "The first %u of %u.", many->failures, all);
    table_begin(to, "Runs that failed or were aborted", many->failures < all ? note : NULL,
                "runs");
    table_heading(to, "", "run");
    table_heading(to, "word", "state");
    table_heading(to, "word", "error");
    table_body(to);
    for (uint32_t i = 0u; i < many->failures; i++) {
        const struct many_failure *const failure = &many->failure[i];
        fprintf(to, "<tr><td>%u</td>", failure->run);
        html_element(to, "td", "word", experiment_status_name(failure->status));
        html_element(to, "td", "error", failure->error);
        fputs("</tr>\n", to);
    }
    table_end(to);
}

static void foot(FILE *to, const struct report_many *many)
{
    fprintf(
        to,
        "<footer>\n<h2>Runs</h2>\n<p class=\"note\">A page of more than %d runs has no line "
        "for each, and no charts. gpusched " GPUSCHED_VERSION
        "; these commands make the page again, and give all runs:</p>\n",
        REPORT_MANY);
    html_commands(to,
                  &(struct html_origin){ many->file, many->name,
                                         many->other_baseline ? many->baseline : NULL },
                  true);
    fputs("</footer>\n", to);
}

/* ---- All of it ----------------------------------------------------------------------- */

void report_many_page(FILE *to, const struct report_many *many)
{
    char text[SENTENCE];

    answer(many, text);
    html_begin(to, many->title);
    fputs("<header>\n", to);
    html_element(to, "h1", NULL, many->title);
    fputc('\n', to);
    html_sentence(to, "p", "answer", text);
    fputc('\n', to);
    state(to, many);
    failures(to, many);
    fputs("</header>\n", to);
    variants_table(to, many);
    for (uint32_t d = 0u; d < many->dimensions; d++) {
        if (d != DIMENSION_VARIANT && many->list[d].n > 1u) {
            dimension_table(to, many, d);
        }
    }
    foot(to, many);
    html_end(to);
}

void report_many_text(FILE *to, const struct report_many *many)
{
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    struct many_sum *const sums = sums_of(many, DIMENSION_VARIANT);
    char text[SENTENCE];

    answer(many, text);
    fprintf(to, "%s\n%s\n%u of %u runs done\n", many->title, text, many->count[RUN_DONE],
            many->n);
    for (uint32_t v = 0u; sums != NULL && v < variants; v++) {
        const struct many_sum *const sum = &sums[(size_t)v * variants + v];
        if (is_compared(many, v) && sum->n > 0u) {
            fprintf(to, many->baseline != NULL ? "  %-30s %12.3f\n" : "  %-30s %12.0f\n",
                    variant_name(many, v), sum->mean);
        }
    }
    free(sums);
}
