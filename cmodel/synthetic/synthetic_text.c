/* synthetic_text - a kernel's steps as instructions; see synthetic_text.h. */

#include "synthetic/synthetic_text.h"

#include <stdlib.h>
#include <string.h>

#include "synthetic/synthetic.h"
#include "synthetic/synthetic_site.h"
#include "synthetic/synthetic_step.h"

struct builder {
    struct text *text;
    struct file_place *place;
    const struct file_kernel *kernel;
    uint32_t first; /* automatic registers: a ring */
    uint32_t last;
    uint32_t next;
    uint32_t produced;            /* instructions that write a register */
    uint8_t result[DEPENDS_MOST]; /* of the last of them */
    uint32_t drawn;               /* numbers, of all mixes */
};

/* ---- Registers ----------------------------------------------------------------------- */

/* What a body needs of the register file. */
struct needs {
    uint32_t named; /* highest number */
    uint32_t chases;
    uint32_t distance;
    uint32_t words;
};

static void raise_to(uint32_t *most, uint32_t number)
{
    *most = number > *most ? number : *most;
}

/* A body holds bodies, at most DEPTH_MOST deep. NOLINTBEGIN(misc-no-recursion) */
static void find_needs(struct needs *needs, const struct file_step *body, uint32_t n)
{
    for (uint32_t i = 0u; i < n; i++) {
        const struct file_step *const step = &body[i];
        const uint32_t op = step->op != NULL ? op_named(step->op) : OP_COUNT;
        const uint32_t words = step_words(step, step->mix != NULL ? (uint32_t)OP_LOAD : op);
        uint32_t lowest = 0u;
        uint32_t highest = 0u;

        if (step->dst != NULL && register_named(step->dst) != REGISTER_NONE) {
            raise_to(&needs->named, register_named(step->dst) + words - 1u);
        }
        for (uint32_t s = 0u; s < step->src_count; s++) {
            raise_to(&needs->named, register_named(step->src[s]));
        }
        if (step->depends != NULL && read_range(step->depends, &lowest, &highest)) {
            raise_to(&needs->distance, highest);
        }
        raise_to(&needs->words, words);
        needs->chases += step->op != NULL && step_pattern(step) == PATTERN_CHASE ? words : 0u;
        find_needs(needs, step->body, step->body_count);
        find_needs(needs, step->taken_body, step->taken_body_count);
    }
}

/* A chase reads what it has loaded: its register is its own. */
static uint32_t place_chases(struct file_step *body, uint32_t n, uint32_t next)
{
    for (uint32_t i = 0u; i < n; i++) {
        struct file_step *const step = &body[i];
        if (step->op != NULL && step_pattern(step) == PATTERN_CHASE) {
            step->chase_register = (uint8_t)next;
            next += step_words(step, op_named(step->op));
        }
        next = place_chases(step->body, step->body_count, next);
        next = place_chases(step->taken_body, step->taken_body_count, next);
    }
    return next;
}

/* NOLINTEND(misc-no-recursion) */

/* Named registers are lowest, then those of chases; the rest is a ring, large enough that
 * no result is overwritten before the furthest instruction that may read it. */
static bool place_registers(struct builder *builder, struct file_kernel *kernel)
{
    struct needs needs = { .named = REGISTER_FIRST - 1u };

    find_needs(&needs, kernel->body, kernel->body_count);
    const uint64_t least = needs.named + (uint64_t)needs.chases
                           + (uint64_t)(needs.distance + 1u) * needs.words + 1u
                           - REGISTER_FIRST;
    if (least > kernel->registers) {
        return refuse(builder->place, "registers",
                      "%u: at least %u are needed, with those for automatic results",
                      kernel->registers, (uint32_t)least);
    }
    builder->first = place_chases(kernel->body, kernel->body_count, needs.named + 1u);
    builder->last = kernel->registers + REGISTER_FIRST - 1u;
    builder->next = builder->first;
    return true;
}

static uint32_t automatic(struct builder *builder, uint32_t words)
{
    if (builder->next + words - 1u > builder->last) {
        builder->next = builder->first;
    }
    builder->next += words;
    return builder->next - words;
}

static uint32_t draw(struct builder *builder, const struct file_step *step, uint32_t n)
{
    const uint64_t seed = builder->text->site[step->site].seed;

    return hash_below(synthetic_hash(seed, builder->drawn++), n);
}

