/* vectors_write - writer of vector files; see vectors.h. */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

#include "base/output_file.h"
#include "lockstep/vectors.h"
#include "lockstep/vectors_format.h"

struct vector_writer {
    const struct unit *unit;
    struct output_file file;
    char *line;
    uint32_t *image;
    uint64_t cycles;
    uint32_t sum;
};

static void put_line(struct vector_writer *writer, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    vsnprintf(writer->line, vectors_line_size(writer->unit), format, arguments);
    va_end(arguments);
    writer->sum = vectors_checksum(writer->sum, writer->line);
    fputs(writer->line, writer->file.to);
}

static void put_header(struct vector_writer *writer)
{
    const struct unit *const unit = writer->unit;
    char name[UNIT_NAME_SIZE];
    char line[256];

    put_line(writer, VECTORS_FIRST_LINE);
    put_line(writer, "unit %s\n", unit->type->name);
    for (uint32_t i = 0u; i < unit->type->n_param; i++) {
        put_line(writer, "param %s %" PRIu32 "\n", unit_upper(unit->type->params[i].name, name),
                 unit_param(unit, i));
    }
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group < UNIT_IMAGES) {
            vectors_port_line(&unit->ports[i], line, sizeof line);
            put_line(writer, "%s", line);
        }
    }
    put_line(writer, "cycles\n");
}

void vector_writer_abandon(struct vector_writer *writer)
{
    output_file_abandon(&writer->file);
    free(writer->line);
    free(writer->image);
    free(writer);
}

struct vector_writer *vector_writer_open(const struct unit *unit, const char *file)
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
    put_header(writer);
    return writer;
}

static char *put_hex(char *text, const uint32_t *image, size_t digits)
{
    while (digits-- > 0u) {
        *text++ = "0123456789abcdef"[(image[digits / 8u] >> (digits % 8u * 4u)) & 15u];
    }
    return text;
}

void vector_write(struct vector_writer *writer, bool reset)
{
    const struct unit *const unit = writer->unit;
    const void *const from[UNIT_IMAGES] = { unit->in, unit->out, unit_state(unit) };
    char *text = writer->line;

    *text++ = reset ? '1' : '0';
    for (enum unit_group g = UNIT_IN; g < UNIT_IMAGES; g++) {
        writer->image[0] = 0u;
        unit_pack_group(unit, g, from[g], writer->image);
        *text++ = ' ';
        text = put_hex(text, writer->image, vectors_digits(unit, g));
    }
    *text++ = '\n';
    *text = '\0';
    writer->sum = vectors_checksum(writer->sum, writer->line);
    fputs(writer->line, writer->file.to);
    writer->cycles++;
}

bool vector_writer_close(struct vector_writer *writer)
{
    fprintf(writer->file.to, "total %" PRIu64 " %08" PRIx32 "\n", writer->cycles, writer->sum);
    const bool done = output_file_finish(&writer->file) && output_file_name(&writer->file);
    if (!done) {
        fprintf(stderr, "%s: cannot be written: %s\n", writer->file.path, strerror(errno));
    }
    vector_writer_abandon(writer);
    return done;
}
