/*
 * fault - what went wrong, for a caller to tell or to decide by. A function that may fail takes
 * a struct fault, fills it and returns false or NULL; whoever called last prints fault_text on
 * one line, with the program's name before it. The caller decides by `kind`, never by the
 * words: FAULT_SURROUNDINGS says that nothing is known of the input, so no result may be kept.
 *
 * Nothing is allocated, since memory may be what is missing. A fault replaces the one that was
 * there before.
 */

#ifndef FAULT_H
#define FAULT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fault_kind {
    FAULT_NONE,
    FAULT_INPUT,       /* what was given is wrong: a file, an option, a kernel */
    FAULT_SURROUNDINGS /* memory, a disk or a process was missing: it may work next time */
};

enum { FAULT_TEXT = 4096 - 12 }; /* with the rest, 4 KiB */

/* All zeros: no fault. */
struct fault {
    enum fault_kind kind;
    uint32_t line; /* of the file; 0: of none */
    uint32_t file; /* bytes of text, at its start, that name an input file; 0: it names none */
    /* "FILE:LINE: what is wrong". A text that is too long ends with "...". */
    char text[FAULT_TEXT];
};

/* The functions return false, so that `return fault_set(...)` ends the caller. */

/* A fault of the input. */
bool fault_set(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool fault_set_list(struct fault *fault, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* The same, in a line of an input file; line 0: in the file as a whole. The text is one line,
 * whatever the file's words hold: "?" replaces control characters. */
bool fault_at(struct fault *fault, const char *file, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool fault_at_list(struct fault *fault, const char *file, uint32_t line, const char *format,
                   va_list arguments) __attribute__((format(printf, 4, 0)));

/* A fault of the surroundings. */
bool fault_surroundings(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What a system call could not do: ": " and the words of errno come behind the text, and errno
 * tells the kind. */
bool fault_system(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives a fault its kind: for one whose text another function has made, or whose kind depends.
 */
bool fault_by(struct fault *fault, enum fault_kind kind);

/* The kind of a system call's errno. A file that is missing, or may not be read, is an input.
 */
enum fault_kind fault_kind_of(int reason);

/* Puts text before a fault, or behind it; it keeps its kind. */
bool fault_before(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Of a fault in a file it stays one line. */
bool fault_add(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool fault_add_list(struct fault *fault, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Says in which line of which input file a fault is: "FILE:LINE: ", and then the format's text,
 * come before it. It keeps its kind. */
bool fault_locate(struct fault *fault, const char *file, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "" if there is no fault. Lives as long as the fault. */
const char *fault_text(const struct fault *fault);

#ifdef __cplusplus
}
#endif

#endif
