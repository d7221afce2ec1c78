/* vectors_write - writer of vector files; see vectors.h. */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

#include "lockstep/vectors.h"
#include "lockstep/vectors_format.h"
#include "lockstep/vectors_writer.h"

void vectors_end_line(struct vector_writer *writer)
{
    writer->sum = vectors_checksum(writer->sum, writer->line);
    fputs(writer->line, writer->file.to);
}

void vectors_put_line(struct vector_writer *writer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    vsnprintf(writer->line, vectors_line_size(writer->unit), format, arguments);
    va_end(arguments);
    vectors_end_line(writer);
}

void vectors_put_ports(struct vector_writer *writer, enum unit_group end)
{
    const struct unit *const unit = writer->unit;
    char line[256];

    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group < end) {
            vectors_port_line(&unit->ports[i], line, sizeof line);
            vectors_put_line(writer, "%s", line);
        }
    }
}

static void put_unit(struct vector_writer *writer)
{
    const struct unit *const unit = writer->unit;
    char name[UNIT_NAME_SIZE];

    vectors_put_line(writer, "unit %s\n", unit->type->name);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        vectors_put_line(writer, "param %s %" PRIu32 "\n",
                         unit_upper(unit->type->params[i].name, name), unit_param(unit, i));
    }
}

void vector_writer_abandon(struct vector_writer *writer)
{
    output_file_abandon(&writer->file);
    free(writer->line);
    free(writer->image);
    free(writer);
}

struct vector_writer *vectors_begin(const struct unit *unit, const char *file,
                                    const char *first_line)
{
    struct vector_writer *const writer = calloc(1u, sizeof *writer);
    if (writer == NULL) {
        fprintf(stderr, "%s: no memory\n", file);
        return NULL;
    }
    *writer = (struct vector_writer){
        .unit = unit,
        .line = malloc(vectors_line_size(unit)),
        .image = vectors_new_image(unit),
    };
    if (writer->line == NULL || writer->image == NULL
        || !output_file_open(&writer->file, file)) {
        fprintf(stderr, "%s: cannot be written: %s\n", file, strerror(errno));
        vector_writer_abandon(writer);
        return NULL;
    }
    vectors_put_line(writer, "%s", first_line);
    put_unit(writer);
    return writer;
}

struct vector_writer *vector_writer_open(const struct unit *unit, const char *file)
{
    struct vector_writer *const writer = vectors_begin(unit, file, VECTORS_FIRST_LINE);

    if (writer != NULL) {
        vectors_put_ports(writer, UNIT_IMAGES);
        vectors_put_line(writer, "cycles\n");
    }
    return writer;
}

static char *put_hex(char *text, const uint32_t *image, size_t digits)
{
    while (digits-- > 0u) {
        *text++ = "0123456789abcdef"[(image[digits / 8u] >> (digits % 8u * 4u)) & 15u];
    }
    *text = '\0';
    return text;
}

char *vectors_put_group(struct vector_writer *writer, char *text, enum unit_group group,
                        const void *from)
{
    writer->image[0] = 0u;
    unit_pack_group(writer->unit, group, from, writer->image);
    return put_hex(text, writer->image, vectors_digits(writer->unit, group));
}

void vector_write(struct vector_writer *writer, bool reset)
{
    const struct unit *const unit = writer->unit;
    const void *const from[UNIT_IMAGES] = { unit->in, unit->out, unit_state(unit) };
    char *text = writer->line;

    *text++ = reset ? '1' : '0';
    for (enum unit_group g = UNIT_IN; g < UNIT_IMAGES; g++) {
        *text++ = ' ';
        text = vectors_put_group(writer, text, g, from[g]);
    }
    memcpy(text, "\n", 2u);
    vectors_end_line(writer);
    writer->count++;
}

bool vector_writer_close(struct vector_writer *writer)
{
    fprintf(writer->file.to, "total %" PRIu64 " %08" PRIx32 "\n", writer->count, writer->sum);
    const bool done = output_file_finish(&writer->file) && output_file_name(&writer->file);
    if (!done) {
        fprintf(stderr, "%s: cannot be written: %s\n", writer->file.path, strerror(errno));
    }
    vector_writer_abandon(writer);
    return done;
}
