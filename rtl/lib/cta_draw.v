// cta_draw - the block of CTAs that a dispatch of the CTA scheduler takes from its pool.
//
// Purpose
//   The lowest CTAs of a pool, a block of them or what it has left, and the words of its slot once
//   they are taken. That the pool has more than a block is known beforehand (more_i), so that the
//   number of the CTAs waits for no comparison.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CLUSTER        pools, 1..64
//   CTA_W            bits of a number of CTAs, 1..32
//   CLUSTER_W        bits of a pool's number; derived, never overridden
//
// Ports              width        meaning
//   going_i          1            a dispatch shows; without, line_o, cta_o, count_o are 0
//   pool_i           CLUSTER_W    its pool
//   block_i          2            CTAs of a block: 0 one, 1 two, 2 four
//   next_i           N_CLUSTER*CTA_W  the next CTA of each pool
//   left_i           N_CLUSTER*CTA_W  CTAs each pool has left, of its own at least one
//   some_i           N_CLUSTER    pools with CTAs
//   more_i           N_CLUSTER    pools that have more than a block
//   line_o           N_CLUSTER    the pool's line
//   cta_o            CTA_W        the first of the CTAs
//   count_o          3            how many
//   last_o           1            they are the last of their pool
//   next_o           N_CLUSTER*CTA_W  the words, once they are taken: the next CTA of each pool
//   left_o           N_CLUSTER*CTA_W  CTAs each pool has left
//   some_o           N_CLUSTER    pools with CTAs
//   more_o           N_CLUSTER    pools that have more than a block
//
// Timing
//   Combinational.

`default_nettype none

module cta_draw #(
    parameter integer N_CLUSTER = 3,
    parameter integer CTA_W     = 20,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1
) (
    input  wire                       going_i,
    input  wire [CLUSTER_W-1:0]       pool_i,
    input  wire [1:0]                 block_i,
    input  wire [N_CLUSTER*CTA_W-1:0] next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] left_i,
    input  wire [N_CLUSTER-1:0]       some_i,
    input  wire [N_CLUSTER-1:0]       more_i,
    output wire [N_CLUSTER-1:0]       line_o,
    output wire [CTA_W-1:0]           cta_o,
    output wire [2:0]                 count_o,
    output wire                       last_o,
    output wire [N_CLUSTER*CTA_W-1:0] next_o,
    output wire [N_CLUSTER*CTA_W-1:0] left_o,
    output wire [N_CLUSTER-1:0]       some_o,
    output wire [N_CLUSTER-1:0]       more_o
);

    generate
        if (N_CLUSTER < 1 || N_CLUSTER > 64 || CTA_W < 1 || CTA_W > 32
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)) begin : g_check
            cta_draw_needs_N_CLUSTER_1_to_64_CTA_W_1_to_32 u_stop ();
        end
    endgenerate

    localparam [N_CLUSTER-1:0] CLUSTER_0 = 1;

    wire [CTA_W-1:0] left;
    wire [2:0]       count;
    reg  [CTA_W-1:0] taken;  // the count, which is no more than the pool has left
    integer          b;

    assign line_o = (CLUSTER_0 & {N_CLUSTER{going_i}}) << pool_i;
    assign last_o = (more_i & line_o) == 0;

    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_next (
        .words_i (next_i),
        .line_i  (line_o),
        .word_o  (cta_o)
    );
    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_left (
        .words_i (left_i),
        .line_i  (line_o),
        .word_o  (left)
    );

    // A block, or the rest, which has the bits that a number of CTAs has.
    genvar g;
    generate
        for (g = 0; g < 3; g = g + 1) begin : g_count
            localparam [1:0] BLOCK = g;
            if (g < CTA_W) begin : g_bit
                assign count[g] = last_o ? left[g] : block_i == BLOCK;
            end else begin : g_none
                assign count[g] = 1'b0;
            end
        end
    endgenerate

    always @* begin : p_taken
        taken = {CTA_W{1'b0}};
        for (b = 0; b < 3 && b < CTA_W; b = b + 1) taken[b] = count[b];
    end

    // More than two blocks leave more than one.
    wire [1:0]       twice      = block_i + 2'd1;
    wire [CTA_W+3:0] two_blocks = {{(CTA_W+3){1'b0}}, 1'b1} << twice;

    assign count_o = count & {3{going_i}};

    // ---- The words, with what is then left of this pool --------------------

    wire more = {4'd0, left} > two_blocks;

    put_line #(.N(N_CLUSTER), .W(CTA_W)) u_next_then (
        .words_i (next_i),
        .line_i  (line_o),
        .word_i  (cta_o + taken),
        .words_o (next_o)
    );
    put_line #(.N(N_CLUSTER), .W(CTA_W)) u_left_then (
        .words_i (left_i),
        .line_i  (line_o),
        .word_i  (left - taken),
        .words_o (left_o)
    );
    assign some_o = some_i & ~(line_o & {N_CLUSTER{last_o}});
    assign more_o = more_i & ~(line_o & {N_CLUSTER{!more}});

    // ---- Formal ------------------------------------------------------------
    // Of a pool that has CTAs, and whose marks are right; of any other that it stays as it is.

`ifdef FORMAL
    localparam integer F_W = CTA_W + 4;
    wire [F_W-1:0] f_next  = next_i[pool_i*CTA_W +: CTA_W];
    wire [F_W-1:0] f_left  = left_i[pool_i*CTA_W +: CTA_W];
    wire [F_W-1:0] f_block = 1 << block_i;
    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    always @* begin
        assume (pool_i < N_CLUSTER && f_pool < N_CLUSTER && block_i != 3);
        assume (f_left != 0 && some_i[pool_i] && more_i[pool_i] == (f_left > f_block) && f_next + f_left < 1 << CTA_W);
        if (going_i) begin
            a_line  : assert (line_o == CLUSTER_0 << pool_i);
            a_cta   : assert (cta_o == f_next);
            a_count : assert (count_o == (f_left < f_block ? f_left : f_block));
            a_last  : assert (last_o == (f_left <= f_block));
            a_next  : assert (next_o[pool_i*CTA_W +: CTA_W] == f_next + count_o);
            a_left  : assert (left_o[pool_i*CTA_W +: CTA_W] == f_left - count_o);
            a_some  : assert (some_o[pool_i] == (f_left != count_o));
            a_more  : assert (more_o[pool_i] == (f_left - count_o > f_block));
        end else begin
            a_none  : assert (line_o == 0 && cta_o == 0 && count_o == 0);
        end
        if (!going_i || f_pool != pool_i)
            a_apart : assert (next_o[f_pool*CTA_W +: CTA_W] == next_i[f_pool*CTA_W +: CTA_W]
                              && left_o[f_pool*CTA_W +: CTA_W] == left_i[f_pool*CTA_W +: CTA_W]
                              && some_o[f_pool] == some_i[f_pool] && more_o[f_pool] == more_i[f_pool]);
        c_tail : cover (going_i && last_o && pool_i == N_CLUSTER - 1);
        c_full : cover (CTA_W < 3 || (going_i && count_o == 4 && more_o[pool_i]));
    end
`endif

endmodule

`default_nettype wire
