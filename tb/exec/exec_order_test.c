/*
 * What warps do to each other happens in the order in which they issue: random programs with
 * atomics, volatile accesses and fences, of some CTAs whose warps issue in a random order,
 * against a reference that executes each instruction when it is issued, and no sooner.
 */

#include "tb/exec/exec_kernel.h"

#include "base/random_bits.h"
#include "tb/base/seed.h"

enum {
    OPS = 48,
    REGS = 6,
    SHARED_WORDS = 16,
    CTAS = 2,
    WARPS = 2,
    ALL = CTAS * WARPS,
    PRIVATE = 4
};

enum kind {
    ADD,
    MULTIPLY,
    SKIP,
    READ,
    WRITE,
    FENCE,
    ATOM_ADD,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_MAX,
    RED_ADD,
    OWN_READ,
    OWN_WRITE,
    MEET,
    KINDS
};

/* r[a] and r[b] are its registers; SKIP jumps over `over` operations if r[a] < number. */
struct op {
    enum kind kind;
    uint32_t a, b, number, over;
};

/* PTX instructions of each. The last one does what it is for. */
static const uint32_t lengths[KINDS] = {
    1u, 1u, 2u, 4u, 4u, 1u, 4u, 4u, 4u, 4u, 4u, 1u, 1u, 1u
};

struct world {
    struct op op[OPS];
    uint32_t word[SHARED_WORDS];
    uint32_t own[ALL * WARP_SIZE][PRIVATE];
    struct actor {
        uint32_t at, sub;        /* operation, and its instruction */
        uint32_t lanes, skipped; /* until operation `meets` */
        uint32_t meets;
        uint32_t r[REGS][WARP_SIZE];
        bool waits, ended;
    } actor[ALL];
};

#define EACH_SET(lane, lanes)                    \
    for (uint32_t lane = 0u; lane < 32u; lane++) \
        if (((lanes) >> lane & 1u) != 0u)

static uint64_t state_of_draws;
static uint32_t draw(uint32_t below)
{
    return random_below(&state_of_draws, below);
}

/* ---- The program, and its text -------------------------------------------------------- */

static void make_program(struct world *w)
{
    uint32_t inside = 0u;
    for (uint32_t k = 0u; k < OPS; k++) {
        struct op *const o = &w->op[k];
        *o = (struct op){ (enum kind)draw(KINDS), draw(REGS), draw(REGS), draw(1u << 20), 0u };
        if (inside > 0u) { /* no branches and barriers where lanes are apart */
            inside--;
            o->kind = o->kind == SKIP || o->kind == MEET ? ADD : o->kind;
        } else if (o->kind == SKIP) {
            inside = o->over = 1u + draw(5u);
            if (k + o->over >= OPS) {
                o->kind = ADD;
            }
        }
    }
}

static void address(char **at, uint32_t reg)
{
    *at += sprintf(*at,
                   "and.b32 %%r20, %%r%u, %u;\nmul.wide.u32 %%d4, %%r20, 4;\n"
                   "add.u64 %%d5, %%d1, %%d4;\n",
                   10u + reg, (unsigned)SHARED_WORDS - 1u);
}

static void emit(char **at, const struct op *o, uint32_t k)
{
    static const char *const formats[KINDS] = {
        [READ] = "ld.volatile.global.u32 %%r%u, [%%d5];\n",
        [WRITE] = "st.volatile.global.u32 [%%d5], %%r%u;\n",
        [ATOM_ADD] = "atom.global.add.u32 %%r%u, [%%d5], %%r%u;\n",
        [ATOM_EXCH] = "atom.global.exch.b32 %%r%u, [%%d5], %%r%u;\n",
        [ATOM_CAS] = "atom.global.cas.b32 %%r%u, [%%d5], 0, %%r%u;\n",
        [ATOM_MAX] = "atom.global.max.u32 %%r%u, [%%d5], %%r%u;\n",
        [RED_ADD] = "red.global.add.u32 [%%d5], %%r%u;\n",
    };
    const uint32_t a = 10u + o->a, b = 10u + o->b;
    if (formats[o->kind] != NULL) {
        address(at, o->b);
        *at += sprintf(*at, formats[o->kind], a, b);
        return;
    }
    switch (o->kind) {
    case ADD:
        *at += sprintf(*at, "add.u32 %%r%u, %%r%u, %u;\n", a, b, o->number);
        break;
    case MULTIPLY:
        *at += sprintf(*at, "mul.lo.u32 %%r%u, %%r%u, %u;\n", a, b, o->number | 1u);
        break;
    case SKIP:
        *at += sprintf(*at, "setp.lt.u32 %%p1, %%r%u, %u;\n@%%p1 bra L%u;\n", a,
                       o->number << 12, k + o->over + 1u);
        break;
    case OWN_READ:
        *at += sprintf(*at, "ld.global.u32 %%r%u, [%%d3+%u];\n", a, 4u * (o->number % PRIVATE));
        break;
    case OWN_WRITE:
        *at += sprintf(*at, "st.global.u32 [%%d3+%u], %%r%u;\n", 4u * (o->number % PRIVATE), a);
        break;
    case FENCE:
        *at += sprintf(*at, "membar.gl;\n");
        break;
    default:
        *at += sprintf(*at, "bar.sync 0;\n");
    }
}

