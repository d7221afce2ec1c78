// cta_issue - from the look at a slot of the CTA scheduler to the dispatch of its CTAs.
//
// Purpose
//   The three cycles in which cta_scheduler looks at a slot, picks one of its candidates and shows
//   the dispatch, with the registers for it: the contract there says which cycle does what.
//   The words of the slots stay with the scheduler. It gives those of three slots, kernel_i,
//   looked_o and from_o. It writes those of from_o while dispatch_o is high, and the pointers of
//   looked_o while pick_o is. All registers are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM                   SMs, 1..192
//   N_CLUSTER              clusters, and pools, 1..64
//   N_KERNEL               kernel slots, 1..32
//   CTA_W                  bits of a number of CTAs, 1..32
//   SM_W                   bits of an SM's number; derived, never overridden
//   CLUSTER_W              bits of a cluster's number; derived, never overridden
//   KERNEL_W               bits of a slot's number; derived, never overridden
//   N_SEAT                 SMs, if no cluster had an empty seat; derived, never overridden
//
// Ports                    width        meaning
//   clk                    1            clock, rising edge
//   rst_i                  1            reset, synchronous, active high
//   ready_i                N_KERNEL     slots that may be dispatched
//   launch_i               1            a legal launch is taken
//   launch_kernel_i        KERNEL_W     of this slot
//   kernel_i               KERNEL_W     slot that is looked at
//   policy_i               2            its policy
//   sms_i                  N_SM         SMs that may run it
//   some_i                 N_CLUSTER    its pools with CTAs
//   homeless_i             N_CLUSTER    those without an SM
//   steal_i                1            clusters take CTAs of others
//   room_i                 N_SM         SMs with room for a block
//   limit_i                N_SM         SMs that every limiter allows one
//   other_o                N_CLUSTER    clusters that would draw on another's pool
//   looked_policy_i        2            of slot looked_o: its policy
//   looked_some_i          N_CLUSTER    its pools with CTAs
//   looked_homeless_i      N_CLUSTER    those without an SM
//   looked_steal_i         1            clusters take CTAs of others
//   looked_turn_i          N_SM         its pointers, as in cta_pick
//   looked_cluster_turn_i  N_CLUSTER    among clusters
//   looked_rank_i          N_SEAT       in each cluster
//   seen_o                 N_SM         candidates of kernel_i: those of the next cycle
//   pick_o                 1            an SM is picked:
//   sm_o                   N_SM         it alone; what follows is without meaning if none is picked
//   cluster_o              N_CLUSTER    policies 2 and 3: its cluster alone
//   turn_o                 N_SM         the pointers after it, policies 0 and 1
//   cluster_turn_o         N_CLUSTER    policy 3
//   rank_o                 N_SEAT       policies 2 and 3
//   from_block_i           2            of slot from_o: its block
//   from_next_i            N_CLUSTER*CTA_W  the next CTA of each pool
//   from_left_i            N_CLUSTER*CTA_W  CTAs each pool has left
//   from_some_i            N_CLUSTER    pools with CTAs
//   from_more_i            N_CLUSTER    pools that have more than a block
//   dispatch_sm_o          SM_W         number of the SM to which a dispatch goes
//   dispatch_cta_o         CTA_W        the first of the CTAs
//   dispatch_count_o       3            how many
//   dispatch_withdraw_i    1            it is not to be
//   dispatch_ready_i       1            it is taken, unless it is withdrawn
//   dispatch_o             1            it is taken, after which the words are:
//   next_o                 N_CLUSTER*CTA_W  the next CTA of each pool
//   left_o                 N_CLUSTER*CTA_W  CTAs each pool has left
//   some_o                 N_CLUSTER    pools with CTAs
//   more_o                 N_CLUSTER    pools that have more than a block
//   last_o                 1            the dispatch that shows empties its pool
//   candidates_o           N_SM         registers, as in cta_scheduler: SMs that may be picked
//   looked_o               KERNEL_W     the slot they are of
//   going_o                1            a dispatch shows; if not, the next four are 0
//   to_o                   N_SM         its SM alone
//   from_o                 KERNEL_W     its slot
//   source_o               CLUSTER_W    its pool
//   stolen_o               1            which is that of another cluster
//
// Timing
//   In the same cycle other_o and seen_o depend on kernel_i and its words, and seen_o on room_i
//   and limit_i, too. pick_o and dispatch_o depend on launch_i, launch_kernel_i,
//   dispatch_withdraw_i and dispatch_ready_i. All else depends on registers, and on words of
//   their slots.

