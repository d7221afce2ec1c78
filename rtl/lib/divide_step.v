// divide_step - some bits of a restoring division.
//
// Purpose
//   Takes the next bits of the dividend, highest first, and gives as many bits of the quotient and what
//   remains. Registers and the count of steps are the unit's: a division of W bits takes
//   W / BITS steps, and begins with a remainder of 0.
//
// Parameters, outside of whose ranges it does not elaborate
//   W               bits of divisor and remainder, 1..64
//   BITS            bits of the dividend in a step, 1..4
//
// Ports             width        meaning
//   remainder_i     W            of the bits used so far; below the divisor
//   next_i          BITS         the next bits of the dividend
//   divisor_i       W            not 0
//   quotient_o      BITS         their bits of the quotient
//   remainder_o     W            of the bits used now; below the divisor
//
// Timing
//   Combinational: BITS subtractions, one after another.
//
// Contract
//   A divisor of 0, or a remainder that is not below the divisor, gives numbers without a meaning.

`default_nettype none

module divide_step #(
    parameter integer W    = 8,
    parameter integer BITS = 1
) (
    input  wire [W-1:0]    remainder_i,
    input  wire [BITS-1:0] next_i,
    input  wire [W-1:0]    divisor_i,
    output wire [BITS-1:0] quotient_o,
    output wire [W-1:0]    remainder_o
);

    generate
        if (W < 1 || W > 64 || BITS < 1 || BITS > 4) begin : g_check
            divide_step_needs_W_1_to_64_BITS_1_to_4 u_stop ();
        end
    endgenerate

    // The partial remainder is below 2 * divisor, so the top bit of the difference is a borrow.
    genvar k;
    generate
        for (k = BITS - 1; k >= 0; k = k - 1) begin : g_bit
            wire [W-1:0] remaining;
            wire [W:0]   partial = {remaining, next_i[k]};
            wire [W:0]   difference;
            wire [W-1:0] after = difference[W] ? partial[W-1:0] : difference[W-1:0];
            if (k == BITS - 1) assign remaining = remainder_i;
            else               assign remaining = g_bit[k+1].after;
            subtract #(.W(W + 1)) u_subtract (
                .from_i (partial),
                .less_i ({1'b0, divisor_i}),
                .left_o (difference)
            );
            assign quotient_o[k] = !difference[W];
        end
    endgenerate
    assign remainder_o = g_bit[0].after;

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    wire [W+BITS-1:0] f_used = {remainder_i, next_i};
    wire [W+BITS-1:0] f_wide = {{BITS{1'b0}}, divisor_i};
    always @* begin
        if (remainder_i < divisor_i) begin
            a_below : assert (remainder_o < divisor_i);
            a_sum   : assert (f_used == quotient_o * f_wide + remainder_o);
        end
        c_ones : cover (remainder_i < divisor_i && (&quotient_o));
    end
`endif

endmodule

`default_nettype wire
