// pick_next - the first place of a set at or after a start, wrapping, as a line.
//
// Purpose
//   The arbiter of a round robin, without the pointer: the start comes as a thermometer, which the
//   unit makes from what it keeps. From a number it is (k >= number); from the line of the one
//   chosen last, with prefix_or, upto << 1: all places above that one.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//
// Ports             width        meaning
//   set_i           N            a set
//   from_i          N            bit k: place k is at or after the start
//   line_o          N            the lowest place of set_i and from_i; if there is none, the lowest
//                                of set_i; one bit, or none of an empty set
//   any_o           1            the set is not empty
//
// Timing
//   Combinational. Both picks are made at once, and one is chosen.
//
// Contract
//   from_i need not be a thermometer: it is any set of places that come before the others.

`default_nettype none

module pick_next #(
    parameter integer N = 16
) (
    input  wire [N-1:0] set_i,
    input  wire [N-1:0] from_i,
    output wire [N-1:0] line_o,
    output wire         any_o
);

    generate
        if (N < 1 || N > 1024) begin : g_check
            pick_next_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    wire [N-1:0] ahead_line;
    wire         ahead_any;
    wire [N-1:0] all_line;

    pick_first #(
        .N (N)
    ) u_ahead (
        .set_i  (set_i & from_i),
        .line_o (ahead_line),
        .any_o  (ahead_any)
    );

    pick_first #(
        .N (N)
    ) u_all (
        .set_i  (set_i),
        .line_o (all_line),
        .any_o  (any_o)
    );

    assign line_o = ahead_any ? ahead_line : all_line;

    // ---- Formal ------------------------------------------------------------
    // Against a search that goes round from the start, a place at a time.

`ifdef FORMAL
    (* anyconst *) integer f_start;
    integer       f_k;
    reg   [N-1:0] f_from;
    reg   [N-1:0] f_line;
    always @* begin
        assume (f_start >= 0 && f_start < N);
        f_from = 0;
        f_line = 0;
        for (f_k = 0; f_k < N; f_k = f_k + 1) f_from[f_k] = f_k >= f_start;
        for (f_k = 0; f_k < 2 * N; f_k = f_k + 1)
            if (f_k >= f_start && set_i[f_k % N] && f_line == 0) f_line[f_k % N] = 1'b1;
        if (from_i == f_from)
            a_round : assert (line_o == f_line);
        if ((set_i & from_i) != 0)
            a_ahead : assert ((line_o & ~from_i) == 0);
        a_one   : assert ((line_o & (line_o - 1'b1)) == 0 && (line_o & ~set_i) == 0);
        a_any   : assert (any_o == (set_i != 0) && any_o == (line_o != 0));
        c_wraps : cover (from_i == f_from && any_o && (N == 1 || f_line < from_i));
    end
`endif

endmodule

`default_nettype wire
