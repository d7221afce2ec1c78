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
//   request_alone_i 1            it passes by table and cache: not a read or write of global
//                                space
//   request_ready_i 1            the network takes a packet in this cycle
//   request_taken_o 1            the request is dealt with: hit, merged or sent; otherwise it
//                                is offered again
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
//   request_taken_o request_valid_i, request_line_i, request_sm_i, request_write_i,
//                   request_alone_i, request_ready_i, merge_i, keep_i
//   request_hit_o   request_valid_i, request_line_i, request_write_i, request_alone_i, keep_i
//   request_way_o   request_valid_i, request_line_i, request_write_i, request_alone_i, keep_i
//   request_merge_o request_valid_i, request_line_i, request_sm_i, request_write_i,
//                   request_alone_i, merge_i, keep_i
//   request_send_o  request_valid_i, request_line_i, request_sm_i, request_write_i,
//                   request_alone_i, request_ready_i, merge_i, keep_i
//   request_track_o request_valid_i, request_line_i, request_sm_i, request_write_i,
//                   request_alone_i, request_ready_i, merge_i, keep_i
//   reply_sms_o     reply_valid_i, reply_line_i, reply_sm_i, reply_tracked_i, request_valid_i,
//                   request_line_i, request_sm_i, request_write_i, request_alone_i, merge_i,
//                   keep_i
//   reply_keep_o    reply_valid_i, reply_line_i, reply_tracked_i, request_valid_i,
//                   request_line_i, request_sm_i, request_write_i, request_alone_i, merge_i,
//                   keep_i
//   reply_way_o     reply_valid_i, reply_line_i, reply_tracked_i, request_valid_i,
//                   request_line_i, request_sm_i, request_write_i, request_alone_i, merge_i,
//                   keep_i, fifo_i
//
// Timing
//   Throughput  one request and one reply a cycle, both answered in the same cycle; what
//               they do shows in the next.
//
// Contract
//   One request and one reply per cycle, both answered in the same cycle, in this order:
//              1. cache   lookup of the request, if keep is set and the request is not alone
//              2. table   the request (alone, if merge is not set; a hit of the cache cancels
//                         it) and the reply
//              3. cache   insert of the reply's line, if the table says shared and keep is set
//   Request    is taken when it hits, merges, or is sent; it is sent when it does neither of
//              the first two and the network is ready. A request that is not taken is offered
//              again. What a write does to table and cache it does as soon as it is offered.
//   Switches   while merge is low no request meets the table, but replies do: what is waited
//              for comes, and may be kept. While keep is low the cache sees neither requests
//              nor replies, and its lines stay. fifo goes to the cache, flush to both,
//              whatever merge and keep are.
//   Illegal    as in the parts. merge and keep may change only after a flush, or with no entry
//              in use and no line kept. Otherwise a write that came while one of them was low
//              was not seen by what it should have closed, and a later read may be answered
//              with what is older. Nothing is lost, and every request is answered once.
//   Promise    a read that follows a write of its cluster sees it, or what was written later,
//              if the network keeps the order of the requests of a line and the switches
//              change as above.
//
// Reset
//   As in the parts; there are no registers of its own. Outputs do not depend on rst_i, and
//   nothing is taken while it is high.
//
// Twin     cluster_port.c: equal outputs, and registers and memories of the parts, in every
//          cycle after the first reset edge; of the memories, the words written since.
//
// Source
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU
//   NoC Pressure", IEEE Transactions on Computers 2019, section 6.
//
// Deviations
//   - Those of the parts. The paper charges one cycle for the two together. Here both are
//     searched in one cycle, and a request is answered in its own cycle; the GPU model has the
//     paper's cycle, as icc.lookup_latency.

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
    // Proved without a bound by induction, for the sizes in tb/formal: each input of a part is
    // this function of the module's inputs and of the other part's answers, each output this one
    // of the parts' answers; what the parts do with it is proved of them. And after a write no
    // later read of its line is answered with what was there before. f_line stands for any
    // line, f_sm for any SM, and f_mark picks any write of the line that is sent. Of the
    // versions that the line has in memory only this matters: older than that write, or
    // not. So a version is one bit. A reply carries that of the moment when its request was
    // sent, for the network keeps the order of a line's requests and answers each once; it
    // stays with the data in the cache's array. Nets of the parts are seen through the wires
    // of their names below: flattening makes them one. Assertions are a_, covers c_, other
    // proof-only names f_.

