/* report_throttles - what throttles have found for the kernels of a single run, and on how many
 * SMs ONAC or Seq-Det has them run; see report_sections.h. */

#include <math.h>
#include <string.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

enum { MOST_ROWS = 40, TALL = 36, PLOT = TALL + 18 };

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static double share(double part, double all)
{
    return all > 0.0 ? part / all : (double)NAN;
}

/* ---- What the launches of a kernel say ----------------------------------------------- */

struct launched {
    double fit;      /* CTAs on an SM, at most */
    double detected; /* launches, and the sums over them */
    double aborted, sms, took;
    double least, most; /* SMs */
};

static void add_detection(struct launched *sum, const json_t *detection)
{
    const double sms = number(detection, "sms");

    sum->least = sum->detected > 0.0 ? fmin(sum->least, sms) : sms;
    sum->most = fmax(sum->most, sms);
    sum->detected += 1.0;
    sum->aborted += json_is_true(json_object_get(detection, "aborted"));
    sum->sms += sms;
    sum->took += number(detection, "cycles");
}

/* Of by_kernel's item. */
static struct launched launched(const json_t *result, const json_t *kernel)
{
    struct launched sum = { .fit = 0.0 };
    size_t i;
    json_t *launch;

    json_array_foreach(json_object_get(result, "kernels"), i, launch)
    {
        const json_t *const detection = json_object_get(launch, "detection");
        if (json_equal(json_object_get(launch, "name"), json_object_get(kernel, "name"))
            && json_equal(json_object_get(launch, "stream"),
                          json_object_get(kernel, "stream"))) {
            sum.fit = fmax(sum.fit, number(launch, "ctas_per_sm"));
            if (detection != NULL) {
                add_detection(&sum, detection);
            }
        }
    }
    return sum;
}

/* ---- The table ----------------------------------------------------------------------- */

static void row(FILE *to, const json_t *kernel, const char *throttle, const char *found,
                double least, double most, double decided, const char *search)
{
    const char *const name = json_string_value(json_object_get(kernel, "name"));

    fputs("<tr>", to);
    html_element(to, "td", "word", name == NULL ? "" : name);
    html_element(to, "td", "word", throttle == NULL ? "" : throttle);
    html_element(to, "td", "word", found);
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td>", /* a limit of 0 is none */
            html_count(least > 0.0 ? least : (double)NAN).text,
            html_count(most > 0.0 ? most : (double)NAN).text, html_share(decided).text);
    html_sentence(to, "td", "word", search);
    fputs("</tr>\n", to);
}

