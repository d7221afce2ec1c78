/* onac_second - the detector by docs/units/onac.md; see onac_second.h. */

#include "tb/units/onac/onac_second.h"

/* ---- Widths, as the page's constants ----------------------------------------------------- */

static uint64_t most(const struct onac_second *s)
{
    return (UINT64_C(1) << s->config.count_w) - 1u;
}

static uint32_t half_w(const struct onac_second *s)
{
    return (s->config.count_w + 1u) / 2u;
}

/* Bits of a number from 0 to n, at least one. */
static uint32_t bits_to(uint32_t n)
{
    return n < 2u ? 1u : 1u + bits_to(n / 2u);
}

static uint32_t digit_w(const struct onac_second *s)
{
    const uint32_t ipc = s->config.count_w + bits_to(s->config.n_core - 1u) + half_w(s);
    const uint32_t line = s->config.count_w + bits_to(s->config.n_core) + 6u;

    return ipc > line ? ipc : line;
}

/* ---- Beginnings and ends ----------------------------------------------------------------- */

void onac_second_reset(struct onac_second *s)
{
    *s = (struct onac_second){ .config = s->config, .cores = s->config.n_core, .met = s->met };
}

static void enter(struct onac_second *s, enum onac_second_stage stage)
{
    s->stage = stage;
    s->waited = 0u;
}

static void sample(struct onac_second *s, uint32_t cores)
{
    s->cores = cores;
    s->write = true;
    enter(s, SECOND_TARGET);
}

static void end(struct onac_second *s, uint32_t cores, bool aborted)
{
    s->cores = cores;
    s->write = true;
    s->done = true;
    s->aborted = aborted;
    enter(s, SECOND_NONE);
}

static void begin(struct onac_second *s, const struct onac_in *in)
{
    const bool detects = in->mode == ONAC_MODE_ONAC || in->mode == ONAC_MODE_SEQ_DET;

    s->met.kernels += detects;
    s->met.cut_off += s->stage != SECOND_NONE;
    s->kernel = *in;
    s->n_taken = 0u;
    s->done = false;
    s->aborted = false;
    sample(s, s->config.n_core);
    if (!detects) {
        enter(s, SECOND_NONE);
    }
}

/* ---- What a sample leads to -------------------------------------------------------------- */

/* The sample before the last one; before that of one core, the origin. */
static struct onac_second_sample before(const struct onac_second *s)
{
    return s->n_taken > 2u ? s->taken[s->n_taken - 2u]
                           : (struct onac_second_sample){ .cores = 0u };
}

/* The least number of cores, above the last one, at which the line through the last two samples
 * is as high as 98 % of all; at most all. */
static uint32_t estimate(const struct onac_second *s)
{
    const struct onac_second_sample from = before(s), to = s->taken[s->n_taken - 1u];
    const uint64_t run = to.cores - from.cores, rise = to.ipc - from.ipc;
    uint32_t x = to.cores + 1u;

    while (x < s->config.n_core
           && 50u * (to.ipc * run + rise * (x - to.cores)) < 49u * s->taken[0].ipc * run) {
        x++;
    }
    return x;
}

/* What follows an IPC that has not grown: all cores, or one more than there were. */
static uint32_t flat(struct onac_second *s)
{
    const bool creeps = s->kernel.creep && before(s).cores != 0u;

    s->met.flat++;
    s->met.crept += creeps;
    return creeps ? s->cores + 1u : s->config.n_core;
}

static void decide_seq_det(struct onac_second *s, bool will_do)
{
    s->ends = !will_do || s->cores == 1u;
    s->next = !will_do ? s->cores + 1u : s->ends ? 1u : s->cores - 1u;
    s->met.lowered += will_do && !s->ends;
    s->met.given_back += !will_do;
}

static void decide_onac(struct onac_second *s, bool will_do)
{
    s->ends = will_do;
    s->next = s->cores;
    if (will_do) {
        return;
    }
    if (s->taken[s->n_taken - 1u].ipc > before(s).ipc) {
        s->thinks += bits_to(s->config.n_core) + digit_w(s) + 1u;
        s->next = estimate(s);
    } else {
        s->next = flat(s);
    }
    s->ends = s->next == s->config.n_core;
    s->met.whole += s->ends;
    s->met.estimated += !s->ends;
}

static void decide(struct onac_second *s)
{
    const bool first = s->n_taken == 0u, seq_det = s->kernel.mode == ONAC_MODE_SEQ_DET;
    const uint64_t ipc = (s->instructions << half_w(s)) / s->taken[s->n_taken].cycles;

    s->taken[s->n_taken].cores = s->cores;
    s->taken[s->n_taken].ipc = ipc < most(s) ? ipc : most(s);
    s->n_taken++;
    s->met.samples++;
    s->thinks = digit_w(s) + 2u;
    if (first) {
        s->ends = s->config.n_core == 1u;
        s->next = seq_det && !s->ends ? s->cores - 1u : 1u;
        return;
    }
    const bool will_do = 50u * s->taken[s->n_taken - 1u].ipc >= 49u * s->taken[0].ipc;
    s->thinks += 5u;
    s->met.accepted += will_do;
    if (seq_det) {
        decide_seq_det(s, will_do);
    } else {
        decide_onac(s, will_do);
    }
}

