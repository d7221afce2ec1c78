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
    parameter integer N_KERNEL = 4;
    parameter integer CTA_W    = 32;
    parameter integer LEVEL_W  = 4;

    localparam integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1;
    localparam integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1;

    wire                clk;
    wire                rst;
    wire                launch_valid;
    wire [KERNEL_W-1:0] launch_kernel;
    wire [CTA_W-1:0]    launch_ctas;
    wire [N_CORE-1:0]   launch_cores;
    wire [LEVEL_W-1:0]  launch_active;
    wire [LEVEL_W-1:0]  launch_loose;
    wire                launch_ready;
    wire                launch_error;
    wire [KERNEL_W-1:0] kernel;
    wire [N_CORE-1:0]   allow_one;
    wire [N_CORE-1:0]   allow_two;
    wire                consume_valid;
    wire [CORE_W-1:0]   consume_core;
    wire                consume_two;
    wire                consume_error;

    claso #(
        .N_CORE   (N_CORE),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W)
    ) u_dut (
        .clk             (clk),
        .rst_i           (rst),
        .launch_valid_i  (launch_valid),
        .launch_kernel_i (launch_kernel),
        .launch_ctas_i   (launch_ctas),
        .launch_cores_i  (launch_cores),
        .launch_active_i (launch_active),
        .launch_loose_i  (launch_loose),
        .launch_ready_o  (launch_ready),
        .launch_error_o  (launch_error),
        .kernel_i        (kernel),
        .allow_one_o     (allow_one),
        .allow_two_o     (allow_two),
        .consume_valid_i (consume_valid),
        .consume_core_i  (consume_core),
        .consume_two_i   (consume_two),
        .consume_error_o (consume_error)
    );

    localparam integer COUNT_W = $clog2(N_CORE + 1);
    localparam integer N_STEP  = (CTA_W + 1) / 2;
    localparam integer STEP_W  = $clog2(N_STEP + 2);

    localparam integer IN_W  = 1 + KERNEL_W + CTA_W + N_CORE + 2*LEVEL_W + KERNEL_W
                               + 1 + CORE_W + 1;
    localparam integer OUT_W = 2 + 2*N_CORE + 1;
    localparam integer REG_W = N_KERNEL + 1 + STEP_W + KERNEL_W + N_CORE + 2*LEVEL_W
                               + COUNT_W + 2*N_STEP + COUNT_W + 2;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [REG_W-1:0] regs = {u_dut.consume_error_q, u_dut.launch_error_q,
                             u_dut.remainder_q, u_dut.dividend_q, u_dut.divisor_q,
                             u_dut.loose_q, u_dut.active_q, u_dut.cores_q,
                             u_dut.slot_q, u_dut.step_q, u_dut.busy_q, u_dut.valid_q};
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
        .in   ({consume_two, consume_core, consume_valid, kernel, launch_loose,
                launch_active, launch_cores, launch_ctas, launch_kernel, launch_valid}),
        .out  ({consume_error, allow_two, allow_one, launch_error, launch_ready}),
        .regs (regs)
    );

endmodule

`default_nettype wire
