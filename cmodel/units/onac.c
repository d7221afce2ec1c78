/* onac - how many cores a kernel needs; see onac.h. */

#define UNIT_OWN_RESET
#include "units/onac.h"

void onac_reset(struct onac *unit)
{
    unit->q = (struct onac_state){ .number = unit->config.n_core };
}

/* ---- How long what is known in advance takes ------------------------------------------- */

static uint32_t number_w(const struct onac *unit)
{
    return index_width(unit->config.n_core + 1u);
}

static uint32_t half_w(const struct onac *unit)
{
    return (unit->config.count_w + 1u) / 2u;
}

/* Bits of what is divided, one a cycle. */
static uint32_t digit_w(const struct onac *unit)
{
    const uint32_t sample = index_width(unit->config.n_core) + half_w(unit);
    const uint32_t estimate = number_w(unit) + 6u;

    return unit->config.count_w + (sample > estimate ? sample : estimate);
}

/* The last step of the state, if its length is known. */
static uint32_t last_step(const struct onac *unit)
{
    switch (unit->q.state) {
    case ONAC_TARGET:
        return number_w(unit);
    case ONAC_SUM:
        return unit->q.number;
    case ONAC_DIVIDE:
        return digit_w(unit) + 1u;
    case ONAC_TEST:
        return 4u;
    case ONAC_ESTIMATE:
        return number_w(unit) + digit_w(unit);
    default:
        return 0u;
    }
}

/* ---- Model (section 4.4.2.1) ----------------------------------------------------------- */

static uint32_t most(const struct onac *unit)
{
    return UINT32_MAX >> (32u - unit->config.count_w);
}

/* Instructions per cycle, with half_w bits behind the point; rule O-4. */
static uint32_t ipc_of(const struct onac *unit, uint64_t instructions, uint32_t cycles)
{
    const uint64_t ipc = (instructions << half_w(unit)) / cycles;

    return ipc < most(unit) ? (uint32_t)ipc : most(unit);
}

/* So many cores reach the threshold, 98 % of the IPC of all; rule O-5. */
static bool is_near(const struct onac_state *q)
{
    return UINT64_C(50) * q->ipc >= UINT64_C(49) * q->all_ipc;
}

/* Where the line through the last two samples reaches the threshold; rule O-6. The IPC has
 * grown, and is below it. */
static uint64_t next_estimate(const struct onac_state *q)
{
    const uint64_t gap = UINT64_C(49) * q->all_ipc - UINT64_C(50) * q->ipc;
    const uint64_t run = q->number - q->previous_number;
    const uint64_t rise = UINT64_C(50) * (q->ipc - q->previous_ipc);

    return q->number + (gap * run + rise - 1u) / rise;
}

/* ---- From state to state --------------------------------------------------------------- */

static void end_with(uint32_t number, struct onac_next *next)
{
    next->q.state = ONAC_IDLE;
    next->q.number = number;
    next->q.done = true;
    next->q.write = true;
}

static void give_up(const struct onac *unit, struct onac_next *next)
{
    end_with(unit->config.n_core, next);
    next->q.aborted = true;
}

static void begin_sample(uint32_t number, struct onac_next *next)
{
    next->q.state = ONAC_TARGET;
    next->q.number = number;
    next->q.write = true;
}

/* An estimate; rule O-7: that of all cores needs no sample. */
static void take_estimate(const struct onac *unit, uint64_t number, struct onac_next *next)
{
    if (number >= unit->config.n_core) {
        end_with(unit->config.n_core, next);
        return;
    }
    next->q.previous_number = unit->q.number;
    next->q.previous_ipc = unit->q.ipc;
    begin_sample((uint32_t)number, next);
}

/* ---- What each state does -------------------------------------------------------------- */

static bool all_in(struct bits set, uint32_t from, uint32_t to)
{
    while (from < to && bits_has(set, from)) {
        from++;
    }
    return from >= to;
}

static void pause(const struct onac *unit, const struct onac_in *in, struct onac_next *next)
{
    next->q.cycles = 0u;
    next->q.completions = 0u;
    if (!all_in(in->acks, unit->q.number, unit->config.n_core)) {
        return;
    }
    if (unit->q.all_known) {
        next->q.state = ONAC_REQUEST;
    } else if (in->started) {
        next->q.state = ONAC_WINDOW;
    }
}

