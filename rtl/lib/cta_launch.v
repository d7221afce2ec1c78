// cta_launch - the launches of the CTA scheduler: a grid divided, its pools given one by one.
//
// Purpose
//   What cta_scheduler does from a launch until the slot is ready, with the registers for it:
//   its contract says which cycle does what. The words of the slots stay with the scheduler. It
//   gives those of slot_o, and writes them while deal_o is high. All registers are shown, for who
//   compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM              SMs, 1..192
//   N_CLUSTER         clusters, and pools, 1..64
//   N_KERNEL          kernel slots, 1..32
//   CTA_W             bits of a number of CTAs, 1..32
//   CLUSTER_W         bits of a cluster's number; derived, never overridden
//   KERNEL_W          bits of a slot's number; derived, never overridden
//   COUNT_W           bits of a number of clusters; derived, never overridden
//   N_STEP            cycles of a division; derived, never overridden
//   STEP_W            bits of step_o; derived, never overridden
//
// Ports               width        meaning
//   clk               1            clock, rising edge
//   rst_i             1            reset, synchronous, active high
//   launch_valid_i    1            as in cta_scheduler, and so are the next seven
//   launch_kernel_i   KERNEL_W     its slot
//   launch_keep_i     1            it keeps its CTAs
//   launch_ctas_i     CTA_W        CTAs of the grid
//   launch_sms_i      N_SM         SMs that may run it
//   launch_policy_i   2            its policy
//   launch_block_i    2            its block
//   launch_ready_o    1            no launch is under way
//   launch_error_o    1            the launch taken in the last cycle was refused
//   kept_policy_i     2            the policy of slot launch_kernel_i
//   launch_o          1            a legal launch is taken
//   anew_o            1            it is the slot's first since the reset
//   sms_i             N_SM         the SMs of slot_o
//   block_i           2            its block
//   next_i            N_CLUSTER*CTA_W  the next CTA of each of its pools
//   left_i            N_CLUSTER*CTA_W  CTAs they have left
//   some_i            N_CLUSTER    its pools with CTAs
//   more_i            N_CLUSTER    those that have more than a block
//   homeless_i        N_CLUSTER    those without an SM
//   pool_valid_o      1            as in cta_scheduler, and so are the next six
//   pool_kernel_o     KERNEL_W     its slot
//   pool_split_o      1            it is one cluster's share
//   pool_number_o     CLUSTER_W    of this cluster
//   pool_blocks_o     CTA_W        blocks in it
//   pool_sms_o        N_SM         the launch's SMs
//   pool_ready_i      1            the pool has been seen
//   deal_o            1            pool pool_line_o has its turn, after which the words of slot_o are:
//   next_o            N_CLUSTER*CTA_W  the next CTA of each pool
//   left_o            N_CLUSTER*CTA_W  CTAs they have left
//   some_o            N_CLUSTER    pools with CTAs
//   more_o            N_CLUSTER    pools that have more than a block
//   homeless_o        N_CLUSTER    split, and their cluster has no SM
//   ready_o           N_KERNEL     registers, as in cta_scheduler: this is ready, and so on
//   known_o           N_KERNEL     slots that have pointers
//   busy_o            1            a launch is under way
//   step_o            STEP_W       0 count, then divide, N_STEP + 1 pools
//   slot_o            KERNEL_W     of this slot
//   keep_o            1            that keeps its CTAs
//   split_o           1            by cluster
//   divisor_o         COUNT_W      pools that get CTAs
//   dividend_o        2*N_STEP     CTAs of the grid; then, the quotient
//   remainder_o       COUNT_W      of the division; then, pools that get one more
//   pool_o            CLUSTER_W    pool whose turn it is
//   pool_line_o       N_CLUSTER    that pool alone
//   first_o           CTA_W        its first CTA
//
// Timing
//   launch_o, anew_o and the outputs from deal_o on depend on inputs of their cycle, and so do
//   pool_valid_o and the next five. The others are registers.

