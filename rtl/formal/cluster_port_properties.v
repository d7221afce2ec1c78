// cluster_port_properties - what is proved of the cluster's port, without a bound by induction, for the sizes in
// tb/units/cluster_port.
//
// Each input of a part is this function of the module's inputs and of the other part's answers, each output this one of the
// parts' answers; what the parts do with it is proved of them. And after a write no later read of its line is answered
// with what was there before.
//
// Ports: those of the module, and of its parts f_cache and f_table, what they see and hold. f_line stands for any line, f_sm
// for any SM, and f_mark picks any write of the line that is sent. Of the versions that the line has in memory only this
// matters: older than that write, or not. So a version is one bit. A reply carries that of the moment when its request was
// sent, for the network keeps the order of a line's requests and answers each once; it stays with the data in the cache's
// array. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module cluster_port_properties #(
    parameter integer N_ENTRY = 48,
    parameter integer N_LINE  = 24,
    parameter integer N_SM    = 5,
    parameter integer LINE_W  = 41,
    parameter integer SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer WAY_W   = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
    input wire clk, rst_i, request_valid_i, request_write_i, request_alone_i, request_ready_i, request_taken_o,
               request_hit_o, request_merge_o, request_send_o, request_track_o, reply_valid_i, reply_tracked_i,
               reply_keep_o, merge_i, keep_i, fifo_i, flush_i,
    input wire [LINE_W-1:0] request_line_i, reply_line_i,
    input wire [SM_W-1:0] request_sm_i, reply_sm_i,
    input wire [WAY_W-1:0] request_way_o, reply_way_o,
    input wire [N_SM-1:0] reply_sms_o,
    // Registers and nets.
    input wire [1023:0] f_cache, f_table
);

    // What the parts see and hold, in the order of their f_view_o.
    wire cache_whole, table_whole;
    wire cache_rst_i, cache_lookup_valid_i, cache_lookup_write_i, cache_lookup_hit_o, cache_insert_valid_i,
         cache_fifo_i, cache_flush_i;
    wire [LINE_W-1:0] cache_lookup_line_i, cache_insert_line_i;
    wire [WAY_W-1:0] cache_lookup_way_o, cache_insert_way_o;
    wire [N_LINE-1:0] cache_valid_q;
    wire [N_LINE*WAY_W-1:0] cache_places;
    wire [N_LINE*LINE_W-1:0] cache_tags;
    wire table_rst_i, table_request_valid_i, table_request_write_i, table_request_alone_i, table_request_hit_i,
         table_request_ready_i, table_request_merge_o, table_request_track_o, table_reply_valid_i,
         table_reply_tracked_i, table_reply_shared_o, table_flush_i;
    wire [LINE_W-1:0] table_request_line_i, table_reply_line_i;
    wire [SM_W-1:0] table_request_sm_i, table_reply_sm_i;
    wire [N_SM-1:0] table_reply_sms_o;
    wire [N_ENTRY*N_SM-1:0] table_lists;
    wire [N_ENTRY*LINE_W-1:0] table_lines;
    wire [N_ENTRY-1:0] table_closed_q, table_lowest_q;
    assign {cache_whole, cache_rst_i, cache_lookup_valid_i, cache_lookup_line_i, cache_lookup_write_i,
            cache_lookup_hit_o, cache_lookup_way_o, cache_insert_valid_i, cache_insert_line_i,
            cache_insert_way_o, cache_fifo_i, cache_flush_i, cache_valid_q, cache_places, cache_tags} = f_cache;
    assign {table_whole, table_rst_i, table_request_valid_i, table_request_line_i, table_request_sm_i,
            table_request_write_i, table_request_alone_i, table_request_hit_i, table_request_ready_i,
            table_request_merge_o, table_request_track_o, table_reply_valid_i, table_reply_line_i,
            table_reply_sm_i, table_reply_tracked_i, table_reply_sms_o, table_reply_shared_o, table_flush_i,
            table_lists, table_lines, table_closed_q, table_lowest_q} = f_table;

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
        .lists_i   (table_lists),
        .lines_i   (table_lines),
        .closed_i  (table_closed_q),
        .lowest_i  (table_lowest_q),
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
        .valid_i       (cache_valid_q),
        .places_i      (cache_places),
        .tags_i        (cache_tags),
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
    wire f_tabled = f_global && merge_i && !cache_lookup_hit_o;

    always @(posedge clk) begin
        if (f_started) begin
            a_views   : assert (cache_whole && table_whole);

            // The parts get this and no more, whatever merge, keep, fifo and flush did before.
            a_looked  : assert (cache_lookup_valid_i== f_looked);
            a_lookup  : assert (!f_looked || (cache_lookup_line_i== request_line_i
                                              && cache_lookup_write_i== request_write_i));
            a_tabled  : assert ((table_request_valid_i&& !table_request_alone_i
                                  && !table_request_hit_i) == f_tabled);
            a_request : assert (!f_tabled || (table_request_line_i== request_line_i
                                              && table_request_sm_i== request_sm_i
                                              && table_request_write_i== request_write_i
                                              && table_request_ready_i== request_ready_i));
            a_replies : assert (table_reply_valid_i== reply_valid_i);
            a_reply   : assert (!reply_valid_i || (table_reply_line_i== reply_line_i
                                                   && table_reply_sm_i== reply_sm_i
                                                   && table_reply_tracked_i== reply_tracked_i));
            a_inserts : assert (cache_insert_valid_i== (table_reply_shared_o&& keep_i));
            a_insert  : assert (!cache_insert_valid_i|| cache_insert_line_i== reply_line_i);
            a_fifo    : assert (cache_fifo_i== fifo_i);
            a_flushes : assert (cache_flush_i== flush_i && table_flush_i== flush_i);
            a_resets  : assert (cache_rst_i== rst_i && table_rst_i== rst_i);

            // And the outputs are what the parts answer.
            a_outputs : assert (request_hit_o == cache_lookup_hit_o
                                && request_way_o == cache_lookup_way_o
                                && request_merge_o == table_request_merge_o
                                && request_track_o == table_request_track_o
                                && reply_sms_o == table_reply_sms_o
                                && reply_keep_o == cache_insert_valid_i
                                && reply_way_o == cache_insert_way_o);
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

endmodule

`default_nettype wire
