// put_line - words, of which those that a line picks are replaced.
//
// Purpose
//   What is written to a memory of such words, of which only some change: select_line the other
//   way.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               words, 1..1024
//   W               bits of a word, 1..1024
//
// Ports             width        meaning
//   words_i         N*W          the words, word 0 lowest
//   line_i          N            those to be replaced; any number of bits
//   word_i          W            by this one
//   words_o         N*W          the words after it
//
// Timing
//   Combinational.

`default_nettype none

module put_line #(
    parameter integer N = 16,
    parameter integer W = 8
) (
    input  wire [N*W-1:0] words_i,
    input  wire [N-1:0]   line_i,
    input  wire [W-1:0]   word_i,
    output reg  [N*W-1:0] words_o
);

    generate
        if (N < 1 || N > 1024 || W < 1 || W > 1024) begin : g_check
            put_line_needs_N_and_W_1_to_1024 u_stop ();
        end
    endgenerate

    integer k;
    always @* begin : p_put
        words_o = words_i;
        for (k = 0; k < N; k = k + 1)
            if (line_i[k]) words_o[k*W +: W] = word_i;
    end

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    (* anyconst *) integer f_place;
    wire [W-1:0] f_before = words_i >> (f_place * W);
    wire [W-1:0] f_after  = words_o >> (f_place * W);
    always @* begin
        assume (f_place >= 0 && f_place < N);
        a_put  : assert (f_after == (line_i[f_place] ? word_i : f_before));
        c_last : cover (line_i[N-1] && f_after != f_before && f_place == N - 1);
    end
`endif

endmodule

`default_nettype wire
