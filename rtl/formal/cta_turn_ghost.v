// cta_turn_ghost - the pointers of a slot of the CTA scheduler as numbers, and how far one SM is from its turn; for proofs.
//
// Ports: turns_i, clusters_i and seats_i are the pointers: what is behind the one served last. candidates_i are SMs, sm_i is
// one SM.
//   turn_o, cluster_turn_o  the first place, the first cluster behind the one served last; 0 if there is none
//   rank_o      the same, of ranks in the SM's cluster
//   behinds_o   each pointer is all that is behind some place
//   cluster_o, seat_o, place_o  the SM's cluster, its rank there, its place in the order of ranks
//   nearest_o   no candidate is nearer to its turn than the SM
//   measure_o   of how many picks may pass the SM over while it is a candidate: fewer than bound_o

`default_nettype none

module cta_turn_ghost #(
    parameter integer N_SM       = 15,
    parameter integer N_CLUSTER  = 3,
    parameter integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER,
    parameter integer SM_W       = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer W          = SM_W + 2
) (
    input  wire [1:0]                      policy_i,
    input  wire [N_SM-1:0]                 turns_i,
    input  wire [N_CLUSTER-1:0]            clusters_i,
    input  wire [CLUSTER_SM*N_CLUSTER-1:0] seats_i,
    input  wire [N_SM-1:0]                 candidates_i,
    input  wire [SM_W-1:0]                 sm_i,
    output reg  [W-1:0]                    turn_o,
    output reg  [W-1:0]                    cluster_turn_o,
    output wire [W-1:0]                    rank_o,
    output reg                             behinds_o,
    output wire [W-1:0]                    cluster_o,
    output wire [W-1:0]                    seat_o,
    output wire [W-1:0]                    place_o,
    output reg                             nearest_o,
    output wire [W-1:0]                    measure_o,
    output wire [W-1:0]                    bound_o
);

    function [W-1:0] away;  // a place less a pointer, wrapping
        input [W-1:0] place;
        input [W-1:0] pointer;
        input [W-1:0] size;
        away = (place < pointer) ? place + size - pointer : place - pointer;
    endfunction

    function [W-1:0] place_of;  // in the order of ranks: how many SMs are before it
        input [W-1:0] cluster;
        input [W-1:0] rank;
        integer j;
        begin
            place_of = 0;
            for (j = 0; j < N_SM; j = j + 1)
                if (j % CLUSTER_SM < rank || (j % CLUSTER_SM == rank && j / CLUSTER_SM < cluster))
                    place_of = place_of + 1;
        end
    endfunction

    reg [W*N_CLUSTER-1:0] ranks;
    integer               k;
    always @* begin : p_pointers
        turn_o         = 0;
        cluster_turn_o = 0;
        ranks          = 0;
        behinds_o      = !turns_i[0] && !clusters_i[0];
        for (k = N_SM - 1; k >= 0; k = k - 1) begin
            if (turns_i[k]) turn_o = k;
            if (seats_i[k]) ranks[k/CLUSTER_SM*W +: W] = k % CLUSTER_SM;
            if (k != 0 && turns_i[(k == 0) ? 0 : k-1] && !turns_i[k]) behinds_o = 1'b0;
            if (k % CLUSTER_SM != 0 && seats_i[(k == 0) ? 0 : k-1] && !seats_i[k]) behinds_o = 1'b0;
            if (k % CLUSTER_SM == 0 && seats_i[k]) behinds_o = 1'b0;
        end
        for (k = N_CLUSTER - 1; k >= 0; k = k - 1) begin
            if (clusters_i[k]) cluster_turn_o = k;
            if (k != 0 && clusters_i[(k == 0) ? 0 : k-1] && !clusters_i[k]) behinds_o = 1'b0;
        end
    end

    // How far each SM is from its turn, in the policy; 0 is next.
    wire [W*N_SM-1:0] distances;
    genvar            s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_sm
            localparam integer C = s / CLUSTER_SM;
            localparam integer R = s % CLUSTER_SM;
            wire [W-1:0] in_cluster = away(R, ranks[C*W +: W], CLUSTER_SM);
            wire [W-1:0] cluster    = (policy_i == 2) ? C : away(C, cluster_turn_o, N_CLUSTER);
            assign distances[s*W +: W] = (policy_i == 0) ? away(s, turn_o, N_SM)
                                       : (policy_i == 1) ? away(place_of(C, R), turn_o, N_SM)
                                       : cluster * CLUSTER_SM + in_cluster;
        end
    endgenerate
    always @* begin : p_nearest
        nearest_o = 1'b1;
        for (k = 0; k < N_SM; k = k + 1)
            if (candidates_i[k] && distances[k*W +: W] < distances[sm_i*W +: W]) nearest_o = 1'b0;
    end

    assign cluster_o = sm_i / CLUSTER_SM;
    assign seat_o    = sm_i % CLUSTER_SM;
    assign place_o   = place_of(cluster_o, seat_o);
    assign rank_o    = ranks[cluster_o*W +: W];

    // Greedy clustering is fair within a cluster only.
    wire [W-1:0] rank_away = away(seat_o, rank_o, CLUSTER_SM);
    wire [W-1:0] turn_away = away(cluster_o, cluster_turn_o, N_CLUSTER);
    assign measure_o = (policy_i == 0) ? away(sm_i, turn_o, N_SM)
                     : (policy_i == 1) ? away(place_o, turn_o, N_SM)
                     : (policy_i == 2) ? rank_away
                     : rank_away * N_CLUSTER + turn_away;
    assign bound_o   = (policy_i < 2) ? N_SM
                     : (policy_i == 2) ? CLUSTER_SM : CLUSTER_SM * N_CLUSTER;

endmodule

`default_nettype wire
