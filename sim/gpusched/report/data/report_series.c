/* report_series - see report_series.h. */

#include "gpusched/report/data/report_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048, FIRST_ROWS = 256 };

/* The fields of a line, which is cut at its commas; 0 if there are too many. */
static uint32_t split(char *line, const char *fields[SERIES_COLUMNS])
{
    char *at = line;
    uint32_t n = 0u;

    line[strcspn(line, "\r\n")] = '\0';
    while (at != NULL && n < SERIES_COLUMNS) {
        char *const comma = strchr(at, ',');
        fields[n++] = at;
        if (comma != NULL) {
            *comma = '\0';
        }
        at = comma == NULL ? NULL : comma + 1;
    }
    return at == NULL ? n : 0u;
}

static bool read_names(struct report_series *series, char *line)
{
    const char *fields[SERIES_COLUMNS] = { NULL };

    series->columns = split(line, fields);
    for (uint32_t i = 0u; i < series->columns; i++) {
        const int n = snprintf(series->names[i], SERIES_NAME, "%s", fields[i]);
        if (n >= SERIES_NAME) {
            return false;
        }
    }
    return series->columns > 1u && strcmp(series->names[0], "cycle") == 0;
}

/* An empty field is NAN. Cycles only rise. */
static bool read_row(struct report_series *series, char *line)
{
    const char *fields[SERIES_COLUMNS] = { NULL };
    double *const row = series->values + (size_t)series->rows * series->columns;

    if (split(line, fields) != series->columns) {
        return false;
    }
    for (uint32_t i = 0u; i < series->columns; i++) {
        char *end;
        row[i] = strtod(fields[i], &end);
        if (*end != '\0' || !isfinite(row[i])) {
            return false;
        }
        row[i] = end == fields[i] ? (double)NAN : row[i];
    }
    const double before = series->rows == 0u ? 0.0 : row[-(ptrdiff_t)series->columns];
    return row[0] > before;
}

static bool grow(struct report_series *series, uint32_t *room)
{
    if (series->rows < *room) {
        return true;
    }
    const uint32_t more = *room == 0u ? FIRST_ROWS : *room * 2u;
    double *const longer =
        realloc(series->values, (size_t)more * series->columns * sizeof *longer);
    if (longer == NULL) {
        return false;
    }
    series->values = longer;
    *room = more;
    return true;
}

bool report_series_read(struct report_series *series, FILE *from, const char *path,
                        struct fault *fault)
{
    char line[LONGEST];
    uint32_t room = 0u;
    uint32_t number = 1u;
    bool good = fgets(line, sizeof line, from) != NULL;

    *series = (struct report_series){ .rows = 0u };
    good = good && read_names(series, line);
    while (good && fgets(line, sizeof line, from) != NULL) {
        number++;
        if (!grow(series, &room)) {
            return fault_surroundings(fault, "no memory");
        }
        good = read_row(series, line);
        series->rows += good;
    }
    return good ? true
                : fault_at(fault, path, number, "not a row as gpusched run --series writes it");
}

void report_series_free(struct report_series *series)
{
    free(series->values);
    *series = (struct report_series){ .rows = 0u };
}

int report_series_column(const struct report_series *series, const char *name)
{
    for (uint32_t i = 0u; i < series->columns; i++) {
        if (strcmp(series->names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

double report_series_value(const struct report_series *series, uint32_t row, int column)
{
    return column < 0 ? (double)NAN
                      : series->values[(size_t)row * series->columns + (size_t)column];
}
