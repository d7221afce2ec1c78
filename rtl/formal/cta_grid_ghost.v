// cta_grid_ghost - how a grid is divided among the pools, by the formulas of the contract; for proofs, of the CTA
// scheduler's launches and of the scheduler.
//
// Ports: ctas_i are the grid's CTAs, grid_sms_i the SMs of the launch that gave them, sms_i those of the last launch of
// the slot; split_i says that the pools are the clusters' own.
//   people_o    bit c: cluster c has an SM of the last launch
//   sharing_o   bit p: pool p has a share of the grid
//   divisor_o   how many have; floor_o and modulo_o are the quotient and the remainder
//   before_o    of each pool, how many before it have a share; then, of all: W bits each
//   firsts_o    of each pool, its first CTA; then, the end of the grid: W bits each
//   fair_o      bit p: its share is as large as it should be, give or take one

`default_nettype none

module cta_grid_ghost #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer CTA_W     = 20,
    parameter integer W         = CTA_W + 2
) (
    input  wire [CTA_W-1:0]           ctas_i,
    input  wire [N_SM-1:0]            sms_i,
    input  wire [N_SM-1:0]            grid_sms_i,
    input  wire                       split_i,
    output reg  [N_CLUSTER-1:0]       people_o,
    output reg  [N_CLUSTER-1:0]       sharing_o,
    output wire [W-1:0]               divisor_o,
    output wire [W-1:0]               floor_o,
    output wire [W-1:0]               modulo_o,
    output wire [W*(N_CLUSTER+1)-1:0] before_o,
    output wire [W*(N_CLUSTER+1)-1:0] firsts_o,
    output wire [N_CLUSTER-1:0]       fair_o
);

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    // Not split, pool 0 has it all.
    integer k;
    always @* begin : p_clusters
        people_o  = 0;
        sharing_o = split_i ? 0 : 1;
        for (k = 0; k < N_SM; k = k + 1) begin
            if (sms_i[k]) people_o[k / CLUSTER_SM] = 1'b1;
            if (split_i && grid_sms_i[k]) sharing_o[k / CLUSTER_SM] = 1'b1;
        end
    end

    function [W-1:0] ones;
        input [N_CLUSTER-1:0] set;
        integer j;
        begin
            ones = 0;
            for (j = 0; j < N_CLUSTER; j = j + 1) ones = ones + set[j];
        end
    endfunction

    wire [W-1:0] ctas = ctas_i;
    assign divisor_o = ones(sharing_o);
    assign floor_o   = ctas / divisor_o;
    assign modulo_o  = ctas % divisor_o;

    genvar p;
    generate
        for (p = 0; p <= N_CLUSTER; p = p + 1) begin : g_pool
            wire [W-1:0] before = ones(sharing_o & ~({N_CLUSTER{1'b1}} << p));
            wire [W-1:0] first  = before * floor_o + ((before < modulo_o) ? before : modulo_o);
            assign before_o[W*p +: W] = before;
            assign firsts_o[W*p +: W] = first;
            if (p > 0) begin : g_share
                wire [W-1:0] share = first - firsts_o[W*(p-1) +: W];
                assign fair_o[p-1] = sharing_o[p-1] ? share - floor_o <= 1 : share == 0;
            end
        end
    endgenerate

endmodule

`default_nettype wire
