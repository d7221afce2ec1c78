/* completion_names - names from where they are kept; see completion_names.h. */

#include "gpusched/command/completion_names.h"

#include <stdio.h>
#include <string.h>

#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_scheduler.h"
#include "gpusched/experiment/grid/experiment.h"
#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "gpusched/result/naive.h"
#include "gpusched/run/rtl_peer.h"
#include "gpusched/workload/workload.h"
#include "tool/command.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

enum { NAMES = 4096, NAME = 64 };

typedef void each_name(void *self, const char *name);

static void command_names(each_name *each, void *self)
{
    for (const struct command *const *at = commands; *at != NULL; at++) {
        each(self, (*at)->name);
    }
}

/* Of a list "a, b, c", which is cut. */
static void listed_names(char *names, each_name *each, void *self)
{
    char *rest = NULL;

    for (const char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        each(self, name);
    }
}

static void gpu_names(each_name *each, void *self)
{
    char names[NAMES];

    gpu_config_names(names, sizeof names);
    listed_names(names, each, self);
}

static void scheduler_names(each_name *each, void *self)
{
    char names[NAMES];

    gpu_scheduler_names(names, sizeof names);
    listed_names(names, each, self);
}

/* For lists that have titles as well. */
struct untitled {
    each_name *each;
    void *self;
};

static void without_title(void *self, const char *name, const char *title)
{
    const struct untitled *const to = self;

    (void)title;
    to->each(to->self, name);
}

static void workload_names(each_name *each, void *self)
{
    struct untitled to = { each, self };

    for (const struct cuda_workload *const *at = cuda_workloads; *at != NULL; at++) {
        each(self, (*at)->name);
    }
    synthetic_workloads(without_title, &to);
}

static void names_of_experiments(each_name *each, void *self)
{
    struct untitled to = { each, self };

    experiment_names(without_title, &to);
}

static void size_names(each_name *each, void *self)
{
    char names[WORKLOAD_SIZE_NAMES];

    workload_size_names(NULL, names);
    listed_names(names, each, self);
}

static void unit_names(each_name *each, void *self)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);

    for (uint32_t k = 0u; k < n; k++) {
        if (gpu_unit_first(units, k)) {
            each(self, units[k].type->name);
        }
    }
    each(self, "all");
}

static void mode_names(each_name *each, void *self)
{
    for (size_t i = 0u; naive_name(i) != NULL; i++) {
        each(self, naive_name(i));
    }
}

static void figure_names(each_name *each, void *self)
{
    for (const struct figure *figure = figure_table; figure->name != NULL; figure++) {
        each(self, figure->name);
    }
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        for (const struct gpu_count *count = count_groups[i].counts; count->name != NULL;
             count++) {
            char name[NAME];
            snprintf(name, sizeof name, "%s.%s", count_groups[i].name, count->name);
            each(self, name);
        }
    }
}

static void key_names(each_name *each, void *self)
{
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "%s.%s", gpu_keys[i].section, gpu_keys[i].key);
        each(self, name);
    }
}

const struct name_kind name_kinds[] = {
    { "COMMAND", command_names },
    { "GPU", gpu_names },
    { "SCHEDULER", scheduler_names },
    { "WORKLOAD", workload_names },
    { "SIZE", size_names },
    { "EXPERIMENT", names_of_experiments },
    { "UNIT", unit_names },
    { "MODE", mode_names },
    { "FIGURE", figure_names },
    { "KEY", key_names },
    { NULL, NULL },
};
