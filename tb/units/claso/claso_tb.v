// claso_tb - replays a vector file against a module claso with the ports of claso.v.
//
//   iverilog -g2005 -s claso_tb -P claso_tb.N_CORE=15 ... -o tb claso_tb.v YOUR_CLASO.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// are compared as well, which needs a module with registers of the same names.

`default_nettype none

module claso_tb;

    parameter integer N_CORE   = 15;
    parameter integer N_POOL   = 1;
    parameter integer N_KERNEL = 4;
    parameter integer CTA_W    = 32;
    parameter integer LEVEL_W  = 4;

    localparam integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1;
    localparam integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1;
    localparam integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1;

    wire                clk;
    wire                rst;
    wire                launch_valid;
    wire [KERNEL_W-1:0] launch_kernel;
    wire [CTA_W-1:0]    launch_ctas;
    wire                launch_split;
    wire [POOL_W-1:0]   launch_pool;
    wire [N_CORE-1:0]   launch_cores;
    wire [LEVEL_W-1:0]  launch_active;
    wire [LEVEL_W-1:0]  launch_loose;
    wire                launch_ready;
    wire                launch_error;
    wire [KERNEL_W-1:0] kernel;
    wire [N_CORE-1:0]   allow_one;
    wire [N_CORE-1:0]   allow_two;
    wire [N_CORE-1:0]   allow_three;
    wire [N_CORE-1:0]   allow_four;
    wire                consume_valid;
    wire [CORE_W-1:0]   consume_core;
    wire [1:0]          consume_more;
    wire                consume_error;

    claso #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W)
    ) u_dut (
        .clk             (clk),
        .rst_i           (rst),
        .launch_valid_i  (launch_valid),
        .launch_kernel_i (launch_kernel),
        .launch_ctas_i   (launch_ctas),
        .launch_split_i  (launch_split),
        .launch_pool_i   (launch_pool),
        .launch_cores_i  (launch_cores),
        .launch_active_i (launch_active),
        .launch_loose_i  (launch_loose),
        .launch_ready_o  (launch_ready),
        .launch_error_o  (launch_error),
        .kernel_i        (kernel),
        .allow_one_o     (allow_one),
        .allow_two_o     (allow_two),
        .allow_three_o   (allow_three),
        .allow_four_o    (allow_four),
        .consume_valid_i (consume_valid),
        .consume_core_i  (consume_core),
        .consume_more_i  (consume_more),
        .consume_error_o (consume_error)
    );

    localparam integer COUNT_W = $clog2(N_CORE + 1);
    localparam integer N_STEP  = (CTA_W + 1) / 2;
    localparam integer STEP_W  = $clog2(N_STEP + 2);

    localparam integer IN_W  = 1 + KERNEL_W + CTA_W + 1 + POOL_W + N_CORE + 2*LEVEL_W
                               + KERNEL_W + 1 + CORE_W + 2;
    localparam integer OUT_W = 2 + 4*N_CORE + 1;
    localparam integer REG_W = 2*N_KERNEL + 1 + STEP_W + KERNEL_W + POOL_W + 1 + N_CORE
                               + 2*LEVEL_W + COUNT_W + 2*N_STEP + COUNT_W + 2;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [REG_W-1:0] regs = {u_dut.consume_error_q, u_dut.launch_error_q,
                             u_dut.remainder_q, u_dut.dividend_q, u_dut.divisor_q,
                             u_dut.loose_q, u_dut.active_q, u_dut.cores_q,
                             u_dut.others_q, u_dut.pool_q, u_dut.slot_q,
                             u_dut.step_q, u_dut.busy_q, u_dut.split_q, u_dut.valid_q};
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
        .in   ({consume_more, consume_core, consume_valid, kernel, launch_loose,
                launch_active, launch_cores, launch_pool, launch_split, launch_ctas,
                launch_kernel, launch_valid}),
        .out  ({consume_error, allow_four, allow_three, allow_two, allow_one,
                launch_error, launch_ready}),
        .regs (regs)
    );

endmodule

`default_nettype wire