/* Words 0.. are for all; behind them thread t of all has PRIVATE words. */
enum { HEAD = 15 }; /* instructions before the first operation, with ENTRY's */
static void write_text(const struct world *w, char *at)
{
    at += sprintf(at, "%s", ".version 6.4\n.target sm_60\n.address_size 64\n" ENTRY);
    at += sprintf(at,
                  "mov.u32 %%r2, %%ctaid.x;\nmad.lo.u32 %%r3, %%r2, %u, %%r1;\n"
                  "mul.wide.u32 %%d2, %%r3, %u;\nadd.u64 %%d3, %%d1, %%d2;\n"
                  "add.u64 %%d3, %%d3, %u;\nmov.u32 %%r10, %%r3;\nmov.u32 %%r11, %%r3;\n",
                  (unsigned)WARPS * WARP_SIZE, 4u * PRIVATE, 4u * SHARED_WORDS);
    for (uint32_t k = 2u; k < REGS; k++) {
        at += sprintf(at, "mul.lo.u32 %%r%u, %%r3, %u;\n", 10u + k, 77u * k);
    }
    for (uint32_t k = 0u; k < OPS; k++) {
        at += sprintf(at, "L%u:\n", k);
        emit(&at, &w->op[k], k);
    }
    (void)sprintf(at, "L%u:\n" END, (unsigned)OPS);
}

/* ---- The reference -------------------------------------------------------------------- */

static uint32_t change(enum kind kind, uint32_t old, uint32_t value)
{
    switch (kind) {
    case ATOM_ADD:
    case RED_ADD:
        return old + value;
    case ATOM_CAS:
        return old == 0u ? value : old;
    case ATOM_MAX:
        return value > old ? value : old;
    default: /* ATOM_EXCH, WRITE */
        return value;
    }
}

static void effect(struct world *w, uint32_t who, const struct op *o, uint32_t lane)
{
    struct actor *const x = &w->actor[who];
    uint32_t *const a = &x->r[o->a][lane];
    const uint32_t b = x->r[o->b][lane];
    uint32_t *const word = &w->word[b % SHARED_WORDS];
    uint32_t *const own = &w->own[who * WARP_SIZE + lane][o->number % PRIVATE];
    const uint32_t old = *word;
    switch (o->kind) {
    case ADD:
        *a = b + o->number;
        break;
    case MULTIPLY:
        *a = b * (o->number | 1u);
        break;
    case OWN_READ:
        *a = *own;
        break;
    case OWN_WRITE:
        *own = *a;
        break;
    case READ:
        *a = old;
        break;
    case WRITE:
    case RED_ADD:
        *word = change(o->kind, old, *a);
        break;
    case ATOM_ADD:
    case ATOM_EXCH:
    case ATOM_CAS:
    case ATOM_MAX:
        *word = change(o->kind, old, b);
        *a = old;
        break;
    default:
        break;
    }
}

static void part(struct actor *x, const struct op *o)
{
    EACH_SET(lane, x->lanes)
    {
        x->skipped |= x->r[o->a][lane] < o->number << 12 ? 1u << lane : 0u;
    }
    x->meets = x->at + o->over + 1u;
    if (x->skipped == UINT32_MAX) {
        x->at = x->meets - 1u;
        x->skipped = 0u;
    }
    x->lanes = ~x->skipped;
}

/* The actor issues its next instruction. */
static void issue(struct world *w, uint32_t who)
{
    struct actor *const x = &w->actor[who];
    if (x->at == OPS) {
        x->ended = true;
        return;
    }
    const struct op *const o = &w->op[x->at];
    if (++x->sub < lengths[o->kind]) {
        return;
    }
    x->sub = 0u;
    x->waits = o->kind == MEET;
    EACH_SET(lane, x->lanes)
    {
        effect(w, who, o, lane);
    }
    if (o->kind == SKIP) {
        part(x, o);
    }
    if (++x->at == x->meets) {
        x->lanes = UINT32_MAX;
        x->skipped = 0u;
    }
}

