/* rtl_made - see rtl_made.h. */

#include "lockstep/rtl_made.h"

#include <dirent.h>
#include <errno.h>
#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/places.h"

enum { HEX = 2 * SHA256_DIGEST_SIZE, LINE = PLACES_PATH + 256 };

/* ---- Digests ----------------------------------------------------------------------------- */

static bool is_digest(struct sha256_ctx *hash, const char *expected)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[HEX + 1] = "";

    sha256_digest(hash, sizeof digest, digest);
    base16_encode_update(text, sizeof digest, digest);
    return strcmp(text, expected) == 0;
}

/* Of a file as seen from the sources. */
static bool file_is(const char *expected, const char *path)
{
    char whole[2 * PLACES_PATH];
    uint8_t block[1 << 16];
    struct sha256_ctx hash;
    size_t n;

    snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' ? "" : places_data(),
             path[0] == '/' ? "" : "/", path);
    FILE *const file = fopen(whole, "rb");
    if (file == NULL) {
        return false;
    }
    sha256_init(&hash);
    while ((n = fread(block, 1u, sizeof block, file)) != 0u) {
        sha256_update(&hash, n, block);
    }
    const bool read = ferror(file) == 0;
    fclose(file);
    return read && is_digest(&hash, expected);
}

static int is_verilog(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 2u && strcmp(entry->d_name + length - 2u, ".v") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names, a line each, of a folder as seen from the sources: a file that is new there might be
 * found in place of one that was used. */
static bool names_are(const char *expected, const char *folder)
{
    char whole[2 * PLACES_PATH];
    struct dirent **entries = NULL;
    struct sha256_ctx hash;

    snprintf(whole, sizeof whole, "%s%s%s", folder[0] == '/' ? "" : places_data(),
             folder[0] == '/' ? "" : "/", folder);
    int n = scandir(whole, &entries, is_verilog, by_bytes);
    if (n < 0 && errno == ENOENT) {
        n = 0;
    }
    sha256_init(&hash);
    for (int i = 0; i < n; i++) {
        sha256_update(&hash, strlen(entries[i]->d_name), (const uint8_t *)entries[i]->d_name);
        sha256_update(&hash, 1u, (const uint8_t *)"\n");
        free(entries[i]);
    }
    free(entries);
    return n >= 0 && is_digest(&hash, expected);
}

/* ---- Tools ------------------------------------------------------------------------------- */

bool rtl_find_program(const char *name, char *path, size_t size)
{
    const char *from = getenv("PATH");

    while (from != NULL && *from != '\0') {
        const size_t length = strcspn(from, ":");
        struct stat status;
        snprintf(path, size, "%.*s/%s", (int)length, from, name);
        if (access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            return true;
        }
        from += length;
        from += *from == ':';
    }
    return false;
}

/* rest: "PATH SIZE MTIME", or "-". */
static bool tool_is(const char *name, const char *rest)
{
    char path[PLACES_PATH];
    char now[PLACES_PATH + 64] = "-";
    struct stat status;

    if (rtl_find_program(name, path, sizeof path)) {
        if (stat(path, &status) != 0) {
            return false;
        }
        snprintf(now, sizeof now, "%s %lld %lld.%09ld", path, (long long)status.st_size,
                 (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    }
    return strcmp(now, rest) == 0;
}

/* ---- A library --------------------------------------------------------------------------- */

/* The digest in the last line of a library. */
static bool ends_with(const char *library, const char *digest)
{
    char last[HEX + 1] = "";
    FILE *const file = fopen(library, "rb");

    if (file == NULL) {
        return false;
    }
    const bool read =
        fseek(file, -(long)HEX, SEEK_END) == 0 && fread(last, 1u, HEX, file) == HEX;
    fclose(file);
    return read && strcmp(last, digest) == 0;
}

static bool line_holds(char *line, const char *library)
{
    char *word[3] = { line, NULL, NULL };

    line[strcspn(line, "\n")] = '\0';
    for (int i = 1; i < 3; i++) {
        char *const blank = strchr(word[i - 1], ' ');
        if (blank == NULL) {
            break;
        }
        *blank = '\0';
        word[i] = blank + 1;
    }
    if (word[1] != NULL && word[2] == NULL && strcmp(line, "gpusched-made") == 0) {
        return ends_with(library, word[1]);
    }
    if (word[2] == NULL) {
        return false;
    }
    return strcmp(line, "file") == 0 ? file_is(word[1], word[2])
           : strcmp(line, "names") == 0
               ? names_are(word[1], word[2])
               : strcmp(line, "tool") == 0 && tool_is(word[1], word[2]);
}

bool rtl_made(const char *library)
{
    char name[LINE];
    char line[LINE];
    uint32_t lines = 0u;

    /* Another Verilator, of which nothing is noted. */
    if (getenv("VERILATOR_ROOT") != NULL) {
        return false;
    }
    snprintf(name, sizeof name, "%s.made", library);
    FILE *const made = fopen(name, "r");
    if (made == NULL) {
        return false;
    }
    bool good = true;
    while (good && fgets(line, sizeof line, made) != NULL) {
        good = line_holds(line, library);
        lines++;
    }
    good = good && ferror(made) == 0 && lines > 1u;
    fclose(made);
    return good;
}
