/* synthetic_check - the values that a workload may have; see synthetic_step.h. */

#include <stdio.h>
#include <string.h>

#include "synthetic/synthetic.h"
#include "synthetic/synthetic_step.h"

/* What is known where a step stands. */
struct checker {
    struct file_place *place;
    const struct file_kernel *kernel;
    const struct gpu_config *config;
    uint32_t depth;
    bool in_branch;
};

/* ---- Keys that a step may have ------------------------------------------------------- */

#define BIT(key) (1u << KEY_##key)

enum {
    ANY = BIT(op) | BIT(count),
    OPERANDS = ANY | BIT(src) | BIT(depends) | BIT(lanes) | BIT(diverge),
    RESULT = BIT(dst) | BIT(words),
    ADDRESS = BIT(pattern) | BIT(region) | BIT(element) | BIT(stride) | BIT(offset)
              | BIT(footprint) | BIT(per) | BIT(group) | BIT(seed),
    OF_REPEAT = BIT(repeat) | BIT(body),
    OF_MIX = BIT(mix) | BIT(count) | BIT(depends) | BIT(lanes) | BIT(diverge) | BIT(passes)
             | ADDRESS,
    OF_SHARED = OPERANDS | RESULT | BIT(element) | BIT(stride) | BIT(passes),
    OF_BRANCH = OPERANDS | BIT(taken) | BIT(body) | BIT(taken_body) | BIT(seed),
};

static const char *const key_names[] = {
#define KEY_NAME(key) #key,
    STEP_KEYS(KEY_NAME)
#undef KEY_NAME
};

static uint32_t given_keys(const struct file_step *step)
{
    uint32_t keys = 0u;
#define GIVEN(key) keys |= step->key != NULL ? BIT(key) : 0u;
    STEP_KEYS(GIVEN)
#undef GIVEN
    return keys;
}

static uint32_t allowed_keys(const struct file_step *step, uint32_t op)
{
    if (step->repeat != NULL) {
        return OF_REPEAT;
    }
    if (step->mix != NULL) {
        return OF_MIX;
    }
    if (op_has_pattern(op)) {
        return OPERANDS | ADDRESS | (op == OP_STORE ? 0u : (uint32_t)RESULT)
               | (op == OP_LOAD ? BIT(read) : 0u);
    }
    return op == OP_SHARED    ? OF_SHARED
           : op == OP_BRANCH  ? OF_BRANCH
           : op == OP_BARRIER ? ANY
                              : OPERANDS | RESULT | BIT(seed) | BIT(kind);
}

static bool check_keys(const struct checker *at, const struct file_step *step, uint32_t op)
{
    const uint32_t allowed = allowed_keys(step, op);
    const uint32_t wrong = given_keys(step) & ~allowed;
    char names[256] = "";
    size_t n = 0u;
    uint32_t key = 0u;

    if (wrong == 0u) {
        return true;
    }
    while ((wrong >> key & 1u) == 0u) {
        key++;
    }
    for (uint32_t k = 0u; k < KEY_COUNT; k++) {
        if ((allowed >> k & 1u) != 0u) {
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n == 0u ? "" : ", ",
                                  key_names[k]);
        }
    }
    return refuse(at->place, key_names[key], "this step may have: %s", names);
}

/* ---- Numbers ------------------------------------------------------------------------- */

static bool check_number(const struct checker *at, const char *key, const uint32_t *number,
                         uint32_t lowest, uint32_t highest)
{
    return number == NULL || (*number >= lowest && *number <= highest)
           || refuse(at->place, key, "%u: a whole number from %u to %u is allowed", *number,
                     lowest, highest);
}

static bool check_fraction(const struct checker *at, const char *key, const double *number)
{
    return number == NULL || (*number >= 0.0 && *number <= 1.0)
           || refuse(at->place, key, "%g: a number from 0 to 1 is allowed", *number);
}

