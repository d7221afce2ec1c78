// select_line - the word that a line picks.
//
// Purpose
//   A multiplexer whose choice is one-hot already: and, then a tree of or. Of several bits the words are
//   or-ed.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               words, 1..1024
//   W               bits of a word, 1..1024
//
// Ports             width        meaning
//   words_i         N*W          the words, word 0 lowest
//   line_i          N            one bit, or none
//   word_o          W            its word; 0 of none
//
// Timing
//   Combinational.

`default_nettype none

module select_line #(
    parameter integer N = 16,
    parameter integer W = 8
) (
    input  wire [N*W-1:0] words_i,
    input  wire [N-1:0]   line_i,
    output reg  [W-1:0]   word_o
);

    generate
        if (N < 1 || N > 1024 || W < 1 || W > 1024) begin : g_check
            select_line_needs_N_and_W_1_to_1024 u_stop ();
        end
    endgenerate

    integer k;
    always @* begin : p_select
        word_o = {W{1'b0}};
        for (k = 0; k < N; k = k + 1)
            word_o = word_o | (words_i[k*W +: W] & {W{line_i[k]}});
    end

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    localparam [N-1:0] F_ONE = 1;
    (* anyconst *) integer f_place;
    reg [W-1:0] f_word;
    always @* begin
        assume (f_place >= 0 && f_place < N);
        f_word = words_i >> (f_place * W);
        if (line_i == F_ONE << f_place)
            a_picked : assert (word_o == f_word);
        if (line_i == 0)
            a_none   : assert (word_o == 0);
        c_last : cover (line_i == F_ONE << (N - 1) && word_o != 0);
    end
`endif

endmodule

`default_nettype wire