/* The window has been open for as long as it may, or can be counted; rule O-11. */
static bool is_late(const struct onac *unit)
{
    const struct onac_state *const q = &unit->q;

    return q->cycles == most(unit)
           || (q->all_known && q->cycles == (uint64_t)q->limit * q->all_cycles);
}

static void window(const struct onac *unit, const struct onac_in *in, struct onac_next *next)
{
    const struct onac_state *const q = &unit->q;

    next->q.cycles = (q->cycles + 1u) & most(unit);
    next->q.completions = q->completions + in->completed;
    if (is_late(unit)) {
        give_up(unit, next);
    } else if (q->completions >= q->number * q->quota) {
        next->q.state = ONAC_SUM;
    }
}

static void sum(const struct onac *unit, const struct onac_in *in, struct onac_next *next)
{
    next->q.sum = unit->q.step == 0u ? 0u : unit->q.sum + in->sample;
    next->q.state = unit->q.step == last_step(unit) ? ONAC_DIVIDE : ONAC_SUM;
}

/* Init: the sample of all cores has been taken. */
static void take_all(const struct onac *unit, uint32_t ipc, struct onac_next *next)
{
    const uint32_t n = unit->config.n_core;

    next->q.all_known = true;
    next->q.all_ipc = ipc;
    next->q.all_cycles = unit->q.cycles;
    next->q.previous_number = next->q.previous_ipc = 0u;
    if (n == 1u) {
        end_with(n, next);
    } else {
        begin_sample(unit->q.seq_det ? n - 1u : 1u, next);
    }
}

static void divide(const struct onac *unit, struct onac_next *next)
{
    if (unit->q.step < last_step(unit)) {
        return;
    }
    const uint32_t ipc = ipc_of(unit, unit->q.sum, unit->q.cycles);
    if (!unit->q.all_known) {
        take_all(unit, ipc, next);
        return;
    }
    next->q.ipc = ipc;
    next->q.state = ONAC_TEST;
}

/* One core less as long as they will do. */
static void seq_det(const struct onac_state *q, struct onac_next *next)
{
    if (!is_near(q)) {
        end_with(q->number + 1u, next);
    } else if (q->number == 1u) {
        end_with(1u, next);
    } else {
        begin_sample(q->number - 1u, next);
    }
}

/* Opt Det. */
static void test(const struct onac *unit, struct onac_next *next)
{
    const struct onac_state *const q = &unit->q;

    if (q->step < last_step(unit)) {
        return;
    }
    if (q->seq_det) {
        seq_det(q, next);
    } else if (is_near(q)) {
        end_with(q->number, next);
    } else if (q->ipc > q->previous_ipc) {
        next->q.state = ONAC_ESTIMATE;
    } else {
        const bool creeps = q->creep && q->previous_number != 0u;
        take_estimate(unit, creeps ? q->number + 1u : unit->config.n_core, next);
    }
}

/* Est. */
static void estimate(const struct onac *unit, struct onac_next *next)
{
    if (unit->q.step == last_step(unit)) {
        take_estimate(unit, next_estimate(&unit->q), next);
    }
}

