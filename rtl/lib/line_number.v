// line_number - the number of a line's only bit.
//
// Purpose
//   One-hot to binary: each bit of the number is the or of the places that have it in theirs, so log2(N) - 1
//   levels of or. No priority is decided; of several bits the numbers are or-ed.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//   NUMBER_W        bits of a place's number; derived, never overridden
//
// Ports             width        meaning
//   line_i          N            one bit, or none
//   number_o        NUMBER_W     its place; 0 of none
//
// Timing
//   Combinational.

`default_nettype none

module line_number #(
    parameter integer N        = 16,
    parameter integer NUMBER_W = (N > 1) ? $clog2(N) : 1
) (
    input  wire [N-1:0]        line_i,
    output wire [NUMBER_W-1:0] number_o
);

    generate
        if (N < 1 || N > 1024 || NUMBER_W != ((N > 1) ? $clog2(N) : 1)) begin : g_check
            line_number_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    // The places in whose number the bit is set.
    function [N-1:0] having;
        input integer place_bit;
        integer k;
        begin
            for (k = 0; k < N; k = k + 1) having[k] = ((k >> place_bit) & 1) != 0;
        end
    endfunction

    genvar g;
    generate
        for (g = 0; g < NUMBER_W; g = g + 1) begin : g_bit
            localparam [N-1:0] HAVING = having(g);
            assign number_o[g] = (line_i & HAVING) != {N{1'b0}};
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    localparam [N-1:0] F_ONE = 1;
    always @* begin
        if (line_i == 0)
            a_none   : assert (number_o == 0);
        if (line_i != 0 && (line_i & (line_i - F_ONE)) == 0)
            a_number : assert (number_o < N && line_i == F_ONE << number_o);
        c_last : cover (line_i == F_ONE << (N - 1));
    end
`endif

endmodule

`default_nettype wire
