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

/* Puts the place of the key `base` before what is wrong with it. */
static bool refuse_base(const char *path, struct fault *fault)
{
    const uint32_t line = yaml_line(path, "base");

    return fault_locate(fault, path, line != 0u ? line : 1u, "base: ");
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
static bool follow(struct chain *chain, struct fault *fault)
{
    const struct link *const from = &chain->links[chain->n - 1u];
    const char *const base = from->file->base;
    char path[PLACES_PATH];
    struct stat status;

    if (!config_find(CONFIG_GPU, base, path, fault)) {
        return refuse_base(from->path, fault);
    }
    if (stat(path, &status) != 0) {
        const int reason = errno;
        fault_set(fault, "%.400s: %s; allowed: a GPU's name, or a file that exists", base,
                  strerror(reason));
        fault_by(fault, fault_kind_of(reason));
        return refuse_base(from->path, fault);
    }
    if (is_in_chain(chain, &status)) {
        fault_set(
            fault,
            "%.400s leads back to itself; allowed: bases that end with a file without one",
            base);
        return refuse_base(from->path, fault);
    }
    if (chain->n > GPU_CONFIG_BASES) {
        fault_set(fault, "%.400s is base number %" PRIu32 "; allowed: at most %d", base,
                  chain->n, GPU_CONFIG_BASES);
        return refuse_base(from->path, fault);
    }
    memcpy(chain->links[chain->n].path, path, sizeof path);
    return true;
}

/* From the GPU's file to the one without a base. */
static bool read_chain(struct chain *chain, const char *name, struct fault *fault)
{
    bool more = config_find(CONFIG_GPU, name, chain->links[0].path, fault);

    while (more) {
        struct link *const link = &chain->links[chain->n];
        link->file = gpu_yaml_load(CONFIG_GPU, link->path, fault);
        if (link->file == NULL) {
            return false;
        }
        chain->n++;
        if (link->file->base == NULL) {
            return true;
        }
        more = follow(chain, fault);
    }
    return false;
}

/* ---- Loading ------------------------------------------------------------------------- */

/* The bases first, so that each file replaces what its base gives. */
static bool apply(const struct chain *chain, struct gpu_config *config, struct fault *fault)
{
    for (uint32_t i = chain->n; i-- > 0u;) {
        const struct link *const link = &chain->links[i];
        if (!gpu_yaml_apply(link->file, link->path, config, fault)) {
            return false;
        }
    }
    return true;
}

/* Only the whole must be a possible machine, not each base. */
static bool check(const char *path, const struct gpu_config *config, struct fault *fault)
{
    const struct gpu_key *const key = gpu_config_fault(config, fault);

    return key == NULL || gpu_yaml_blame(path, key, fault);
}

static void forget(struct chain *chain)
{
    while (chain->n > 0u) {
        gpu_yaml_free(CONFIG_GPU, chain->links[--chain->n].file);
    }
}

bool gpu_config_load(const char *name, struct gpu_config *config, struct fault *fault)
{
    struct chain chain;

    chain.n = 0u;
    *config = gpu_config_standard();
    const bool good = read_chain(&chain, name, fault) && apply(&chain, config, fault)
                      && check(chain.links[0].path, config, fault);
    forget(&chain);
    return good;
}

/* ---- Sources ------------------------------------------------------------------------- */

/* A file may have been printed without sources: what a key means is none. */
static void take_source(void *self, const char *section, const char *name, const char *comment)
{
    struct gpu_source *const sources = self;
    const struct gpu_key *const key = gpu_key_find(section, name);
    char remark[REMARK_SIZE];

    if (key != NULL) {
        struct gpu_source *const source = &sources[key - gpu_keys];
        const bool meaning = strcmp(comment, gpu_key_remark(key, remark, sizeof remark)) == 0;
        snprintf(source->text, sizeof source->text, "%s", meaning ? "" : comment);
    }
}

bool gpu_config_sources(const char *name, struct gpu_source *sources, struct fault *fault)
{
    struct chain chain;

    chain.n = 0u;
    memset(sources, 0, gpu_key_count * sizeof *sources);
    bool good = read_chain(&chain, name, fault);
    for (uint32_t i = good ? chain.n : 0u; i-- > 0u;) {
        good = good && yaml_comments(chain.links[i].path, take_source, sources, fault);
    }
    forget(&chain);
    return good;
}

uint32_t gpu_config_open(const struct gpu_config *config, const struct gpu_config *file,
                         const struct gpu_source *sources)
{
    uint32_t open = 0u;

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        open += gpu_source_is_open(&sources[i]) && gpu_key_same(&gpu_keys[i], config, file);
    }
    return open;
}
