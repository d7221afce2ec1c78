// subtract - a difference whose borrows come of a prefix network.
//
// Purpose
//   For paths on which a subtraction of many bits is the slowest thing.
//
// Parameters, outside of whose ranges it does not elaborate
//   W               bits, 1..128
//
// Ports             width        meaning
//   from_i          W
//   less_i          W
//   left_o          W            from_i - less_i, modulo 2^W
//
// Timing
//   Combinational: log2(W) levels.

`default_nettype none

module subtract #(
    parameter integer W = 8
) (
    input  wire [W-1:0] from_i,
    input  wire [W-1:0] less_i,
    output wire [W-1:0] left_o
);

    generate
        if (W < 1 || W > 128) begin : g_check
            subtract_needs_W_1_to_128 u_stop ();
        end
    endgenerate

    // Of each bit and as many below it as have been looked at: they make a borrow, or pass on one of those below.
    reg [W-1:0] makes;
    reg [W-1:0] passes;

    integer reach;
    always @* begin : p_borrow
        makes  = ~from_i & less_i;
        passes = ~from_i | less_i;
        for (reach = 1; reach < W; reach = 2 * reach) begin
            makes  = makes | (passes & (makes << reach));
            passes = passes & (passes << reach);
        end
    end

    assign left_o = from_i ^ less_i ^ (makes << 1);

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    always @* begin
        a_left : assert (left_o == from_i - less_i);
        c_less : cover (from_i < less_i && left_o[W-1]);
    end
`endif

endmodule

`default_nettype wire
