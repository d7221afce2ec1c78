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
//   launch_keep_i       1            the slot keeps its policy and the CTAs it has left, and only launch_sms is new;
//                                    refused if it has no kernel
//   launch_ctas_i       CTA_W        CTAs of the grid, from 0; 0 is refused, unless launch_keep
//   launch_sms_i        N_SM         bit s: SM s may run it; none at all is refused
//   launch_policy_i     2            0 global RR, 1 two-level RR, 2 greedy clustering, 3 distributed
//   launch_block_i      2            CTAs of a block: 0 one, 1 two, 2 four; 3 is refused, unless launch_keep
//   launch_steal_i      1            distributed: a cluster without CTAs takes those of another
//   launch_ready_o      1            no launch is under way: one is taken in this cycle
//   launch_error_o      1            the launch taken in the last cycle was refused
//   pool_valid_o        1            the launch under way shows a pool: CTAs, and the SMs that share them
//   pool_kernel_o       KERNEL_W     of the kernel in this slot; this and the next are 0 without pool_valid
//   pool_split_o        1            it is one cluster's share of the grid; otherwise, the whole grid
//   pool_number_o       CLUSTER_W    of this cluster
//   pool_blocks_o       CTA_W        blocks in it, 1 and up; the last may have fewer CTAs than the others
//   pool_sms_o          N_SM         the launch's SMs; if the pool is split, those of its cluster draw on it
//   pool_ready_i        1            the pool has been seen: the launch goes on
//   kernel_i            KERNEL_W     slot that is looked at: its CTAs are dispatched two cycles later
//   stolen_o            N_CLUSTER    bit c: what an SM of cluster c would get now is from another cluster's pool
//   room_i              N_SM         bit s: SM s has room for a whole block of the kernel
//   limit_i             N_SM         bit s: every limiter allows SM s a block of the kernel
//   dispatch_valid_o    1            CTAs go to an SM
//   dispatch_kernel_o   KERNEL_W     of the kernel in this slot; this and the next are 0 without dispatch_valid
//   dispatch_sm_o       SM_W         to this one
//   dispatch_cta_o      CTA_W        the first of the CTAs
//   dispatch_count_o    3            how many, consecutive: 1 to 4
//   dispatch_stolen_o   1            they are from the pool of another cluster
//   dispatch_line_o     N_SM         the SM alone
//   dispatch_withdraw_i 1            the dispatch that shows is not to be: its CTAs stay in their pool
//   dispatch_ready_i    1            the dispatch is taken in this cycle, unless it is withdrawn
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
//   SM s is in cluster s / cluster_sm, with rank s % cluster_sm. The last clusters may have fewer SMs, or none. At
//   most one block of CTAs is dispatched per cycle: consecutive CTAs to one SM.
//
//   Policies   0 global RR          one pool. The next SM, cluster by cluster: 0, 1, 2, ...
//              1 two-level RR       one pool. The next SM in the order of ranks, and for equal ranks of clusters: all
//                                   first SMs, then all second ones
//              2 greedy clustering  one pool. The first cluster with a candidate; in it, the next rank
//              3 distributed        one pool per cluster. The next cluster with a candidate; in it, the next rank.
//                                   With blocks of two this is distributed-block
//   Cycles     in cycle t the scheduler looks at slot kernel, room and limit. In t + 1 it picks one of the candidates
//              that it saw. In t + 2 the dispatch shows, and stays until it is taken, withdrawn or its slot is
//              launched. It looks and picks in every cycle, but for what Pick says.
//   Look       candidates are the SMs of the kernel's set (launch_sms), in room and in limit, whose cluster has a pool
//              to draw on. Not among them is an SM that is picked in this cycle or whose dispatch shows in it, for any
//              slot: the cycle after a dispatch is taken is the first whose room counts again. A pool whose last CTAs
//              show is empty. With greedy clustering, clusters behind one to which a block of the slot is picked or
//              shows have no candidates. candidates and looked hold what was seen.
//   Pick       one of candidates, unless a dispatch shows that neither leaves nor is withdrawn, the slot is not ready
//              or is launched in this cycle, or a dispatch of the slot shows that has the last CTAs of its pool. What
//              is not picked is forgotten.
//   Pointers   "next" is the first candidate behind the one picked last, wrapping. Each slot has turn, places in the
//              order of policies 0 and 1; cluster_turn, clusters, for policy 3; and in each cluster rank, for policies
//              2 and 3: each is the set of what is behind the last, none at first or if that was the last of all. Only
//              a pick of the slot moves pointers, and only those that its policy uses, even if its dispatch is
//              withdrawn. They are empty when a slot is launched for the first time since the reset (known); later
//              launches of the slot go on from where they are.
//   Waiting    an SM that is a candidate in every pick of its slot is passed over by fewer than n_sm of them with
//              policies 0 and 1, and by fewer than n_cluster * cluster_sm with policy 3, whatever other slots do. With
//              policy 2 it is passed over by fewer than cluster_sm of those for its own cluster; but a cluster gets
//              nothing while an earlier one has a candidate.
//   Dispatch   of the lowest CTAs of the pool, min(block, CTAs it has left). They are drawn from the pool when the
//              dispatch is taken. The odd tail goes out as it is, but to an SM with room for a whole block: that is
//              what the mask room means. Whether these are any free contexts, or those of one block that has ended
//              (strict pairs), is decided in the SM.
//   Withdrawn  is a dispatch with dispatch_withdraw, or whose slot is launched in a cycle in which it is not taken: it
//              is gone in the next cycle, and its CTAs are still in the pool.
//   Pools      a distributed launch of n CTAs over the C clusters that have an SM in launch_sms gives these, in order,
//              contiguous CTAs: the first n mod C clusters get floor(n / C) + 1, the others floor(n / C). Clusters
//              without such an SM get none. The other policies have the whole grid in pool 0, on which every cluster
//              draws. some and more say of each pool that it has CTAs, and more than a block.
//   Draw       a cluster draws on its own pool. If that is empty, it draws on the first pool with CTAs among those of
//              the next clusters, wrapping, whose cluster has no SM of the launch (homeless), or on the first of any
//              if the launch says steal.
//   Launch     taken in cycle t, a new launch counts the clusters in t + 1, divides in the next n_step cycles, and
//              then passes each of the n_cluster pools in turn, 0 first, in at least one cycle. A pool that has CTAs
//              and an SM of the launch to draw on it is shown, and passes when pool_ready; any other passes at once.
//              In each cycle of its turn its next, left, some, more and homeless are written. After the last the slot
//              is ready: at t + 2 + n_step + n_cluster, if pool_ready never was low. From the cycle after the launch
//              until then nothing of the slot is picked. The set of SMs, and of a new launch the policy, the block and
//              steal, are written when the launch is taken. A launch of a slot in use replaces its CTAs.
//   Keep       with launch_keep the pools come first, from t + 1 on. They keep next and left, and a pool without an SM
//              becomes homeless: so the set of SMs of a kernel changes.
//   Registers  a launch that is taken loads slot, keep, split (of a kept slot, from its policy) and dividend
//              (launch_ctas, or 0 to keep), sets step to 0 (n_step + 1 to keep), and clears pool, first and remainder.
//              Step 0 loads divisor: clusters with an SM of the launch, or 1 if it is not split. Each division step is
//              one of claso's. A pool that gets one CTA more takes it from remainder. When the last pool passes, busy,
//              step and pool become 0.
//   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it.
//   Illegal    is flagged for one cycle and changes nothing else: a launch of slot n_kernel or above, without SMs, of
//              no CTAs, with block 3, or that keeps a slot that is not ready, sets launch_error; a launch while
//              launch_ready is low waits. A kernel that is unknown or not ready has no candidates.
//
// Reset
//   Every register is 0: no slot has a kernel, and no launch is under way. The memories keep what they hold. Outputs
//   do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     cta_scheduler.c: equal outputs, registers and memories in every cycle after
//          the first reset edge; of the memories, the words written since.
//
// Source
//   Greedy clustering, distributed and distributed-block, and both RRs: Wang and others, "Intra-Cluster Coalescing and
//   Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE Transactions on Computers 2019, 2.3, 4.1 and 5.
//   Global RR also: Yu and others, CLASO, IJPP 2014, 2.1. Blocks: the slides on block CTA scheduling (BCS).
//
// Deviations
//   - Pools differ by at most one CTA, and clusters do not steal unless told to; the sources leave both open.
//   - Clusters share one dispatch per cycle, in turn; the end states are those of the figures.
//   - The grid has at most 2^cta_w - 1 CTAs.
//   - Homeless pools, launch_keep and more than one kernel are ours: without them a change of the set of SMs would
//     strand CTAs.

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
`ifdef FORMAL
    // What the proof of a composition sees of it; above that, a 1.
    , output wire [1023:0]        f_view_o
`endif
);

    // A bad value instantiates a module that does not exist; its name is the message.
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

    localparam integer N_SEAT  = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER;  // SMs, if no rank were empty
    localparam integer COUNT_W = $clog2(N_CLUSTER + 1);   // 0..N_CLUSTER
    localparam integer N_STEP  = (CTA_W + 1) / 2;  // cycles of a division, two bits each
    localparam integer STEP_W  = $clog2(N_STEP + 2);
    localparam integer WORD_W  = CTA_W * N_CLUSTER;
    localparam [1:0]   DISTRIBUTED = 2'd3;  // this policy splits

    // ---- State -------------------------------------------------------------
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

    // Registers of u_launch and u_issue; of most, nothing here is a function.
    // verilator lint_off UNUSEDSIGNAL
    wire [N_KERNEL-1:0]  ready_q, known_q;  // bit k: slot k may be dispatched, and has pointers
    wire                 busy_q, keep_q, split_q, launch_error_q;
    wire [STEP_W-1:0]    step_q;
    wire [KERNEL_W-1:0]  slot_q;            // the slot of the launch under way
    wire [COUNT_W-1:0]   divisor_q, remainder_q;
    wire [2*N_STEP-1:0]  dividend_q;
    wire [CLUSTER_W-1:0] pool_q, source_q;
    wire [N_CLUSTER-1:0] pool_line_q;
    wire [CTA_W-1:0]     first_q;
    wire [N_SM-1:0]      candidates_q, to_q;
    wire [KERNEL_W-1:0]  looked_q, from_q;  // the slot of the candidates, and of the dispatch
    wire                 going_q, stolen_q;

    // What only proofs look at.
    wire [N_SM-1:0]      candidates_d, sm;
    wire [N_CLUSTER-1:0] called;
    wire                 last;
    // verilator lint_on UNUSEDSIGNAL

    // ---- Words -------------------------------------------------------------
    // Read of the slot that is launched, of that which is looked at (now), of that which was (then), and of that which
    // is dispatched (from). The two writes of next and left never meet in a word: a slot that is being launched is not
    // ready, so nothing of it can be dispatched. Nor do those of the pointers: a slot that is dispatched has been
    // launched before.

    wire [1:0]           kept_policy = policy_q[launch_kernel_i], policy_now = policy_q[kernel_i],
                         policy_then = policy_q[looked_q], slot_block = block_q[slot_q], from_block = block_q[from_q];
    wire                 steal_now   = steal_q[kernel_i], steal_then = steal_q[looked_q];
    wire [N_SM-1:0]      slot_sms    = sms_q[slot_q], sms_now = sms_q[kernel_i], turn_then = turn_q[looked_q];
    wire [WORD_W-1:0]    slot_next   = next_q[slot_q], slot_left = left_q[slot_q],
                         from_next   = next_q[from_q], from_left = left_q[from_q];
    wire [N_CLUSTER-1:0] slot_some   = some_q[slot_q], slot_more = more_q[slot_q], from_some = some_q[from_q],
                         from_more   = more_q[from_q], some_now = some_q[kernel_i], some_then = some_q[looked_q],
                         slot_homeless = homeless_q[slot_q], homeless_now = homeless_q[kernel_i],
                         homeless_then = homeless_q[looked_q], cluster_turn_then = cluster_turn_q[looked_q];
    wire [N_SEAT-1:0]    rank_then   = rank_q[looked_q];

    wire                 launch, anew;  // a legal one is taken, the first of its slot
    wire                 dealing;       // a pool has its turn, which changes the words of its slot:
    wire [WORD_W-1:0]    next_dealt, left_dealt;
    wire [N_CLUSTER-1:0] some_dealt, more_dealt, homeless_dealt;
    wire                 pick;          // a pick moves pointers:
    wire [N_SM-1:0]      turn_moved;
    wire [N_CLUSTER-1:0] cluster_turn_moved;
    wire [N_SEAT-1:0]    rank_moved;
    wire                 dispatch;      // one that is taken changes its pools:
    wire [WORD_W-1:0]    next_drawn, left_drawn;
    wire [N_CLUSTER-1:0] some_drawn, more_drawn;

    always @(posedge clk) if (!rst_i) begin : p_words
        if (dispatch) begin
            next_q[from_q] <= next_drawn;
            left_q[from_q] <= left_drawn;
            some_q[from_q] <= some_drawn;
            more_q[from_q] <= more_drawn;
        end
        if (pick) begin
            if (policy_then[1]) rank_q[looked_q] <= rank_moved;
            else turn_q[looked_q] <= turn_moved;
            if (policy_then == DISTRIBUTED) cluster_turn_q[looked_q] <= cluster_turn_moved;
        end
        if (dealing) begin
            next_q    [slot_q] <= next_dealt;
            left_q    [slot_q] <= left_dealt;
            some_q    [slot_q] <= some_dealt;
            more_q    [slot_q] <= more_dealt;
            homeless_q[slot_q] <= homeless_dealt;
        end
        if (launch && !launch_keep_i) begin
            policy_q[launch_kernel_i] <= launch_policy_i;
            block_q [launch_kernel_i] <= launch_block_i;
            steal_q [launch_kernel_i] <= launch_steal_i;
        end
        if (launch) sms_q[launch_kernel_i] <= launch_sms_i;
        if (launch && anew) begin
            turn_q        [launch_kernel_i] <= {N_SM{1'b0}};
            cluster_turn_q[launch_kernel_i] <= {N_CLUSTER{1'b0}};
            rank_q        [launch_kernel_i] <= {N_SEAT{1'b0}};
        end
    end

    // ---- Launch, and dispatch ----------------------------------------------

    cta_launch #(.N_SM(N_SM), .N_CLUSTER(N_CLUSTER), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W)) u_launch (
        .clk(clk), .rst_i(rst_i),
        .launch_valid_i(launch_valid_i), .launch_kernel_i(launch_kernel_i), .launch_keep_i(launch_keep_i),
        .launch_ctas_i(launch_ctas_i), .launch_sms_i(launch_sms_i), .launch_policy_i(launch_policy_i),
        .launch_block_i(launch_block_i), .launch_ready_o(launch_ready_o), .launch_error_o(launch_error_q),
        .kept_policy_i(kept_policy), .launch_o(launch), .anew_o(anew),
        .sms_i(slot_sms), .block_i(slot_block), .next_i(slot_next), .left_i(slot_left),
        .some_i(slot_some), .more_i(slot_more), .homeless_i(slot_homeless),
        .pool_valid_o(pool_valid_o), .pool_kernel_o(pool_kernel_o), .pool_split_o(pool_split_o),
        .pool_number_o(pool_number_o), .pool_blocks_o(pool_blocks_o), .pool_sms_o(pool_sms_o),
        .pool_ready_i(pool_ready_i), .deal_o(dealing), .next_o(next_dealt), .left_o(left_dealt),
        .some_o(some_dealt), .more_o(more_dealt), .homeless_o(homeless_dealt),
        .ready_o(ready_q), .known_o(known_q), .busy_o(busy_q), .step_o(step_q), .slot_o(slot_q),
        .keep_o(keep_q), .split_o(split_q), .divisor_o(divisor_q), .dividend_o(dividend_q),
        .remainder_o(remainder_q), .pool_o(pool_q), .pool_line_o(pool_line_q), .first_o(first_q)
    );

    cta_issue #(.N_SM(N_SM), .N_CLUSTER(N_CLUSTER), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W)) u_issue (
        .clk(clk), .rst_i(rst_i), .ready_i(ready_q), .launch_i(launch), .launch_kernel_i(launch_kernel_i),
        .kernel_i(kernel_i), .policy_i(policy_now), .sms_i(sms_now), .some_i(some_now), .homeless_i(homeless_now),
        .steal_i(steal_now), .room_i(room_i), .limit_i(limit_i), .other_o(stolen_o), .seen_o(candidates_d),
        .looked_policy_i(policy_then), .looked_some_i(some_then), .looked_homeless_i(homeless_then),
        .looked_steal_i(steal_then), .looked_turn_i(turn_then), .looked_cluster_turn_i(cluster_turn_then),
        .looked_rank_i(rank_then), .pick_o(pick), .sm_o(sm), .cluster_o(called),
        .turn_o(turn_moved), .cluster_turn_o(cluster_turn_moved), .rank_o(rank_moved),
        .from_block_i(from_block), .from_next_i(from_next), .from_left_i(from_left), .from_some_i(from_some),
        .from_more_i(from_more), .dispatch_sm_o(dispatch_sm_o), .dispatch_cta_o(dispatch_cta_o),
        .dispatch_count_o(dispatch_count_o), .dispatch_withdraw_i(dispatch_withdraw_i),
        .dispatch_ready_i(dispatch_ready_i), .dispatch_o(dispatch), .last_o(last),
        .next_o(next_drawn), .left_o(left_drawn), .some_o(some_drawn), .more_o(more_drawn),
        .candidates_o(candidates_q), .looked_o(looked_q), .going_o(going_q), .to_o(to_q),
        .from_o(from_q), .source_o(source_q), .stolen_o(stolen_q)
    );

    assign launch_error_o    = launch_error_q;
    assign dispatch_valid_o  = going_q;
    assign {dispatch_kernel_o, dispatch_stolen_o, dispatch_line_o} = {from_q, stolen_q, to_q};

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/cta_scheduler_properties.v. They look at any slot's words.

`ifdef FORMAL
    localparam [N_KERNEL-1:0] F_SLOT_0 = 1;
    wire                 emptying   = going_q && last && from_q == looked_q;
    wire                 f_split    = policy_now == DISTRIBUTED && (ready_q & (F_SLOT_0 << kernel_i)) != 0;
    wire                 f_lends    = steal_then || policy_then != DISTRIBUTED;
    assign f_view_o = {1'b1, ready_q, busy_q, step_q, slot_q, keep_q, candidates_q, candidates_d, looked_q,
                       source_q, homeless_then | {N_CLUSTER{f_lends}}, emptying, from_some,
                       from_more, slot_sms, split_q, divisor_q, dividend_q, remainder_q, pool_q, pool_line_q,
                       f_split, from_block, from_left, homeless_then};

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    wire [WORD_W-1:0]    f_next        = next_q[f_slot], f_left = left_q[f_slot];
    wire [N_CLUSTER-1:0] f_some        = some_q[f_slot], f_more = more_q[f_slot];
    wire [N_CLUSTER-1:0] f_homeless    = homeless_q[f_slot], f_clusters = cluster_turn_q[f_slot];
    wire [1:0]           f_slot_policy = policy_q[f_slot], f_slot_block = block_q[f_slot];
    wire                 f_slot_steal  = steal_q[f_slot];
    wire [N_SM-1:0]      f_slot_sms    = sms_q[f_slot], f_turns = turn_q[f_slot];
    wire [N_SEAT-1:0]    f_seats       = rank_q[f_slot];

    wire [2*N_KERNEL-1:0] f_blocks;  // of all slots
    genvar f_k;
    generate for (f_k = 0; f_k < N_KERNEL; f_k = f_k + 1) assign f_blocks[2*f_k +: 2] = block_q[f_k]; endgenerate

    cta_scheduler_properties #(.N_SM(N_SM), .N_CLUSTER(N_CLUSTER), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W))
        f_properties (.*);
`endif

endmodule

`default_nettype wire
