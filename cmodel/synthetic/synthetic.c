/* synthetic - described kernels as a source of instruction streams; see synthetic.h. */

#include "synthetic/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "synthetic/synthetic_file.h"
#include "synthetic/synthetic_step.h"
#include "synthetic/synthetic_text.h"

/* What an open CTA's streams are written to. Kept for the next CTA when it is closed, so
 * that opening one allocates nothing once as many have been open at a time as ever are. */
struct buffer {
    struct buffer *next; /* of all */
    struct buffer *next_free;
    struct instruction *instruction; /* if warps have their own */
    uint32_t *word;
};

struct kernel {
    const struct file_kernel *file;
    struct text text;
    struct kernel_shape shape;
    uint32_t warps;
    uint32_t first_launch; /* its number; the others follow */
    uint32_t open;
    struct buffer *all;
    struct buffer *free;
};

struct synthetic {
    struct file_workload *file;
    struct kernel *kernel;
    uint32_t launches;
};

/* ---- Buffers ------------------------------------------------------------------------- */

static struct buffer *buffer_take(struct kernel *kernel)
{
    struct buffer *buffer = kernel->free;
    if (buffer != NULL) {
        kernel->free = buffer->next_free;
        kernel->open++;
        return buffer;
    }

    const size_t own = kernel->text.forks ? (size_t)kernel->warps * kernel->text.n : 0u;
    const size_t words = (size_t)kernel->warps * kernel->text.words;
    buffer =
        malloc(sizeof *buffer + own * sizeof(struct instruction) + words * sizeof(uint32_t));
    if (buffer == NULL) {
        return NULL;
    }
    *buffer = (struct buffer){
        .next = kernel->all,
        .instruction = (struct instruction *)(void *)(buffer + 1),
        .word = (uint32_t *)((struct instruction *)(void *)(buffer + 1) + own),
    };
    kernel->all = buffer;
    kernel->open++;
    return buffer;
}

static void buffers_free(struct kernel *kernel)
{
    while (kernel->all != NULL) {
        struct buffer *const next = kernel->all->next;
        free(kernel->all);
        kernel->all = next;
    }
    kernel->free = NULL;
}

/* ---- Streams ------------------------------------------------------------------------- */

/* Of a warp that runs the whole text. Returns the end of its words. */
static uint32_t *straight(const struct text *text, const struct place *place, uint32_t variant,
                          uint32_t *word)
{
    for (uint32_t i = 0u; i < text->n_memory; i++) {
        const struct text_at *const at = &text->at[text->memory[i]];
        const struct site *const site = &text->site[at->site];
        word += pattern_words(&site->variant[variant].pattern, place, at->execution,
                              site->executions, word);
    }
    return word;
}

/* Whether chance decides against this warp, at this execution. */
static bool decide(uint64_t of_2_32, uint64_t seed, uint64_t number)
{
    return of_2_32 != 0u && synthetic_hash(seed, number) >> 32 < of_2_32;
}

/* Of a warp that takes its own way through the text. */
static uint32_t *forked(const struct text *text, const struct place *place, uint32_t variant,
                        struct instruction *out, uint32_t *word)
{
    const struct instruction *const from = variant != 0u ? text->partial : text->instruction;
    uint32_t pc = 0u;

    while (pc + 1u < text->n) {
        const struct text_at *const at = &text->at[pc];
        const struct site *const site = &text->site[at->site];
        const uint64_t number = at->execution * place->all + place->global;
        *out = from[pc++];
        uint32_t v = variant;
        if (decide(site->diverge, site->seed ^ 0x3333333333333333u, number)) {
            v |= DIVERGED;
            out->lanes = site->variant[v].lanes;
            out->accesses = site->variant[v].accesses;
        }
        if (site->memory) {
            word += pattern_words(&site->variant[v].pattern, place, at->execution,
                                  site->executions, word);
        }
        if (out->op == OP_BRANCH
            && decide(site->taken, site->seed ^ 0x5555555555555555u, number)) {
            out->flags |= TAKEN;
            pc = at->target;
        }
        out++;
    }
    *out = from[pc];
    return word;
}

static bool open_cta(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                     struct fault *fault)
{
    struct kernel *const kernel = self;
    const struct text *const text = &kernel->text;
    struct buffer *const buffer = buffer_take(kernel);
    if (buffer == NULL) {
        return fault_surroundings(fault, "%s: no memory for CTA %u", kernel->shape.name, cta);
    }

    struct place place = {
        .cta = cta,
        .warps = kernel->warps,
        .all = (uint64_t)kernel_ctas(&kernel->shape) * kernel->warps,
    };
    uint32_t *word = buffer->word;
    for (uint32_t w = 0u; w < kernel->warps; w++) {
        const uint32_t variant =
            text->partial != NULL && w + 1u == kernel->warps ? PARTIAL : 0u;
        place.warp = w;
        place.global = (uint64_t)cta * kernel->warps + w;
        warp[w] = (struct warp_stream){ .access = word };
        if (text->forks) {
            struct instruction *const own = buffer->instruction + (size_t)w * text->n;
            warp[w].instruction = own;
            word = forked(text, &place, variant, own, word);
        } else {
            warp[w].instruction = variant != 0u ? text->partial : text->instruction;
            warp[w].counts = &text->counts[variant != 0u];
            word = straight(text, &place, variant, word);
        }
    }
    *handle = buffer;
    return true;
}

static void free_cta(void *self, void *handle)
{
    struct kernel *const kernel = self;
    struct buffer *const buffer = handle;

    buffer->next_free = kernel->free;
    kernel->free = buffer;
    kernel->open--;
}

/* A kernel may be launched several times; only the last CTA to end clears up. */
static void close_kernel(void *self)
{
    struct kernel *const kernel = self;

    if (kernel->open == 0u) {
        buffers_free(kernel);
    }
}

