/* report_launches - the kernels of a single run; see report_sections.h. */

#include <math.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

enum { MOST_ROWS = 40, L1_COLUMN = 5 /* of heads */ };

static double whole(const json_t *kernel, const char *name)
{
    return json_number_value(json_object_get(kernel, name));
}

static struct text shape(const json_t *kernel, const char *name)
{
    const json_t *const list = json_object_get(kernel, name);
    uint32_t n[3];

    for (size_t i = 0u; i < 3u; i++) {
        n[i] = (uint32_t)json_integer_value(json_array_get(list, i));
    }
    return format_shape(n);
}

/* With l1, which is of GPUs with l1.carveouts, each kernel has an L1 of its own size. */
static void kernel_row(FILE *to, const json_t *kernel, bool l1)
{
    const char *const name = json_string_value(json_object_get(kernel, "name"));
    const double cycles = whole(kernel, "ended") - whole(kernel, "first_cta");
    const double ipc = cycles > 0.0 ? whole(kernel, "warp_instructions") / cycles : (double)NAN;

    fputs("<tr>", to);
    html_element(to, "td", "word", name == NULL ? "" : name);
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
            shape(kernel, "grid").text, shape(kernel, "block").text,
            html_count(whole(kernel, "registers")).text,
            html_count(whole(kernel, "shared_bytes")).text,
            html_count(whole(kernel, "ctas_per_sm")).text);
    if (l1) {
        fprintf(to, "<td>%s</td>", html_count(whole(kernel, "l1_bytes")).text);
    }
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
            html_count(whole(kernel, "ctas")).text, html_count(whole(kernel, "first_cta")).text,
            html_count(cycles > 0.0 ? cycles : (double)NAN).text, html_figure(ipc).text);
}

void section_launches(FILE *to, const json_t *result)
{
    static const char *const heads[] = {
        "grid, CTAs", "block, threads",      "registers / thread", "shared bytes / CTA",
        "CTAs / SM",  "L1 bytes / SM",       "CTAs ended",         "first CTA, cycle",
        "cycles",     "warp instr. / cycle",
    };
    const json_t *const kernels = json_object_get(result, "kernels");
    const size_t n = json_array_size(kernels);
    const bool l1 = json_object_get(json_array_get(kernels, 0u), "l1_bytes") != NULL;
    char note[128];

    if (n == 0u) {
        return;
    }
    snprintf(note, sizeof note, "The first %d of %zu launches.", MOST_ROWS, n);
    table_begin(to, "Launches", n > MOST_ROWS ? note : NULL, "runs");
    table_heading(to, "word", "kernel");
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        if (i != L1_COLUMN || l1) {
            table_heading(to, "", heads[i]);
        }
    }
    table_body(to);
    for (size_t i = 0u; i < n && i < MOST_ROWS; i++) {
        kernel_row(to, json_array_get(kernels, i), l1);
    }
    table_end(to);
}
