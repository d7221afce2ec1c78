/* report_html - pieces of a page; see report_html.h. */

#include "gpusched/report/html/report_html.h"

#include <math.h>
#include <string.h>

#include "gpusched/report/html/report_style.h"

enum { ANSWER = 4096 /* a sentence, at most */, WORD = 4096 /* a path, at most */ };

/* ---- Texts --------------------------------------------------------------------------- */

/* Bytes of the UTF-8 character at text; 0 if it is none. */
static size_t character(const unsigned char *text)
{
    const size_t n = text[0] < 0x80u                       ? 1u
                     : text[0] >= 0xc2u && text[0] < 0xe0u ? 2u
                     : text[0] >= 0xe0u && text[0] < 0xf0u ? 3u
                     : text[0] >= 0xf0u && text[0] < 0xf5u ? 4u
                                                           : 0u;

    for (size_t i = 1u; i < n; i++) {
        if ((text[i] & 0xc0u) != 0x80u) {
            return 0u;
        }
    }
    const bool surrogate = n == 3u && text[0] == 0xedu && text[1] >= 0xa0u;
    const bool overlong = (n == 3u && text[0] == 0xe0u && text[1] < 0xa0u)
                          || (n == 4u && text[0] == 0xf0u && text[1] < 0x90u);
    const bool beyond = n == 4u && text[0] == 0xf4u && text[1] >= 0x90u;
    const bool none = n == 3u && text[0] == 0xefu && text[1] == 0xbfu && text[2] >= 0xbeu;
    return surrogate || overlong || beyond || none ? 0u : n;
}

static const char *escaped(char c)
{
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&#34;"
           : c == '\'' ? "&#39;"
                       : NULL;
}

void html_text(FILE *to, const char *text)
{
    while (*text != '\0') {
        const size_t n = character((const unsigned char *)text);
        const bool control = (unsigned char)*text < 0x20u && strchr("\t\n\r", *text) == NULL;
        if (n == 0u || control) {
            fputs("\xef\xbf\xbd", to);
        } else if (escaped(*text) != NULL) {
            fputs(escaped(*text), to);
        } else {
            fwrite(text, 1u, n, to);
        }
        text += n == 0u ? 1u : n;
    }
}

void html_element(FILE *to, const char *element, const char *css, const char *text)
{
    fprintf(to, "<%s", element);
    if (css != NULL) {
        fprintf(to, " class=\"%s\"", css);
    }
    fputc('>', to);
    html_text(to, text);
    fprintf(to, "</%s>", element);
}

void html_sentence(FILE *to, const char *element, const char *css, const char *text)
{
    char joined[2 * ANSWER];
    size_t n = 0u;

    for (const char *at = text; *at != '\0' && n + 3u < sizeof joined; at++) {
        if (at[0] == ' ' && at[1] == '%') {
            joined[n++] = '\xc2';
            joined[n++] = '\xa0';
        } else {
            joined[n++] = *at;
        }
    }
    joined[n] = '\0';
    html_element(to, element, css, joined);
}

/* ---- The page ------------------------------------------------------------------------ */

/* A word of a command: in quotes if the shell would take it for something else. */
static void shell_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    static const char quote[] = "'\\''";
    char quoted[4 * WORD + 4];
    size_t n = 1u;

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        html_text(to, word);
        return;
    }
    quoted[0] = '\'';
    for (; *word != '\0' && n + sizeof quote + 1u < sizeof quoted; word++) {
        if (*word == '\'') {
            memcpy(quoted + n, quote, sizeof quote - 1u);
            n += sizeof quote - 1u;
        } else {
            quoted[n++] = *word;
        }
    }
    snprintf(quoted + n, sizeof quoted - n, "'");
    html_text(to, quoted);
}

void html_commands(FILE *to, const struct html_origin *origin, bool csv)
{
    char file[WORD];
    char page[WORD];

    snprintf(file, sizeof file, "%s%s", origin->file == NULL ? origin->name : origin->file,
             origin->file == NULL ? ".yaml" : "");
    snprintf(page, sizeof page, "%s.html", origin->name);
    fputs("<pre>gpusched experiment ", to);
    shell_word(to, file);
    fputs("\ngpusched report ", to);
    shell_word(to, file);
    fputs(" -o ", to);
    shell_word(to, page);
    if (origin->baseline != NULL) {
        fputs(" --baseline=", to);
        shell_word(to, origin->baseline);
    }
    if (csv) {
        snprintf(page, sizeof page, "%s.csv", origin->name);
        fputs("\ngpusched experiment ", to);
        shell_word(to, file);
        fputs(" --no-run --csv=", to);
        shell_word(to, page);
        fputs("\n", to);
    }
    fputs("</pre>\n", to);
    if (origin->file == NULL) {
        fputs("<p class=\"note\">This database does not keep where the experiment&#39;s file "
              "is: ",
              to);
        html_text(to, file);
        fputs(" stands for it.</p>\n", to);
    }
}

void html_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n",
          to);
    html_element(to, "title", NULL, title);
    fputs("\n<style>\n", to);
    for (const char *const *piece = report_style; *piece != NULL; piece++) {
        fputs(*piece, to);
    }
    fputs("</style>\n</head>\n<body>\n", to);
    /* Hatching, so that what is idle is known without its colour. */
    fputs("<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
          "<pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect class=\"hatch-ground\" width=\"5\" "
          "height=\"5\"/><rect class=\"hatch-line\" width=\"1.4\" height=\"5\"/></pattern>"
          "</defs></svg>\n<main>\n",
          to);
}

void html_end(FILE *to)
{
    fputs("</main>\n</body>\n</html>\n", to);
}

/* ---- Numbers ------------------------------------------------------------------------- */

static struct text printed(const char *format, double value)
{
    struct text text = { "\xe2\x80\x93" };

    if (isfinite(value)) {
        /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): all are in this file */
        snprintf(text.text, sizeof text.text, format, value);
    }
    return text;
}

struct text html_ratio(double value)
{
    return printed("%.3f", value);
}

struct text html_times(double value)
{
    return printed("%.3f" HTML_TIMES, value);
}

struct text html_share(double value)
{
    return printed("%.1f\xc2\xa0%%", 100.0 * value);
}

struct text html_count(double value)
{
    return value >= 0.0 && value < 1e15 ? format_count((uint64_t)value)
                                        : printed("%.0f", value);
}

struct text html_change(double ratio)
{
    struct text text = printed("%+.1f\xc2\xa0%%", 100.0 * (ratio - 1.0));

    if (text.text[0] == '-') { /* a minus sign is as wide as a plus */
        struct text minus;
        snprintf(minus.text, sizeof minus.text, "\xe2\x88\x92%.100s", text.text + 1);
        return minus;
    }
    return text;
}

struct text html_figure(double value)
{
    const double size = fabs(value);

    return printed(size >= 999.95   ? "%.0f"
                   : size >= 99.995 ? "%.1f"
                   : size >= 9.9995 ? "%.2f"
                                    : "%.3f",
                   value);
}

struct text html_number(double value)
{
    return printed("%.6g", value);
}

struct text html_unit(double value, const char *unit)
{
    if (!isfinite(value)) {
        return printed("%.0f", value);
    }
    const struct text plain = format_unit(value, unit);
    const char *const space = strchr(plain.text, ' ');
    struct text text;

    snprintf(text.text, sizeof text.text, "%.*s\xc2\xa0%s%.60s", (int)(space - plain.text),
             plain.text, space[1] == 'u' ? "\xc2\xb5" : "", space + (space[1] == 'u' ? 2 : 1));
    return text;
}
