// cluster_port - what stands between the L1s of a cluster's SMs and the network: the merge
// table of intra-cluster coalescing and the coalesced cache.
//
// Purpose
//   Takes the requests that miss in the L1s, and answers as many as it can without the
//   network: a read whose line the cache has, and a read whose line is on its way already.
//   It is these two units and the wires between them.
//
//                  +---------+
//   request_*_i -->| u_cache |---------------- hit ------------> request_hit_o, _way_o
//          |       | lookup  |  |
//          |       +---------+  v cancels
//          |                 +---------+------ merge ----------> request_merge_o
//          '---------------->|         |       neither --------> request_send_o
//                            | u_table |------ track ----------> request_track_o
//   reply_*_i -------------->|         |-----------------------> reply_sms_o
//          |                 +---------+
//          |       +---------+  | shared
//          '------>| u_cache |<-'
//                  | insert  |---------------------------------> reply_keep_o, _way_o
//                  +---------+
//
// Parameters, outside of whose ranges it does not elaborate
//   N_ENTRY         entries of the merge table, 1..160
//   N_LINE          lines of the coalesced cache, 1..64
//   N_SM            SMs of the cluster, 1..16
//   LINE_W          bits of a line's address, 1..45
//   SM_W            bits of an SM's number; derived, never overridden
//   WAY_W           bits of a way's number; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high
//   request_valid_i 1            a request of an SM is at the cluster's port
//   request_line_i  LINE_W       its line
//   request_sm_i    SM_W         of this SM
//   request_write_i 1            it writes, or is an atomic
//   request_alone_i 1            it passes by table and cache: not a read or write of global space
//   request_ready_i 1            the network takes a packet in this cycle
//   request_taken_o 1            the request is dealt with: hit, merged or sent; otherwise it is offered again
//   request_hit_o   1            the coalesced cache has the line
//   request_way_o   WAY_W        in this way of its data array; 0 without request_hit
//   request_merge_o 1            the request waits for the answer to an earlier one
//   request_send_o  1            the request goes to the network
//   request_track_o 1            its packet carries this flag: the answer comes to the table
//   reply_valid_i   1            an answer has come to the cluster's port
//   reply_line_i    LINE_W       its line
//   reply_sm_i      SM_W         the SM that its packet names
//   reply_tracked_i 1            the flag of its packet
//   reply_sms_o     N_SM         the SMs that get it
//   reply_keep_o    1            the coalesced cache keeps it
//   reply_way_o     WAY_W        in this way of its data array; 0 without reply_keep
//   merge_i         1            the merge table is in use; otherwise nothing enters it
//   keep_i          1            the coalesced cache is in use; otherwise nothing enters it
//   fifo_i          1            its replacement is first in, first out; otherwise LRU
//   flush_i         1            a kernel starts
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   request_taken_o request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, request_ready_i,
//                   merge_i, keep_i
//   request_hit_o   request_valid_i, request_line_i, request_write_i, request_alone_i, keep_i
//   request_way_o   request_valid_i, request_line_i, request_write_i, request_alone_i, keep_i
//   request_merge_o request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, merge_i, keep_i
//   request_send_o  request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, request_ready_i,
//                   merge_i, keep_i
//   request_track_o request_valid_i, request_line_i, request_sm_i, request_write_i, request_alone_i, request_ready_i,
//                   merge_i, keep_i
//   reply_sms_o     reply_valid_i, reply_line_i, reply_sm_i, reply_tracked_i, request_valid_i, request_line_i,
//                   request_sm_i, request_write_i, request_alone_i, merge_i, keep_i
//   reply_keep_o    reply_valid_i, reply_line_i, reply_tracked_i, request_valid_i, request_line_i, request_sm_i,
//                   request_write_i, request_alone_i, merge_i, keep_i
//   reply_way_o     reply_valid_i, reply_line_i, reply_tracked_i, request_valid_i, request_line_i, request_sm_i,
//                   request_write_i, request_alone_i, merge_i, keep_i, fifo_i
//
// Timing
//   Throughput  one request and one reply a cycle, both answered in the same cycle; what
//               they do shows in the next.
//
// Contract
//   One request and one reply per cycle, both answered in the same cycle, in this order:
//              1. cache   lookup of the request, if keep is set and the request is not alone
//              2. table   the request (alone, if merge is not set; a hit of the cache cancels it) and the reply
//              3. cache   insert of the reply's line, if the table says shared and keep is set
//   Request    is taken when it hits, merges, or is sent; it is sent when it does neither of the first two and the
//              network is ready. A request that is not taken is offered again. What a write does to table and cache it
//              does as soon as it is offered.
//   Switches   while merge is low no request meets the table, but replies do: what is waited for comes, and may be
//              kept. While keep is low the cache sees neither requests nor replies, and its lines stay. fifo goes to
//              the cache, flush to both, whatever merge and keep are.
//   Illegal    as in the parts. merge and keep may change only after a flush, or with no entry in use and no line
//              kept. Otherwise a write that came while one of them was low was not seen by what it should have closed,
//              and a later read may be answered with what is older. Nothing is lost, and every request is answered
//              once.
//   Promise    a read that follows a write of its cluster sees it, or what was written later, if the network keeps the
//              order of the requests of a line and the switches change as above.
//
// Reset
//   As in the parts; there are no registers of its own. Outputs do not depend on rst_i, and nothing is taken while it
//   is high.
//
// Twin     cluster_port.c: equal outputs, and registers and memories of the parts, in every
//          cycle after the first reset edge; of the memories, the words written since.
//
// Source
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE
//   Transactions on Computers 2019, section 6.
//
// Deviations
//   - Those of the parts. The paper charges one cycle for the two together. Here both are searched in one cycle, and a
//     request is answered in its own cycle; the GPU model has the paper's cycle, as icc.lookup_latency.

