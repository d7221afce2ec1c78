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
//                 |     v        v stolen          | allow
//                 |  dispatch_*_o '-->( | )<-------'
//                 |                     |
//                 '---------------------'  all ones without credits
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM              SMs, 1..192
//   N_CLUSTER         clusters, 1..64
//   N_KERNEL          kernel slots, 1..32
//   CTA_W             bits of a number of CTAs, 1..32
//   LEVEL_W           bits of p_A and of p_L, 1..8
//   SM_W              bits of an SM's number; derived, never overridden
//   KERNEL_W          bits of a slot's number; derived, never overridden
//
// Ports               width        meaning
//   clk               1            clock, rising edge
//   rst_i             1            reset, synchronous, active high
//   launch_valid_i    1            a kernel is launched, or its set of SMs changes
//   launch_kernel_i   KERNEL_W     its slot; this and the next are as in cta_scheduler
//   launch_keep_i     1            the slot keeps its policy and the CTAs it has left, and only launch_sms,
//                                  launch_active and launch_loose are new
//   launch_ctas_i     CTA_W        CTAs of the grid
//   launch_sms_i      N_SM         bit s: SM s may run it
//   launch_policy_i   2            0 global RR, 1 two-level RR, 2 greedy clustering, 3 distributed
//   launch_block_i    2            CTAs of a block: 0 one, 1 two, 2 four
//   launch_steal_i    1            distributed: a cluster without CTAs takes those of another
//   launch_active_i   LEVEL_W      p_A, active levels of CLASO; 0: the kernel is without credits
//   launch_loose_i    LEVEL_W      p_L, loose levels
//   launch_ready_o    1            no launch is under way: one is taken in this cycle
//   launch_error_o    1            the launch taken in the last cycle was refused
//   kernel_i          KERNEL_W     slot that is looked at: its CTAs are dispatched two cycles later
//   room_i            N_SM         bit s: SM s has room for a whole block of the kernel
//   limit_i           N_SM         bit s: all limiters but CLASO allow SM s a block
//   dispatch_valid_o  1            CTAs go to an SM
//   dispatch_kernel_o KERNEL_W     of the kernel in this slot; this and the next are 0 without dispatch_valid
//   dispatch_sm_o     SM_W         to this one
//   dispatch_cta_o    CTA_W        the first of the CTAs
//   dispatch_count_o  3            how many, consecutive: 1 to 4
//   dispatch_ready_i  1            the dispatch is taken in this cycle
//   credit_error_o    1            CLASO refused what it was asked in the last cycle, which cannot happen
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   Latency     that of cta_scheduler for the launch, in which a pool waits while the
//               credits are busy with another, N_STEP + 2 cycles of claso; and that of claso
//               for the last pool's credits.
//   Throughput  one dispatch a cycle, of any slot, while a launch is under way or not.
//
// Contract
//   SM s is core s of the credits, and cluster c is pool c.
//
//   Launch     goes to the scheduler. Each pool that the scheduler shows is launched in the credits, with its blocks
//              for CTAs, over the launch's SMs, split as the scheduler says, with the p_A and p_L of the launch, and
//              passes when the credits take it. If p_A is 0 the kernel is without credits: its pools pass at once.
//              active and loose hold p_A and p_L from the cycle in which a launch is taken, legal or not; credited
//              follows p_A when a pool is shown. So a kernel's first CTA can go out when the scheduler and its last
//              pool's credits are ready.
//   Dispatch   in the cycle in which the scheduler looks, in this order:
//              1. scheduler   which clusters would get blocks of another's pool (stolen)
//              2. credits     which SMs may get one block of the kernel (allow)
//              3. the limit   an SM passes if the input limit has it and, unless the kernel is without credits or its
//                             cluster's blocks are stolen, the credits allow it one
//              4. scheduler   sees the SMs with room that pass
//              Two cycles later the scheduler shows the block. Unless it is stolen or its slot is without credits it
//              costs one. If its SM is not allowed a block any more, since one paid in between took the last global
//              credit, it is withdrawn, and no dispatch is valid. Otherwise the credits pay in the cycle in which the
//              dispatch is taken. Until its credits are there, a kernel that has any is dispatched to no SM, but for
//              stolen blocks.
//   Stolen     CTAs cost nothing: quotas are those of a pool's own cluster, and CTAs whose cluster has gone must find
//              an SM whatever its quota.
//   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it; one that is not taken
//              is withdrawn.
//   Illegal    as in the parts. launch_error is the scheduler's. credit_error is the credits' refusal of a launch or a
//              consume, which does not happen whatever the inputs: a pool that is shown has blocks and SMs, and a
//              block goes where the credits allow it.
//
// Reset
//   Every register is 0: no slot has a kernel or credits. The memories keep what they hold. Outputs do not depend on
//   rst_i, and nothing is taken while it is high.
//
// Twin     work_distributor.c: equal outputs, registers and memories, and those of the
//          parts, in every cycle after the first reset edge; of the memories, the words
//          written since.
//
// Source
//   The composition is ours; the places of its parts are those of Yu, He, Guo, Wang, Chen, "A Credit-Based
//   Load-Balance-Aware CTA Scheduling Optimization Scheme in GPGPU", IJPP 2014, section 3.1: a filter between any CTA
//   scheduler and the cores.
//
// Deviations
//   - A credit is for a block, whose CTAs get theirs together or not at all. The paper has no blocks. Were credits
//     counted in CTAs, an SM with an odd share could be left with one credit where only two are of use, and its CTAs
//     would never be issued: with 5 CTAs for 5 SMs, none at all.

