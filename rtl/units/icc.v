// icc - the merge table of intra-cluster coalescing: reads of one line by several SMs of a
// cluster go to the network once.
//
// Purpose
//   Stands between the L1s of a cluster's SMs and the cluster's port to the network. A line
//   that has been asked for and not answered has an entry: its address, and a list of the
//   SMs that wait for it. A read of such a line joins the list and is not sent. The answer
//   goes to all SMs of the list, and frees the entry.
//
//                  a lane an entry, N_ENTRY of them
//                 +---------------------------------+
//   request_*_i ->|(=) line_q   list_q   closed_q   |-> hit and open: request_merge_o
//                 | ^             ^         ^       |   no hit, one free: request_track_o
//                 | '- take the   '- join   '- close|
//                 |    lowest free                  |
//   reply_*_i --->|(=)   list with this cycle's SM  |-> reply_sms_o, reply_shared_o
//                 +---------------------------------+
//
//   An entry is in use while its list is not empty. All lines are compared at once, with
//   the request's and with the reply's; at most one entry in use has a line.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_ENTRY         entries of the merge table, 1..160
//   N_SM            SMs of the cluster, 1..16
//   LINE_W          bits of a line's address, 1..45
//   SM_W            bits of an SM's number; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high
//   request_valid_i 1            a request of an SM is at the cluster's port
//   request_line_i  LINE_W       its line
//   request_sm_i    SM_W         of this SM; N_SM and up are never merged
//   request_write_i 1            it writes, or is an atomic: it passes, and closes the line's entry
//   request_alone_i 1            it passes by the table: not a read of global space
//   request_hit_i   1            it has been answered elsewhere, by the coalesced cache: nothing happens
//   request_ready_i 1            the network takes a packet in this cycle
//   request_merge_o 1            the request waits here for the answer to an earlier one; nothing is sent
//   request_track_o 1            the request is sent, and its answer comes to the table: the packet carries this flag
//   reply_valid_i   1            an answer has come to the cluster's port
//   reply_line_i    LINE_W       its line
//   reply_sm_i      SM_W         the SM that its packet names
//   reply_tracked_i 1            the flag of its packet
//   reply_sms_o     N_SM         the SMs that get it
//   reply_shared_o  1            more than one SM asked for it, and nobody has written it since
//   flush_i         1            a kernel starts: all entries close
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   request_merge_o request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, request_hit_i
//   request_track_o request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, request_hit_i,
//                   request_ready_i
//   reply_sms_o     reply_valid_i, reply_line_i, reply_sm_i, reply_tracked_i, request_valid_i, request_line_i,
//                   request_sm_i, request_write_i, request_alone_i, request_hit_i
//   reply_shared_o  reply_valid_i, reply_line_i, reply_tracked_i, request_valid_i, request_line_i, request_sm_i,
//                   request_write_i, request_alone_i, request_hit_i
//
// Timing
//   Throughput  one request and one reply a cycle, both answered in the same cycle; what
//               they do shows in the next.
//
// Contract
//   Entry      a line that has been asked for and not answered: its address, and a list of the SMs that wait for it.
//              It is in use while its list is not empty. A line has at most one entry.
//   Request    acts on the table if it is valid and neither alone nor hit. A write or an atomic passes, whether the
//              network is ready or not; if its line has an entry, the entry closes: no request joins it any more, and
//              its answer is not kept, since it may be older than the write. A read whose line has
//                an open entry    joins its list: request_merge
//                a closed entry   passes untracked
//                no entry         takes the free entry with the lowest number, if one is free and the network is
//                                 ready: request_track. If none is free, it passes untracked
//              To take an entry and to send the request is one step. While request_ready is low nothing is taken, and
//              the SM offers its request again. A request of SM n_sm or above passes: it neither joins nor takes an
//              entry.
//   Reply      one that is tracked and whose line has an entry goes to the SMs of its list, and frees the entry.
//              reply_shared: the list has more than one SM, and the entry is open. Any other reply goes to the SM that
//              its packet names, if there is such an SM, and leaves the table alone: the line may have got an entry
//              since, whose answer is still to come.
//   Both       the request comes first: it may join, or close, the entry that the reply frees. But that entry is not
//              free for it, and one that it takes is not the reply's.
//   Flush      at the start of a kernel: closes the entries that are in use after the request and the reply of the
//              cycle. What is waited for still comes.
//   Illegal    a tracked reply whose line has no entry is treated as untracked. A second request of an SM that waits
//              already joins without effect.
//   Promise    every request is answered once, and none is answered with a line read before a write that its cluster
//              had sent before it.
//
// Reset
//   All lists are empty, so all entries are free. The memory keeps what it holds. closed of a free entry is 0. Outputs
//   do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     icc.c: equal outputs, registers and memory in every cycle after the first reset
//          edge; of the memory, the words written since.
//
// Source
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE
//   Transactions on Computers 2019, section 6. Its cost, 48 entries of 41 + 5 bits, is 276 bytes exactly.
//
// Deviations
//   - The paper counts no valid bit. A list that is not empty says the same.
//   - The paper lets every reply search the table. Then a request that found the table full, and a later one for the
//     same line that found room, get each other's answer, and the first is lost. Built: the packet says whether its
//     request is in the table.
//   - The paper does not speak of writes. Without care a thread could load what it has stored over. Built: a write
//     closes the entry, which costs one bit per entry (closed).

