// work_distributor - the CTA scheduler behind the credits of CLASO and the masks of all
// other limiters.
//
// Purpose
//   Stands between a GPU's kernels and its SMs. The scheduler says which SM gets the
//   next block of CTAs; the credits say which SMs may have one, so that their shares of
//   the kernel stay alike. It is these two units and the wires between them.
//
//                     +-------------+  pool_* +----------+
//   launch_*_i ------>| u_scheduler |-------->| u_credits|<- active_q, loose_q
//                     |             |         |          |
//   room_i ---------->|             |         |          |
//   limit_i --->( & )>|             |-------->|          |
//                 ^   +-------------+ consume +----------+
//                 |     |        |                 |
//                 |     v        v stolen          | allow_one
//                 |  dispatch_*_o '-->( | )<-------'
//                 |                     |
//                 '---------------------'  all ones without credits
//
//   SM s is core s of the credits, and cluster c is pool c.
//   Launch: a pool that the scheduler shows is launched in the credits, with its blocks
//   for CTAs, and passes when they take it. A kernel whose p_A is 0 is without credits:
//   its pools pass at once.
//   Dispatch: an SM passes if limit_i has it and, unless the kernel is without credits or
//   the offer of its cluster is stolen, the credits allow it one block. The scheduler picks
//   among the SMs with room that pass, and the block pays one credit when it is taken. A
//   stolen one pays nothing: quotas are those of a pool's own cluster.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM             SMs, 1..192
//   N_CLUSTER        clusters, 1..64
//   N_KERNEL         kernel slots, 1..32
//   CTA_W            bits of a number of CTAs, 1..32
//   LEVEL_W          bits of p_A and of p_L, 1..8
//   SM_W             bits of an SM's number; derived, never overridden
//   KERNEL_W         bits of a slot's number; derived, never overridden
//
// Ports              width      meaning
//   clk              1          clock, rising edge
//   rst_i            1          reset, synchronous, active high
//   launch_valid_i   1          a kernel is launched, or its set of SMs changes
//   launch_kernel_i  KERNEL_W   its slot; this and the next are as in cta_scheduler
//   launch_keep_i    1          the slot keeps its policy and the CTAs it has left, and
//                               only launch_sms_i, launch_active_i and launch_loose_i
//                               are new
//   launch_ctas_i    CTA_W      CTAs of the grid
//   launch_sms_i     N_SM       bit s: SM s may run it
//   launch_policy_i  2          0 global RR, 1 two-level RR, 2 greedy clustering,
//                               3 distributed
//   launch_block_i   2          CTAs of a block: 0 one, 1 two, 2 four
//   launch_steal_i   1          distributed: a cluster without CTAs takes those of
//                               another
//   launch_active_i  LEVEL_W    p_A, active levels of CLASO; 0: the kernel is without
//                               credits
//   launch_loose_i   LEVEL_W    p_L, loose levels
//   launch_ready_o   1          no launch is under way: one is taken in this cycle
//   launch_error_o   1          the launch taken in the last cycle was refused
//   kernel_i         KERNEL_W   slot whose CTAs are dispatched
//   room_i           N_SM       bit s: SM s has room for a whole block of the kernel
//   limit_i          N_SM       bit s: all limiters but CLASO allow SM s a block
//   dispatch_valid_o 1          CTAs go to an SM
//   dispatch_sm_o    SM_W       this one; this and the next are 0 without
//                               dispatch_valid_o
//   dispatch_cta_o   CTA_W      the first of the CTAs
//   dispatch_count_o 3          how many, consecutive: 1 to 4
//   dispatch_ready_i 1          the dispatch is taken in this cycle
//   credit_error_o   1          the credits refused what they were asked in the last
//                               cycle, which cannot happen
//
// Timing
//   Latency     that of cta_scheduler for the launch, in which a pool waits while the
//               credits are busy with another, ceil(CTA_W / 2) + 2 cycles; and that of
//               claso for the last pool's credits.
//   Throughput  one dispatch a cycle, of any slot, while a launch is under way or not.
//   kernel_i, room_i and limit_i reach dispatch_*_o in their own cycle; every other
//   output is a function of registers, and no other input reaches any output.
//
// Reset
//   After a rising edge with rst_i high every register is 0: no slot has a kernel or
//   credits. The memories keep what they hold. Outputs are not gated by rst_i, and
//   nothing is taken in a cycle with rst_i high.
//
// Contract
//   Launch     as in cta_scheduler. p_A and p_L are taken with it, legal or not. Whether
//              a kernel has credits follows its p_A when a pool of it is shown.
//   Dispatch   goes to an SM in room_i and limit_i. Until its credits are there, a kernel
//              that has any is offered to no SM, but for stolen blocks.
//   Both       a dispatch in the cycle of its slot's launch counts as before it.
//   Errors     credit_error_o is never set: a pool that is shown has blocks and SMs, and a
//              block goes where the credits allow it.
//
// Twin     work_distributor.c: equal outputs, registers and memories, and those of the
//          parts, in every cycle after the first reset edge; of the memories, the words
//          written since.
// Source   The composition is ours; the places of its parts are those of Yu, He, Guo,
//          Wang, Chen, "A Credit-Based Load-Balance-Aware CTA Scheduling Optimization
//          Scheme in GPGPU", IJPP 2014, section 3.1: a filter between any CTA scheduler
//          and the cores.
// Deviations
//   - A credit is for a block, whose CTAs get theirs together or not at all. Were credits
//     counted in CTAs, as in the paper, which has no blocks, an SM with an odd share could
//     be left with one where only two are of use, and its CTAs would never be issued.

