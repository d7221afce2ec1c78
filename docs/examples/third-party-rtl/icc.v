// icc - a merge table as somebody else would write it.
//
// The ports are those of gpusched's unit icc, and it keeps the unit's rules. Inside it is another
// design: an entry has a state in place of a list and a bit, and a new line goes into the free
// entry with the highest number, where gpusched's goes into the lowest. Nothing outside can tell.

`default_nettype none

module icc #(
    parameter N_ENTRY = 48,
    parameter N_SM    = 5,
    parameter LINE_W  = 41,
    parameter SM_W    = (N_SM > 1) ? $clog2(N_SM) : 1
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
    output reg               request_merge_o,
    output reg               request_track_o,

    input  wire              reply_valid_i,
    input  wire [LINE_W-1:0] reply_line_i,
    input  wire [SM_W-1:0]   reply_sm_i,
    input  wire              reply_tracked_i,
    output reg  [N_SM-1:0]   reply_sms_o,
    output reg               reply_shared_o,

    input  wire              flush_i
);

    localparam [1:0] FREE = 0, OPEN = 1, SHUT = 2;

    reg [1:0]        state   [0:N_ENTRY-1];
    reg [LINE_W-1:0] tag     [0:N_ENTRY-1];
    reg [N_SM-1:0]   waiters [0:N_ENTRY-1];

    // ---- What request and reply find ---------------------------------------

    integer asked;     // the request's entry, or N_ENTRY
    integer answered;  // the reply's entry, or N_ENTRY
    integer spare;     // a free entry, or N_ENTRY
    integer e;

    always @* begin : p_find
        asked    = N_ENTRY;
        answered = N_ENTRY;
        spare    = N_ENTRY;
        for (e = 0; e < N_ENTRY; e = e + 1) begin
            if (state[e] == FREE) spare = e;
            else begin
                if (tag[e] == request_line_i) asked = e;
                if (tag[e] == reply_line_i && reply_valid_i && reply_tracked_i) answered = e;
            end
        end
    end

    // ---- The request -------------------------------------------------------

    reg            write;   // to a line that is waited for
    reg [N_SM-1:0] asker;

    always @* begin : p_request
        asker           = request_sm_i < N_SM ? 1 << request_sm_i : 0;
        write           = 0;
        request_merge_o = 0;
        request_track_o = 0;
        if (request_valid_i && !request_alone_i && !request_hit_i) begin
            if (request_write_i)      write = asked < N_ENTRY;
            else if (asker == 0)      ;
            else if (asked < N_ENTRY) request_merge_o = state[asked] == OPEN;
            else                      request_track_o = spare < N_ENTRY && request_ready_i;
        end
    end

    // ---- The reply, after the request --------------------------------------

    reg            same;  // the request's entry is the reply's
    reg [N_SM-1:0] all;

    always @* begin : p_reply
        same           = asked == answered;
        all            = 0;
        reply_sms_o    = 0;
        reply_shared_o = 0;
        if (answered < N_ENTRY) begin
            all            = waiters[answered] | (same && request_merge_o ? asker : 0);
            reply_sms_o    = all;
            reply_shared_o = (all & (all - 1)) != 0 && state[answered] == OPEN
                             && !(same && write);
        end else if (reply_valid_i && reply_sm_i < N_SM) begin
            reply_sms_o = 1 << reply_sm_i;
        end
    end

    // ---- The table ---------------------------------------------------------

    always @(posedge clk) begin : p_table
        integer k;
        for (k = 0; k < N_ENTRY; k = k + 1) begin
            if (rst_i) begin
                state[k] <= FREE;
            end else begin
                if (k == asked && request_merge_o) waiters[k] <= waiters[k] | asker;
                if (k == asked && write)           state[k]   <= SHUT;
                if (flush_i && state[k] != FREE)   state[k]   <= SHUT;
                if (k == answered)                 state[k]   <= FREE;
                if (k == spare && request_track_o) begin
                    state[k]   <= flush_i ? SHUT : OPEN;
                    tag[k]     <= request_line_i;
                    waiters[k] <= asker;
                end
            end
        end
    end

endmodule

`default_nettype wire
