/* report_folder - a single run; see report_folder.h. */

#include "gpusched/report/data/report_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/result/result_read.h"
#include "tool/memory_watch.h"

enum { SMS_FROM = 100 /* processes of the timeline */ };

static bool no_memory(struct fault *fault)
{
    return fault_surroundings(fault, "no memory");
}

/* ---- CTAs of the timeline ------------------------------------------------------------ */

/* A line is an event; those of CTAs are ended spans of the processes of SMs. Returns NULL if
 * it is no other's either. */
static json_t *event_of(const char *line, size_t n)
{
    while (n > 0u && strchr(",\n", line[n - 1u]) != NULL) {
        n--;
    }
    return json_loadb(line, n, 0u, NULL);
}

static bool add_cta(json_t *ctas, const json_t *event)
{
    const json_int_t process = json_integer_value(json_object_get(event, "pid"));
    const json_int_t from = json_integer_value(json_object_get(event, "ts"));
    const json_t *const arguments = json_object_get(event, "args");
    const json_t *const kernel = json_object_get(arguments, "kernel");
    const json_t *const slot = json_object_get(event, "tid");
    const json_t *const length = json_object_get(event, "dur");

    if (process < SMS_FROM) {
        return true; /* a kernel's */
    }
    return json_is_integer(kernel) && json_is_integer(slot) && json_is_integer(length)
           && json_array_append_new(ctas,
                                    json_pack("[I,i,I,I,I,I]", json_integer_value(kernel), 0,
                                              process - SMS_FROM, json_integer_value(slot),
                                              from, from + json_integer_value(length)))
                  == 0;
}

static bool read_ctas(json_t *ctas, FILE *from, const char *path, struct fault *fault)
{
    static const char span[] = "{\"ph\":\"X\"";
    char *line = NULL;
    size_t room = 0u;
    uint32_t number = 0u;
    bool good = true;
    ssize_t n;

    while (good && (n = getline(&line, &room, from)) > 0) {
        number++;
        if (strncmp(line, span, sizeof span - 1u) == 0) {
            json_t *const event = event_of(line, (size_t)n);
            good = event != NULL && add_cta(ctas, event);
            json_decref(event);
        }
    }
    free(line);
    if (!good && !memory_lost()) {
        fault_at(fault, path, number, "not an event as gpusched run --timeline writes it");
    }
    return good || (memory_lost() && no_memory(fault));
}

/* ---- Files that may be there --------------------------------------------------------- */

/* Opens a file beside the result; NULL, and no fault, if there is none. */
static FILE *open_beside(const char *given, const char *name, char path[RESULT_PATH],
                         struct fault *fault)
{
    if (!result_place(given, name, path, fault)) {
        return NULL;
    }
    FILE *const from = fopen(path, "rbe");
    if (from == NULL && errno != ENOENT) {
        fault_system(fault, "%s", path);
    }
    return from;
}

static bool read_timeline(struct report_data *data, const char *given, struct fault *fault)
{
    char path[RESULT_PATH];
    FILE *const from = open_beside(given, "timeline.json", path, fault);
    bool good = fault->kind == FAULT_NONE;

    if (from != NULL) {
        json_t *const ctas = json_array();
        good = read_ctas(ctas, from, path, fault);
        data->ctas = json_pack("{s:o}", "ctas", ctas);
        fclose(from);
    }
    return good;
}

static bool read_series(struct report_data *data, const char *given, struct fault *fault)
{
    char path[RESULT_PATH];
    FILE *const from = open_beside(given, "series.csv", path, fault);
    bool good = fault->kind == FAULT_NONE;

    if (from != NULL) {
        good = report_series_read(&data->series, from, path, fault);
        fclose(from);
    }
    return good;
}

/* Which GPU it was, and its command line. */
static bool read_host(struct report_data *data, const char *given, struct fault *fault)
{
    json_t *const host = result_read_beside(given, "host.json", "gpusched-host 1", fault);
    const char *const gpu = json_string_value(json_object_get(host, "gpu"));

    data->runs[0].gpu = memory_copy(gpu == NULL ? "GPU" : gpu);
    data->command = json_incref(json_object_get(host, "command_line"));
    json_decref(host);
    return fault->kind == FAULT_NONE;
}

/* ---- The run ------------------------------------------------------------------------- */

/* "hung: why", of a run that did not come to its end. */
static char *error_of(const json_t *result)
{
    const char *const end = json_string_value(json_object_get(result, "end"));
    const char *const message = json_string_value(json_object_get(result, "message"));
    char text[1024];

    if (end == NULL || strcmp(end, "done") == 0) {
        return NULL;
    }
    snprintf(text, sizeof text, "%.20s%s%.900s", end,
             message == NULL || message[0] == '\0' ? "" : ": ", message == NULL ? "" : message);
    return memory_copy(text);
}

static bool read_run(struct report_data *data, const char *given, struct fault *fault)
{
    struct report_run *const run = &data->runs[0];
    const struct result_title title = result_title(data->result);

    data->n = 1u;
    run->id = 1u;
    run->status = RUN_DONE;
    run->status_of = run->id;
    run->workload = memory_copy(title.text);
    run->variant = memory_copy("");
    run->axes = memory_take(EXPERIMENT_AXES, sizeof *run->axes);
    run->error = error_of(data->result);
    run->values = report_values_of(data->result);
    run->kernels = json_incref(json_object_get(data->result, "by_kernel"));
    run->configuration = json_incref(json_object_get(data->result, "configuration"));
    data->title = memory_copy(title.text);
    return read_host(data, given, fault) && read_timeline(data, given, fault)
           && read_series(data, given, fault) && (!memory_lost() || no_memory(fault));
}

bool report_folder_open(struct report_data *data, const char *path, struct fault *fault)
{
    *data = (struct report_data){ .dimensions = DIMENSION_AXIS };
    for (uint32_t d = 0u; d < EXPERIMENT_DIMENSIONS; d++) {
        data->length[d] = 1u;
    }
    data->result = result_read(path, fault);
    if (data->result == NULL) {
        return false;
    }
    data->runs = memory_take(1u, sizeof *data->runs);
    if (data->runs != NULL ? read_run(data, path, fault) : no_memory(fault)) {
        return true;
    }
    report_data_free(data);
    return false;
}