`ifdef FORMAL
    (* hierconn *) wire [N_ENTRY*N_SM-1:0]   \u_table.lists ;
    (* hierconn *) wire [N_ENTRY*LINE_W-1:0] \u_table.lines ;
    (* hierconn *) wire [N_ENTRY-1:0]        \u_table.closed_q ;
    (* hierconn *) wire [N_ENTRY-1:0]        \u_table.lowest_q ;
    (* hierconn *) wire [N_LINE-1:0]         \u_cache.valid_q ;
    (* hierconn *) wire [N_LINE*WAY_W-1:0]   \u_cache.places ;
    (* hierconn *) wire [N_LINE*LINE_W-1:0]  \u_cache.tags ;

    // The parts' ports.
    (* hierconn *) wire              \u_cache.rst_i ;
    (* hierconn *) wire              \u_cache.lookup_valid_i ;
    (* hierconn *) wire [LINE_W-1:0] \u_cache.lookup_line_i ;
    (* hierconn *) wire              \u_cache.lookup_write_i ;
    (* hierconn *) wire              \u_cache.lookup_hit_o ;
    (* hierconn *) wire [WAY_W-1:0]  \u_cache.lookup_way_o ;
    (* hierconn *) wire              \u_cache.insert_valid_i ;
    (* hierconn *) wire [LINE_W-1:0] \u_cache.insert_line_i ;
    (* hierconn *) wire [WAY_W-1:0]  \u_cache.insert_way_o ;
    (* hierconn *) wire              \u_cache.fifo_i ;
    (* hierconn *) wire              \u_cache.flush_i ;
    (* hierconn *) wire              \u_table.rst_i ;
    (* hierconn *) wire              \u_table.request_valid_i ;
    (* hierconn *) wire [LINE_W-1:0] \u_table.request_line_i ;
    (* hierconn *) wire [SM_W-1:0]   \u_table.request_sm_i ;
    (* hierconn *) wire              \u_table.request_write_i ;
    (* hierconn *) wire              \u_table.request_alone_i ;
    (* hierconn *) wire              \u_table.request_hit_i ;
    (* hierconn *) wire              \u_table.request_ready_i ;
    (* hierconn *) wire              \u_table.request_merge_o ;
    (* hierconn *) wire              \u_table.request_track_o ;
    (* hierconn *) wire              \u_table.reply_valid_i ;
    (* hierconn *) wire [LINE_W-1:0] \u_table.reply_line_i ;
    (* hierconn *) wire [SM_W-1:0]   \u_table.reply_sm_i ;
    (* hierconn *) wire              \u_table.reply_tracked_i ;
    (* hierconn *) wire [N_SM-1:0]   \u_table.reply_sms_o ;
    (* hierconn *) wire              \u_table.reply_shared_o ;
    (* hierconn *) wire              \u_table.flush_i ;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [LINE_W-1:0] f_line;
    (* anyconst *) reg [SM_W-1:0]   f_sm;
    (* anyseq *)   reg              f_mark;

    // What happens to the line in this cycle.
    wire f_asked   = !rst_i && request_valid_i && !request_alone_i && request_line_i == f_line;
    wire f_written = f_asked && request_write_i && request_send_o;
    wire f_tracked = f_asked && request_track_o;
    wire f_merged  = f_asked && request_merge_o;
    wire f_waits   = (f_merged || f_tracked) && request_sm_i == f_sm;
    wire f_reply   = !rst_i && reply_valid_i && reply_line_i == f_line && reply_tracked_i;
    wire f_kept    = !rst_i && reply_keep_o;

    reg              f_memory;      // the picked write has been sent
    reg              f_flying;      // a tracked request is in the network, or its reply is
    reg              f_version;     // of that reply
    reg              f_owed;        // the SM waits for it since after the write
    reg [N_LINE-1:0] f_data_line;   // bit w: way w of the data array has the line
    reg [N_LINE-1:0] f_data_version;
    reg              f_unseen;      // keep was low since the last flush
    reg              f_merge;       // merge, in the last cycle
    reg              f_flush;       // flush or reset, in the last cycle

    always @(posedge clk) begin
        f_memory <= !rst_i && (f_memory || (f_written && f_mark));
        f_flying <= !rst_i && (f_tracked || (f_flying && !f_reply));
        if (f_tracked) f_version <= f_memory;
        f_owed   <= !rst_i && !f_reply && (f_owed || (f_waits && f_memory));
        if (f_kept) begin
            f_data_line   [reply_way_o] <= reply_line_i == f_line;
            f_data_version[reply_way_o] <= f_version;
        end
        f_unseen <= !rst_i && !flush_i && (f_unseen || !keep_i);
        f_merge  <= merge_i;
        f_flush  <= rst_i || flush_i;
    end

    // Environment: reset first; f_sm exists; a reply that is tracked has a request; keep is
    // set again after a flush only, and merge changes only then.
    always @* begin
        assume (f_sm < N_SM);
        if (!f_started) assume (rst_i);
        if (f_reply) assume (f_flying);
        if (f_started && !rst_i) begin
            assume (!keep_i || !f_unseen);
            assume (merge_i == f_merge || f_flush);
        end
    end

    // The line's entry, and its way.
    wire [31:0]     f_n_entry;
    wire [31:0]     f_number;
    wire [N_SM-1:0] f_list;
    wire            f_closed;
    wire            f_lowest;
    wire            f_apart;
    wire [31:0]     f_n_way;
    wire [31:0]     f_way;
    wire            f_permutation;
    wire            f_valid_first;
    wire            f_lines_apart;

    icc_ghost #(
        .N_ENTRY (N_ENTRY),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) f_in_table (
        .lists_i   (\u_table.lists ),
        .lines_i   (\u_table.lines ),
        .closed_i  (\u_table.closed_q ),
        .lowest_i  (\u_table.lowest_q ),
        .line_i    (f_line),
        .entries_o (f_n_entry),
        .number_o  (f_number),
        .list_o    (f_list),
        .closed_o  (f_closed),
        .lowest_o  (f_lowest),
        .apart_o   (f_apart)
    );

    coalesced_cache_ghost #(
        .N_LINE (N_LINE),
        .LINE_W (LINE_W)
    ) f_in_cache (
        .valid_i       (\u_cache.valid_q ),
        .places_i      (\u_cache.places ),
        .tags_i        (\u_cache.tags ),
        .line_i        (f_line),
        .ways_o        (f_n_way),
        .number_o      (f_way),
        .permutation_o (f_permutation),
        .valid_first_o (f_valid_first),
        .apart_o       (f_lines_apart)
    );

    // What the cache and the table are to see of a request: nothing of other spaces, and
    // nothing while they are not in use; the table none that hit.
    wire f_global = request_valid_i && !request_alone_i;
    wire f_looked = f_global && keep_i;
    wire f_tabled = f_global && merge_i && !\u_cache.lookup_hit_o ;

    always @(posedge clk) begin
        if (f_started) begin
            // The parts get this and no more, whatever merge, keep, fifo and flush did before.
            a_looked  : assert (\u_cache.lookup_valid_i == f_looked);
            a_lookup  : assert (!f_looked || (\u_cache.lookup_line_i == request_line_i
                                              && \u_cache.lookup_write_i == request_write_i));
            a_tabled  : assert (( \u_table.request_valid_i && ! \u_table.request_alone_i
                                  && ! \u_table.request_hit_i ) == f_tabled);
            a_request : assert (!f_tabled || (\u_table.request_line_i == request_line_i
                                              && \u_table.request_sm_i == request_sm_i
                                              && \u_table.request_write_i == request_write_i
                                              && \u_table.request_ready_i == request_ready_i));
            a_replies : assert (\u_table.reply_valid_i == reply_valid_i);
            a_reply   : assert (!reply_valid_i || (\u_table.reply_line_i == reply_line_i
                                                   && \u_table.reply_sm_i == reply_sm_i
                                                   && \u_table.reply_tracked_i == reply_tracked_i));
            a_inserts : assert (\u_cache.insert_valid_i == ( \u_table.reply_shared_o && keep_i));
            a_insert  : assert (! \u_cache.insert_valid_i || \u_cache.insert_line_i == reply_line_i);
            a_fifo    : assert (\u_cache.fifo_i == fifo_i);
            a_flushes : assert (\u_cache.flush_i == flush_i && \u_table.flush_i == flush_i);
            a_resets  : assert (\u_cache.rst_i == rst_i && \u_table.rst_i == rst_i);

            // And the outputs are what the parts answer.
            a_outputs : assert (request_hit_o == \u_cache.lookup_hit_o
                                && request_way_o == \u_cache.lookup_way_o
                                && request_merge_o == \u_table.request_merge_o
                                && request_track_o == \u_table.request_track_o
                                && reply_sms_o == \u_table.reply_sms_o
                                && reply_keep_o == \u_cache.insert_valid_i
                                && reply_way_o == \u_cache.insert_way_o );
            a_send    : assert (request_send_o == (request_valid_i && request_ready_i
                                                   && !request_hit_o && !request_merge_o));

            // A request is dealt with in one way.
            a_taken : assert (request_taken_o
                              == (request_hit_o || request_merge_o || request_send_o));
            a_one   : assert (request_hit_o + request_merge_o + request_send_o <= 1);
            a_valid : assert (request_valid_i || !request_taken_o);
            a_ready : assert (!request_valid_i || !request_ready_i || request_taken_o);
            a_sent  : assert (!request_send_o || request_ready_i);
            a_track : assert (!request_track_o || request_send_o);
            a_write : assert (!request_write_i || !(request_hit_o || request_merge_o));
            a_alone : assert (!request_alone_i || !(request_hit_o || request_merge_o
                                                    || request_track_o));
            a_off   : assert ((keep_i || !(request_hit_o || reply_keep_o))
                              && (merge_i || !(request_merge_o || request_track_o)));

            // The table has an entry while the answer is to come, and it is closed once it
            // may be older than a write; the cache has no line that is.
            a_entry   : assert (f_n_entry == f_flying);
            a_closed  : assert (!f_flying || !f_memory || f_version || f_closed);
            a_flush   : assert (!f_flying || f_closed || (f_merge && !f_flush));
            a_one_way : assert (f_n_way <= 1);
            a_data    : assert (f_n_way == 0 || f_data_line[f_way]);
            a_version : assert (f_n_way == 0 || !f_memory || f_data_version[f_way] || f_unseen);
            // As it is proved of the parts.
            a_parts   : assert (f_lowest && f_apart && f_permutation && f_lines_apart);

            // A read after the write that hits, sees it;
            if (f_asked && request_hit_o) begin
                a_hit_line : assert (f_data_line[request_way_o]);
                a_hit      : assert (!f_memory || f_data_version[request_way_o]);
            end
            // one that merges waits for an answer that does, and gets it; and one that is
            // tracked gets its own.
            if (f_merged)
                a_merge    : assert (f_flying && (!f_memory || f_version));
            if (f_owed)
                a_owed     : assert (f_flying && f_list[f_sm] && f_version);
            if (f_reply && (f_owed || f_waits))
                a_answer   : assert (reply_sms_o[f_sm]);
            // After a write the line is gone, as soon as it is offered.
            if ($past(f_asked && request_write_i && keep_i
                      && !(f_kept && reply_line_i == f_line)))
                a_goes     : assert (f_n_way == 0);
            // What is kept is not older than the write, nor older than one that is offered.
            if (f_kept && reply_line_i == f_line)
                a_keep     : assert (f_reply && (!f_memory || f_version)
                                     && !(f_asked && request_write_i && merge_i));

            // Reachable: reads after the write that hit, or pass an entry that is closed; an
            // older answer that comes after it; and with it.
            c_old    : cover (f_reply && f_memory && !f_version);
            c_meets  : cover (f_reply && f_written && f_mark);
            c_passes : cover (f_asked && f_memory && f_flying && !f_version && !request_write_i
                              && request_send_o);
        end
    end

    generate
        if (N_SM > 1) begin : f_sms
            always @(posedge clk) begin
                c_hit   : cover (f_started && f_asked && f_memory && request_hit_o);
                c_merge : cover (f_started && f_owed && f_reply && reply_keep_o);
            end
        end
    endgenerate
`endif

endmodule

`default_nettype wire
