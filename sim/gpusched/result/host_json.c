/* host_json - what a run cost; see host_json.h. */

#include "gpusched/result/host_json.h"

#include <sys/resource.h>

#include "gpusched/result/naive.h"
#include "gpusched/result/result_json.h"
#include "tool/version.h"

double host_cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static json_t *rate(uint64_t n, double seconds)
{
    return seconds > 0.0 ? json_real((double)n / seconds) : json_null();
}

static json_t *command_line(const struct host *host)
{
    json_t *const array = json_array();

    for (int i = 0; i < host->argc; i++) {
        json_array_append_new(array, json_string(host->argv[i]));
    }
    return array;
}

bool host_json_write(const struct host *host, const struct gpu_stats *stats, FILE *to)
{
    json_t *const object = json_object();
    struct rusage usage;
    uint64_t instructions = 0u;

    for (uint32_t i = 0u; i < stats->n_sm; i++) {
        instructions += stats->sm[i].warp_instructions;
    }
    getrusage(RUSAGE_SELF, &usage);
    json_object_set_new(object, "format", json_string("gpusched-host 1"));
    json_object_set_new(object, "version", json_string(GPUSCHED_VERSION));
    json_object_set_new(object, "command_line", command_line(host));
    json_object_set_new(object, "gpu",
                        host->gpu == NULL ? json_null() : json_string(host->gpu));
    json_object_set_new(object, "naive", naive_json(host->mode));
    json_object_set_new(object, "wall_seconds", json_real(host->wall_seconds));
    json_object_set_new(object, "cpu_seconds", json_real(host->cpu_seconds));
    json_object_set_new(object, "cycles_per_second", rate(stats->cycles, host->wall_seconds));
    json_object_set_new(object, "warp_instructions_per_second",
                        rate(instructions, host->wall_seconds));
    json_object_set_new(object, "peak_memory_bytes",
                        json_integer((json_int_t)usage.ru_maxrss * 1024));
    const bool ok = json_write(object, to);
    json_decref(object);
    return ok;
}