static bool check_numbers(const struct checker *at, const struct file_step *step)
{
    const uint32_t element = or_else(step->element, 4u);

    if (element > 16u || element == 0u || (element & (element - 1u)) != 0u) {
        return refuse(at->place, "element", "%u: 1, 2, 4, 8 or 16 bytes are allowed", element);
    }
    if (or_else(step->stride, 0u) % element != 0u) {
        return refuse(at->place, "stride",
                      "%u: a multiple of the element, %u bytes, is allowed", *step->stride,
                      element);
    }
    if (or_else(step->offset, 0u) % element != 0u) {
        return refuse(at->place, "offset",
                      "%u: a multiple of the element, %u bytes, is allowed", *step->offset,
                      element);
    }
    return check_number(at, "repeat", step->repeat, 1u, SYNTHETIC_TEXT)
           && check_number(at, "count", step->count, 1u, SYNTHETIC_TEXT)
           && check_number(at, "words", step->words, 1u, 8u)
           && check_number(at, "lanes", step->lanes, 0u, WARP_SIZE)
           && check_number(at, "region", step->region, 0u, REGIONS - 1u)
           && check_number(at, "stride", step->stride, 0u, STRIDE_MOST)
           && check_number(at, "offset", step->offset, 0u, STRIDE_MOST)
           && check_number(at, "footprint", step->footprint, 1u, REGION_BYTES)
           && check_number(at, "group", step->group, 1u, UINT32_MAX)
           && check_number(at, "passes", step->passes, 1u, 32u)
           && check_fraction(at, "taken", step->taken);
}

static bool check_diverge(const struct checker *at, const struct file_diverge *diverge)
{
    return diverge == NULL
           || (check_fraction(at, "diverge.probability", &diverge->probability)
               && check_number(at, "diverge.lanes", &diverge->lanes, 0u, WARP_SIZE));
}

/* ---- Registers ----------------------------------------------------------------------- */

static bool check_register(const struct checker *at, const char *key, const char *name,
                           uint32_t words)
{
    const uint32_t number = register_named(name);

    if (number == REGISTER_NONE) {
        return refuse(at->place, key, "%.40s: r0 to r%u are allowed", name,
                      at->kernel->registers - 1u);
    }
    return number - REGISTER_FIRST + words <= at->kernel->registers
           || refuse(at->place, key,
                     "%.40s with %u words: the kernel has %u registers, r0 to r%u", name, words,
                     at->kernel->registers, at->kernel->registers - 1u);
}

static bool check_operands(const struct checker *at, const struct file_step *step, uint32_t op)
{
    uint32_t lowest = 0u;
    uint32_t highest = 0u;

    if (step->dst != NULL && strcmp(step->dst, "auto") != 0 && strcmp(step->dst, "none") != 0
        && !check_register(at, "dst", step->dst, step_words(step, op))) {
        return false;
    }
    if (step->src_count > (step->depends != NULL ? 3u : 4u)) {
        return refuse(at->place, "src", "%u registers: at most 4 are read, depends included",
                      step->src_count);
    }
    for (uint32_t i = 0u; i < step->src_count; i++) {
        if (!check_register(at, "src", step->src[i], 1u)) {
            return false;
        }
    }
    if (step->depends != NULL
        && (!read_range(step->depends, &lowest, &highest) || lowest < 1u
            || highest > DEPENDS_MOST)) {
        return refuse(at->place, "depends",
                      "%.40s: a distance from 1 to %d, or a range such as 2..8, is allowed",
                      step->depends, DEPENDS_MOST);
    }
    return true;
}

/* ---- Addresses ----------------------------------------------------------------------- */

static bool check_pattern_keys(const struct checker *at, const struct file_step *step,
                               enum pattern_kind kind, bool scattered)
{
    const bool by_lines = kind == PATTERN_CHASE || scattered;

