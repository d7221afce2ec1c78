// cta_slot_ghost - the launches of a slot of the CTA scheduler as its ports show them, kept beside the design, and what
// became of their CTAs; for proofs, of the CTA scheduler.
//
// f_slot is the slot, f_cta a CTA of the grid; a pool's first CTA is f_start, and f_end is behind its last. Other ports
// are the scheduler's, and nets of it, under their names. A cycle in which a pool waits to be seen does not count.

`default_nettype none

module cta_slot_ghost #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer W         = CTA_W + 2
) (
    input  wire                clk, rst_i, launch_valid_i, launch_keep_i, launch_steal_i, busy_q, pool_valid_o,
                               pool_ready_i, dispatch_valid_o, dispatch_ready_i, dispatch_withdraw_i,
    input  wire [KERNEL_W-1:0] f_slot, launch_kernel_i, dispatch_kernel_o,
    input  wire [CTA_W-1:0]    f_cta, launch_ctas_i, dispatch_cta_o,
    input  wire [N_SM-1:0]     launch_sms_i,
    input  wire [1:0]          launch_policy_i, launch_block_i,
    input  wire [N_KERNEL-1:0] ready_q,
    input  wire [2:0]          dispatch_count_o,
    input  wire [W-1:0]        f_start, f_end,

    output wire                f_launch_now,  // a launch is taken in this cycle,
    output wire                f_launch_bad,  // and refused;
    output wire                f_launch,      // it is legal, and of the slot
    output wire                f_taken,       // a dispatch is taken in this cycle
    output wire                f_shows,       // what shows is of the slot,
    output wire                f_of_pool,     // and from the pool
    output wire [W-1:0]        f_cta_now,     // its first CTA,
    output wire [W-1:0]        f_cta_end,     // and behind its last

    // The last launch, the last that gave CTAs, and what became of them.
    output reg                 f_launched,
    output reg                 f_keep,
    output reg  [N_SM-1:0]     f_sms,
    output reg  [N_SM-1:0]     f_grid_sms,
    output reg  [CTA_W-1:0]    f_ctas,
    output reg  [1:0]          f_policy,
    output reg  [1:0]          f_block,
    output reg                 f_steal,
    output reg  [W-1:0]        f_age,         // cycles since the launch, up to f_latency
    output wire [W-1:0]        f_latency,     // from the launch to a slot that is ready
    output reg  [1:0]          f_seen,        // times that f_cta was dispatched, up to 2
    output reg  [W-1:0]        f_issued       // CTAs of the pool that were dispatched
);

    // What a launch needs is spelled out once more, in the words of the contract.
    assign f_launch_bad = launch_kernel_i >= N_KERNEL || launch_sms_i == 0
                          || (launch_keep_i ? !ready_q[launch_kernel_i]
                                            : launch_ctas_i == 0 || launch_block_i == 3);
    assign f_launch_now = !rst_i && launch_valid_i && !busy_q;
    assign f_launch     = f_launch_now && !f_launch_bad && launch_kernel_i == f_slot;
    assign f_taken      = !rst_i && dispatch_valid_o && dispatch_ready_i && !dispatch_withdraw_i;
    assign f_shows      = dispatch_kernel_o == f_slot;
    assign f_cta_now    = dispatch_cta_o;
    assign f_cta_end    = f_cta_now + dispatch_count_o;
    assign f_of_pool    = f_cta_now >= f_start && f_cta_now < f_end;
    assign f_latency    = (f_keep ? 1 : 2 + (CTA_W + 1) / 2) + N_CLUSTER;

    always @(posedge clk) begin : p_last
        if (rst_i) begin
            f_launched <= 1'b0;
        end else if (f_launch) begin
            f_launched <= 1'b1;
            f_keep     <= launch_keep_i;
            f_sms      <= launch_sms_i;
            f_age      <= 1;
        end else if (f_age < f_latency && !(pool_valid_o && !pool_ready_i)) begin
            f_age <= f_age + 1;
        end

        if (f_launch && !launch_keep_i) begin
            f_grid_sms <= launch_sms_i;
            f_ctas     <= launch_ctas_i;
            f_policy   <= launch_policy_i;
            f_block    <= launch_block_i;
            f_steal    <= launch_steal_i;
            f_seen     <= 0;
            f_issued   <= 0;
        end else if (f_taken && f_shows) begin
            if (f_cta_now <= f_cta && f_cta < f_cta_end && f_seen < 2) f_seen <= f_seen + 1;
            if (f_of_pool) f_issued <= f_issued + dispatch_count_o;
        end
    end

endmodule

`default_nettype wire
