// work_distributor_ghost - the launches of the work distributor's only slot, kept beside the design, the CTAs dispatched
// since, and what the pools hold; for proofs, of the work distributor.
//
// f_pool is the pool that is watched. Other ports are nets of the module, under their names, and the scheduler's.

`default_nettype none

module work_distributor_ghost #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer STEP_W    = $clog2((CTA_W + 1) / 2 + 2),
    parameter integer W         = CTA_W + 2
) (
    input  wire                       clk, rst_i, launch_valid_i, launch_keep_i, launch_ready_o, f_dispatch, f_shown,
                                      scheduler_busy_q, scheduler_keep_q, scheduler_split_q,
    input  wire [KERNEL_W-1:0]        launch_kernel_i,
    input  wire [CTA_W-1:0]           launch_ctas_i, pool_blocks,
    input  wire [N_SM-1:0]            launch_sms_i, scheduler_slot_sms,
    input  wire [1:0]                 launch_block_i,
    input  wire [2:0]                 dispatch_count_o, f_block,
    input  wire [CLUSTER_W-1:0]       pool_number, f_pool, scheduler_pool_q,
    input  wire [N_KERNEL-1:0]        scheduler_ready_q,
    input  wire [STEP_W-1:0]          scheduler_step_q,
    input  wire [N_CLUSTER-1:0]       scheduler_from_some, scheduler_from_more,
    input  wire [CTA_W*N_CLUSTER-1:0] scheduler_from_left,

    output wire                       f_launch,       // a new one is taken in this cycle
    output reg                        f_known,        // there was one
    output reg  [N_SM-1:0]            f_set,          // the SMs of the last launch
    output reg  [CTA_W-1:0]           f_grid,         // of the last new launch
    output reg  [W-1:0]               f_sent,         // CTAs dispatched since
    output reg  [CTA_W-1:0]           f_blocks,       // the pool's, when the credits took it
    output reg                        f_shared,       // they have taken one

    // Pools of the launch: those that are given CTAs, and those of them still to pass.
    output wire                       f_ready,        // all have passed
    output wire                       f_dealing,
    output reg  [N_CLUSTER-1:0]       f_given,
    output reg  [W-1:0]               f_n_given,
    output reg  [W-1:0]               f_to_pass,
    output reg  [N_CLUSTER-1:0]       f_owns,         // pools that have CTAs
    output reg                        f_flags,        // some and more are as the pools' CTAs are
    output reg                        f_stray,        // pool 0 is not the only one, of those written
    output reg  [W-1:0]               f_left,         // CTAs in all pools
    output reg  [W-1:0]               f_left_passed   // and in those that have passed
);

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    assign f_launch = !rst_i && launch_valid_i && launch_ready_o && launch_kernel_i == 0
                      && launch_ctas_i != 0 && launch_sms_i != 0 && launch_block_i != 2'd3
                      && !launch_keep_i;
    wire   keep     = !rst_i && launch_valid_i && launch_ready_o && launch_kernel_i == 0
                      && launch_keep_i && launch_sms_i != 0 && scheduler_ready_q[0];

    always @(posedge clk) begin : p_last
        if (rst_i) begin
            f_known  <= 1'b0;
            f_shared <= 1'b0;
        end else if (f_launch) begin
            f_known <= 1'b1;
            f_grid  <= launch_ctas_i;
            f_sent  <= 0;
        end else if (f_dispatch) begin
            f_sent  <= f_sent + dispatch_count_o;
        end
        if (f_launch || keep) f_set <= launch_sms_i;
        if (f_shown && pool_number == f_pool) f_blocks <= pool_blocks;
        if (f_shown && !rst_i) f_shared <= 1'b1;
    end

    assign f_ready   = scheduler_ready_q[0];
    assign f_dealing = scheduler_busy_q && scheduler_step_q == (CTA_W + 1) / 2 + 1;

    integer k;
    always @* begin : p_pools
        f_given       = 0;
        f_n_given     = 0;
        f_to_pass     = 0;
        f_stray       = 1'b0;
        f_flags       = 1'b1;
        f_left        = 0;
        f_left_passed = 0;
        for (k = 0; k < N_SM; k = k + 1)
            if (scheduler_slot_sms[k]) f_given[k / CLUSTER_SM] = 1'b1;
        if (!scheduler_split_q) f_given = 1;
        for (k = 0; k < N_CLUSTER; k = k + 1) begin
            f_n_given   = f_n_given + f_given[k];
            if ((f_ready || (f_known && scheduler_keep_q) || (f_dealing && k < scheduler_pool_q))
                && (scheduler_from_some[k] != (scheduler_from_left[k*CTA_W +: CTA_W] != 0)
                    || scheduler_from_more[k] != (scheduler_from_left[k*CTA_W +: CTA_W] > f_block)))
                f_flags = 1'b0;
            f_owns[k] = scheduler_from_left[k*CTA_W +: CTA_W] != 0;
            if (k != 0 && f_owns[k] && (f_ready || scheduler_keep_q || k < scheduler_pool_q))
                f_stray = 1'b1;
            f_left      = f_left + scheduler_from_left[k*CTA_W +: CTA_W];
            if (k < scheduler_pool_q)
                f_left_passed = f_left_passed + scheduler_from_left[k*CTA_W +: CTA_W];
            else
                f_to_pass = f_to_pass + f_given[k];
        end
    end

endmodule

`default_nettype wire
