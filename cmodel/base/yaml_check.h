/* yaml_check - a YAML document against a libcyaml schema. */

#ifndef YAML_CHECK_H
#define YAML_CHECK_H

#include <stdbool.h>
#include <yaml.h>

#include "base/fault.h"

struct cyaml_schema_value;

/* Mappings and lists within each other. */
enum { YAML_DEEPEST = 64 };

/* False: fault says where and why the document of `path` does not fit. Documents are trees of
 * YAML_DEEPEST levels at most. */
bool yaml_check(yaml_document_t *document, const struct cyaml_schema_value *schema,
                const char *path, struct fault *fault);

#endif
