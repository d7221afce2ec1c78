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
//   launch_keep_i     1            the slot keeps its policy and the CTAs it has left, and
//                                  only launch_sms, launch_active and launch_loose are new
//   launch_ctas_i     CTA_W        CTAs of the grid
//   launch_sms_i      N_SM         bit s: SM s may run it
//   launch_policy_i   2            0 global RR, 1 two-level RR, 2 greedy clustering, 3
//                                  distributed
//   launch_block_i    2            CTAs of a block: 0 one, 1 two, 2 four
//   launch_steal_i    1            distributed: a cluster without CTAs takes those of another
//   launch_active_i   LEVEL_W      p_A, active levels of CLASO; 0: the kernel is without
//                                  credits
//   launch_loose_i    LEVEL_W      p_L, loose levels
//   launch_ready_o    1            no launch is under way: one is taken in this cycle
//   launch_error_o    1            the launch taken in the last cycle was refused
//   kernel_i          KERNEL_W     slot that is looked at: its CTAs are dispatched two cycles
//                                  later
//   room_i            N_SM         bit s: SM s has room for a whole block of the kernel
//   limit_i           N_SM         bit s: all limiters but CLASO allow SM s a block
//   dispatch_valid_o  1            CTAs go to an SM
//   dispatch_kernel_o KERNEL_W     of the kernel in this slot; this and the next are 0 without
//                                  dispatch_valid
//   dispatch_sm_o     SM_W         to this one
//   dispatch_cta_o    CTA_W        the first of the CTAs
//   dispatch_count_o  3            how many, consecutive: 1 to 4
//   dispatch_ready_i  1            the dispatch is taken in this cycle
//   credit_error_o    1            CLASO refused what it was asked in the last cycle, which
//                                  cannot happen
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
//   Launch     goes to the scheduler. Each pool that the scheduler shows is launched in the
//              credits, with its blocks for CTAs, over the launch's SMs, split as the
//              scheduler says, with the p_A and p_L of the launch, and passes when the credits
//              take it. If p_A is 0 the kernel is without credits: its pools pass at once.
//              active and loose hold p_A and p_L from the cycle in which a launch is taken,
//              legal or not; credited follows p_A when a pool is shown. So a kernel's first
//              CTA can go out when the scheduler and its last pool's credits are ready.
//   Dispatch   in the cycle in which the scheduler looks, in this order:
//              1. scheduler   which clusters would get blocks of another's pool (stolen)
//              2. credits     which SMs may get one block of the kernel (allow)
//              3. the limit   an SM passes if the input limit has it and, unless the kernel is
//                             without credits or its cluster's blocks are stolen, the credits
//                             allow it one
//              4. scheduler   sees the SMs with room that pass
//              Two cycles later the scheduler shows the block. Unless it is stolen or its
//              slot is without credits it costs one. If its SM is not allowed a block any
//              more, since one paid in between took the last global credit, it is withdrawn,
//              and no dispatch is valid. Otherwise the credits pay in the cycle in which the
//              dispatch is taken.
//              Until its credits are there, a kernel that has any is dispatched to no SM, but
//              for stolen blocks.
//   Stolen     CTAs cost nothing: quotas are those of a pool's own cluster, and CTAs whose
//              cluster has gone must find an SM whatever its quota.
//   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it;
//              one that is not taken is withdrawn.
//   Illegal    as in the parts. launch_error is the scheduler's. credit_error is the credits'
//              refusal of a launch or a consume, which does not happen whatever the inputs: a
//              pool that is shown has blocks and SMs, and a block goes where the credits allow
//              it.
//
// Reset
//   Every register is 0: no slot has a kernel or credits. The memories keep what they hold.
//   Outputs do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     work_distributor.c: equal outputs, registers and memories, and those of the
//          parts, in every cycle after the first reset edge; of the memories, the words
//          written since.
//
// Source
//   The composition is ours; the places of its parts are those of Yu, He, Guo, Wang, Chen, "A
//   Credit-Based Load-Balance-Aware CTA Scheduling Optimization Scheme in GPGPU", IJPP 2014,
//   section 3.1: a filter between any CTA scheduler and the cores.
//
// Deviations
//   - A credit is for a block, whose CTAs get theirs together or not at all. The paper has no
//     blocks. Were credits counted in CTAs, an SM with an odd share could be left with one
//     credit where only two are of use, and its CTAs would never be issued: with 5 CTAs for 5
//     SMs, none at all.

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
    );

    // ---- Credits -----------------------------------------------------------

    wire            credit_launch_ready;
    wire            credit_launch_error;
    wire [N_SM-1:0] allow;  // a dispatch is one block, and so one credit
    wire            consume;
    wire            consume_error;

    wire            credit;  // there is one for what shows

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
        .consume_kernel_i  (from),
        .consume_core_i    (to),
        .consume_allowed_o (credit),
        .consume_valid_i   (consume),
        .consume_error_o   (consume_error)
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
    // Proved without a bound by induction, for the sizes in tb/formal. Nets of the parts
    // are seen through the wires of their names below, which flattening makes one with
    // them. What takes a kernel's whole state to prove is proved with one slot, which
    // kernel_i names, so that what the parts read for kernel_i is all there is. f_pool
    // stands for any pool. Assertions are a_, covers c_, other proof-only names f_.

