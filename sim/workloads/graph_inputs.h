/*
 * graph_inputs - graphs without direction for the programs that work on graphs. A program that
 * asks for the same graph and size as another gets the same nodes and edges.
 *
 *   random     every node chooses three others
 *   citation   as a network of citations: nodes come one after the other, and cite some that
 * came shortly before, and some that others cite; few have many edges graph500   R-MAT with
 * Graph 500's chances and 16 edges per node; the numbers of nodes are mixed cage15     the
 * pattern of a matrix with a band: about 19 entries per row, more in some parts
 */

#ifndef GRAPH_INPUTS_H
#define GRAPH_INPUTS_H

#include "workloads/workload_kit.h"

enum graph_input { GRAPH_RANDOM, GRAPH_CITATION, GRAPH_GRAPH500, GRAPH_CAGE15 };

struct graph {
    size_t count;
    size_t n_edges; /* an edge counts at both its ends */
    int32_t *nodes; /* first edge and number of edges, in turn */
    int32_t *edges; /* the nodes at their other ends */
};

/* One of the user goes first, whatever the input and the count, and is like the others.
 * Of graph500 the count is a power of two. But for the random graph no node has an edge to
 * itself or two to another, and a node's edges are in the order of the nodes. */
void graph_make(struct kit *kit, enum graph_input input, size_t count, struct graph *g);
/* Nodes of the graphs of LaPerm's programs. */
size_t graph_nodes(enum graph_input input, enum workload_size size);
/* Node count / 2, or the next that has an edge. */
size_t graph_source(const struct graph *g);

/* The workloads of a program on such a graph. Whoever uses these defines TITLE, which the
 * graph's name ends, and SHARED(of), what is the same of both. */
#define GRAPH_NESTED(program, graph, of)                                        \
    {                                                                           \
        .name = program "_" graph, .title = TITLE graph ", with child kernels", \
        .nested = true, SHARED(of)                                              \
    }
#define GRAPH_FLAT(program, graph, of)                                      \
    {                                                                       \
        .name = program "_" graph "_flat", .title = TITLE graph, SHARED(of) \
    }

struct device_graph {
    gsp_pointer nodes, edges;
};
struct device_graph graph_copy(struct kit *kit, const struct graph *g);

#endif