`default_nettype none

module cta_launch #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer COUNT_W   = $clog2(N_CLUSTER + 1),
    parameter integer N_STEP    = (CTA_W + 1) / 2,
    parameter integer STEP_W    = $clog2(N_STEP + 2)
) (
    input  wire                       clk,
    input  wire                       rst_i,

    input  wire                       launch_valid_i,
    input  wire [KERNEL_W-1:0]        launch_kernel_i,
    input  wire                       launch_keep_i,
    input  wire [CTA_W-1:0]           launch_ctas_i,
    input  wire [N_SM-1:0]            launch_sms_i,
    input  wire [1:0]                 launch_policy_i,
    input  wire [1:0]                 launch_block_i,
    output wire                       launch_ready_o,
    output wire                       launch_error_o,
    input  wire [1:0]                 kept_policy_i,
    output wire                       launch_o,
    output wire                       anew_o,

    input  wire [N_SM-1:0]            sms_i,
    input  wire [1:0]                 block_i,
    input  wire [N_CLUSTER*CTA_W-1:0] next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] left_i,
    input  wire [N_CLUSTER-1:0]       some_i,
    input  wire [N_CLUSTER-1:0]       more_i,
    input  wire [N_CLUSTER-1:0]       homeless_i,
    output wire                       pool_valid_o,
    output wire [KERNEL_W-1:0]        pool_kernel_o,
    output wire                       pool_split_o,
    output wire [CLUSTER_W-1:0]       pool_number_o,
    output wire [CTA_W-1:0]           pool_blocks_o,
    output wire [N_SM-1:0]            pool_sms_o,
    input  wire                       pool_ready_i,

    output wire                       deal_o,
    output wire [N_CLUSTER*CTA_W-1:0] next_o,
    output wire [N_CLUSTER*CTA_W-1:0] left_o,
    output wire [N_CLUSTER-1:0]       some_o,
    output wire [N_CLUSTER-1:0]       more_o,
    output wire [N_CLUSTER-1:0]       homeless_o,

    output wire [N_KERNEL-1:0]        ready_o,
    output wire [N_KERNEL-1:0]        known_o,
    output wire                       busy_o,
    output wire [STEP_W-1:0]          step_o,
    output wire [KERNEL_W-1:0]        slot_o,
    output wire                       keep_o,
    output wire                       split_o,
    output wire [COUNT_W-1:0]         divisor_o,
    output wire [2*N_STEP-1:0]        dividend_o,
    output wire [COUNT_W-1:0]         remainder_o,
    output wire [CLUSTER_W-1:0]       pool_o,
    output wire [N_CLUSTER-1:0]       pool_line_o,
    output wire [CTA_W-1:0]           first_o
);

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_KERNEL < 1 || N_KERNEL > 32 || CTA_W < 1 || CTA_W > 32
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || COUNT_W != $clog2(N_CLUSTER + 1) || N_STEP != (CTA_W + 1) / 2
            || STEP_W != $clog2(N_STEP + 2)) begin : g_check
            cta_launch_needs_N_SM_1_to_192_N_CLUSTER_1_to_64_N_KERNEL_and_CTA_W_1_to_32
                u_stop ();
        end
    endgenerate

    localparam integer         CLUSTER_SM  = (N_SM + N_CLUSTER - 1) / N_CLUSTER;
    localparam integer         N_SEAT      = CLUSTER_SM * N_CLUSTER;
    localparam [N_CLUSTER-1:0] CLUSTER_0   = 1;
    localparam [N_KERNEL-1:0]  SLOT_0      = 1;
    localparam [COUNT_W-1:0]   COUNT_1     = 1;
    localparam [STEP_W-1:0]    COUNT       = {STEP_W{1'b0}};             // count the clusters
    localparam [STEP_W-1:0]    POOLS       = N_STEP[STEP_W-1:0] + 1'b1;  // in between: divide
    localparam [CLUSTER_W-1:0] LAST        = N_CLUSTER[CLUSTER_W-1:0] - 1'b1;
    localparam [1:0]           DISTRIBUTED = 2'd3;                       // this policy splits

    // ---- State -------------------------------------------------------------

    reg [N_KERNEL-1:0]  ready_q;      // bit k: slot k may be dispatched
    reg [N_KERNEL-1:0]  known_q;      // bit k: slot k has pointers
    reg                 busy_q;       // a launch is under way
    reg [STEP_W-1:0]    step_q;       // COUNT, 1..N_STEP, POOLS
    reg [KERNEL_W-1:0]  slot_q;       // of this slot
    reg                 keep_q;       // that keeps its CTAs
    reg                 split_q;      // by cluster
    reg [COUNT_W-1:0]   divisor_q;    // number of pools that get CTAs
    reg [2*N_STEP-1:0]  dividend_q;   // CTAs of the grid; used up from the top, while the
                                      // quotient comes in below
    reg [COUNT_W-1:0]   remainder_q;  // of the bits used so far; then, pools that still get
                                      // one CTA more
    reg [CLUSTER_W-1:0] pool_q;       // pool whose turn it is
    reg [N_CLUSTER-1:0] pool_line_q;  // that pool alone
    reg [CTA_W-1:0]     first_q;      // its first CTA
    reg                 launch_error_q;

    assign {ready_o, known_o, busy_o, step_o, slot_o}  = {ready_q, known_q, busy_q, step_q, slot_q};
    assign {keep_o, split_o, divisor_o, dividend_o}    = {keep_q, split_q, divisor_q, dividend_q};
    assign {remainder_o, pool_o, pool_line_o, first_o} = {remainder_q, pool_q, pool_line_q, first_q};

    // ---- Launch ------------------------------------------------------------
    // One line a slot; a number without a slot shifts the one out of the vector.

    wire [N_KERNEL-1:0] launch_slot  = SLOT_0 << launch_kernel_i;
    wire                launch_new   = launch_ctas_i != 0 && launch_block_i != 2'd3;
    wire                launch_known = (launch_slot & ready_q) != 0;
    wire                launch_legal = launch_slot != 0 && launch_sms_i != 0
                                       && (launch_keep_i ? launch_known : launch_new);
    wire                launch_taken = launch_valid_i && launch_ready_o;
    wire [1:0]          launch_rule  = launch_keep_i ? kept_policy_i : launch_policy_i;

    assign launch_o       = launch_taken && launch_legal;
    assign anew_o         = (known_q & launch_slot) == 0;
    assign launch_ready_o = !busy_q;
    assign launch_error_o = launch_error_q;

    // ---- Division ----------------------------------------------------------

    reg  [N_CLUSTER-1:0] populated;  // bit c: a seat of cluster c is in the set
    reg  [N_SEAT-1:0]    seats;
    integer              c;
    wire [COUNT_W-1:0]   n_populated;
    wire [COUNT_W-1:0]   remainder_then;
    wire [1:0]           quotient;

    always @* begin : p_populated
        seats           = {N_SEAT{1'b0}};
        seats[N_SM-1:0] = sms_i;
        for (c = 0; c < N_CLUSTER; c = c + 1)
            populated[c] = |seats[c*CLUSTER_SM +: CLUSTER_SM];
    end

    count_ones #(.N(N_CLUSTER)) u_populated (.set_i(populated), .count_o(n_populated));

    divide_step #(.W(COUNT_W), .BITS(2)) u_divide (
        .remainder_i(remainder_q), .next_i(dividend_q[2*N_STEP-1 -: 2]), .divisor_i(divisor_q),
        .quotient_o(quotient), .remainder_o(remainder_then)
    );

    // ---- Pools -------------------------------------------------------------
    // In the step POOLS the dividend has become the quotient. A launch that keeps its
    // CTAs has a quotient and a remainder of 0, so nothing is given.

    wire             dealing = busy_q && step_q == POOLS;
    wire             has_ctas, one_more;
    wire [CTA_W-1:0] share, blocks;
    wire             shown   = dealing && has_ctas;
    wire             passes  = dealing && (!shown || pool_ready_i);
    wire             dealt   = passes && pool_q == LAST;

    cta_deal #(.N_CLUSTER(N_CLUSTER), .CTA_W(CTA_W)) u_deal (
        .keep_i(keep_q), .split_i(split_q), .populated_i(populated), .line_i(pool_line_q),
        .floor_i(dividend_q[CTA_W-1:0]), .rest_i(remainder_q != 0), .first_i(first_q), .block_i(block_i),
        .next_i(next_i), .left_i(left_i), .some_i(some_i), .more_i(more_i), .homeless_i(homeless_i),
        .share_o(share), .extra_o(one_more), .shown_o(has_ctas), .blocks_o(blocks),
        .next_o(next_o), .left_o(left_o), .some_o(some_o), .more_o(more_o), .homeless_o(homeless_o)
    );

    assign deal_o        = dealing;
    assign pool_valid_o  = shown;
    assign pool_kernel_o = shown ? slot_q : {KERNEL_W{1'b0}};
    assign pool_split_o  = shown && split_q;
    assign pool_number_o = shown ? pool_q : {CLUSTER_W{1'b0}};
    assign pool_blocks_o = shown ? blocks : {CTA_W{1'b0}};
    assign pool_sms_o    = shown ? sms_i : {N_SM{1'b0}};

    // ---- Clocked -----------------------------------------------------------

    always @(posedge clk) begin : p_state
        launch_error_q <= launch_taken && !launch_legal;
        if (launch_o) begin
            ready_q     <= ready_q & ~launch_slot;
            known_q     <= known_q | launch_slot;
            busy_q      <= 1'b1;
            step_q      <= launch_keep_i ? POOLS : COUNT;
            slot_q      <= launch_kernel_i;
            keep_q      <= launch_keep_i;
            split_q     <= launch_rule == DISTRIBUTED;
            dividend_q  <= {2*N_STEP{1'b0}};
            dividend_q[CTA_W-1:0] <= launch_ctas_i & {CTA_W{!launch_keep_i}};
            remainder_q <= {COUNT_W{1'b0}};
            pool_q      <= {CLUSTER_W{1'b0}};
            pool_line_q <= CLUSTER_0;
            first_q     <= {CTA_W{1'b0}};
        end else if (passes) begin
            remainder_q <= remainder_q - (COUNT_1 & {COUNT_W{one_more}});
            first_q     <= first_q + share;
            pool_q      <= pool_q + 1'b1;
            pool_line_q <= pool_line_q << 1;
            if (dealt) begin
                ready_q     <= ready_q | (SLOT_0 << slot_q);
                busy_q      <= 1'b0;
                step_q      <= COUNT;
                pool_q      <= {CLUSTER_W{1'b0}};
                pool_line_q <= CLUSTER_0;
            end
        end else if (busy_q && !dealing) begin
            step_q <= step_q + 1'b1;
            if (step_q == COUNT) begin
                divisor_q <= split_q ? n_populated : COUNT_1;
            end else begin
                dividend_q      <= dividend_q << 2;
                dividend_q[1:0] <= quotient;
                remainder_q     <= remainder_then;
            end
        end
        if (rst_i) begin
            ready_q        <= {N_KERNEL{1'b0}};
            known_q        <= {N_KERNEL{1'b0}};
            busy_q         <= 1'b0;
            step_q         <= COUNT;
            slot_q         <= {KERNEL_W{1'b0}};
            keep_q         <= 1'b0;
            split_q        <= 1'b0;
            divisor_q      <= {COUNT_W{1'b0}};
            dividend_q     <= {2*N_STEP{1'b0}};
            remainder_q    <= {COUNT_W{1'b0}};
            pool_q         <= {CLUSTER_W{1'b0}};
            pool_line_q    <= CLUSTER_0;
            first_q        <= {CTA_W{1'b0}};
            launch_error_q <= 1'b0;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/cta_launch_properties.v.

`ifdef FORMAL
    cta_launch_properties #(
        .N_SM(N_SM), .N_CLUSTER(N_CLUSTER), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
