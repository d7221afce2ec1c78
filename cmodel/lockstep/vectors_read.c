/* vectors_read - reader of vector files; see vectors.h. */

#include <errno.h>
#include <inttypes.h>

#include "base/output_file.h"
#include "lockstep/vectors.h"
#include "lockstep/vectors_format.h"

enum { MAX_PARAM = 16 };

struct vector_reader {
    const struct unit *unit;
    const char *name;
    FILE *file;
    char *line;
    size_t size; /* of line */
    uint32_t *image;
    uint64_t number; /* of the line */
    uint32_t sum;    /* of the lines before this one */
    uint32_t next_sum;
};

static int wrong(const struct vector_reader *reader, const char *what)
{
    fprintf(stderr, "%s:%" PRIu64 ": %s\n", reader->name, reader->number, what);
    return -1;
}

static bool get_line(struct vector_reader *reader)
{
    reader->number++;
    if (getline(&reader->line, &reader->size, reader->file) < 0) {
        wrong(reader, feof(reader->file) != 0
                          ? "the file ends here; its last line must be: total CYCLES CRC32"
                          : strerror(errno));
        return false;
    }
    reader->sum = reader->next_sum;
    reader->next_sum = vectors_checksum(reader->sum, reader->line);
    return true;
}

/* ---- Header -------------------------------------------------------------------------- */

/* Reads the lines of parameters, and the line after them. */
static bool get_params(struct vector_reader *reader, char text[][96], const char **params)
{
    for (int i = 0; i <= MAX_PARAM; i++) {
        char param[64];
        unsigned value;
        if (!get_line(reader)) {
            return false;
        }
        if (sscanf(reader->line, "param %63s %u", param, &value) != 2) {
            return true;
        }
        if (i == MAX_PARAM) {
            break;
        }
        snprintf(text[i], 96u, "%s=%u", param, value);
        params[i] = text[i];
    }
    wrong(reader, "more parameters than any unit has");
    return false;
}

/* Reads the header up to its ports, and makes the unit it names. */
static struct unit *get_unit(struct vector_reader *reader)
{
    char name[64];
    char text[MAX_PARAM][96];
    const char *params[MAX_PARAM + 1] = { NULL };
    struct fault fault;

    if (!get_line(reader)) {
        return NULL;
    }
    if (strcmp(reader->line, VECTORS_FIRST_LINE) != 0) {
        wrong(reader, "not a vector file of this version; it would start: " //
                      "gpusched-vectors 1");
        return NULL;
    }
    if (!get_line(reader)) {
        return NULL;
    }
    if (sscanf(reader->line, "unit %63s", name) != 1) {
        wrong(reader, "not a line: unit NAME");
        return NULL;
    }
    if (!get_params(reader, text, params)) {
        return NULL;
    }
    struct unit *const unit = unit_open(name, params, &fault);
    if (unit == NULL) {
        wrong(reader, fault_text(&fault));
    }
    return unit;
}

/* The lines of ports must be those we would write; the first is read already. */
static bool check_ports(struct vector_reader *reader, const struct unit *unit)
{
    char expected[256];
    char what[512];

    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group >= UNIT_IMAGES) {
            continue;
        }
        const int length = vectors_port_line(&unit->ports[i], expected, sizeof expected);
        if (strcmp(reader->line, expected) != 0) {
            snprintf(what, sizeof what, "not as in the port table, which has: %.*s", length - 1,
                     expected);
            wrong(reader, what);
            return false;
        }
        if (!get_line(reader)) {
            return false;
        }
    }
    if (strcmp(reader->line, "cycles\n") != 0) {
        wrong(reader, "not the line: cycles");
        return false;
    }
    return true;
}

/* ---- The whole file ------------------------------------------------------------------ */

/*
 * Reads the cycles once and goes back: their number and the checksum must be those of the last
 * line. Otherwise a damaged input or output would be told as a difference of a model.
 */