`default_nettype none

module icc #(
    parameter integer N_ENTRY = 48,
    parameter integer N_SM    = 5,
    parameter integer LINE_W  = 41,
    parameter integer SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1
) (
    input  wire              clk,
    input  wire              rst_i,

    input  wire              request_valid_i,
    input  wire [LINE_W-1:0] request_line_i,
    input  wire [SM_W-1:0]   request_sm_i,
    input  wire              request_write_i,
    input  wire              request_alone_i,
    input  wire              request_hit_i,
    input  wire              request_ready_i,
    output wire              request_merge_o,
    output wire              request_track_o,

    input  wire              reply_valid_i,
    input  wire [LINE_W-1:0] reply_line_i,
    input  wire [SM_W-1:0]   reply_sm_i,
    input  wire              reply_tracked_i,
    output wire [N_SM-1:0]   reply_sms_o,
    output wire              reply_shared_o,

    input  wire              flush_i
`ifdef FORMAL
    // What the proof of a composition sees of it; above that, a 1.
    , output wire [1023:0]   f_view_o
`endif
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_ENTRY < 1 || N_ENTRY > 160 || N_SM < 1 || N_SM > 16
            || LINE_W < 1 || LINE_W > 45
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)) begin : g_check
            icc_needs_N_ENTRY_1_to_160_N_SM_1_to_16_LINE_W_1_to_45
                u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    (* mem2reg *)                            // registers, of which all are read
    reg [N_SM-1:0]    list_q [0:N_ENTRY-1];  // of each entry: bit s: SM s waits
    reg [N_ENTRY-1:0] closed_q;              // bit e: entry e takes no more requests
    reg [N_ENTRY-1:0] closed_d;
    reg [N_ENTRY-1:0] lowest_q;              // the lowest entry that is free, a line
    (* mem2reg *)
    reg [LINE_W-1:0]  line_q [0:N_ENTRY-1];  // of each entry: the line's address

    // The same in one vector each, entry 0 lowest; and the entries in use.
    wire [N_ENTRY*N_SM-1:0]   lists;
    wire [N_ENTRY*LINE_W-1:0] lines;
    wire [N_ENTRY-1:0]        used;
    wire [N_ENTRY-1:0]        lowest_d;

    genvar g;
    generate
        for (g = 0; g < N_ENTRY; g = g + 1) begin : g_entry
            assign lists[g*N_SM +: N_SM]     = list_q[g];
            assign lines[g*LINE_W +: LINE_W] = line_q[g];
            assign used[g]                   = list_q[g] != {N_SM{1'b0}};
        end
    endgenerate

    // ---- Search ------------------------------------------------------------

    // Bit e: entry e is in use, and has the line.
    wire [N_ENTRY-1:0] request_entry;
    wire [N_ENTRY-1:0] reply_entry;

    cam #(
        .N     (N_ENTRY),
        .KEY_W (LINE_W)
    ) u_search (
        .keys_i   (lines),
        .valid_i  (used),
        .first_i  (request_line_i),
        .second_i (reply_line_i),
        .first_o  (request_entry),
        .second_o (reply_entry)
    );

    // ---- Request -----------------------------------------------------------
    // One line an SM and an entry; the number of an SM that does not exist shifts the one
    // out of the vector.

    localparam [N_SM-1:0]    SM_0    = 1;
    localparam [N_ENTRY-1:0] ENTRY_0 = 1;

    wire [N_SM-1:0] asker = SM_0 << request_sm_i;
    wire            room  = lowest_q != {N_ENTRY{1'b0}};

    wire acts  = request_valid_i && !request_alone_i && !request_hit_i;
    wire write = acts && request_write_i;
    wire read  = acts && !request_write_i && asker != {N_SM{1'b0}};
    wire merge = read && (request_entry & ~closed_q) != {N_ENTRY{1'b0}};
    wire track = read && request_entry == {N_ENTRY{1'b0}} && room && request_ready_i;

    wire [N_ENTRY-1:0] taken   = lowest_q      & {N_ENTRY{track}};
    wire [N_ENTRY-1:0] joined  = request_entry & {N_ENTRY{merge}};
    wire [N_ENTRY-1:0] closing = request_entry & {N_ENTRY{write}};

    assign request_merge_o = merge;
    assign request_track_o = track;

    // ---- Reply -------------------------------------------------------------

    // What the request does comes last: it may have waited for the coalesced cache.

    wire               tracked = reply_valid_i && reply_tracked_i;
    wire               answers = tracked && reply_entry != {N_ENTRY{1'b0}};
    wire [N_ENTRY-1:0] freed   = reply_entry & {N_ENTRY{tracked}};
    wire               open    = (freed & ~closed_q) != {N_ENTRY{1'b0}};
    wire               meets   = (freed & request_entry) != {N_ENTRY{1'b0}};
    wire [N_SM-1:0]    list;     // of the entry that is freed
    wire               several = (list & (list - SM_0)) != {N_SM{1'b0}};
    wire               another = (list & ~asker) != {N_SM{1'b0}};
    wire               joins   = meets && merge;
    wire [N_SM-1:0]    waiting = list | (asker & {N_SM{joins}});
    wire [N_SM-1:0]    named   = (SM_0 << reply_sm_i) & {N_SM{reply_valid_i}};

    select_line #(
        .N (N_ENTRY),
        .W (N_SM)
    ) u_list (
        .words_i (lists),
        .line_i  (freed),
        .word_o  (list)
    );

    assign reply_sms_o    = answers ? waiting : named;
    assign reply_shared_o = (several || (joins && another)) && open && !(meets && write);

    // ---- Entries -----------------------------------------------------------

    wire [N_ENTRY-1:0] stay = (used | taken) & ~freed;  // in use in the next cycle

    always @* begin : p_close
        closed_d = (closed_q | closing) & stay;

        if (flush_i) closed_d = stay;
    end

    // The lowest free entry is known a cycle ahead, so that no request waits for the search.
    next_free #(
        .N (N_ENTRY)
    ) u_free (
        .used_i   (used),
        .lowest_i (lowest_q),
        .take_i   (track),
        .freed_i  (freed),
        .lowest_o (lowest_d)
    );

    // ---- Clocked -----------------------------------------------------------

    // Each line has its own enable: it is a register that is always compared, not a memory.
    generate
        for (g = 0; g < N_ENTRY; g = g + 1) begin : g_state
            always @(posedge clk) begin
                if (!rst_i && taken[g]) line_q[g] <= request_line_i;
            end

            always @(posedge clk) begin
                if (rst_i || freed[g]) begin
                    list_q[g] <= {N_SM{1'b0}};
                end else if (taken[g] || joined[g]) begin
                    list_q[g] <= lists[g*N_SM +: N_SM] | asker;
                end
            end
        end
    endgenerate

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            closed_q <= {N_ENTRY{1'b0}};
            lowest_q <= ENTRY_0;
        end else begin
            closed_q <= closed_d;
            lowest_q <= lowest_d;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/icc_properties.v.

`ifdef FORMAL
    assign f_view_o = {1'b1, rst_i, request_valid_i, request_line_i, request_sm_i, request_write_i,
                       request_alone_i, request_hit_i, request_ready_i, request_merge_o,
                       request_track_o, reply_valid_i, reply_line_i, reply_sm_i, reply_tracked_i,
                       reply_sms_o, reply_shared_o, flush_i, lists, lines, closed_q, lowest_q};

    icc_properties #(
        .N_ENTRY (N_ENTRY),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