static void set_result(struct builder *builder, struct instruction *instruction,
                       const struct file_step *step)
{
    const bool may = instruction->op == OP_ATOMIC || op_produces(instruction->op);
    const uint32_t words = step_words(step, instruction->op);
    bool wanted = op_produces(instruction->op);
    uint32_t dst = REGISTER_NONE;

    if (step->mix != NULL && (instruction->op == OP_SHARED || instruction->op == OP_ATOMIC)) {
        wanted = draw(builder, step, 2u) == 0u; /* loads and stores; with and without result */
    }
    if (step->dst != NULL) {
        wanted = may && strcmp(step->dst, "none") != 0;
        dst = register_named(step->dst);
    } else if (step->chase_register != REGISTER_NONE) {
        dst = step->chase_register;
    }
    if (!wanted) {
        return;
    }
    dst = dst == REGISTER_NONE ? automatic(builder, words) : dst;
    instruction->dst = (uint8_t)dst;
    instruction->n_dst = (uint8_t)words;
    builder->result[builder->produced++ % DEPENDS_MOST] = (uint8_t)dst;
    if (dst + words - 1u > builder->text->last_register) {
        builder->text->last_register = (uint8_t)(dst + words - 1u);
    }
}

static void set_sources(struct builder *builder, struct instruction *instruction,
                        const struct file_step *step)
{
    uint32_t n = 0u;
    uint32_t lowest = 0u;
    uint32_t highest = 0u;

    for (; n < step->src_count; n++) {
        instruction->src[n] = (uint8_t)register_named(step->src[n]);
    }
    if (step->depends != NULL && read_range(step->depends, &lowest, &highest)) {
        const uint32_t distance =
            lowest == highest ? lowest : lowest + draw(builder, step, highest - lowest + 1u);
        if (distance <= builder->produced) {
            instruction->src[n++] =
                builder->result[(builder->produced - distance) % DEPENDS_MOST];
        }
    }
    if (n == 0u) {
        instruction->src[0] = step->chase_register;
    }
    for (uint32_t i = 0u; i < 4u; i++) {
        if (instruction->src[i] > builder->text->last_register) {
            builder->text->last_register = instruction->src[i];
        }
    }
}

/* ---- Text ---------------------------------------------------------------------------- */

static bool make_room(struct text *text)
{
    if (text->n < text->capacity) {
        return true;
    }
    const uint32_t capacity = text->capacity == 0u ? 64u : 2u * text->capacity;
    struct instruction *const instruction =
        realloc(text->instruction, capacity * sizeof *instruction);
    text->instruction = instruction != NULL ? instruction : text->instruction;
    struct text_at *const at = realloc(text->at, capacity * sizeof *at);
    text->at = at != NULL ? at : text->at;
    if (instruction == NULL || at == NULL) {
        return false;
    }
    text->capacity = capacity;
    return true;
}

static bool emit(struct builder *builder, const struct file_step *step, uint32_t number,
                 uint32_t op)
{
    struct text *const text = builder->text;
    struct site *const site = &text->site[number];
    struct instruction instruction = {
        .op = (uint8_t)op,
        .lanes = site->variant[0].lanes,
        .accesses = site->variant[0].accesses,
        .pc = text->n,
        .flags = op == OP_BRANCH && site->taken >> 32 != 0u ? TAKEN
                 : op < OP_LOAD                             ? step_kind(step, op)
                                                            : read_flags(step),
    };

    if (text->n == SYNTHETIC_TEXT - 1u) {
        return refuse(builder->place, step->count != NULL ? "count" : "",
                      "the kernel has more than %d instructions, loops unrolled",
                      SYNTHETIC_TEXT);
    }
    if (!make_room(text)) {
        return refuse_memory(builder->place, "");
    }
    if (number == step->site || step->mix != NULL) { /* not for the jump after a body */
        set_sources(builder, &instruction, step);
        set_result(builder, &instruction, step);
    }
    text->at[text->n] = (struct text_at){
        .site = number,
        .execution = site->executions++,
        .target = text->n + 1u,
    };
    text->instruction[text->n++] = instruction;
    return true;
}

static bool build_mix(struct builder *builder, const struct file_step *step)
{
    uint32_t sum = 0u;
    uint32_t op = 0u;

    for (uint32_t c = 0u; c < OP_COUNT; c++) {
        sum += step->mix->weight[c];
    }
    for (uint32_t left = draw(builder, step, sum); left >= step->mix->weight[op]; op++) {
        left -= step->mix->weight[op];
    }
    return emit(builder, step, step->site + op, op);
}

/* A body holds bodies, at most DEPTH_MOST deep. NOLINTBEGIN(misc-no-recursion) */
static bool build_body(struct builder *builder, const char *list, const struct file_step *body,
                       uint32_t n);

