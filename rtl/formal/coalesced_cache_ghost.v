// coalesced_cache_ghost - what the cache's registers say about one line, and whether its order is one; for proofs, of the
// cache and of what it is a part of.
//
// Ports: valid_i, places_i and tags_i are the cache's registers, way 0 lowest; line_i is the line.
//   ways_o         how many ways have it
//   number_o       the number of one of them
//   permutation_o  no two ways have one place
//   valid_first_o  invalid ways are behind valid ones
//   apart_o        no line is in two ways

`default_nettype none

module coalesced_cache_ghost #(
    parameter integer N_LINE = 24,
    parameter integer LINE_W = 41,
    parameter integer WAY_W  = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
    input  wire [N_LINE-1:0]        valid_i,
    input  wire [N_LINE*WAY_W-1:0]  places_i,
    input  wire [N_LINE*LINE_W-1:0] tags_i,
    input  wire [LINE_W-1:0]        line_i,
    output reg  [31:0]              ways_o,
    output reg  [31:0]              number_o,
    output reg                      permutation_o,
    output reg                      valid_first_o,
    output reg                      apart_o
);

    integer j;
    integer k;
    always @* begin : p_look
        ways_o        = 0;
        number_o      = 0;
        permutation_o = 1'b1;
        valid_first_o = 1'b1;
        apart_o       = 1'b1;
        for (k = 0; k < N_LINE; k = k + 1) begin
            if (places_i[k*WAY_W +: WAY_W] >= N_LINE) permutation_o = 1'b0;
            for (j = 0; j < N_LINE; j = j + 1) begin
                if (j < k && places_i[j*WAY_W +: WAY_W] == places_i[k*WAY_W +: WAY_W])
                    permutation_o = 1'b0;
                if (!valid_i[j] && valid_i[k]
                    && places_i[j*WAY_W +: WAY_W] < places_i[k*WAY_W +: WAY_W])
                    valid_first_o = 1'b0;
                if (j < k && valid_i[j] && valid_i[k]
                    && tags_i[j*LINE_W +: LINE_W] == tags_i[k*LINE_W +: LINE_W])
                    apart_o = 1'b0;
            end
            if (valid_i[k] && tags_i[k*LINE_W +: LINE_W] == line_i) begin
                ways_o   = ways_o + 1;
                number_o = k;
            end
        end
    end

endmodule

`default_nettype wire
