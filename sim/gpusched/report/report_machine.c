/* report_machine - a GPU's key data and its lockstep; see report_sections.h. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"
#include "tool/memory_watch.h"

static uint32_t first_run(const struct report_data *data, uint32_t gpu)
{
    return gpu * (data->n / data->length[DIMENSION_GPU]);
}

/* How many values a configuration has. */
static size_t values_of(const json_t *configuration)
{
    const char *name;
    json_t *section;
    size_t n = 0u;

    json_object_foreach((json_t *)configuration, name, section)
    {
        n += json_object_size(section);
    }
    return n;
}

/* ---- Key data ------------------------------------------------------------------------ */

static struct text amount(double value, const char *unit)
{
    struct text text = html_count(value);
    const bool bytes = strcmp(unit, "bytes") == 0;

    if (bytes && value >= 1024.0 && fmod(value, 1024.0) == 0.0) {
        snprintf(text.text, sizeof text.text, "%.60s\xc2\xa0KiB",
                 html_count(value / 1024.0).text);
    } else if (unit[0] != '\0') {
        const struct text plain = text;
        snprintf(text.text, sizeof text.text, "%.60s\xc2\xa0%s", plain.text, unit);
    }
    return text;
}

/* How many values follow no public source. */
static void not_calibrated(FILE *to, const struct report_data *data, uint32_t begin,
                           uint32_t end)
{
    double low = (double)NAN;
    double high = (double)NAN;
    size_t of = 0u;

    for (uint32_t i = begin; i < end; i++) {
        low = fmin(low, data->runs[i].values.value[VALUE_NOT_CALIBRATED]);
        high = fmax(high, data->runs[i].values.value[VALUE_NOT_CALIBRATED]);
        of = of == 0u ? values_of(data->runs[i].configuration) : of;
    }
    if (isfinite(low)) {
        fprintf(to, "<div><dt>not calibrated</dt><dd>%.0f", low);
        if (high > low) { /* what a variant has chosen needs no source */
            fprintf(to, " to %.0f", high);
        }
        fprintf(to, " of %zu values</dd></div>\n", of);
    }
}

void section_gpu(FILE *to, const struct report_data *data, uint32_t gpu)
{
    const uint32_t begin = first_run(data, gpu);
    const uint32_t end = first_run(data, gpu + 1u);

    fputs("<dl class=\"keys\">\n", to);
    for (uint32_t k = 0u; k < GPU_VALUES; k++) {
        double low = (double)NAN;
        double high = (double)NAN;
        for (uint32_t i = begin; i < end; i++) {
            low = fmin(low, data->runs[i].values.gpu[k]);
            high = fmax(high, data->runs[i].values.gpu[k]);
        }
        if (isfinite(low)) {
            fprintf(to, "<div><dt>%s</dt><dd>%s", report_gpu_values[k].name,
                    amount(low, report_gpu_values[k].unit).text);
            if (high > low) { /* the experiment varies it */
                fprintf(to, " to %s", amount(high, report_gpu_values[k].unit).text);
            }
            fputs("</dd></div>\n", to);
        }
    }
    not_calibrated(to, data, begin, end);
    fputs("</dl>\n", to);
}

/* ---- Lockstep ------------------------------------------------------------------------ */

struct compared {
    const char *unit, *mode;
    uint32_t runs;
    json_int_t least, most; /* instances */
    json_int_t cycles, differences;
};

static const char *word(const json_t *object, const char *name)
{
    const char *const text = json_string_value(json_object_get(object, name));

    return text == NULL ? "" : text;
}

/* The entry of this unit and mode, a new one at the end. */
static struct compared *entry_of(struct compared *list, uint32_t *n, const json_t *item)
{
    for (uint32_t i = 0u; i < *n; i++) {
        if (strcmp(list[i].unit, word(item, "unit")) == 0
            && strcmp(list[i].mode, word(item, "mode")) == 0) {
            return &list[i];
        }
    }
    list[*n] = (struct compared){ .unit = word(item, "unit"),
                                  .mode = word(item, "mode"),
                                  .least = INT64_MAX };
    return &list[(*n)++];
}

static void add(struct compared *entry, const json_t *item)
{
    const json_int_t instances = json_integer_value(json_object_get(item, "instances"));

    entry->runs++;
    entry->least = instances < entry->least ? instances : entry->least;
    entry->most = instances > entry->most ? instances : entry->most;
    entry->cycles += json_integer_value(json_object_get(item, "cycles"));
    entry->differences += json_integer_value(json_object_get(item, "differences"));
}

static void print(FILE *to, const struct compared *list, uint32_t n)
{
    static const char *const heads[] = { "runs", "instances", "clock cycles compared",
                                         "differences" };

    table_begin(
        to, "Lockstep",
        "RTL beside the model, all ports and registers compared in each of these cycles. "
        "Sums over all runs, and over a unit's instances.",
        "runs");
    table_heading(to, "word", "unit");
    table_heading(to, "word", "mode");
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_body(to);
    for (uint32_t i = 0u; i < n; i++) {
        fputs("<tr>", to);
        html_element(to, "td", "word", list[i].unit);
        html_element(to, "td", "word", list[i].mode);
        fprintf(to, "<td>%u</td><td>%s", list[i].runs, html_count((double)list[i].least).text);
        if (list[i].most > list[i].least) {
            fprintf(to, " to %s", html_count((double)list[i].most).text);
        }
        fprintf(to, "</td><td>%s</td><td class=\"%s\">%s</td></tr>\n",
                html_count((double)list[i].cycles).text,
                list[i].differences > 0 ? "failed" : "good",
                html_count((double)list[i].differences).text);
    }
    table_end(to);
}

void section_lockstep(FILE *to, const struct report_data *data, uint32_t gpu)
{
    const uint32_t end = first_run(data, gpu + 1u);
    size_t room = 0u;
    uint32_t n = 0u;

    for (uint32_t i = first_run(data, gpu); i < end; i++) {
        room += json_array_size(data->runs[i].lockstep);
    }
    struct compared *const list = memory_take(room + 1u, sizeof *list);
    for (uint32_t i = first_run(data, gpu); i < end && list != NULL; i++) {
        size_t k;
        json_t *item;
        json_array_foreach(data->runs[i].lockstep, k, item)
        {
            add(entry_of(list, &n, item), item);
        }
    }
    if (n > 0u) {
        print(to, list, n);
    }
    free(list);
}
