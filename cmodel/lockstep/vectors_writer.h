/* vectors_writer - what the writers of vectors and of transactions share. */

#ifndef VECTORS_WRITER_H
#define VECTORS_WRITER_H

#include "base/output_file.h"
#include "base/unit.h"

struct vector_writer {
    const struct unit *unit;
    struct output_file file;
    char *line;
    uint32_t *image;
    uint64_t count; /* of cycles or steps */
    uint32_t sum;
};

/* As vector_writer_open, with the lines up to the parameters. */
struct vector_writer *vectors_begin(const struct unit *unit, const char *file,
                                    const char *first_line);
void vectors_put_line(struct vector_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The ports of the groups before end, a line each. */
void vectors_put_ports(struct vector_writer *writer, enum unit_group end);
/* A group's image as digits, into writer->line from text on. Returns the end. */
char *vectors_put_group(struct vector_writer *writer, char *text, enum unit_group group,
                        const void *from);
/* What is in writer->line, as a line of the file. */
void vectors_end_line(struct vector_writer *writer);

#endif
