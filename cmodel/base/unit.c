/* unit - units of any type, by their description; see unit.h. */

#include "base/unit.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names --------------------------------------------------------------------------- */

char *unit_upper(const char *name, char text[UNIT_NAME_SIZE])
{
    size_t i = 0u;

    for (; i < UNIT_NAME_SIZE - 1u && name[i] != '\0'; i++) {
        text[i] = (char)toupper((unsigned char)name[i]);
    }
    text[i] = '\0';
    return text;
}

static char *all_params(const struct unit *unit, const char *mark, char equals,
                        char text[UNIT_TITLE])
{
    char name[UNIT_NAME_SIZE];
    size_t at = (size_t)snprintf(text, UNIT_TITLE, "%s", unit->type->name);

    for (uint32_t i = 0u; i < unit->type->n_param && at < UNIT_TITLE; i++) {
        unit_upper(unit->type->params[i].name, name);
        at += (size_t)snprintf(text + at, UNIT_TITLE - at, "%s%s%c%" PRIu32, mark, name, equals,
                               unit_param(unit, i));
    }
    return text;
}

char *unit_title(const struct unit *unit, char text[UNIT_TITLE])
{
    return all_params(unit, " ", '=', text);
}

char *unit_file_name(const struct unit *unit, char text[UNIT_TITLE])
{
    return all_params(unit, "-", '.', text);
}

/* ---- Parameters ---------------------------------------------------------------------- */

static uint32_t *param_at(const struct unit *unit, uint32_t i)
{
    return (uint32_t *)(void *)((char *)unit->config + unit->type->params[i].offset);
}

uint32_t unit_param(const struct unit *unit, uint32_t i)
{
    return *param_at(unit, i);
}

/* All parameters of a type, for a message. */
static void list_params(const struct unit_type *type, char *text, size_t size)
{
    char name[UNIT_NAME_SIZE];
    size_t at = 0u;

    snprintf(text, size, "%s", type->n_param == 0u ? "none" : "");
    for (uint32_t i = 0u; i < type->n_param && at < size; i++) {
        at += (size_t)snprintf(text + at, size - at, "%s%s", i == 0u ? "" : ", ",
                               unit_upper(type->params[i].name, name));
    }
}

/* The parameter that a text such as "N_CORE=15" names, or n_param. */
static uint32_t find_param(const struct unit_type *type, const char *text)
{
    const size_t length = strcspn(text, "=");
    char name[UNIT_NAME_SIZE];
    uint32_t i = 0u;

    while (i < type->n_param
           && (strlen(unit_upper(type->params[i].name, name)) != length
               || strncmp(name, text, length) != 0)) {
        i++;
    }
    return i;
}

static bool set_param(struct unit *unit, const char *text, struct fault *fault)
{
    const uint32_t i = find_param(unit->type, text);
    if (i == unit->type->n_param) {
        char known[128];
        list_params(unit->type, known, sizeof known);
        return fault_set(fault, "%s has no parameter %.40s; it has %s", unit->type->name, text,
                         known);
    }

    const struct unit_param *const param = &unit->type->params[i];
    const char *const digits = text + strcspn(text, "=");
    char *end = NULL;
    errno = 0;
    const unsigned long value = *digits == '=' ? strtoul(digits + 1, &end, 10) : 0u;
    if (end == NULL || end == digits + 1 || *end != '\0' || !isdigit((unsigned char)digits[1])
        || errno != 0 || value < param->lowest || value > param->highest) {
        return fault_set(fault,
                         "%s: %.40s: a whole number from %" PRIu32 " to %" PRIu32 " is allowed",
                         unit->type->name, text, param->lowest, param->highest);
    }
    *param_at(unit, i) = (uint32_t)value;
    return true;
}

/* The unit after its first reset, with the parameters in unit->config. */
static bool init(struct unit *unit, struct fault *fault)
{
    const int bad = unit->type->init(unit->model, unit->config);

    if (bad != 0) {
        fault_set(fault, "%s: parameter %s is out of range", unit->type->name,
                  unit->type->params[bad - 1].name);
    }
    return bad == 0;
}

static bool configure(struct unit *unit, const char *const *params, struct fault *fault)
{
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        *param_at(unit, i) = unit->type->params[i].standard;
    }
    for (; *params != NULL; params++) {
        if (!set_param(unit, *params, fault)) {
            return false;
        }
    }
    return init(unit, fault);
}

/* ---- A unit of any type -------------------------------------------------------------- */

/* Fills the description, and places each port in the image of its group. */
static void describe(struct unit *unit)
{
    unit->n_port = unit->type->describe(unit->config, unit->constants, unit->ports);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        struct unit_port *const port = &unit->ports[i];
        if (port->group != UNIT_MEM) {
            port->bit = unit->image_bits[port->group];
            unit->image_bits[port->group] += unit_port_bits(port);
        }
    }
}

