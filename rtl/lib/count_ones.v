// count_ones - how many places are in a set.
//
// Purpose
//   Population count as a tree of adders: pairs, then pairs of pairs, log2(N) levels.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//   COUNT_W         bits of their number; derived, never overridden
//
// Ports             width        meaning
//   set_i           N            a set
//   count_o         COUNT_W      its size, 0..N
//
// Timing
//   Combinational.

`default_nettype none

module count_ones #(
    parameter integer N       = 16,
    parameter integer COUNT_W = $clog2(N + 1)
) (
    input  wire [N-1:0]       set_i,
    output wire [COUNT_W-1:0] count_o
);

    generate
        if (N < 1 || N > 1024 || COUNT_W != $clog2(N + 1)) begin : g_check
            count_ones_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    // Of each place the sum of those from it on that its level has joined.
    reg [N*COUNT_W-1:0] sum;

    integer k;
    integer reach;
    always @* begin : p_count
        sum = {N*COUNT_W{1'b0}};
        for (k = 0; k < N; k = k + 1) sum[k*COUNT_W] = set_i[k];
        for (reach = 1; reach < N; reach = 2 * reach)
            for (k = 0; k + reach < N; k = k + 2 * reach)
                sum[k*COUNT_W +: COUNT_W] = sum[k*COUNT_W +: COUNT_W]
                                            + sum[(k+reach)*COUNT_W +: COUNT_W];
    end

    assign count_o = sum[COUNT_W-1:0];

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    integer f_k;
    integer f_count;
    always @* begin
        f_count = 0;
        for (f_k = 0; f_k < N; f_k = f_k + 1) if (set_i[f_k]) f_count = f_count + 1;
        a_count : assert (count_o == f_count);
        c_all   : cover (count_o == N);
        c_none  : cover (count_o == 0);
    end
`endif

endmodule

`default_nettype wire