`default_nettype none

module work_distributor #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
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
    output wire [KERNEL_W-1:0] dispatch_kernel_o,
    output wire [SM_W-1:0]     dispatch_sm_o,
    output wire [CTA_W-1:0]    dispatch_cta_o,
    output wire [2:0]          dispatch_count_o,
    input  wire                dispatch_ready_i,
    output wire                credit_error_o
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message. The parts check the ranges.

    generate
        if (SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            work_distributor_derives_SM_W_and_KERNEL_W
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer CLUSTER_W  = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1;
    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    // One line a slot; a number without a slot shifts the one out of the vector.
    localparam [N_KERNEL-1:0] SLOT_0 = 1;

    // ---- State -------------------------------------------------------------

    reg [N_KERNEL-1:0] credited_q;  // bit k: slot k has credits
    reg [N_KERNEL-1:0] credited_d;
    reg [LEVEL_W-1:0]  active_q;    // p_A of the launch under way
    reg [LEVEL_W-1:0]  active_d;
    reg [LEVEL_W-1:0]  loose_q;     // p_L of the launch under way
    reg [LEVEL_W-1:0]  loose_d;

    wire credits_wanted = active_q != 0;  // by the launch under way

`ifdef FORMAL
    wire [1023:0] f_scheduler;  // what the parts hold
    wire [1023:0] f_claso;
`endif

    // ---- Scheduler ---------------------------------------------------------

    wire                   launch_ready;
    wire                   pool_valid;
    wire [KERNEL_W-1:0]    pool_kernel;
    wire                   pool_split;
    wire [CLUSTER_W-1:0]   pool_number;
    wire [CTA_W-1:0]       pool_blocks;
    wire [N_SM-1:0]        pool_sms;
    wire                   pool_ready;
    wire [N_CLUSTER-1:0]   stolen;
    wire [N_SM-1:0]        limit;
    wire                   going;
    wire [KERNEL_W-1:0]    from;
    wire [SM_W-1:0]        to;
    wire [CTA_W-1:0]       cta;
    wire [2:0]             count;
    wire                   dispatch_stolen;
    wire [N_SM-1:0]        unused_to_line;
    wire                   withdraw;

    cta_scheduler #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W)
    ) u_scheduler (
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
        .launch_ready_o      (launch_ready),
        .launch_error_o      (launch_error_o),
        .pool_valid_o        (pool_valid),
        .pool_kernel_o       (pool_kernel),
        .pool_split_o        (pool_split),
        .pool_number_o       (pool_number),
        .pool_blocks_o       (pool_blocks),
        .pool_sms_o          (pool_sms),
        .pool_ready_i        (pool_ready),
        .kernel_i            (kernel_i),
        .stolen_o            (stolen),
        .room_i              (room_i),
        .limit_i             (limit),
        .dispatch_valid_o    (going),
        .dispatch_kernel_o   (from),
        .dispatch_sm_o       (to),
        .dispatch_cta_o      (cta),
        .dispatch_count_o    (count),
        .dispatch_stolen_o   (dispatch_stolen),
        .dispatch_line_o     (unused_to_line),
        .dispatch_withdraw_i (withdraw),
        .dispatch_ready_i    (dispatch_ready_i)
`ifdef FORMAL
        , .f_view_o          (f_scheduler)
`endif
    );

    // ---- Credits -----------------------------------------------------------

    wire            credit_launch_ready;
    wire            credit_launch_error;
    wire [N_SM-1:0] allow;  // a dispatch is one block, and so one credit
    wire            consume;
    wire            consume_error;

    wire            credit;  // there is one for what shows
    wire [N_SM-1:0] unused_after;  // what shows can be withdrawn, and the mask looks at the last cycle

    // What shows costs a credit of its slot.
    wire paid_for = going && !dispatch_stolen && (credited_q & (SLOT_0 << from)) != 0;

    claso #(
        .N_CORE   (N_SM),
        .N_POOL   (N_CLUSTER),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W)
    ) u_credits (
        .clk               (clk),
        .rst_i             (rst_i),
        .launch_valid_i    (pool_valid && credits_wanted),
        .launch_kernel_i   (pool_kernel),
        .launch_ctas_i     (pool_blocks),
        .launch_split_i    (pool_split),
        .launch_pool_i     (pool_number),
        .launch_cores_i    (pool_sms),
        .launch_active_i   (active_q),
        .launch_loose_i    (loose_q),
        .launch_ready_o    (credit_launch_ready),
        .launch_error_o    (credit_launch_error),
        .kernel_i          (kernel_i),
        .allow_o           (allow),
        .allow_after_o     (unused_after),
        .consume_kernel_i  (from),
        .consume_core_i    (to),
        .consume_allowed_o (credit),
        .consume_valid_i   (consume),
        .consume_error_o   (consume_error)
`ifdef FORMAL
        , .f_view_o        (f_claso)
`endif
    );

    assign credit_error_o = credit_launch_error || consume_error;

    // ---- Launch ------------------------------------------------------------

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

    assign limit   = limit_i & (allow | free);
    assign consume = paid_for && !withdraw && dispatch_ready_i;

    // Another's payment may have taken the credit since it was looked at.
    assign withdraw          = paid_for && !credit;
    assign dispatch_valid_o  = going && !withdraw;
    assign dispatch_kernel_o = from & {KERNEL_W{!withdraw}};
    assign dispatch_sm_o     = to & {SM_W{!withdraw}};
    assign dispatch_cta_o    = cta & {CTA_W{!withdraw}};
    assign dispatch_count_o  = count & {3{!withdraw}};

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

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/work_distributor_properties.v.

`ifdef FORMAL
    work_distributor_properties #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .LEVEL_W   (LEVEL_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
