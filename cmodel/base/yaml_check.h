/* yaml_check - a YAML document against a libcyaml schema. */

#ifndef YAML_CHECK_H
#define YAML_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

struct cyaml_schema_value;

/* Where the first fault is, and what. */
struct yaml_fault {
    uint32_t line;
    char key[256]; /* dotted; "" of the whole document */
    char text[1024];
};

/* Mappings and lists within each other. */
enum { YAML_DEEPEST = 64 };

/* False: fault says why the document does not fit. Documents are trees of YAML_DEEPEST
 * levels at most. */
bool yaml_check(yaml_document_t *document, const struct cyaml_schema_value *schema,
                struct yaml_fault *fault);

#endif
