/*
 * rtl_units - which of the GPU's units are watched. A set of them is a number whose bit k is
 * unit k of gpu_units.
 */

#ifndef RTL_UNITS_H
#define RTL_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpu/units/sockets.h"

/* Adds the units whose type has this name of so many letters. False if there are none. */
bool rtl_units_add(const char *name, size_t length, uint32_t *set);

/* Reads a list such as "cta_scheduler,claso", or "all", and says in *all whether it was that.
 * False with a fault. */
bool rtl_units_parse(const char *text, uint32_t *set, bool *all, struct fault *fault);

uint32_t rtl_units_all(void);

/* How many names there are in the set: a unit may be in it for each place that it may have. */
uint32_t rtl_units_count(uint32_t set);

/* Those of the set that do something on this GPU. */
uint32_t rtl_units_active(uint32_t set, const struct gpu_config *config);

/* Those of the set that need RTL of their own in the shadow: not the parts of a composition
 * that is in the set, since they are compared in its RTL. */
uint32_t rtl_units_alone(uint32_t set);

/* "cta_scheduler, claso, ...": all names, for a message. Returns text. */
enum { RTL_UNITS_TEXT = 512 };
const char *rtl_units_text(char text[RTL_UNITS_TEXT]);

#endif
