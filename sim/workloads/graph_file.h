/*
 * graph_file - a graph from a file of the user, for the programs that work on graphs. Two
 * forms:
 *
 *   Matrix Market   "%%MatrixMarket matrix coordinate ...", then a line of rows, columns and
 *                   entries, then an entry a line: row and column, from 1 on. What an entry's
 *                   value is does not matter.
 *   edges           an edge a line: two numbers of nodes, from 0 on, with spaces, tabs or a
 *                   comma between them. What follows on the line does not matter.
 *
 * Empty lines and those that begin with % or # are left out. Directions do not count.
 */

#ifndef GRAPH_FILE_H
#define GRAPH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

/* Both ends of all edges can be counted with 31 bits. */
enum { GRAPH_NODES = 1 << 26, GRAPH_PAIRS = 1 << 27 };

struct graph_file {
    size_t nodes;   /* 2 to GRAPH_NODES */
    size_t count;   /* edges, 1 to GRAPH_PAIRS; not all of them are of a node to itself */
    uint32_t *ends; /* two of each */
};

/* False with a fault, which names file and line. */
bool graph_file_read(struct graph_file *graph, const char *path, struct fault *fault);
void graph_file_free(struct graph_file *graph);

#endif
