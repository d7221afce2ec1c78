/* unit_paths - which inputs of a unit reach which outputs in their own cycle; see unit_paths.h.
 */

#include "tb/base/unit_paths.h"

void open_paths(struct unit_paths *paths, const struct unit_type *type, const void *config)
{
    struct unit_const constants[PATH_CONSTANTS];

    assert_in_range(type->max_port, 1, PATH_ROWS);
    assert_in_range(type->n_const, 1, PATH_CONSTANTS);
    assert_in_range(type->group_size[UNIT_IN], 1, PATH_IN);
    assert_in_range(type->group_size[UNIT_OUT], 1, PATH_OUT);
    memset(paths, 0, sizeof *paths);
    const uint32_t n = type->describe(config, constants, paths->ports);
    paths->unit = (struct unit){ .type = type, .ports = paths->ports, .n_port = n };
    paths->next = malloc(type->next_size);
    assert_non_null(paths->next);
}

static void note_outputs(struct unit_paths *paths, uint32_t input, const void *before,
                         const void *after)
{
    for (uint32_t i = 0u; i < paths->unit.n_port; i++) {
        const struct unit_port *const port = &paths->ports[i];
        for (uint32_t k = 0u; port->group == UNIT_OUT && k < port->count; k++) {
            paths->seen[input][i] |= unit_get(port, before, k) != unit_get(port, after, k);
        }
    }
}

void note_paths(struct unit_paths *paths, const void *model, const void *in, const void *other)
{
    const struct unit_type *const type = paths->unit.type;
    _Alignas(max_align_t) unsigned char mixed[PATH_IN], before[PATH_OUT], after[PATH_OUT];

    type->eval(model, in, before, paths->next);
    for (uint32_t i = 0u; i < paths->unit.n_port; i++) {
        const struct unit_port *const port = &paths->ports[i];
        if (port->group != UNIT_IN) {
            continue;
        }
        memcpy(mixed, in, type->group_size[UNIT_IN]);
        for (uint32_t k = 0u; k < port->count; k++) {
            unit_set(port, mixed, k, unit_get(port, other, k));
        }
        type->eval(model, mixed, after, paths->next);
        note_outputs(paths, i, before, after);
    }
}

bool has_path(const struct unit_type *type, const char *in, const char *out)
{
    bool has = false;

    for (const struct unit_path *path = type->paths; path->in != NULL; path++) {
        has |= strcmp(path->in, in) == 0 && strcmp(path->out, out) == 0;
    }
    return has;
}

void close_paths(struct unit_paths *paths)
{
    const struct unit_type *const type = paths->unit.type;

    for (uint32_t i = 0u; i < paths->unit.n_port; i++) {
        for (uint32_t o = 0u; o < paths->unit.n_port; o++) {
            const struct unit_port *const in = &paths->ports[i], *const out = &paths->ports[o];
            if (in->group == UNIT_IN && out->group == UNIT_OUT
                && paths->seen[i][o] != has_path(type, in->name, out->name)) {
                fail_msg("%s %s %s", in->name, paths->seen[i][o] ? "reaches" : "never reaches",
                         out->name);
            }
        }
    }
    free(paths->next);
}
