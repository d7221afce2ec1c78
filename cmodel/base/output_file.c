/* output_file - a file, whole or not at all; see output_file.h. */

#include "base/output_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTIAL ".gpusched-"

enum { PARTIAL_NAME = 64 };

/* ---- Names --------------------------------------------------------------------------- */

/* Length of the folder's part of a path, with the slash; 0 for a file of the current one. */
static size_t folder_length(const char *path)
{
    const char *const slash = strrchr(path, '/');

    return slash == NULL ? 0u : (size_t)(slash - path) + 1u;
}

static char *folder_of(const char *path)
{
    const size_t n = folder_length(path);

    return n == 0u ? strdup(".") : strndup(path, n);
}

/* ---- What killed processes have left ------------------------------------------------- */

/* The process that a temporary is of; 0 if it is none of ours. A waveform's writer adds endings
 * of its own. */
static pid_t owner_of(const char *name)
{
    const size_t n = sizeof PARTIAL - 1u;
    char *end;

    if (strncmp(name, PARTIAL, n) != 0 || name[n] < '1' || name[n] > '9') {
        return 0;
    }
    const long process = strtol(name + n, &end, 10);
    const size_t digits = *end == '-' ? strspn(end + 1, "0123456789") : 0u;
    const bool ours = digits > 0u && strncmp(end + 1 + digits, ".part", 5u) == 0;

    return ours ? (pid_t)process : 0;
}

/* Both are asked: a process of another container has another number here, and a waveform's
 * writer replaces the file that was locked. */
static bool is_left(int folder, const char *name, pid_t owner)
{
    if (owner == 0 || owner == getpid() || kill(owner, 0) == 0 || errno != ESRCH) {
        return false;
    }
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool left = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;

    if (file >= 0) {
        close(file);
    }
    return left;
}

static void clean(const char *path)
{
    char *const name = folder_of(path);
    DIR *const folder = name == NULL ? NULL : opendir(name);

    free(name);
    for (const struct dirent *entry = folder == NULL ? NULL : readdir(folder); entry != NULL;
         entry = readdir(folder)) {
        if (is_left(dirfd(folder), entry->d_name, owner_of(entry->d_name))) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

/* ---- Opening ------------------------------------------------------------------------- */

/* What the shell has opened already goes on where that is: opened once more, both would write
 * over each other. */
static int open_in_place(const char *path)
{
    struct stat there, printed;

    if (stat(path, &there) == 0 && fstat(STDOUT_FILENO, &printed) == 0
        && there.st_dev == printed.st_dev && there.st_ino == printed.st_ino) {
        fflush(stdout);
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    }
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

/* Locked, and not taken meanwhile for one that was left. Where there are no locks, processes
 * tell. */
static bool is_ours(int made)
{
    struct stat status;

    return (flock(made, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
           && fstat(made, &status) == 0 && status.st_nlink != 0u;
}

/* A new file. */
static int open_partial(struct output_file *file)
{
    static unsigned number;
    const size_t n = folder_length(file->path);
    int made;

    file->partial = malloc(n + PARTIAL_NAME);
    if (file->partial == NULL) {
        return -1;
    }
    memcpy(file->partial, file->path, n);
    do {
        snprintf(file->partial + n, PARTIAL_NAME, PARTIAL "%ld-%u.part", (long)getpid(),
                 ++number);
        made = open(file->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made >= 0 && !is_ours(made)) {
            close(made);
            made = -1;
            errno = EEXIST;
        }
    } while (made < 0 && errno == EEXIST);
    return made;
}

/* old: the file that it will replace, or NULL. */
static int open_beside(struct output_file *file, const struct stat *old)
{
    if (old != NULL && access(file->path, W_OK) != 0) {
        return -1;
    }
    clean(file->path);
    const int made = open_partial(file);
    if (made >= 0 && old != NULL) {
        (void)fchmod(made, old->st_mode & 0777u); /* where there are permissions */
    }
    return made;
}

bool output_file_open(struct output_file *file, const char *path)
{
    struct stat old;
    const bool exists = lstat(path, &old) == 0;
    int made = -1;

    *file = (struct output_file){ .to = NULL };
    if (exists || errno == ENOENT) {
        file->path = strdup(path);
    }
    if (file->path != NULL) {
        made = exists && !S_ISREG(old.st_mode) ? open_in_place(path)
                                               : open_beside(file, exists ? &old : NULL);
    }
    file->to = made < 0 ? NULL : fdopen(made, "w");
    if (file->to == NULL) {
        output_file_abandon(file);
        if (made >= 0) {
            close(made);
        }
        return false;
    }
    return true;
}

/* ---- Closing ------------------------------------------------------------------------- */

bool output_written(FILE *to)
{
    if (fflush(to) != 0) {
        return false;
    }
    if (ferror(to) == 0) {
        return true;
    }
    /* The stream does not keep an earlier error's reason. It comes once more, or has gone. */
    if (write(fileno(to), "\n", 1u) == 1) {
        errno = EIO;
    }
    return false;
}

bool output_text_close(FILE *to, char **text)
{
    const bool written = fflush(to) == 0 && ferror(to) == 0;

    /* glibc's fclose says that all is well even if it has no memory for the text. */
    if (fclose(to) == 0 && written && *text != NULL) {
        return true;
    }
    free(*text);
    *text = NULL;
    return false;
}

bool output_file_finish(struct output_file *file)
{
    return output_written(file->to)
           && (file->partial == NULL || fsync(fileno(file->to)) == 0 || errno == EINVAL);
}

/* So that the name is on the disk as well, where the file system can do it. */
static void sync_folder(const char *path)
{
    char *const name = folder_of(path);
    const int folder = name == NULL ? -1 : open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
    free(name);
}

bool output_file_name(struct output_file *file)
{
    /* Locked until it has its name. */
    if (file->partial != NULL && rename(file->partial, file->path) != 0) {
        return false;
    }
    if (file->partial != NULL) {
        sync_folder(file->path);
        free(file->partial);
        file->partial = NULL;
    }
    const bool closed = fclose(file->to) == 0;
    file->to = NULL;
    if (closed) {
        output_file_abandon(file); /* nothing is left to be removed */
    }
    return closed;
}

bool output_file_commit(struct output_file *file)
{
    if (output_file_finish(file) && output_file_name(file)) {
        return true;
    }
    output_file_abandon(file);
    return false;
}

void output_file_abandon(struct output_file *file)
{
    const int reason = errno;

    if (file->to != NULL) {
        fclose(file->to);
    }
    if (file->partial != NULL) {
        unlink(file->partial);
    }
    free(file->partial);
    free(file->path);
    *file = (struct output_file){ .to = NULL };
    errno = reason;
}
