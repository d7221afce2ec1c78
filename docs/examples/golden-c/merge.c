/*
 * merge - four SMs of a cluster ask for lines through the merge table of intra-cluster
 * coalescing, which has two entries here. Prints each cycle, as the golden model sees it.
 */

#include <inttypes.h>
#include <stdio.h>

#include "units/icc.h"

enum { N_ENTRY = 2, N_SM = 4, COLUMN = 34 };

/* What is at the cluster's port in a cycle: a request of an SM, or an answer for it. */
#define REQUEST(sm, letter, write)                                           \
    {                                                                        \
        .request_valid = true, .request_line = (letter), .request_sm = (sm), \
        .request_write = (write), .request_ready = true                      \
    }
#define ANSWER(sm, letter, tracked)                                    \
    {                                                                  \
        .reply_valid = true, .reply_line = (letter), .reply_sm = (sm), \
        .reply_tracked = (tracked)                                     \
    }

static const struct icc_in story[] = {
    REQUEST(0u, 'A', false), REQUEST(2u, 'A', false), REQUEST(1u, 'B', false),
    REQUEST(3u, 'A', false), REQUEST(3u, 'D', false), REQUEST(1u, 'A', true),
    REQUEST(1u, 'A', false), REQUEST(2u, 'B', false), ANSWER(0u, 'A', true),
    ANSWER(3u, 'D', false),  ANSWER(1u, 'A', false),  ANSWER(1u, 'B', true),
};

/* The SMs of a set, each in its place: "0   2 3". Returns the width. */
static int print_set(struct bits set)
{
    for (uint32_t sm = 0u; sm < N_SM; sm++) {
        printf(" %c", bits_has(set, sm) ? (char)('0' + sm) : ' ');
    }
    return 2 * N_SM;
}

static void print_port(const struct icc_in *in, const struct icc_out *out)
{
    int width;

    if (in->request_valid) {
        width = printf("SM %" PRIu32 " %-6s %c   %s", in->request_sm,
                       in->request_write ? "writes" : "reads", (char)in->request_line,
                       out->request_merge   ? "waits"
                       : out->request_track ? "sent, tracked"
                                            : "sent");
    } else {
        width = printf("answer %c goes to", (char)in->reply_line);
        width += print_set(out->reply_sms);
        width += printf("%s", out->reply_shared ? "  shared" : "");
    }
    printf("%*s", COLUMN - width, "");
}

/* The entries after the cycle: line, SMs that wait for it, whether a write has closed it. */
static void print_table(const struct icc *table)
{
    for (uint32_t e = 0u; e < N_ENTRY; e++) {
        const struct bits list = { { table->q.list[e] } };
        printf("| %c ", bits_any(list) ? (char)table->mem.line[e] : ' ');
        print_set(list);
        printf("  %-6s ", bits_has(table->q.closed, e) ? "closed" : "");
    }
    printf("|\n");
}

int main(void)
{
    const struct icc_config config = { .n_entry = N_ENTRY, .n_sm = N_SM, .line_w = 8u };
    struct icc table;
    uint32_t n_read = 0u;
    uint32_t n_wait = 0u;

    if (icc_init(&table, &config) != icc_ok) {
        return 2;
    }
    printf("cycle   %-*s| %-18s | %-18s |\n", COLUMN, "at the port", "entry 0", "entry 1");
    for (size_t cycle = 0u; cycle < sizeof story / sizeof story[0]; cycle++) {
        const struct icc_in *const in = &story[cycle];
        struct icc_out out;
        struct icc_next next;

        icc_eval(&table, in, &out, &next); /* the cycle: outputs, and what its edge will do */
        icc_tick(&table, &next);           /* the edge */
        printf("%5zu   ", cycle);
        print_port(in, &out);
        print_table(&table);
        n_read += in->request_valid && !in->request_write;
        n_wait += out.request_merge;
    }
    printf("\n%" PRIu32 " reads, %" PRIu32 " of them went to the network\n", n_read,
           n_read - n_wait);
    return 0;
}
