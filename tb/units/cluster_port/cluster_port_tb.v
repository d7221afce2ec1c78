// cluster_port_tb - replays a vector file against a module cluster_port with the ports of
// cluster_port.v.
//
//   iverilog -g2005 -s cluster_port_tb -P cluster_port_tb.N_ENTRY=48 ... -o tb \
//       cluster_port_tb.v YOUR_CLUSTER_PORT.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// of the parts are compared as well, which needs a module with parts of the same names and
// registers.

`default_nettype none

module cluster_port_tb;

    parameter integer N_ENTRY = 48;
    parameter integer N_LINE  = 24;
    parameter integer N_SM    = 5;
    parameter integer LINE_W  = 41;

    localparam integer SM_W  = (N_SM > 1) ? $clog2(N_SM) : 1;
    localparam integer WAY_W = (N_LINE > 1) ? $clog2(N_LINE) : 1;

    wire              clk;
    wire              rst;
    wire              request_valid;
    wire [LINE_W-1:0] request_line;
    wire [SM_W-1:0]   request_sm;
    wire              request_write;
    wire              request_alone;
    wire              request_ready;
    wire              request_taken;
    wire              request_hit;
    wire [WAY_W-1:0]  request_way;
    wire              request_merge;
    wire              request_send;
    wire              request_track;
    wire              reply_valid;
    wire [LINE_W-1:0] reply_line;
    wire [SM_W-1:0]   reply_sm;
    wire              reply_tracked;
    wire [N_SM-1:0]   reply_sms;
    wire              reply_keep;
    wire [WAY_W-1:0]  reply_way;
    wire              merge;
    wire              keep;
    wire              fifo;
    wire              flush;

    cluster_port #(
        .N_ENTRY (N_ENTRY),
        .N_LINE  (N_LINE),
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
        .request_ready_i (request_ready),
        .request_taken_o (request_taken),
        .request_hit_o   (request_hit),
        .request_way_o   (request_way),
        .request_merge_o (request_merge),
        .request_send_o  (request_send),
        .request_track_o (request_track),
        .reply_valid_i   (reply_valid),
        .reply_line_i    (reply_line),
        .reply_sm_i      (reply_sm),
        .reply_tracked_i (reply_tracked),
        .reply_sms_o     (reply_sms),
        .reply_keep_o    (reply_keep),
        .reply_way_o     (reply_way),
        .merge_i         (merge),
        .keep_i          (keep),
        .fifo_i          (fifo),
        .flush_i         (flush)
    );

    localparam integer LISTS_W = N_ENTRY * N_SM;
    localparam integer ORDER_W = N_LINE * WAY_W;

    localparam integer IN_W  = 1 + LINE_W + SM_W + 3 + 1 + LINE_W + SM_W + 1 + 4;
    localparam integer OUT_W = 2 + WAY_W + 3 + N_SM + 1 + WAY_W;

    // The registers of the table and those of the cache.
    localparam integer TABLE_W = LISTS_W + N_ENTRY;
    localparam integer CACHE_W = N_LINE + ORDER_W;
    localparam integer REG_W   = TABLE_W + CACHE_W;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [LISTS_W-1:0] lists;
    wire [ORDER_W-1:0] order;
    genvar             k;
    generate
        for (k = 0; k < N_ENTRY; k = k + 1) begin : g_list
            assign lists[k*N_SM +: N_SM] = u_dut.u_table.list_q[k];
        end
        for (k = 0; k < N_LINE; k = k + 1) begin : g_place
            assign order[k*WAY_W +: WAY_W] = u_dut.u_cache.order_q[k];
        end
    endgenerate
    wire [TABLE_W-1:0] merging = {u_dut.u_table.closed_q, lists};
    wire [CACHE_W-1:0] cached  = {order, u_dut.u_cache.valid_q};
    wire [REG_W-1:0]   regs    = {cached, merging};
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
        .in   ({flush, fifo, keep, merge, reply_tracked, reply_sm, reply_line, reply_valid,
                request_ready, request_alone, request_write, request_sm, request_line,
                request_valid}),
        .out  ({reply_way, reply_keep, reply_sms, request_track, request_send,
                request_merge, request_way, request_hit, request_taken}),
        .regs (regs)
    );

endmodule

`default_nettype wire