`default_nettype none

module cta_issue #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer N_SEAT    = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER
) (
    input  wire                       clk,
    input  wire                       rst_i,
    input  wire [N_KERNEL-1:0]        ready_i,
    input  wire                       launch_i,
    input  wire [KERNEL_W-1:0]        launch_kernel_i,

    input  wire [KERNEL_W-1:0]        kernel_i,
    input  wire [1:0]                 policy_i,
    input  wire [N_SM-1:0]            sms_i,
    input  wire [N_CLUSTER-1:0]       some_i,
    input  wire [N_CLUSTER-1:0]       homeless_i,
    input  wire                       steal_i,
    input  wire [N_SM-1:0]            room_i,
    input  wire [N_SM-1:0]            limit_i,
    output wire [N_CLUSTER-1:0]       other_o,

    input  wire [1:0]                 looked_policy_i,
    input  wire [N_CLUSTER-1:0]       looked_some_i,
    input  wire [N_CLUSTER-1:0]       looked_homeless_i,
    input  wire                       looked_steal_i,
    input  wire [N_SM-1:0]            looked_turn_i,
    input  wire [N_CLUSTER-1:0]       looked_cluster_turn_i,
    input  wire [N_SEAT-1:0]          looked_rank_i,
    output wire [N_SM-1:0]            seen_o,
    output wire                       pick_o,
    output wire [N_SM-1:0]            sm_o,
    output wire [N_CLUSTER-1:0]       cluster_o,
    output wire [N_SM-1:0]            turn_o,
    output wire [N_CLUSTER-1:0]       cluster_turn_o,
    output wire [N_SEAT-1:0]          rank_o,

    input  wire [1:0]                 from_block_i,
    input  wire [N_CLUSTER*CTA_W-1:0] from_next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] from_left_i,
    input  wire [N_CLUSTER-1:0]       from_some_i,
    input  wire [N_CLUSTER-1:0]       from_more_i,
    output wire [SM_W-1:0]            dispatch_sm_o,
    output wire [CTA_W-1:0]           dispatch_cta_o,
    output wire [2:0]                 dispatch_count_o,
    input  wire                       dispatch_withdraw_i,
    input  wire                       dispatch_ready_i,
    output wire                       dispatch_o,
    output wire [N_CLUSTER*CTA_W-1:0] next_o,
    output wire [N_CLUSTER*CTA_W-1:0] left_o,
    output wire [N_CLUSTER-1:0]       some_o,
    output wire [N_CLUSTER-1:0]       more_o,
    output wire                       last_o,

    output wire [N_SM-1:0]            candidates_o,
    output wire [KERNEL_W-1:0]        looked_o,
    output wire                       going_o,
    output wire [N_SM-1:0]            to_o,
    output wire [KERNEL_W-1:0]        from_o,
    output wire [CLUSTER_W-1:0]       source_o,
    output wire                       stolen_o
);

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_KERNEL < 1 || N_KERNEL > 32 || CTA_W < 1 || CTA_W > 32
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || N_SEAT != (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER) begin : g_check
            cta_issue_needs_N_SM_1_to_192_N_CLUSTER_1_to_64_N_KERNEL_and_CTA_W_1_to_32
                u_stop ();
        end
    endgenerate

    // One line a slot; a number without a slot shifts the one out of the vector.
    localparam [N_KERNEL-1:0] SLOT_0      = 1;
    localparam [1:0]          GREEDY      = 2'd2;  // policies
    localparam [1:0]          DISTRIBUTED = 2'd3;  // this one splits

    // ---- State -------------------------------------------------------------

    reg [N_SM-1:0]      candidates_q;  // as the last cycle showed them
    reg [KERNEL_W-1:0]  looked_q;      // slot they are of
    reg                 going_q;       // a dispatch shows; if not, what follows is 0
    reg [N_SM-1:0]      to_q;          // line of its SM
    reg [KERNEL_W-1:0]  from_q;        // its slot
    reg [CLUSTER_W-1:0] source_q;      // number of its pool
    reg                 stolen_q;      // which is that of another cluster

    assign {candidates_o, looked_o}                    = {candidates_q, looked_q};
    assign {going_o, to_o, from_o, source_o, stolen_o} = {going_q, to_q, from_q, source_q, stolen_q};

    // The pools on which other clusters may draw. Not split, that is pool 0.
    function [N_CLUSTER-1:0] lends_of;
        input [N_CLUSTER-1:0] homeless;
        input                 steal;
        input [1:0]           policy;
        lends_of = homeless | {N_CLUSTER{steal || policy != DISTRIBUTED}};
    endfunction

    // ---- Dispatch ----------------------------------------------------------
    // What was picked in the last cycle, or before it if nobody took it: the pool's lowest
    // CTAs. They are drawn when it is taken.

    wire [N_CLUSTER-1:0] line;  // its pool

    cta_draw #(.N_CLUSTER(N_CLUSTER), .CTA_W(CTA_W)) u_draw (
        .going_i(going_q), .pool_i(source_q), .block_i(from_block_i),
        .next_i(from_next_i), .left_i(from_left_i), .some_i(from_some_i), .more_i(from_more_i),
        .line_o(line), .cta_o(dispatch_cta_o), .count_o(dispatch_count_o), .last_o(last_o),
        .next_o(next_o), .left_o(left_o), .some_o(some_o), .more_o(more_o)
    );

    line_number #(.N(N_SM)) u_to (.line_i(to_q), .number_o(dispatch_sm_o));

    assign dispatch_o = going_q && dispatch_ready_i && !dispatch_withdraw_i;

    // ---- Pick --------------------------------------------------------------
    // From the candidates of the last cycle. Nothing that happened since stands against one,
    // but for what stops the pick of any.

    wire                 held       = (ready_i & (SLOT_0 << looked_q)) != 0;
    wire                 emptying   = going_q && last_o && from_q == looked_q;
    wire                 relaunched = launch_i && launch_kernel_i == looked_q;
    wire                 may_pick   = held && !emptying && !relaunched
                                      && !(going_q && !dispatch_ready_i && !dispatch_withdraw_i);
    wire                 splits     = looked_policy_i == DISTRIBUTED;
    wire [N_CLUSTER-1:0] lends      = lends_of(looked_homeless_i, looked_steal_i, looked_policy_i);

    assign pick_o = may_pick && candidates_q != 0;

    cta_pick #(.N_SM(N_SM), .N_CLUSTER(N_CLUSTER)) u_pick (
        .candidates_i(candidates_q), .policy_i(looked_policy_i),
        .turn_i(looked_turn_i), .cluster_turn_i(looked_cluster_turn_i), .rank_i(looked_rank_i),
        .sm_o(sm_o), .cluster_o(cluster_o),
        .turn_o(turn_o), .cluster_turn_o(cluster_turn_o), .rank_o(rank_o)
    );

    // The pool of the cluster picked. Not split, that is pool 0, whatever the cluster.
    wire [N_CLUSTER*CLUSTER_W-1:0] pools;
    wire [CLUSTER_W-1:0]           source;

    cta_pools #(.N_CLUSTER(N_CLUSTER)) u_pools (
        .has_i(looked_some_i), .lends_i(lends), .pool_o(pools)
    );
    select_line #(.N(N_CLUSTER), .W(CLUSTER_W)) u_source (
        .words_i(pools), .line_i(cluster_o & {N_CLUSTER{splits}}), .word_o(source)
    );

    // ---- Look --------------------------------------------------------------
    // Words are read for any kernel_i; asked tells whether they mean anything. A pool whose
    // last CTAs are on their way has none.

    wire                 asked      = (ready_i & (SLOT_0 << kernel_i)) != 0;
    wire                 same_going = going_q && from_q == kernel_i;
    wire                 same_pick  = pick_o && looked_q == kernel_i;
    wire [1:0]           policy     = policy_i & {2{asked}};
    wire [N_CLUSTER-1:0] gone       = line & {N_CLUSTER{same_going && last_o}};
    wire [N_CLUSTER-1:0] other;

    cta_look #(.N_SM(N_SM), .N_CLUSTER(N_CLUSTER)) u_look (
        .sms_i(sms_i), .room_i(room_i), .limit_i(limit_i),
        .has_i(some_i & ~gone & {N_CLUSTER{asked}}),
        .lends_i(lends_of(homeless_i, steal_i, policy)), .greedy_i(policy == GREEDY),
        .to_i(to_q), .to_mine_i(same_going),
        .picked_i(sm_o & {N_SM{may_pick}}), .behind_i(cluster_turn_o), .picked_mine_i(same_pick),
        .other_o(other), .candidates_o(seen_o)
    );

    assign other_o = other & {N_CLUSTER{policy == DISTRIBUTED}};

    // ---- Clocked -----------------------------------------------------------
    // A dispatch stays until it is taken or withdrawn, or its slot is launched.

    wire stays = going_q && !dispatch_ready_i && !dispatch_withdraw_i
                 && !(launch_i && launch_kernel_i == from_q);

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            candidates_q <= {N_SM{1'b0}};
            looked_q     <= {KERNEL_W{1'b0}};
        end else begin
            candidates_q <= seen_o;
            looked_q     <= kernel_i;
        end
        if (rst_i || !(pick_o || stays)) begin
            going_q  <= 1'b0;
            to_q     <= {N_SM{1'b0}};
            from_q   <= {KERNEL_W{1'b0}};
            source_q <= {CLUSTER_W{1'b0}};
            stolen_q <= 1'b0;
        end else if (pick_o) begin
            going_q  <= 1'b1;
            to_q     <= sm_o;
            from_q   <= looked_q;
            source_q <= source;
            stolen_q <= splits && (cluster_o & looked_some_i) == 0;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/cta_issue_properties.v.

`ifdef FORMAL
    cta_issue_properties #(
        .N_SM(N_SM), .N_CLUSTER(N_CLUSTER), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
