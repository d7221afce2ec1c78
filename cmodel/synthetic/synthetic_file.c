/* synthetic_file - the YAML of a workload file; see synthetic_file.h. */

#include "synthetic/synthetic_file.h"

#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml_file.h"

/* ---- Schema -------------------------------------------------------------------------- */

#define OPTIONAL CYAML_FLAG_OPTIONAL

static const cyaml_schema_value_t text_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED),
};
static const cyaml_schema_value_t number_schema = {
    CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t),
};

static const cyaml_schema_field_t weight_fields[] = {
#define WEIGHT(identifier, name) \
    CYAML_FIELD_UINT(name, OPTIONAL, struct file_weights, weight[identifier]),
    OP_CLASSES(WEIGHT)
#undef WEIGHT
        CYAML_FIELD_END
};

static const cyaml_schema_field_t diverge_fields[] = {
    CYAML_FIELD_FLOAT("probability", CYAML_FLAG_DEFAULT, struct file_diverge, probability),
    CYAML_FIELD_UINT("lanes", CYAML_FLAG_DEFAULT, struct file_diverge, lanes), CYAML_FIELD_END
};

/* A step holds steps. */
static const cyaml_schema_value_t step_schema;

static const cyaml_schema_field_t step_fields[] = {
#define NUMBER(key) CYAML_FIELD_UINT_PTR(#key, OPTIONAL, struct file_step, key),
#define REAL(key)   CYAML_FIELD_FLOAT_PTR(#key, OPTIONAL, struct file_step, key),
#define TEXT(key) \
    CYAML_FIELD_STRING_PTR(#key, OPTIONAL, struct file_step, key, 0, CYAML_UNLIMITED),
#define LIST(key, schema)                                                                    \
    CYAML_FIELD_SEQUENCE(#key, CYAML_FLAG_POINTER | OPTIONAL, struct file_step, key, schema, \
                         0, CYAML_UNLIMITED)
    STEP_NUMBERS(NUMBER) STEP_REALS(REAL) STEP_TEXTS(TEXT) LIST(src, &text_schema),
    LIST(body, &step_schema),
    LIST(taken_body, &step_schema),
    CYAML_FIELD_MAPPING_PTR("mix", OPTIONAL, struct file_step, mix, weight_fields),
    CYAML_FIELD_MAPPING_PTR("diverge", OPTIONAL, struct file_step, diverge, diverge_fields),
    CYAML_FIELD_END
#undef NUMBER
#undef REAL
#undef TEXT
#undef LIST
};

static const cyaml_schema_value_t step_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_step, step_fields),
};

static const cyaml_schema_field_t kernel_fields[] = {
#define KERNEL_NUMBER(key, flags) CYAML_FIELD_UINT(#key, flags, struct file_kernel, key)
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct file_kernel, name, 1,
                           CYAML_UNLIMITED),
    KERNEL_NUMBER(stream, OPTIONAL),
    CYAML_FIELD_SEQUENCE_FIXED("grid", CYAML_FLAG_DEFAULT, struct file_kernel, grid,
                               &number_schema, 3),
    CYAML_FIELD_SEQUENCE_FIXED("block", CYAML_FLAG_DEFAULT, struct file_kernel, block,
                               &number_schema, 3),
    KERNEL_NUMBER(registers, CYAML_FLAG_DEFAULT),
    KERNEL_NUMBER(shared_bytes, OPTIONAL),
    CYAML_FIELD_UINT_PTR("launches", OPTIONAL, struct file_kernel, launches),
    CYAML_FIELD_UINT_PTR("seed", OPTIONAL, struct file_kernel, seed),
    CYAML_FIELD_SEQUENCE("body", CYAML_FLAG_POINTER, struct file_kernel, body, &step_schema, 1,
                         CYAML_UNLIMITED),
    CYAML_FIELD_END
#undef KERNEL_NUMBER
};

static const cyaml_schema_value_t kernel_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct file_kernel, kernel_fields),
};

static const cyaml_schema_field_t workload_fields[] = {
    CYAML_FIELD_UINT("seed", OPTIONAL, struct file_workload, seed),
    CYAML_FIELD_SEQUENCE("kernels", CYAML_FLAG_POINTER, struct file_workload, kernels,
                         &kernel_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END
};

static const cyaml_schema_value_t workload_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file_workload, workload_fields),
};

bool file_load(const char *path, struct file_workload **file, struct fault *fault)
{
    void *data = NULL;

    if (!yaml_load(path, &workload_schema, &data, fault)) {
        return false;
    }
    *file = data;
    return true;
}

void file_free(struct file_workload *file)
{
    yaml_free(&workload_schema, file);
}

/* ---- Where we are in the file -------------------------------------------------------- */

size_t place_enter(struct file_place *place, const char *list, uint32_t i)
{
    const size_t length = strlen(place->key);

    snprintf(place->key + length, sizeof place->key - length, "%s%s.%u",
             length == 0u ? "" : ".", list, i);
    return length;
}

void place_leave(struct file_place *place, size_t length)
{
    place->key[length] = '\0';
}

/* The line of a key, or of what it is missing in. */
static uint32_t line_of(const char *path, const char *key)
{
    char at[sizeof((struct file_place *)NULL)->key + 32];
    uint32_t line = yaml_line(path, key);

    snprintf(at, sizeof at, "%s", key);
    for (char *dot = strrchr(at, '.'); line == 0u && dot != NULL; dot = strrchr(at, '.')) {
        *dot = '\0';
        line = yaml_line(path, at);
    }
    return line;
}

bool refuse(struct file_place *place, const char *key, const char *format, ...)
{
    char whole[sizeof place->key + 32];
    va_list arguments;

    snprintf(whole, sizeof whole, "%s%s%s", place->key,
             place->key[0] == '\0' || key[0] == '\0' ? "" : ".", key);
    fault_at(place->fault, place->path, line_of(place->path, whole), "%s: ", whole);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_add_list(place->fault, format, arguments);
    va_end(arguments);
    return false;
}

bool refuse_memory(struct file_place *place, const char *key)
{
    refuse(place, key, "no memory");
    return fault_by(place->fault, FAULT_SURROUNDINGS);
}
