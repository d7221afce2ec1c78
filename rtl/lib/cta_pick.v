// cta_pick - the SM that a policy of the CTA scheduler picks among candidates.
//
// Purpose
//   The decision of cta_scheduler, without registers: its policies and pointers are described
//   there. A pointer is kept as what is behind the one served last.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM             SMs, 1..192
//   N_CLUSTER        clusters, 1..64
//   N_SEAT           SMs, if no cluster had an empty seat; derived, never overridden
//
// Ports              width        meaning
//   candidates_i     N_SM         the SMs
//   policy_i         2            0 global RR, 1 two-level RR, 2 greedy clustering, 3 distributed
//   turn_i           N_SM         policies 0 and 1: places of the order behind the last one
//   cluster_turn_i   N_CLUSTER    policy 3: clusters behind the last one
//   rank_i           N_SEAT       policies 2 and 3: in each cluster, ranks behind the last one
//   sm_o             N_SM         line of the SM; none without candidates
//   cluster_o        N_CLUSTER    policies 2 and 3: line of its cluster
//   turn_o           N_SM         turn_i after it
//   cluster_turn_o   N_CLUSTER    clusters behind that of the SM
//   rank_o           N_SEAT       rank_i after it
//
// Timing
//   Combinational.

`default_nettype none

module cta_pick #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_SEAT    = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER
) (
    input  wire [N_SM-1:0]      candidates_i,
    input  wire [1:0]           policy_i,
    input  wire [N_SM-1:0]      turn_i,
    input  wire [N_CLUSTER-1:0] cluster_turn_i,
    input  wire [N_SEAT-1:0]    rank_i,
    output wire [N_SM-1:0]      sm_o,
    output wire [N_CLUSTER-1:0] cluster_o,
    output wire [N_SM-1:0]      turn_o,
    output wire [N_CLUSTER-1:0] cluster_turn_o,
    output wire [N_SEAT-1:0]    rank_o
);

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_SEAT != CLUSTER_SM * N_CLUSTER) begin : g_check
            cta_pick_needs_N_SM_1_to_192_N_CLUSTER_1_to_64 u_stop ();
        end
    endgenerate

    // ---- Among all SMs -----------------------------------------------------
    // Policies 0 and 1. The order of ranks is a permutation of wires: FULL clusters have an
    // SM of every rank, and one more cluster has SMs of the first PART ranks.

    localparam integer FULL = N_SM / CLUSTER_SM;
    localparam integer PART = N_SM % CLUSTER_SM;

    function integer place_of;  // of an SM in the order of ranks
        input integer sm;
        integer r;
        begin
            r        = sm % CLUSTER_SM;
            place_of = r * FULL + ((r < PART) ? r : PART) + sm / CLUSTER_SM;
        end
    endfunction

    wire            by_ranks = policy_i[0];
    wire [N_SM-1:0] ranked;   // candidates in the order of ranks
    wire [N_SM-1:0] place;
    wire [N_SM-1:0] by_place;
    genvar          g;
    generate
        for (g = 0; g < N_SM; g = g + 1) begin : g_order
            localparam integer PLACE = place_of(g);
            assign ranked[PLACE] = candidates_i[g];
            assign by_place[g]   = by_ranks ? place[PLACE] : place[g];
        end
    endgenerate

    pick_turn #(
        .N (N_SM)
    ) u_place (
        .set_i    (by_ranks ? ranked : candidates_i),
        .behind_i (turn_i),
        .line_o   (place),
        .behind_o (turn_o)
    );

    // ---- By cluster --------------------------------------------------------
    // Policies 2 and 3. Each cluster picks among its ranks, while a cluster is picked.

    wire [N_CLUSTER-1:0] willing;
    wire [N_SM-1:0]      by_cluster;
    generate
        for (g = 0; g < N_CLUSTER; g = g + 1) begin : g_cluster
            localparam integer FIRST = g * CLUSTER_SM;
            localparam integer SMS   = (FIRST + CLUSTER_SM <= N_SM) ? CLUSTER_SM : N_SM - FIRST;
            if (SMS < CLUSTER_SM) begin : g_short  // empty seats are behind nobody
                localparam integer EMPTY = (SMS > 0) ? FIRST + SMS : FIRST;
                assign rank_o[FIRST+CLUSTER_SM-1:EMPTY] = rank_i[FIRST+CLUSTER_SM-1:EMPTY];
            end
            if (SMS > 0) begin : g_sms
                wire [SMS-1:0] line;
                wire [SMS-1:0] behind;
                pick_turn #(
                    .N (SMS)
                ) u_rank (
                    .set_i    (candidates_i[FIRST +: SMS]),
                    .behind_i (rank_i[FIRST +: SMS]),
                    .line_o   (line),
                    .behind_o (behind)
                );
                assign willing[g]               = |candidates_i[FIRST +: SMS];
                assign by_cluster[FIRST +: SMS] = line & {SMS{cluster_o[g]}};
                assign rank_o[FIRST +: SMS]     = cluster_o[g] ? behind : rank_i[FIRST +: SMS];
            end else begin : g_none
                assign willing[g] = 1'b0;
            end
        end
    endgenerate

    pick_turn #(
        .N (N_CLUSTER)
    ) u_cluster (
        .set_i    (willing),
        .behind_i (cluster_turn_i & {N_CLUSTER{policy_i[0]}}),  // greedy: always the first
        .line_o   (cluster_o),
        .behind_o (cluster_turn_o)
    );

    assign sm_o = policy_i[1] ? by_cluster : by_place;

    // ---- Formal ------------------------------------------------------------
    // No candidate is nearer to its turn than the one picked. f_sm stands for any SM; the
    // pointers are those behind any places, clusters and ranks.

`ifdef FORMAL
    localparam integer F_W = 10;
    (* anyconst *) reg [7:0]     f_sm;
    (* anyconst *) reg [7:0]     f_turn;
    (* anyconst *) reg [7:0]     f_cluster_turn;
    (* anyconst *) reg [8*N_CLUSTER-1:0] f_ranks;

    function [F_W-1:0] f_away;  // a place less a pointer, wrapping
        input [F_W-1:0] place;
        input [F_W-1:0] pointer;
        input [F_W-1:0] size;
        f_away = (place < pointer) ? place + size - pointer : place - pointer;
    endfunction

    function [F_W-1:0] f_place;  // how many SMs are before it in the order of ranks
        input [F_W-1:0] sm;
        integer k;
        begin
            f_place = 0;
            for (k = 0; k < N_SM; k = k + 1)
                if (k % CLUSTER_SM < sm % CLUSTER_SM
                    || (k % CLUSTER_SM == sm % CLUSTER_SM && k < sm)) f_place = f_place + 1;
        end
    endfunction

    wire [F_W*N_SM-1:0] f_distances;
    genvar f_g;
    generate
        for (f_g = 0; f_g < N_SM; f_g = f_g + 1) begin : f_distance
            localparam integer C = f_g / CLUSTER_SM;
            wire [F_W-1:0] in_cluster = f_away(f_g % CLUSTER_SM, f_ranks[8*C +: 8], CLUSTER_SM);
            wire [F_W-1:0] cluster    = f_away(C, f_cluster_turn, N_CLUSTER);
            assign f_distances[F_W*f_g +: F_W]
                = (policy_i == 0) ? f_away(f_g, f_turn, N_SM)
                : (policy_i == 1) ? f_away(f_place(f_g), f_turn, N_SM)
                : (policy_i == 2) ? C * CLUSTER_SM + in_cluster
                                  : cluster * CLUSTER_SM + in_cluster;
        end
    endgenerate

    function [N_SM-1:0] f_upto;  // places 0 to this one
        input [F_W-1:0] place;
        integer k;
        for (k = 0; k < N_SM; k = k + 1) f_upto[k] = k <= place;
    endfunction

    integer f_k;
    reg [N_CLUSTER-1:0] f_clusters;    // behind the cluster of the watched SM
    reg [N_SEAT-1:0]    f_ranks_then;  // the ranks, once that SM is served
    reg     f_pointers;  // the pointers are these
    reg     f_nearest;   // no candidate is nearer than the watched SM
    always @* begin
        assume (f_sm < N_SM && f_turn < N_SM && f_cluster_turn < N_CLUSTER);
        f_pointers = 1'b1;
        f_nearest  = candidates_i[f_sm];
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1) begin
            if (turn_i[f_k] != (f_k >= f_turn)) f_pointers = 1'b0;
            if (candidates_i[f_k]
                && f_distances[F_W*f_k +: F_W] < f_distances[F_W*f_sm +: F_W]) f_nearest = 1'b0;
        end
        for (f_k = 0; f_k < N_CLUSTER; f_k = f_k + 1) begin
            if (cluster_turn_i[f_k] != (f_k >= f_cluster_turn)) f_pointers = 1'b0;
            f_clusters[f_k] = f_k > f_sm / CLUSTER_SM;
            assume (f_ranks[8*f_k +: 8] < CLUSTER_SM);
        end
        for (f_k = 0; f_k < N_SEAT; f_k = f_k + 1) begin
            if (rank_i[f_k] != (f_k % CLUSTER_SM >= f_ranks[8*(f_k/CLUSTER_SM) +: 8]))
                f_pointers = 1'b0;
            f_ranks_then[f_k] = (f_k / CLUSTER_SM == f_sm / CLUSTER_SM && f_k < N_SM)
                                ? f_k > f_sm : rank_i[f_k];
        end

        a_one      : assert ((sm_o & (sm_o - 1'b1)) == 0 && (sm_o & ~candidates_i) == 0
                             && (sm_o != 0) == (candidates_i != 0));
        if (policy_i[1])
            a_cluster : assert ((cluster_o & (cluster_o - 1'b1)) == 0
                                && (!sm_o[f_sm] || cluster_o[f_sm / CLUSTER_SM]));
        if (f_pointers)
            a_nearest : assert (sm_o[f_sm] == f_nearest);
        if (sm_o[f_sm] && !policy_i[1])
            a_turn    : assert (turn_o == ~f_upto(policy_i[0] ? f_place(f_sm) : f_sm));
        if (sm_o[f_sm] && policy_i[1])
            a_turns   : assert (cluster_turn_o == f_clusters && rank_o == f_ranks_then);
        c_wraps    : cover (f_pointers && sm_o[f_sm]
                            && (N_SM == 1 || f_sm < f_turn));
        c_ranks    : cover (f_pointers && policy_i == 3 && sm_o[f_sm]
                            && (N_CLUSTER == 1 || f_sm / CLUSTER_SM < f_cluster_turn));
    end
`endif

endmodule

`default_nettype wire
