/* ptx_number - numbers and constant expressions of PTX; see ptx_syntax.h. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/read/ptx_syntax.h"

static double as_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 0f3f800000 and 0d3ff0000000000000. */
static bool read_bits(const char *text, struct ptx_number *number)
{
    const bool single = text[1] == 'f' || text[1] == 'F';
    const size_t digits = single ? 8u : 16u;

    if (strlen(text + 2) != digits || strspn(text + 2, "0123456789abcdefABCDEF") != digits) {
        return false;
    }
    number->bits = strtoull(text + 2, NULL, 16);
    number->kind = single ? NUMBER_SINGLE : NUMBER_DOUBLE;
    return true;
}

static bool read_integer(const char *text, struct ptx_number *number)
{
    const char *const prefix = text[0] == '0' ? text + 1 : "";
    int base = text[0] == '0' ? 8 : 10;
    char *end;

    if (*prefix != '\0' && strchr("xXbB", *prefix) != NULL) {
        base = *prefix == 'x' || *prefix == 'X' ? 16 : 2;
        text = prefix + 1;
        if (strchr("0123456789abcdefABCDEF", text[0]) == NULL || text[0] == '\0') {
            return false;
        }
    }
    errno = 0;
    number->bits = strtoull(text, &end, base);
    number->kind = number->bits > INT64_MAX || *end == 'U' ? NUMBER_UNSIGNED : NUMBER_SIGNED;
    return errno == 0 && (*end == '\0' || strcmp(end, "U") == 0);
}

bool ptx_read_number(const char *text, struct ptx_number *number)
{
    char *end;

    if (strcmp(text, "WARP_SZ") == 0) {
        *number = (struct ptx_number){ .bits = 32u };
        return true;
    }
    if (text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL) {
        return read_bits(text, number);
    }
    if (strpbrk(text, ".") != NULL
        || (strpbrk(text, "+-") != NULL && strpbrk(text, "xX") == NULL)) {
        number->bits = double_bits(strtod(text, &end));
        number->kind = NUMBER_DOUBLE;
        return *end == '\0';
    }
    return read_integer(text, number);
}

bool ptx_unary(struct ptx_build *b, int op, struct ptx_number *number)
{
    if (number->kind == NUMBER_DOUBLE || number->kind == NUMBER_SINGLE) {
        if (op != '-') {
            return ptx_fail(b, b->line, "%c of a float; allowed: of an integer", op);
        }
        number->bits ^= number->kind == NUMBER_DOUBLE ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
        return true;
    }
    number->bits = op == '-'   ? 0u - number->bits
                   : op == '~' ? ~number->bits
                               : (uint64_t)(number->bits == 0u);
    return true;
}

static uint64_t divide(uint64_t left, uint64_t right, bool whole, bool is_signed)
{
    if (is_signed && right == UINT64_MAX) {
        return whole ? 0u - left : 0u; /* by -1, which could overflow */
    }
    if (is_signed) {
        return (uint64_t)(whole ? (int64_t)left / (int64_t)right
                                : (int64_t)left % (int64_t)right);
    }
    return whole ? left / right : left % right;
}

static uint64_t shift(uint64_t left, uint64_t right, bool to_left, bool is_signed)
{
    const uint64_t sign = is_signed && left >> 63 != 0u ? UINT64_MAX : 0u;

    if (right >= 64u) {
        return to_left ? 0u : sign;
    }
    if (to_left) {
        return left << right;
    }
    return right == 0u ? left : left >> right | sign << (64u - right);
}

bool ptx_binary(struct ptx_build *b, int op, struct ptx_number *left, struct ptx_number right)
{
    const bool is_signed = left->kind == NUMBER_SIGNED && right.kind == NUMBER_SIGNED;
    const uint64_t l = left->bits;
    const uint64_t r = right.bits;

    if (left->kind > NUMBER_UNSIGNED || right.kind > NUMBER_UNSIGNED) {
        return ptx_fail(b, b->line, "an expression of floats; allowed: of integers");
    }
    if ((op == '/' || op == '%') && r == 0u) {
        return ptx_fail(b, b->line, "a division by zero; allowed: other divisors");
    }
    left->kind = is_signed ? NUMBER_SIGNED : NUMBER_UNSIGNED;
    switch (op) {
    case '+':
        left->bits = l + r;
        break;
    case '-':
        left->bits = l - r;
        break;
    case '*':
        left->bits = l * r;
        break;
    case '&':
        left->bits = l & r;
        break;
    case '|':
        left->bits = l | r;
        break;
    case '^':
        left->bits = l ^ r;
        break;
    case '/':
    case '%':
        left->bits = divide(l, r, op == '/', is_signed);
        break;
    default:
        left->bits = shift(l, r, op == PTX_SHIFT_LEFT, is_signed);
        break;
    }
    return true;
}

/* The bits of a float of either width. */
static bool as_float(struct ptx_number number, bool single, uint64_t *bits)
{
    float narrow;
    uint32_t word = (uint32_t)number.bits;

    if (number.kind == (single ? NUMBER_SINGLE : NUMBER_DOUBLE)) {
        *bits = number.bits;
        return true;
    }
    if (number.kind == NUMBER_DOUBLE) {
        narrow = (float)as_double(number.bits);
        memcpy(&word, &narrow, sizeof word);
        *bits = word;
        return true;
    }
    memcpy(&narrow, &word, sizeof narrow);
    *bits = double_bits((double)narrow);
    return number.kind == NUMBER_SINGLE;
}

bool ptx_as_type(struct ptx_number number, enum ptx_type type, uint64_t *bits)
{
    const bool is_float = number.kind > NUMBER_UNSIGNED;
    const uint32_t bytes = ptx_type_bytes(type);

    if (type == PTX_F32 || type == PTX_F64) {
        return as_float(number, type == PTX_F32, bits);
    }
    if (is_float) {
        *bits = number.bits;
        return (type == PTX_B32 && number.kind == NUMBER_SINGLE)
               || (type == PTX_B64 && number.kind == NUMBER_DOUBLE);
    }
    if (type == PTX_PRED) {
        *bits = number.bits != 0u;
        return true;
    }
    *bits = bytes == 8u ? number.bits : number.bits & ((UINT64_C(1) << 8u * bytes) - 1u);
    return true;
}
