/*
 * ptx_mutate - changes to PTX that leave most of it readable: statements are moved, left out,
 * copied from other files; registers, numbers, types, opcodes and labels are exchanged.
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned seed);

static uint64_t state;

static uint32_t draw(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

/* Part of a text, from `at`. */
struct span {
    const char *at;
    size_t n;
};

struct text {
    char *at;
    size_t n, most;
};

/* Puts `by` in the place of [at, at + n); leaves the text as it is if there is no room. */
static void replace(struct text *t, size_t at, size_t n, struct span by)
{
    if (t->n - n + by.n <= t->most) {
        memmove(t->at + at + by.n, t->at + at + n, t->n - at - n);
        memcpy(t->at + at, by.at, by.n);
        t->n = t->n - n + by.n;
    }
}

static void replace_token(struct text *t, struct span token, struct span by)
{
    char copy[4096]; /* `by` may be part of the text */
    if (by.n <= sizeof copy) {
        memcpy(copy, by.at, by.n);
        replace(t, (size_t)(token.at - t->at), token.n, (struct span){ copy, by.n });
    }
}

static struct span word(const char *text)
{
    return (struct span){ text, strlen(text) };
}

/* ---- Lines --------------------------------------------------------------------------- */

/* The line around a place, with its end. */
static struct span line_at(struct span text, size_t place)
{
    size_t from = place, to = place;
    while (from > 0u && text.at[from - 1u] != '\n') {
        from--;
    }
    while (to < text.n && text.at[to] != '\n') {
        to++;
    }
    return (struct span){ text.at + from, (to < text.n ? to + 1u : to) - from };
}

static bool is_statement(struct span line)
{
    size_t k = 0u;
    while (k < line.n && isspace((unsigned char)line.at[k])) {
        k++;
    }
    return k < line.n && (islower((unsigned char)line.at[k]) || line.at[k] == '@')
           && memchr(line.at, ';', line.n) != NULL;
}

/* A statement, or after many tries any line. */
static struct span some_line(struct span text)
{
    struct span line = { text.at, 0u };
    for (uint32_t tries = 0u; tries < 20u && text.n > 0u; tries++) {
        line = line_at(text, draw((uint32_t)text.n));
        if (is_statement(line)) {
            break;
        }
    }
    return line;
}

static struct span whole(const struct text *t)
{
    return (struct span){ t->at, t->n };
}

static void insert_line(struct text *t, struct span line)
{
    const struct span before = some_line(whole(t));
    replace_token(t, (struct span){ before.at, 0u }, line);
}

static void move_line(struct text *t)
{
    char copy[1024];
    const struct span line = some_line(whole(t));
    const size_t n = line.n < sizeof copy ? line.n : 0u;
    memcpy(copy, line.at, n);
    if (draw(2u) == 0u) {
        replace_token(t, line, (struct span){ line.at, 0u });
    }
    insert_line(t, (struct span){ copy, n });
}

/* ---- Tokens -------------------------------------------------------------------------- */

enum token { REGISTER, NUMBER, SUFFIX, WORD, TOKENS };

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* What begins here; its length includes the sign that says so. */
static enum token token_at(struct span text, size_t place, size_t *n)
{
    const char c = text.at[place];
    const bool inside = place > 0u
                        && (in_word(text.at[place - 1u]) || text.at[place - 1u] == '%'
                            || text.at[place - 1u] == '.');
    size_t end = place + 1u;
    while (end < text.n && in_word(text.at[end])) {
        end++;
    }
    *n = end - place;
    if (c == '%' && *n > 1u) {
        return REGISTER;
    }
    if (c == '.' && *n > 1u) {
        return SUFFIX;
    }
    if (inside || !in_word(c)) {
        return TOKENS;
    }
    return isdigit((unsigned char)c) ? NUMBER : WORD;
}

/* A token of a kind in some line of the text; n is 0 if none was found. */
static struct span some_token(struct span text, struct span line, enum token kind)
{
    struct span found = { line.at, 0u };
    uint32_t met = 0u;
    for (const char *at = line.at; at < line.at + line.n; at++) {
        size_t n;
        if (token_at(text, (size_t)(at - text.at), &n) == kind && draw(++met) == 0u) {
            found = (struct span){ at, n };
        }
    }
    return found;
}

static size_t letters(struct span token)
{
    size_t n = 1u;
    while (n < token.n && isalpha((unsigned char)token.at[n])) {
        n++;
    }
    return n;
}

