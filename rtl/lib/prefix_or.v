// prefix_or - of each place of a set: whether it or a lower one is in the set.
//
// Purpose
//   A prefix network: log2(N) levels of two-input gates, of which each joins results that are twice as
//   far apart as those of the one before. It turns a line into a thermometer, and is what
//   pick_first and pick_next are made of.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//
// Ports             width        meaning
//   set_i           N            a set
//   upto_o          N            bit k: a place of 0..k is in it
//
// Timing
//   Combinational.

`default_nettype none

module prefix_or #(
    parameter integer N = 16
) (
    input  wire [N-1:0] set_i,
    output reg  [N-1:0] upto_o
);

    generate
        if (N < 1 || N > 1024) begin : g_check
            prefix_or_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    integer reach;
    always @* begin : p_join
        upto_o = set_i;
        for (reach = 1; reach < N; reach = 2 * reach) upto_o = upto_o | (upto_o << reach);
    end

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    integer       f_k;
    reg           f_some;
    reg   [N-1:0] f_upto;
    always @* begin
        f_some = 1'b0;
        for (f_k = 0; f_k < N; f_k = f_k + 1) begin
            f_some      = f_some || set_i[f_k];
            f_upto[f_k] = f_some;
        end
        a_upto : assert (upto_o == f_upto);
        c_last : cover (upto_o[N-1] && !(upto_o[0] && N > 1));
    end
`endif

endmodule

`default_nettype wire
