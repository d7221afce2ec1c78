/* rtl_units - sets of the GPU's units; see rtl_units.h. */

#include "gpusched/run/rtl_units.h"

#include <stdio.h>
#include <string.h>

bool rtl_units_add(const char *name, size_t length, uint32_t *set)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);
    bool found = false;

    for (uint32_t k = 0u; k < n; k++) {
        const char *const known = units[k].type->name;
        if (strlen(known) == length && strncmp(name, known, length) == 0) {
            *set |= 1u << k;
            found = true;
        }
    }
    return found;
}

uint32_t rtl_units_all(void)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);

    return n == 32u ? UINT32_MAX : (1u << n) - 1u;
}

uint32_t rtl_units_count(uint32_t set)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);
    uint32_t count = 0u;

    for (uint32_t k = 0u; k < n; k++) {
        bool counts = (set >> k & 1u) != 0u;
        for (uint32_t before = 0u; before < k; before++) {
            counts =
                counts && (units[before].type != units[k].type || (set >> before & 1u) == 0u);
        }
        count += counts;
    }
    return count;
}

bool rtl_units_parse(const char *text, uint32_t *set, bool *all, struct fault *fault)
{
    *all = strcmp(text, "all") == 0;
    *set = *all ? rtl_units_all() : 0u;
    for (const char *name = text; !*all;) {
        const size_t length = strcspn(name, ",");
        if (!rtl_units_add(name, length, set)) {
            char known[RTL_UNITS_TEXT];
            return fault_set(fault, "%.*s: %s or all is allowed", (int)length, name,
                             rtl_units_text(known));
        }
        if (name[length] == '\0') {
            break;
        }
        name += length + 1u;
    }
    return true;
}

uint32_t rtl_units_active(uint32_t set, const struct gpu_config *config)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);

    for (uint32_t k = 0u; k < n; k++) {
        set &= gpu_unit_active(&units[k], config) ? UINT32_MAX : ~(1u << k);
    }
    return set;
}

uint32_t rtl_units_alone(uint32_t set)
{
    struct gpu_unit units[GPU_MAX_UNITS];
    uint32_t alone = set;
    uint32_t whole = 0u;

    for (uint32_t k = gpu_units(units);
         k-- != 0u;) { /* a composition stands behind its parts */
        whole = units[k].part == GPU_WHOLE ? k : whole;
        if (k != whole && (set >> whole & 1u) != 0u) {
            alone &= ~(1u << k);
        }
    }
    return alone;
}

const char *rtl_units_text(char text[RTL_UNITS_TEXT])
{
    struct gpu_unit units[GPU_MAX_UNITS];
    const uint32_t n = gpu_units(units);
    size_t at = 0u;

    for (uint32_t k = 0u; k < n && at < RTL_UNITS_TEXT; k++) {
        if (gpu_unit_first(units, k)) {
            at += (size_t)snprintf(text + at, RTL_UNITS_TEXT - at, "%s%s", k == 0u ? "" : ", ",
                                   units[k].type->name);
        }
    }
    return text;
}
