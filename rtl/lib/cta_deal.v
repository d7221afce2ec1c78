// cta_deal - what a launch of the CTA scheduler gives the pool whose turn it is, and how it is shown.
//
// Purpose
//   A launch passes its pools one by one. Of each this says which CTAs it gets, or keeps; whether it
//   is shown to whoever allots shares of it, and as how many blocks; and the words of the slot then.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CLUSTER    clusters, and pools, 1..64
//   CTA_W        bits of a number of CTAs, 1..32
//
// Ports          width            meaning
//   keep_i       1                the launch keeps the CTAs of its slot
//   split_i      1                a pool for each cluster; otherwise, pool 0 alone
//   populated_i  N_CLUSTER        clusters that have an SM of the launch
//   line_i       N_CLUSTER        the pool whose turn it is, alone
//   floor_i      CTA_W            CTAs by the number of pools that get some, rounded down; 0 to keep
//   rest_i       1                and this pool gets one more, if it gets any; 0 to keep
//   first_i      CTA_W            its first CTA
//   block_i      2                CTAs of a block: 0 one, 1 two, 2 four
//   next_i       N_CLUSTER*CTA_W  the words of the slot: the next CTA of each pool
//   left_i       N_CLUSTER*CTA_W  CTAs they have left
//   some_i       N_CLUSTER        pools with CTAs
//   more_i       N_CLUSTER        pools that have more than a block
//   homeless_i   N_CLUSTER        split, and their cluster has no SM
//   share_o      CTA_W            CTAs that it is given
//   extra_o      1                one more than others
//   shown_o      1                it has CTAs, and an SM draws on it
//   blocks_o     CTA_W            its blocks; the last may have fewer CTAs
//   next_o       N_CLUSTER*CTA_W  the words with what the pool gets, or keeps
//   left_o       N_CLUSTER*CTA_W  CTAs left
//   some_o       N_CLUSTER        pools with CTAs
//   more_o       N_CLUSTER        pools that have more than a block
//   homeless_o   N_CLUSTER        split, and no SM
//
// Timing
//   Combinational.

