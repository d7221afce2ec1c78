// cta_pools_ghost - what the words of a slot say about its pools, and which pool a cluster draws on, found by a walk; for
// proofs, of the CTA scheduler and of what it is a part of.
//
// Ports: next_i, left_i, some_i and more_i are the words, pool 0 lowest; size_i is how many CTAs a block has; firsts_i are
// the first CTAs of the pools and then the end of the grid, W bits each, as from cta_grid_ghost. cluster_i is the cluster,
// lends_i the pools that lend, split_i says that the clusters have pools of their own.
//   tail_o      bit p: pool p holds the last CTAs of its share
//   full_o      and all of them
//   flags_o     bit p: its flags are as its CTAs are
//   owns_o      bit p: it has CTAs
//   source_o    the pool that the cluster draws on
//   found_o     which has CTAs

`default_nettype none

module cta_pools_ghost #(
    parameter integer N_CLUSTER = 3,
    parameter integer CTA_W     = 20,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer W         = CTA_W + 2
) (
    input  wire [N_CLUSTER*CTA_W-1:0] next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] left_i,
    input  wire [N_CLUSTER-1:0]       some_i,
    input  wire [N_CLUSTER-1:0]       more_i,
    input  wire [W-1:0]               size_i,
    input  wire [W*(N_CLUSTER+1)-1:0] firsts_i,
    input  wire [CLUSTER_W-1:0]       cluster_i,
    input  wire [N_CLUSTER-1:0]       lends_i,
    input  wire                       split_i,
    output wire [N_CLUSTER-1:0]       tail_o,
    output wire [N_CLUSTER-1:0]       full_o,
    output wire [N_CLUSTER-1:0]       flags_o,
    output wire [N_CLUSTER-1:0]       owns_o,
    output reg  [CLUSTER_W-1:0]       source_o,
    output reg                        found_o
);

    genvar p;
    generate
        for (p = 0; p < N_CLUSTER; p = p + 1) begin : g_pool
            wire [W-1:0] first = firsts_i[W*p +: W];
            wire [W-1:0] end_  = firsts_i[W*(p+1) +: W];
            wire [W-1:0] next  = next_i[CTA_W*p +: CTA_W];
            wire [W-1:0] left  = left_i[CTA_W*p +: CTA_W];
            assign tail_o[p]  = next >= first && next + left == end_;
            assign full_o[p]  = next == first;
            assign owns_o[p]  = left != 0;
            assign flags_o[p] = some_i[p] == (left != 0) && more_i[p] == (left > size_i);
        end
    endgenerate

    // The cluster's own pool, then those of the next ones, wrapping. Not split, pool 0.
    reg [W-1:0] walk;
    integer     k;
    always @* begin : p_walk
        source_o = split_i ? cluster_i : 0;
        found_o  = left_i[source_o*CTA_W +: CTA_W] != 0;
        walk     = 0;
        for (k = 1; k < N_CLUSTER; k = k + 1) begin
            walk = cluster_i + k;
            if (walk >= N_CLUSTER) walk = walk - N_CLUSTER;
            if (split_i && lends_i[walk] && !found_o && left_i[walk*CTA_W +: CTA_W] != 0) begin
                found_o  = 1'b1;
                source_o = walk;
            end
        end
    end

endmodule

`default_nettype wire
