// cta_scheduler - which SM gets the next CTAs of a kernel, and which CTAs.
//
// Purpose
//   Keeps the CTAs of each kernel that are still to be dispatched, as pools of
//   consecutive numbers, and dispatches one block of them a cycle to an SM that has
//   room for it. Which SM is next is a matter of the kernel's policy, and so is
//   whether there is one pool or one a cluster. A launch makes the pools and shows
//   them to whoever allots shares of a pool to SMs.
//
//                     Launch                pools             Dispatch
//                +--------------+    +-----------------+
//   launch_*_i ->| count        |    | next      of    |<-- draw -- to_q, source_q -> dispatch_*_o
//                | divide       |--->| left      each  |                ^
//   pool_*_o   <-| give pools   |    | homeless  pool  |              pick <- pointers
//                +--------------+    +-----------------+                |
//                  word slot_q         | word kernel_i                  |
//   kernel_i, room_i, limit_i ------> look ------> candidates_q --------'
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM                SMs, 1..192
//   N_CLUSTER           clusters, 1..64
//   N_KERNEL            kernel slots, 1..32
//   CTA_W               bits of a number of CTAs, 1..32
//   SM_W                bits of an SM's number; derived, never overridden
//   CLUSTER_W           bits of a cluster's number; derived, never overridden
//   KERNEL_W            bits of a slot's number; derived, never overridden
//
// Ports                 width        meaning
//   clk                 1            clock, rising edge
//   rst_i               1            reset, synchronous, active high
//   launch_valid_i      1            a kernel is launched, or its pools are shown anew
//   launch_kernel_i     KERNEL_W     its slot; N_KERNEL and up are refused
//   launch_keep_i       1            the slot keeps its policy and the CTAs it has left, and
//                                    only launch_sms is new; refused if it has no kernel
//   launch_ctas_i       CTA_W        CTAs of the grid, from 0; 0 is refused, unless
//                                    launch_keep
//   launch_sms_i        N_SM         bit s: SM s may run it; none at all is refused
//   launch_policy_i     2            0 global RR, 1 two-level RR, 2 greedy clustering, 3
//                                    distributed
//   launch_block_i      2            CTAs of a block: 0 one, 1 two, 2 four; 3 is refused,
//                                    unless launch_keep
//   launch_steal_i      1            distributed: a cluster without CTAs takes those of
//                                    another
//   launch_ready_o      1            no launch is under way: one is taken in this cycle
//   launch_error_o      1            the launch taken in the last cycle was refused
//   pool_valid_o        1            the launch under way shows a pool: CTAs, and the SMs that
//                                    share them
//   pool_kernel_o       KERNEL_W     of the kernel in this slot; this and the next are 0
//                                    without pool_valid
//   pool_split_o        1            it is one cluster's share of the grid; otherwise, the
//                                    whole grid
//   pool_number_o       CLUSTER_W    of this cluster
//   pool_blocks_o       CTA_W        blocks in it, 1 and up; the last may have fewer CTAs than
//                                    the others
//   pool_sms_o          N_SM         the launch's SMs; if the pool is split, those of its
//                                    cluster draw on it
//   pool_ready_i        1            the pool has been seen: the launch goes on
//   kernel_i            KERNEL_W     slot that is looked at: its CTAs are dispatched two
//                                    cycles later
//   stolen_o            N_CLUSTER    bit c: what an SM of cluster c would get now is from
//                                    another cluster's pool
//   room_i              N_SM         bit s: SM s has room for a whole block of the kernel
//   limit_i             N_SM         bit s: every limiter allows SM s a block of the kernel
//   dispatch_valid_o    1            CTAs go to an SM
//   dispatch_kernel_o   KERNEL_W     of the kernel in this slot; this and the next are 0
//                                    without dispatch_valid
//   dispatch_sm_o       SM_W         to this one
//   dispatch_cta_o      CTA_W        the first of the CTAs
//   dispatch_count_o    3            how many, consecutive: 1 to 4
//   dispatch_stolen_o   1            they are from the pool of another cluster
//   dispatch_line_o     N_SM         the SM alone
//   dispatch_withdraw_i 1            the dispatch that shows is not to be: its CTAs stay in
//                                    their pool
//   dispatch_ready_i    1            the dispatch is taken in this cycle, unless it is
//                                    withdrawn
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   stolen_o            kernel_i
//
// Timing
//   Latency     of a launch: see Launch below. From a look to its dispatch, two cycles.
//   Throughput  one dispatch a cycle, of any slot, while a launch is under way or not, if other
//               SMs are candidates; one SM alone gets one every third cycle. A pool that
//               is emptied costs its slot a cycle.
//
// Contract
//   SM s is in cluster s / cluster_sm, with rank s % cluster_sm. The last clusters may have
//   fewer SMs, or none. At most one block of CTAs is dispatched per cycle: consecutive CTAs to
//   one SM.
//
//   Policies   0 global RR          one pool. The next SM, cluster by cluster: 0, 1, 2, ...
//              1 two-level RR       one pool. The next SM in the order of ranks, and for equal
//                                   ranks of clusters: all first SMs, then all second ones
//              2 greedy clustering  one pool. The first cluster with a candidate; in it, the
//                                   next rank
//              3 distributed        one pool per cluster. The next cluster with a candidate;
//                                   in it, the next rank. With blocks of two this is
//                                   distributed-block
//   Cycles     in cycle t the scheduler looks at slot kernel, room and limit. In t + 1 it picks
//              one of the candidates that it saw. In t + 2 the dispatch shows, and stays until
//              it is taken, withdrawn or its slot is launched. It looks and picks in every
//              cycle, but for what Pick says.
//   Look       candidates are the SMs of the kernel's set (launch_sms), in room and in limit,
//              whose cluster has a pool to draw on. Not among them is an SM that is picked in
//              this cycle or whose dispatch shows in it, for any slot: the cycle after a
//              dispatch is taken is the first whose room counts again. A pool whose last CTAs
//              show is empty. With greedy clustering, clusters behind one to which a block of
//              the slot is picked or shows have no candidates. candidates and looked hold what
//              was seen.
//   Pick       one of candidates, unless a dispatch shows that neither leaves nor is withdrawn,
//              the slot is not ready or is launched in this cycle, or a dispatch of the slot
//              shows that has the last CTAs of its pool. What is not picked is forgotten.
//   Pointers   "next" is the first candidate behind the one picked last, wrapping. Each slot
//              has turn, places in the order of policies 0 and 1; cluster_turn, clusters, for
//              policy 3; and in each cluster rank, for policies 2 and 3: each is the set of
//              what is behind the last, none at first or if that was the last of all. Only a
//              pick of the slot moves pointers, and only those that its policy uses, even if
//              its dispatch is withdrawn. They are empty when a slot is launched for the first
//              time since the reset (known); later launches of the slot go on from where they
//              are.
//   Waiting    an SM that is a candidate in every pick of its slot is passed over by fewer than
//              n_sm of them with policies 0 and 1, and by fewer than n_cluster * cluster_sm
//              with policy 3, whatever other slots do. With policy 2 it is passed over by fewer
//              than cluster_sm of those for its own cluster; but a cluster gets nothing while
//              an earlier one has a candidate.
//   Dispatch   of the lowest CTAs of the pool, min(block, CTAs it has left). They are drawn
//              from the pool when the dispatch is taken. The odd tail goes out as it is, but to
//              an SM with room for a whole block: that is what the mask room means. Whether
//              these are any free contexts, or those of one block that has ended (strict
//              pairs), is decided in the SM.
//   Withdrawn  is a dispatch with dispatch_withdraw, or whose slot is launched in a cycle in
// which it is not taken: it is gone in the next cycle, and its CTAs are still in the pool.
//   Pools      a distributed launch of n CTAs over the C clusters that have an SM in
//              launch_sms gives these, in order, contiguous CTAs: the first n mod C clusters
//              get floor(n / C) + 1, the others floor(n / C). Clusters without such an SM get
//              none. The other policies have the whole grid in pool 0, on which every cluster
//              draws. some and more say of each pool that it has CTAs, and more than a block.
//   Draw       a cluster draws on its own pool. If that is empty, it draws on the first pool
//              with CTAs among those of the next clusters, wrapping, whose cluster has no SM
//              of the launch (homeless), or on the first of any if the launch says steal.
//   Launch     taken in cycle t, a new launch counts the clusters in t + 1, divides in the
//              next n_step cycles, and then passes each of the n_cluster pools in turn, 0
//              first, in at least one cycle. A pool that has CTAs and an SM of the launch to
//              draw on it is shown, and passes when pool_ready; any other passes at once. In
//              each cycle of its turn its next, left, some, more and homeless are written.
//              After the last the slot is ready: at t + 2 + n_step + n_cluster, if pool_ready
//              never was low. From the cycle after the launch until then nothing of the slot
//              is picked. The set of SMs, and of a new launch the policy, the block
//              and steal, are written when the launch is taken. A launch of a slot in use
//              replaces its CTAs.
//   Keep       with launch_keep the pools come first, from t + 1 on. They keep next and left,
//              and a pool without an SM becomes homeless: so the set of SMs of a kernel
//              changes.
//   Registers  a launch that is taken loads slot, keep, split (of a kept slot, from its policy)
//              and dividend (launch_ctas, or 0 to keep), sets step to 0 (n_step + 1 to keep),
//              and clears pool, first and remainder. Step 0 loads divisor: clusters with an SM
//              of the launch, or 1 if it is not split. Each division step is one of claso's. A
//              pool that gets one CTA more takes it from remainder. When the last pool passes,
//              busy, step and pool become 0.
//   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it.
//   Illegal    is flagged for one cycle and changes nothing else: a launch of slot n_kernel or
//              above, without SMs, of no CTAs, with block 3, or that keeps a slot that is not
//              ready, sets launch_error; a launch while launch_ready is low waits.
//              A kernel that is unknown or not ready has no candidates.
//
// Reset
//   Every register is 0: no slot has a kernel, and no launch is under way. The memories keep
//   what they hold. Outputs do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     cta_scheduler.c: equal outputs, registers and memories in every cycle after
//          the first reset edge; of the memories, the words written since.
//
// Source
//   Greedy clustering, distributed and distributed-block, and both RRs: Wang and others,
//   "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure",
//   IEEE Transactions on Computers 2019, 2.3, 4.1 and 5. Global RR also: Yu and others, CLASO,
//   IJPP 2014, 2.1. Blocks: the slides on block CTA scheduling (BCS).
//
// Deviations
//   - Pools differ by at most one CTA, and clusters do not steal unless told to; the sources
//     leave both open.
//   - Clusters share one dispatch per cycle, in turn; the end states are those of the figures.
//   - The grid has at most 2^cta_w - 1 CTAs.
//   - Homeless pools, launch_keep and more than one kernel are ours: without them a change of
//     the set of SMs would strand CTAs.

