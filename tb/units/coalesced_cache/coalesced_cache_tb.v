// coalesced_cache_tb - replays a vector file against a module coalesced_cache with the ports of
// coalesced_cache.v.
//
//   iverilog -g2005 -s coalesced_cache_tb -P coalesced_cache_tb.N_LINE=24 ... -o tb \
//       coalesced_cache_tb.v YOUR_COALESCED_CACHE.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// are compared as well, which needs a module with registers of the same names.

`default_nettype none

module coalesced_cache_tb;

    parameter integer N_LINE = 24;
    parameter integer LINE_W = 41;

    localparam integer WAY_W = (N_LINE > 1) ? $clog2(N_LINE) : 1;

    wire              clk;
    wire              rst;
    wire              lookup_valid;
    wire [LINE_W-1:0] lookup_line;
    wire              lookup_write;
    wire              lookup_hit;
    wire [WAY_W-1:0]  lookup_way;
    wire              insert_valid;
    wire [LINE_W-1:0] insert_line;
    wire [WAY_W-1:0]  insert_way;
    wire              fifo;
    wire              flush;

    coalesced_cache #(
        .N_LINE (N_LINE),
        .LINE_W (LINE_W)
    ) u_dut (
        .clk            (clk),
        .rst_i          (rst),
        .lookup_valid_i (lookup_valid),
        .lookup_line_i  (lookup_line),
        .lookup_write_i (lookup_write),
        .lookup_hit_o   (lookup_hit),
        .lookup_way_o   (lookup_way),
        .insert_valid_i (insert_valid),
        .insert_line_i  (insert_line),
        .insert_way_o   (insert_way),
        .fifo_i         (fifo),
        .flush_i        (flush)
    );

    localparam integer ORDER_W = N_LINE * WAY_W;

    localparam integer IN_W  = 1 + LINE_W + 1 + 1 + LINE_W + 2;
    localparam integer OUT_W = 1 + WAY_W + WAY_W;
    localparam integer REG_W = N_LINE + ORDER_W;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [ORDER_W-1:0] order;
    genvar             p;
    generate
        for (p = 0; p < N_LINE; p = p + 1) begin : g_place
            assign order[p*WAY_W +: WAY_W] = u_dut.order_q[p];
        end
    endgenerate
    wire [REG_W-1:0] regs = {order, u_dut.valid_q};
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
        .in   ({flush, fifo, insert_line, insert_valid, lookup_write, lookup_line,
                lookup_valid}),
        .out  ({insert_way, lookup_way, lookup_hit}),
        .regs (regs)
    );

endmodule

`default_nettype wire