/* Another register of the same kind, or, rarely, of any. */
static void change_register(struct text *t, struct span token)
{
    const size_t n = letters(token);
    for (uint32_t tries = 0u; tries < 40u; tries++) {
        const struct span by = some_token(whole(t), some_line(whole(t)), REGISTER);
        if (by.n > 0u
            && (tries >= 38u || (letters(by) == n && memcmp(by.at, token.at, n) == 0))) {
            replace_token(t, token, by);
            return;
        }
    }
}

static void change_number(struct text *t, struct span token)
{
    static const char *const some[] = {
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "8",
        "15",
        "16",
        "31",
        "32",
        "33",
        "63",
        "64",
        "127",
        "252",
        "256",
        "1020",
        "1024",
        "-4",
        "-32",
        "-256",
        "65535",
        "2147483647",
        "-2147483648",
        "4294967295",
        "0f00000000",
        "0f7F800000",
        "0fFFC00000",
        "0f00000001",
        "0f3F800000",
        "268435456",
        "16777216",
        "0x8000000000000000",
        "72057594037927936",
        "144115188075855872",
        "9223372036854775807",
        "0d7FF0000000000000",
        "0d3FF0000000000000",
    };
    char near[32];
    (void)snprintf(near, sizeof near, "%.*s", (int)token.n, token.at);
    const long value = strtol(near, NULL, 0);
    (void)snprintf(near, sizeof near, "%lld",
                   (long long)((unsigned long long)value + draw(9u) - 4u));
    replace_token(t, token,
                  word(draw(3u) == 0u ? near : some[draw(sizeof some / sizeof some[0])]));
}

static void change_suffix(struct text *t, struct span token)
{
    char type[16];
    (void)snprintf(type, sizeof type, ".%s",
                   ptx_type_name((enum ptx_type)(1u + draw(PTX_PRED))));
    const struct span other = some_token(whole(t), some_line(whole(t)), SUFFIX);
    replace_token(t, token, draw(2u) == 0u || other.n == 0u ? word(type) : other);
}

static void change_word(struct text *t, struct span token)
{
    static const char *const opcodes[] = {
#define OPCODE(identifier, name) name,
        PTX_OPS(OPCODE)
#undef OPCODE
    };
    const struct span other = some_token(whole(t), some_line(whole(t)), WORD);
    replace_token(t, token,
                  draw(2u) == 0u || other.n == 0u
                      ? word(opcodes[draw(sizeof opcodes / sizeof opcodes[0])])
                      : other);
}

static void change_token(struct text *t)
{
    const enum token kind = (enum token)draw(TOKENS);
    const struct span token = some_token(whole(t), some_line(whole(t)), kind);
    if (token.n == 0u) {
        return;
    }
    switch (kind) {
    case REGISTER:
        change_register(t, token);
        break;
    case NUMBER:
        change_number(t, token);
        break;
    case SUFFIX:
        change_suffix(t, token);
        break;
    default:
        change_word(t, token);
        break;
    }
}

/* Switches some lanes off, or on. */
static void change_guard(struct text *t)
{
    char guard[32];
    const struct span line = some_line(whole(t));
    const char *const at = memchr(line.at, '@', line.n);
    const char *const blank =
        at == NULL ? NULL : memchr(at, ' ', (size_t)(line.at + line.n - at));
    if (blank != NULL) {
        replace_token(t, (struct span){ at, (size_t)(blank - at) }, (struct span){ at, 0u });
    } else {
        (void)snprintf(guard, sizeof guard, "@%s%%p%u ", draw(2u) == 0u ? "!" : "",
                       1u + draw(4u));
        replace_token(t, (struct span){ line.at, 0u }, word(guard));
    }
}

/* ---- What libFuzzer calls ------------------------------------------------------------ */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct text t = { (char *)data, size, most };
    state = seed;
    if (draw(100u) == 0u) {
        return LLVMFuzzerMutate(data, size, most);
    }
    for (uint32_t left = 1u + draw(4u); left > 0u && t.n > 0u; left--) {
        switch (draw(8u)) {
        case 0u:
            move_line(&t);
            break;
        case 1u:
            replace_token(&t, some_line(whole(&t)), (struct span){ t.at, 0u });
            break;
        case 2u:
            change_guard(&t);
            break;
        default:
            change_token(&t);
            break;
        }
    }
    return t.n;
}

/* Some statements of the second among those of the first. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t most, unsigned seed)
{
    struct text t = { (char *)out, first_size < most ? first_size : most, most };
    const struct span from = { (const char *)second, second_size };
    memcpy(out, first, t.n);
    state = seed;
    for (uint32_t left = 1u + draw(3u); left > 0u && t.n > 0u; left--) {
        insert_line(&t, some_line(from));
    }
    return t.n;
}
