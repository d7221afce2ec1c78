/* laperm_oracle - which thread block goes where, by the pages; see laperm_oracle.h. */

#include "tb/units/laperm/laperm_oracle.h"

#define NOBODY UINT32_MAX

void laperm_oracle_open(struct laperm_oracle *oracle, const struct laperm_config *config)
{
    struct fault fault;

    oracle->config = *config;
    oracle->rows = unit_open_config("laperm", config, &fault);
    assert_non_null(oracle->rows);
    laperm_oracle_reset(oracle);
}

void laperm_oracle_reset(struct laperm_oracle *oracle)
{
    const struct laperm_config config = oracle->config;
    struct unit *const rows = oracle->rows;

    memset(oracle, 0, sizeof *oracle);
    oracle->config = config;
    oracle->rows = rows;
    for (uint32_t sm = 0u; sm < config.n_sm; sm++) {
        oracle->backup[sm] = NOBODY;
    }
}

void laperm_oracle_close(struct laperm_oracle *oracle)
{
    unit_close(oracle->rows);
}

static bool waits(const struct laperm_oracle *oracle, uint32_t set)
{
    return laperm_oracle_waits(&oracle->set[set], oracle->config.n_level);
}

/* ---- The candidate --------------------------------------------------------------------- */

struct laperm_oracle_choice {
    uint32_t set; /* NOBODY: no candidate */
    bool visit;
    uint32_t recorded; /* now; or NOBODY */
};

/* Adaptive-Bind's third stage. */
static uint32_t backup_of(const struct laperm_oracle *oracle, uint32_t *recorded)
{
    const uint32_t n = oracle->config.n_sm;
    const uint32_t known = oracle->backup[oracle->visit];

    if (known != NOBODY && waits(oracle, known)) {
        return known;
    }
    for (uint32_t sm = oracle->visit + 1u; sm < oracle->visit + n; sm++) {
        if (waits(oracle, sm % n)) {
            return *recorded = sm % n;
        }
    }
    return NOBODY;
}

static struct laperm_oracle_choice bound(const struct laperm_oracle *oracle)
{
    const uint32_t n = oracle->config.n_sm;
    struct laperm_oracle_choice choice = { NOBODY, false, NOBODY };
    uint32_t set = NOBODY;

    for (uint32_t k = 0u; k <= n; k++) {
        choice.visit = choice.visit || waits(oracle, k);
    }
    if (waits(oracle, oracle->visit)) {
        set = oracle->visit;
    } else if (waits(oracle, n)) {
        set = n;
    } else if (oracle->mode == LAPERM_ADAPTIVE_BIND) {
        set = backup_of(oracle, &choice.recorded);
    }
    if (set != NOBODY && laperm_oracle_offers(&oracle->set[set])) {
        choice.set = set;
    }
    return choice;
}

/* Head a goes before head b; sets are numbers, n_sm is queue 0. */
static bool goes_before(const struct laperm_oracle *oracle, uint32_t a, uint32_t b)
{
    const uint32_t n = oracle->config.n_sm;
    const struct laperm_oracle_entry *const x = &oracle->set[a].list[0];
    const struct laperm_oracle_entry *const y = &oracle->set[b].list[0];
    const uint32_t x_level = a == n ? 0u : x->level + 1u;
    const uint32_t y_level = b == n ? 0u : y->level + 1u;

    if (oracle->mode == LAPERM_TB_PRI && x_level != y_level) {
        return x_level > y_level;
    }
    if (x->stamp != y->stamp) {
        return x->stamp < y->stamp;
    }
    return a == n || (b != n && a < b);
}

static struct laperm_oracle_choice unbound(const struct laperm_oracle *oracle)
{
    struct laperm_oracle_choice choice = { NOBODY, false, NOBODY };

    for (uint32_t k = 0u; k <= oracle->config.n_sm; k++) {
        if (!laperm_oracle_steady(&oracle->set[k])) {
            return (struct laperm_oracle_choice){ NOBODY, false, NOBODY };
        }
        if (oracle->set[k].here
            && (choice.set == NOBODY || goes_before(oracle, k, choice.set))) {
            choice.set = k;
        }
    }
    return choice;
}