/* ---- Loading ------------------------------------------------------------------------- */

static bool make_kernel(struct kernel *kernel, struct file_kernel *file, uint64_t seed,
                        const struct gpu_config *config, struct file_place *at)
{
    if (!check_kernel(at, file, config) || !text_make(&kernel->text, file, seed, config, at)) {
        return false;
    }
    kernel->file = file;
    kernel->shape = (struct kernel_shape){
        .name = file->name,
        .grid = { file->grid[0], file->grid[1], file->grid[2] },
        .block = { file->block[0], file->block[1], file->block[2] },
        .registers = file->registers,
        .shared_bytes = file->shared_bytes,
        .last_register = kernel->text.last_register,
        .text = kernel,
        .instructions = kernel->text.n,
    };
    kernel->warps = kernel_warps(&kernel->shape);
    return true;
}

static bool make_kernels(struct synthetic *synthetic, const struct gpu_config *config,
                         struct file_place *at)
{
    struct file_workload *const file = synthetic->file;
    bool good = true;

    for (uint32_t k = 0u; good && k < file->kernels_count; k++) {
        struct file_kernel *const of_file = &file->kernels[k];
        const uint64_t seed = of_file->seed != NULL ? synthetic_hash(*of_file->seed, 0u)
                                                    : synthetic_hash(file->seed, k);
        const size_t length = place_enter(at, "kernels", k);
        good = make_kernel(&synthetic->kernel[k], of_file, seed, config, at);
        place_leave(at, length);
        synthetic->kernel[k].first_launch = synthetic->launches;
        synthetic->launches += or_else(of_file->launches, 1u);
    }
    return good;
}

/* What checks and steps ask of a configuration. Where buffers begin is no reason to refuse. */
bool synthetic_reads_same(const struct gpu_config *a, const struct gpu_config *b)
{
    return a->l1.line == b->l1.line && a->constant.line == b->constant.line
           && a->texture.line == b->texture.line
           && a->ldst.shared_banks == b->ldst.shared_banks;
}

bool synthetic_load(const char *path_or_name, const struct gpu_config *config,
                    struct synthetic **out, struct fault *fault)
{
    char path[1024];
    struct file_place at = { .path = path, .fault = fault };
    struct file_workload *file = NULL;

    if (!places_config("workloads", path_or_name, path, sizeof path)) {
        return fault_set(fault, "%.40s...: the path is too long", path_or_name);
    }
    if (!file_load(path, &file, fault)) {
        return false;
    }
    struct synthetic *const synthetic = calloc(1u, sizeof *synthetic);
    struct kernel *const kernel = calloc(file->kernels_count, sizeof *kernel);
    if (synthetic == NULL || kernel == NULL) {
        free(synthetic);
        free(kernel);
        file_free(file);
        return fault_at(fault, path, 0u, "no memory");
        fault_by(fault, FAULT_SURROUNDINGS);
    }
    *synthetic = (struct synthetic){ .file = file, .kernel = kernel };
    if (!make_kernels(synthetic, config, &at)) {
        synthetic_free(synthetic);
        return false;
    }
    *out = synthetic;
    return true;
}

void synthetic_free(struct synthetic *synthetic)
{
    if (synthetic == NULL) {
        return;
    }
    for (uint32_t k = 0u; k < synthetic->file->kernels_count; k++) {
        text_free(&synthetic->kernel[k].text);
        buffers_free(&synthetic->kernel[k]);
    }
    free(synthetic->kernel);
    file_free(synthetic->file);
    free(synthetic);
}

/* ---- Regions ------------------------------------------------------------------------- */

/* Those of the memory instructions of all kernels move by `first`; returns how many they use.
 */
static uint32_t move(const struct synthetic *synthetic, uint32_t first)
{
    uint32_t most = 0u;

    for (uint32_t k = 0u; k < synthetic->file->kernels_count; k++) {
        const struct text *const text = &synthetic->kernel[k].text;
        for (uint32_t i = 0u; i < text->n_site * VARIANTS; i++) {
            struct pattern *const pattern =
                &text->site[i / VARIANTS].variant[i % VARIANTS].pattern;
            const struct pattern_shape *const shape = &pattern->shape;
            if (shape->line != 0u) {
                pattern->base += first * (REGION_BYTES / shape->line);
                most = shape->region + 1u > most ? shape->region + 1u : most;
            }
        }
    }
    return most;
}

uint32_t synthetic_regions(const struct synthetic *synthetic)
{
    return move(synthetic, 0u);
}

void synthetic_move(struct synthetic *synthetic, uint32_t first)
{
    (void)move(synthetic, first);
}

/* ---- Launches ------------------------------------------------------------------------ */

uint32_t synthetic_kernels(const struct synthetic *synthetic)
{
    return synthetic->launches;
}

/* The kernel that is launch number `launch`. */
static struct kernel *launched(const struct synthetic *synthetic, uint32_t launch)
{
    uint32_t first = 0u, end = synthetic->file->kernels_count; /* it is one of these */

    while (end - first > 1u) {
        const uint32_t middle = first + (end - first) / 2u;
        if (synthetic->kernel[middle].first_launch <= launch) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return &synthetic->kernel[first];
}

struct kernel_source synthetic_kernel(struct synthetic *synthetic, uint32_t k)
{
    struct kernel *const kernel = launched(synthetic, k);

    return (struct kernel_source){
        .self = kernel,
        .shape = kernel->shape,
        .open_cta = open_cta,
        .free_cta = free_cta,
        .close = close_kernel,
    };
}

uint32_t synthetic_stream(const struct synthetic *synthetic, uint32_t k)
{
    return launched(synthetic, k)->file->stream;
}
