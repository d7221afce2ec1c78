// pick_first - the lowest place of a set, as a line.
//
// Purpose
//   The arbiter with fixed priority. A prefix network finds for each place whether a lower one is in the
//   set, in log2(N) levels; set & -set says the same with a carry that runs through all places.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//
// Ports             width        meaning
//   set_i           N            a set
//   line_o          N            its lowest place: one bit, or none of an empty set
//   any_o           1            the set is not empty
//
// Timing
//   Combinational.

`default_nettype none

module pick_first #(
    parameter integer N = 16
) (
    input  wire [N-1:0] set_i,
    output wire [N-1:0] line_o,
    output wire         any_o
);

    generate
        if (N < 1 || N > 1024) begin : g_check
            pick_first_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    wire [N-1:0] upto;

    prefix_or #(
        .N (N)
    ) u_upto (
        .set_i  (set_i),
        .upto_o (upto)
    );

    assign line_o = set_i & ~(upto << 1);
    assign any_o  = upto[N-1];

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    localparam [N-1:0] F_ONE = 1;
    always @* begin
        a_line  : assert (line_o == (set_i & (~set_i + F_ONE)));
        a_any   : assert (any_o == (set_i != 0));
        c_last  : cover (line_o[N-1]);
        c_empty : cover (!any_o);
    end
`endif

endmodule

`default_nettype wire