`default_nettype none

module cta_deal #(
    parameter integer N_CLUSTER = 3,
    parameter integer CTA_W     = 20
) (
    input  wire                       keep_i,
    input  wire                       split_i,
    input  wire [N_CLUSTER-1:0]       populated_i,
    input  wire [N_CLUSTER-1:0]       line_i,
    input  wire [CTA_W-1:0]           floor_i,
    input  wire                       rest_i,
    input  wire [CTA_W-1:0]           first_i,
    input  wire [1:0]                 block_i,
    input  wire [N_CLUSTER*CTA_W-1:0] next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] left_i,
    input  wire [N_CLUSTER-1:0]       some_i,
    input  wire [N_CLUSTER-1:0]       more_i,
    input  wire [N_CLUSTER-1:0]       homeless_i,
    output wire [CTA_W-1:0]           share_o,
    output wire                       extra_o,
    output wire                       shown_o,
    output wire [CTA_W-1:0]           blocks_o,
    output wire [N_CLUSTER*CTA_W-1:0] next_o,
    output wire [N_CLUSTER*CTA_W-1:0] left_o,
    output wire [N_CLUSTER-1:0]       some_o,
    output wire [N_CLUSTER-1:0]       more_o,
    output wire [N_CLUSTER-1:0]       homeless_o
);

    generate
        if (N_CLUSTER < 1 || N_CLUSTER > 64 || CTA_W < 1 || CTA_W > 32) begin : g_check
            cta_deal_needs_N_CLUSTER_1_to_64_CTA_W_1_to_32 u_stop ();
        end
    endgenerate

    localparam [CTA_W-1:0] CTA_1 = 1;

    // ---- Its share ---------------------------------------------------------

    wire             peopled = (populated_i & line_i) != 0;
    wire             given   = split_i ? peopled : line_i[0];
    wire [CTA_W-1:0] ceiling = floor_i + CTA_1;
    wire [CTA_W-1:0] kept_next;
    wire [CTA_W-1:0] kept_left;

    assign extra_o = given && rest_i;
    assign share_o = (extra_o ? ceiling : floor_i) & {CTA_W{given}};

    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_kept_next (
        .words_i (next_i),
        .line_i  (line_i),
        .word_o  (kept_next)
    );
    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_kept_left (
        .words_i (left_i),
        .line_i  (line_i),
        .word_o  (kept_left)
    );

    wire [CTA_W-1:0] next = keep_i ? kept_next : first_i;
    wire [CTA_W-1:0] left = keep_i ? kept_left : share_o;

    // That it has CTAs is known before their number is.
    wire some = keep_i ? kept_left != 0
                       : given && (extra_o ? floor_i != {CTA_W{1'b1}} : floor_i != 0);

    assign shown_o = some && (peopled || !split_i);

    // ---- Its blocks, the last of which may be short ------------------------

    wire [CTA_W-1:0] whole = left >> block_i;
    wire             short = (whole << block_i) != left;
    wire [CTA_W-1:0] gaps;  // bit k: of the lowest k + 1 bits of whole one is 0, where a carry ends
    wire [CTA_W+3:0] size  = {{(CTA_W+3){1'b0}}, 1'b1} << block_i;

    prefix_or #(.N(CTA_W)) u_gaps (.set_i(~whole), .upto_o(gaps));

    assign blocks_o = whole ^ (~(gaps << 1) & {CTA_W{short}});  // whole + short

    // ---- The words, with another one for this pool -------------------------

    put_line #(.N(N_CLUSTER), .W(CTA_W)) u_next (
        .words_i (next_i),
        .line_i  (line_i),
        .word_i  (next),
        .words_o (next_o)
    );
    put_line #(.N(N_CLUSTER), .W(CTA_W)) u_left (
        .words_i (left_i),
        .line_i  (line_i),
        .word_i  (left),
        .words_o (left_o)
    );

    function [N_CLUSTER-1:0] marked;
        input [N_CLUSTER-1:0] set;
        input [N_CLUSTER-1:0] line;
        input                 mark;
        marked = (set & ~line) | (line & {N_CLUSTER{mark}});
    endfunction

    assign some_o     = marked(some_i, line_i, some);
    assign more_o     = marked(more_i, line_i, {4'd0, left} > size);
    assign homeless_o = marked(homeless_i, line_i, split_i && !peopled);

    // ---- Formal ------------------------------------------------------------
    // Of any pool whose turn it is, and of any other.

`ifdef FORMAL
    localparam integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1;
    localparam integer F_W       = CTA_W + 4;
    (* anyconst *) reg [CLUSTER_W-1:0] f_turn;
    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    wire           f_gets  = split_i ? populated_i[f_turn] : f_turn == 0;
    wire [F_W-1:0] f_share = f_gets ? floor_i + rest_i : 0;
    wire [F_W-1:0] f_next  = keep_i ? next_i[f_turn*CTA_W +: CTA_W] : first_i;
    wire [F_W-1:0] f_left  = keep_i ? left_i[f_turn*CTA_W +: CTA_W] : f_share;
    wire [F_W-1:0] f_size  = 1 << block_i;
    always @* begin
        assume (f_turn < N_CLUSTER && f_pool < N_CLUSTER && block_i != 3);
        assume (line_i == 1 << f_turn && f_share < 1 << CTA_W);
        a_share  : assert (share_o == f_share && extra_o == (f_gets && rest_i));
        a_shown  : assert (shown_o == (f_left != 0 && (populated_i[f_turn] || !split_i)));
        a_blocks : assert (blocks_o == (f_left + f_size - 1) / f_size);
        if (f_pool == f_turn)
            a_words : assert (next_o[f_pool*CTA_W +: CTA_W] == f_next && left_o[f_pool*CTA_W +: CTA_W] == f_left
                              && some_o[f_pool] == (f_left != 0) && more_o[f_pool] == (f_left > f_size)
                              && homeless_o[f_pool] == (split_i && !populated_i[f_turn]));
        else
            a_apart : assert (next_o[f_pool*CTA_W +: CTA_W] == next_i[f_pool*CTA_W +: CTA_W]
                              && left_o[f_pool*CTA_W +: CTA_W] == left_i[f_pool*CTA_W +: CTA_W]
                              && some_o[f_pool] == some_i[f_pool] && more_o[f_pool] == more_i[f_pool]
                              && homeless_o[f_pool] == homeless_i[f_pool]);
        c_short : cover (CTA_W == 1 || (shown_o && !keep_i && f_left < f_size));
        c_extra : cover (extra_o && f_turn == N_CLUSTER - 1 && (split_i || N_CLUSTER == 1));
    end
`endif

endmodule

`default_nettype wire
