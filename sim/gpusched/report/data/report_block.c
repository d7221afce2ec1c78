/* report_block - what is shown together; see report_block.h. */

#include "gpusched/report/data/report_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/memory_watch.h"

enum { SHOWN_STEPS = 6, SWEEP = 3 /* values, at least */ };

/* ---- Dimensions ---------------------------------------------------------------------- */

static bool number_of(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static const char *axis_value(const struct report_block *block, uint32_t dimension, uint32_t i)
{
    uint32_t at[EXPERIMENT_DIMENSIONS];

    memcpy(at, block->at, sizeof at);
    at[dimension] = i;
    return report_data_at(block->data, at)->axes[dimension - DIMENSION_AXIS];
}

double report_block_step(const struct report_block *block, uint32_t step)
{
    double number = 0.0;

    if (block->sweep != NO_DIMENSION) {
        number_of(axis_value(block, block->sweep, step), &number);
    }
    return number;
}

/* The last axis of enough numbers that only rise: lines go to the right. */
static uint32_t find_sweep(const struct report_block *block)
{
    const struct report_data *const data = block->data;

    for (uint32_t d = data->dimensions; d-- > DIMENSION_AXIS;) {
        double last = -INFINITY;
        double number;
        uint32_t i = 0u;
        while (i < data->length[d] && number_of(axis_value(block, d, i), &number)
               && number > last) {
            last = number;
            i++;
        }
        if (i >= SWEEP && i == data->length[d]) {
            return d;
        }
    }
    return NO_DIMENSION;
}

static uint32_t find_across(const struct report_block *block)
{
    const struct report_data *const data = block->data;
    uint32_t across = DIMENSION_VARIANT;

    for (uint32_t d = DIMENSION_AXIS;
         data->length[DIMENSION_VARIANT] == 1u && d < data->dimensions; d++) {
        across = d == block->sweep ? across : d;
    }
    return across;
}

struct report_block report_block_first(const struct report_data *data)
{
    struct report_block block = { .data = data, .steps = 1u, .baseline = -1 };

    block.sweep = find_sweep(&block);
    block.across = find_across(&block);
    block.workloads = data->length[DIMENSION_WORKLOAD];
    if (block.sweep != NO_DIMENSION) {
        block.steps = data->length[block.sweep];
    }
    block.rows = block.workloads * block.steps;
    block.columns = data->length[block.across];
    for (uint32_t i = 0u; data->baseline != NULL && block.across == DIMENSION_VARIANT
                          && block.columns > 1u && i < block.columns;
         i++) {
        if (strcmp(report_block_column(&block, i).text, data->baseline) == 0) {
            block.baseline = (int32_t)i;
        }
    }
    return block;
}

bool report_block_next(struct report_block *block)
{
    for (uint32_t d = block->data->dimensions; d-- > 0u;) {
        if (d == DIMENSION_WORKLOAD || d == block->across
            || (d == block->sweep && d != NO_DIMENSION)) {
            continue;
        }
        if (++block->at[d] < block->data->length[d]) {
            return true;
        }
        block->at[d] = 0u;
    }
    return false;
}

const struct report_run *report_block_run(const struct report_block *block, uint32_t row,
                                          uint32_t column)
{
    uint32_t at[EXPERIMENT_DIMENSIONS];

    memcpy(at, block->at, sizeof at);
    at[DIMENSION_WORKLOAD] = row / block->steps;
    if (block->sweep != NO_DIMENSION) {
        at[block->sweep] = row % block->steps;
    }
    at[block->across] = column;
    return report_data_at(block->data, at);
}

/* ---- Names --------------------------------------------------------------------------- */

/* A name that has the sweep's value in it: what all of them share, with a gap. */
static void shared(const char *a, const char *b, char label[BLOCK_LABEL])
{
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    const size_t shorter = length_a < length_b ? length_a : length_b;
    size_t head = 0u;
    size_t tail = 0u;

    while (head < shorter && a[head] == b[head]) {
        head++;
    }
    while (tail < shorter - head && a[length_a - 1u - tail] == b[length_b - 1u - tail]) {
        tail++;
    }
    while (head > 0u && strchr(":-_", a[head - 1u]) != NULL && tail == 0u) {
        head--; /* "stream:15", "stream:20" are of "stream" */
    }
    snprintf(label, BLOCK_LABEL, "%.*s%s%s", (int)head, a, tail > 0u ? "..." : "",
             a + length_a - tail);
}

void report_block_workload(const struct report_block *block, uint32_t workload,
                           char label[BLOCK_LABEL])
{
    const uint32_t first = workload * block->steps;
    const char *const a = report_block_run(block, first, 0u)->workload;
    const char *const b = report_block_run(block, first + block->steps - 1u, 0u)->workload;

    if (strcmp(a, b) == 0) {
        snprintf(label, BLOCK_LABEL, "%s", a);
    } else {
        shared(a, b, label);
    }
}

void report_block_row(const struct report_block *block, uint32_t row, char label[BLOCK_LABEL])
{
    report_block_workload(block, row / block->steps, label);
    if (block->sweep != NO_DIMENSION) {
        const uint32_t axis = block->sweep - DIMENSION_AXIS;
        const size_t at = strlen(label);
        snprintf(label + at, BLOCK_LABEL - at, ", %s %s", block->data->axes[axis],
                 report_block_run(block, row, 0u)->axes[axis]);
    }
}

struct block_text report_block_column(const struct report_block *block, uint32_t column)
{
    const struct report_run *const run = report_block_run(block, 0u, column);
    struct block_text name;

    if (block->across == DIMENSION_VARIANT) {
        snprintf(name.text, sizeof name.text, "%s", run->variant);
    } else {
        const uint32_t axis = block->across - DIMENSION_AXIS;
        snprintf(name.text, sizeof name.text, "%s %s", block->data->axes[axis],
                 run->axes[axis]);
    }
    return name;
}

void report_block_place(const struct report_block *block, char label[BLOCK_LABEL])
{
    const struct report_data *const data = block->data;
    size_t at = 0u;

    label[0] = '\0';
    for (uint32_t d = DIMENSION_AXIS; d < data->dimensions && at < BLOCK_LABEL; d++) {
        if (d != block->sweep && d != block->across) {
            at += (size_t)snprintf(label + at, BLOCK_LABEL - at, "%s%s %s",
                                   at == 0u ? "" : ", ", data->axes[d - DIMENSION_AXIS],
                                   axis_value(block, d, block->at[d]));
        }
    }
}

/* ---- Values -------------------------------------------------------------------------- */

double report_block_value(const struct report_block *block, enum report_value value,
                          uint32_t row, uint32_t column)
{
    return report_block_run(block, row, column)->values.value[value];
}

double report_block_clock_scale(const struct report_block *block, uint32_t row, uint32_t column)
{
    if (block->baseline < 0) {
        return 1.0;
    }
    const double base = report_block_value(block, VALUE_CLOCK, row, (uint32_t)block->baseline);
    const double scale = base / report_block_value(block, VALUE_CLOCK, row, column);

    return isfinite(scale) ? scale : 1.0;
}

bool report_block_clocks_differ(const struct report_block *block)
{
    double last = (double)NAN;

    for (uint32_t i = 0u; i < block->rows * block->columns; i++) {
        const uint32_t row = i / block->columns;
        const double own = report_block_value(block, VALUE_CLOCK, row, i % block->columns);
        if (block->baseline >= 0) {
            last = report_block_value(block, VALUE_CLOCK, row, (uint32_t)block->baseline);
        }
        if (own < last || own > last) {
            return true;
        }
        last = isnan(own) ? last : own;
    }
    return false;
}

double report_block_ratio(const struct report_block *block, enum report_value value,
                          uint32_t row, uint32_t column)
{
    const double own = report_block_value(block, value, row, column);

    if (block->baseline < 0) {
        return (double)NAN;
    }
    const double base = report_block_value(block, value, row, (uint32_t)block->baseline);
    const double ratio = value == VALUE_CYCLES
                             ? base / (own * report_block_clock_scale(block, row, column))
                             : own / base;
    return isfinite(ratio) ? ratio : (double)NAN;
}

double *report_block_ratios(const struct report_block *block, enum report_value value)
{
    double *const ratios = memory_take((size_t)block->rows * block->columns, sizeof *ratios);

    for (uint32_t i = 0u; ratios != NULL && i < block->rows * block->columns; i++) {
        ratios[i] = report_block_ratio(block, value, i / block->columns, i % block->columns);
    }
    return ratios;
}

bool report_block_has(const struct report_block *block, enum report_value value)
{
    for (uint32_t i = 0u; i < block->rows * block->columns; i++) {
        if (!isnan(report_block_value(block, value, i / block->columns, i % block->columns))) {
            return true;
        }
    }
    return false;
}

const char *report_block_of_seed(const struct report_block *block)
{
    return block->data->seeds > 0u ? " Of the first seed." : "";
}

/* ---- Some rows of many --------------------------------------------------------------- */

uint32_t report_block_shown_steps(const struct report_block *block)
{
    return block->steps < SHOWN_STEPS ? block->steps : SHOWN_STEPS;
}

/* The first, the last, and as many between them as there is room for. */
bool report_block_shown(const struct report_block *block, uint32_t row)
{
    const uint32_t step = row % block->steps;
    const uint32_t shown = report_block_shown_steps(block);

    for (uint32_t i = 0u; i < shown; i++) {
        if (shown == 1u || step == i * (block->steps - 1u) / (shown - 1u)) {
            return true;
        }
    }
    return false;
}
