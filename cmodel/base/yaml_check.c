/* yaml_check - a YAML document against a libcyaml schema; see yaml_check.h. */

#include "base/yaml_check.h"

#include <assert.h>
#include <cyaml/cyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/yaml_file.h"

typedef struct cyaml_schema_value schema_t;

/* A mapping or list that is being checked, and how far. */
struct level {
    const yaml_node_t *node;
    const schema_t *schema;
    size_t next;       /* item */
    size_t key_length; /* of the key of the whole */
};

struct check {
    yaml_document_t *document;
    const char *path;
    char key[256]; /* where it is, dotted; "" in the document's own level */
    struct fault *fault;
    struct level levels[YAML_DEEPEST];
    uint32_t depth;
};

/* ---- Messages ------------------------------------------------------------------------ */

static bool refuse(const struct check *check, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct check *check, const yaml_node_t *node, const char *format, ...)
{
    va_list arguments;

    fault_at(check->fault, check->path, (uint32_t)node->start_mark.line + 1u, "%s%s",
             check->key, check->key[0] == '\0' ? "" : ": ");
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_add_list(check->fault, format, arguments);
    va_end(arguments);
    return false;
}

static const char *scalar(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

static bool is_plain(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* What stands in the file, for a message. */
static const char *given(const yaml_node_t *node, char text[48])
{
    if (node->type == YAML_MAPPING_NODE) {
        return "a mapping";
    }
    if (node->type == YAML_SEQUENCE_NODE) {
        return "a list";
    }
    if (is_plain(node) && node->data.scalar.length == 0u) {
        return "nothing";
    }
    snprintf(text, 48, is_plain(node) ? "%.40s" : "\"%.40s\"", scalar(node));
    return text;
}

static bool wants(const struct check *check, const yaml_node_t *node, const char *wanted)
{
    char text[48];

    return refuse(check, node, "%s is given; allowed: %s", given(node, text), wanted);
}

static void append(char *text, size_t size, const char *separator, const char *word)
{
    const size_t length = strlen(text);

    snprintf(text + length, size - length, "%s%s", length == 0u ? "" : separator, word);
}

/* ---- Scalars ------------------------------------------------------------------------- */

static uint64_t highest_of(uint32_t bytes)
{
    return UINT64_MAX >> (64u - 8u * bytes);
}

static bool check_whole(const yaml_node_t *node, const schema_t *schema,
                        const struct check *check)
{
    const bool is_signed = schema->type == CYAML_INT;
    const bool minus = is_signed && scalar(node)[0] == '-';
    const uint64_t highest = highest_of(schema->data_size) >> is_signed;
    char wanted[96];
    uint64_t value;

    if (is_plain(node) && yaml_whole(scalar(node) + minus, highest + minus, &value)) {
        return true;
    }
    snprintf(wanted, sizeof wanted, "a whole number in plain digits, at most %llu",
             (unsigned long long)highest);
    return wants(check, node, wanted);
}

static bool check_name(const yaml_node_t *node, const schema_t *schema,
                       const struct check *check)
{
    char wanted[256] = "";

    for (uint32_t i = 0u; i < schema->enumeration.count; i++) {
        if (strcmp(scalar(node), schema->enumeration.strings[i].str) == 0) {
            return true;
        }
        append(wanted, sizeof wanted, ", ", schema->enumeration.strings[i].str);
    }
    return wants(check, node, wanted);
}

static bool check_string(const yaml_node_t *node, const schema_t *schema,
                         const struct check *check)
{
    const size_t length = node->data.scalar.length;
    char wanted[64];

    if (memchr(scalar(node), '\0', length) != NULL) {
        return wants(check, node, "text without the character 0");
    }
    if (length >= schema->string.min && length <= schema->string.max) {
        return true;
    }
    snprintf(wanted, sizeof wanted, "text of %u to %u bytes", schema->string.min,
             schema->string.max);
    return wants(check, node, wanted);
}

static bool check_scalar(const yaml_node_t *node, const schema_t *schema,
                         const struct check *check)
{
    double real;

    switch (schema->type) {
    case CYAML_INT:
    case CYAML_UINT:
        return check_whole(node, schema, check);
    case CYAML_FLOAT:
        return (is_plain(node) && yaml_real(scalar(node), &real))
               || wants(check, node, "a decimal number");
    case CYAML_BOOL:
        return (is_plain(node)
                && (strcmp(scalar(node), "true") == 0 || strcmp(scalar(node), "false") == 0))
               || wants(check, node, "true or false");
    case CYAML_ENUM:
        return check_name(node, schema, check);
    case CYAML_STRING:
        return check_string(node, schema, check);
    default:
        return true;
    }
}

/* ---- Mappings and lists -------------------------------------------------------------- */

static const cyaml_schema_field_t *find_field(const schema_t *schema, const char *key)
{
    for (const cyaml_schema_field_t *f = schema->mapping.fields; f->key != NULL; f++) {
        if (strcmp(f->key, key) == 0) {
            return f;
        }
    }
    return NULL;
}

static bool unknown_key(const yaml_node_t *key, const schema_t *schema, struct check *check)
{
    char keys[800] = "";
    const char *nearest = NULL;
    uint32_t least = UINT32_MAX;

    for (const cyaml_schema_field_t *f = schema->mapping.fields; f->key != NULL; f++) {
        if (yaml_nearer(scalar(key), f->key, &least)) {
            nearest = f->key;
        }
        append(keys, sizeof keys, ", ", f->key);
    }
    append(check->key, sizeof check->key, ".", scalar(key));
    return refuse(check, key, "no such key%s%s; allowed: %s",
                  nearest == NULL ? "" : ", the nearest is ", nearest == NULL ? "" : nearest,
                  keys);
}

static const yaml_node_t *pair_key(const struct check *check, const yaml_node_t *mapping,
                                   size_t i)
{
    return yaml_document_get_node(check->document, mapping->data.mapping.pairs.start[i].key);
}

static size_t pair_count(const yaml_node_t *mapping)
{
    return (size_t)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
}

/* Key i of a mapping: a scalar that the schema knows, and the first of its name. */
static bool check_key(struct check *check, const struct level *level, size_t i)
{
    const yaml_node_t *const key = pair_key(check, level->node, i);

    if (key->type != YAML_SCALAR_NODE) {
        return wants(check, key, "a key that is a word");
    }
    if (find_field(level->schema, scalar(key)) == NULL) {
        return unknown_key(key, level->schema, check);
    }
    for (size_t earlier = 0u; earlier < i; earlier++) {
        const yaml_node_t *const other = pair_key(check, level->node, earlier);
        if (strcmp(scalar(other), scalar(key)) == 0) {
            append(check->key, sizeof check->key, ".", scalar(key));
            return refuse(check, key, "given twice, first in line %lu; allowed: once",
                          (unsigned long)other->start_mark.line + 1u);
        }
    }
    return true;
}

static bool check_missing(const struct check *check, const yaml_node_t *node,
                          const schema_t *schema)
{
    for (const cyaml_schema_field_t *f = schema->mapping.fields; f->key != NULL; f++) {
        bool present = (f->value.flags & CYAML_FLAG_OPTIONAL) != 0;
        for (size_t i = 0u; i < pair_count(node) && !present; i++) {
            const yaml_node_t *const key = pair_key(check, node, i);
            present = key->type == YAML_SCALAR_NODE && strcmp(scalar(key), f->key) == 0;
        }
        if (!present) {
            return refuse(check, node, "the key %s is missing", f->key);
        }
    }
    return true;
}

static size_t list_length(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

static bool check_length(const yaml_node_t *node, const schema_t *schema,
                         const struct check *check)
{
    const size_t length = list_length(node);
    const uint32_t least = schema->sequence.min;
    const uint32_t most = schema->sequence.max;

    if (length >= least && length <= most) {
        return true;
    }
    if (most == CYAML_UNLIMITED) {
        return refuse(check, node, "a list of %zu; allowed: %u or more", length, least);
    }
    if (least == most) {
        return refuse(check, node, "a list of %zu; allowed: %u", length, least);
    }
    return refuse(check, node, "a list of %zu; allowed: %u to %u", length, least, most);
}

/* ---- The walk ------------------------------------------------------------------------ */

static bool is_null(const yaml_node_t *node, const schema_t *schema)
{
    return (schema->flags & CYAML_FLAG_POINTER_NULL) == CYAML_FLAG_POINTER_NULL
           && is_plain(node) && node->data.scalar.length == 0u;
}

/* Begins a mapping or list; scalars are checked at once. */
static bool enter(struct check *check, int index, const schema_t *schema, size_t key_length)
{
    const yaml_node_t *const node = yaml_document_get_node(check->document, index);
    const bool mapping = schema->type == CYAML_MAPPING;
    const bool list = schema->type == CYAML_SEQUENCE || schema->type == CYAML_SEQUENCE_FIXED;

    if (is_null(node, schema) || schema->type == CYAML_IGNORE) {
        return true;
    }
    if (mapping && node->type != YAML_MAPPING_NODE) {
        return wants(check, node, "a mapping of keys to values");
    }
    if (list && node->type != YAML_SEQUENCE_NODE) {
        return wants(check, node, "a list");
    }
    if (!mapping && !list) {
        return node->type == YAML_SCALAR_NODE ? check_scalar(node, schema, check)
                                              : wants(check, node, "a single value");
    }
    assert(check->depth < YAML_DEEPEST);
    check->levels[check->depth++] = (struct level){ node, schema, 0u, key_length };
    return true;
}

/* The next item of the innermost mapping or list. */
static bool step(struct check *check, struct level *level)
{
    const size_t i = level->next++;

    if (level->schema->type == CYAML_MAPPING) {
        if (!check_key(check, level, i)) {
            return false;
        }
        const char *const key = scalar(pair_key(check, level->node, i));
        append(check->key, sizeof check->key, ".", key);
        return enter(check, level->node->data.mapping.pairs.start[i].value,
                     &find_field(level->schema, key)->value, strlen(check->key));
    }
    char number[24];
    snprintf(number, sizeof number, "%zu", i);
    append(check->key, sizeof check->key, ".", number);
    return enter(check, level->node->data.sequence.items.start[i],
                 level->schema->sequence.entry, strlen(check->key));
}

static bool walk(struct check *check, const schema_t *schema)
{
    bool good = enter(check, 1, schema, 0u);

    while (good && check->depth > 0u) {
        struct level *const level = &check->levels[check->depth - 1u];
        const bool mapping = level->schema->type == CYAML_MAPPING;
        const size_t items = mapping ? pair_count(level->node) : list_length(level->node);

        check->key[level->key_length] = '\0';
        if (level->next < items) {
            good = step(check, level);
            continue;
        }
        good = mapping ? check_missing(check, level->node, level->schema)
                       : check_length(level->node, level->schema, check);
        check->depth--;
    }
    return good;
}

bool yaml_check(yaml_document_t *document, const schema_t *schema, const char *path,
                struct fault *fault)
{
    struct check check = { .document = document, .path = path, .fault = fault };

    return walk(&check, schema);
}
