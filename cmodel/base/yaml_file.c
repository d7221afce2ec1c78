/* yaml_file - YAML files and their lines; see yaml_file.h. */

#include "base/yaml_file.h"

#include <ctype.h>
#include <cyaml/cyaml.h>
#include <errno.h>
#include <math.h>
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

/* Of a file for which memory is missing. */
static bool lacks_memory(const struct file *file, struct fault *fault)
{
    fault_at(fault, file->path, 0u, "no memory");
    return fault_by(fault, FAULT_SURROUNDINGS);
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
static bool refuse_syntax(const struct file *file, const yaml_parser_t *parser,
                          struct fault *fault)
{
    const char *const problem = parser->problem;
    const uint32_t line = (uint32_t)parser->problem_mark.line + 1u;

    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL) {
        return lacks_memory(file, fault);
    }
    if (parser->error == YAML_READER_ERROR) {
        return fault_at(fault, file->path, line_of_offset(file, parser->problem_offset),
                        "not text: %s; allowed: UTF-8", problem);
    }
    if (parser->context != NULL) {
        return fault_at(fault, file->path, line, "not YAML: %s %s (from line %lu)", problem,
                        parser->context, (unsigned long)parser->context_mark.line + 1u);
    }
    return fault_at(fault, file->path, line, "not YAML: %s", problem);
}

/* ---- Files --------------------------------------------------------------------------- */

static bool cannot_read(const struct file *file, int reason, struct fault *fault)
{
    fault_at(fault, file->path, 0u, "%s", strerror(reason));
    return fault_by(fault, fault_kind_of(reason));
}

static bool read_text(struct file *file, struct fault *fault)
{
    FILE *const stream = fopen(file->path, "rb");

    if (stream == NULL) {
        return cannot_read(file, errno, fault);
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
    return good || cannot_read(file, reason, fault);
}

/* Of the events so far. */
struct shape {
    uint32_t depth;
    uint32_t documents;
};

/* Before a tree is made of it: an event that no tree of ours may have. */
static bool check_event(const struct file *file, const yaml_event_t *event, struct shape *shape,
                        struct fault *fault)
{
    const uint32_t line = (uint32_t)event->start_mark.line + 1u;

    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return fault_at(fault, file->path, line, "an alias; allowed: values only");
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return ++shape->depth <= YAML_DEEPEST
               || fault_at(fault, file->path, line, "nested too deep; allowed: %d levels",
                           YAML_DEEPEST);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        shape->depth--;
        return true;
    case YAML_DOCUMENT_START_EVENT:
        return ++shape->documents == 1u
               || fault_at(fault, file->path, line, "a second document; allowed: one");
    default:
        return true;
    }
}

/* Calls use(file, parser, ...) with a parser at the beginning of the text. */
static bool with_parser(struct file *file,
                        bool (*use)(struct file *, yaml_parser_t *, struct fault *),
                        struct fault *fault)
{
    yaml_parser_t parser;

    if (yaml_parser_initialize(&parser) == 0) {
        return lacks_memory(file, fault);
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, file->text, file->length);
    const bool good = use(file, &parser, fault);
    yaml_parser_delete(&parser);
    return good;
}

static bool check_events(struct file *file, yaml_parser_t *parser, struct fault *fault)
{
    yaml_event_t event;
    struct shape shape = { 0 };
    bool good = true;
    bool more = true;

    while (good && more) {
        if (yaml_parser_parse(parser, &event) == 0) {
            return refuse_syntax(file, parser, fault);
        }
        good = check_event(file, &event, &shape, fault);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return good
           && (shape.documents > 0u
               || fault_at(fault, file->path, 1u,
                           "the file is empty; allowed: keys and values"));
}

static bool load_document(struct file *file, yaml_parser_t *parser, struct fault *fault)
{
    return yaml_parser_load(parser, &file->document) != 0 || refuse_syntax(file, parser, fault);
}

static bool open_file(struct file *file, const char *path, struct fault *fault)
{
    *file = (struct file){ .path = path };
    const bool good = read_text(file, fault) && with_parser(file, check_events, fault)
                      && with_parser(file, load_document, fault);
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
                 struct fault *fault)
{
    static const cyaml_config_t config = {
        .mem_fn = cyaml_mem,
        .flags = CYAML_CFG_NO_ALIAS,
    };
    const cyaml_err_t error =
        cyaml_load_data(file->text, file->length, &config, schema, data, NULL);

    if (error != CYAML_OK) {
        fault_at(fault, file->path, 0u, "no memory (%s)", cyaml_strerror(error));
        return fault_by(fault, FAULT_SURROUNDINGS);
    }
    return true;
}

bool yaml_load(const char *path, const struct cyaml_schema_value *schema, void **data,
               struct fault *fault)
{
    struct file file;

    *data = NULL;
    if (!open_file(&file, path, fault)) {
        return false;
    }
    const bool good =
        yaml_check(&file.document, schema, path, fault) && load(&file, schema, data, fault);
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
    struct fault fault;
    char word[64];
    struct file file;
    size_t line = 0u;

    if (!open_file(&file, path, &fault)) {
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

/* ---- Comments ------------------------------------------------------------------------ */

/* The start of a line, counted from 0. Keys come line by line. */
struct line_start {
    const char *at;
    size_t line;
};

/* The comment in a line: the text behind the first # after a blank. Keys and values with one in
 * quotes are none that a configuration has. */
static void comment_of(const struct file *file, struct line_start *from, size_t line,
                       char *text, size_t size)
{
    const char *const end = (const char *)file->text + file->length;

    text[0] = '\0';
    if (line < from->line) {
        *from = (struct line_start){ (const char *)file->text, 0u };
    }
    for (; from->line < line && from->at < end; from->at++) {
        from->line += *from->at == '\n';
    }
    const char *at = from->at;
    for (; at + 1 < end && *at != '\n'; at++) {
        if (at[0] == ' ' && at[1] == '#') {
            const size_t length = strcspn(at + 2, "\r\n");
            const size_t blanks = strspn(at + 2, " ");
            snprintf(text, size, "%.*s", (int)(length - (blanks < length ? blanks : length)),
                     at + 2 + blanks);
            return;
        }
    }
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

bool yaml_comments(const char *path, yaml_comment *take, void *self, struct fault *fault)
{
    struct file file;

    if (!open_file(&file, path, fault)) {
        return false;
    }
    yaml_document_t *const document = &file.document;
    const yaml_node_t *const root = yaml_document_get_root_node(document);
    const bool is_map = root->type == YAML_MAPPING_NODE;
    struct line_start from = { (const char *)file.text, 0u };
    const yaml_node_pair_t *section = is_map ? root->data.mapping.pairs.start : NULL;
    for (; is_map && section < root->data.mapping.pairs.top; section++) {
        const yaml_node_t *const keys = yaml_document_get_node(document, section->value);
        const char *const name = scalar(yaml_document_get_node(document, section->key));
        if (keys->type != YAML_MAPPING_NODE) {
            continue;
        }
        for (const yaml_node_pair_t *key = keys->data.mapping.pairs.start;
             key < keys->data.mapping.pairs.top; key++) {
            const yaml_node_t *const node = yaml_document_get_node(document, key->key);
            char text[256];
            comment_of(&file, &from, node->start_mark.line, text, sizeof text);
            take(self, name, scalar(node), text);
        }
    }
    close_file(&file);
    return true;
}