`default_nettype none

module cta_scheduler #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input  wire                   clk,
    input  wire                   rst_i,

    input  wire                   launch_valid_i,
    input  wire [KERNEL_W-1:0]    launch_kernel_i,
    input  wire                   launch_keep_i,
    input  wire [CTA_W-1:0]       launch_ctas_i,
    input  wire [N_SM-1:0]        launch_sms_i,
    input  wire [1:0]             launch_policy_i,
    input  wire [1:0]             launch_block_i,
    input  wire                   launch_steal_i,
    output wire                   launch_ready_o,
    output wire                   launch_error_o,

    output wire                   pool_valid_o,
    output wire [KERNEL_W-1:0]    pool_kernel_o,
    output wire                   pool_split_o,
    output wire [CLUSTER_W-1:0]   pool_number_o,
    output wire [CTA_W-1:0]       pool_blocks_o,
    output wire [N_SM-1:0]        pool_sms_o,
    input  wire                   pool_ready_i,

    input  wire [KERNEL_W-1:0]    kernel_i,
    output wire [N_CLUSTER-1:0]   stolen_o,
    input  wire [N_SM-1:0]        room_i,
    input  wire [N_SM-1:0]        limit_i,
    output wire                   dispatch_valid_o,
    output wire [KERNEL_W-1:0]    dispatch_kernel_o,
    output wire [SM_W-1:0]        dispatch_sm_o,
    output wire [CTA_W-1:0]       dispatch_cta_o,
    output wire [2:0]             dispatch_count_o,
    output wire                   dispatch_stolen_o,
    output wire [N_SM-1:0]        dispatch_line_o,
    input  wire                   dispatch_withdraw_i,
    input  wire                   dispatch_ready_i
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_KERNEL < 1 || N_KERNEL > 32 || CTA_W < 1 || CTA_W > 32
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            cta_scheduler_needs_N_SM_1_to_192_N_CLUSTER_1_to_64_N_KERNEL_and_CTA_W_1_to_32
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster
    localparam integer N_SEAT     = CLUSTER_SM * N_CLUSTER;  // SMs, if no rank were empty
    localparam integer COUNT_W    = $clog2(N_CLUSTER + 1);   // 0..N_CLUSTER
    localparam integer N_STEP     = (CTA_W + 1) / 2;  // cycles of a division, two bits each
    localparam integer STEP_W     = $clog2(N_STEP + 2);
    localparam integer WORD_W     = CTA_W * N_CLUSTER;

    // One line a slot; a number without a slot shifts the one out of the vector.
    localparam [N_KERNEL-1:0] SLOT_0      = 1;
    localparam [1:0]          GREEDY      = 2'd2;  // policies
    localparam [1:0]          DISTRIBUTED = 2'd3;  // this one splits

    // ---- State -------------------------------------------------------------
    // That of the launch under way is in u_launch, and has its names here.

    // Kernels: a word a slot, pool 0 lowest.
    reg [WORD_W-1:0]    next_q     [0:N_KERNEL-1];  // the next CTA of each pool
    reg [WORD_W-1:0]    left_q     [0:N_KERNEL-1];  // CTAs each pool has left
    reg [N_CLUSTER-1:0] some_q     [0:N_KERNEL-1];  // the pool has CTAs
    reg [N_CLUSTER-1:0] more_q     [0:N_KERNEL-1];  // more than a block
    reg [N_CLUSTER-1:0] homeless_q [0:N_KERNEL-1];  // split, and no SM in the pool's cluster
    reg [1:0]           policy_q   [0:N_KERNEL-1];
    reg [1:0]           block_q    [0:N_KERNEL-1];
    reg                 steal_q    [0:N_KERNEL-1];
    reg [N_SM-1:0]      sms_q      [0:N_KERNEL-1];  // bit s: SM s may run it

    // Pointers: what is behind the one served last. A word a slot, cluster 0 lowest.
    reg [N_SM-1:0]      turn_q         [0:N_KERNEL-1];  // policies 0 and 1: places of the order
    reg [N_CLUSTER-1:0] cluster_turn_q [0:N_KERNEL-1];  // policy 3: clusters
    reg [N_SEAT-1:0]    rank_q         [0:N_KERNEL-1];  // policies 2 and 3: ranks of each cluster

    // What was looked at in the last cycle, and the dispatch that was picked from it.
    reg [N_SM-1:0]      candidates_q;
    reg [KERNEL_W-1:0]  looked_q;     // slot they are of
    reg                 going_q;      // a dispatch shows; if not, what follows is 0
    reg [N_SM-1:0]      to_q;         // line of its SM
    reg [KERNEL_W-1:0]  from_q;       // its slot
    reg [CLUSTER_W-1:0] source_q;     // number of its pool
    reg                 stolen_q;     // which is that of another cluster

    // The pools on which other clusters may draw. Not split, that is pool 0.
    function [N_CLUSTER-1:0] lends_of;
        input [N_CLUSTER-1:0] homeless;
        input                 steal;
        input [1:0]           policy;
        lends_of = homeless | {N_CLUSTER{steal || policy != DISTRIBUTED}};
    endfunction

    // ---- Launch ------------------------------------------------------------

    // Its registers; of most, nothing here is a function.
    // verilator lint_off UNUSEDSIGNAL
    wire [N_KERNEL-1:0]  ready_q;      // bit k: slot k may be dispatched
    wire [N_KERNEL-1:0]  known_q;      // bit k: slot k has pointers
    wire                 busy_q;       // a launch is under way
    wire [STEP_W-1:0]    step_q;
    wire [KERNEL_W-1:0]  slot_q;
    wire                 keep_q;
    wire                 split_q;
    wire [COUNT_W-1:0]   divisor_q;
    wire [2*N_STEP-1:0]  dividend_q;
    wire [COUNT_W-1:0]   remainder_q;
    wire [CLUSTER_W-1:0] pool_q;
    wire [N_CLUSTER-1:0] pool_line_q;
    wire [CTA_W-1:0]     first_q;
    // verilator lint_on UNUSEDSIGNAL
    wire                 launch_error_q;

    wire                 launch;       // a legal one is taken
    wire                 anew;         // the first of its slot
    wire                 dealing;      // a pool of the slot is written
    wire [CTA_W-1:0]     pool_next;
    wire [CTA_W-1:0]     pool_left;
    wire                 pool_some;
    wire                 pool_more;
    wire                 pool_homeless;
    wire [1:0]           kept_policy = policy_q[launch_kernel_i];
    wire [1:0]           slot_block  = block_q[slot_q];
    wire [N_SM-1:0]      slot_sms    = sms_q[slot_q];
    wire [WORD_W-1:0]    slot_next   = next_q[slot_q];
    wire [WORD_W-1:0]    slot_left   = left_q[slot_q];

    cta_launch #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W)
    ) u_launch (
        .clk             (clk),
        .rst_i           (rst_i),
        .launch_valid_i  (launch_valid_i),
        .launch_kernel_i (launch_kernel_i),
        .launch_keep_i   (launch_keep_i),
        .launch_ctas_i   (launch_ctas_i),
        .launch_sms_i    (launch_sms_i),
        .launch_policy_i (launch_policy_i),
        .launch_block_i  (launch_block_i),
        .launch_ready_o  (launch_ready_o),
        .launch_error_o  (launch_error_q),
        .kept_policy_i   (kept_policy),
        .launch_o        (launch),
        .anew_o          (anew),
        .sms_i           (slot_sms),
        .block_i         (slot_block),
        .next_i          (slot_next),
        .left_i          (slot_left),
        .pool_valid_o    (pool_valid_o),
        .pool_kernel_o   (pool_kernel_o),
        .pool_split_o    (pool_split_o),
        .pool_number_o   (pool_number_o),
        .pool_blocks_o   (pool_blocks_o),
        .pool_sms_o      (pool_sms_o),
        .pool_ready_i    (pool_ready_i),
        .deal_o          (dealing),
        .deal_next_o     (pool_next),
        .deal_left_o     (pool_left),
        .deal_some_o     (pool_some),
        .deal_more_o     (pool_more),
        .deal_homeless_o (pool_homeless),
        .ready_o         (ready_q),
        .known_o         (known_q),
        .busy_o          (busy_q),
        .step_o          (step_q),
        .slot_o          (slot_q),
        .keep_o          (keep_q),
        .split_o         (split_q),
        .divisor_o       (divisor_q),
        .dividend_o      (dividend_q),
        .remainder_o     (remainder_q),
        .pool_o          (pool_q),
        .pool_line_o     (pool_line_q),
        .first_o         (first_q)
    );

    assign launch_error_o = launch_error_q;

    // ---- Dispatch ----------------------------------------------------------
    // What was picked in the last cycle, or before it if nobody took it: the pool's lowest
    // CTAs. They are drawn when it is taken.

    wire [WORD_W-1:0]    from_next  = next_q[from_q];
    wire [WORD_W-1:0]    from_left  = left_q[from_q];
    wire [N_CLUSTER-1:0] from_some  = some_q[from_q];
    wire [N_CLUSTER-1:0] from_more  = more_q[from_q];
    wire [1:0]           from_block = block_q[from_q];
    wire [N_CLUSTER-1:0] source;
    wire                 last;  // it empties the pool
    wire [CTA_W-1:0]     next_then;
    wire [CTA_W-1:0]     left_then;
    wire                 more_then;
    wire                 dispatch   = going_q && dispatch_ready_i && !dispatch_withdraw_i;

    cta_draw #(
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W)
    ) u_draw (
        .going_i (going_q),
        .pool_i  (source_q),
        .block_i (from_block),
        .next_i  (from_next),
        .left_i  (from_left),
        .more_i  (from_more),
        .line_o  (source),
        .cta_o   (dispatch_cta_o),
        .count_o (dispatch_count_o),
        .last_o  (last),
        .next_o  (next_then),
        .left_o  (left_then),
        .more_o  (more_then)
    );

    line_number #(
        .N (N_SM)
    ) u_to (
        .line_i   (to_q),
        .number_o (dispatch_sm_o)
    );

    assign dispatch_valid_o  = going_q;
    assign dispatch_kernel_o = from_q;
    assign dispatch_stolen_o = stolen_q;
    assign dispatch_line_o   = to_q;

    // ---- Pick --------------------------------------------------------------
    // From the candidates of the last cycle. Nothing that happened since stands against one,
    // but for what stops the pick of any.

    wire                 held        = (ready_q & (SLOT_0 << looked_q)) != 0;
    wire                 emptying    = going_q && last && from_q == looked_q;
    wire                 relaunched  = launch && launch_kernel_i == looked_q;
    wire                 may_pick    = held && !emptying && !relaunched
                                       && !(going_q && !dispatch_ready_i && !dispatch_withdraw_i);
    wire                 pick        = may_pick && candidates_q != 0;
    wire [1:0]           policy_then = policy_q[looked_q];
    wire [N_CLUSTER-1:0] some_then   = some_q[looked_q];
    wire [N_CLUSTER-1:0] homeless_then = homeless_q[looked_q];
    wire                 steal_then    = steal_q[looked_q];
    wire [N_SM-1:0]      turn_now      = turn_q[looked_q];
    wire [N_CLUSTER-1:0] cluster_turn_now = cluster_turn_q[looked_q];
    wire [N_SEAT-1:0]    rank_now      = rank_q[looked_q];
    wire [N_CLUSTER-1:0] lends_then    = lends_of(homeless_then, steal_then, policy_then);
    wire [N_SM-1:0]      sm;
    wire [N_CLUSTER-1:0] called;
    wire [N_SM-1:0]      turn_then;
    wire [N_CLUSTER-1:0] cluster_turn_then;
    wire [N_SEAT-1:0]    rank_then;

    cta_pick #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER)
    ) u_pick (
        .candidates_i   (candidates_q),
        .policy_i       (policy_then),
        .turn_i         (turn_now),
        .cluster_turn_i (cluster_turn_now),
        .rank_i         (rank_now),
        .sm_o           (sm),
        .cluster_o      (called),
        .turn_o         (turn_then),
        .cluster_turn_o (cluster_turn_then),
        .rank_o         (rank_then)
    );

    // The pool of the cluster picked. Not split, that is pool 0, whatever the cluster.
    wire [N_CLUSTER*CLUSTER_W-1:0] pool_then;
    wire [CLUSTER_W-1:0]           source_then;

    cta_pools #(
        .N_CLUSTER (N_CLUSTER)
    ) u_pools (
        .has_i   (some_then),
        .lends_i (lends_then),
        .pool_o  (pool_then)
    );

    select_line #(
        .N (N_CLUSTER),
        .W (CLUSTER_W)
    ) u_source (
        .words_i (pool_then),
        .line_i  (called & {N_CLUSTER{policy_then == DISTRIBUTED}}),
        .word_o  (source_then)
    );

    // ---- Look --------------------------------------------------------------
    // Words are read for any kernel_i; asked tells whether they mean anything. A pool whose
    // last CTAs are on their way has none.

    wire                 asked      = (ready_q & (SLOT_0 << kernel_i)) != 0;
    wire                 same_going = going_q && from_q == kernel_i;
    wire                 same_pick  = pick && looked_q == kernel_i;
    wire [1:0]           policy_now = policy_q[kernel_i] & {2{asked}};
    wire                 split_now  = policy_now == DISTRIBUTED;
    wire [N_SM-1:0]      sms_now    = sms_q[kernel_i];
    wire [N_CLUSTER-1:0] some_now   = some_q[kernel_i];
    wire [N_CLUSTER-1:0] homeless_now = homeless_q[kernel_i];
    wire                 steal_now  = steal_q[kernel_i];
    wire [N_CLUSTER-1:0] gone       = source & {N_CLUSTER{same_going && last}};
    wire [N_CLUSTER-1:0] other;
    wire [N_SM-1:0]      candidates_d;

    cta_look #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER)
    ) u_look (
        .sms_i         (sms_now),
        .room_i        (room_i),
        .limit_i       (limit_i),
        .has_i         (some_now & ~gone & {N_CLUSTER{asked}}),
        .lends_i       (lends_of(homeless_now, steal_now, policy_now)),
        .greedy_i      (policy_now == GREEDY),
        .to_i          (to_q),
        .to_mine_i     (same_going),
        .picked_i      (sm & {N_SM{may_pick}}),
        .behind_i      (cluster_turn_then),
        .picked_mine_i (same_pick),
        .other_o       (other),
        .candidates_o  (candidates_d)
    );

    assign stolen_o = other & {N_CLUSTER{split_now}};

    // ---- Clocked -----------------------------------------------------------
    // The two writes of next and left never meet in a word: a slot that is being launched
    // is not ready, so nothing of it can be dispatched. Nor do those of the pointers: a slot
    // that is dispatched has been launched before. The words are made where they are
    // written, so that a simulator makes none in the other cycles.

    // The word with another element for one pool.
    function [WORD_W-1:0] replace;
        input [WORD_W-1:0]    word;
        input [N_CLUSTER-1:0] line;
        input [CTA_W-1:0]     value;
        integer k;
        begin
            replace = word;
            for (k = 0; k < N_CLUSTER; k = k + 1)
                if (line[k]) replace[k*CTA_W +: CTA_W] = value;
        end
    endfunction

    // The set with another bit for it.
    function [N_CLUSTER-1:0] marked;
        input [N_CLUSTER-1:0] set;
        input [N_CLUSTER-1:0] line;
        input                 mark;
        marked = (set & ~line) | (line & {N_CLUSTER{mark}});
    endfunction

    always @(posedge clk) begin : p_memories
        if (!rst_i && dispatch) begin
            next_q[from_q] <= replace(from_next, source, next_then);
            left_q[from_q] <= replace(from_left, source, left_then);
            some_q[from_q] <= from_some & ~(source & {N_CLUSTER{last}});
            more_q[from_q] <= from_more & ~(source & {N_CLUSTER{!more_then}});
        end
        if (!rst_i && pick) begin
            if (policy_then[1]) rank_q[looked_q] <= rank_then;
            else turn_q[looked_q] <= turn_then;
            if (policy_then == DISTRIBUTED) cluster_turn_q[looked_q] <= cluster_turn_then;
        end
        if (!rst_i && dealing) begin
            next_q    [slot_q] <= replace(slot_next, pool_line_q, pool_next);
            left_q    [slot_q] <= replace(slot_left, pool_line_q, pool_left);
            some_q    [slot_q] <= marked(some_q[slot_q], pool_line_q, pool_some);
            more_q    [slot_q] <= marked(more_q[slot_q], pool_line_q, pool_more);
            homeless_q[slot_q] <= marked(homeless_q[slot_q], pool_line_q, pool_homeless);
        end
        if (!rst_i && launch && !launch_keep_i) begin
            policy_q[launch_kernel_i] <= launch_policy_i;
            block_q [launch_kernel_i] <= launch_block_i;
            steal_q [launch_kernel_i] <= launch_steal_i;
        end
        if (!rst_i && launch) begin
            sms_q[launch_kernel_i] <= launch_sms_i;
            if (anew) begin
                turn_q        [launch_kernel_i] <= {N_SM{1'b0}};
                cluster_turn_q[launch_kernel_i] <= {N_CLUSTER{1'b0}};
                rank_q        [launch_kernel_i] <= {N_SEAT{1'b0}};
            end
        end
    end

    // A dispatch stays until it is taken or withdrawn, or its slot is launched.
    wire stays = going_q && !dispatch_ready_i && !dispatch_withdraw_i
                 && !(launch && launch_kernel_i == from_q);

    always @(posedge clk) begin : p_dispatch
        if (rst_i) begin
            candidates_q <= {N_SM{1'b0}};
            looked_q     <= {KERNEL_W{1'b0}};
        end else begin
            candidates_q <= candidates_d;
            looked_q     <= kernel_i;
        end
        if (rst_i || !(pick || stays)) begin
            going_q  <= 1'b0;
            to_q     <= {N_SM{1'b0}};
            from_q   <= {KERNEL_W{1'b0}};
            source_q <= {CLUSTER_W{1'b0}};
            stolen_q <= 1'b0;
        end else if (pick) begin
            going_q  <= 1'b1;
            to_q     <= sm;
            from_q   <= looked_q;
            source_q <= source_then;
            stolen_q <= policy_then == DISTRIBUTED && (called & some_then) == 0;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Proved without a bound by induction, for the sizes in tb/formal. f_slot stands for
    // any slot, f_pool for any pool, f_cta for any CTA, f_cluster and f_sm for any cluster
    // and SM. What a launch was given is kept beside the design, so
    // that its pools are held against the formulas, with / and %, and its CTAs are counted
    // as they are dispatched; what follows from words and registers alone is in the ghosts of
    // rtl/formal. Assertions are a_, covers c_, other proof-only names f_.

`ifdef FORMAL
    // F_W bits hold any sum of two numbers of CTAs, SMs or clusters, or a measure of wait.
    localparam integer F_LARGER = (CTA_W > SM_W) ? CTA_W : SM_W;
    localparam integer F_W      = ((F_LARGER > CLUSTER_W) ? F_LARGER : CLUSTER_W) + 2;
    localparam integer F_FIRST  = 2 + N_STEP;  // cycles from a launch to its first pool
    localparam [N_CLUSTER-1:0] F_CLUSTER_0 = 1;
    localparam [STEP_W-1:0]    F_POOLS     = N_STEP + 1;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0]  f_slot;
    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    (* anyconst *) reg [CTA_W-1:0]     f_cta;
    (* anyconst *) reg [CLUSTER_W-1:0] f_cluster;
    (* anyconst *) reg [SM_W-1:0]      f_sm;

    // Environment: reset first; what is watched exists.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_pool < N_CLUSTER);
        assume (f_cluster < N_CLUSTER);
        assume (f_sm < N_SM);
        if (!f_started) assume (rst_i);
    end

    // What happens in this cycle. What a launch needs is spelled out once more, in the
    // words of the contract.
    wire f_launch_bad = launch_kernel_i >= N_KERNEL || launch_sms_i == 0
                        || (launch_keep_i ? !ready_q[launch_kernel_i]
                                          : launch_ctas_i == 0 || launch_block_i == 3);
    wire f_launch_now = !rst_i && launch_valid_i && !busy_q;
    wire f_launch     = f_launch_now && !f_launch_bad && launch_kernel_i == f_slot;
    wire f_shows      = dispatch_kernel_o == f_slot;
    wire f_looks      = kernel_i == f_slot;
    wire f_mine       = !rst_i && pick && looked_q == f_slot;  // a pick for the watched slot
    wire f_taken      = !rst_i && dispatch_valid_o && dispatch_ready_i && !dispatch_withdraw_i;

    wire [F_W-1:0] f_cta_now  = dispatch_cta_o;
    wire [F_W-1:0] f_cta_end  = f_cta_now + dispatch_count_o;
    wire           f_has_cta  = f_cta_now <= f_cta && f_cta < f_cta_end;

    // The last launch of the watched slot, the last that gave CTAs, and what became of them.
    reg             f_launched;
    reg             f_keep;
    reg [N_SM-1:0]  f_sms;
    reg [N_SM-1:0]  f_grid_sms;
    reg [CTA_W-1:0] f_ctas;
    reg [1:0]       f_policy;
    reg [1:0]       f_block;
    reg             f_steal;
    reg [F_W-1:0]   f_age;       // cycles since the launch, less those in which a pool waited
    reg [1:0]       f_seen;      // times that f_cta was dispatched, up to 2
    reg [F_W-1:0]   f_issued;    // CTAs of f_pool that were dispatched
    wire            f_of_pool;   // the dispatch is from f_pool

    wire [F_W-1:0]  f_latency = f_keep ? 1 + N_CLUSTER : F_FIRST + N_CLUSTER;

    always @(posedge clk) begin
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
            if (f_has_cta && f_seen < 2) f_seen <= f_seen + 1;
            if (f_of_pool) f_issued <= f_issued + dispatch_count_o;
        end
    end

    // The grid divided.
    wire [N_CLUSTER-1:0]         f_people;   // bit c: cluster c has an SM of the last launch
    wire [N_CLUSTER-1:0]         f_sharing;  // bit c: it has a share of the grid
    wire [F_W-1:0]               f_divisor;
    wire [F_W-1:0]               f_floor;
    wire [F_W-1:0]               f_modulo;
    wire [F_W*(N_CLUSTER+1)-1:0] f_befores;
    wire [F_W*(N_CLUSTER+1)-1:0] f_firsts;
    wire [N_CLUSTER-1:0]         f_fair;     // bit p: pool p's share is as large as it should be
    wire                         f_split = f_policy == 3;
    wire [F_W-1:0]               f_n_cta = f_ctas;

    cta_grid_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_grid (
        .ctas_i     (f_ctas),
        .sms_i      (f_sms),
        .grid_sms_i (f_grid_sms),
        .split_i    (f_split),
        .people_o   (f_people),
        .sharing_o  (f_sharing),
        .divisor_o  (f_divisor),
        .floor_o    (f_floor),
        .modulo_o   (f_modulo),
        .before_o   (f_befores),
        .firsts_o   (f_firsts),
        .fair_o     (f_fair)
    );

    // What the slot holds.
    wire                 f_held     = ready_q[f_slot];
    wire                 f_known    = known_q[f_slot];
    wire                 f_working  = busy_q && slot_q == f_slot;
    wire                 f_dealing  = f_working && step_q == F_POOLS;
    wire [WORD_W-1:0]    f_next     = next_q[f_slot];
    wire [WORD_W-1:0]    f_left     = left_q[f_slot];
    wire [N_CLUSTER-1:0] f_homeless = homeless_q[f_slot];
    reg                  f_blocks;  // no slot has an illegal block
    integer              f_k;
    always @* begin
        f_blocks = 1'b1;
        for (f_k = 0; f_k < N_KERNEL; f_k = f_k + 1) begin
            if ((ready_q[f_k] || (busy_q && slot_q == f_k)) && block_q[f_k] == 3)
                f_blocks = 1'b0;
        end
    end
    wire [N_CLUSTER-1:0] f_orphans  = ~f_people & {N_CLUSTER{f_split}};

    // Every pool, for the induction: it has what it was given, less what was dispatched. And the
    // pool that the watched cluster draws on.
    wire [N_CLUSTER-1:0] f_tail;
    wire [N_CLUSTER-1:0] f_full;
    wire [N_CLUSTER-1:0] f_flags;
    wire [N_CLUSTER-1:0] f_own;
    wire [CLUSTER_W-1:0] f_source;
    wire                 f_found;
    wire [N_CLUSTER-1:0] f_some  = some_q[f_slot];
    wire [N_CLUSTER-1:0] f_more  = more_q[f_slot];
    wire [F_W-1:0]       f_size  = 1 << f_block;
    wire [N_CLUSTER-1:0] f_lends = f_orphans | {N_CLUSTER{f_steal || !f_split}};
    wire [N_CLUSTER-1:0] f_dealt = {N_CLUSTER{f_dealing}} & ~({N_CLUSTER{1'b1}} << pool_q);

    cta_pools_ghost #(
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_pools (
        .next_i    (f_next),
        .left_i    (f_left),
        .some_i    (f_some),
        .more_i    (f_more),
        .size_i    (f_size),
        .firsts_i  (f_firsts),
        .cluster_i (f_cluster),
        .lends_i   (f_lends),
        .split_i   (f_split),
        .tail_o    (f_tail),
        .full_o    (f_full),
        .flags_o   (f_flags),
        .owns_o    (f_own),
        .source_o  (f_source),
        .found_o   (f_found)
    );

    // The pool whose turn it is, and the one watched.
    wire [F_W-1:0] f_before = f_befores[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_given  = f_firsts[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_deal   = f_firsts[F_W*(pool_q + 1) +: F_W] - f_given;
    wire [F_W-1:0] f_kept   = f_left[pool_q*CTA_W +: CTA_W];
    wire [F_W-1:0] f_ration = f_keep ? f_kept : f_deal;
    wire           f_public = f_dealing && f_ration != 0 && (f_people[pool_q] || !f_split);

    wire [F_W-1:0] f_start     = f_firsts[F_W*f_pool +: F_W];
    wire [F_W-1:0] f_end       = f_firsts[F_W*(f_pool + 1) +: F_W];
    wire [F_W-1:0] f_pool_next = f_next[f_pool*CTA_W +: CTA_W];
    wire [F_W-1:0] f_pool_left = f_left[f_pool*CTA_W +: CTA_W];
    assign         f_of_pool   = f_cta_now >= f_start && f_cta_now < f_end;

    // CTAs of each pool that are not on their way.
    wire                f_going = going_q && from_q == f_slot;
    reg  [WORD_W-1:0]   f_here;
    always @* begin
        f_here = f_left;
        if (f_going) f_here[source_q*CTA_W +: CTA_W] = f_left[source_q*CTA_W +: CTA_W]
                                                       - dispatch_count_o;
    end

    // Clusters that have a pool to draw on; and that of the watched one, less what is on its way.
    wire [N_CLUSTER-1:0] f_draws = f_own | {N_CLUSTER{(f_own & f_lends) != 0}};
    wire [CLUSTER_W-1:0] f_then;
    wire                 f_finds;

    cta_pools_ghost #(
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_here (
        .next_i    (f_next),
        .left_i    (f_here),
        .some_i    (f_some),
        .more_i    (f_more),
        .size_i    (f_size),
        .firsts_i  (f_firsts),
        .cluster_i (f_cluster),
        .lends_i   (f_lends),
        .split_i   (f_split),
        .tail_o    (),
        .full_o    (),
        .flags_o   (),
        .owns_o    (),
        .source_o  (f_then),
        .found_o   (f_finds)
    );

    wire [F_W-1:0] f_source_next = f_next[f_source*CTA_W +: CTA_W];
    wire [F_W-1:0] f_source_left = f_left[f_source*CTA_W +: CTA_W];
    wire [F_W-1:0] f_offer       = !f_found ? 0 : (f_size < f_source_left) ? f_size
                                                                           : f_source_left;

    // Its pointers, and how many of its picks may pass the watched SM over, one after the other,
    // while it is a candidate in each: fewer than f_bound.
    wire [N_SM-1:0]      f_turns    = turn_q[f_slot];
    wire [N_CLUSTER-1:0] f_clusters = cluster_turn_q[f_slot];
    wire [N_SEAT-1:0]    f_seats    = rank_q[f_slot];
    wire [F_W-1:0]       f_turn;
    wire [F_W-1:0]       f_cluster_turn;
    wire [F_W-1:0]       f_rank;
    wire                 f_behinds;
    wire [F_W-1:0]       f_sm_cluster;
    wire [F_W-1:0]       f_sm_rank;
    wire [F_W-1:0]       f_sm_place;
    wire                 f_nearest;
    wire [F_W-1:0]       f_measure;
    wire [F_W-1:0]       f_bound;

    cta_turn_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .W         (F_W)
    ) f_in_turns (
        .policy_i       (f_policy),
        .turns_i        (f_turns),
        .clusters_i     (f_clusters),
        .seats_i        (f_seats),
        .candidates_i   (candidates_q),
        .sm_i           (f_sm),
        .turn_o         (f_turn),
        .cluster_turn_o (f_cluster_turn),
        .rank_o         (f_rank),
        .behinds_o      (f_behinds),
        .cluster_o      (f_sm_cluster),
        .seat_o         (f_sm_rank),
        .place_o        (f_sm_place),
        .nearest_o      (f_nearest),
        .measure_o      (f_measure),
        .bound_o        (f_bound)
    );

    // Bit s: the cluster of SM s is in the set.
    function [N_SM-1:0] f_sms_of;
        input [N_CLUSTER-1:0] set;
        integer k;
        for (k = 0; k < N_SM; k = k + 1) f_sms_of[k] = set[k / CLUSTER_SM];
    endfunction

    wire [F_W-1:0] f_dispatched = dispatch_sm_o / CLUSTER_SM;  // to this cluster
    wire [F_W-1:0] f_rank_then = (f_sm + 1 < N_SM) ? (f_sm_rank + 1) % CLUSTER_SM : 0;
    wire           f_chosen  = sm[f_sm];
    wire           f_apart   = f_policy == 2 && !called[f_sm_cluster];
    reg  [F_W-1:0] f_wait;       // so many did, since the launch
    always @(posedge clk) begin
        if (rst_i || (f_launch && !launch_keep_i)) begin
            f_wait <= 0;
        end else if (f_mine && !f_apart) begin
            f_wait <= (candidates_q[f_sm] && !f_chosen) ? f_wait + 1 : 0;
        end
    end

    // The division so far, for the watched slot.
    wire           f_divides  = f_working && !f_keep && step_q != 0;
    wire [F_W-1:0] f_used     = 2 * (step_q - 1);             // bits used
    wire [F_W-1:0] f_unused   = 2 * (N_STEP - (step_q - 1));  // and not used yet
    wire [F_W-1:0] f_quotient = dividend_q & ((1 << f_used) - 1);

    wire f_accounts = f_held || (f_working && f_keep);  // it has CTAs, some dispatched
    wire f_in_pool  = f_cta >= f_start && f_cta < f_end;

    always @(posedge clk) begin
        if (f_started) begin
            // Launch: what it does is a matter of time, and of pools that wait.
            a_idle       : assert (busy_q || (step_q == 0 && pool_q == 0));
            a_step_range : assert (step_q <= F_POOLS && pool_q < N_CLUSTER);
            a_pool_line_q: assert (pool_line_q == F_CLUSTER_0 << pool_q);
            a_pool_zero  : assert (step_q == F_POOLS || pool_q == 0);
            a_slot_exists: assert (!busy_q || slot_q < N_KERNEL);
            a_vacant     : assert (!busy_q || !ready_q[slot_q]);
            a_working    : assert (f_working == (f_launched && f_age < f_latency));
            a_latency    : assert (f_held == (f_launched && f_age == f_latency));
            a_blocks     : assert (f_blocks);
            if (f_launched) begin
                a_launched : assert (f_ctas != 0 && f_sms != 0 && f_grid_sms != 0
                                     && f_block != 3 && f_age != 0 && f_age <= f_latency
                                     && (f_keep || f_grid_sms == f_sms));
                a_rules    : assert (policy_q[f_slot] == f_policy && block_q[f_slot] == f_block
                                     && steal_q[f_slot] == f_steal
                                     && sms_q[f_slot] == f_sms);
                a_grid     : assert (f_firsts[F_W*N_CLUSTER +: F_W]
                                     == f_n_cta);
                a_fair     : assert (f_fair == {N_CLUSTER{1'b1}});
            end

            // Its operands are those of the launch, and at every step of the division the
            // bits used are quotient * divisor + remainder.
            if (f_working)
                a_operands : assert (slot_sms == f_sms && keep_q == f_keep
                                     && split_q == f_split);
            if (f_working && f_keep)
                a_keeps    : assert (step_q == F_POOLS && pool_q == f_age - 1 && first_q == 0
                                     && dividend_q == 0 && remainder_q == 0);
            if (f_working && !f_keep) begin
                a_step     : assert (f_age < F_FIRST ? step_q == f_age - 1
                                     : step_q == F_POOLS && pool_q == f_age - F_FIRST);
                a_no_issue : assert (f_seen == 0 && f_issued == 0);
            end
            if (f_working && step_q == 0)
                a_loaded   : assert (dividend_q == f_n_cta && remainder_q == 0
                                     && first_q == 0);
            if (f_divides)
                a_divisor  : assert (divisor_q == f_divisor);
            if (f_divides && (!f_dealing || pool_q == 0)) begin
                a_remainder: assert (remainder_q < divisor_q && first_q == 0);
                a_rest     : assert (dividend_q >> f_used
                                     == (f_n_cta & ((1 << f_unused) - 1)));
                a_division : assert (f_n_cta >> f_unused
                                     == f_quotient * f_divisor + remainder_q);
            end
            if (f_dealing && !f_keep) begin
                a_quotient : assert (dividend_q == f_floor);
                a_extra    : assert (remainder_q == (f_before < f_modulo ? f_modulo - f_before
                                                                         : 0));
                a_first    : assert (first_q == f_given);
            end

            // Pools hold what they should.
            a_tail         : assert ((f_tail | ~f_dealt) == {N_CLUSTER{1'b1}});
            if (f_accounts)
                a_tails    : assert (f_tail == {N_CLUSTER{1'b1}});
            if (f_dealing && !f_keep)
                a_full     : assert ((f_full | ~f_dealt) == {N_CLUSTER{1'b1}});
            if (f_held || f_dealing)
                a_homeless : assert (((f_homeless ^ f_orphans)
                                      & (f_dealt | {N_CLUSTER{f_held}})) == 0);

            // A pool with CTAs and an SM is shown until it is seen.
            if (f_working)
                a_shown    : assert (pool_valid_o == f_public);
            if (pool_valid_o && f_working)
                a_pool     : assert (pool_kernel_o == f_slot && pool_split_o == f_split
                                     && pool_number_o == pool_q && pool_sms_o == f_sms
                                     && pool_blocks_o == (f_ration + f_size - 1) / f_size);
            if (!pool_valid_o)
                a_no_pool  : assert (pool_kernel_o == 0 && !pool_split_o && pool_number_o == 0
                                     && pool_blocks_o == 0 && pool_sms_o == 0);
            if ($past(!rst_i && pool_valid_o && !pool_ready_i))
                a_pool_waits : assert (pool_valid_o && $past(pool_number_o) == pool_number_o
                                       && $past(pool_blocks_o) == pool_blocks_o);
            a_pool_launch  : assert (!pool_valid_o || busy_q);

            // Every CTA of the grid once, in order within its pool, and no other.
            if (f_accounts) begin
                a_in_order : assert (f_pool_next == f_start + f_issued);
                a_all_told : assert (f_pool_left + f_issued == f_end - f_start);
                if (f_in_pool)
                    a_once : assert (f_seen == (f_cta < f_pool_next));
                if (f_in_pool && f_left == 0)
                    a_all  : assert (f_seen == 1);
                if (f_cta >= f_n_cta)
                    a_alien: assert (f_seen == 0);
            end
            if (f_taken && f_shows && f_of_pool)
                a_next     : assert (f_cta_now == f_start + f_issued && f_cta_end <= f_end);

            // Registers of the dispatch.
            a_going       : assert (dispatch_valid_o == (to_q != 0)
                                    && (to_q & (to_q - 1'b1)) == 0);
            if (dispatch_valid_o)
                a_exists  : assert (from_q < N_KERNEL && ready_q[from_q]
                                    && source_q < N_CLUSTER && to_q[dispatch_sm_o]
                                    && dispatch_sm_o < N_SM);
            else
                a_nothing : assert (dispatch_sm_o == 0 && dispatch_cta_o == 0
                                    && dispatch_count_o == 0 && dispatch_kernel_o == 0
                                    && !dispatch_stolen_o && source_q == 0);
            if (f_accounts)
                a_flags   : assert (f_flags == {N_CLUSTER{1'b1}});
            if (f_dealing)
                a_dealt_flags : assert ((f_flags | ~f_dealt) == {N_CLUSTER{1'b1}});

            // A candidate had room and limit and was in the set when it was looked at, and no
            // block was on its way to it: no room is given twice.
            if (candidates_q[f_sm]) begin
                a_room    : assert ($past(!rst_i && room_i[f_sm] && limit_i[f_sm])
                                    && looked_q == $past(kernel_i));
                a_single  : assert (!$past(to_q[f_sm]) && !to_q[f_sm]);
            end
            if (f_held && looked_q == f_slot)
                a_set     : assert ((candidates_q & ~f_sms) == 0);
            if (to_q[f_sm] && $past(!to_q[f_sm] || dispatch_ready_i))
                a_picked  : assert ($past(candidates_q[f_sm] && !rst_i)
                                    && from_q == $past(looked_q));
            if (f_mine && f_chosen)
                a_turn    : assert (f_nearest && candidates_q[f_sm]);

            // A dispatch takes the next block of the pool that its cluster draws on.
            if (f_going) begin
                a_in_set  : assert (f_sms[dispatch_sm_o]);
                a_block   : assert (dispatch_count_o != 0 && dispatch_count_o <= f_size
                                    && f_cta_end <= f_n_cta);
                if (f_dispatched == f_cluster) begin
                    a_drawn  : assert (f_found && source_q == f_source);
                    a_source : assert (f_cta_now == f_source_next
                                       && dispatch_count_o == f_offer);
                    a_stolen : assert (dispatch_stolen_o
                                       == (f_split && f_source != f_cluster));
                end
            end
            if (looked_q == f_slot && f_held && !emptying)
                a_serves  : assert ((candidates_q & ~f_sms_of(f_draws)) == 0);
            if (f_looks && f_held)
                a_shows_stolen : assert (stolen_o[f_cluster]
                                         == (f_split && f_finds && f_then != f_cluster));
            if (kernel_i >= N_KERNEL || !ready_q[kernel_i])
                a_no_kernel : assert (stolen_o == 0 && candidates_d == 0);

            // It stays until it is taken or withdrawn, and goes then.
            if ($past(!rst_i && dispatch_valid_o && !dispatch_ready_i && !dispatch_withdraw_i
                      && !(launch && launch_kernel_i == from_q)))
                a_remains : assert (to_q == $past(to_q) && from_q == $past(from_q)
                                    && source_q == $past(source_q)
                                    && dispatch_cta_o == $past(dispatch_cta_o)
                                    && dispatch_count_o == $past(dispatch_count_o));

            // No CTA is stranded. While any is left that is not on its way, SMs of the launch
            // that have room and limit are candidates, but for those to which a block is on its
            // way, and with greedy clustering those behind it; candidates are picked in
            // the next cycle, unless one of four things happens.
            if (f_looks && f_held && f_here[f_pool*CTA_W +: CTA_W] != 0 && !going_q && !pick
                && (f_sms & ~(room_i & limit_i)) == 0) begin
                a_not_stranded : assert (candidates_d != 0);
                if (f_split && f_people[f_pool])
                    a_home     : assert ((candidates_d & f_sms_of(F_CLUSTER_0 << f_pool)) != 0);
            end
            if ($past(!rst_i && candidates_q != 0 && looked_q == f_slot && f_held
                      && (!going_q || dispatch_ready_i) && !f_launch
                      && !(f_going && f_here[source_q*CTA_W +: CTA_W] == 0)))
                a_goes         : assert (f_going && dispatch_valid_o);

            // Pointers: in range, 0 at first, moved by the slot's dispatches alone; and no SM
            // waits longer than the contract says.
            if (f_known) begin
                a_pointers : assert (f_behinds);
                if (f_launched)
                    a_patience : assert (f_wait < f_bound && f_wait + f_measure < f_bound);
            end
            a_known        : assert (!(f_launched || f_held || f_working) || f_known);
            if ($past(f_launch && !f_known))
                a_at_zero  : assert (f_turn == 0 && f_cluster_turn == 0 && f_rank == 0);
            if ($past(!rst_i && f_known))
                a_stays    : assert (f_known);
            if ($past(f_mine && f_chosen)) begin
                case ($past(f_policy))
                    0: a_turn_all     : assert (f_turn == (f_sm + 1) % N_SM);
                    1: a_turn_ranks   : assert (f_turn == (f_sm_place + 1) % N_SM);
                    2: a_rank_greedy  : assert (f_rank == f_rank_then);
                    3: a_turn_cluster : assert (f_rank == f_rank_then
                                                && f_cluster_turn
                                                   == (f_sm_cluster + 1) % N_CLUSTER);
                endcase
            end
            if ($past(!rst_i && f_known && !(f_mine && !f_policy[1])))
                a_turn_holds    : assert (f_turns == $past(f_turns));
            if ($past(!rst_i && f_known && !(f_mine && f_policy == 3)))
                a_cluster_holds : assert (f_clusters == $past(f_clusters));
            if ($past(!rst_i && f_known
                      && !(f_mine && f_policy[1] && called[f_sm_cluster])))
                a_rank_holds    : assert (f_rank == $past(f_rank));

            // The two writes never meet in a word.
            a_apart : assert (!f_taken || !dealing || from_q != slot_q);
            a_known_pick : assert (!f_mine || f_known);

            // A refusal is flagged, and changes nothing else.
            a_ready : assert (launch_ready_o == !busy_q);
            a_error : assert (launch_error_o == $past(f_launch_now && f_launch_bad));
            if ($past(!rst_i && !busy_q && (!launch_valid_i || f_launch_bad)))
                a_refused : assert (!busy_q && ready_q == $past(ready_q)
                                    && slot_q == $past(slot_q) && keep_q == $past(keep_q)
                                    && known_q == $past(known_q)
                                    && split_q == $past(split_q)
                                    && divisor_q == $past(divisor_q)
                                    && dividend_q == $past(dividend_q)
                                    && remainder_q == $past(remainder_q)
                                    && first_q == $past(first_q));
            if ($past(!rst_i && !f_launch && !f_working))
                a_kept    : assert (f_launched == $past(f_launched)
                                    && f_held == $past(f_held)
                                    && f_homeless == $past(f_homeless)
                                    && policy_q[f_slot] == $past(policy_q[f_slot])
                                    && block_q[f_slot] == $past(block_q[f_slot])
                                    && steal_q[f_slot] == $past(steal_q[f_slot])
                                    && sms_q[f_slot] == $past(sms_q[f_slot]));
            if ($past(!rst_i && !f_launch && !f_working && !(f_taken && f_shows)))
                a_still   : assert (f_next == $past(f_next) && f_left == $past(f_left)
                                    && f_some == $past(f_some) && f_more == $past(f_more));
            if ($past(rst_i))
                a_reset   : assert (!busy_q && ready_q == 0 && known_q == 0 && step_q == 0
                                    && slot_q == 0 && !keep_q && !split_q && divisor_q == 0
                                    && dividend_q == 0 && remainder_q == 0 && pool_q == 0
                                    && first_q == 0 && !launch_error_o && !going_q
                                    && candidates_q == 0 && looked_q == 0);

            // Reachable: a pool waits, a launch is refused.
            c_waits   : cover (f_public && $past(f_public && !pool_ready_i));
            c_refused : cover (launch_error_o);
        end
    end

    generate
        if (CTA_W == 2 && N_CLUSTER == 2 && N_KERNEL == 2) begin : f_small
            // What takes many cycles is shown where a proof is small. A grid goes to its
            // end, the last block short; the watched SM is passed over; a cluster's share
            // is used up and it steals, or another has lost its SMs and it adopts; one slot
            // is dispatched while the pools of another are being written.
            always @(posedge clk) if (f_started) begin
                c_all    : cover (f_held && f_left == 0 && f_n_cta == 3 && f_block == 1);
                c_passed : cover (f_wait != 0);
                c_steals : cover (f_taken && f_shows && dispatch_stolen_o && f_issued != 0
                                  && f_people[f_source] && f_dispatched == f_cluster);
                c_adopts : cover (f_taken && f_shows && dispatch_stolen_o && !f_steal
                                  && f_dispatched == f_cluster);
                c_both   : cover (f_taken && dealing && (!pool_valid_o || pool_ready_i));
            end
        end
    endgenerate
`endif

endmodule

`default_nettype wire
