/*
 * yaml_file - loads a YAML file into the structures of a libcyaml schema. What does not
 * fit the schema is refused with its line, its key and what is allowed there.
 *
 * Stricter than libcyaml, so that a typing error is never taken for a value: a number is
 * plain decimal digits, a truth value is true or false, a name of an enumeration is as
 * listed, a key is given once, and a file is one document of UTF-8 without aliases.
 * Schemas may hold integers, truth values, reals, enumerations, strings, mappings and
 * lists.
 */

#ifndef YAML_FILE_H
#define YAML_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

struct cyaml_schema_value;

/* Reads path. False: the fault is one line, "FILE:LINE: KEY: what is wrong; allowed: ...", and
 * *data is NULL. */
bool yaml_load(const char *path, const struct cyaml_schema_value *schema, void **data,
               struct fault *fault);

/* Frees what yaml_load gave; NULL is allowed. A linker must not see it as yaml_free: libyaml
 * has an inner function of that name, and would call ours. */
void yaml_unload(const struct cyaml_schema_value *schema, void *data);
#define yaml_free yaml_unload

/* The line of a key such as "sm.count", or "body.2.op" with list positions from 0; 0 if
 * the file has no such key. */
uint32_t yaml_line(const char *path, const char *key);

/* The comment behind each value of a file of sections and keys: what follows # in the line in
 * which the value begins, "" without one. Returns false with a fault if it cannot be read. */
typedef void yaml_comment(void *self, const char *section, const char *key,
                          const char *comment);
bool yaml_comments(const char *path, yaml_comment *take, void *self, struct fault *fault);

/* The value of decimal digits, without sign or leading zeros, if it is at most highest. */
bool yaml_whole(const char *text, uint64_t highest, uint64_t *value);

/* The value of a decimal number such as -2, 0.5 or 1e-3. */
bool yaml_real(const char *text, double *value);

/* For suggestions: is word near enough to what was given to be what was meant, and nearer
 * than *least letters? Then *least becomes its distance; begin with UINT32_MAX. */
bool yaml_nearer(const char *given, const char *word, uint32_t *least);

#endif