static void start(struct world *w)
{
    for (uint32_t who = 0u; who < ALL; who++) {
        struct actor *const x = &w->actor[who];
        x->lanes = UINT32_MAX;
        x->meets = UINT32_MAX;
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            const uint32_t thread = who * WARP_SIZE + lane;
            x->r[0][lane] = x->r[1][lane] = thread;
            for (uint32_t k = 2u; k < REGS; k++) {
                x->r[k][lane] = thread * 77u * k;
            }
        }
    }
}

/* ---- Both ----------------------------------------------------------------------------- */

struct stream {
    struct warp_stream piece;
    uint32_t used, head;
};

/* Barriers of CTAs all of whose warps wait or have ended. */
static void open_barriers(struct world *w)
{
    for (uint32_t cta = 0u; cta < CTAS; cta++) {
        bool all = true;
        for (uint32_t k = 0u; k < WARPS; k++) {
            all = all && (w->actor[cta * WARPS + k].waits || w->actor[cta * WARPS + k].ended);
        }
        for (uint32_t k = 0u; k < WARPS && all; k++) {
            w->actor[cta * WARPS + k].waits = false;
        }
    }
}

static void issue_both(struct bench *b, struct world *w, void *const *handle, struct stream *s,
                       uint32_t who)
{
    if (s->used == s->piece.n) { /* of a barrier that has opened */
        assert_true(exec_more(handle[who / WARPS], who % WARPS, 0u, &s->piece, &b->fault));
        s->used = 0u;
    }
    const struct instruction *const i = &s->piece.instruction[s->used++];
    const uint32_t op = i->op, lanes = i->lanes;
    const bool asks = s->used == s->piece.n && op != OP_EXIT && op != OP_BARRIER;
    if (asks) {
        assert_true(exec_more(handle[who / WARPS], who % WARPS, 0u, &s->piece, &b->fault));
        s->used = 0u;
    }
    if (s->head < HEAD) {
        s->head++;
        return;
    }
    if (op != OP_BRANCH) { /* which has those that jump */
        assert_int_equal(lanes, (uint32_t)__builtin_popcount(w->actor[who].lanes));
    }
    issue(w, who);
    assert_int_equal(w->actor[who].ended, op == OP_EXIT);
    assert_int_equal(w->actor[who].waits, op == OP_BARRIER);
}

static void run_both(struct bench *b, struct world *w)
{
    struct stream stream[ALL] = { 0 };
    void *handle[CTAS];
    uint32_t left = ALL;
    for (uint32_t cta = 0u; cta < CTAS; cta++) {
        struct warp_stream piece[WARPS];
        assert_true(exec_cta(b->exec, &b->launch, cta, piece, &handle[cta], &b->fault));
        for (uint32_t k = 0u; k < WARPS; k++) {
            stream[cta * WARPS + k].piece = piece[k];
        }
    }
    while (left != 0u) {
        const uint32_t who = draw(ALL);
        if (!w->actor[who].waits && !w->actor[who].ended) {
            issue_both(b, w, handle, &stream[who], who);
            left -= w->actor[who].ended ? 1u : 0u;
            open_barriers(w);
        }
    }
    for (uint32_t cta = 0u; cta < CTAS; cta++) {
        exec_release(handle[cta]);
    }
}

static void ordering_points_are_executed_in_the_order_of_issue(void **state)
{
    static char text[1u << 16];
    static const uint32_t windows[] = { 1u, 7u, 256u };
    (void)state;
    state_of_draws = printed_seed();
    for (uint32_t n = 0u; n < 300u; n++) {
        static struct world w;
        struct bench b;
        memset(&w, 0, sizeof w);
        make_program(&w);
        start(&w);
        write_text(&w, text);
        bench_open(&b, text, WARPS * WARP_SIZE);
        b.launch.grid[0] = CTAS;
        b.launch.limit = 0u;
        b.launch.ahead = windows[n % 3u];
        run_both(&b, &w);
        assert_memory_equal(b.word, w.word, sizeof w.word);
        assert_memory_equal(b.word + SHARED_WORDS, w.own, sizeof w.own);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordering_points_are_executed_in_the_order_of_issue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
