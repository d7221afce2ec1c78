/* gpu_config_file - reads the parameters of a GPU; see gpu_config_file.h. */

#include "gpu/config/gpu_config_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/yaml_file.h"
#include "gpu/config/gpu_config_yaml.h"

/* A GPU's file, its base, the base's base, ... */
struct chain {
    struct link {
        char path[PLACES_PATH];
        struct gpu_yaml *file;
    } links[1 + GPU_CONFIG_BASES];
    uint32_t n; /* that are read */
};

/* ---- Bases --------------------------------------------------------------------------- */

static bool refuse_base(const char *path, const char *text, char *message, size_t size)
{
    const uint32_t line = yaml_line(path, "base");

    snprintf(message, size, "%s:%" PRIu32 ": base: %s", path, line != 0u ? line : 1u, text);
    return false;
}

/* Whether a file of the chain is this one, whatever path leads to it. */
static bool is_in_chain(const struct chain *chain, const struct stat *wanted)
{
    struct stat other;
    bool found = false;

    for (uint32_t i = 0u; i < chain->n && !found; i++) {
        found = stat(chain->links[i].path, &other) == 0 && other.st_dev == wanted->st_dev
                && other.st_ino == wanted->st_ino;
    }
    return found;
}

/* Writes the path of the last file's base into the next link. */
static bool follow(struct chain *chain, char *message, size_t size)
{
    const struct link *const from = &chain->links[chain->n - 1u];
    const char *const base = from->file->base;
    char path[PLACES_PATH];
    char text[1024];
    struct stat status;

    if (!config_find(CONFIG_GPU, base, path, text, sizeof text)) {
        return refuse_base(from->path, text, message, size);
    }
    if (stat(path, &status) != 0) {
        snprintf(text, sizeof text, "%.400s: %s; allowed: a GPU's name, or a file that exists",
                 base, strerror(errno));
        return refuse_base(from->path, text, message, size);
    }
    if (is_in_chain(chain, &status)) {
        snprintf(text, sizeof text,
                 "%.400s leads back to itself; allowed: bases that end with a file without one",
                 base);
        return refuse_base(from->path, text, message, size);
    }
    if (chain->n > GPU_CONFIG_BASES) {
        snprintf(text, sizeof text, "%.400s is base number %" PRIu32 "; allowed: at most %d",
                 base, chain->n, GPU_CONFIG_BASES);
        return refuse_base(from->path, text, message, size);
    }
    memcpy(chain->links[chain->n].path, path, sizeof path);
    return true;
}

/* From the GPU's file to the one without a base. */
static bool read_chain(struct chain *chain, const char *name, char *message, size_t size)
{
    bool more = config_find(CONFIG_GPU, name, chain->links[0].path, message, size);

    while (more) {
        struct link *const link = &chain->links[chain->n];
        link->file = gpu_yaml_load(CONFIG_GPU, link->path, message, size);
        if (link->file == NULL) {
            return false;
        }
        chain->n++;
        if (link->file->base == NULL) {
            return true;
        }
        more = follow(chain, message, size);
    }
    return false;
}

/* ---- Loading ------------------------------------------------------------------------- */

/* The bases first, so that each file replaces what its base gives. */
static bool apply(const struct chain *chain, struct gpu_config *config, char *message,
                  size_t size)
{
    for (uint32_t i = chain->n; i-- > 0u;) {
        const struct link *const link = &chain->links[i];
        if (!gpu_yaml_apply(link->file, link->path, config, message, size)) {
            return false;
        }
    }
    return true;
}

/* Only the whole must be a possible machine, not each base. */
static bool check(const char *path, const struct gpu_config *config, char *message, size_t size)
{
    char text[512];
    const struct gpu_key *const key = gpu_config_fault(config, text, sizeof text);

    if (key != NULL) {
        gpu_yaml_blame(path, key, text, message, size);
    }
    return key == NULL;
}

bool gpu_config_load(const char *name, struct gpu_config *config, char *message, size_t size)
{
    struct chain chain;

    chain.n = 0u;
    *config = gpu_config_standard();
    const bool good = read_chain(&chain, name, message, size)
                      && apply(&chain, config, message, size)
                      && check(chain.links[0].path, config, message, size);
    while (chain.n > 0u) {
        gpu_yaml_free(CONFIG_GPU, chain.links[--chain.n].file);
    }
    return good;
}
