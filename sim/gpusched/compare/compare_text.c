/* compare_text - see compare_text.h. */

#include "gpusched/compare/compare_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tool/format.h"

enum { SHOWN = 24, NAME = 26, VALUE = 18, CHANGE = 11, MEAN = 14 };

/* ---- Numbers ------------------------------------------------------------------------- */

/* "12.3 % fewer", "the same number of" */
static struct text fewer(double ratio)
{
    struct text text;

    if (fabs(ratio - 1.0) < 0.0005) {
        snprintf(text.text, sizeof text.text, "as many");
    } else {
        snprintf(text.text, sizeof text.text, "%.1f %% %s", 100.0 * fabs(ratio - 1.0),
                 ratio < 1.0 ? "fewer" : "more");
    }
    return text;
}

static struct text change_of(double ratio)
{
    struct text text;

    if (ratio >= 10.0) {
        snprintf(text.text, sizeof text.text, "x %.4g", ratio);
    } else {
        snprintf(text.text, sizeof text.text, "%+.2f %%", 100.0 * (ratio - 1.0));
    }
    return text;
}

static bool has_prefix(const char *unit)
{
    static const char *const units[] = { "J", "Js", "s", "W", "bytes/s" };

    for (size_t i = 0u; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i], unit) == 0) {
            return true;
        }
    }
    return false;
}

static struct text value_of(const struct compared_count *count, double value)
{
    struct text text = { "-" };

    if (isnan(value)) {
        return text;
    }
    if (has_prefix(count->unit)) {
        return format_unit(value, strcmp(count->unit, "bytes/s") == 0 ? "B/s" : count->unit);
    }
    if (value < 1e15 && fmod(value, 1.0) == 0.0) {
        return format_count((uint64_t)value);
    }
    snprintf(text.text, sizeof text.text, "%.6g", value);
    return text;
}

/* ---- The answer ---------------------------------------------------------------------- */

/* Where core clocks differ, more cycles may be less time. */
static void print_time(FILE *to, const struct comparison *comparison)
{
    const struct compared_count *const seconds = comparison_count(comparison, "seconds");

    if (seconds == NULL || seconds->ratios == 0u
        || !comparison_key_differs(comparison, "clock", "core")) {
        return;
    }
    const double ratio = compared_ratio(seconds);
    const bool one = comparison->pairs == 1u;
    fputs(" As their core clocks differ, it takes ", to);
    if (fabs(ratio - 1.0) < 0.0005) {
        fprintf(to, "as much time%s%s", one ? ": " : "",
                one ? format_unit(seconds->b, "s").text : "");
    } else {
        fprintf(to, "%.1f %% %s time", 100.0 * fabs(ratio - 1.0),
                ratio < 1.0 ? "less" : "more");
        if (one) {
            fprintf(to, ": %s instead of %s", format_unit(seconds->b, "s").text,
                    format_unit(seconds->a, "s").text);
        }
    }
    fputs(one ? "." : " (geometric mean).", to);
}

static void print_answer(FILE *to, const struct comparison *comparison)
{
    const struct compared_count *const cycles = &comparison->counts[0];
    const double ratio = compared_ratio(cycles);
    const char *const than = fabs(ratio - 1.0) < 0.0005 ? "as" : "than";

    if (comparison->unended[0] != '\0') {
        fprintf(to, "%s: what follows was counted up to the ends.\n", comparison->unended);
    } else if (comparison_counts(comparison) == 0u) {
        fprintf(to, "A and B are equal in all %" PRIu32 " counts%s.\n", comparison->n_count,
                comparison_keys(comparison) > 0u ? ", though not in their configuration" : "");
    } else if (comparison->pairs == 1u) {
        const bool differ = cycles->differs > 0u;
        fprintf(to, "B takes %s cycles %s A: %s%s%s.", fewer(ratio).text, than,
                format_count((uint64_t)cycles->b).text, differ ? " instead of " : "",
                differ ? format_count((uint64_t)cycles->a).text : "");
        print_time(to, comparison);
        fputc('\n', to);
    } else {
        fprintf(to, "B takes %s cycles %s A (geometric mean of %" PRIu32 " runs; from %s with ",
                fewer(ratio).text, than, comparison->pairs, fewer(cycles->least).text);
        fprintf(to, "%s to %s with %s).", comparison->least, fewer(cycles->most).text,
                comparison->most);
        print_time(to, comparison);
        fputc('\n', to);
    }
}