struct unit_port *unit_part_rows(struct unit_port *to, const struct unit_place *place,
                                 const struct unit_port *rows, uint32_t n)
{
    for (uint32_t i = 0u; i < n; i++) {
        const bool reg = rows[i].group == UNIT_REG;
        if (!reg && rows[i].group != UNIT_MEM) {
            continue;
        }
        assert(rows[i].part == NULL); /* a part's own parts would need longer names */
        for (uint32_t k = 0u; k == 0u || k < place->elements; k++) {
            *to = rows[i];
            to->part = place->part;
            to->elements = place->elements;
            to->element = k;
            to->offset += (reg ? place->state_at : place->memory_at) + k * place->size;
            to->writes_at += place->next_at + k * place->next_size;
            to++;
        }
    }
    return to;
}

struct unit_event unit_event(const struct unit_type *type, uint32_t i)
{
    const struct unit_event *own = type->events;
    const struct unit_part *part = type->parts;

    assert(i < type->n_event);
    for (; own->name != NULL; own++) {
        if (i-- == 0u) {
            return *own;
        }
    }
    for (; i >= part->type->n_event; part++) {
        i -= part->type->n_event;
    }
    struct unit_event event = part->type->events[i]; /* parts have no parts */
    event.part = part->name;
    event.offset += part->events_at;
    return event;
}

static const struct unit_type *find_type(const char *name, struct fault *fault)
{
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        if (strcmp((*type)->name, name) == 0) {
            return *type;
        }
    }
    fault_set(fault, "no unit %.40s; there are:", name);
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        fault_add(fault, " %s", (*type)->name);
    }
    return NULL;
}

static struct unit *allocate(const struct unit_type *type)
{
    struct unit *const unit = calloc(1u, sizeof *unit);
    if (unit == NULL) {
        return NULL;
    }
    *unit = (struct unit){
        .type = type,
        .ports = calloc(type->max_port + 1u, sizeof *unit->ports),
        .constants = calloc(type->n_const + 1u, sizeof *unit->constants),
        .config = calloc(1u, type->config_size),
        .model = calloc(1u, type->size),
        .in = calloc(1u, type->group_size[UNIT_IN]),
        .out = calloc(1u, type->group_size[UNIT_OUT]),
        .next = calloc(1u, type->next_size),
    };
    if (unit->ports == NULL || unit->constants == NULL || unit->config == NULL
        || unit->model == NULL || unit->in == NULL || unit->out == NULL || unit->next == NULL) {
        unit_close(unit);
        return NULL;
    }
    return unit;
}

struct unit *unit_open(const char *name, const char *const *params, struct fault *fault)
{
    const struct unit_type *const type = find_type(name, fault);
    if (type == NULL) {
        return NULL;
    }
    struct unit *const unit = allocate(type);
    if (unit == NULL) {
        fault_surroundings(fault, "no memory for %s", type->name);
        return NULL;
    }
    if (!configure(unit, params, fault)) {
        unit_close(unit);
        return NULL;
    }
    describe(unit);
    return unit;
}

struct unit *unit_open_config(const char *name, const void *config, struct fault *fault)
{
    const char *const none = NULL;
    struct unit *const unit = unit_open(name, &none, fault);

    if (unit == NULL) {
        return NULL;
    }
    memcpy(unit->config, config, unit->type->config_size);
    if (!init(unit, fault)) {
        unit_close(unit);
        return NULL;
    }
    memset(unit->image_bits, 0, sizeof unit->image_bits);
    describe(unit);
    return unit;
}

struct unit *unit_open_text(const char *name, const char *params, struct fault *fault)
{
    enum { MOST = 32 };
    const char *words[MOST + 1] = { NULL };
    char *const text = strdup(params);
    char *rest = NULL;
    uint32_t n = 0u;

    if (text == NULL) {
        fault_surroundings(fault, "no memory for %s", name);
        return NULL;
    }
    for (char *word = strtok_r(text, " \t\n", &rest); word != NULL && n < MOST;
         word = strtok_r(NULL, " \t\n", &rest)) {
        words[n++] = word;
    }
    struct unit *const unit = unit_open(name, words, fault);
    free(text);
    return unit;
}

void unit_close(struct unit *unit)
{
    if (unit != NULL) {
        free(unit->ports);
        free(unit->constants);
        free(unit->config);
        free(unit->model);
        free(unit->in);
        free(unit->out);
        free(unit->next);
        free(unit);
    }
}

void unit_eval(struct unit *unit)
{
    unit->type->eval(unit->model, unit->in, unit->out, unit->next);
}

void unit_edge(struct unit *unit, bool reset)
{
    if (reset) {
        unit->type->reset(unit->model);
    } else {
        unit->type->tick(unit->model, unit->next);
    }
}

const void *unit_state(const struct unit *unit)
{
    return (const char *)unit->model + unit->type->state_at;
}

const void *unit_memory(const struct unit *unit)
{
    return (const char *)unit->model + unit->type->memory_at;
}
