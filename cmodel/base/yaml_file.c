/* yaml_file - YAML files and their lines; see yaml_file.h. */

#include "base/yaml_file.h"

#include <ctype.h>
#include <cyaml/cyaml.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/yaml_check.h"

/* A file and its only document. */
struct file {
    const char *path;
    unsigned char *text;
    size_t length;
    yaml_document_t document;
};

enum { LARGEST = 16 << 20 };

/* ---- Values -------------------------------------------------------------------------- */

bool yaml_whole(const char *text, uint64_t highest, uint64_t *value)
{
    char *end;

    if (!isdigit((unsigned char)text[0]) || (text[0] == '0' && text[1] != '\0')) {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *value <= highest;
}

bool yaml_real(const char *text, double *value)
{
    char *end;

    /* strtod would take 0x10, inf and nan. */
    if (text[0] == '\0' || strspn(text, "0123456789.eE+-") != strlen(text)) {
        return false;
    }
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

/* Letters to insert, delete or change, row by row of the table of prefixes. */
static uint32_t distance(const char *one, const char *other)
{
    enum { LONGEST = 63 };
    uint32_t row[LONGEST + 1];
    const uint32_t columns = (uint32_t)strnlen(other, LONGEST);

    for (uint32_t c = 0u; c <= columns; c++) {
        row[c] = c;
    }
    for (uint32_t r = 0u; r < LONGEST && one[r] != '\0'; r++) {
        uint32_t diagonal = row[0]++;
        for (uint32_t c = 1u; c <= columns; c++) {
            const uint32_t edit = (row[c] < row[c - 1u] ? row[c] : row[c - 1u]) + 1u;
            const uint32_t change = diagonal + (one[r] != other[c - 1u]);
            diagonal = row[c];
            row[c] = edit < change ? edit : change;
        }
    }
    return row[columns];
}

bool yaml_nearer(const char *given, const char *word, uint32_t *least)
{
    enum { MOST = 2 };
    const uint32_t letters = distance(given, word);
    const bool nearer = letters <= MOST && letters <= strlen(given) / 2u && letters < *least;

    if (nearer) {
        *least = letters;
    }
    return nearer;
}

/* ---- Messages ------------------------------------------------------------------------ */

static bool refuse(char *message, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One line, whatever the file's words hold. */
static bool refuse(char *message, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    vsnprintf(message, size, format, arguments);
    va_end(arguments);
    for (char *c = message; size > 0u && *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
    return false;
}

static uint32_t line_of_offset(const struct file *file, size_t offset)
{
    uint32_t line = 1u;

    for (size_t i = 0u; i < offset && i < file->length; i++) {
        line += file->text[i] == '\n';
    }
    return line;
}

/* libyaml's own words on bytes and syntax. */
static bool refuse_syntax(const struct file *file, const yaml_parser_t *parser, char *message,
                          size_t size)
{
    const char *const problem = parser->problem;

    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL) {
        return refuse(message, size, "%s: no memory", file->path);
    }
    if (parser->error == YAML_READER_ERROR) {
        return refuse(message, size, "%s:%u: not text: %s; allowed: UTF-8", file->path,
                      line_of_offset(file, parser->problem_offset), problem);
    }
    if (parser->context != NULL) {
        return refuse(message, size, "%s:%lu: not YAML: %s %s (from line %lu)", file->path,
                      (unsigned long)parser->problem_mark.line + 1u, problem, parser->context,
                      (unsigned long)parser->context_mark.line + 1u);
    }
    return refuse(message, size, "%s:%lu: not YAML: %s", file->path,
                  (unsigned long)parser->problem_mark.line + 1u, problem);
}

/* ---- Files --------------------------------------------------------------------------- */

static bool read_text(struct file *file, char *message, size_t size)
{
    FILE *const stream = fopen(file->path, "rb");

    if (stream == NULL) {
        return refuse(message, size, "%s: %s", file->path, strerror(errno));
    }
    size_t room = 4096u;
    bool good = true;
    while (good) {
        unsigned char *const longer = realloc(file->text, room);
        errno = ENOMEM;
        good = longer != NULL;
        if (good) {
            errno = 0;
            file->text = longer;
            file->length += fread(longer + file->length, 1u, room - file->length, stream);
            good = ferror(stream) == 0;
        }
        if (!good || file->length < room) {
            break;
        }
        room *= 2u;
        errno = EFBIG;
        good = room <= LARGEST;
    }
    const int reason = errno;
    fclose(stream);
    return good || refuse(message, size, "%s: %s", file->path, strerror(reason));
}

/* Of the events so far. */
struct shape {
    uint32_t depth;
    uint32_t documents;
};

/* Before a tree is made of it: an event that no tree of ours may have. */
static bool check_event(const struct file *file, const yaml_event_t *event, struct shape *shape,
                        char *message, size_t size)
{
    const unsigned long line = (unsigned long)event->start_mark.line + 1u;

    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return refuse(message, size, "%s:%lu: an alias; allowed: values only", file->path,
                      line);
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return ++shape->depth <= YAML_DEEPEST
               || refuse(message, size, "%s:%lu: nested too deep; allowed: %d levels",
                         file->path, line, YAML_DEEPEST);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        shape->depth--;
        return true;
    case YAML_DOCUMENT_START_EVENT:
        return ++shape->documents == 1u
               || refuse(message, size, "%s:%lu: a second document; allowed: one", file->path,
                         line);
    default:
        return true;
    }
}

/* Calls use(file, parser, ...) with a parser at the beginning of the text. */
static bool with_parser(struct file *file,
                        bool (*use)(struct file *, yaml_parser_t *, char *, size_t),
                        char *message, size_t size)
{
    yaml_parser_t parser;

    if (yaml_parser_initialize(&parser) == 0) {
        return refuse(message, size, "%s: no memory", file->path);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, file->text, file->length);
    const bool good = use(file, &parser, message, size);
    yaml_parser_delete(&parser);
    return good;
}

static bool check_events(struct file *file, yaml_parser_t *parser, char *message, size_t size)
{
    yaml_event_t event;
    struct shape shape = { 0 };
    bool good = true;
    bool more = true;

    while (good && more) {
        if (yaml_parser_parse(parser, &event) == 0) {
            return refuse_syntax(file, parser, message, size);
        }
        good = check_event(file, &event, &shape, message, size);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return good
           && (shape.documents > 0u
               || refuse(message, size, "%s:1: the file is empty; allowed: keys and values",
                         file->path));
}

static bool load_document(struct file *file, yaml_parser_t *parser, char *message, size_t size)
{
    return yaml_parser_load(parser, &file->document) != 0
           || refuse_syntax(file, parser, message, size);
}

static bool open_file(struct file *file, const char *path, char *message, size_t size)
{
    *file = (struct file){ .path = path };
    const bool good = read_text(file, message, size)
                      && with_parser(file, check_events, message, size)
                      && with_parser(file, load_document, message, size);
    if (!good) {
        free(file->text);
    }
    return good;
}

static void close_file(struct file *file)
{
    yaml_document_delete(&file->document);
    free(file->text);
}

/* ---- Loading ------------------------------------------------------------------------- */

/* After yaml_check only memory, or the schema itself, can be at fault. */
static bool load(const struct file *file, const struct cyaml_schema_value *schema, void **data,
                 char *message, size_t size)
{
    static const cyaml_config_t config = {
        .mem_fn = cyaml_mem,
        .flags = CYAML_CFG_NO_ALIAS,
    };
    const cyaml_err_t error =
        cyaml_load_data(file->text, file->length, &config, schema, data, NULL);

    return error == CYAML_OK
           || refuse(message, size, "%s: no memory (%s)", file->path, cyaml_strerror(error));
}

bool yaml_load(const char *path, const struct cyaml_schema_value *schema, void **data,
               char *message, size_t size)
{
    struct file file;
    struct yaml_fault fault;

    *data = NULL;
    if (!open_file(&file, path, message, size)) {
        return false;
    }
    bool good = yaml_check(&file.document, schema, &fault);
    if (good) {
        good = load(&file, schema, data, message, size);
    } else {
        refuse(message, size, "%s:%u: %s%s%s", path, fault.line, fault.key,
               fault.key[0] == '\0' ? "" : ": ", fault.text);
    }
    close_file(&file);
    return good;
}

void yaml_unload(const struct cyaml_schema_value *schema, void *data)
{
    static const cyaml_config_t config = { .mem_fn = cyaml_mem };

    cyaml_free(&config, schema, data, 0u);
}

/* ---- Lines --------------------------------------------------------------------------- */

/* Item `word` of a mapping or list; *line becomes where its key, or it, begins. */
static const yaml_node_t *find_item(yaml_document_t *document, const yaml_node_t *node,
                                    const char *word, size_t *line)
{
    const yaml_node_t *item = NULL;

    if (node->type == YAML_MAPPING_NODE) {
        const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
        for (; item == NULL && pair < node->data.mapping.pairs.top; pair++) {
            const yaml_node_t *const key = yaml_document_get_node(document, pair->key);
            if (key->type == YAML_SCALAR_NODE
                && strcmp((const char *)key->data.scalar.value, word) == 0) {
                *line = key->start_mark.line + 1u;
                item = yaml_document_get_node(document, pair->value);
            }
        }
    } else if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *const items = node->data.sequence.items.start;
        uint64_t i;
        if (yaml_whole(word, UINT32_MAX, &i)
            && i < (uint64_t)(node->data.sequence.items.top - items)) {
            item = yaml_document_get_node(document, items[i]);
            *line = item->start_mark.line + 1u;
        }
    }
    return item;
}

uint32_t yaml_line(const char *path, const char *key)
{
    char message[8];
    char word[64];
    struct file file;
    size_t line = 0u;

    if (!open_file(&file, path, message, sizeof message)) {
        return 0u;
    }
    const yaml_node_t *node = yaml_document_get_root_node(&file.document);
    while (node != NULL && *key != '\0') {
        const size_t length = strcspn(key, ".");
        snprintf(word, sizeof word, "%.*s", (int)length, key);
        node = find_item(&file.document, node, word, &line);
        key += length + (key[length] == '.');
    }
    close_file(&file);
    return node == NULL ? 0u : (uint32_t)line;
}
