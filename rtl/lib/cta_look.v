// cta_look - the SMs that the CTA scheduler may pick in the next cycle.
//
// Purpose
//   Candidates are the SMs of the kernel that have room, whose limiters allow it, and whose
//   cluster has a pool to draw on; but not those to which a block is on its way, nor, with
//   greedy clustering, those of a cluster behind one to which a block of the kernel is.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM             SMs, 1..192
//   N_CLUSTER        clusters, 1..64
//
// Ports              width        meaning
//   sms_i            N_SM         SMs of the kernel
//   room_i           N_SM         that have room
//   limit_i          N_SM         that the limiters allow
//   has_i            N_CLUSTER    pools that have CTAs, less those on their way
//   lends_i          N_CLUSTER    pools on which other clusters may draw
//   greedy_i         1            greedy clustering
//   to_i             N_SM         line of the SM to which a dispatch shows
//   to_mine_i        1            which is of the kernel
//   picked_i         N_SM         line of the SM that is picked in this cycle
//   behind_i         N_CLUSTER    clusters behind that of it
//   picked_mine_i    1            which is of the kernel
//   other_o          N_CLUSTER    clusters that would draw on another's pool
//   candidates_o     N_SM         the candidates
//
// Timing
//   Combinational.

`default_nettype none

module cta_look #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3
) (
    input  wire [N_SM-1:0]      sms_i,
    input  wire [N_SM-1:0]      room_i,
    input  wire [N_SM-1:0]      limit_i,
    input  wire [N_CLUSTER-1:0] has_i,
    input  wire [N_CLUSTER-1:0] lends_i,
    input  wire                 greedy_i,
    input  wire [N_SM-1:0]      to_i,
    input  wire                 to_mine_i,
    input  wire [N_SM-1:0]      picked_i,
    input  wire [N_CLUSTER-1:0] behind_i,
    input  wire                 picked_mine_i,
    output wire [N_CLUSTER-1:0] other_o,
    output wire [N_SM-1:0]      candidates_o
);

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64) begin : g_check
            cta_look_needs_N_SM_1_to_192_N_CLUSTER_1_to_64 u_stop ();
        end
    endgenerate

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster
    localparam integer N_SEAT     = CLUSTER_SM * N_CLUSTER;

    // Bit s: the cluster of SM s is in the set.
    function [N_SM-1:0] sms_of;
        input [N_CLUSTER-1:0] set;
        integer k;
        begin
            for (k = 0; k < N_SM; k = k + 1) sms_of[k] = set[k / CLUSTER_SM];
        end
    endfunction

    // The clusters behind that of the dispatch.
    reg [N_CLUSTER-1:0] to_cluster;
    reg [N_CLUSTER-1:0] to_behind;
    reg [N_SEAT-1:0]    seats;
    integer             c;
    always @* begin : p_behind
        seats           = {N_SEAT{1'b0}};
        seats[N_SM-1:0] = to_i;
        for (c = 0; c < N_CLUSTER; c = c + 1)
            to_cluster[c] = |seats[c*CLUSTER_SM +: CLUSTER_SM];
        for (c = 0; c < N_CLUSTER; c = c + 1)
            to_behind[c] = (to_cluster & ~({N_CLUSTER{1'b1}} << c)) != 0;
    end

    wire [N_CLUSTER-1:0] behind = ({N_CLUSTER{to_mine_i}} & to_behind)
                                  | ({N_CLUSTER{picked_mine_i}} & behind_i);
    wire [N_SM-1:0]      waits  = to_i | picked_i | sms_of(behind & {N_CLUSTER{greedy_i}});

    assign other_o      = ~has_i & {N_CLUSTER{(has_i & lends_i) != 0}};
    assign candidates_o = room_i & limit_i & sms_i & sms_of(has_i | other_o) & ~waits;

    // ---- Formal ------------------------------------------------------------
    // f_sm stands for any SM; nobody is on the way to two.

`ifdef FORMAL
    (* anyconst *) reg [7:0] f_sm;
    integer f_k;
    reg [6:0] f_cluster;
    reg     f_own;      // its cluster's pool has CTAs
    reg     f_lent;     // or another's, that lends
    reg     f_earlier;  // a block of the kernel goes to an earlier cluster
    always @* begin
        assume (f_sm < N_SM && (to_i & (to_i - 1'b1)) == 0);
        f_cluster = 0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (f_sm == f_k) f_cluster = f_k / CLUSTER_SM;
        f_own     = has_i[f_cluster];
        f_lent    = 1'b0;
        f_earlier = picked_mine_i && behind_i[f_cluster];
        for (f_k = 0; f_k < N_CLUSTER; f_k = f_k + 1)
            if (has_i[f_k] && lends_i[f_k]) f_lent = 1'b1;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (to_mine_i && to_i[f_k] && f_k / CLUSTER_SM < f_cluster) f_earlier = 1'b1;
        a_other     : assert (other_o[f_cluster] == (!f_own && f_lent));
        a_candidate : assert (candidates_o[f_sm]
                              == (sms_i[f_sm] && room_i[f_sm] && limit_i[f_sm] && (f_own || f_lent)
                                  && !to_i[f_sm] && !picked_i[f_sm] && !(greedy_i && f_earlier)));
        c_all    : cover (&candidates_o);
        c_greedy : cover (N_CLUSTER == 1 || (greedy_i && to_mine_i && candidates_o != 0
                                             && to_i[N_SM-1]));
        c_lent   : cover (N_CLUSTER == 1 || (candidates_o[f_sm] && other_o[f_cluster]));
    end
`endif

endmodule

`default_nettype wire
