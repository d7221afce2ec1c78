/* fault - what went wrong; see fault.h. */

#include "base/fault.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FILE_ROOM = FAULT_TEXT - 512 }; /* of a file's name: what is wrong has room behind it */

static const char cut[] = "...";

/* ---- Text ---------------------------------------------------------------------------- */

/* Marks the end of a text that is cut, and leaves no half of a character of UTF-8 there. */
static void mark(char text[FAULT_TEXT])
{
    size_t at = FAULT_TEXT - sizeof cut;

    while (at > 0u && ((unsigned char)text[at] & 0xc0u) == 0x80u) {
        at--;
    }
    memcpy(text + at, cut, sizeof cut);
}

/* Writes behind the first `at` bytes, at most FAULT_TEXT - 1. */
static void write_at(struct fault *fault, size_t at, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
static void write_at(struct fault *fault, size_t at, const char *format, va_list arguments)
{
    const size_t room = FAULT_TEXT - at;
    const int n = vsnprintf(fault->text + at, room, format, arguments);

    if (n < 0) {
        fault->text[at] = '\0';
    } else if ((size_t)n >= room) {
        mark(fault->text);
    }
}

static void begin(struct fault *fault, enum fault_kind kind)
{
    fault->kind = kind;
    fault->line = 0u;
    fault->file = 0u;
    fault->text[0] = '\0';
}

/* One line. */
static void clean(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c)) {
            *c = '?';
        }
    }
}

/* Begins the text with the place; of a name that is too long, the end. */
static void write_place(struct fault *fault, const char *file, uint32_t line)
{
    const size_t length = strlen(file);
    const bool whole = length <= FILE_ROOM;
    const int n = snprintf(fault->text, FAULT_TEXT, "%s%s", whole ? "" : cut,
                           whole ? file : file + length - FILE_ROOM);

    fault->file = (uint32_t)n;
    fault->line = line;
    if (line == 0u) {
        fault_add(fault, ": ");
    } else {
        fault_add(fault, ":%u: ", (unsigned)line);
    }
}

/* ---- Faults -------------------------------------------------------------------------- */

bool fault_set_list(struct fault *fault, const char *format, va_list arguments)
{
    begin(fault, FAULT_INPUT);
    write_at(fault, 0u, format, arguments);
    return false;
}

bool fault_set(struct fault *fault, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_set_list(fault, format, arguments);
    va_end(arguments);
    return false;
}

bool fault_surroundings(struct fault *fault, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_set_list(fault, format, arguments);
    va_end(arguments);
    return fault_by(fault, FAULT_SURROUNDINGS);
}

bool fault_at(struct fault *fault, const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_at_list(fault, file, line, format, arguments);
    va_end(arguments);
    return false;
}

bool fault_at_list(struct fault *fault, const char *file, uint32_t line, const char *format,
                   va_list arguments)
{
    begin(fault, FAULT_INPUT);
    write_place(fault, file, line);
    write_at(fault, strlen(fault->text), format, arguments);
    clean(fault->text);
    return false;
}

bool fault_system(struct fault *fault, const char *format, ...)
{
    const int reason = errno;
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_set_list(fault, format, arguments);
    va_end(arguments);
    fault_add(fault, ": %s", strerror(reason));
    return fault_by(fault, fault_kind_of(reason));
}

/* ---- Kinds --------------------------------------------------------------------------- */

bool fault_by(struct fault *fault, enum fault_kind kind)
{
    fault->kind = kind;
    return false;
}

enum fault_kind fault_kind_of(int reason)
{
    switch (reason) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
    case EFBIG:
    case EINVAL:
        return FAULT_INPUT;
    default:
        return FAULT_SURROUNDINGS;
    }
}

/* ---- More text ----------------------------------------------------------------------- */

bool fault_before(struct fault *fault, const char *format, ...)
{
    const struct fault what = *fault;
    va_list arguments;

    begin(fault, what.kind);
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    write_at(fault, 0u, format, arguments);
    va_end(arguments);
    return fault_add(fault, "%s", what.text);
}

bool fault_add_list(struct fault *fault, const char *format, va_list arguments)
{
    write_at(fault, strlen(fault->text), format, arguments);
    if (fault->file != 0u) {
        clean(fault->text);
    }
    return false;
}

bool fault_add(struct fault *fault, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_add_list(fault, format, arguments);
    va_end(arguments);
    return false;
}

bool fault_locate(struct fault *fault, const char *file, uint32_t line, const char *format, ...)
{
    const struct fault what = *fault;
    va_list arguments;

    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_at_list(fault, file, line, format, arguments);
    va_end(arguments);
    fault->kind = what.kind;
    return fault_add(fault, "%s", what.text);
}

const char *fault_text(const struct fault *fault)
{
    return fault->text;
}
