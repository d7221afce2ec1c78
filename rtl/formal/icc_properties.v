// icc_properties - what is proved of the merge table, without a bound by induction, for the sizes in tb/units/icc.
//
// Ports: those of the table, and nets of it, under their names. f_line stands for any line, f_sm for any SM. What the table
// owes them is kept beside the design: that the SM waits, and that the line was written since its request was sent.
// Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module icc_properties #(
    parameter integer N_ENTRY = 48,
    parameter integer N_SM    = 5,
    parameter integer LINE_W  = 41,
    parameter integer SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1
) (
    input wire clk, rst_i, request_valid_i, request_write_i, request_alone_i, request_hit_i, request_ready_i,
               request_merge_o, request_track_o, reply_valid_i, reply_tracked_i, reply_shared_o, flush_i,
    input wire [LINE_W-1:0] request_line_i, reply_line_i,
    input wire [SM_W-1:0] request_sm_i, reply_sm_i,
    input wire [N_SM-1:0] reply_sms_o,
    // Registers and nets.
    input wire [N_ENTRY-1:0] closed_q, lowest_q, used,
    input wire [N_ENTRY*N_SM-1:0] lists,
    input wire [N_ENTRY*LINE_W-1:0] lines
);

    localparam [N_ENTRY-1:0] ENTRY_0 = 1;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [LINE_W-1:0] f_line;
    (* anyconst *) reg [SM_W-1:0]   f_sm;

    // Environment: reset first; f_sm exists.
    always @* begin
        assume (f_sm < N_SM);
        if (!f_started) assume (rst_i);
    end

    // The line's entry: how many there are, the only one's number, and its list.
    wire [31:0]     f_n_entry;
    wire [31:0]     f_number;
    wire [N_SM-1:0] f_list;
    wire            f_closed;
    wire            f_lowest;
    wire            f_apart;

    icc_ghost #(
        .N_ENTRY (N_ENTRY),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) f_table (
        .lists_i   (lists),
        .lines_i   (lines),
        .closed_i  (closed_q),
        .lowest_i  (lowest_q),
        .line_i    (f_line),
        .entries_o (f_n_entry),
        .number_o  (f_number),
        .list_o    (f_list),
        .closed_o  (f_closed),
        .lowest_o  (f_lowest),
        .apart_o   (f_apart)
    );

    integer f_k;
    integer f_n_given;
    always @* begin
        f_n_given = 0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1) f_n_given = f_n_given + reply_sms_o[f_k];
    end

    // What happens to the line in this cycle, in the words of the contract.
    wire f_pending = f_n_entry != 0;
    wire f_open    = f_pending && !f_closed;
    wire f_acts    = request_valid_i && !request_alone_i && !request_hit_i
                     && request_line_i == f_line;
    wire f_write   = f_acts && request_write_i;
    wire f_read    = f_acts && !request_write_i && request_sm_i < N_SM;
    wire f_waiting = f_read && (request_merge_o || request_track_o);
    wire f_asks    = f_waiting && request_sm_i == f_sm;
    wire f_reply   = reply_valid_i && reply_line_i == f_line;
    wire f_answer  = f_reply && reply_tracked_i && f_pending;

    reg f_waits;    // the SM has asked for the line, by a request that the table answers
    reg f_written;  // a write or a flush came since the line's request was sent
    always @(posedge clk) begin
        if (rst_i) begin
            f_waits   <= 1'b0;
        end else begin
            f_waits   <= (f_waits || f_asks) && !(f_answer && reply_sms_o[f_sm]);
            f_written <= (f_written && f_pending) || f_write || flush_i;
        end
    end

    reg  [N_ENTRY-1:0] f_free;  // in the last cycle
    always @(posedge clk) f_free <= ~used;
    wire [N_ENTRY-1:0] f_new = used & f_free;

    always @(posedge clk) begin
        if (f_started) begin
            // A line has at most one entry, and only entries in use are closed.
            a_one_entry : assert (f_n_entry <= 1 && f_apart);
            a_closed    : assert ((closed_q & ~used) == 0);
            // The lowest free entry is a function of the lists.
            a_lowest    : assert (f_lowest);
            a_lowest_q  : assert (lowest_q == (~used & (used + ENTRY_0)));

            // No requester is lost, and none is answered twice: an SM is in the list exactly
            // while it waits, and an answer goes to those who wait.
            a_listed    : assert (f_list[f_sm] == f_waits);
            if (f_answer)
                a_answer   : assert (reply_sms_o[f_sm] == (f_waits || f_asks));
            if (f_reply && !f_answer)
                a_named    : assert (reply_sms_o[f_sm] == (reply_sm_i == f_sm));
            if (!reply_valid_i)
                a_no_reply : assert (reply_sms_o == 0);

            // Nobody joins, and nothing is kept, after a write.
            if (f_pending)
                a_written  : assert (f_closed == f_written);
            if (f_answer)
                a_shared   : assert (reply_shared_o
                                     == (f_n_given > 1 && !f_written && !f_write));
            if (!f_answer && reply_line_i == f_line)
                a_private  : assert (!reply_shared_o);

            // Requests.
            if (request_line_i == f_line) begin
                a_merge    : assert (request_merge_o == (f_read && f_open));
                a_track    : assert (request_track_o == (f_read && !f_pending && !(&used)
                                                         && request_ready_i));
            end

            // Entries come with a tracked request, the lowest free one, and go with a
            // tracked reply; nothing else changes them.
            if ($past(!rst_i)) begin
                if ($past(request_track_o)) begin
                    a_new        : assert (f_new != 0
                                           && ((f_new - 1) & f_free) == 0
                                           && (f_new & (f_new - 1)) == 0);
                end else begin
                    a_none_new   : assert (f_new == 0);
                end
                if ($past(!reply_valid_i || !reply_tracked_i))
                    a_left_alone : assert ((lists & $past(lists)) == $past(lists)
                                           && (closed_q & $past(closed_q)) == $past(closed_q));
                if ($past(f_answer))
                    a_freed      : assert (!f_pending);
                if ($past(f_waits && !f_answer))
                    a_kept       : assert (f_waits && f_pending);
                if ($past(flush_i))
                    a_flushed    : assert (closed_q == used);
            end
            if ($past(rst_i))
                a_reset : assert (lists == 0 && closed_q == 0);

            // Reachable: a full table lets a read pass; a closed entry does; a line is
            // tracked anew after it was written; an entry is freed while another is taken.
            c_full   : cover (f_read && request_ready_i && !f_pending && !f_waiting);
            c_closed : cover (f_read && f_pending && !f_waiting && !$past(flush_i));
            c_anew   : cover (f_read && request_track_o && $past(f_answer && f_write));
            c_stray  : cover (f_reply && reply_tracked_i && !f_pending && f_waiting);
        end
    end

    generate
        if (N_SM > 1) begin : f_sms
            // A broadcast, also to an SM that joins in its cycle; a write is just in time.
            always @(posedge clk) begin
                c_shared : cover (f_started && f_answer && reply_shared_o && f_waits
                                  && !f_asks && f_waiting);
                c_late   : cover (f_started && f_answer && (&f_list) && f_write
                                  && !f_written);
            end
        end
        if (N_ENTRY > 1) begin : f_entries
            always @(posedge clk)
                c_both   : cover (f_started && f_answer && request_track_o);
        end
    endgenerate

endmodule

`default_nettype wire
