/* expression - expressions of port tables, in Verilog; see expression.h. */

#include "unit/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Argument k of a text such as "ARRAY(w, n, max)". */
struct piece expression_argument(const char *text, uint32_t k)
{
    struct piece found = { strchr(text, '(') + 1, 0u };
    uint32_t depth = 0u;

    for (;; found.n++) {
        const char c = found.text[found.n];
        if (depth == 0u && (c == ')' || (c == ',' && k == 0u))) {
            return found;
        }
        if (depth == 0u && c == ',') {
            found.text += found.n + 1u;
            found.text += strspn(found.text, " ");
            found.n = 0u;
            k--;
        }
        depth += found.text[found.n] == '(';
        depth -= found.text[found.n] == ')';
    }
}

/* A name of the table: upper-case, behind its part's prefix. */
void expression_name(struct piece name, const char *prefix)
{
    printf("%s", prefix);
    for (size_t i = 0u; i < name.n; i++) {
        putchar(toupper((unsigned char)name.text[i]));
    }
}

/* The word at the text's beginning; empty if there is none. */
static struct piece first_word(struct piece text)
{
    struct piece word = { text.text, 0u };

    while (word.n < text.n
           && (isalnum((unsigned char)word.text[word.n]) || word.text[word.n] == '_')) {
        word.n++;
    }
    return word;
}

/* The word at the text's beginning, or one character. Returns its length. */
static size_t print_word(struct piece text, const char *prefix)
{
    const struct piece word = first_word(text);

    if (word.n == 0u) {
        putchar(text.text[0]);
        return 1u;
    }
    if (isdigit((unsigned char)word.text[0])) {
        printf("%.*s", (int)strspn(word.text, "0123456789"), word.text); /* no 1u */
    } else {
        expression_name(word, prefix);
    }
    return word.n;
}

static void print_words(struct piece text, const char *prefix)
{
    for (size_t i = 0u; i < text.n;) {
        i += print_word((struct piece){ text.text + i, text.n - i }, prefix);
    }
}

/* index_width(n), from its name on, as the modules have it; there is none in n. Returns its
 * length. */
static size_t print_index_width(const char *text, const char *prefix)
{
    const struct piece n = expression_argument(text, 0u);

    printf("((");
    print_words(n, prefix);
    printf(") > 1 ? $clog2(");
    print_words(n, prefix);
    printf(") : 1)");
    return (size_t)(n.text - text) + n.n + 1u;
}

/* A C expression in parameters and constants; all operators that tables use are Verilog's. */
void expression_print(struct piece text, const char *prefix)
{
    static const char function[] = "index_width";

    for (size_t i = 0u; i < text.n;) {
        const struct piece rest = { text.text + i, text.n - i };
        const struct piece word = first_word(rest);
        if (word.n == strlen(function) && memcmp(word.text, function, word.n) == 0) {
            i += print_index_width(word.text, prefix);
        } else {
            i += print_word(rest, prefix);
        }
    }
}

/* The same, in brackets if it is more than a name or a number. */
void expression_operand(struct piece text, const char *prefix)
{
    bool alone = true;

    for (size_t i = 0u; i < text.n; i++) {
        alone = alone && (isalnum((unsigned char)text.text[i]) || text.text[i] == '_');
    }
    printf("%s", alone ? "" : "(");
    expression_print(text, prefix);
    printf("%s", alone ? "" : ")");
}

/* Bits of a port. */
void expression_bits(const struct unit_port *port, const char *prefix)
{
    if (port->shape == UNIT_FLAG) {
        printf("1");
        return;
    }
    expression_operand(expression_argument(port->text, 0u), prefix);
    if (port->shape == UNIT_ARRAY) {
        printf(" * ");
        expression_operand(expression_argument(port->text, 1u), prefix);
    }
}

bool expression_parameter(const char **params, struct piece *name, struct piece *value)
{
    const char *const dot = strchr(*params, '.');

    if (dot == NULL) {
        return false;
    }
    const char *const equals = strchr(dot, '=');
    *name = (struct piece){ dot + 1, strcspn(dot + 1, " =") };
    value->text = equals + 1 + strspn(equals + 1, " ");
    const char *const end = strstr(value->text, ", .");
    value->n = end != NULL ? (size_t)(end - value->text) : strlen(value->text);
    *params = value->text + value->n;
    return true;
}
