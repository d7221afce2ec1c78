// first_of - the smallest of some numbers, as a line.
//
// Purpose
//   Who goes first by a key, such as a priority and an age. All pairs are compared at once, so it takes one
//   comparison and a gate of N inputs; for more than a few numbers use it in groups.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               numbers, 1..16
//   W               bits of a number, 1..64
//
// Ports             width        meaning
//   keys_i          N*W          the numbers, number 0 lowest
//   valid_i         N            those that count
//   line_o          N            the smallest, of equal ones the lowest: one bit, or none if none counts
//
// Timing
//   Combinational.

`default_nettype none

module first_of #(
    parameter integer N = 6,
    parameter integer W = 27
) (
    input  wire [N*W-1:0] keys_i,
    input  wire [N-1:0]   valid_i,
    output wire [N-1:0]   line_o
);

    generate
        if (N < 1 || N > 16 || W < 1 || W > 64) begin : g_check
            first_of_needs_N_1_to_16_W_1_to_64 u_stop ();
        end
    endgenerate

    wire [N*N-1:0] beats;  // bit i * N + j: i counts, and goes before j

    genvar i;
    genvar j;
    generate
        if (N == 1) begin : g_alone
            wire [W-1:0] unused_key = keys_i;
        end
        for (i = 0; i < N; i = i + 1) begin : g_one
            wire [N-1:0] beaten;
            for (j = 0; j < N; j = j + 1) begin : g_other
                if (i == j) begin : g_self
                    assign beats[i*N+j] = 1'b0;
                end else if (i < j) begin : g_pair
                    wire first = keys_i[i*W +: W] <= keys_i[j*W +: W];
                    assign beats[i*N+j] = valid_i[i] && first;
                    assign beats[j*N+i] = valid_i[j] && !first;
                end
                assign beaten[j] = beats[j*N+i];
            end
            assign line_o[i] = valid_i[i] && beaten == {N{1'b0}};
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    (* anyconst *) integer f_it;
    (* anyconst *) integer f_other;
    wire [W-1:0] f_key   = keys_i >> (f_it * W);
    wire [W-1:0] f_value = keys_i >> (f_other * W);
    always @* begin
        assume (f_it >= 0 && f_it < N && f_other >= 0 && f_other < N);
        if (line_o[f_it]) begin
            a_counts : assert (valid_i[f_it]);
            if (valid_i[f_other])
                a_first : assert (f_key < f_value || (f_key == f_value && f_it <= f_other));
        end
        a_one : assert ((line_o & (line_o - 1'b1)) == 0 && (line_o != 0) == (valid_i != 0));
        c_last : cover (line_o[N-1] && (N == 1 || valid_i[0]));
    end
`endif

endmodule

`default_nettype wire
