/* report_answer - what an experiment comes to; see report_answer.h. */

#include "gpusched/report/data/report_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "gpusched/report/data/report_bands.h"
#include "gpusched/report/data/report_compared.h"
#include "tool/format.h"

static void say(struct report_answer *answer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds to the sentence. */
static void say(struct report_answer *answer, const char *format, ...)
{
    const size_t at = strnlen(answer->text, sizeof answer->text - 1u);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(answer->text + at, sizeof answer->text - at, format, arguments);
    va_end(arguments);
}

/* ---- The blocks that it is about ----------------------------------------------------- */

/* One block, or from the first to the last. */
struct span {
    struct report_block first;
    bool all;
};

static bool next(const struct span *span, struct report_block *block)
{
    return span->all && report_block_next(block);
}

static bool several(const struct span *span)
{
    struct report_block block = span->first;

    return next(span, &block);
}

/* "hotspot small", with the block's name where there are several. */
static struct block_text name_of(const struct span *span, const struct report_block *block,
                                 uint32_t row)
{
    char label[BLOCK_LABEL];
    char place[BLOCK_LABEL];
    struct block_text name;

    report_block_row(block, row, label);
    report_block_place(block, place);
    snprintf(name.text, sizeof name.text, "%.200s%s%.100s%s%.200s", label,
             several(span) ? " on " : "",
             several(span) ? report_block_run(block, row, 0u)->gpu : "",
             several(span) && place[0] != '\0' ? ", " : "", several(span) ? place : "");
    return name;
}

/* ---- Relative to a baseline ---------------------------------------------------------- */

/* Only rows in which all variants have a value count, as in the tables' means. */
static bool row_counts(const struct report_block *block, enum report_value value, uint32_t row)
{
    uint32_t column = 0u;

    while (column < block->columns && report_block_ratio(block, value, row, column) > 0.0) {
        column++;
    }
    return column == block->columns;
}

/* A variant's geometric mean, and where it is least and most. */
struct spread {
    double mean, low, high;
    uint32_t n;
    struct block_text lowest, highest;
};

static void spread_add(struct spread *spread, double ratio, const struct block_text *name)
{
    spread->mean += log(ratio);
    if (spread->n == 0u || ratio < spread->low) {
        spread->low = ratio;
        spread->lowest = *name;
    }
    if (spread->n == 0u || ratio > spread->high) {
        spread->high = ratio;
        spread->highest = *name;
    }
    spread->n++;
}

static struct spread spread_of(const struct span *span, enum report_value value,
                               uint32_t column)
{
    struct report_block block = span->first;
    struct spread spread = { .n = 0u };

    do {
        for (uint32_t row = 0u; row < block.rows; row++) {
            if (row_counts(&block, value, row)) {
                const struct block_text name = name_of(span, &block, row);
                spread_add(&spread, report_block_ratio(&block, value, row, column), &name);
            }
        }
    } while (next(span, &block));
    spread.mean = spread.n > 0u ? exp(spread.mean / spread.n) : (double)NAN;
    return spread;
}

static struct spread fastest(const struct span *span, uint32_t *column)
{
    struct spread best = { .mean = (double)NAN };

    for (uint32_t i = 0u; i < span->first.columns; i++) {
        if ((int32_t)i != span->first.baseline) {
            const struct spread spread = spread_of(span, VALUE_CYCLES, i);
            if (isnan(best.mean) || spread.mean > best.mean) {
                best = spread;
                *column = i;
            }
        }
    }
    return best;
}

/* "46 % fewer NoC packets" */
static void say_change(struct report_answer *answer, const char *verb, double ratio,
                       const char *fewer, const char *what)
{
    const double percent = 100.0 * fabs(ratio - 1.0);

    if (percent < 0.05) {
        say(answer, "%s as %s %s", verb, fewer[0] == 'f' ? "many" : "much", what);
    } else {
        say(answer, "%s %.*f %% %s %s", verb, percent < 9.95 ? 1 : 0, percent,
            ratio < 1.0 ? fewer : "more", what);
    }
}

static void say_spread(struct report_answer *answer, const struct span *span,
                       const struct spread *speed)
{
    const bool workloads = !several(span) && span->first.steps == 1u;

    if (speed->n == 1u) {
        say(answer, " with %s", speed->lowest.text);
    } else {
        say(answer, " (geometric mean of %" PRIu32 " %s; %.3f %s to %.3f %s)", speed->n,
            workloads ? "workloads" : "pairs of runs", speed->low, speed->lowest.text,
            speed->high, speed->highest.text);
    }
}

/* Of an ensemble: how far seeds move the mean of what is fastest. */
static void say_band(struct report_answer *answer, const struct span *span, uint32_t column)
{
    struct bands bands;

    if (report_bands_open(&bands, &span->first, span->all)) {
        const struct band *const band = bands_at(&bands, bands.rows, column);
        say(answer, " The 95 %% band of this speed is %.3f to %.3f%s.", band->low, band->high,
            bands_is_noise(&bands, bands.rows, column) ? ": it may be noise" : "");
    }
    bands_free(&bands);
}

static void say_relative(struct report_answer *answer, const struct span *span)
{
    const struct report_block *const block = &span->first;
    uint32_t column = 0u;
    const struct spread speed = fastest(span, &column);
    const struct block_text name = report_block_column(block, column);

    if (speed.n == 0u) {
        say(answer, "No workload is done with all variants yet.");
        return;
    }
    const double packets = spread_of(span, VALUE_PACKETS, column).mean;
    const double energy = spread_of(span, VALUE_ENERGY, column).mean;
    if (block->columns > 2u) {
        say(answer, "The fastest of %" PRIu32 " variants, ", block->columns - 1u);
    }
    say(answer, "%s%s is %.3f times as fast as %s", name.text, block->columns > 2u ? "," : "",
        speed.mean, report_block_column(block, (uint32_t)block->baseline).text);
    say_spread(answer, span, &speed);
    if (packets > 0.0) {
        say_change(answer, energy > 0.0 ? ", moves" : " and moves", packets, "fewer",
                   "NoC packets");
    }
    if (energy > 0.0) {
        say_change(answer, " and takes", energy, "less", "energy");
    }
    say(answer, ".");
    say_band(answer, span, column);
}

/* ---- Without one --------------------------------------------------------------------- */

static void say_run(struct report_answer *answer, const struct report_block *block,
                    const char *name)
{
    const struct report_run *const run = report_block_run(block, 0u, 0u);
    const struct limit_text limit = limit_sentence(&run->values.limit);

    say(answer, "%s takes %s cycles (%s) at %.3f warp instructions a cycle", name,
        format_count((uint64_t)run->values.value[VALUE_CYCLES]).text,
        format_unit(run->values.value[VALUE_SECONDS], "s").text, run->values.value[VALUE_IPC]);
    say(answer, "%s%s.", limit.text[0] == '\0' ? "" : "; it ", limit.text);
}

/* Core clocks differ, perhaps from one block to the next. */
static bool clocks_differ(const struct span *span)
{
    struct report_block block = span->first;
    struct spread clocks = { .n = 0u };
    const struct block_text none = { "" };

    do {
        for (uint32_t i = 0u; i < block.rows * block.columns; i++) {
            const double clock =
                report_block_value(&block, VALUE_CLOCK, i / block.columns, i % block.columns);
            if (clock > 0.0) {
                spread_add(&clocks, clock, &none);
            }
        }
    } while (next(span, &block));
    return clocks.low < clocks.high;
}

/* Which rows take the least and the most: cycles, or time if a cycle is not the same. */
static void say_absolute(struct report_answer *answer, const struct span *span)
{
    const bool time = clocks_differ(span);
    struct report_block block = span->first;
    struct spread spread = { .n = 0u };
    uint32_t runs = 0u;

    do {
        for (uint32_t i = 0u; i < block.rows * block.columns; i++) {
            const uint32_t row = i / block.columns;
            const double value = report_block_value(&block, time ? VALUE_SECONDS : VALUE_CYCLES,
                                                    row, i % block.columns);
            struct block_text name = name_of(span, &block, row);
            if (block.columns > 1u) {
                const size_t at = strnlen(name.text, sizeof name.text);
                snprintf(name.text + at, sizeof name.text - at, ", %.100s",
                         report_block_column(&block, i % block.columns).text);
            }
            runs++;
            if (value > 0.0) {
                spread_add(&spread, value, &name);
            }
        }
    } while (next(span, &block));
    if (spread.n == 0u) {
        say(answer, "No run is done yet.");
    } else if (runs == 1u) {
        say_run(answer, &span->first, spread.lowest.text);
    } else if (time) {
        say(answer, "%s takes the least time, %s, and %s the most, %s.", spread.lowest.text,
            format_unit(spread.low, "s").text, spread.highest.text,
            format_unit(spread.high, "s").text);
    } else {
        say(answer, "%s takes the fewest cycles, %s, and %s the most, %s.", spread.lowest.text,
            format_count((uint64_t)spread.low).text, spread.highest.text,
            format_count((uint64_t)spread.high).text);
    }
}

/* ---- The sentence -------------------------------------------------------------------- */

static struct report_answer answer_of(const struct span *span)
{
    struct report_answer answer = { "" };

    if (span->first.baseline >= 0) {
        say_relative(&answer, span);
    } else {
        say_absolute(&answer, span);
    }
    return answer;
}

struct report_answer report_block_answer(const struct report_block *block)
{
    return answer_of(&(struct span){ .first = *block });
}

struct report_answer report_answer(const struct report_data *data)
{
    const struct report_compared compared = report_compared_all(data);
    struct report_answer answer =
        answer_of(&(struct span){ .first = report_block_first(data), .all = true });

    if (compared.cycles > 0u && compared.differences == 0u) {
        say(&answer, " No difference between RTL and model in %s clock cycles.",
            format_count(compared.cycles).text);
    } else if (compared.cycles > 0u) {
        say(&answer, " RTL and model differ %s times in %s clock cycles.",
            format_count(compared.differences).text, format_count(compared.cycles).text);
    }
    return answer;
}