    if (step->per != NULL && kind != PATTERN_RANDOM) {
        return refuse(at->place, "per", "only with pattern: random");
    }
    if ((step->group != NULL) != (kind == PATTERN_TILE)) {
        return refuse(at->place, "group", "with pattern: tile, and only there");
    }
    if (kind == PATTERN_STRIDE && step->stride == NULL) {
        return refuse(at->place, "stride", "needed with pattern: stride");
    }
    if (step->stride != NULL && (kind == PATTERN_STREAM || by_lines)) {
        return refuse(at->place, "stride", "not with streams, chases and random lanes");
    }
    if (step->offset != NULL && by_lines) {
        return refuse(at->place, "offset", "not with chases and random lanes");
    }
    return step->footprint != NULL || (kind != PATTERN_RANDOM && kind != PATTERN_CHASE)
           || refuse(at->place, "footprint", "needed with pattern: %s", step->pattern);
}

static bool check_address(const struct checker *at, const struct file_step *step, uint32_t op)
{
    const enum pattern_kind kind = step_pattern(step);

    if (kind == PATTERN_COUNT) {
        return refuse(at->place, "pattern",
                      "%.40s: stream, stride, tile, random, chase and same are allowed",
                      step->pattern);
    }
    if (step->per != NULL && strcmp(step->per, "lane") != 0 && strcmp(step->per, "warp") != 0) {
        return refuse(at->place, "per", "%.40s: lane and warp are allowed", step->per);
    }
    if (read_flags(step) == NO_FLAGS) {
        return refuse(at->place, "read", "%.40s: cached, volatile and local are allowed",
                      step->read);
    }
    if (kind == PATTERN_CHASE && (step->mix != NULL || !op_produces(op))) {
        return refuse(at->place, "pattern", "chase: only of a load, constant or texture step");
    }
    const struct pattern_shape shape = step_shape(step, op, at->config);
    if (!check_pattern_keys(at, step, kind, shape.scattered)) {
        return false;
    }
    const uint32_t least = pattern_least(&shape);
    return step->footprint == NULL || *step->footprint >= least
           || refuse(at->place, "footprint", "%u: at least %u bytes are needed here",
                     *step->footprint, least);
}

static bool check_shared(const struct checker *at, const struct file_step *step)
{
    if (step->passes != NULL && step->stride != NULL) {
        return refuse(at->place, "passes", "either passes or a stride");
    }
    const uint32_t passes = step_passes(step, or_else(step->lanes, WARP_SIZE), at->config);
    return passes <= 32u
           || refuse(at->place, "stride",
                     "takes %u passes over the banks; at most 32 are allowed", passes);
}

/* ---- Steps --------------------------------------------------------------------------- */

static bool check_body(struct checker *at, const char *list, const struct file_step *body,
                       uint32_t n);

static bool check_mix(const struct checker *at, const struct file_step *step)
{
    uint64_t sum = 0u;

    for (uint32_t op = 0u; op < OP_COUNT; op++) {
        const uint32_t weight = step->mix->weight[op];
        sum += weight;
        if (weight != 0u && (op == OP_EXIT || (op == OP_BARRIER && at->in_branch))) {
            return refuse(at->place, op == OP_EXIT ? "mix.exit" : "mix.barrier",
                          op == OP_EXIT ? "every kernel ends with its exit"
                                        : "a barrier that not all warps reach");
        }
        if (weight != 0u && op_has_pattern(op) && !check_address(at, step, op)) {
            return false;
        }
    }
    return (sum >= 1u && sum <= 1000000u)
           || refuse(at->place, "mix", "weights with a sum from 1 to 1000000 are allowed");
}

/* A body holds bodies, at most DEPTH_MOST deep. NOLINTBEGIN(misc-no-recursion) */
static bool check_branch(struct checker *at, const struct file_step *step)
{
    const bool outer = at->in_branch;

    at->in_branch = true;
    const bool good = check_body(at, "body", step->body, step->body_count)
                      && check_body(at, "taken_body", step->taken_body, step->taken_body_count);
    at->in_branch = outer;
    return good;
}

