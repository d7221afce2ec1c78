// icc_ghost - what the merge table's registers say about one line; for proofs, of the table and of what it is a part of.
//
// Ports: lists_i, lines_i, closed_i and lowest_i are the table's registers, entry 0 lowest; line_i is the line.
//   entries_o   how many entries it has
//   number_o    the number of one of them, list_o its list, closed_o whether it is closed
//   lowest_o    lowest_i is the lowest entry that is free
//   apart_o     no line has two entries

`default_nettype none

module icc_ghost #(
    parameter integer N_ENTRY = 48,
    parameter integer N_SM    = 5,
    parameter integer LINE_W  = 41
) (
    input  wire [N_ENTRY*N_SM-1:0]   lists_i,
    input  wire [N_ENTRY*LINE_W-1:0] lines_i,
    input  wire [N_ENTRY-1:0]        closed_i,
    input  wire [N_ENTRY-1:0]        lowest_i,
    input  wire [LINE_W-1:0]         line_i,
    output reg  [31:0]               entries_o,
    output reg  [31:0]               number_o,
    output reg  [N_SM-1:0]           list_o,
    output reg                       closed_o,
    output reg                       lowest_o,
    output reg                       apart_o
);

    reg     found;
    integer j;
    integer k;
    always @* begin : p_look
        entries_o = 0;
        number_o  = 0;
        list_o    = {N_SM{1'b0}};
        closed_o  = 1'b0;
        lowest_o  = 1'b1;
        apart_o   = 1'b1;
        found     = 1'b0;
        for (k = 0; k < N_ENTRY; k = k + 1) begin
            if (lists_i[k*N_SM +: N_SM] == {N_SM{1'b0}}) begin
                lowest_o = lowest_o && lowest_i[k] == !found;
                found    = 1'b1;
            end else begin
                lowest_o = lowest_o && !lowest_i[k];
                for (j = 0; j < k; j = j + 1)
                    if (lists_i[j*N_SM +: N_SM] != {N_SM{1'b0}}
                        && lines_i[j*LINE_W +: LINE_W] == lines_i[k*LINE_W +: LINE_W])
                        apart_o = 1'b0;
                if (lines_i[k*LINE_W +: LINE_W] == line_i) begin
                    entries_o = entries_o + 1;
                    number_o  = k;
                    list_o    = lists_i[k*N_SM +: N_SM];
                    closed_o  = closed_i[k];
                end
            end
        end
    end

endmodule

`default_nettype wire