static bool check_whole(struct vector_reader *reader)
{
    const struct vector_reader start = *reader;
    const long at = ftell(reader->file);
    uint64_t n = 0u;
    uint64_t cycles;
    uint32_t sum;

    do {
        if (!get_line(reader)) {
            return false;
        }
    } while (reader->line[0] != 't' && ++n > 0u);
    if (sscanf(reader->line, "total %" SCNu64 " %" SCNx32, &cycles, &sum) != 2 || cycles != n
        || sum != reader->sum || getc(reader->file) != EOF) {
        wrong(reader, "the file is damaged: its cycles or its checksum differ");
        return false;
    }
    reader->number = start.number;
    reader->sum = start.sum;
    reader->next_sum = start.next_sum;
    return fseek(reader->file, at, SEEK_SET) == 0;
}

/* Opens a file that is read twice; what can be read once only, such as a pipe, is copied. */
static FILE *open_twice(const char *name)
{
    FILE *const file = fopen(name, "r");
    char bytes[4096];
    size_t n;

    if (file == NULL || fseek(file, 0, SEEK_CUR) == 0) {
        return file;
    }
    FILE *const copy = tmpfile();
    while (copy != NULL && (n = fread(bytes, 1u, sizeof bytes, file)) > 0u) {
        fwrite(bytes, 1u, n, copy);
    }
    /* A copy that is cut off would be taken for a damaged file. */
    if (copy != NULL && (ferror(file) != 0 || !output_written(copy))) {
        const int reason = errno;
        fclose(copy);
        fclose(file);
        errno = reason;
        return NULL;
    }
    if (copy != NULL) {
        rewind(copy);
    }
    fclose(file);
    return copy;
}

struct vector_reader *vector_reader_open(const char *file, struct unit **unit)
{
    struct vector_reader *const reader = calloc(1u, sizeof *reader);
    if (reader == NULL) {
        fprintf(stderr, "%s: no memory\n", file);
        return NULL;
    }
    reader->name = file;
    reader->file = open_twice(file);
    if (reader->file == NULL) {
        fprintf(stderr, "%s: cannot be read: %s\n", file, strerror(errno));
        vector_reader_close(reader);
        return NULL;
    }
    *unit = get_unit(reader);
    reader->image = *unit == NULL ? NULL : vectors_new_image(*unit);
    if (*unit != NULL && reader->image == NULL) {
        fprintf(stderr, "%s: no memory\n", file);
    }
    if (reader->image == NULL || !check_ports(reader, *unit) || !check_whole(reader)) {
        unit_close(*unit);
        *unit = NULL;
        vector_reader_close(reader);
        return NULL;
    }
    reader->unit = *unit;
    return reader;
}

/* ---- Cycles -------------------------------------------------------------------------- */

/* Reads exactly so many digits; NULL if they are not there. */
static const char *get_hex(const char *text, uint32_t *image, size_t digits)
{
    memset(image, 0, (digits + 7u) / 8u * sizeof *image);
    while (digits-- > 0u) {
        const char c = *text++;
        const uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                               : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10u
                                                      : 16u;
        if (digit == 16u) {
            return NULL;
        }
        image[digits / 8u] |= digit << (digits % 8u * 4u);
    }
    return text;
}

/* The groups of a cycle's line, after its rst_i. */
static const char *get_groups(struct vector_reader *reader, void *const to[UNIT_IMAGES])
{
    const char *text = reader->line + 1;

    for (enum unit_group g = UNIT_IN; text != NULL && g < UNIT_IMAGES; g++) {
        text = *text == ' ' ? get_hex(text + 1, reader->image, vectors_digits(reader->unit, g))
                            : NULL;
        if (text != NULL) {
            unit_unpack_group(reader->unit, g, reader->image, to[g]);
        }
    }
    return text;
}

int vector_read(struct vector_reader *reader, bool *reset, void *in, void *out, void *state)
{
    void *const to[UNIT_IMAGES] = { in, out, state };

    if (!get_line(reader)) {
        return -1;
    }
    if (reader->line[0] == 't') {
        return 0; /* as check_whole has found it */
    }
    *reset = reader->line[0] == '1';
    const char *const end = get_groups(reader, to);
    if (end == NULL || *end != '\n' || (reader->line[0] != '0' && !*reset)) {
        return wrong(reader, "not a cycle: RST INPUTS OUTPUTS REGISTERS in hexadecimal");
    }
    return 1;
}

void vector_reader_close(struct vector_reader *reader)
{
    if (reader->file != NULL) {
        fclose(reader->file);
    }
    free(reader->line);
    free(reader->image);
    free(reader);
}