`ifdef FORMAL
    localparam [N_CLUSTER-1:0] F_CLUSTER_0 = 1;
    localparam integer F_COUNT_W = $clog2(N_SM + 1);
    localparam integer F_POOLS_W = $clog2(N_CLUSTER + 1);
    localparam integer F_LOCAL_W = (CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1;
    localparam integer F_WORD_W  = CTA_W * N_CLUSTER;
    localparam integer F_STEPS   = (CTA_W + 1) / 2;
    localparam integer F_STEP_W  = $clog2(F_STEPS + 2);
    localparam integer F_DIGIT_W = (N_CLUSTER > 1) ? 2 : 1;                 // of claso
    localparam integer F_CREDIT_STEPS  = (CTA_W + F_DIGIT_W - 1) / F_DIGIT_W;
    localparam integer F_CREDIT_STEP_W = $clog2(F_CREDIT_STEPS + 3);
    localparam integer F_W       = F_COUNT_W + F_POOLS_W + F_LOCAL_W + 2;  // any sum

    (* hierconn *) wire [N_KERNEL-1:0]             \u_scheduler.ready_q ;
    (* hierconn *) wire                            \u_scheduler.busy_q ;
    (* hierconn *) wire [F_STEP_W-1:0]             \u_scheduler.step_q ;
    (* hierconn *) wire [KERNEL_W-1:0]             \u_scheduler.slot_q ;
    (* hierconn *) wire                            \u_scheduler.keep_q ;
    (* hierconn *) wire [N_SM-1:0]                 \u_scheduler.candidates_q ;
    (* hierconn *) wire [N_SM-1:0]                 \u_scheduler.candidates_d ;
    (* hierconn *) wire [KERNEL_W-1:0]             \u_scheduler.looked_q ;
    (* hierconn *) wire [CLUSTER_W-1:0]            \u_scheduler.source_q ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_scheduler.lends_then ;
    (* hierconn *) wire                            \u_scheduler.emptying ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_scheduler.from_some ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_scheduler.from_more ;
    (* hierconn *) wire [N_SM-1:0]                 \u_scheduler.slot_sms ;
    (* hierconn *) wire                            \u_scheduler.split_q ;
    (* hierconn *) wire [F_POOLS_W-1:0]            \u_scheduler.divisor_q ;
    (* hierconn *) wire [2*F_STEPS-1:0]            \u_scheduler.dividend_q ;
    (* hierconn *) wire [F_POOLS_W-1:0]            \u_scheduler.remainder_q ;
    (* hierconn *) wire [CLUSTER_W-1:0]            \u_scheduler.pool_q ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_scheduler.pool_line_q ;
    (* hierconn *) wire                            \u_scheduler.split_now ;
    (* hierconn *) wire [1:0]                      \u_scheduler.from_block ;
    (* hierconn *) wire [F_WORD_W-1:0]             \u_scheduler.from_left ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_scheduler.homeless_then ;
    (* hierconn *) wire                            \u_credits.busy_q ;
    (* hierconn *) wire [F_CREDIT_STEP_W-1:0]      \u_credits.step_q ;
    (* hierconn *) wire [KERNEL_W-1:0]             \u_credits.slot_q ;
    (* hierconn *) wire [CLUSTER_W-1:0]            \u_credits.pool_q ;
    (* hierconn *) wire                            \u_credits.others_q ;
    (* hierconn *) wire [N_SM-1:0]                 \u_credits.cores_q ;
    (* hierconn *) wire [CTA_W-1:0]                \u_credits.ctas_q ;
    (* hierconn *) wire                            \u_credits.same_q ;
    (* hierconn *) wire                            \u_credits.less_q ;
    (* hierconn *) wire [F_COUNT_W-1:0]            \u_credits.divisor_q ;
    (* hierconn *) wire [F_DIGIT_W*F_CREDIT_STEPS-1:0] \u_credits.dividend_q ;
    (* hierconn *) wire [F_COUNT_W-1:0]            \u_credits.remainder_q ;
    (* hierconn *) wire [N_KERNEL-1:0]             \u_credits.valid_q ;
    (* hierconn *) wire [N_KERNEL-1:0]             \u_credits.split_q ;
    (* hierconn *) wire [N_SM*F_LOCAL_W-1:0]       \u_credits.local_now ;
    (* hierconn *) wire [N_SM-1:0]                 \u_credits.some_now ;
    (* hierconn *) wire [N_SM-1:0]                 \u_credits.above_now ;
    (* hierconn *) wire [N_CLUSTER-1:0]            \u_credits.funds_now ;
    (* hierconn *) wire [N_CLUSTER*(LEVEL_W+F_COUNT_W)-1:0] \u_credits.global_now ;
    (* hierconn *) wire [N_CLUSTER*LEVEL_W-1:0]    \u_credits.layers_now ;
    (* hierconn *) wire [N_CLUSTER*LEVEL_W-1:0]    \u_credits.loose_now ;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;

    // Environment: reset first; f_pool exists; one slot is named.
    always @* begin
        assume (f_pool < N_CLUSTER);
        if (!f_started) assume (rst_i);
        if (N_KERNEL == 1) assume (kernel_i == 0);
    end

    wire f_dispatch = !rst_i && dispatch_valid_o && dispatch_ready_i;
    wire f_paid     = !rst_i && consume;
    wire f_shown    = pool_valid && pool_ready && credits_wanted;
    wire f_stolen   = dispatch_stolen;
    wire f_credited = credited_q[dispatch_kernel_o];

    always @(posedge clk) begin
        if (f_started) begin
            // A dispatch goes where there is room, no limiter is against it, and a credit
            // unless none is needed; it pays one exactly then.
            a_single     : assert ((unused_to_line & (unused_to_line - 1'b1)) == 0 && going == (unused_to_line != 0)
                                   && (!going || from < N_KERNEL));
            if (dispatch_valid_o) begin
                a_exists : assert (dispatch_kernel_o < N_KERNEL && dispatch_sm_o < N_SM);
                a_credit : assert (!f_credited || f_stolen || credit);
            end else begin
                a_quiet  : assert (dispatch_sm_o == 0 && dispatch_cta_o == 0
                                   && dispatch_count_o == 0 && dispatch_kernel_o == 0);
            end
            // Who is looked at had room and no limiter against it.
            a_room       : assert ((\u_scheduler.candidates_d & ~(room_i & limit_i)) == 0);
            a_pays       : assert (f_paid == (f_dispatch && f_credited && !f_stolen));

            // The credits have no reason to refuse.
            a_slot       : assert (!\u_scheduler.busy_q || \u_scheduler.slot_q < N_KERNEL);
            a_pool       : assert (\u_scheduler.pool_q < N_CLUSTER);
            a_pool_line  : assert (\u_scheduler.pool_line_q == F_CLUSTER_0 << \u_scheduler.pool_q );
            a_sms        : assert (!\u_scheduler.busy_q || \u_scheduler.slot_sms != 0);
            a_no_error   : assert (!credit_error_o);

            // Registers.
            if ($past(rst_i))
                a_reset  : assert (credited_q == 0 && active_q == 0 && loose_q == 0);
            if (!$past(rst_i)) begin
                if ($past(launch_valid_i && launch_ready_o)) begin
                    a_levels      : assert (active_q == $past(launch_active_i)
                                            && loose_q == $past(launch_loose_i));
                end else begin
                    a_levels_hold : assert (active_q == $past(active_q)
                                            && loose_q == $past(loose_q));
                end
                if ($past(pool_valid))
                    a_credited    : assert (credited_q[$past(pool_kernel)]
                                            == ($past(active_q) != 0));
                if (!$past(pool_valid))
                    a_credited_hold : assert (credited_q == $past(credited_q));
            end

            c_paid  : cover (f_paid);
            c_waits : cover (pool_valid && !pool_ready);
        end
    end

    wire [2:0] f_block = 3'd1 << \u_scheduler.from_block ;

    // The last new launch of the slot, and the CTAs dispatched since.
    wire f_launch = !rst_i && launch_valid_i && launch_ready_o && launch_kernel_i == 0
                    && launch_ctas_i != 0 && launch_sms_i != 0 && launch_block_i != 2'd3
                    && !launch_keep_i;
    wire f_keep   = !rst_i && launch_valid_i && launch_ready_o && launch_kernel_i == 0
                    && launch_keep_i && launch_sms_i != 0 && \u_scheduler.ready_q [0];
    reg             f_known;
    reg [N_SM-1:0]  f_set;     // the SMs of the last launch
    reg [CTA_W-1:0] f_grid;
    reg [F_W-1:0]   f_sent;
    reg [CTA_W-1:0] f_blocks;  // the watched pool's, when the credits took it
    reg             f_shared;  // they have taken one

    always @(posedge clk) begin
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
        if (f_launch || f_keep) f_set <= launch_sms_i;
        if (f_shown && pool_number == f_pool) f_blocks <= pool_blocks;
        if (f_shown && !rst_i) f_shared <= 1'b1;
    end

    // Pools of the launch: those that are given CTAs, and those of them still to pass.
    wire f_dealing = \u_scheduler.busy_q && \u_scheduler.step_q == F_STEPS + 1;
    wire f_ready   = \u_scheduler.ready_q [0];

    reg     [N_CLUSTER-1:0] f_given;
    reg     [F_W-1:0]       f_n_given;
    reg     [F_W-1:0]       f_to_pass;
    reg     [N_CLUSTER-1:0] f_owns;         // pools that have CTAs
    reg                     f_flags;        // some and more are as the pools' CTAs are
    reg                     f_stray;        // pool 0 is not the only one, of those written
    reg     [F_W-1:0]       f_left;         // CTAs in all pools
    reg     [F_W-1:0]       f_left_passed;  // and in those that have passed
    integer                 f_k;
    always @* begin
        f_given       = 0;
        f_n_given     = 0;
        f_to_pass     = 0;
        f_stray       = 1'b0;
        f_flags       = 1'b1;
        f_left        = 0;
        f_left_passed = 0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (\u_scheduler.slot_sms [f_k]) f_given[f_k / CLUSTER_SM] = 1'b1;
        if (! \u_scheduler.split_q ) f_given = 1;
        for (f_k = 0; f_k < N_CLUSTER; f_k = f_k + 1) begin
            f_n_given   = f_n_given + f_given[f_k];
            if ((f_ready || (f_known && \u_scheduler.keep_q ) || (f_dealing && f_k < \u_scheduler.pool_q ))
                && (\u_scheduler.from_some [f_k] != (\u_scheduler.from_left [f_k*CTA_W +: CTA_W] != 0)
                    || \u_scheduler.from_more [f_k] != (\u_scheduler.from_left [f_k*CTA_W +: CTA_W] > f_block)))
                f_flags = 1'b0;
            f_owns[f_k] = \u_scheduler.from_left [f_k*CTA_W +: CTA_W] != 0;
            if (f_k != 0 && f_owns[f_k] && (f_ready || \u_scheduler.keep_q
                                            || f_k < \u_scheduler.pool_q )) f_stray = 1'b1;
            f_left      = f_left + \u_scheduler.from_left [f_k*CTA_W +: CTA_W];
            if (f_k < \u_scheduler.pool_q )
                f_left_passed = f_left_passed + \u_scheduler.from_left [f_k*CTA_W +: CTA_W];
            else
                f_to_pass = f_to_pass + f_given[f_k];
        end
    end

    wire [F_W-1:0] f_fresh    = 2 * (F_STEPS - (\u_scheduler.step_q - 1));  // bits not used
    wire [F_W-1:0] f_used     = 2 * (\u_scheduler.step_q - 1);
    wire [F_W-1:0] f_dividend = \u_scheduler.dividend_q ;
    wire [F_W-1:0] f_quotient = f_dividend & ((1 << f_used) - 1);
    wire [F_W-1:0] f_total    = f_grid;

    // The watched pool: its blocks, and what its SMs have.
    localparam integer F_GLOBAL_W = LEVEL_W + F_COUNT_W;

    wire [CTA_W-1:0] f_pool_left = \u_scheduler.from_left [f_pool*CTA_W +: CTA_W];
    wire [F_W-1:0]   f_remaining = ({{F_W{1'b0}}, f_pool_left} + f_block - 1)
                                   / f_block ;
    wire             f_passed    = f_ready || (f_dealing && \u_scheduler.pool_q > f_pool);

    // What follows holds as long as the slot's policy is the one launched, which the wires
    // show only while the slot is ready. That it is, cta_scheduler proves: a_rules.
    wire             f_agrees    = !f_ready || \u_scheduler.split_now == \u_scheduler.split_q ;
    reg              f_differed;
    always @(posedge clk) f_differed <= !f_launch && !rst_i && (f_differed || !f_agrees);
    wire             f_sound     = f_agrees && !f_differed;
    wire             f_quotas    = f_passed && f_sound && credited_q[0] && f_given[f_pool]
                                   && f_pool_left != 0;
    wire             f_at_work   = \u_credits.busy_q && \u_credits.pool_q == f_pool;

    reg  [N_SM-1:0]  f_sms;      // of the launch that draw on the pool
    reg  [N_SM-1:0]  f_members;  // SMs that may
    reg  [N_SM-1:0]  f_others;   // SMs of clusters whose credits are not being written
    reg  [F_W-1:0]   f_counted;  // SMs whose credits are made
    always @* begin
        f_counted = 0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1) begin
            f_others[f_k]  = f_k / CLUSTER_SM != \u_credits.pool_q ;
            f_members[f_k] = ! \u_scheduler.split_q || f_k / CLUSTER_SM == f_pool;
            f_counted      = f_counted + \u_credits.cores_q [f_k];
        end
        f_sms = f_members & \u_scheduler.slot_sms ;
    end

    wire [F_W-1:0]   f_global;
    wire [F_W-1:0]   f_free;     // credits above the band
    wire [F_W-1:0]   f_local;    // credits
    wire             f_only_sms; // others of the pool have none
    wire             f_marks;    // the flags of the pool's SMs are as their credits are
    wire [F_W-1:0]   f_usable = f_free + f_global;

    claso_ghost #(
        .N_CORE   (N_SM),
        .N_POOL   (N_CLUSTER),
        .LOCAL_W  (F_LOCAL_W),
        .LEVEL_W  (LEVEL_W),
        .GLOBAL_W (F_GLOBAL_W),
        .W        (F_W)
    ) f_in_credits (
        .local_i     (\u_credits.local_now ),
        .some_i      (\u_credits.some_now ),
        .above_i     (\u_credits.above_now ),
        .layers_i    (\u_credits.layers_now ),
        .loose_i     (\u_credits.loose_now ),
        .global_i    (\u_credits.global_now ),
        .funds_i     (\u_credits.funds_now ),
        .pool_i      (f_pool),
        .members_i   (f_members),
        .cores_i     (f_sms),
        .local_new_i ({F_W{1'b1}}),
        .in_band_i   ({F_W{1'b0}}),
        .credits_o   (),
        .global_o    (f_global),
        .band_o      (),
        .flags_o     (f_marks),
        .share_o     (f_only_sms),
        .left_o      (f_local),
        .free_o      (f_free),
        .used_o      (),
        .band_used_o ()
    );

    // The division of the credits, and what stands of it when it is done. With one pool the
    // credits keep no number of blocks beside it.
    wire [F_W-1:0]   f_to_share     = ((N_CLUSTER > 1) ? \u_credits.ctas_q : f_blocks) - 1'b1;
    wire             f_credit_again = \u_credits.same_q || \u_credits.less_q ;
    wire             f_credit_rest;
    wire             f_credit_division;
    wire [2*F_W-1:0] f_credit_whole;

    divide_ghost #(
        .WIDTH (F_DIGIT_W * F_CREDIT_STEPS),
        .W     (F_W)
    ) f_in_credit_division (
        .number_i    (f_to_share),
        .held_i      (\u_credits.dividend_q ),
        .remainder_i (\u_credits.remainder_q ),
        .divisor_i   (\u_credits.divisor_q ),
        .used_i      (F_DIGIT_W * ( \u_credits.step_q - 2)),
        .rest_o      (f_credit_rest),
        .division_o  (f_credit_division),
        .whole_o     (f_credit_whole)
    );

    wire [N_CLUSTER-1:0] f_draws
        = \u_scheduler.from_some
          | {N_CLUSTER{(\u_scheduler.from_some & \u_scheduler.lends_then ) != 0}};

    // A dispatch shows, or a candidate was seen, or is.
    wire f_moves = going || \u_scheduler.candidates_q != 0 || \u_scheduler.candidates_d != 0;
    wire f_open = (\u_scheduler.slot_sms & ~(room_i & limit_i)) == 0;

    generate
        if (N_KERNEL == 1) begin : f_single
            always @(posedge clk) begin
                if (f_started) begin
                    // What the scheduler does, in its own registers.
                    a_slot_is    : assert (\u_scheduler.slot_q == 0 && \u_credits.slot_q == 0);
                    a_known      : assert (f_known == (f_ready || \u_scheduler.busy_q )
                                           && !(f_ready && \u_scheduler.busy_q ));
                    a_idle       : assert (\u_scheduler.busy_q || (\u_scheduler.step_q == 0
                                           && \u_scheduler.pool_q == 0));
                    a_step       : assert (\u_scheduler.step_q <= F_STEPS + 1);
                    a_block      : assert (!f_known || \u_scheduler.from_block != 3);
                    a_one_slot   : assert (\u_scheduler.looked_q == 0 && from == 0);
                    a_has_sms    : assert (!f_known || \u_scheduler.slot_sms != 0);
                    if (\u_scheduler.busy_q && ! \u_scheduler.keep_q ) begin
                        a_none_sent  : assert (f_sent == 0);
                        if (!f_dealing)
                            a_pool_first : assert (\u_scheduler.pool_q == 0);
                        if (\u_scheduler.step_q == 0)
                            a_loaded : assert (f_dividend == f_total
                                               && \u_scheduler.remainder_q == 0);
                        if (\u_scheduler.step_q != 0 && !f_dealing) begin
                            a_divisor  : assert (\u_scheduler.divisor_q == f_n_given);
                            a_remainder: assert (\u_scheduler.remainder_q < f_n_given);
                            a_rest     : assert (f_dividend >> f_used
                                                 == (f_total & ((1 << f_fresh) - 1)));
                            a_division : assert (f_total >> f_fresh
                                                 == f_quotient * f_n_given
                                                    + \u_scheduler.remainder_q );
                        end
                        if (f_dealing) begin
                            a_extra  : assert (\u_scheduler.remainder_q <= f_to_pass);
                            a_deal   : assert (f_left_passed + f_dividend * f_to_pass
                                               + \u_scheduler.remainder_q == f_total);
                        end
                    end
                    if (\u_scheduler.busy_q && \u_scheduler.keep_q )
                        a_keep   : assert (f_dealing && f_dividend == 0
                                           && \u_scheduler.remainder_q == 0);

                    if (dispatch_valid_o)
                        a_count   : assert (dispatch_count_o <= 4);
                    a_flags       : assert (f_flags);
                    if (f_ready)
                        a_seen    : assert ((\u_scheduler.candidates_q & ~f_set) == 0);
                    a_on_its_way  : assert (!going || f_ready);
                    if (going && f_sound)
                        a_draws   : assert (\u_scheduler.source_q < N_CLUSTER && to < N_SM
                                            && \u_scheduler.from_some [\u_scheduler.source_q ]
                                            && dispatch_stolen
                                               == (\u_scheduler.split_q
                                                   && \u_scheduler.source_q != to / CLUSTER_SM)
                                            && (\u_scheduler.split_q
                                                || \u_scheduler.source_q == 0));
                    if (f_ready && f_sound && ! \u_scheduler.emptying )
                        a_serves  : assert ((\u_scheduler.candidates_q & ~sms_of(f_draws)) == 0);

                    // To an SM that the kernel was launched for, stolen or not.
                    if (f_known)
                        a_set     : assert (f_set == \u_scheduler.slot_sms );
                    if (dispatch_valid_o)
                        a_in_set  : assert (f_set[dispatch_sm_o]);

                    // No CTA of the grid is dispatched twice, and none beyond it.
                    if (f_ready || (\u_scheduler.busy_q && \u_scheduler.keep_q ))
                        a_account : assert (f_left + f_sent == f_total);
                    if (f_known)
                        a_total   : assert (f_sent <= f_total);

                    // The credits know the blocks of the pool, and lack none for them.
                    a_vacant     : assert (! \u_credits.busy_q || ! \u_credits.valid_q [0]);
                    a_credit_step: assert (\u_credits.busy_q ? \u_credits.step_q <= F_CREDIT_STEPS + 2
                                                             : \u_credits.step_q == 0);
                    a_credit_none: assert (f_shared
                                           ? N_CLUSTER == 1 || \u_credits.ctas_q != 0
                                           : (\u_credits.ctas_q == 0 && ! \u_credits.busy_q
                                              && \u_credits.divisor_q == 0));
                    if (N_CLUSTER == 1)
                        a_credit_fresh: assert (!f_credit_again && \u_credits.step_q != 1
                                                && \u_credits.ctas_q == 0);
                    if (N_CLUSTER == 1 && \u_credits.busy_q && \u_credits.step_q == 0)
                        a_credit_loaded: assert (\u_credits.dividend_q == f_to_share
                                                 && \u_credits.remainder_q == 0);
                    if (\u_credits.busy_q )
                        a_credit_cores: assert (\u_credits.cores_q != 0);
                    if (\u_credits.busy_q && \u_credits.step_q == 0 && f_credit_again)
                        a_credit_old  : assert (f_credit_whole
                                                == {{F_W{1'b0}}, f_to_share} + \u_credits.less_q
                                                && \u_credits.remainder_q
                                                   < \u_credits.divisor_q
                                                && !(\u_credits.same_q && \u_credits.less_q ));
                    if (\u_credits.busy_q && \u_credits.step_q != 0)
                        a_credit_divisor: assert (\u_credits.divisor_q == f_counted);
                    if (\u_credits.step_q > 1 && \u_credits.step_q < F_CREDIT_STEPS + 2) begin
                        a_credit_remainder: assert (\u_credits.remainder_q
                                                    < \u_credits.divisor_q );
                        a_credit_rest     : assert (f_credit_rest);
                        a_credit_division : assert (f_credit_division);
                    end
                    if (\u_credits.busy_q ? \u_credits.step_q == F_CREDIT_STEPS + 2 : f_shared)
                        a_credit_whole    : assert (f_credit_whole == f_to_share
                                                    && \u_credits.remainder_q
                                                       < \u_credits.divisor_q );
                    if (\u_credits.busy_q )
                        a_credit_pool: assert (\u_credits.split_q [0]
                                               ? (\u_credits.cores_q & f_others) == 0
                                               : \u_credits.pool_q == 0 && ! \u_credits.others_q );
                    if (f_dealing && f_passed && f_given[f_pool] && f_pool_left != 0)
                        a_same   : assert (credited_q[0] == credits_wanted);
                    if (f_quotas) begin
                        a_split   : assert (\u_credits.split_q [0] == \u_scheduler.split_q
                                            && (\u_scheduler.split_q || f_pool == 0));
                        a_blocks  : assert (f_remaining <= f_blocks);
                    end
                    if (f_quotas && f_at_work) begin
                        a_cores   : assert (\u_credits.cores_q == f_sms
                                            && (N_CLUSTER == 1 || \u_credits.ctas_q == f_blocks));
                    end
                    if (f_quotas && !f_at_work) begin
                        a_stands  : assert (\u_credits.busy_q ? \u_credits.others_q
                                                              : \u_credits.valid_q [0]);
                        a_usable  : assert (f_usable >= f_remaining);
                        a_local   : assert (f_local >= f_remaining);
                        a_only    : assert (f_only_sms);
                        a_marks   : assert (f_marks);
                    end
                    if (f_known && f_sound && ! \u_scheduler.split_q )
                        a_one_pool: assert (!f_stray);
                    if (f_passed)
                        a_homeless: assert (\u_scheduler.homeless_then [f_pool]
                                            == (\u_scheduler.split_q && !f_given[f_pool]));

                    // No hang: with CTAs in the pool of a cluster that has SMs, and room
                    // and limit at the launch's SMs, there is a dispatch once the credits
                    // are written. So it is with CTAs in the pool of a cluster without
                    // SMs, unless all that have SMs have CTAs too.
                    if (f_ready && f_sound && f_open && ! \u_credits.busy_q
                        && f_given[f_pool] && f_pool_left != 0)
                        a_no_hang : assert (f_moves);
                    if (f_ready && f_sound && f_open && \u_scheduler.split_q
                        && !f_given[f_pool] && f_pool_left != 0
                        && (f_given & ~f_owns) != 0)
                        a_homeless_no_hang : assert (f_moves);

                    // Reachable: all CTAs of a kernel with credits are dispatched; CTAs
                    // wait while the credits are made.
                    c_all_sent : cover (f_ready && credited_q[0] && f_total > 1
                                        && f_sent == f_total);
                    c_waiting  : cover (f_ready && f_open && f_left != 0
                                        && !dispatch_valid_o);
                end
            end
        end
        if (N_CLUSTER > 1 && N_SM > 1) begin : f_clusters
            always @(posedge clk)
                c_stolen : cover (f_started && f_dispatch && f_credited && f_stolen);
        end
    endgenerate
`endif

endmodule

`default_nettype wire