/* ---- Its SM ---------------------------------------------------------------------------- */

static bool can_take(const struct laperm_oracle *oracle, const struct laperm_in *in,
                     uint32_t set, uint32_t sm)
{
    return bits_has(in->room, sm) && bits_has(in->limit, sm)
           && (set != oracle->config.n_sm || bits_has(in->credit, sm))
           && !(oracle->shown.dispatch_valid && oracle->shown.dispatch_sm == sm);
}

static uint32_t taker(const struct laperm_oracle *oracle, const struct laperm_in *in,
                      const struct laperm_oracle_choice *choice)
{
    const uint32_t n = oracle->config.n_sm;

    if (choice->set == NOBODY) {
        return NOBODY;
    }
    if (choice->visit) {
        return can_take(oracle, in, choice->set, oracle->visit) ? oracle->visit : NOBODY;
    }
    const uint32_t first = oracle->picked ? oracle->last_picked + 1u : 0u;
    for (uint32_t k = 0u; k < n; k++) {
        if (can_take(oracle, in, choice->set, (first + k) % n)) {
            return (first + k) % n;
        }
    }
    return NOBODY;
}

static void dispatches(struct laperm_oracle *oracle, uint32_t from, uint32_t to)
{
    const struct laperm_oracle_entry *const entry = &oracle->set[from].list[0];
    const bool parent = from == oracle->config.n_sm;

    oracle->shown.dispatch_valid = true;
    oracle->shown.dispatch_sm = to;
    oracle->shown.dispatch_payload = entry->payload;
    oracle->shown.dispatch_kernel = entry->kernel;
    oracle->shown.dispatch_tb = entry->next;
    oracle->shown.dispatch_last = entry->next + 1u == entry->tbs;
    oracle->shown.dispatch_level = parent ? 0u : entry->level + 1u;
    oracle->shown.dispatch_from = parent ? 0u : from;
}

/* Returns the set that is drawn from. */
static uint32_t picks(struct laperm_oracle *oracle, const struct laperm_in *in,
                      const struct laperm_oracle_choice *choice)
{
    const uint32_t to = taker(oracle, in, choice);

    if (oracle->shown.dispatch_valid && !in->dispatch_ready) {
        return NOBODY;
    }
    oracle->shown.dispatch_valid = oracle->shown.dispatch_last = false;
    oracle->shown.dispatch_sm = oracle->shown.dispatch_kernel = oracle->shown.dispatch_tb = 0u;
    oracle->shown.dispatch_level = oracle->shown.dispatch_from = 0u;
    oracle->shown.dispatch_payload = 0u;
    if (to != NOBODY) {
        dispatches(oracle, choice->set, to);
        oracle->picked = oracle->picked || !choice->visit;
        oracle->last_picked = choice->visit ? oracle->last_picked : to;
    }
    if (choice->visit) {
        if (choice->recorded != NOBODY) {
            oracle->backup[oracle->visit] = choice->recorded;
        }
        oracle->visit = (oracle->visit + 1u) % oracle->config.n_sm;
    }
    return to == NOBODY ? NOBODY : choice->set;
}

/* ---- Launches -------------------------------------------------------------------------- */

struct laperm_oracle_launch {
    uint32_t set, level;
    bool ready, legal, spills;
};

static uint32_t capacity(const struct laperm_oracle *oracle, uint32_t set)
{
    return set == oracle->config.n_sm ? oracle->config.n_parent : oracle->config.n_entry;
}

static bool wants(const struct laperm_oracle *oracle, uint32_t set)
{
    const uint32_t n_level = oracle->config.n_level;

    return laperm_oracle_highest(&oracle->set[set], n_level) < n_level
           && oracle->set[set].held < capacity(oracle, set) && !oracle->set[set].promised;
}