`default_nettype none

module work_distributor #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 32,
    parameter integer LEVEL_W   = 4,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input  wire                clk,
    input  wire                rst_i,

    input  wire                launch_valid_i,
    input  wire [KERNEL_W-1:0] launch_kernel_i,
    input  wire                launch_keep_i,
    input  wire [CTA_W-1:0]    launch_ctas_i,
    input  wire [N_SM-1:0]     launch_sms_i,
    input  wire [1:0]          launch_policy_i,
    input  wire [1:0]          launch_block_i,
    input  wire                launch_steal_i,
    input  wire [LEVEL_W-1:0]  launch_active_i,
    input  wire [LEVEL_W-1:0]  launch_loose_i,
    output wire                launch_ready_o,
    output wire                launch_error_o,

    input  wire [KERNEL_W-1:0] kernel_i,
    input  wire [N_SM-1:0]     room_i,
    input  wire [N_SM-1:0]     limit_i,
    output wire                dispatch_valid_o,
    output wire [SM_W-1:0]     dispatch_sm_o,
    output wire [CTA_W-1:0]    dispatch_cta_o,
    output wire [2:0]          dispatch_count_o,
    input  wire                dispatch_ready_i,
    output wire                credit_error_o
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message. The parts check the others.

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_KERNEL < 1 || N_KERNEL > 32 || CTA_W < 1 || CTA_W > 32
            || LEVEL_W < 1 || LEVEL_W > 8
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            work_distributor_needs_N_SM_1_to_192_N_CLUSTER_1_to_64_N_KERNEL_and_CTA_W_1_to_32_LEVEL_W_1_to_8
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer CLUSTER_W  = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1;
    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    // ---- State -------------------------------------------------------------

    reg [N_KERNEL-1:0] credited_q;  // bit k: slot k has credits
    reg [N_KERNEL-1:0] credited_d;
    reg [LEVEL_W-1:0]  active_q;    // p_A of the launch under way
    reg [LEVEL_W-1:0]  active_d;
    reg [LEVEL_W-1:0]  loose_q;     // p_L of the launch under way
    reg [LEVEL_W-1:0]  loose_d;

    wire credits_wanted = active_q != 0;  // by the launch under way

    // ---- Scheduler ---------------------------------------------------------

    wire                   launch_ready;
    wire                   pool_valid;
    wire [KERNEL_W-1:0]    pool_kernel;
    wire                   pool_split;
    wire [CLUSTER_W-1:0]   pool_number;
    wire [CTA_W-1:0]       pool_blocks;
    wire [N_SM-1:0]        pool_sms;
    wire                   pool_ready;
    wire [3*N_CLUSTER-1:0] unused_offer;  // one block, whatever it holds
    wire [N_CLUSTER-1:0]   stolen;
    wire [N_SM-1:0]        limit;

    cta_scheduler #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W)
    ) u_scheduler (
        .clk              (clk),
        .rst_i            (rst_i),
        .launch_valid_i   (launch_valid_i),
        .launch_kernel_i  (launch_kernel_i),
        .launch_keep_i    (launch_keep_i),
        .launch_ctas_i    (launch_ctas_i),
        .launch_sms_i     (launch_sms_i),
        .launch_policy_i  (launch_policy_i),
        .launch_block_i   (launch_block_i),
        .launch_steal_i   (launch_steal_i),
        .launch_ready_o   (launch_ready),
        .launch_error_o   (launch_error_o),
        .pool_valid_o     (pool_valid),
        .pool_kernel_o    (pool_kernel),
        .pool_split_o     (pool_split),
        .pool_number_o    (pool_number),
        .pool_blocks_o    (pool_blocks),
        .pool_sms_o       (pool_sms),
        .pool_ready_i     (pool_ready),
        .kernel_i         (kernel_i),
        .offer_o          (unused_offer),
        .stolen_o         (stolen),
        .room_i           (room_i),
        .limit_i          (limit),
        .dispatch_valid_o (dispatch_valid_o),
        .dispatch_sm_o    (dispatch_sm_o),
        .dispatch_cta_o   (dispatch_cta_o),
        .dispatch_count_o (dispatch_count_o),
        .dispatch_ready_i (dispatch_ready_i)
    );

    // ---- Credits -----------------------------------------------------------

    wire            credit_launch_ready;
    wire            credit_launch_error;
    wire [N_SM-1:0] allow_one;
    wire [N_SM-1:0] unused_allow_two;  // a dispatch is one block, and so one credit
    wire [N_SM-1:0] unused_allow_three;
    wire [N_SM-1:0] unused_allow_four;
    wire            consume;
    wire            consume_error;

    claso #(
        .N_CORE   (N_SM),
        .N_POOL   (N_CLUSTER),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W)
    ) u_credits (
        .clk             (clk),
        .rst_i           (rst_i),
        .launch_valid_i  (pool_valid && credits_wanted),
        .launch_kernel_i (pool_kernel),
        .launch_ctas_i   (pool_blocks),
        .launch_split_i  (pool_split),
        .launch_pool_i   (pool_number),
        .launch_cores_i  (pool_sms),
        .launch_active_i (active_q),
        .launch_loose_i  (loose_q),
        .launch_ready_o  (credit_launch_ready),
        .launch_error_o  (credit_launch_error),
        .kernel_i        (kernel_i),
        .allow_one_o     (allow_one),
        .allow_two_o     (unused_allow_two),
        .allow_three_o   (unused_allow_three),
        .allow_four_o    (unused_allow_four),
        .consume_valid_i (consume),
        .consume_core_i  (dispatch_sm_o),
        .consume_more_i  (2'd0),
        .consume_error_o (consume_error)
    );

    assign credit_error_o = credit_launch_error || consume_error;

    // ---- Launch ------------------------------------------------------------
    // One line a slot; a number without a slot shifts the one out of the vector.

    localparam [N_KERNEL-1:0] SLOT_0 = 1;

    assign launch_ready_o = launch_ready;
    assign pool_ready     = !credits_wanted || credit_launch_ready;

    always @* begin : p_launch
        credited_d = credited_q;
        active_d   = active_q;
        loose_d    = loose_q;

        if (pool_valid) begin
            credited_d = (credited_q & ~(SLOT_0 << pool_kernel))
                         | ({N_KERNEL{credits_wanted}} & (SLOT_0 << pool_kernel));
        end
        if (launch_valid_i && launch_ready) begin
            active_d = launch_active_i;
            loose_d  = launch_loose_i;
        end
    end

    // ---- Dispatch ----------------------------------------------------------

    localparam [N_SM-1:0] SM_0 = 1;

    // Bit s: the cluster of SM s is in the set.
    function [N_SM-1:0] sms_of;
        input [N_CLUSTER-1:0] set;
        integer k;
        begin
            for (k = 0; k < N_SM; k = k + 1) sms_of[k] = set[k / CLUSTER_SM];
        end
    endfunction

    // An SM that pays nothing, and one that passes.
    wire            credited = (credited_q & (SLOT_0 << kernel_i)) != 0;
    wire [N_SM-1:0] free     = credited ? sms_of(stolen) : {N_SM{1'b1}};

    assign limit   = limit_i & (allow_one | free);
    assign consume = dispatch_valid_o && dispatch_ready_i
                     && (free & (SM_0 << dispatch_sm_o)) == 0;

    // ---- Clocked -----------------------------------------------------------

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            credited_q <= {N_KERNEL{1'b0}};
            active_q   <= {LEVEL_W{1'b0}};
            loose_q    <= {LEVEL_W{1'b0}};
        end else begin
            credited_q <= credited_d;
            active_q   <= active_d;
            loose_q    <= loose_d;
        end
    end

endmodule

`default_nettype wire
