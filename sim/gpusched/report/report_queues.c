/* report_queues - how full the queues of LaPerm's units were in a single run; see
 * report_sections.h. */

#include <stdio.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

void section_queues(FILE *to, const json_t *result)
{
    static const struct {
        const char *unit, *name, *words;
    } rows[] = {
        { "kmu", "on_chip", "kernel management unit, on chip" },
        { "kmu", "in_memory", "kernel management unit, in memory" },
        { "laperm", "queue_0", "scheduler, kernels of the host" },
        { "laperm", "sets", "scheduler, launches on chip" },
        { "laperm", "in_memory", "scheduler, launches in memory" },
    };
    const json_t *const queues = json_object_get(json_object_get(result, "nested"), "queues");

    if (queues == NULL) {
        return;
    }
    table_begin(to, "Queues",
                "Kernels that wait for an entry of the distributor, and those "
                "whose CTAs wait for an SM.",
                "runs");
    table_heading(to, "word", "queues");
    table_heading(to, "", "mean");
    table_heading(to, "", "most");
    table_body(to);
    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        const json_t *const queue =
            json_object_get(json_object_get(queues, rows[i].unit), rows[i].name);
        fputs("<tr>", to);
        html_element(to, "td", "word", rows[i].words);
        fprintf(to, "<td>%s</td><td>%s</td></tr>\n",
                html_figure(json_number_value(json_object_get(queue, "mean"))).text,
                html_count(json_number_value(json_object_get(queue, "most"))).text);
    }
    table_end(to);
}