static struct laperm_oracle_launch launch_of(const struct laperm_oracle *oracle,
                                             const struct laperm_in *in)
{
    const struct laperm_config *const config = &oracle->config;
    const uint64_t most = (UINT64_C(1) << config->spill_w) - 1u;
    struct laperm_oracle_launch launch = { .set = config->n_sm, .ready = true };
    const bool known = in->launch_host || in->launch_sm < config->n_sm;

    launch.legal = known && in->launch_tbs != 0u && in->launch_kernel < config->n_kernel;
    if (!known) {
        return launch;
    }
    if (!in->launch_host) {
        launch.set = in->launch_sm;
        launch.level = oracle->mode == LAPERM_RR                  ? 0u
                       : in->launch_parent + 1u > config->n_level ? config->n_level - 1u
                                                                  : in->launch_parent;
    }
    const struct laperm_oracle_set *const set = &oracle->set[launch.set];
    const uint32_t places = capacity(oracle, launch.set) - set->held;
    const bool mine = oracle->back && oracle->back_sm == launch.set;
    launch.spills = set->memory[launch.level] != 0u || places == 0u
                    || (places == 1u && wants(oracle, launch.set));
    if (in->launch_host) {
        launch.ready = places != 0u && set->insertion == LAPERM_NOTHING;
        launch.spills = false;
    } else if (launch.spills) {
        launch.ready = !oracle->shown.spill_valid && set->memory[launch.level] < most;
    } else {
        launch.ready = set->insertion == LAPERM_NOTHING && !mine;
    }
    return launch;
}

static void spills(struct laperm_oracle *oracle, const struct laperm_in *in,
                   const struct laperm_oracle_launch *launch, bool taken)
{
    oracle->shown.spill_valid = oracle->shown.spill_valid && !in->spill_ready;
    if (taken && launch->spills) {
        oracle->shown.spill_valid = true;
        oracle->shown.spill_sm = in->launch_sm;
        oracle->shown.spill_level = launch->level + 1u;
        oracle->shown.spill_payload = in->launch_payload;
        oracle->shown.spill_kernel = in->launch_kernel;
        oracle->shown.spill_tbs = in->launch_tbs;
        oracle->shown.spill_stamp = oracle->stamp;
    }
}

/* The set that is asked for in this cycle. */
static uint32_t asks(const struct laperm_oracle *oracle)
{
    const uint32_t n = oracle->config.n_sm;
    const uint32_t first = oracle->asked_once ? oracle->last_asked + 1u : 0u;

    for (uint32_t k = 0u; k < n && !oracle->shown.ask_valid && !oracle->shown.spill_valid;
         k++) {
        if (wants(oracle, (first + k) % n)) {
            return (first + k) % n;
        }
    }
    return NOBODY;
}

static void counts_launch(struct laperm_oracle *oracle, const struct laperm_in *in,
                          const struct laperm_oracle_launch *launch, bool taken)
{
    const uint32_t most = (UINT32_C(1) << oracle->config.stamp_w) - 1u;
    bool idle = true;

    for (uint32_t k = 0u; k <= oracle->config.n_sm; k++) {
        idle = idle && !waits(oracle, k) && oracle->set[k].insertion == LAPERM_NOTHING;
    }
    if (taken) {
        oracle->stamp = oracle->stamp < most ? oracle->stamp + 1u : most;
    } else if (idle) {
        oracle->stamp = 0u;
    }
    oracle->error = in->launch_valid && launch->ready && !launch->legal;
}

/* ---- A cycle --------------------------------------------------------------------------- */

static struct laperm_out shows(const struct laperm_oracle *oracle,
                               const struct laperm_oracle_launch *launch,
                               const struct laperm_oracle_choice *choice)
{
    struct laperm_out out = oracle->shown;

    out.launch_ready = launch->ready;
    out.launch_error = oracle->error;
    out.back_ready = !oracle->back;
    out.look = choice->set != NOBODY;
    out.kernel = out.look ? oracle->set[choice->set].list[0].kernel : 0u;
    for (uint32_t sm = 0u; sm < oracle->config.n_sm; sm++) {
        if (waits(oracle, sm)) {
            bits_add(&out.waiting, sm);
        }
    }
    return out;
}