/* ---- A cycle ----------------------------------------------------------------------------- */

/* Whether all cores from one on, and below another, are in a set. */
static bool all_of(struct bits set, uint32_t from, uint32_t below)
{
    while (from < below && bits_has(set, from)) {
        from++;
    }
    return from >= below;
}

static void window(struct onac_second *s, const struct onac_in *in)
{
    const uint64_t cycles = s->waited; /* with this one */
    const bool longer = s->n_taken > 0u && cycles > s->kernel.limit * s->taken[0].cycles;

    if (longer || cycles > most(s)) {
        s->met.late++;
        s->met.full += !longer;
        end(s, s->config.n_core, true);
    } else if (s->ctas >= (uint64_t)s->kernel.quota * s->cores) {
        s->taken[s->n_taken].cycles = cycles;
        s->instructions = 0u;
        enter(s, SECOND_READ);
    }
    s->ctas += in->completed;
}

static void read(struct onac_second *s, const struct onac_in *in)
{
    s->instructions += s->waited > 1u ? in->sample : 0u;
    if (s->waited == s->cores + 1u) {
        decide(s);
        enter(s, SECOND_THINK);
    }
}

static void think(struct onac_second *s)
{
    if (s->waited < s->thinks) {
        return;
    }
    if (s->ends) {
        end(s, s->next, false);
    } else {
        sample(s, s->next);
    }
}

/* The first sample waits for the kernel, each other for its cores. */
static void wait(struct onac_second *s, const struct onac_in *in)
{
    const bool first = s->n_taken == 0u;

    if (s->stage == SECOND_TARGET) {
        if (s->waited == bits_to(s->config.n_core) + 1u) {
            enter(s, SECOND_PAUSE);
        }
    } else if (s->stage == SECOND_REQUEST ? all_of(in->answers, 0u, s->cores)
               : first                    ? in->started
                                          : all_of(in->acks, s->cores, s->config.n_core)) {
        enter(s, first || s->stage == SECOND_REQUEST ? SECOND_WINDOW : SECOND_REQUEST);
        s->ctas = 0u;
    }
}

static void cycle(struct onac_second *s, const struct onac_in *in)
{
    s->write = false;
    s->waited++;
    if (in->restart) {
        begin(s, in);
    } else if (s->stage != SECOND_NONE && in->exhausted) {
        s->met.ran_out++;
        end(s, s->config.n_core, true);
    } else if (s->stage == SECOND_WINDOW) {
        window(s, in);
    } else if (s->stage == SECOND_READ) {
        read(s, in);
    } else if (s->stage == SECOND_THINK) {
        think(s);
    } else if (s->stage != SECOND_NONE) {
        wait(s, in);
    }
}

/* ---- What is seen of it ------------------------------------------------------------------ */

/* The cycles that a state of the page has taken, if its length is known; otherwise 0. */
static uint32_t step(const struct onac_second *s)
{
    const uint32_t waited = (uint32_t)s->waited, divide = digit_w(s) + 2u, test = divide + 5u;

    if (s->stage != SECOND_THINK) {
        return s->stage == SECOND_TARGET || s->stage == SECOND_READ ? waited : 0u;
    }
    return waited < divide ? waited : waited - (waited < test ? divide : test);
}

struct onac_out onac_second_shown(const struct onac_second *s)
{
    const struct bits all = bits_below(s->config.n_core), run = bits_below(s->cores);
    const bool detects = s->stage != SECOND_NONE;
    struct onac_out out = {
        .write = s->write,
        .active = s->done ? run : all,
        .clear = s->stage == SECOND_PAUSE,
        .window = s->stage == SECOND_WINDOW,
        .read = step(s) & ((1u << bits_to(s->config.n_core - 1u)) - 1u),
        .detecting = detects,
        .done = s->done,
        .aborted = s->aborted,
        .number = s->cores,
    };

    for (uint32_t core = s->cores; detects && core < s->config.n_core; core++) {
        bits_add(&out.paused, core);
    }
    if (s->stage == SECOND_REQUEST) {
        out.request = run;
    }
    return out;
}

void onac_second_beside(struct onac_second *s, struct onac *unit, const struct onac_in *in)
{
    const struct onac_out expected = onac_second_shown(s);
    struct onac_out out;
    struct onac_next next;

    onac_eval(unit, in, &out, &next);
    check_outputs(&onac_type, &unit->config, in, &expected, &out);
    onac_tick(unit, &next);
    cycle(s, in);
}
