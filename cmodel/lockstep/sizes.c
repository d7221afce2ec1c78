/* sizes - sets of parameters, drawn; see sizes.h. */

#include "lockstep/sizes.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/random_bits.h"

enum { TRIES = 1000 };

static uint32_t from(uint64_t *random, uint64_t lowest, uint64_t highest)
{
    return (uint32_t)(lowest + random_below(random, highest - lowest + 1u));
}

static bool is_power(uint32_t n)
{
    return (n & (n - 1u)) == 0u;
}

static uint32_t clamp(const struct unit_param *param, uint64_t value)
{
    return (uint32_t)(value < param->lowest    ? param->lowest
                      : value > param->highest ? param->highest
                                               : value);
}

/* A value of a class that chance chooses. */
static uint32_t draw(const struct unit_param *param, uint64_t *random)
{
    enum { LOWEST, FEW, POWER, BESIDE, OTHER, UPPER, HIGHEST, CLASSES };
    const uint64_t span = (uint64_t)param->highest - param->lowest;
    const uint64_t power = UINT64_C(1) << random_below(random, index_width(param->highest));
    uint32_t value;

    switch (random_below(random, CLASSES)) {
    case LOWEST:
        return param->lowest;
    case FEW:
        return clamp(param, from(random, 2u, 8u));
    case POWER:
        return clamp(param, power);
    case BESIDE:
        return clamp(param, random_below(random, 2u) == 0u ? power + 1u : power - 1u);
    case UPPER:
        return from(random, param->highest - span / 4u, param->highest);
    case HIGHEST:
        return param->highest;
    default:
        value = from(random, param->lowest, param->highest);
        return is_power(value) ? clamp(param, value + 1u) : value;
    }
}

/* Makes a parameter one that does not divide the one before it, if there is such a value. */
static void make_short(const struct unit_param *param, uint32_t before, uint32_t *value,
                       uint64_t *random)
{
    const uint64_t most = before < param->highest ? before : param->highest;

    for (int i = 0; i < TRIES && most > 2u && before % *value == 0u; i++) {
        *value = clamp(param, from(random, 2u, most));
    }
}

static void draw_all(const struct unit_type *type, uint64_t *random, char text[UNIT_TITLE])
{
    const uint32_t short_one = 1u + random_below(random, UINT64_C(2) * type->n_param + 1u);
    char name[UNIT_NAME_SIZE];
    uint32_t before = 0u;
    size_t at = 0u;

    text[0] = '\0';
    for (uint32_t i = 0u; i < type->n_param && at < UNIT_TITLE; i++) {
        uint32_t value = draw(&type->params[i], random);
        if (i == short_one) {
            make_short(&type->params[i], before, &value, random);
        }
        before = value;
        at += (size_t)snprintf(text + at, UNIT_TITLE - at, "%s=%" PRIu32 " ",
                               unit_upper(type->params[i].name, name), value);
    }
}

struct unit *sizes_draw(const char *name, uint64_t *random, struct fault *fault)
{
    const char *const none = NULL;
    struct unit *unit = unit_open(name, &none, fault);
    char text[UNIT_TITLE];

    if (unit == NULL) {
        return NULL;
    }
    const struct unit_type *const type = unit->type;
    unit_close(unit);
    unit = NULL;
    for (int i = 0; i < TRIES && unit == NULL; i++) {
        draw_all(type, random, text);
        unit = unit_open_text(name, text, fault);
    }
    return unit;
}
