// cta_scheduler_tb - replays a vector file against a module cta_scheduler with the ports of
// cta_scheduler.v.
//
//   iverilog -g2005 -s cta_scheduler_tb -P cta_scheduler_tb.N_SM=15 ... -o tb \
//       cta_scheduler_tb.v YOUR_CTA_SCHEDULER.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// are compared as well, which needs a module with registers of the same names.

`default_nettype none

module cta_scheduler_tb;

    parameter integer N_SM      = 15;
    parameter integer N_CLUSTER = 3;
    parameter integer N_KERNEL  = 4;
    parameter integer CTA_W     = 32;

    localparam integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1;
    localparam integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1;
    localparam integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1;

    wire                   clk;
    wire                   rst;
    wire                   launch_valid;
    wire [KERNEL_W-1:0]    launch_kernel;
    wire                   launch_keep;
    wire [CTA_W-1:0]       launch_ctas;
    wire [N_SM-1:0]        launch_sms;
    wire [1:0]             launch_policy;
    wire [1:0]             launch_block;
    wire                   launch_steal;
    wire                   launch_ready;
    wire                   launch_error;
    wire                   pool_valid;
    wire [KERNEL_W-1:0]    pool_kernel;
    wire                   pool_split;
    wire [CLUSTER_W-1:0]   pool_number;
    wire [CTA_W-1:0]       pool_blocks;
    wire [N_SM-1:0]        pool_sms;
    wire                   pool_ready;
    wire [KERNEL_W-1:0]    kernel;
    wire [3*N_CLUSTER-1:0] offer;
    wire [N_CLUSTER-1:0]   stolen;
    wire [N_SM-1:0]        room;
    wire [N_SM-1:0]        limit;
    wire                   dispatch_valid;
    wire [SM_W-1:0]        dispatch_sm;
    wire [CTA_W-1:0]       dispatch_cta;
    wire [2:0]             dispatch_count;
    wire                   dispatch_ready;

    cta_scheduler #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W)
    ) u_dut (
        .clk              (clk),
        .rst_i            (rst),
        .launch_valid_i   (launch_valid),
        .launch_kernel_i  (launch_kernel),
        .launch_keep_i    (launch_keep),
        .launch_ctas_i    (launch_ctas),
        .launch_sms_i     (launch_sms),
        .launch_policy_i  (launch_policy),
        .launch_block_i   (launch_block),
        .launch_steal_i   (launch_steal),
        .launch_ready_o   (launch_ready),
        .launch_error_o   (launch_error),
        .pool_valid_o     (pool_valid),
        .pool_kernel_o    (pool_kernel),
        .pool_split_o     (pool_split),
        .pool_number_o    (pool_number),
        .pool_blocks_o    (pool_blocks),
        .pool_sms_o       (pool_sms),
        .pool_ready_i     (pool_ready),
        .kernel_i         (kernel),
        .offer_o          (offer),
        .stolen_o         (stolen),
        .room_i           (room),
        .limit_i          (limit),
        .dispatch_valid_o (dispatch_valid),
        .dispatch_sm_o    (dispatch_sm),
        .dispatch_cta_o   (dispatch_cta),
        .dispatch_count_o (dispatch_count),
        .dispatch_ready_i (dispatch_ready)
    );

    localparam integer COUNT_W    = $clog2(N_CLUSTER + 1);
    localparam integer N_STEP     = (CTA_W + 1) / 2;
    localparam integer STEP_W     = $clog2(N_STEP + 2);

    localparam integer IN_W  = 1 + KERNEL_W + 1 + CTA_W + N_SM + 2 + 2 + 1 + 1 + KERNEL_W
                               + 2*N_SM + 1;
    localparam integer OUT_W = 3 + KERNEL_W + 1 + CLUSTER_W + CTA_W + N_SM + 4*N_CLUSTER
                               + 1 + SM_W + CTA_W + 3;
    localparam integer REG_W = 2*N_KERNEL + 1 + STEP_W + KERNEL_W + 1 + 1 + COUNT_W + 2*N_STEP
                               + COUNT_W + CLUSTER_W + CTA_W + 1;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [REG_W-1:0] regs = {u_dut.launch_error_q, u_dut.first_q, u_dut.pool_q,
                             u_dut.remainder_q, u_dut.dividend_q, u_dut.divisor_q,
                             u_dut.split_q, u_dut.keep_q, u_dut.slot_q, u_dut.step_q,
                             u_dut.busy_q, u_dut.known_q, u_dut.ready_q};
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
        .in   ({dispatch_ready, limit, room, kernel, pool_ready, launch_steal, launch_block,
                launch_policy, launch_sms, launch_ctas, launch_keep, launch_kernel,
                launch_valid}),
        .out  ({dispatch_count, dispatch_cta, dispatch_sm, dispatch_valid, stolen, offer,
                pool_sms, pool_blocks, pool_number, pool_split, pool_kernel, pool_valid,
                launch_error, launch_ready}),
        .regs (regs)
    );

endmodule

`default_nettype wire
