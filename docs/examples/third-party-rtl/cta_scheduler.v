// cta_scheduler - a scheduler as somebody else would write it, whose dispatch comes a cycle later.
//
// The ports are those of gpusched's unit cta_scheduler. What it dispatches shows when it has stood
// for a cycle, as in a design that must meet a shorter cycle. It makes the same decisions in the
// same order, in other cycles. Who decides is `other_scheduler`.

`default_nettype none

module cta_scheduler #(
    parameter N_SM      = 15,
    parameter N_CLUSTER = 3,
    parameter N_KERNEL  = 4,
    parameter CTA_W     = 20,
    parameter SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input  wire                 clk,
    input  wire                 rst_i,

    input  wire                 launch_valid_i,
    input  wire [KERNEL_W-1:0]  launch_kernel_i,
    input  wire                 launch_keep_i,
    input  wire [CTA_W-1:0]     launch_ctas_i,
    input  wire [N_SM-1:0]      launch_sms_i,
    input  wire [1:0]           launch_policy_i,
    input  wire [1:0]           launch_block_i,
    input  wire                 launch_steal_i,
    output wire                 launch_ready_o,
    output wire                 launch_error_o,

    output wire                 pool_valid_o,
    output wire [KERNEL_W-1:0]  pool_kernel_o,
    output wire                 pool_split_o,
    output wire [CLUSTER_W-1:0] pool_number_o,
    output wire [CTA_W-1:0]     pool_blocks_o,
    output wire [N_SM-1:0]      pool_sms_o,
    input  wire                 pool_ready_i,

    input  wire [KERNEL_W-1:0]  kernel_i,
    output wire [N_CLUSTER-1:0] stolen_o,
    input  wire [N_SM-1:0]      room_i,
    input  wire [N_SM-1:0]      limit_i,
    output wire                 dispatch_valid_o,
    output wire [KERNEL_W-1:0]  dispatch_kernel_o,
    output wire [SM_W-1:0]      dispatch_sm_o,
    output wire [CTA_W-1:0]     dispatch_cta_o,
    output wire [2:0]           dispatch_count_o,
    output wire                 dispatch_stolen_o,
    output wire [N_SM-1:0]      dispatch_line_o,
    input  wire                 dispatch_withdraw_i,
    input  wire                 dispatch_ready_i
);

    wire                valid;
    wire [KERNEL_W-1:0] kernel;
    wire [SM_W-1:0]     sm;
    wire [CTA_W-1:0]    cta;
    wire [2:0]          count;
    wire                stolen;
    wire [N_SM-1:0]     line;

    reg  seen_q;  // the dispatch has stood for a cycle
    wire shows = valid && seen_q;

    other_scheduler #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W)
    ) u_decides (
        .clk                 (clk),
        .rst_i               (rst_i),
        .launch_valid_i      (launch_valid_i),
        .launch_kernel_i     (launch_kernel_i),
        .launch_keep_i       (launch_keep_i),
        .launch_ctas_i       (launch_ctas_i),
        .launch_sms_i        (launch_sms_i),
        .launch_policy_i     (launch_policy_i),
        .launch_block_i      (launch_block_i),
        .launch_steal_i      (launch_steal_i),
        .launch_ready_o      (launch_ready_o),
        .launch_error_o      (launch_error_o),
        .pool_valid_o        (pool_valid_o),
        .pool_kernel_o       (pool_kernel_o),
        .pool_split_o        (pool_split_o),
        .pool_number_o       (pool_number_o),
        .pool_blocks_o       (pool_blocks_o),
        .pool_sms_o          (pool_sms_o),
        .pool_ready_i        (pool_ready_i),
        .kernel_i            (kernel_i),
        .stolen_o            (stolen_o),
        .room_i              (room_i),
        .limit_i             (limit_i),
        .dispatch_valid_o    (valid),
        .dispatch_kernel_o   (kernel),
        .dispatch_sm_o       (sm),
        .dispatch_cta_o      (cta),
        .dispatch_count_o    (count),
        .dispatch_stolen_o   (stolen),
        .dispatch_line_o     (line),
        .dispatch_withdraw_i (shows && dispatch_withdraw_i),
        .dispatch_ready_i    (shows && dispatch_ready_i)
    );

    assign dispatch_valid_o  = shows;
    assign dispatch_kernel_o = shows ? kernel : {KERNEL_W{1'b0}};
    assign dispatch_sm_o     = shows ? sm : {SM_W{1'b0}};
    assign dispatch_cta_o    = shows ? cta : {CTA_W{1'b0}};
    assign dispatch_count_o  = shows ? count : 3'd0;
    assign dispatch_stolen_o = shows && stolen;
    assign dispatch_line_o   = shows ? line : {N_SM{1'b0}};

    always @(posedge clk) begin : p_seen
        seen_q <= !rst_i && valid && !(shows && (dispatch_ready_i || dispatch_withdraw_i));
    end

endmodule

`default_nettype wire
