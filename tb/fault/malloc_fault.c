/*
 * malloc_fault - to be preloaded: allocations that fail. They are counted from the start of
 * main on, in a child process on from its parent's.
 *
 *   FAULT_AT=N      the N-th allocation fails
 *   FAULT_FROM=N    the N-th and all later ones fail
 *   FAULT_COUNT=F   at its end the program writes to file F how many there were
 */

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own, beneath those of this file. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long count;
static long fails_at, fails_from;
static bool armed;
static pid_t first;

static long number(const char *name)
{
    const char *const text = getenv(name);

    return text == NULL ? 0 : strtol(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void)
{
    fails_at = number("FAULT_AT");
    fails_from = number("FAULT_FROM");
    first = getpid();
    armed = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *const path = getenv("FAULT_COUNT");
    const int file =
        path == NULL || getpid() != first ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (file >= 0) {
        dprintf(file, "%ld\n", atomic_load(&count));
        close(file);
    }
}

static bool fails(void)
{
    if (!armed) {
        return false;
    }
    const long n = atomic_fetch_add(&count, 1) + 1;
    if (n != fails_at && (fails_from == 0 || n < fails_from)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *const made = memalign(alignment, size);

    if (made == NULL) {
        return ENOMEM;
    }
    *memory = made;
    return 0;
}
