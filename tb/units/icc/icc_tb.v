// icc_tb - replays a vector file against a module icc with the ports of icc.v.
//
//   iverilog -g2005 -s icc_tb -P icc_tb.N_ENTRY=48 ... -o tb \
//       icc_tb.v YOUR_ICC.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// are compared as well, which needs a module with registers of the same names.

`default_nettype none

module icc_tb;

    parameter integer N_ENTRY = 48;
    parameter integer N_SM    = 5;
    parameter integer LINE_W  = 41;

    localparam integer SM_W = (N_SM > 1) ? $clog2(N_SM) : 1;

    wire              clk;
    wire              rst;
    wire              request_valid;
    wire [LINE_W-1:0] request_line;
    wire [SM_W-1:0]   request_sm;
    wire              request_write;
    wire              request_alone;
    wire              request_hit;
    wire              request_ready;
    wire              request_merge;
    wire              request_track;
    wire              reply_valid;
    wire [LINE_W-1:0] reply_line;
    wire [SM_W-1:0]   reply_sm;
    wire              reply_tracked;
    wire [N_SM-1:0]   reply_sms;
    wire              reply_shared;
    wire              flush;

    icc #(
        .N_ENTRY (N_ENTRY),
        .N_SM    (N_SM),
        .LINE_W  (LINE_W)
    ) u_dut (
        .clk             (clk),
        .rst_i           (rst),
        .request_valid_i (request_valid),
        .request_line_i  (request_line),
        .request_sm_i    (request_sm),
        .request_write_i (request_write),
        .request_alone_i (request_alone),
        .request_hit_i   (request_hit),
        .request_ready_i (request_ready),
        .request_merge_o (request_merge),
        .request_track_o (request_track),
        .reply_valid_i   (reply_valid),
        .reply_line_i    (reply_line),
        .reply_sm_i      (reply_sm),
        .reply_tracked_i (reply_tracked),
        .reply_sms_o     (reply_sms),
        .reply_shared_o  (reply_shared),
        .flush_i         (flush)
    );

    localparam integer LISTS_W = N_ENTRY * N_SM;

    localparam integer IN_W  = 1 + LINE_W + SM_W + 4 + 1 + LINE_W + SM_W + 1 + 1;
    localparam integer OUT_W = 2 + N_SM + 1;
    localparam integer REG_W = LISTS_W + N_ENTRY;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [LISTS_W-1:0] lists;
    genvar             e;
    generate
        for (e = 0; e < N_ENTRY; e = e + 1) begin : g_list
            assign lists[e*N_SM +: N_SM] = u_dut.list_q[e];
        end
    endgenerate
    wire [REG_W-1:0] regs = {u_dut.closed_q, lists};
`else
    localparam integer CHECK_REGS = 0;
    wire [REG_W-1:0] regs = {REG_W{1'b0}};
`endif

    replay #(
        .IN_W       (IN_W),
        .OUT_W      (OUT_W),
        .REG_W      (REG_W),
        .CHECK_REGS (CHECK_REGS)
    ) u_replay (
        .clk  (clk),
        .rst  (rst),
        .in   ({flush, reply_tracked, reply_sm, reply_line, reply_valid, request_ready,
                request_hit, request_alone, request_write, request_sm, request_line,
                request_valid}),
        .out  ({reply_shared, reply_sms, request_track, request_merge}),
        .regs (regs)
    );

endmodule

`default_nettype wire