static bool build_branch(struct builder *builder, const struct file_step *step)
{
    struct text *const text = builder->text;
    const uint32_t branch = text->n;

    if (!emit(builder, step, step->site, OP_BRANCH)
        || !build_body(builder, "body", step->body, step->body_count)) {
        return false;
    }
    if (step->taken_body_count != 0u) {
        const uint32_t jump = text->n;
        if (!emit(builder, step, step->site + 1u, OP_BRANCH)) {
            return false;
        }
        text->at[branch].target = text->n;
        if (!build_body(builder, "taken_body", step->taken_body, step->taken_body_count)) {
            return false;
        }
        text->at[jump].target = text->n;
    } else {
        text->at[branch].target = text->n;
    }
    return true;
}

static bool build_step(struct builder *builder, const struct file_step *step)
{
    const uint32_t op = step->op != NULL ? op_named(step->op) : OP_COUNT;
    const uint32_t times = or_else(step->repeat != NULL ? step->repeat : step->count, 1u);
    bool good = true;

    for (uint32_t i = 0u; good && i < times; i++) {
        good = step->repeat != NULL ? build_body(builder, "body", step->body, step->body_count)
               : step->mix != NULL  ? build_mix(builder, step)
               : op == OP_BRANCH    ? build_branch(builder, step)
                                    : emit(builder, step, step->site, op);
    }
    return good;
}

static bool build_body(struct builder *builder, const char *list, const struct file_step *body,
                       uint32_t n)
{
    bool good = true;

    for (uint32_t i = 0u; good && i < n; i++) {
        const size_t length = place_enter(builder->place, list, i);
        good = build_step(builder, &body[i]);
        place_leave(builder->place, length);
    }
    return good;
}

/* NOLINTEND(misc-no-recursion) */

/* ---- Completion ---------------------------------------------------------------------- */

/* The same text with the lanes of the last warp. */
static bool make_partial(struct text *text)
{
    text->partial = malloc(text->n * sizeof *text->partial);
    if (text->partial == NULL) {
        return false;
    }
    memcpy(text->partial, text->instruction, text->n * sizeof *text->partial);
    for (uint32_t i = 0u; i + 1u < text->n; i++) {
        const struct site_variant *const variant =
            &text->site[text->at[i].site].variant[PARTIAL];
        text->partial[i].lanes = variant->lanes;
        text->partial[i].accesses = variant->accesses;
    }
    return true;
}

static bool list_memory(struct text *text)
{
    text->memory = malloc(text->n * sizeof *text->memory);
    if (text->memory == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i + 1u < text->n; i++) {
        const struct site *const site = &text->site[text->at[i].site];
        if (site->memory) {
            uint32_t most = 0u;
            for (uint32_t v = 0u; v < VARIANTS; v++) {
                raise_to(&most, site->variant[v].accesses);
            }
            text->memory[text->n_memory++] = i;
            text->words += most;
        }
    }
    return true;
}

static bool complete(struct text *text, const struct file_kernel *kernel,
                     struct file_place *place)
{
    const uint32_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
    const uint32_t warps = (threads + WARP_SIZE - 1u) / WARP_SIZE;
    const uint32_t rest = threads % WARP_SIZE;

    text->instruction[text->n] =
        (struct instruction){ .op = OP_EXIT, .lanes = WARP_SIZE, .pc = text->n };
    text->n++;
    if ((rest != 0u && !make_partial(text)) || !list_memory(text)) {
        return refuse_memory(place, "body");
    }
    issues_count(text->instruction, text->instruction + text->n, &text->counts[0]);
    if (rest != 0u) {
        text->partial[text->n - 1u].lanes = (uint8_t)rest;
        issues_count(text->partial, text->partial + text->n, &text->counts[1]);
    }
    if ((uint64_t)text->words * warps > SYNTHETIC_CTA) {
        return refuse(place, "body", "a CTA has more than %d access words", SYNTHETIC_CTA);
    }
    return !text->forks || (uint64_t)text->n * warps <= SYNTHETIC_CTA
           || refuse(place, "body", "a CTA whose warps diverge has more than %d instructions",
                     SYNTHETIC_CTA);
}

bool text_make(struct text *text, struct file_kernel *kernel, uint64_t seed,
               const struct gpu_config *config, struct file_place *place)
{
    struct builder builder = { .text = text, .place = place, .kernel = kernel };

    return place_registers(&builder, kernel) && sites_make(text, kernel, seed, config, place)
           && build_body(&builder, "body", kernel->body, kernel->body_count)
           && (make_room(text) || refuse_memory(place, "body"))
           && complete(text, kernel, place);
}

void text_free(struct text *text)
{
    for (uint32_t i = 0u; i < text->n_site; i++) {
        for (uint32_t v = 0u; v < VARIANTS; v++) {
            pattern_free(&text->site[i].variant[v].pattern);
        }
    }
    free(text->site);
    free(text->instruction);
    free(text->partial);
    free(text->at);
    free(text->memory);
}
