// select_word - the word that a number picks.
//
// Purpose
//   A multiplexer in two steps, each by a line: the low half of the number picks one word of each group, the
//   high half picks the group. So no line drives all the words that one of N would.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               words, 1..1024
//   W               bits of a word, 1..1024
//   NUMBER_W        bits of a word's number; derived, never overridden
//
// Ports             width        meaning
//   words_i         N*W          the words, word 0 lowest
//   number_i        NUMBER_W     of one of them
//   word_o          W            that word; 0 if there is none
//
// Timing
//   Combinational.

`default_nettype none

module select_word #(
    parameter integer N        = 16,
    parameter integer W        = 8,
    parameter integer NUMBER_W = (N > 1) ? $clog2(N) : 1
) (
    input  wire [N*W-1:0]      words_i,
    input  wire [NUMBER_W-1:0] number_i,
    output wire [W-1:0]        word_o
);

    generate
        if (N < 1 || N > 1024 || W < 1 || W > 1024
            || NUMBER_W != ((N > 1) ? $clog2(N) : 1)) begin : g_check
            select_word_needs_N_and_W_1_to_1024 u_stop ();
        end
    endgenerate

    localparam integer LOW_W   = (NUMBER_W > 1) ? NUMBER_W / 2 : 1;
    localparam integer GROUP   = 1 << LOW_W;              // words of a group
    localparam integer N_GROUP = (N + GROUP - 1) / GROUP;
    localparam [GROUP-1:0]   WORD_0  = 1;
    localparam [N_GROUP-1:0] GROUP_0 = 1;

    wire [LOW_W-1:0]           place  = number_i[LOW_W-1:0];
    wire [NUMBER_W-1:0]        group  = number_i >> LOW_W;
    wire [N_GROUP*W-1:0]       picked;  // a word of each group
    reg  [N_GROUP*GROUP*W-1:0] padded;
    always @* begin : p_pad
        padded          = {N_GROUP*GROUP*W{1'b0}};
        padded[N*W-1:0] = words_i;
    end

    genvar g;
    generate
        for (g = 0; g < N_GROUP; g = g + 1) begin : g_group
            select_line #(.N(GROUP), .W(W)) u_place (
                .words_i (padded[g*GROUP*W +: GROUP*W]),
                .line_i  (WORD_0 << place),
                .word_o  (picked[g*W +: W])
            );
        end
    endgenerate

    select_line #(.N(N_GROUP), .W(W)) u_group (
        .words_i (picked),
        .line_i  (GROUP_0 << group),
        .word_o  (word_o)
    );

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    wire [W-1:0] f_word = words_i >> (number_i * W);
    always @* begin
        a_picked : assert (word_o == f_word);
        c_last   : cover (number_i == N - 1 && word_o != 0);
    end
`endif

endmodule

`default_nettype wire