static bool check_kind(const struct checker *at, const struct file_step *step, uint32_t op)
{
    return step_kind(step, op) != NO_FLAGS
           || refuse(
               at->place, "kind",
               "%.40s: allowed are multiply, multiply-add, convert, simple and min-max with "
               "op: integer, simple, min-max and fused with op: fp32 and op: fp64, divide "
               "with op: fp64 and op: sfu, and integer-divide with op: sfu",
               step->kind);
}

static bool check_op(struct checker *at, const struct file_step *step, uint32_t op)
{
    if (op == OP_BARRIER && at->in_branch) {
        return refuse(at->place, "op", "a barrier that not all warps reach");
    }
    if (op == OP_SHARED && !check_shared(at, step)) {
        return false;
    }
    if (op == OP_BRANCH && !check_branch(at, step)) {
        return false;
    }
    return op_has_pattern(op) ? check_address(at, step, op) : check_kind(at, step, op);
}

static bool check_step(struct checker *at, const struct file_step *step)
{
    const uint32_t op = step->op != NULL ? op_named(step->op) : OP_COUNT;

    if ((step->op != NULL) + (step->repeat != NULL) + (step->mix != NULL) != 1) {
        return refuse(at->place, "", "a step has one of op, repeat and mix");
    }
    if (step->op != NULL && op >= OP_EXIT) {
        return refuse(at->place, "op",
                      "%.40s: integer, fp32, fp64, sfu, tensor, load, store, atomic, shared, "
                      "constant, texture, branch and barrier are allowed",
                      step->op);
    }
    if (!check_keys(at, step, op) || !check_numbers(at, step)
        || !check_diverge(at, step->diverge) || !check_operands(at, step, op)) {
        return false;
    }
    if (step->repeat != NULL) {
        return step->body_count != 0u ? check_body(at, "body", step->body, step->body_count)
                                      : refuse(at->place, "repeat", "needs a body with steps");
    }
    return step->mix != NULL ? check_mix(at, step) : check_op(at, step, op);
}

static bool check_body(struct checker *at, const char *list, const struct file_step *body,
                       uint32_t n)
{
    bool good = true;

    if (at->depth == DEPTH_MOST && n != 0u) {
        return refuse(at->place, list, "at most %d bodies within each other", DEPTH_MOST);
    }
    at->depth++;
    for (uint32_t i = 0u; good && i < n; i++) {
        const size_t length = place_enter(at->place, list, i);
        good = check_step(at, &body[i]);
        place_leave(at->place, length);
    }
    at->depth--;
    return good;
}

/* NOLINTEND(misc-no-recursion) */

/* ---- Kernels ------------------------------------------------------------------------- */

static bool check_extent(const struct checker *at, const char *key, const uint32_t extent[3],
                         uint64_t most)
{
    uint64_t all = 1u;

    for (uint32_t i = 0u; i < 3u; i++) {
        all = extent[i] == 0u || all > most ? most + 1u : all * extent[i];
    }
    return all <= most
           || refuse(at->place, key,
                     "%u x %u x %u: at least 1 each, and at most %u in all, are allowed",
                     extent[0], extent[1], extent[2], (uint32_t)most);
}

bool check_kernel(struct file_place *place, const struct file_kernel *kernel,
                  const struct gpu_config *config)
{
    struct checker at = { .place = place, .kernel = kernel, .config = config };

    return check_extent(&at, "grid", kernel->grid, UINT32_MAX)
           && check_extent(&at, "block", kernel->block, 2048u)
           && check_number(&at, "registers", &kernel->registers, 1u,
                           REGISTER_LAST - REGISTER_FIRST + 1u)
           && check_number(&at, "shared_bytes", &kernel->shared_bytes, 0u, 1u << 20)
           && check_number(&at, "launches", kernel->launches, 1u, 100000u)
           && check_body(&at, "body", kernel->body, kernel->body_count);
}
