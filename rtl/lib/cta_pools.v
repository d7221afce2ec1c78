// cta_pools - which pool each cluster of the CTA scheduler draws on.
//
// Purpose
//   Its own; if that has no CTAs, the first pool that lends among those of the next clusters,
//   wrapping. All clusters find theirs at once: after the round of distance d, each knows the
//   nearest lender among the next 2d clusters, itself the first.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CLUSTER        clusters, and pools, 1..64
//   CLUSTER_W        bits of a cluster's number; derived, never overridden
//
// Ports              width        meaning
//   has_i            N_CLUSTER    bit p: pool p has CTAs
//   lends_i          N_CLUSTER    bit p: other clusters may draw on pool p; those of has_i count
//   pool_o           N_CLUSTER*CLUSTER_W  the pool that each cluster draws on; 0 if there is none
//
// Timing
//   Combinational.

`default_nettype none

module cta_pools #(
    parameter integer N_CLUSTER = 3,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1
) (
    input  wire [N_CLUSTER-1:0]           has_i,
    input  wire [N_CLUSTER-1:0]           lends_i,
    output reg  [N_CLUSTER*CLUSTER_W-1:0] pool_o
);

    generate
        if (N_CLUSTER < 1 || N_CLUSTER > 64
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)) begin : g_check
            cta_pools_needs_N_CLUSTER_1_to_64 u_stop ();
        end
    endgenerate

    wire [N_CLUSTER-1:0] lenders = has_i & lends_i;

    reg [N_CLUSTER-1:0]           lent;          // a lender has been found
    reg [N_CLUSTER*CLUSTER_W-1:0] lender;        // and its number; 0 without
    reg [N_CLUSTER*CLUSTER_W-1:0] ahead_lender;  // the same, of the cluster d ahead
    integer                       c;
    integer                       d;

    always @* begin : p_search
        lent = lenders;
        for (c = 0; c < N_CLUSTER; c = c + 1)
            lender[c*CLUSTER_W +: CLUSTER_W] = c[CLUSTER_W-1:0] & {CLUSTER_W{lenders[c]}};
        ahead_lender = {N_CLUSTER*CLUSTER_W{1'b0}};
        for (d = 1; d < N_CLUSTER; d = 2 * d) begin
            ahead_lender = (lender >> CLUSTER_W*d) | (lender << CLUSTER_W*(N_CLUSTER - d));
            for (c = 0; c < N_CLUSTER; c = c + 1) begin
                lender[c*CLUSTER_W +: CLUSTER_W]
                    = lender[c*CLUSTER_W +: CLUSTER_W]
                      | (ahead_lender[c*CLUSTER_W +: CLUSTER_W] & {CLUSTER_W{!lent[c]}});
            end
            lent = lent | (lent >> d) | (lent << (N_CLUSTER - d));
        end
        for (c = 0; c < N_CLUSTER; c = c + 1)
            pool_o[c*CLUSTER_W +: CLUSTER_W] = has_i[c] ? c[CLUSTER_W-1:0]
                                                        : lender[c*CLUSTER_W +: CLUSTER_W];
    end

    // ---- Formal ------------------------------------------------------------
    // Against a walk. f_cluster stands for any cluster.

`ifdef FORMAL
    (* anyconst *) reg [CLUSTER_W-1:0] f_cluster;
    integer f_k;
    integer f_at;   // f_k clusters after f_cluster
    integer f_pool;
    reg     f_found;
    always @* begin
        assume (f_cluster < N_CLUSTER);
        f_found = has_i[f_cluster];
        f_pool  = f_found ? f_cluster : 0;
        for (f_k = 1; f_k < N_CLUSTER; f_k = f_k + 1) begin
            f_at = f_cluster + f_k;
            if (f_at >= N_CLUSTER) f_at = f_at - N_CLUSTER;
            if (!f_found && has_i[f_at] && lends_i[f_at]) begin
                f_found = 1'b1;
                f_pool  = f_at;
            end
        end
        a_pool  : assert (pool_o[f_cluster*CLUSTER_W +: CLUSTER_W] == f_pool);
        c_other : cover (N_CLUSTER == 1 || f_pool + 1 == (f_cluster == 0 ? N_CLUSTER : f_cluster));
        c_none  : cover (!f_found);
    end
`endif

endmodule

`default_nettype wire