static void detect(const struct onac *unit, const struct onac_in *in, struct onac_next *next)
{
    next->q.step = unit->q.step < last_step(unit) ? unit->q.step + 1u : 0u;
    switch (unit->q.state) {
    case ONAC_TARGET:
        next->q.state = next->q.step == 0u ? ONAC_PAUSE : ONAC_TARGET;
        break;
    case ONAC_PAUSE:
        pause(unit, in, next);
        break;
    case ONAC_REQUEST:
        next->q.state = all_in(in->answers, 0u, unit->q.number) ? ONAC_WINDOW : ONAC_REQUEST;
        break;
    case ONAC_WINDOW:
        window(unit, in, next);
        break;
    case ONAC_SUM:
        sum(unit, in, next);
        break;
    case ONAC_DIVIDE:
        divide(unit, next);
        break;
    case ONAC_TEST:
        test(unit, next);
        break;
    case ONAC_ESTIMATE:
        estimate(unit, next);
        break;
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

static void restart(const struct onac *unit, const struct onac_in *in, struct onac_next *next)
{
    const bool detects = in->mode == ONAC_MODE_ONAC || in->mode == ONAC_MODE_SEQ_DET;

    next->q.state = detects ? ONAC_TARGET : ONAC_IDLE;
    next->q.step = 0u;
    next->q.seq_det = in->mode == ONAC_MODE_SEQ_DET;
    next->q.quota = in->quota;
    next->q.limit = in->limit;
    next->q.creep = in->creep;
    next->q.write = true;
    next->q.done = next->q.aborted = next->q.all_known = false;
    next->q.number = unit->config.n_core;
}

static void show(const struct onac *unit, struct onac_out *out)
{
    const struct onac_state *const q = &unit->q;
    const struct bits none = { { 0u } };

    out->write = q->write;
    out->active = bits_below(q->done ? q->number : unit->config.n_core);
    out->paused = q->state == ONAC_IDLE ? none : bits_below(unit->config.n_core);
    for (uint32_t core = 0u; core < q->number; core++) {
        bits_remove(&out->paused, core);
    }
    out->request = q->state == ONAC_REQUEST ? bits_below(q->number) : none;
    out->clear = q->state == ONAC_PAUSE;
    out->window = q->state == ONAC_WINDOW;
    out->read = q->step & ((1u << index_width(unit->config.n_core)) - 1u);
    out->detecting = q->state != ONAC_IDLE;
    out->done = q->done;
    out->aborted = q->aborted;
    out->number = q->number;
}

void onac_eval(const struct onac *unit, const struct onac_in *in, struct onac_out *out,
               struct onac_next *next)
{
    onac_hold(unit, next);
    show(unit, out);
    next->q.write = false;
    if (in->restart) {
        restart(unit, in, next);
    } else if (unit->q.state != ONAC_IDLE) {
        detect(unit, in, next);
        if (in->exhausted) {
            next->q.step = 0u;
            give_up(unit, next);
        }
    }
}

/* ---- Many cycles ----------------------------------------------------------------------- */

uint64_t onac_patience(const struct onac_config *config, const struct onac_state *q)
{
    const uint64_t full = UINT32_MAX >> (32u - config->count_w);
    const uint64_t end = (uint64_t)q->limit * q->all_cycles;

    if (q->completions >= q->number * q->quota) {
        return 0u;
    }
    return (q->all_known && end < full ? end : full) - q->cycles;
}

bool onac_quiet(const struct onac *unit, const struct onac_in *in)
{
    const struct onac_state *const q = &unit->q;

    if (q->write || in->restart || (in->exhausted && q->state != ONAC_IDLE)) {
        return false;
    }
    if (q->state == ONAC_PAUSE) {
        return q->cycles == 0u && q->completions == 0u
               && (!all_in(in->acks, q->number, unit->config.n_core)
                   || (!q->all_known && !in->started));
    }
    return q->state == ONAC_IDLE
           || (q->state == ONAC_REQUEST && !all_in(in->answers, 0u, q->number));
}

/* Of an open window in which no CTA completes, only the length grows. */
void onac_advance(struct onac *unit, const struct onac_in *in, uint64_t n)
{
    struct onac_out out;
    struct onac_next next;

    while (n > 0u && !onac_quiet(unit, in)) {
        const bool waits = unit->q.state == ONAC_WINDOW && !in->restart && !in->exhausted
                           && in->completed == 0u && !unit->q.write;
        const uint64_t left = waits ? onac_patience(&unit->config, &unit->q) : 0u;
        const uint64_t now = left < n ? left : n;
        unit->q.cycles += (uint32_t)now;
        if (now == 0u) {
            onac_eval(unit, in, &out, &next);
            onac_tick(unit, &next);
        }
        n -= now == 0u ? 1u : now;
    }
}

/* ---- Events ---------------------------------------------------------------------------- */

void onac_count(const struct onac *unit, const struct onac_in *in, const struct onac_out *out,
                struct onac_events *events)
{
    const struct onac_state *const q = &unit->q;
    const bool last = q->step == last_step(unit);

    events->ran_out += out->detecting && !in->restart && in->exhausted;
    if (in->restart || in->exhausted) {
        return;
    }
    if (q->state == ONAC_TEST && last) {
        events->accepted += is_near(q);
        events->lowered += q->seq_det && is_near(q) && q->number > 1u;
        events->flat += !q->seq_det && !is_near(q) && q->ipc <= q->previous_ipc;
    }
    if (q->state == ONAC_ESTIMATE && last) {
        events->estimated += next_estimate(q) < unit->config.n_core;
        events->all_cores += next_estimate(q) >= unit->config.n_core;
    }
    events->late += q->state == ONAC_WINDOW && is_late(unit);
}

#define UNIT_OWN_COUNT
#define UNIT onac
#include "base/unit_define.h"