/* ---- Keys ---------------------------------------------------------------------------- */

static void print_keys(FILE *to, const struct comparison *comparison)
{
    const uint32_t n = comparison_keys(comparison);
    const bool many = comparison->pairs > 1u;

    fprintf(to, "\nConfiguration: %" PRIu32 " of %d values differ\n", n, GPU_KEYS);
    if (n == 0u) {
        return;
    }
    fprintf(to, "  %-*s %*s %*s  %s%s\n", NAME, "key", VALUE, "A", VALUE, "B", "unit",
            many ? "; in runs" : "");
    for (uint32_t i = 0u; i < GPU_KEYS; i++) {
        const struct compared_key *const key = &comparison->keys[i];
        char name[COMPARED_NAME];
        char runs[64] = "";
        if (key->differs == 0u) {
            continue;
        }
        snprintf(name, sizeof name, "%s.%s", key->key->section, key->key->key);
        if (many) {
            snprintf(runs, sizeof runs, "%sin %" PRIu32 " of %" PRIu32 " runs%s",
                     key->key->unit[0] == '\0' ? "" : "; ", key->differs, comparison->pairs,
                     key->several ? ", of several values the first" : "");
        }
        fprintf(to, "  %-*s %*s %*s  %s%s\n", NAME, name, VALUE, key->a, VALUE, key->b,
                key->key->unit, runs);
    }
}

/* ---- Counts -------------------------------------------------------------------------- */

static void print_pair(FILE *to, const struct compared_count *count)
{
    const double ratio = compared_ratio(count);
    const struct text change = change_of(ratio);

    fprintf(to, "  %-*s %*s %*s %*s  %s\n", NAME, count->name, VALUE,
            value_of(count, count->a).text, VALUE, value_of(count, count->b).text, CHANGE,
            count->differs == 0u ? "equal"
            : !isnan(ratio)      ? change.text
            : count->b > 0.0     ? "from 0"
                                 : "to 0",
            has_prefix(count->unit) ? "" : count->unit);
}

/* Over many runs: the mean change, the range, and in how many. */
static void print_runs(FILE *to, const struct compared_count *count)
{
    const double ratio = compared_ratio(count);
    struct text mean = { "-" };
    struct text least = mean;
    struct text most = mean;

    if (!isnan(ratio)) {
        mean = change_of(ratio);
        least = change_of(count->least);
        most = change_of(count->most);
    }
    fprintf(to, "  %-*s %*s %*s %*s  %" PRIu32 " of %" PRIu32 "\n", NAME, count->name, MEAN,
            count->differs == 0u ? "equal" : mean.text, CHANGE, least.text, CHANGE, most.text,
            count->differs, count->there);
}

static void print_heads(FILE *to, const struct comparison *comparison)
{
    if (comparison->pairs == 1u) {
        fprintf(to, "  %-*s %*s %*s %*s  %s\n", NAME, "count", VALUE, "A", VALUE, "B", CHANGE,
                "change", "unit");
    } else {
        fprintf(to, "  %-*s %*s %*s %*s  %s\n", NAME, "count", MEAN, "geometric mean", CHANGE,
                "least", CHANGE, "most", "differs in runs");
    }
}

static void print_counts(FILE *to, const struct comparison *comparison, bool all)
{
    const uint32_t differ = comparison_counts(comparison);
    const uint32_t n = all ? comparison->n_count : differ < SHOWN ? differ : SHOWN;

    fprintf(to, "\nCounts: %" PRIu32 " of %" PRIu32 " differ%s\n", differ, comparison->n_count,
            differ > 0u ? ", the largest change first" : "");
    if (n > 0u) {
        print_heads(to, comparison);
    }
    for (uint32_t i = 0u; i < n; i++) {
        const struct compared_count *const count = &comparison->counts[i];
        if (count->there == 0u) {
            continue; /* neither has it */
        }
        if (comparison->pairs == 1u) {
            print_pair(to, count);
        } else {
            print_runs(to, count);
        }
    }
    if (n < differ) {
        fprintf(to, "  and %" PRIu32 " more; --all shows every count\n", differ - n);
    }
}

void compare_text(FILE *to, struct comparison *comparison, const char *const names[2], bool all)
{
    print_answer(to, comparison); /* while cycles are the first count */
    fprintf(to, "\nA  %s\nB  %s\n", names[0], names[1]);
    print_keys(to, comparison);
    comparison_sort(comparison);
    print_counts(to, comparison, all);
}