static void throttle_row(FILE *to, const json_t *kernel, const char *name, const json_t *found,
                         double fit)
{
    const double sms = number(found, "sms");
    const double decided = share(number(found, "decided"), sms);
    bool decides = true, samples = true;
    char text[128], search[128] = "";

#define THROTTLE(unit, when, periods) \
    if (strcmp(name, #unit) == 0) {   \
        decides = when;               \
        samples = periods;            \
    }
#include "gpu/units/sockets.def"
    snprintf(text, sizeof text, "%.1f of %.0f CTAs per SM%s", share(number(found, "ctas"), sms),
             fit, decides && !(decided > 0.0) ? ", undecided" : "");
    if (samples) {
        snprintf(search, sizeof search, "%.1f periods per SM",
                 share(number(found, "periods"), sms));
    }
    row(to, kernel, name, text, number(found, "least"), number(found, "most"),
        decides ? decided : (double)NAN, search);
}

static void detection_row(FILE *to, const json_t *kernel, const char *mode,
                          const struct launched *of, double all)
{
    char text[128], search[128];

    if (of->aborted == of->detected) {
        snprintf(text, sizeof text, "all %.0f SMs: the detection was aborted", all);
    } else if (of->aborted > 0.0) {
        snprintf(text, sizeof text, "%.1f of %.0f SMs, aborted in %.0f of %.0f launches",
                 of->sms / of->detected, all, of->aborted, of->detected);
    } else {
        snprintf(text, sizeof text, "%.1f of %.0f SMs", of->sms / of->detected, all);
    }
    snprintf(search, sizeof search, "%.40s cycles, %.1f %% of the kernel's",
             html_count(of->took / of->detected).text,
             100.0 * share(of->took, number(kernel, "cycles")));
    row(to, kernel, mode, text, of->least, of->most, 1.0 - of->aborted / of->detected, search);
}

static void table(FILE *to, const json_t *result, const json_t *kernels)
{
    const json_t *const onac =
        json_object_get(json_object_get(result, "configuration"), "onac");
    const double all = number(json_object_get(result, "sm"), "members");
    size_t i;
    json_t *kernel;

    table_begin(to, "Throttles",
                "Means over SMs and launches. Decided: of SMs, or with ONAC or Seq-Det of "
                "launches, where the search has come to its end.",
                "runs");
    table_heading(to, "word", "kernel");
    table_heading(to, "word", "throttle");
    table_heading(to, "word", "it found");
    table_heading(to, "", "least");
    table_heading(to, "", "most");
    table_heading(to, "", "decided");
    table_heading(to, "word", "its search took");
    table_body(to);
    json_array_foreach(kernels, i, kernel)
    {
        const struct launched of = launched(result, kernel);
        const char *name;
        json_t *found;
        json_object_foreach(json_object_get(kernel, "throttles"), name, found)
        {
            throttle_row(to, kernel, name, found, of.fit);
        }
        if (of.detected > 0.0) {
            detection_row(to, kernel, json_string_value(json_object_get(onac, "mode")), &of,
                          all);
        }
    }
    table_end(to);
}

/* ---- The chart ----------------------------------------------------------------------- */

/* Bars over the limits from 1 to `most`; a line at what fits. */
static void draw_limits(FILE *to, const char *label, const json_t *found, double fit,
                        double most)
{
    const double sms = number(found, "sms");
    size_t i;
    json_t *at;

    chart_plot_begin(to, PLOT, label);
    json_array_foreach(json_object_get(found, "sms_at"), i, at)
    {
        const double n = json_number_value(at), height = TALL * share(n, sms);
        if (n > 0.0) {
            fprintf(to,
                    "<rect class=\"v0\" x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" "
                    "height=\"%.1f\"/><text class=\"value\" x=\"%.2f%%\" y=\"%.1f\" "
                    "text-anchor=\"middle\">%s</text>",
                    100.0 * ((double)i + 0.15) / most, PLOT - height, 70.0 / most, height,
                    100.0 * ((double)i + 0.5) / most, PLOT - height - 3.0, html_count(n).text);
        }
    }
    fprintf(to,
            "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>"
            "<line class=\"base\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
            PLOT, PLOT, 100.0 * fit / most, 100.0 * fit / most);
    chart_plot_end(to);
}

static void draw_axis(FILE *to, double most)
{
    fputs("<div class=\"row\"><div class=\"label\"></div><svg class=\"plot axis\" "
          "height=\"18\" aria-hidden=\"true\">",
          to);
    for (uint32_t n = 1u; n <= (uint32_t)most; n++) {
        fprintf(to, "<text x=\"%.2f%%\" y=\"13\" text-anchor=\"middle\">%u</text>",
                100.0 * (n - 0.5) / most, n);
    }
    fputs("</svg></div>\n", to);
}

static void chart(FILE *to, const json_t *result, const json_t *kernels, double most)
{
    size_t i;
    json_t *kernel;

    chart_begin(to, "Limits of the SMs",
                "SMs by the CTAs that they may have when the kernel or the run ends, summed "
                "over launches. The line is behind the CTAs that fit.");
    fputs("<div class=\"rows\">\n", to);
    json_array_foreach(kernels, i, kernel)
    {
        const char *const called = json_string_value(json_object_get(kernel, "name"));
        const char *name;
        json_t *found;
        json_object_foreach(json_object_get(kernel, "throttles"), name, found)
        {
            char label[256];
            snprintf(label, sizeof label, "%.200s, %.20s", called == NULL ? "" : called, name);
            fputs("<div class=\"row\">", to);
            html_element(to, "div", "label", label);
            draw_limits(to, label, found, launched(result, kernel).fit, most);
            fputs("</div>\n", to);
        }
    }
    draw_axis(to, most);
    fputs("</div>\n", to);
    chart_end(to);
}

void section_throttles(FILE *to, const json_t *result)
{
    const json_t *const kernels = json_object_get(result, "by_kernel");
    double rows = 0.0, most = 0.0;
    size_t i;
    json_t *kernel;

    json_array_foreach(kernels, i, kernel)
    {
        const struct launched of = launched(result, kernel);
        const size_t throttles = json_object_size(json_object_get(kernel, "throttles"));
        rows += (double)throttles + (of.detected > 0.0);
        most = throttles > 0u ? fmax(most, of.fit) : most;
    }
    if (rows > 0.0) {
        table(to, result, kernels);
        if (most > 0.0 && rows <= MOST_ROWS) {
            chart(to, result, kernels, most);
        }
    }
}