/* What comes back is taken when its set is free, if it was asked for. */
static void comes_back(struct laperm_oracle *oracle, const struct laperm_in *in,
                       struct laperm_oracle_act *act)
{
    const uint32_t n_level = oracle->config.n_level;

    if (oracle->back) {
        const struct laperm_oracle_set *const set = &oracle->set[oracle->back_sm];
        if (set->insertion == LAPERM_NOTHING) {
            oracle->back = false;
            act->comes = act->returns =
                set->promised && set->memory[oracle->back_entry.level] != 0u;
            act->entry = oracle->back_entry;
        }
    } else if (in->back_valid && in->back_sm < oracle->config.n_sm) {
        const uint32_t level = in->back_level == 0u        ? 0u
                               : in->back_level <= n_level ? in->back_level - 1u
                                                           : n_level - 1u;
        oracle->back = true;
        oracle->back_sm = in->back_sm;
        oracle->back_entry = (struct laperm_oracle_entry){
            .payload = in->back_payload,
            .tbs = in->back_tbs != 0u ? in->back_tbs : UINT64_C(1) << oracle->config.tb_w,
            .level = level,
            .kernel = in->back_kernel,
            .stamp = in->back_stamp,
        };
    }
}

static void edge(struct laperm_oracle *oracle, const struct laperm_in *in,
                 const struct laperm_oracle_launch *launch,
                 const struct laperm_oracle_choice *choice)
{
    const bool taken = in->launch_valid && launch->ready && launch->legal;
    const uint32_t ask = asks(oracle);
    const uint32_t back_to = oracle->back ? oracle->back_sm : NOBODY;
    struct laperm_oracle_act back = { .draws = false };
    const uint32_t stamp = oracle->stamp;

    spills(oracle, in, launch, taken);
    counts_launch(oracle, in, launch, taken);
    oracle->shown.ask_valid = oracle->shown.ask_valid && !in->ask_ready;
    if (ask != NOBODY) {
        oracle->shown.ask_valid = true;
        oracle->shown.ask_sm = ask;
        oracle->shown.ask_level =
            1u + laperm_oracle_highest(&oracle->set[ask], oracle->config.n_level);
        oracle->asked_once = true;
        oracle->last_asked = ask;
    }
    const uint32_t drawn = picks(oracle, in, choice);
    comes_back(oracle, in, &back);
    for (uint32_t k = 0u; k <= oracle->config.n_sm; k++) {
        struct laperm_oracle_act act =
            k == back_to ? back : (struct laperm_oracle_act){ false };
        act.draws = k == drawn;
        act.asks = k == ask;
        if (taken && k == launch->set && launch->spills) {
            act.spills = true;
            act.spill_level = launch->level;
        } else if (taken && k == launch->set) {
            act.comes = true;
            act.entry = (struct laperm_oracle_entry){
                .payload = in->launch_payload,
                .tbs = in->launch_tbs,
                .level = launch->level,
                .kernel = in->launch_kernel,
                .stamp = stamp,
            };
        }
        laperm_oracle_edge(&oracle->set[k], &act);
    }
    oracle->mode = in->mode;
}

struct laperm_out laperm_oracle_beside(struct laperm_oracle *oracle, struct laperm *unit,
                                       const struct laperm_in *in)
{
    static struct laperm_next next;
    const struct laperm_oracle_launch launch = launch_of(oracle, in);
    const struct laperm_oracle_choice choice =
        (oracle->mode & 2u) != 0u ? bound(oracle) : unbound(oracle);
    const struct laperm_out expected = shows(oracle, &launch, &choice);
    struct unit_difference found;
    struct laperm_out out;

    laperm_eval(unit, in, &out, &next);
    if (unit_compare(oracle->rows, UNIT_OUT, &expected, &out, &found, 1u) != 0u) {
        fail_msg("mode %" PRIu32 ": %s is %" PRIu64 ", not %" PRIu64, oracle->mode,
                 found.port->name, found.got, found.expected);
    }
    laperm_tick(unit, &next);
    edge(oracle, in, &launch, &choice);
    return out;
}
