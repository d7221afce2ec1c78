/* sockets - what the table says of the units in the GPU; see sockets.h. */

#include "gpu/units/sockets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- The table ----------------------------------------------------------------------- */

struct row {
    const struct unit_type *type;
    const char *needs;
    uint32_t (*count)(const struct gpu_config *config);
    bool (*active)(const struct gpu_config *config);
    void (*parameters)(const struct gpu_config *config, void *parameters);
};

static uint32_t count_GPU(const struct gpu_config *config)
{
    (void)config;
    return 1u;
}
static uint32_t count_CLUSTER(const struct gpu_config *config)
{
    return config->cluster.count;
}
__attribute__((unused)) static uint32_t count_SM(const struct gpu_config *config)
{
    return config->sm.count;
}
__attribute__((unused)) static uint32_t count_SCHEDULER(const struct gpu_config *config)
{
    return config->sm.count * config->warp.schedulers;
}

#define SOCKET(unit, place, when, condition, needs, ...)                                \
    static bool is_active_##unit(const struct gpu_config *config)                       \
    {                                                                                   \
        (void)config;                                                                   \
        return condition;                                                               \
    }                                                                                   \
    static void parameters_of_##unit(const struct gpu_config *config, void *parameters) \
    {                                                                                   \
        (void)config;                                                                   \
        *(struct unit##_config *)parameters = (struct unit##_config){ __VA_ARGS__ };    \
    }
#define IDLE(unit, part, when, needs)                                    \
    static bool is_idle_##unit##_##part(const struct gpu_config *config) \
    {                                                                    \
        return when;                                                     \
    }
#include "gpu/units/sockets.def"

static const struct row rows[GPU_SOCKETS] = {
#define SOCKET(unit, place, when, condition, needs, ...) \
    { &unit##_type, needs, count_##place, is_active_##unit, parameters_of_##unit },
#include "gpu/units/sockets.def"
};

static const struct {
    enum gpu_socket socket;
    uint32_t part;
    const char *needs;
    bool (*idle)(const struct gpu_config *config);
} idle_parts[] = {
#define IDLE(unit, part, when, needs) \
    { SOCKET_##unit, unit##_part_##part, needs, is_idle_##unit##_##part },
#include "gpu/units/sockets.def"
};

/* ---- What it says -------------------------------------------------------------------- */

uint32_t gpu_units(struct gpu_unit units[GPU_MAX_UNITS])
{
    uint32_t n = 0u;

    for (uint32_t s = 0u; s < GPU_SOCKETS; s++) {
        const struct unit_type *const type = rows[s].type;
        for (uint32_t part = 0u; type->parts[part].name != NULL; part++) {
            assert(n + 1u < GPU_MAX_UNITS);         /* with the unit itself */
            if (type->parts[part].number == NULL) { /* an array is compared as a whole */
                units[n++] =
                    (struct gpu_unit){ type->parts[part].type, (enum gpu_socket)s, part };
            }
        }
        units[n++] = (struct gpu_unit){ type, (enum gpu_socket)s, GPU_WHOLE };
    }
    return n;
}

bool gpu_unit_there(const struct gpu_unit *unit, const struct gpu_config *config)
{
    return rows[unit->socket].active(config);
}

bool gpu_unit_active(const struct gpu_unit *unit, const struct gpu_config *config)
{
    bool active = gpu_unit_there(unit, config);

    for (size_t i = 0u; i < sizeof idle_parts / sizeof idle_parts[0]; i++) {
        if (idle_parts[i].socket == unit->socket && idle_parts[i].part == unit->part) {
            active = active && !idle_parts[i].idle(config);
        }
    }
    return active;
}

bool gpu_unit_first(const struct gpu_unit *units, uint32_t row)
{
    uint32_t first = 0u;

    while (units[first].type != units[row].type) {
        first++;
    }
    return first == row;
}

uint32_t gpu_unit_row(const struct unit_type *type, const struct gpu_config *config)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    uint32_t row = gpu_units(units);

    for (uint32_t k = row; k-- != 0u;) {
        const bool same = units[k].type == type;
        if (same && (gpu_unit_first(units, k) || gpu_unit_there(&units[k], config))) {
            row = k;
            if (gpu_unit_there(&units[k], config)) {
                break;
            }
        }
    }
    return row;
}

const char *gpu_unit_needs(const struct gpu_unit *unit)
{
    for (size_t i = 0u; i < sizeof idle_parts / sizeof idle_parts[0]; i++) {
        if (idle_parts[i].socket == unit->socket && idle_parts[i].part == unit->part) {
            return idle_parts[i].needs;
        }
    }
    return rows[unit->socket].needs;
}

#define READS_CALLED  false
#define READS_STEPPED false
#define READS_COUNTED false
#define READS_EVENTS  false
#define READS_SUMMED  !summed

bool gpu_units_read_classes(const struct gpu_config *config, bool summed)
{
#define SOCKET(unit, place, when, ...) (READS_##when && rows[SOCKET_##unit].active(config)) ||
#define CLASSES(unit)                  rows[SOCKET_##unit].active(config) ||
    return
#include "gpu/units/sockets.def"
        false;
}

bool gpu_unit_observes(enum gpu_socket socket)
{
#define OBSERVER(unit) socket == SOCKET_##unit ||
    return
#include "gpu/units/sockets.def"
        false;
}

uint32_t gpu_socket_count(enum gpu_socket socket, const struct gpu_config *config)
{
    return rows[socket].count(config);
}

bool gpu_unit_parameters(const struct gpu_unit *unit, const struct gpu_config *config,
                         void *parameters)
{
    const struct row *const row = &rows[unit->socket];
    void *const whole = calloc(1u, row->type->config_size);
    void *const model = calloc(1u, row->type->size);
    const bool good = whole != NULL && model != NULL;

    if (good && unit->part == GPU_WHOLE) {
        row->parameters(config, parameters);
    } else if (good) {
        /* Those of a part follow from the composition's, which makes them. */
        const struct unit_part *const part = &row->type->parts[unit->part];
        row->parameters(config, whole);
        const int bad = row->type->init(model, whole);
        assert(bad == 0); /* the configuration's ranges are within the unit's */
        (void)bad;
        memcpy(parameters, (const char *)model + part->config_at, part->type->config_size);
    }
    free(whole);
    free(model);
    return good;
}