`default_nettype none

module cluster_port #(
    parameter integer N_ENTRY = 48,
    parameter integer N_LINE  = 24,
    parameter integer N_SM    = 5,
    parameter integer LINE_W  = 41,
    parameter integer SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer WAY_W   = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
    input  wire              clk,
    input  wire              rst_i,

    input  wire              request_valid_i,
    input  wire [LINE_W-1:0] request_line_i,
    input  wire [SM_W-1:0]   request_sm_i,
    input  wire              request_write_i,
    input  wire              request_alone_i,
    input  wire              request_ready_i,
    output wire              request_taken_o,
    output wire              request_hit_o,
    output wire [WAY_W-1:0]  request_way_o,
    output wire              request_merge_o,
    output wire              request_send_o,
    output wire              request_track_o,

    input  wire              reply_valid_i,
    input  wire [LINE_W-1:0] reply_line_i,
    input  wire [SM_W-1:0]   reply_sm_i,
    input  wire              reply_tracked_i,
    output wire [N_SM-1:0]   reply_sms_o,
    output wire              reply_keep_o,
    output wire [WAY_W-1:0]  reply_way_o,

    input  wire              merge_i,
    input  wire              keep_i,
    input  wire              fifo_i,
    input  wire              flush_i
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message. The parts check the others.

    generate
        if (N_ENTRY < 1 || N_ENTRY > 160 || N_LINE < 1 || N_LINE > 64
            || N_SM < 1 || N_SM > 16 || LINE_W < 1 || LINE_W > 45
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || WAY_W != ((N_LINE > 1) ? $clog2(N_LINE) : 1)) begin : g_check
            cluster_port_needs_N_ENTRY_1_to_160_N_LINE_1_to_64_N_SM_1_to_16_LINE_W_1_to_45
                u_stop ();
        end
    endgenerate

`ifdef FORMAL
    wire [1023:0] f_cache;  // what the parts see and hold
    wire [1023:0] f_table;
`endif

    // ---- Cache -------------------------------------------------------------

    wire hit;
    wire shared;
    wire insert = shared && keep_i;

    coalesced_cache #(
        .N_LINE (N_LINE),
        .LINE_W (LINE_W)
    ) u_cache (
        .clk            (clk),
        .rst_i          (rst_i),
        .lookup_valid_i (request_valid_i && !request_alone_i && keep_i),
        .lookup_line_i  (request_line_i),
        .lookup_write_i (request_write_i),
        .lookup_hit_o   (hit),
        .lookup_way_o   (request_way_o),
        .insert_valid_i (insert),
        .insert_line_i  (reply_line_i),
        .insert_way_o   (reply_way_o),
        .fifo_i         (fifo_i),
        .flush_i        (flush_i)
`ifdef FORMAL
        , .f_view_o     (f_cache)
`endif
    );

    // ---- Table -------------------------------------------------------------

    wire merge;

    icc #(
        .N_ENTRY (N_ENTRY),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) u_table (
        .clk             (clk),
        .rst_i           (rst_i),
        .request_valid_i (request_valid_i),
        .request_line_i  (request_line_i),
        .request_sm_i    (request_sm_i),
        .request_write_i (request_write_i),
        .request_alone_i (request_alone_i || !merge_i),
        .request_hit_i   (hit),
        .request_ready_i (request_ready_i),
        .request_merge_o (merge),
        .request_track_o (request_track_o),
        .reply_valid_i   (reply_valid_i),
        .reply_line_i    (reply_line_i),
        .reply_sm_i      (reply_sm_i),
        .reply_tracked_i (reply_tracked_i),
        .reply_sms_o     (reply_sms_o),
        .reply_shared_o  (shared),
        .flush_i         (flush_i)
`ifdef FORMAL
        , .f_view_o      (f_table)
`endif
    );

    // ---- Request and reply -------------------------------------------------

    wire answered = hit || merge;
    wire send     = request_valid_i && !answered && request_ready_i;

    assign request_taken_o = answered || send;
    assign request_hit_o   = hit;
    assign request_merge_o = merge;
    assign request_send_o  = send;
    assign reply_keep_o    = insert;

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/cluster_port_properties.v.

`ifdef FORMAL
    cluster_port_properties #(
        .N_ENTRY (N_ENTRY),
        .N_LINE  (N_LINE),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
