/* sweep_file - the file of a sweep's experiment; see sweep.h. */

#include <stdio.h>
#include <string.h>

#include "base/output_file.h"
#include "gpusched/sweep/sweep.h"
#include "gpusched/sweep/sweep_figures.h"

/* A text between quotation marks. */
static void quote(const char *text, FILE *to)
{
    fputc('"', to);
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 0x20u || byte == 0x7fu) {
            fprintf(to, "\\x%02x", byte);
        } else {
            fprintf(to, "%s%c", byte == '"' || byte == '\\' ? "\\" : "", byte);
        }
    }
    fputc('"', to);
}

/* Of several settings of a key the last one holds. */
static bool is_set_later(const struct machine_options *machine, uint32_t i)
{
    const size_t n = strcspn(machine->set[i], "=") + 1u;

    for (uint32_t later = i + 1u; later < machine->n_set; later++) {
        if (strncmp(machine->set[later], machine->set[i], n) == 0) {
            return true;
        }
    }
    return false;
}

static void write_settings(const struct machine_options *machine, FILE *to)
{
    if (machine->scheduler == NULL && machine->n_set == 0u) {
        return;
    }
    fputs("settings:\n", to);
    if (machine->scheduler != NULL) {
        fputs("  scheduler: ", to);
        quote(machine->scheduler, to);
        fputc('\n', to);
    }
    for (uint32_t i = 0u; i < machine->n_set; i++) {
        const char *const set = machine->set[i];
        const int n = (int)strcspn(set, "=");
        if (!is_set_later(machine, i)) {
            fprintf(to, "  %.*s: ", n, set);
            quote(set + n + 1, to);
            fputc('\n', to);
        }
    }
}

static void write_axis(const struct sweep *sweep, const uint32_t *counts, uint32_t n, FILE *to)
{
    const bool ctas = sweep->options.over == SWEEP_OVER_CTAS;

    fprintf(to, "axes:\n  %s: {key: %s, values: [", ctas ? "ctas" : "cores",
            ctas ? "sm.cta_slots" : "sm.active");
    for (uint32_t i = 0u; i < n; i++) {
        fprintf(to, "%s%u", i == 0u ? "" : ", ", counts[i]);
    }
    fputs("]}\n", to);
}

static void write_all(const struct sweep *sweep, const uint32_t *counts, uint32_t n, FILE *to)
{
    fprintf(to, "# Made by gpusched sweep.\ntitle: ");
    quote(sweep->title, to);
    fputs("\ngpus: [", to);
    quote(sweep->options.machine.gpu, to);
    fputs("]\nworkloads:\n  - {name: ", to);
    quote(sweep->options.workload.name, to);
    if (sweep->options.workload.size_given) {
        fprintf(to, ", size: %s", sweep->size);
    }
    fputs("}\n", to);
    write_settings(&sweep->options.machine, to);
    write_axis(sweep, counts, n, to);
    fputs("figures:\n", to);
    for (uint32_t i = 0u; i < SWEEP_FIGURES; i++) {
        fprintf(to, "  - %s\n", sweep_figures[i]);
    }
}

bool sweep_path(struct sweep *sweep, const char *ending, char path[EXPERIMENT_PATH])
{
    const int n =
        snprintf(path, EXPERIMENT_PATH, "%s/%s%s", sweep->options.folder, sweep->name, ending);

    return (n > 0 && n < EXPERIMENT_PATH)
           || fault_set(&sweep->fault, "-o: the path of a folder, shorter than %d, is needed",
                        EXPERIMENT_PATH);
}

bool sweep_write_file(struct sweep *sweep, const uint32_t *counts, uint32_t n)
{
    struct output_file file;

    if (sweep_path(sweep, ".yaml", sweep->file) && output_file_open(&file, sweep->file)) {
        write_all(sweep, counts, n, file.to);
        if (output_file_commit(&file)) {
            return true;
        }
    }
    return sweep->fault.kind != FAULT_NONE
               ? false
               : fault_system(&sweep->fault, "%.3000s: cannot be written", sweep->file);
}
