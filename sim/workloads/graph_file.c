/* graph_file - a graph from a file; see graph_file.h. */

#include "workloads/graph_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t size;
    uint32_t number;
    bool matrix;      /* Matrix Market */
    bool headed;      /* its line of sizes has been read */
    uint64_t entries; /* that it promises */
    size_t room;
    bool apart; /* an edge has two ends */
    struct graph_file *graph;
    struct fault *fault;
};

#define WRONG(r, ...) fault_at((r)->fault, (r)->path, (r)->number, __VA_ARGS__)

/* The first line says whether it is Matrix Market. */
static bool check_banner(struct reader *r)
{
    static const char form[] = "%%MatrixMarket matrix coordinate ";

    r->matrix = strncasecmp(r->line, form, strcspn(form, " ")) == 0;
    if (r->matrix && strncasecmp(r->line, form, sizeof form - 1u) != 0) {
        return WRONG(r, "of Matrix Market's forms only \"matrix coordinate\" is read");
    }
    return true;
}

/* The next line that is not left out. False at the end, or with a fault. */
static bool next_line(struct reader *r)
{
    errno = 0;
    while (getline(&r->line, &r->size, r->file) > 0) {
        if (++r->number == UINT32_MAX) {
            return WRONG(r, "the file is too long");
        }
        if (r->number == 1u && !check_banner(r)) {
            return false;
        }
        const char *const text = r->line + strspn(r->line, " \t\r\n");
        if (*text != '\0' && *text != '%' && *text != '#') {
            return true;
        }
    }
    if (errno != 0) {
        return fault_system(r->fault, "%s", r->path);
    }
    return false;
}

/* A number and what separates it from the next. */
static bool number(struct reader *r, const char **at, uint64_t least, uint64_t most,
                   uint64_t *value)
{
    const char *const from = *at + strspn(*at, " \t");
    char *end;

    errno = 0;
    *value = strtoull(from, &end, 10);
    const bool is_one =
        isdigit((unsigned char)*from) && (*end == '\0' || strchr(" \t\r\n,", *end) != NULL);
    if (!is_one || errno != 0 || *value < least || *value > most) {
        const size_t length = strcspn(from, " \t\r\n,");
        return WRONG(r, "%.*s%sa number from %" PRIu64 " to %" PRIu64 " is needed here",
                     length < 40u ? (int)length : 40, from, length != 0u ? ": " : "", least,
                     most);
    }
    *at = *end == ',' ? end + 1 : end;
    return true;
}

static bool add(struct reader *r, uint64_t one, uint64_t other)
{
    struct graph_file *const graph = r->graph;

    if (graph->count == r->room) {
        const size_t room = r->room == 0u ? 1024u : 2u * r->room;
        if (room > GRAPH_PAIRS) {
            return WRONG(r, "too many edges; allowed: %d", GRAPH_PAIRS);
        }
        uint32_t *const ends = realloc(graph->ends, 2u * room * sizeof *ends);
        if (ends == NULL) {
            return fault_surroundings(r->fault, "no memory");
        }
        graph->ends = ends;
        r->room = room;
    }
    graph->ends[2u * graph->count] = (uint32_t)one;
    graph->ends[2u * graph->count++ + 1u] = (uint32_t)other;
    r->apart = r->apart || one != other;
    return true;
}

static bool read_edge(struct reader *r)
{
    const uint64_t first = r->matrix;
    const uint64_t last = r->matrix ? r->graph->nodes : GRAPH_NODES - 1u;
    const char *at = r->line;
    uint64_t one, other;

    if (!number(r, &at, first, last, &one) || !number(r, &at, first, last, &other)) {
        return false;
    }
    if (!r->matrix) {
        const uint64_t highest = one > other ? one : other;
        r->graph->nodes = highest >= r->graph->nodes ? highest + 1u : r->graph->nodes;
    }
    return add(r, one - first, other - first);
}

/* Rows, columns, and entries. */
static bool read_sizes(struct reader *r)
{
    const char *at = r->line;
    uint64_t rows, columns;

    if (!number(r, &at, 2u, GRAPH_NODES, &rows) || !number(r, &at, 2u, GRAPH_NODES, &columns)
        || !number(r, &at, 1u, GRAPH_PAIRS, &r->entries)) {
        return false;
    }
    if (rows != columns) {
        return WRONG(r, "%" PRIu64 " rows and %" PRIu64 " columns; a graph has as many of both",
                     rows, columns);
    }
    r->graph->nodes = rows;
    return true;
}

static bool read_line(struct reader *r)
{
    if (r->matrix && !r->headed) {
        r->headed = true;
        return read_sizes(r);
    }
    return read_edge(r);
}

static bool read_all(struct reader *r)
{
    while (next_line(r)) {
        if (!read_line(r)) {
            return false;
        }
    }
    if (r->fault->kind != FAULT_NONE) {
        return false;
    }
    r->number = 0u;
    if (r->matrix && r->graph->count != r->entries) {
        return WRONG(r, "%zu entries; its line of sizes says %" PRIu64, r->graph->count,
                     r->entries);
    }
    return r->apart || WRONG(r, "no edge between two nodes");
}

bool graph_file_read(struct graph_file *graph, const char *path, struct fault *fault)
{
    struct reader r = { .path = path, .graph = graph, .fault = fault };

    *graph = (struct graph_file){ .nodes = 0u };
    *fault = (struct fault){ .kind = FAULT_NONE };
    r.file = fopen(path, "re");
    if (r.file == NULL) {
        return fault_system(fault, "%s", path);
    }
    const bool good = read_all(&r);
    (void)fclose(r.file);
    free(r.line);
    if (!good) {
        graph_file_free(graph);
    }
    return good;
}

void graph_file_free(struct graph_file *graph)
{
    free(graph->ends);
    *graph = (struct graph_file){ .nodes = 0u };
}
