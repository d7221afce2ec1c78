// work_distributor_tb - replays a vector file against a module work_distributor with the
// ports of work_distributor.v.
//
//   iverilog -g2005 -s work_distributor_tb -P work_distributor_tb.N_SM=15 ... -o tb \
//       work_distributor_tb.v YOUR_WORK_DISTRIBUTOR.v
//   vvp -N tb +vectors=FILE.vec
//
// The parameters are those in the file's header. With REGISTERS defined, the registers
// are compared as well, which needs a module with registers of the same names, and parts
// of the same names and registers.

`default_nettype none

module work_distributor_tb;

    parameter integer N_SM      = 15;
    parameter integer N_CLUSTER = 3;
    parameter integer N_KERNEL  = 4;
    parameter integer CTA_W     = 32;
    parameter integer LEVEL_W   = 4;

    localparam integer SM_W     = (N_SM > 1) ? $clog2(N_SM) : 1;
    localparam integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1;

    wire                clk;
    wire                rst;
    wire                launch_valid;
    wire [KERNEL_W-1:0] launch_kernel;
    wire                launch_keep;
    wire [CTA_W-1:0]    launch_ctas;
    wire [N_SM-1:0]     launch_sms;
    wire [1:0]          launch_policy;
    wire [1:0]          launch_block;
    wire                launch_steal;
    wire [LEVEL_W-1:0]  launch_active;
    wire [LEVEL_W-1:0]  launch_loose;
    wire                launch_ready;
    wire                launch_error;
    wire [KERNEL_W-1:0] kernel;
    wire [N_SM-1:0]     room;
    wire [N_SM-1:0]     limit;
    wire                dispatch_valid;
    wire [SM_W-1:0]     dispatch_sm;
    wire [CTA_W-1:0]    dispatch_cta;
    wire [2:0]          dispatch_count;
    wire                dispatch_ready;
    wire                credit_error;

    work_distributor #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .LEVEL_W   (LEVEL_W)
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
        .launch_active_i  (launch_active),
        .launch_loose_i   (launch_loose),
        .launch_ready_o   (launch_ready),
        .launch_error_o   (launch_error),
        .kernel_i         (kernel),
        .room_i           (room),
        .limit_i          (limit),
        .dispatch_valid_o (dispatch_valid),
        .dispatch_sm_o    (dispatch_sm),
        .dispatch_cta_o   (dispatch_cta),
        .dispatch_count_o (dispatch_count),
        .dispatch_ready_i (dispatch_ready),
        .credit_error_o   (credit_error)
    );

    localparam integer N_STEP     = (CTA_W + 1) / 2;
    localparam integer STEP_W     = $clog2(N_STEP + 2);
    localparam integer CLUSTER_W  = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1;
    localparam integer POOLS_W    = $clog2(N_CLUSTER + 1);  // a number of clusters
    localparam integer COUNT_W    = $clog2(N_SM + 1);       // a number of SMs

    localparam integer IN_W  = 1 + KERNEL_W + 1 + CTA_W + N_SM + 2 + 2 + 1 + 2*LEVEL_W
                               + KERNEL_W + 2*N_SM + 1;
    localparam integer OUT_W = 2 + 1 + SM_W + CTA_W + 3 + 1;

    // Its own registers, those of the scheduler and those of the credits.
    localparam integer OWN_W       = N_KERNEL + 2*LEVEL_W;
    localparam integer SCHEDULER_W = 2*N_KERNEL + 1 + STEP_W + KERNEL_W + 1 + 1 + POOLS_W
                                     + 2*N_STEP + POOLS_W + CLUSTER_W + CTA_W + 1;
    localparam integer CREDITS_W   = 2*N_KERNEL + 1 + STEP_W + KERNEL_W + CLUSTER_W + 1
                                     + N_SM + 2*LEVEL_W + COUNT_W + 2*N_STEP + COUNT_W + 2;
    localparam integer REG_W       = OWN_W + SCHEDULER_W + CREDITS_W;

`ifdef REGISTERS
    localparam integer CHECK_REGS = 1;
    wire [OWN_W-1:0]       own       = {u_dut.loose_q, u_dut.active_q, u_dut.credited_q};
    wire [SCHEDULER_W-1:0] scheduler =
        {u_dut.u_scheduler.launch_error_q, u_dut.u_scheduler.first_q,
         u_dut.u_scheduler.pool_q, u_dut.u_scheduler.remainder_q,
         u_dut.u_scheduler.dividend_q, u_dut.u_scheduler.divisor_q,
         u_dut.u_scheduler.split_q, u_dut.u_scheduler.keep_q, u_dut.u_scheduler.slot_q,
         u_dut.u_scheduler.step_q, u_dut.u_scheduler.busy_q, u_dut.u_scheduler.known_q,
         u_dut.u_scheduler.ready_q};
    wire [CREDITS_W-1:0]   credits   =
        {u_dut.u_credits.consume_error_q, u_dut.u_credits.launch_error_q,
         u_dut.u_credits.remainder_q, u_dut.u_credits.dividend_q,
         u_dut.u_credits.divisor_q, u_dut.u_credits.loose_q, u_dut.u_credits.active_q,
         u_dut.u_credits.cores_q, u_dut.u_credits.others_q, u_dut.u_credits.pool_q,
         u_dut.u_credits.slot_q, u_dut.u_credits.step_q, u_dut.u_credits.busy_q,
         u_dut.u_credits.split_q, u_dut.u_credits.valid_q};
    wire [REG_W-1:0]       regs      = {credits, scheduler, own};
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
        .in   ({dispatch_ready, limit, room, kernel, launch_loose, launch_active,
                launch_steal, launch_block, launch_policy, launch_sms, launch_ctas,
                launch_keep, launch_kernel, launch_valid}),
        .out  ({credit_error, dispatch_count, dispatch_cta, dispatch_sm, dispatch_valid,
                launch_error, launch_ready}),
        .regs (regs)
    );

endmodule

`default_nettype wire
